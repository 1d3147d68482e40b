"""The page of a puzzle has the rule's own feedback for every guess, and nothing that it could load or run besides."""

import base64
import hashlib

import pytest

import wordle_kit as wk
from wordle_kit.playing.puzzle_page import puzzle_page
from wordle_kit.tournaments.puzzle_sources import choose_puzzles


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
    "several boards": lambda: wk.load_game("english-4").replace(boards=3),
    "another rule": lambda: DIGITS,
    "items": lambda: wk.load_game("elements"),
}


@pytest.mark.parametrize("name", GAMES)
def test_it_has_the_feedback_of_every_guess_on_every_board(twin, name):
    game = GAMES[name]()
    puzzles = choose_puzzles(game, 2, 5)
    header, columns = twin["payload"](puzzle_page(game, puzzles))
    answers = [word for puzzle in range(2) for word in puzzles.words(puzzle)]
    assert len(columns) == 1 + len(answers)
    for answer, column in zip(answers, columns[1:], strict=True):
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


def test_it_says_what_marks_mean(twin):
    def marks(name):
        game = GAMES[name]()
        return twin["payload"](puzzle_page(game, choose_puzzles(game, 1, 5)))[0]["marks"]

    assert marks("glyphs")[3:] == ["the other case is correct", "the other case is elsewhere"]
    assert marks("mastermind") == []
    assert "⚫ or the first number counts symbols" in puzzle_page(
        GAMES["mastermind"](), choose_puzzles(GAMES["mastermind"](), 1)
    )


def test_marks_that_are_not_digits_are_not_shown_as_tiles(twin):
    game = wk.Game(name="letters", alphabet="ab", answers=["ab", "ba"], guesses=["ab", "ba"], rule=Letters())
    page = puzzle_page(game, choose_puzzles(game, ["ab"]))
    header, _ = twin["payload"](page)
    assert (header["tiles"], header["feedback"]) == ("", ["zz", "yy"])
    assert 'id="legend"' not in page
