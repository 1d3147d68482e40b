"""Hosts: hidden words, an adversary that keeps as many words as it can, and those of plugins."""

import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from games import bundled
from hypothesis import given, settings
from hypothesis import strategies as st

import wordle_kit as wk
from wordle_kit.api import find_host
from wordle_kit.tournaments.host import HIDDEN, Adversary, HiddenWords
from wordle_kit.tournaments.store import FACTS

WORDLE = bundled("wordle")
SMALL = wk.load_game({"name": "small", "alphabet": "abc", "length": 3, "answers": "all", "max_guesses": 9})
SPARSE = wk.load_game(
    {"name": "sparse", "alphabet": "abcd", "length": 2, "answers": ["ab", "ba", "cd", "ca", "dd"], "guesses": "all"}
)


def left_by(game, *guesses):
    """Return how many words the adversary leaves after each guess."""
    position = wk.Position.start(game)
    sizes = []
    for guess in guesses:
        position = position.after(guess, Adversary().answer(position, game.guess_ids[guess]))
        sizes.append(len(position.boards[0]))
    return position, sizes


def twin(game, words, guess):
    """Return the feedback of the adversary and the words it keeps, worked out word by word."""
    parts = {}
    for word in words:
        parts.setdefault(game.rule.code(game.word(guess), game.word(word)), []).append(word)
    code = min(parts, key=lambda code: (-len(parts[code]), code == game.winning_code, code))
    return code, parts[code]


# What it answers


@pytest.mark.parametrize("game", [SMALL, SPARSE], ids=lambda game: game.name)
@given(data=st.data())
@settings(deadline=None, max_examples=60)
def test_the_adversary_answers_as_its_twin(game, data):
    position, words = wk.Position.start(game), list(game.answers)
    for guess in data.draw(st.lists(st.sampled_from(game.guesses), min_size=1, max_size=4)):
        if not position.open_boards:
            break
        code, words = twin(game, words, guess)
        answered = Adversary().answer(position, game.guess_ids[guess])
        assert answered == (code,)
        position = position.after(guess, answered)
        assert list(position.boards[0].words) == words


def test_the_guessed_word_itself_is_given_up_last():
    game = wk.load_game({"name": "two", "alphabet": "ab", "length": 1, "answers": "all", "max_guesses": 2})
    position, sizes = left_by(game, "a", "b")
    assert sizes == [1, 1]
    assert position.boards[0].is_solved


def test_each_board_is_answered_for_itself_and_a_solved_one_stays_solved():
    game = SMALL.replace(boards=2)
    position = wk.Position.start(game).after("aaa", ["222", "000"])
    winning, code = Adversary().answer(position, game.guess_ids["bcb"])
    assert (winning, code) == (game.winning_code, twin(game, position.boards[1].words, "bcb")[0])


def test_hidden_words_are_answered_by_the_rule():
    host = HiddenWords((WORDLE.answer_ids["crane"],))
    position = wk.Position.start(WORDLE)
    (code,) = host.answer(position, WORDLE.guess_ids["trace"])
    assert WORDLE.show(code) == WORDLE.feedback("trace", "crane")
    assert host.words(position) == ("crane",)


def test_an_unknown_host_is_named():
    with pytest.raises(wk.GameError, match="no host is called 'adversery'; did you mean 'adversary'"):
        find_host("adversery")


# Known values: the lists of 2021


def test_four_guesses_are_enough_against_the_adversary():
    position, sizes = left_by(WORDLE, "aiery", "canst", "dholl")
    assert sizes == [171, 11, 1]
    last = position.boards[0].words[0]
    assert left_by(WORDLE, "aiery", "canst", "dholl", last)[0].boards[0].is_solved


def test_no_three_guesses_are_enough_against_the_adversary():
    sizes = wk.Position.start(WORDLE).boards[0].part_sizes()
    # To win with the third guess, the second would have to tell apart all words that the first leaves.
    fewest_left, most_parts = sizes.max(axis=1).min(), np.count_nonzero(sizes, axis=1).max()
    assert (fewest_left, most_parts) == (168, 150)


# Games


def least_guesses(game):
    """Return the fewest guesses that are always enough against the adversary, by trying all."""

    @cache
    def least(words):
        after = [(guess, *twin(game, words, guess)) for guess in game.guesses]
        if any(code == game.winning_code for _, code, _ in after):
            return 1
        return 1 + min(least(tuple(kept)) for _, _, kept in after if len(kept) < len(words))

    return least(tuple(game.answers))


