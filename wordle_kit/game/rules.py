"""Rules: the feedback on a guess, as a code, as digits and as tiles.

A rule makes two promises: every code is in the rule's range, and only the hidden word gets the winning code.
`checked_rules` checks both before any code is used.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from wordle_kit.errors import GameError
from wordle_kit.game.words import Alphabet, SymbolIds, Word
from wordle_kit.texts import kebab_case

Codes = npt.NDArray[np.unsignedinteger]
"""Feedback codes, in the smallest unsigned integer type that holds all codes of the rule."""

OTHER_TILES = {"⬛": "⬜", "🟦": "🟨", "🟧": "🟩"}
"""The tiles of dark and high-contrast themes, each mapped to the usual tile."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """The feedback on a guess, as the player sees it.

    `str()` returns it as characters. For Wordle, these are one digit per symbol: 0 for absent, 1 for present and 2 for
    correct. `tiles` is the form that people share. Two objects are equal if they have the same rule, length and code.
    """

    rule: "Rule"
    length: int
    code: int

    def __str__(self) -> str:
        return self.rule.show(self.code, self.length)

    def __repr__(self) -> str:
        return f"<Feedback {self} by {self.rule.name}>"

    @property
    def tiles(self) -> str:
        """The feedback as coloured tiles."""
        return self.rule.tiles(self.code, self.length)

    @property
    def wins(self) -> bool:
        """Whether this is the feedback of the hidden word itself."""
        return self.code == self.rule.winning_code(self.length)


class Rule(ABC):
    """A rule, which turns a guess and an answer into a feedback code from 0 to `n_codes` - 1.

    A rule that implements the abstract methods works everywhere. To make it fast, override `codes`, with numpy or a
    native kernel. By default, `name` is the class's name in kebab case. Change `version` when codes change.
    """

    name: ClassVar[str]
    version: ClassVar[str] = "1"

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        if "name" not in cls.__dict__:
            cls.name = kebab_case(cls.__name__)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(type(self))  # attributes may be lists

    @abstractmethod
    def n_codes(self, length: int) -> int:
        """Return how many codes there are for words of this length."""

    @abstractmethod
    def code(self, guess: Word, answer: Word) -> int:
        """Return the code of the feedback on this guess if this answer is hidden."""

    @abstractmethod
    def winning_code(self, length: int) -> int:
        """Return the code of a right guess. Only the hidden word may get it."""

    @abstractmethod
    def show(self, code: int, length: int) -> str:
        """Return the code as characters that `read` understands."""

    def tiles(self, code: int, length: int) -> str:
        """Return the code in the form that people share, which `read` also understands."""
        return self.show(code, length)

    def legend(self, *, tiles: bool = True) -> str:
        """Return a sentence that tells players how to read feedback, or an empty text.

        The sentence explains the tiles, or the text of `show` if `tiles` is false.
        """
        return ""

    def read(self, text: str, length: int) -> int:
        """Return the code for a text in the form of `show` or `tiles`. Raises GameError if there is none."""
        text = text.strip()
        for code in range(self.n_codes(length)):
            if text in (self.show(code, length), self.tiles(code, length)):
                return code
        example = self.show(0, length)
        raise GameError(
            f"{text!r} is not feedback of the rule {self.name!r} for guesses of length {length}; "
            f"an example is {example!r}"
        )

    def codes(self, answers: SymbolIds, guesses: SymbolIds, alphabet: Alphabet) -> npt.NDArray[np.integer]:
        """Return the codes of all guesses against all answers, codes[n_answers, n_guesses].

        `answers` and `guesses` have one row per word and one column per place, with the indices of symbols in the
        alphabet. The default calls `code` for each pair.
        """
        words = alphabet.decode(guesses)
        return np.array([[self.code(guess, answer) for guess in words] for answer in alphabet.decode(answers)])

    def code_dtype(self, length: int) -> type[np.unsignedinteger]:
        """Return the smallest of uint8, uint16 and uint32 that holds every code."""
        return np.min_scalar_type(self.n_codes(length) - 1).type

    def hard_mode_problem(self, guess: Word, earlier: Word, code: int) -> str | None:
        """Return why hard mode forbids a guess after `earlier` got the feedback `code`, or None if it is allowed.

        By default, the guess must still be a possible answer, which works with every rule.
        """
        if self.code(earlier, guess) == code:
            return None
        return "it could not be the answer"


class MarksRule(Rule):
    """A rule that gives every symbol of the guess a mark, a digit from 0 to `len(tile_set)` - 1.

    The code is the number whose digits are the marks, beginning with the mark of the first symbol. A subclass
    implements `marks`. Mark 0 means absent, mark 1 means present elsewhere, and mark 2 means correct. A subclass with
    further marks overrides `needs` to say what they mean in hard mode.
    """

    tile_set: ClassVar[str] = "⬜🟨🟩"
    """The tiles of the marks, in the order of the marks. There are 3 to 10 of them."""

    mark_names: ClassVar[Sequence[str]] = ("absent", "present elsewhere", "correct")
    """The name of each mark, in the order of the marks. The last marks may have no name."""

    letters: ClassVar[str] = "BYG"
    """The letter with which each mark is typed: black, yellow and green. The last marks may have no letter."""

    counts_copies: ClassVar[bool] = True
    """Whether n found copies of a symbol mean that the answer has n copies, so that hard mode requires n copies."""

    @abstractmethod
    def marks(self, guess: Word, answer: Word) -> Sequence[int]:
        """Return the mark of each symbol of the guess."""

    @property
    def base(self) -> int:
        """The number of different marks."""
        return len(self.tile_set)

    def n_codes(self, length: int) -> int:
        """Return the number of sequences of marks."""
        return int(self.base**length)

    def code(self, guess: Word, answer: Word) -> int:
        """Return the marks read as one number."""
        return self._number(self.marks(guess, answer))

    def winning_code(self, length: int) -> int:
        """Return the code of a guess whose symbols are all correct."""
        return self._number([2] * length)

    def show(self, code: int, length: int) -> str:
        """Return the marks as digits."""
        return "".join(str(digit) for digit in self.digits(code, length))

    def tiles(self, code: int, length: int) -> str:
        """Return the marks as tiles."""
        return "".join(self.tile_set[digit] for digit in self.digits(code, length))

    def read(self, text: str, length: int) -> int:
        """Return the code of feedback written as digits, letters or tiles.

        Case is ignored. Dark and high-contrast tiles are read as the usual ones (⬛ as ⬜, 🟦 as present and 🟧 as
        correct), unless the rule itself uses them.
        Raises GameError for other text, and for text that does not have one mark per symbol.
        """
        marks = text.strip().replace("\N{VARIATION SELECTOR-16}", "")
        for symbols in ("0123456789"[: self.base], self.letters.lower(), self.tile_set):
            read = "".join(mark if mark in symbols else OTHER_TILES.get(mark, mark.lower()) for mark in marks)
            if len(read) == length and all(mark in symbols for mark in read):
                return self._number([symbols.index(mark) for mark in read])
        raise GameError(
            f"{text!r} is not feedback of the rule {self.name!r}: write {length} digits from 0 to {self.base - 1}, "
            f"letters of {self.letters} or tiles of {self.tile_set}"
        )

    def digits(self, code: int, length: int) -> list[int]:
        """Return the marks that a code stands for."""
        return [code // self.base**power % self.base for power in reversed(range(length))]

    def needs(self, symbol: str, mark: int) -> tuple[str, bool] | None:
        """Return the symbol that hard mode requires because of a mark, and whether it must be in the same place.

        Return None if the mark requires no symbol.
        """
        return (symbol, mark == 2) if mark in (1, 2) else None

    @property
    def hard_mode_follows_needs(self) -> bool:
        """Whether `needs` and `counts_copies` determine hard mode."""
        return type(self).hard_mode_problem is MarksRule.hard_mode_problem

    def hard_mode_problem(self, guess: Word, earlier: Word, code: int) -> str | None:
        """Return why hard mode forbids a guess, or None if it is allowed.

        Found symbols must be used again, and correct symbols must stay in their places.
        """
        placed, counts = self.obligations(earlier, code)
        for place, symbol in placed.items():
            if guess[place] != symbol:
                return f"place {place + 1} must be {symbol!r}"
        for symbol, count in counts.items():
            if guess.count(symbol) < count:
                return f"must use {symbol!r}" + (f" {count} times" if count > 1 else "")
        return None

    def obligations(self, earlier: Word, code: int) -> tuple[dict[int, str], dict[str, int]]:
        """Return what hard mode requires after a guess: the symbol at each settled place, and the count of each."""
        placed: dict[int, str] = {}
        found: Counter[str] = Counter()
        for place, (symbol, mark) in enumerate(zip(earlier, self.digits(code, len(earlier)), strict=True)):
            needed = self.needs(symbol, mark)
            if needed is not None:
                found[needed[0]] += 1
                if needed[1]:
                    placed[place] = needed[0]
        if self.counts_copies:
            return placed, found
        in_place = Counter(placed.values())
        return placed, {symbol: max(1, in_place[symbol]) for symbol in found}

    def _number(self, marks: Sequence[int]) -> int:
        number = 0
        for mark in marks:
            number = number * self.base + mark
        return number


def mark_labels(rule: Rule | None) -> list[str]:
    """Return the label of each mark: its name if the rule gives one, otherwise its number.

    For rules without marks, return an empty list.
    """
    if not isinstance(rule, MarksRule):
        return []
    return [*rule.mark_names[: rule.base], *(f"mark {mark}" for mark in range(len(rule.mark_names), rule.base))]
