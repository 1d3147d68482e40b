"""The rule of games about items: each attribute of the guess is compared with that of the answer."""

import math
import re
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

import wordle_kit as wk

MARKS = {"number": "<>=", "category": "x=", "set": "x~="}
"""The marks of a column by its kind. The position of a mark is its digit, so `=` has the highest."""

MEANINGS = {
    "=": "equal",
    ">": "the answer's is higher",
    "<": "the answer's is lower",
    "x": "different",
    "~": "partly equal",
    "?": "unknown",
}

UNKNOWN = "?"
PICTURES = str.maketrans("<>x~", "↓↑✗≈")
SIGNS = str.maketrans("↓↑✗≈", "<>x~")
MOST_CODES = 2**24


@dataclass(frozen=True, eq=False)
class Attributes(wk.Rule):
    """Compare each attribute: `=` equal, `>` the answer's is higher, `<` lower, `x` different, `~` partly, `?` unknown.

    Numbers are equal, higher or lower. Texts are equal or different. Two sets are partly equal if some values are in
    both. The mark is `?` if exactly one of the two cells is empty. The code is the number whose digits are the marks.
    If two items have the same attributes, there is one more code, which only the answer itself gets.
    """

    items: wk.Items | None = None

    def with_items(self, items: wk.Items) -> "Attributes":
        """Return the rule for these items. Raises GameError if they have too many kinds of feedback."""
        rule = Attributes(items)
        if rule.n_codes(1) > MOST_CODES:
            raise wk.GameError(
                f"the columns give {rule.n_codes(1):,} kinds of feedback; at most {MOST_CODES:,} can be "
                "counted, so ignore some"
            )
        return rule

    def known_items(self) -> wk.Items:
        """Return the items. Raises GameError if the rule has none."""
        if self.items is None:
            raise wk.GameError("the rule 'attributes' needs items; name a CSV file: items = \"FILE.csv\"")
        return self.items

    def n_codes(self, length: int) -> int:
        """Return the number of combinations of marks, and one more if some items have the same attributes."""
        items = self.known_items()
        return math.prod(map(len, marks_of(items))) + has_twins(items)

    def winning_code(self, length: int) -> int:
        """Return the highest code."""
        return self.n_codes(length) - 1

    def code(self, guess: wk.Word, answer: wk.Word) -> int:
        """Return the marks of all columns as one number."""
        items = self.known_items()
        if guess == answer:
            return self.winning_code(1)
        places = place_of(items)
        first, second = places[guess[0]], places[answer[0]]
        code = 0
        for column, marks in zip(items.columns, marks_of(items), strict=True):
            code = code * len(marks) + marks.index(mark_of(column.values[first], column.values[second]))
        return code

    def codes(self, answers: wk.SymbolIds, guesses: wk.SymbolIds, alphabet: wk.Alphabet) -> wk.Codes:
        """Return codes[n_answers, n_guesses], computed column by column in numpy."""
        items = self.known_items()
        places = place_of(items)
        rows = np.array([places[symbol] for symbol in alphabet.symbols])
        hidden, guessed = rows[answers[:, 0]], rows[guesses[:, 0]]
        codes = np.zeros((len(answers), len(guesses)), dtype=np.int64)
        for column, marks in zip(items.columns, marks_of(items), strict=True):
            codes = codes * len(marks) + digits_of(column, marks)[np.ix_(guessed, hidden)].T
        codes[hidden[:, None] == guessed] = self.winning_code(1)
        return codes.astype(self.code_dtype(1))

    def show(self, code: int, length: int) -> str:
        """Return the mark of each column. If another item has the same marks, `!` follows for the answer itself."""
        items = self.known_items()
        ending = ""
        if has_twins(items) and code == self.winning_code(1):
            code, ending = code - 1, "!"
        shown = []
        for marks in reversed(marks_of(items)):
            code, digit = divmod(code, len(marks))
            shown.append(marks[digit])
        return "".join(reversed(shown)) + ending

    def tiles(self, code: int, length: int) -> str:
        """Return each column with its mark, as in `period↑ group=`."""
        shown = self.show(code, length)
        names = [column.name for column in self.known_items().columns]
        parts = [name + mark.translate(PICTURES) for name, mark in zip(names, shown, strict=False)]
        return "  ".join(parts) + ("!" if shown.endswith("!") else "")

    def legend(self, *, tiles: bool = True) -> str:
        """Return the columns in the order of their marks, and the meaning of each mark."""
        items = self.known_items()
        used = {mark for marks in marks_of(items) for mark in marks}
        meanings = []
        for mark, meaning in MEANINGS.items():
            picture = mark.translate(PICTURES)
            both = f"{picture} or {mark}" if tiles and picture != mark else mark
            meanings += [f"{both} {meaning}"] if mark in used else []
        names = ", ".join(column.name for column in items.columns)
        return f"Marks for {names}{' (in this order)' * (len(items.columns) > 1)}: {', '.join(meanings)}."

    def read(self, text: str, length: int) -> int:
        """Return the code of marks, which may follow the names of their columns. Raises GameError for other text."""
        items = self.known_items()
        named = r"\s+".join(f"{re.escape(column.name)}(.)" for column in items.columns)
        found = re.fullmatch(rf"{named}(!?)", text.strip())
        marks = "".join(found.groups() if found else text.split()).translate(SIGNS).lower()
        ending = "!" * has_twins(items) if marks.endswith("!") else ""
        each = marks_of(items)
        bare = marks.removesuffix("!") if ending else marks
        if len(bare) == len(each) and all(mark in known for mark, known in zip(bare, each, strict=True)):
            code = 0
            for mark, known in zip(bare, each, strict=True):
                code = code * len(known) + known.index(mark)
            if not ending:
                return code
            if set(bare) == {"="}:
                return self.winning_code(1)
        names = ", ".join(column.name for column in items.columns)
        raise wk.GameError(
            f"{text!r} is not feedback of the rule 'attributes': write a mark for each of {names}, as in "
            f"{self.show(0, 1)!r}; {(type(self).__doc__ or '').partition('.')[0].partition(': ')[2]}"
        )


def mark_of(guess: object, answer: object) -> str:
    """Return the mark of a value of the guess, given the value of the answer."""
    if guess == answer:
        return "="
    if guess is None or answer is None:
        return UNKNOWN
    if isinstance(guess, float) and isinstance(answer, float):
        return ">" if answer > guess else "<"
    if isinstance(guess, tuple) and isinstance(answer, tuple) and set(guess) & set(answer):
        return "~"
    return "x"


@cache
def marks_of(items: wk.Items) -> tuple[str, ...]:
    """Return the marks that each column can have, in the order of their digits."""
    return tuple(UNKNOWN * (None in column.values) + MARKS[column.kind] for column in items.columns)


@cache
def has_twins(items: wk.Items) -> bool:
    """Return whether two items have the same attributes."""
    return len(set(zip(*(column.values for column in items.columns), strict=True))) < len(items.names)


@cache
def place_of(items: wk.Items) -> dict[str, int]:
    """Return the place of each item in the table."""
    return {name: place for place, name in enumerate(items.names)}


@cache
def digits_of(column: wk.Column, marks: str) -> npt.NDArray[np.int64]:
    """Return the digit of each guess's mark against each answer in a column, int64[n_items, n_items]."""
    different = list(dict.fromkeys(column.values))
    digits = np.array([[marks.index(mark_of(guess, answer)) for answer in different] for guess in different])
    numbers = [different.index(value) for value in column.values]
    return digits[np.ix_(numbers, numbers)]
