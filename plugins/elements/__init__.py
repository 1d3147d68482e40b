"""The game of the chemical elements: feedback compares the attributes of a guess with those of the hidden element.

Each element is a symbol, and each word is one symbol. A game about other things needs only another table.

The table has facts from the PyPI package mendeleev 1.3.0 (MIT, © Łukasz Mentel): period, group, block, atomic mass,
state at 25 °C, and the year of discovery, which is empty for elements known since antiquity.
"""

import csv
import math
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import wordle_kit as wk

FILE = Path(__file__).with_name("elements.csv")
"""The table, with a header and a row for each element. The first column has the names; empty cells mean unknown."""

MEANINGS = {
    "=": "equal",
    ">": "the hidden element's is higher",
    "<": "the hidden element's is lower",
    "x": "different",
    "?": "unknown",
}
PICTURES = str.maketrans("<>x", "↓↑✗")

Value = float | str | None


@cache
def table() -> tuple[tuple[str, ...], dict[str, tuple[Value, ...]]]:
    """Return the names of the attributes, and the attributes of each element."""
    (_, *names), *rows = csv.reader(FILE.read_text(encoding="utf-8").splitlines())
    return tuple(names), {name: tuple(map(value_of, cells)) for name, *cells in rows}


def value_of(cell: str) -> Value:
    """Return the value of a cell: a number, a text, or None if the cell is empty."""
    try:
        return float(cell)
    except ValueError:
        return cell or None


@cache
def marks() -> tuple[str, ...]:
    """Return the marks that each attribute can have. The index of a mark is its digit, so `=` has the highest."""
    columns = zip(*table()[1].values(), strict=True)
    return tuple("?" * (None in column) + ("x=" if str in map(type, column) else "<>=") for column in columns)


class Elements(wk.Rule):
    """Compare each attribute: `=` equal, `>` the hidden element's is higher, `<` lower, `x` different, `?` unknown.

    The mark is `?` if exactly one of the two values is unknown. The code is the number whose digits are the marks.
    """

    def n_codes(self, length: int) -> int:
        """Return the number of combinations of marks."""
        return math.prod(map(len, marks()))

    def winning_code(self, length: int) -> int:
        """Return the code for equal attributes. No two elements have the same attributes."""
        return self.n_codes(length) - 1

    def code(self, guess: wk.Word, answer: wk.Word) -> int:
        """Return the marks of all attributes as one number."""
        _, elements = table()
        code = 0
        for mine, hidden, known in zip(elements[guess[0]], elements[answer[0]], marks(), strict=True):
            code = code * len(known) + known.index(mark_of(mine, hidden))
        return code

    def show(self, code: int, length: int) -> str:
        """Return the mark of each attribute."""
        shown = ""
        for known in reversed(marks()):
            code, digit = divmod(code, len(known))
            shown = known[digit] + shown
        return shown

    def tiles(self, code: int, length: int) -> str:
        """Return each attribute with its mark, as in `period↑  group=`."""
        names, _ = table()
        return "  ".join(map("{}{}".format, names, self.show(code, length).translate(PICTURES)))

    def legend(self, *, tiles: bool = True) -> str:
        """Return the attributes in the order of their marks, and the meaning of each mark."""
        names, _ = table()
        pictures = {mark: mark.translate(PICTURES) if tiles else mark for mark in MEANINGS}
        signs = [mark if picture == mark else f"{picture} or {mark}" for mark, picture in pictures.items()]
        meanings = map("{} {}".format, signs, MEANINGS.values())
        return f"Marks for {', '.join(names)} (in this order): {', '.join(meanings)}."


def mark_of(guess: Any, answer: Any) -> str:
    """Return the mark for a value of the guess, given the value of the hidden element."""
    if guess == answer:
        return "="
    if guess is None or answer is None:
        return "?"
    if isinstance(guess, str):
        return "x"
    return ">" if answer > guess else "<"


@wk.hookimpl
def register_rules(register: Callable[[wk.Rule], None]) -> None:
    """Register the rule."""
    register(Elements())


@wk.hookimpl
def register_games(register: Callable[[dict[str, Any]], None]) -> None:
    """Register the game."""
    register(
        {
            "name": "elements",
            "title": "Elements, guessed by their attributes",
            "nouns": ["element", "element"],
            "alphabet": list(table()[1]),
            "length": 1,
            "answers": "all",
            "rule": "elements",
            "max_guesses": 6,
        }
    )
