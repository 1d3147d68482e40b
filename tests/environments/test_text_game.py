"""Games as text: what is said, what is counted, and how games end; and guesses in answers."""

import copy
import pickle
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import small_games
from wordle_kit_plugins.environments.prompts import word_in
from wordle_kit_plugins.environments.text_game import Mistake, TextGame

import wordle_kit as wk

TINY = wk.load_game({"name": "tiny", "alphabet": "abc", "length": 2, "answers": "all", "max_guesses": 3})


def marks_of(guess, answer):
    """Return Wordle's marks as letters, by its rules alone."""
    marks = ["G" if one == other else "B" for one, other in zip(guess, answer, strict=True)]
    left = Counter(other for one, other in zip(guess, answer, strict=True) if one != other)
    for place, symbol in enumerate(guess):
        if marks[place] == "B" and left[symbol]:
            marks[place] = "Y"
            left[symbol] -= 1
    return "".join(marks)


@settings(max_examples=40, deadline=None)
@given(small_games(rules=("wordle",), answers=(2, 20), boards=(1, 2), lengths=(2, 3)), st.integers(0, 99))
def test_a_game_is_that_of_a_player_who_knows_the_rules_alone(game, seed):
    """The twin keeps the hidden words, and filters the answers one by one."""
    dice = random.Random(seed)
    hidden = [dice.choices(game.answers, k=game.boards) for _ in range(4)]
    text = TextGame(game, hidden, seed=seed)
    text.reset()
    answers = hidden[text.puzzle]
    seen, counted, solved = [], Counter(), [False] * game.boards
    while len(seen) < game.max_guesses and not all(solved):
        guess = dice.choice(game.guesses)
        said = text.guess(guess)
        if guess in seen:
            counted["repeated"] += 1
            if counted["repeated"] == 10:
                break
            continue
        fits = [
            any(guess == word and all(marks_of(g, word) == marks_of(g, a) for g in seen) for word in game.answers)
            for a, done in zip(answers, solved, strict=True)
            if not done
        ]
        if not any(fits):
            counted["contradictory"] += bool(seen)
        for answer, done in zip(answers, solved, strict=True):
            assert done or marks_of(guess, answer) in said
        seen.append(guess)
        solved = [answer in seen for answer in answers]
    assert text.is_solved == all(solved)
    assert text.is_over
    assert text.reward() == all(solved)
    assert text.mistakes == counted
    assert all(solved) or ", ".join(answers) in said


def test_the_first_text_has_the_rules_and_the_state():
    text = TextGame("wordle", ["crane"])
    with pytest.raises(wk.GameError, match="reset"):
        text.guess("slate")
    first = text.reset()
    assert all(fact in first for fact in ("2,315", "12,972", "5 letters", "6 guesses"))
    assert text.guess("Slate").startswith("slate: BBGBG. 5 ")
    assert text.guess("grade").startswith("grade: BGGBG. 4 ")
    assert text.state.splitlines()[:2] == ["1. slate BBGBG", "2. grade BGGBG"]
    assert text.guess("crane").startswith("crane: GGGGG. ")
    with pytest.raises(wk.GameError, match="over"):
        text.guess("crane")
    assert text.reset() == first


@pytest.mark.parametrize(
    ("game", "hidden", "said"), [("wordle", "cheek", "crane: GBBBY."), ("mastermind", "1233", "1112: 1,1.")]
)
def test_feedback_is_a_letter_for_each_mark_or_what_the_rule_shows(game, hidden, said):
    text = TextGame(game, [hidden])
    text.reset()
    assert text.guess(said.partition(":")[0]).startswith(said)


def test_several_boards_are_answered_one_by_one():
    text = TextGame(TINY.replace(boards=2), [("ab", "cc")])
    assert "2 boards" in text.reset()
    assert text.guess("ab").startswith("ab: board 1 GG; board 2 BB. ")
    assert text.guess("ca").startswith("ca: board 1 solved; board 2 GB. ")
    assert text.state.splitlines()[1] == "2. ca solved / GB"
    assert text.guess("cc").startswith("cc: board 1 solved; board 2 GG. ")
    assert text.is_solved


def test_mistakes_are_counted_and_a_refused_guess_gets_nothing():
    text = TextGame(TINY, ["ab"], reward="guesses")
    text.reset()
    for guess in ("xyz", "cc", "cc", "ca"):
        assert guess in text.guess(guess)
    assert text.mistakes == {Mistake.ILLEGAL: 1, Mistake.REPEATED: 1, Mistake.CONTRADICTORY: 1}
    assert text.scores == [0, -1, 0, -1]
    text.guess("ab")
    assert text.reward() == -3


@pytest.mark.parametrize("word", [" ab\n", "[Ab]", "'ab'", "ab</s>"])
def test_what_models_write_around_a_word_is_taken_off(word):
    text = TextGame(TINY, ["ab"])
    text.reset()
    assert text.guess(word).startswith("ab: GG. ")
    text.reset()
    text.guess("cc")
    text.guess("[cc]")
    assert text.mistakes[Mistake.REPEATED] == 1