@pytest.mark.parametrize(("game", "least"), [(SPARSE, 2), (SMALL, 3)], ids=lambda value: getattr(value, "name", None))
def test_no_strategy_beats_the_fewest_guesses_that_are_possible(game, least):
    assert least_guesses(game) == least
    games = wk.load_puzzles(game, host="adversary")
    plays = [wk.play(strategy, game, games)[0] for strategy in ("first-consistent", "entropy", "minimax", "most-parts")]
    assert min(play.turns for play in plays) >= least


def test_each_first_guess_is_a_game_and_the_fewest_guesses_rank_first():
    games = wk.load_puzzles(WORDLE, ["aiery", "salet"], host="adversary")
    board = wk.tournament(WORDLE, ["entropy", "minimax"], games, workers=1)
    assert [(row.strategy, row.games, row.mean) for row in board.rows] == [("minimax", 2, 4.0), ("entropy", 2, 5.0)]
    for play in board.plays("minimax"):
        words = list(WORDLE.answers)
        for guess, (seen,) in zip(play.guesses, play.feedback, strict=True):
            code, words = twin(WORDLE, words, guess)
            assert str(WORDLE.show(code)) == seen
        assert play.puzzle == (play.guesses[-1],)
        assert play.board_turns == (play.turns,)
    assert [play.guesses[0] for play in board.plays("entropy")] == ["aiery", "salet"]


def test_without_first_guesses_each_strategy_has_its_own():
    board = wk.tournament(SMALL, ["first-consistent", "entropy(opener=abc)"], wk.load_puzzles(SMALL, host="adversary"))
    assert {row.strategy: row.opener for row in board.rows} == {"first-consistent": "aaa", "entropy(opener=abc)": "abc"}


def test_a_game_that_is_not_solved_names_a_word_that_is_left():
    stubborn = type("Stubborn", (wk.Strategy,), {"__doc__": "Guess the same.", "guess": lambda self, position: "aaa"})
    (play,) = wk.play(stubborn(), SMALL, wk.load_puzzles(SMALL, host="adversary"))
    assert (play.outcome, play.turns, play.board_turns) == (wk.Outcome.OUT_OF_GUESSES, None, (None,))
    assert play.puzzle[0] in SMALL.answers
    assert play.puzzle[0] != "aaa"


def test_games_against_the_adversary_are_stored_apart_from_hidden_words(tmp_path):
    path = tmp_path / "results.sqlite"
    hidden = wk.tournament(SMALL, ["first-consistent"], ["abc"], store=path)
    games = wk.load_puzzles(SMALL, ["abc"], host="adversary")
    played = wk.tournament(SMALL, ["first-consistent"], games, store=path)
    again = wk.read_leaderboard(path)
    assert (hidden.as_dict()["host"], played.as_dict()["host"]) == ("hidden", "adversary")
    assert again.plays("first-consistent") == played.plays("first-consistent") != hidden.plays("first-consistent")
    assert Counter(run.facts.puzzles_fingerprint for run in (*hidden.runs, *played.runs)).total() == 2
    assert hidden.runs[0].facts.puzzles_fingerprint != played.runs[0].facts.puzzles_fingerprint


def test_facts_of_runs_that_were_stored_before_there_were_hosts_say_hidden():
    run = wk.tournament(SMALL, ["first-consistent"], ["abc"]).runs[0]
    facts = {name: value for name, value in vars(run.facts).items() if name != "host"}
    assert FACTS.validate_python(facts) == run.facts


def test_a_random_strategy_repeats_its_game_by_its_seed():
    games = wk.load_puzzles(SMALL, host="adversary")
    first, second = (wk.play("random-consistent", SMALL, games, seed=5) for _ in range(2))
    assert first == second


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        (["zzz"], "first guess 1: 'zzz' has 'z', which is not in the alphabet"),
        (["ab"], "first guess 1: 'ab' has 2 letters"),
        ([("aaa",)], "is not a word; give a first guess"),
        ([], "there are none in the list"),
        ("all", "hides no words to draw; give first guesses"),
        (5, "hides no words to draw; give first guesses"),
        ("5", "hides no words to draw; give first guesses"),
    ],
)
def test_a_wrong_first_guess_is_named(source, problem):
    with pytest.raises(wk.PuzzleError, match=problem):
        wk.load_puzzles(SMALL, source, host="adversary")


