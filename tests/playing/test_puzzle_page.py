"""The page of puzzles has what the game says: feedback, demands of hard mode, and puzzles drawn for people."""

import base64
import hashlib
from datetime import date, timedelta

import numpy as np
import pytest
from games import AvoidAbsent, bundled
from wordle_kit_plugins.playing.draws import daily_puzzle, daily_series, draw_series
from wordle_kit_plugins.playing.puzzle_page import MAX_CODES, demands_of, puzzle_page

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


def test_two_boards_of_a_day_never_hide_one_word():
    two = LIKELY.replace(boards=2)
    days = [daily_puzzle(two, date(2026, 1, 1) + timedelta(day)) for day in range(60)]
    assert all(len({*answers}) == 2 for answers in days)
    with pytest.raises(wk.PuzzleError, match="4 boards"):
        daily_puzzle(LIKELY.replace(boards=4), date(2026, 1, 1))


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
def test_it_has_the_feedback_of_every_guess_on_every_board(page_data, hidden_words, name):
    game = GAMES[name]()
    puzzles = choose_puzzles(game, 2, 5)
    data = page_data(puzzle_page(game, puzzles))
    assert hidden_words(data) == [puzzles.words(0), puzzles.words(1)]
    answers = [word for puzzle in range(2) for word in puzzles.words(puzzle)]
    for answer, numbers in zip(answers, data["feedback"], strict=True):
        wanted = [game.feedback(guess, answer) for guess in game.guesses[::37]]
        assert [data["shown"][number] for number in numbers[::37]] == [str(one) for one in wanted]
        assert [data["pictures"][number] for number in numbers[::37]] == [one.tiles for one in wanted]
        assert len(numbers) == len(game.guesses)
        assert numbers.count(0) == 1


def test_its_policy_allows_nothing_but_its_own_script_and_style(tags_of):
    game = wk.load_game("mastermind")
    tags = tags_of(puzzle_page(game, choose_puzzles(game, ["1123"]), "<b>1\u202e</b>"))
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


def test_marks_that_are_not_digits_are_not_shown_as_tiles(page_data):
    game = wk.Game(name="letters", alphabet="ab", answers=["ab", "ba"], guesses=["ab", "ba"], rule=Letters())
    page = puzzle_page(game, choose_puzzles(game, ["ab"]))
    data = page_data(page)
    assert (data["tiles"], data["shown"]) == ("", ["zz", "yy"])
    assert 'id="legend"' not in page


AVOID = wk.Game(
    name="avoid-absent",
    alphabet="abc",
    answers=["aab", "abc", "cab"],
    guesses=["aab", "abc", "bbb", "cab"],
    rule=AvoidAbsent(),
)


def allowed_by(demand, game):
    """Return which guesses a demand of hard mode allows, as the page's script finds it."""
    if isinstance(demand, str):
        bits = f"{int(demand, 16):0{4 * len(demand)}b}"
        return [bit == "1" for bit in bits[: len(game.guesses)]]
    placed, counts = demand
    words = [game.alphabet.split(guess) for guess in game.guesses]
    return [
        all(word[place] == symbol for place, symbol in placed)
        and all(word.count(symbol) >= count for symbol, count in counts)
        for word in words
    ]


@pytest.mark.parametrize(
    "game", ["mini-nerdle", "mastermind", DIGITS, AVOID], ids=["marks", "pegs", "digits", "strict"]
)
def test_a_page_allows_what_the_game_and_the_referee_allow(game):
    game = wk.load_game(game).replace(hard_mode=True)
    answer = game.answers[len(game.answers) // 2]
    column = game.answer_ids[answer]
    codes = game.rule.codes(game.answer_symbols[column : column + 1], game.guess_symbols, game.alphabet)[0]
    demands, (demand_of,) = demands_of(game, [codes])
    for guess in range(0, len(game.guesses), max(1, len(game.guesses) // 40)):
        allowed = allowed_by(demands[demand_of[guess]], game)
        np.testing.assert_array_equal(allowed, game.allowed_after(guess, int(codes[guess])))
        position = wk.Position.start(game).after(guess, [int(codes[guess])])
        if position.open_boards:
            assert allowed == [position.allows(word) is None for word in game.guesses]


def test_more_pairs_of_guesses_than_a_page_can_hold_are_refused():
    game = wk.load_game("bulls-and-cows").replace(hard_mode=True)
    codes = game.rule.codes(game.answer_symbols[:2], game.guess_symbols, game.alphabet)
    with pytest.raises(wk.PuzzleError, match=r"50,803,200.*50,000,000"):
        demands_of(game, list(codes))


def test_symbols_that_no_tile_can_show_are_refused():
    game = wk.load_game("elements")
    with pytest.raises(wk.PuzzleError, match="elements: 'rutherfordium'"):
        puzzle_page(game, choose_puzzles(game, ["gold"]))


class Number(wk.Rule):
    """Say by how much the guess is too low, around the clock: each guess has feedback of its own."""

    def n_codes(self, length):
        return 10**length

    def code(self, guess, answer):
        return (int("".join(answer)) - int("".join(guess))) % 10 ** len(guess)

    def codes_row(self, answer, guesses, alphabet):
        tens = 10 ** np.arange(len(answer))[::-1]
        return (answer @ tens - guesses @ tens) % 10 ** len(answer)

    def winning_code(self, length):
        return 0

    def show(self, code, length):
        return str(code)


def test_more_kinds_of_feedback_than_a_page_can_show_are_refused():
    guesses = [f"{number:05}" for number in range(MAX_CODES + 1)]
    game = wk.Game(name="clock", alphabet="0123456789", answers=guesses[:2], guesses=guesses, rule=Number())
    with pytest.raises(wk.PuzzleError, match=r"clock.*65,537.*65,536"):
        puzzle_page(game, choose_puzzles(game, ["00001"]))


def test_progress_is_kept_for_a_series_and_for_each_day(page_data):
    def names(words, **dated):
        return page_data(puzzle_page(MASTERMIND, choose_puzzles(MASTERMIND, words), **dated))["puzzles"]

    days = names(["1122", "3456"], first=date(2026, 11, 28))
    assert names(["3456", "1122"], first=date(2026, 11, 29))[0] == days[1]
    assert names(["1122", "3456"]) == names(["1122", "3456"])
    assert len({*days, *names(["1122", "3456"]), *names(["3456", "3456"])}) == 6


@pytest.mark.parametrize(
    ("alphabet", "word", "attributes"),
    [
        ("hebrew", "שלום", 'dir="rtl" lang="he"'),
        ("turkish", "kısa", 'dir="ltr" lang="tr"'),
        ("abc", "abc", 'dir="ltr"'),
    ],
)
def test_words_are_written_in_the_direction_and_language_of_the_alphabet(alphabet, word, attributes):
    game = wk.load_game({"name": "one", "alphabet": alphabet, "length": len(word), "answers": [word]})
    page = puzzle_page(game, choose_puzzles(game, [word]))
    for part in ("boards", "keys", "guess"):
        assert f'id="{part}" {attributes}' in page