@pytest.mark.parametrize("name", ["solved", "guesses", "information", "regret"])
def test_a_copy_plays_on(name):
    text = TextGame("mini-nerdle", reward=name, seed=3)
    text.reset()
    text.guess("10-1=9")
    for copied in (copy.deepcopy(text), pickle.loads(pickle.dumps(text))):
        assert copied.guess("4*7=28") == copy.deepcopy(text).guess("4*7=28")
        assert copied.reset() == copy.deepcopy(text).reset()
        assert len(text.scores) == 1


@pytest.mark.parametrize("wrong", [None, "", "a\nb" * 5000, b"ab", "\x1b[2J"])
def test_whatever_a_player_says_is_refused_in_one_printable_line(wrong):
    text = TextGame(TINY, ["ab"])
    text.reset()
    said = text.guess(wrong)
    assert said.isprintable()
    assert len(said) < 300
    assert text.mistakes[Mistake.ILLEGAL] == 1


def test_too_many_refused_guesses_end_the_game():
    text = TextGame(TINY, ["ab"], most_refused=2)
    text.reset()
    text.guess("zz")
    assert not text.is_over
    assert "ab" in text.guess("zz")
    assert text.is_over
    assert not text.is_solved


def test_hard_mode_refuses_what_does_not_use_the_feedback():
    hard = TextGame(wk.load_game("wordle").replace(hard_mode=True), ["crane"])
    assert "Hard mode" in hard.reset()
    hard.guess("slate")
    assert "'a'" in hard.guess("moist")
    assert hard.mistakes[Mistake.ILLEGAL] == 1


def test_the_seed_decides_which_puzzles_are_played():
    def some(seed, n=30):
        text = TextGame("wordle", seed=seed)
        return [text.reset() and text.puzzle for _ in range(n)]

    assert some(1) == some(1)
    assert some(1) != some(2)
    assert len(set(some(1))) > 25
    text = TextGame("wordle", 100, seed=5)
    assert text.puzzles == wk.load_puzzles("wordle", 100, seed=5)
    text.reset(7)
    assert text.session.host.answers == text.puzzles.ids[7]
    with pytest.raises(wk.WordleKitError, match=r"100.*99"):
        text.reset(100)


def test_puzzles_are_drawn_by_the_weights_of_the_answers():
    weights = {"aa": 0, "ab": 1, "ba": 3}
    game = wk.load_game({"name": "w", "alphabet": "ab", "length": 2, "answers": [*weights], "weights": weights})
    text = TextGame(game)
    drawn = Counter()
    for _ in range(2000):
        text.reset()
        drawn[game.answers[text.puzzle]] += 1
    assert 1400 < drawn["ba"] < 1600
    assert drawn["ab"] == 2000 - drawn["ba"] - drawn["aa"]
    assert drawn["aa"] == 0


def test_an_adversary_hides_no_word_and_ends_at_the_cap():
    text = TextGame(TINY, host="adversary", reward="guesses")
    assert f"at most {TINY.cap} guesses" in text.reset()
    while not text.is_over:
        left = text.position.board.words
        text.guess(left[0])
    assert text.is_solved
    assert text.reward() == -len(text.position.guess_ids)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"most_refused": 0}, "most_refused"),
        ({"host": "advresary"}, "'advresary'"),
    ],
)
def test_a_wrong_setting_is_named(arguments, message):
    with pytest.raises(wk.WordleKitError, match=message):
        TextGame(TINY, **arguments)


# The example for TRL


@pytest.mark.slow
def test_the_example_plays_without_a_network():
    example = Path(__file__).parents[2] / "examples" / "environments" / "trl_rollouts.py"
    ran = subprocess.run([sys.executable, str(example)], capture_output=True, text=True, check=True)
    assert ran.stdout == "a group of 4 on puzzle 0: rewards 0.000 0.000 -0.010 -0.340\n"


# Guesses in the answers of a chat model


SIGNS = wk.load_game({"name": "signs", "alphabet": "*-+:_", "length": 3, "answers": "all"})


@pytest.mark.parametrize(
    ("game", "answer", "word"),
    [
        ("wordle", "crane", "crane"),
        ("wordle", "I shall guess: a noun.\n\n**GUESS:** `CRANE`.\n", "crane"),
        ("wordle", "GUESS: crane\nGUESS: slate", "slate"),
        ("wordle", "GUESS: crane or slate", "crane or slate"),
        ("wordle", "Wordle is a game.", "Wordle is a game"),
        ("wordle", "", ""),
        ("mini-nerdle", "**Guess:** 10-1=9", "10-1=9"),
        ("glyphs", "GUESS: AKAL", "AKAL"),
        ("elements", 'Guess: "Iron"', "iron"),
        (SIGNS, "GUESS: `-_*`", "-_*"),
        ("wordle", "GUESS: [crane]<|im_end|>", "crane"),
        ("wordle", "GUESS: <guess>crane</guess>\n", "crane"),
        ("wordle", "<crane>", "crane"),
        ("wordle", " “crane”!</s>", "crane"),
    ],
)
def test_the_word_of_an_answer_is_found(game, answer, word):
    assert word_in(answer, wk.load_game(game)) == word