def test_absurdle_takes_at_least_four_guesses_and_four_are_enough():
    """As its author says at qntm.org/absurdle. After two guesses, at least 168 / 150 words are left, so two or more."""
    game = wk.load_game("wordle")
    columns = game.table.whole().T
    assert min(np.bincount(column).max() for column in columns) == 168
    assert max(np.count_nonzero(np.bincount(column)) for column in columns) == 150
    position = wk.Position.start(game)
    for guess in ("raise", "yauld", "tench", "whoop"):
        assert position.open_boards
        (code,) = Adversary().answer(position, game.guess_ids[guess])
        position = position.after(guess, game.show(code))
    assert not position.open_boards


# Hosts of plugins


@pytest.fixture(scope="module", name="liar")
def plugins_with_a_liar():
    return wk.Plugins.load([Path(__file__).parents[2] / "examples" / "lies_once.py"], strict=True)


def answers_of(play):
    """Return for each guess of a play the feedback that its word, hidden from the start, would have given."""
    return [str(SMALL.feedback(guess, play.puzzle[0])) for guess in play.guesses]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_host_of_a_plugin_plays_a_tournament(liar, workers, tmp_path):
    board = wk.tournament(
        SMALL, "first-consistent", host="lies-once", plugins=liar, workers=workers, store=tmp_path / "results"
    )
    plays = board.plays("first-consistent")
    assert board.as_dict()["host"] == "lies-once"
    assert {play.outcome for play in plays} == {wk.Outcome.SOLVED}
    for hidden, play in zip(SMALL.answers, plays, strict=True):
        truth = [str(SMALL.feedback(guess, hidden)) for guess in play.guesses]
        assert [seen for (seen,) in play.feedback] == answers_of(play)  # of the word that it sticks to
        assert truth[:1] == answers_of(play)[:1]
        assert (play.puzzle == (hidden,)) == (truth == answers_of(play))
    assert any(play.puzzle != (hidden,) for hidden, play in zip(SMALL.answers, plays, strict=True))


def test_a_host_that_is_edited_or_has_other_parameters_is_played_again():
    hidden = wk.load_puzzles(SMALL)
    keys = {replace(hidden, host=host).key for host in (HIDDEN, Adversary(), Wrong((), 1), Wrong((), 2))}
    assert len(keys) == 4
    typed = type("Typed", (Wrong,), {"__module__": "__main__"})
    assert replace(hidden, host=typed()).key != replace(hidden, host=typed()).key


@dataclass(frozen=True)
class Wrong(wk.Host):
    """A host that answers with anything, or raises it."""

    name: ClassVar[str] = "wrong"

    what: object = None

    def answer(self, position, guess):
        if isinstance(self.what, Exception):
            raise self.what
        return self.what

    def words(self, position):
        return ("abc", "abc")


@pytest.mark.parametrize(
    ("what", "problem"),
    [
        (KeyError("lost"), "host wrong: failed when it was asked to answer 'aaa': KeyError: 'lost'"),
        (wk.StrategyError("it is the strategy"), "host wrong: failed when it was asked to answer 'aaa'"),
        (None, "host wrong: answered 'aaa' with None; return the code of each board"),
        (("222",), "host wrong: answered 'aaa' with ('222',); return the code of each board"),
        ((1, 2), "host wrong: answered 'aaa' with (1, 2); return the code of each board"),
        ((999,), "host wrong: answered 'aaa' with the code 999 on board 1"),
        ((1.0,), "host wrong: answered 'aaa' with (1.0,); return the code of each board"),
        ((SMALL.winning_code,), "host wrong: says that ('abc', 'abc') was hidden; return the answer of each board"),
    ],
)
def test_a_host_that_misbehaves_is_blamed_and_no_strategy(what, problem):
    with pytest.raises(wk.GameError, match=re.escape(problem)) as raised:
        wk.play("first-consistent", SMALL, wk.load_puzzles(SMALL, ["abc"], host=Wrong((), what)))
    assert "\n" not in str(raised.value)


def test_events_tell_of_runs_that_were_played_and_of_the_end(tmp_path):
    plugin = tmp_path / "listens.py"
    plugin.write_text(LISTENS)
    plugins, told = wk.Plugins.load([plugin], strict=True), []
    plugins.modules["listens"].told = told
    for _ in range(2):
        wk.tournament(SMALL, ["first-consistent", "minimax"], plugins=plugins, store=tmp_path / "store", workers=1)
    board = ("board", 2)
    assert sorted(told[:2]) == [("first-consistent", 27), ("minimax", 27)]
    assert told[2:] == [board, board]


LISTENS = """
import wordle_kit as wk

told = []

@wk.hookimpl
def run_finished(run):
    told.append((run.facts.strategy, len(run.plays)))

@wk.hookimpl
def tournament_finished(leaderboard):
    told.append(("board", len(leaderboard.rows)))
"""
