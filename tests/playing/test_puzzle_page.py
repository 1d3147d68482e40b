"""The page of puzzles has what the game says: feedback, demands of hard mode, and puzzles drawn for people."""

import base64
import hashlib
from datetime import date, timedelta

import numpy as np
import pytest
from games import AvoidAbsent, bundled
from wordle_kit_plugins.playing.puzzle_page import daily_puzzle, daily_series, draw_series, hard_mode_of, puzzle_page

import wordle_kit as wk
from wordle_kit.tournaments.puzzles import choose_puzzles

LIKELY = wk.load_game(
    {"name": "likely", "alphabet": "ab", "length": 2, "answers": "all", "weights": {"aa": 97, "bb": 0}}
)
MASTERMIND = bundled("mastermind")


@pytest.mark.parametrize("seed", range(4))
def test_a_likely_word_comes_only_once(seed):
    words = [LIKELY.answers[answer] for (answer,) in draw_series(LIKELY, 3, seed).ids]
    assert sorted(words) == ["aa", "ab", "ba"]
    assert draw_series(LIKELY, 3, seed).ids == draw_series(LIKELY, 3, seed).ids


def test_a_series_without_repeats_is_not_a_random_sample():
    assert not draw_series(LIKELY, 3, 0).is_sample
    assert draw_series(MASTERMIND, 9, 4).is_sample


def test_likely_words_come_first_most_often():
    first = [draw_series(LIKELY, 1, seed).words(0) for seed in range(50)]
    assert first.count(("aa",)) > 40


def test_a_series_cannot_be_longer_than_the_list_of_possible_answers():
    with pytest.raises(wk.PuzzleError, match=r"likely.*3"):
        draw_series(LIKELY, 4, 0)


def test_each_day_has_its_own_puzzle_and_none_comes_again_before_all_have():
    first = date(2026, 11, 23)
    days = [daily_puzzle(MASTERMIND, first + timedelta(day)) for day in range(len(MASTERMIND.answers))]
    assert len({*days}) == len(MASTERMIND.answers)
    assert days[0] == daily_puzzle(MASTERMIND.replace(hard_mode=True), first)
    assert daily_series(MASTERMIND, first, 3).ids == tuple(days[:3])
    octordle = wk.load_game("octordle")
    assert len({*daily_puzzle(octordle, first), *daily_puzzle(octordle, first + timedelta(1))}) == 16


def test_a_daily_puzzle_is_the_same_on_every_machine():
    assert daily_puzzle(wk.load_game("wordle"), date(2026, 11, 23)) == (109,)


def test_days_with_weights_draw_by_weight():
    days = [daily_puzzle(LIKELY, date(2026, 1, 1) + timedelta(day)) for day in range(200)]
    assert days.count((LIKELY.answer_ids["aa"],)) > 160
    assert (LIKELY.answer_ids["bb"],) not in days


def test_without_weights_a_series_has_the_puzzles_of_a_tournament():
    assert draw_series(MASTERMIND, 9, 4).ids == wk.load_puzzles(MASTERMIND, 9, 4).ids


class Digits(wk.Rule):
    """Say the sum of the distances of all places; hard mode is the usual one of rules without marks."""

    def n_codes(self, length):
        return 2 * length + 1

    def code(self, guess, answer):
        return sum(abs(int(g) - int(a)) for g, a in zip(guess, answer, strict=True))

    def winning_code(self, length):
        return 0

    def show(self, code, length):
        return f"off by {code}"


DIGITS = wk.Game(
    name="digits", alphabet="012", answers=["012", "210", "111"], guesses=["012", "210", "111", "000"], rule=Digits()
)

GAMES = {
    "wordle": lambda: wk.load_game("wordle"),
    "mastermind": lambda: wk.load_game("mastermind"),
    "glyphs": lambda: wk.load_game("glyphs"),
    "several boards": lambda: wk.load_game("quordle"),
    "another rule": lambda: DIGITS,
}


@pytest.mark.parametrize("name", GAMES)
def test_it_has_the_feedback_of_every_guess_on_every_board(twin, name):
    game = GAMES[name]()
    puzzles = choose_puzzles(game, 2, 5)
    header, columns = twin["payload"](puzzle_page(game, puzzles))
    answers = [word for puzzle in range(2) for word in puzzles.words(puzzle)]
    assert len(columns) == 1 + len(answers) + 1
    for answer, column in zip(answers, columns[1:-1], strict=True):
        seen = [header["feedback"][number] for number in twin["varints"](column)]
        pictures = [header["pictures"][number] for number in twin["varints"](column)]
        wanted = [game.feedback(guess, answer) for guess in game.guesses[::37]]
        assert seen[::37] == [str(one) for one in wanted]
        assert pictures[::37] == [one.tiles for one in wanted]
        assert len(seen) == len(game.guesses)
        assert twin["varints"](column).count(0) == 1
        assert game.guesses[twin["varints"](column).index(0)] == answer


