"""The page of puzzles has what the game says: feedback, and the obligations of hard mode."""

from datetime import date

import numpy as np
import pytest
from games import AvoidAbsent, bundled
from wordle_kit_plugins.playing.puzzle_page import MAX_CODES, obligations_of, puzzle_page

import wordle_kit as wk

MASTERMIND = bundled("mastermind")


class Digits(wk.Rule):
    """Say the sum of the distances of all places."""

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
    puzzles = wk.load_puzzles(game, 2, 5)
    data = page_data(puzzle_page(game, puzzles))
    assert hidden_words(data) == [puzzles.words(0), puzzles.words(1)]
    answers = [word for puzzle in range(2) for word in puzzles.words(puzzle)]
    for answer, numbers in zip(answers, data["feedback"], strict=True):
        wanted = [game.feedback(guess, answer) for guess in game.guesses[::37]]
        assert [data["texts"][number] for number in numbers[::37]] == [str(one) for one in wanted]
        assert [data["pictures"][number] for number in numbers[::37]] == [one.tiles for one in wanted]
        assert len(numbers) == len(game.guesses)
        assert numbers.count(0) == 1


class Letters(wk.MarksRule):
    """Each place by itself, shown in letters."""

    def marks(self, guess, answer):
        return [2 if g == a else 1 for g, a in zip(guess, answer, strict=True)]

    def show(self, code, length):
        return "".join("xyz"[digit] for digit in self.digits(code, length))


def test_marks_that_are_not_digits_are_not_shown_as_tiles(page_data):
    game = wk.Game(name="letters", alphabet="ab", answers=["ab", "ba"], guesses=["ab", "ba"], rule=Letters())
    page = puzzle_page(game, wk.load_puzzles(game, ["ab"]))
    data = page_data(page)
    assert (data["tiles"], data["texts"]) == ("", ["zz", "yy"])
    assert 'id="legend"' not in page


AVOID = wk.Game(
    name="avoid-absent",
    alphabet="abc",
    answers=["aab", "abc", "cab"],
    guesses=["aab", "abc", "bbb", "cab"],
    rule=AvoidAbsent(),
)


def allowed_by(obligation, game):
    """Return which guesses an obligation of hard mode allows, as the page's script finds it."""
    placed, counts = obligation
    words = [game.alphabet.split(guess) for guess in game.guesses]
    return [
        all(word[place] == symbol for place, symbol in placed)
        and all(word.count(symbol) >= count for symbol, count in counts)
        for word in words
    ]


@pytest.mark.parametrize("game", [MASTERMIND, AVOID], ids=["pegs", "strict"])
def test_a_hard_mode_that_a_page_cannot_check_is_refused(game):
    with pytest.raises(wk.PuzzleError, match=game.rule.name):
        puzzle_page(game.replace(hard_mode=True), wk.load_puzzles(game, 1))


def test_a_page_allows_what_the_game_and_the_referee_allow():
    game = wk.load_game("mini-nerdle").replace(hard_mode=True)
    answer = game.answers[len(game.answers) // 2]
    column = game.answer_index[answer]
    codes = game.rule.codes(game.answer_symbols[column : column + 1], game.guess_symbols, game.alphabet)[0]
    obligations, (created,) = obligations_of(game, [codes])
    for guess in range(0, len(game.guesses), max(1, len(game.guesses) // 40)):
        allowed = allowed_by(obligations[created[guess]], game)
        np.testing.assert_array_equal(allowed, game.allowed_after(guess, int(codes[guess])))
        position = wk.Position.start(game).after(guess, [int(codes[guess])])
        if position.open_boards:
            assert allowed == [position.problem_with(word) is None for word in game.guesses]


def test_symbols_that_no_tile_can_show_are_refused():
    game = wk.load_game("elements")
    with pytest.raises(wk.PuzzleError, match="elements: 'rutherfordium'"):
        puzzle_page(game, wk.load_puzzles(game, ["gold"]))


class Number(wk.Rule):
    """Say by how much the guess is too low, around the clock: each guess has feedback of its own."""

    def n_codes(self, length):
        return 10**length

    def code(self, guess, answer):
        return (int("".join(answer)) - int("".join(guess))) % 10 ** len(guess)

    def codes(self, answers, guesses, alphabet):
        length = answers.shape[1]
        tens = 10 ** np.arange(length)[::-1]
        return ((answers @ tens)[:, None] - guesses @ tens) % 10**length

    def winning_code(self, length):
        return 0

    def show(self, code, length):
        return str(code)


def test_more_kinds_of_feedback_than_a_page_can_show_are_refused():
    guesses = [f"{number:05}" for number in range(MAX_CODES + 1)]
    game = wk.Game(name="clock", alphabet="0123456789", answers=guesses[:2], guesses=guesses, rule=Number())
    with pytest.raises(wk.PuzzleError, match=r"clock.*65,537.*65,536"):
        puzzle_page(game, wk.load_puzzles(game, ["00001"]))


def test_progress_is_kept_for_a_series_and_for_each_day(page_data):
    def names(words, **dated):
        return page_data(puzzle_page(MASTERMIND, wk.load_puzzles(MASTERMIND, words), **dated))["puzzles"]

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
    page = puzzle_page(game, wk.load_puzzles(game, [word]))
    for part in ("boards", "keys", "guess"):
        assert f'id="{part}" {attributes}' in page
