"""Pages of puzzles, played in a browser."""

import base64
import hashlib

import pytest
from wordle_kit_plugins.playing.puzzle_page import puzzle_page

import wordle_kit as wk
from wordle_kit.files import write_file


class Parity(wk.Rule):
    """Say how many symbols are in place, and whether the words begin with letters of the same half of the alphabet."""

    def n_codes(self, length):
        return 2 * length + 2

    def code(self, guess, answer):
        placed = sum(g == a for g, a in zip(guess, answer, strict=True))
        return 2 * placed + ((guess[0] < "n") == (answer[0] < "n"))

    def winning_code(self, length):
        return 2 * length + 1

    def show(self, code, length):
        return f"{code // 2} in place, {'same' if code % 2 else 'other'} half"


def clock():
    """Return a game whose symbols have several characters."""
    fields = {"name": "clock", "alphabet": ["5", "10", "15", "50"], "separator": "-", "length": 2}
    return wk.load_game({**fields, "answers": "all-different", "guesses": "all"})


def pairs():
    """Return a game whose boards can contradict each other in hard mode."""
    settings = {"name": "pairs", "alphabet": "ab", "length": 2, "answers": "all", "boards": 2, "hard_mode": True}
    return wk.load_game(settings)


def words(alphabet, *answers):
    """Return a game of words of four letters."""
    return wk.load_game({"name": alphabet, "alphabet": alphabet, "length": 4, "answers": list(answers)})


GAMES = {
    "wordle": (lambda: wk.load_game("wordle"), ["crane"]),
    "hard": (lambda: wk.load_game("wordle").replace(hard_mode=True), ["abbey"]),
    "quordle": (lambda: wk.load_game("quordle"), 1),
    "mastermind": (lambda: wk.load_game("mastermind"), ["1123"]),
    "glyphs": (lambda: wk.load_game("glyphs"), 1),
    "clock": (clock, ["5-10"]),
    "contradiction": (pairs, ["aa,bb"]),
    "own rule": (lambda: wk.load_game("wordle").replace(rule=Parity(), name="parity"), ["crane"]),
    "octordle": (lambda: wk.load_game("octordle"), 1),
    "series": (lambda: wk.load_game("wordle"), ["crane", "abbey", "slate"]),
    "long series": (lambda: wk.load_game("octordle"), 40),
    "turkish": (lambda: words("turkish", "kısa", "kira", "ılık", "ilik"), ["kira"]),
    "hebrew": (lambda: words("hebrew", "שלום", "מילה", "ילדה"), ["מילה"]),
}
"""The game and the puzzles of each page."""


@pytest.fixture(scope="session")
def puzzles(tmp_path_factory):
    """Return a function that gives the game, the puzzles and the file of a page, made once."""
    made = {}

    def puzzles(name):
        if name not in made:
            game_of, source = GAMES[name]
            game = game_of()
            chosen = wk.load_puzzles(game, source, 3)
            path = tmp_path_factory.mktemp("puzzles") / "puzzle.html"
            write_file(path, puzzle_page(game, chosen))
            made[name] = game, chosen, path
        return made[name]

    return puzzles


@pytest.fixture
def play(opened, puzzles):
    """Return a context in which the page of a puzzle is open."""

    def play(name, **settings):
        return opened(puzzles(name)[2], **settings)

    return play


@pytest.fixture
def open_inside(opened, puzzles, tmp_path):
    """Return a context with the page of a puzzle whose script also gives what it keeps to itself, as `inside`."""

    def open_inside(name):
        before, script, after = puzzles(name)[2].read_text(encoding="utf-8").rpartition('<script type="module">')
        code, _, end = after.partition("</script>")
        more = f"{code}\nglobalThis.inside = {{ get game() {{ return game; }}, feedbackOf, hardModeProblem, playOf }};"
        old, new = (base64.b64encode(hashlib.sha256(each.encode()).digest()).decode() for each in (code, more))
        assert old in before
        path = tmp_path / "inside.html"
        path.write_text(f"{before.replace(old, new)}{script}{more}</script>{end}", encoding="utf-8")
        return opened(path)

    return open_inside


@pytest.fixture
def guess():
    """Return a function that types guesses on a page by the keyboard."""

    def guess(page, *words):
        for word in words:
            page.keyboard.type(word)
            page.keyboard.press("Enter")

    return guess