def test_its_policy_allows_nothing_but_its_own_script_and_style(twin):
    game = wk.load_game("mastermind")
    tags = twin["tags"](puzzle_page(game, choose_puzzles(game, ["1123"]), "<b>1\u202e</b>"))
    (policy,) = [attributes["content"] for tag, attributes in tags.tags if "http-equiv" in attributes]
    assert policy.startswith("default-src 'none'; ")
    for tag in ("script", "style"):
        digest = base64.b64encode(hashlib.sha256(tags.texts[tag][-1].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert tags.texts["title"] == ["<b>1\\u202e</b>: puzzle"]
    for tag, attributes in tags.tags:
        assert tag not in ("b", "img", "link")
        assert not [name for name in attributes if name.startswith("on") or name in ("style", "src")]


class Letters(wk.MarksRule):
    """Each place by itself, shown in letters."""

    def marks(self, guess, answer):
        return [2 if g == a else 1 for g, a in zip(guess, answer, strict=True)]

    def show(self, code, length):
        return "".join("xyz"[digit] for digit in self.digits(code, length))


def test_marks_that_are_not_digits_are_not_shown_as_tiles(twin):
    game = wk.Game(name="letters", alphabet="ab", answers=["ab", "ba"], guesses=["ab", "ba"], rule=Letters())
    page = puzzle_page(game, choose_puzzles(game, ["ab"]))
    header, _ = twin["payload"](page)
    assert (header["tiles"], header["feedback"]) == ("", ["zz", "yy"])
    assert 'id="legend"' not in page


AVOID = wk.Game(
    name="avoid-absent",
    alphabet="abc",
    answers=["aab", "abc", "cab"],
    guesses=["aab", "abc", "bbb", "cab"],
    rule=AvoidAbsent(),
)


def allowed_by(demand, hard, game):
    """Return which guesses a demand of hard mode allows, as the page's script finds it."""
    if not hard.demands:
        size = -(-len(game.guesses) // 8)
        bits = "".join(f"{byte:08b}" for byte in hard.masks[demand * size : (demand + 1) * size])
        return [bit == "1" for bit in bits[: len(game.guesses)]]
    placed, counts = hard.demands[demand]
    words = [game.alphabet.split(guess) for guess in game.guesses]
    return [
        all(word[place] == symbol for place, symbol in placed)
        and all(word.count(symbol) >= count for symbol, count in counts)
        for word in words
    ]


@pytest.mark.parametrize(
    "game", ["mini-nerdle", "mastermind", DIGITS, AVOID], ids=["marks", "pegs", "digits", "strict"]
)
def test_a_page_allows_what_the_game_and_the_referee_allow(twin, game):
    game = wk.load_game(game).replace(hard_mode=True)
    answer = game.answers[len(game.answers) // 2]
    column = game.answer_ids[answer]
    codes = game.rule.codes(game.answer_symbols[column : column + 1], game.guess_symbols, game.alphabet)[0]
    hard = hard_mode_of(game, [codes])
    demands = twin["varints"](hard.columns[0])
    for guess in range(0, len(game.guesses), max(1, len(game.guesses) // 40)):
        allowed = allowed_by(demands[guess], hard, game)
        np.testing.assert_array_equal(allowed, game.allowed_after(guess, int(codes[guess])))
        position = wk.Position.start(game).after(guess, [int(codes[guess])])
        if position.open_boards:
            assert allowed == [position.allows(word) is None for word in game.guesses]


def test_more_pairs_of_guesses_than_a_page_can_hold_are_refused():
    game = wk.load_game("bulls-and-cows").replace(hard_mode=True)
    codes = game.rule.codes(game.answer_symbols[:2], game.guess_symbols, game.alphabet)
    with pytest.raises(wk.PuzzleError, match=r"50,803,200.*50,000,000"):
        hard_mode_of(game, list(codes))


def test_symbols_that_no_tile_can_show_are_refused():
    game = wk.load_game("elements")
    with pytest.raises(wk.PuzzleError, match="elements: 'rutherfordium'"):
        puzzle_page(game, choose_puzzles(game, ["gold"]))
