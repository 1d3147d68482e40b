"""Rules: the feedback on a guess, as a code, as digits and as tiles."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from wordle_kit.errors import GameError
from wordle_kit.game.items import Items
from wordle_kit.game.promises import one_by_one, row_by_row
from wordle_kit.game.words import Alphabet, SymbolIds, Word
from wordle_kit.names import kebab_case

Codes = npt.NDArray[np.uint8] | npt.NDArray[np.uint16] | npt.NDArray[np.uint32]
"""Feedback codes, in the smallest unsigned type that holds all codes of the rule."""

MAX_CODES = 2**24
"""The most kinds of feedback. Counting the parts of more would take too much memory."""

OTHER_TILES = {"⬛": "⬜", "🟦": "🟨", "🟧": "🟩"}
"""Tiles of dark and of high-contrast themes, and the usual ones."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """What the player sees after a guess.

    `str()` gives it in characters (for Wordle one digit per symbol: 0 absent, 1 present, 2 correct), `tiles` as
    people share it. Two feedbacks are equal if they have the same rule, length and code.
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
    """Turns a guess and an answer into a feedback code, a number from 0 to `n_codes` - 1.

    A rule that implements the abstract methods works everywhere. One that also implements `codes_row` in numpy, or
    `codes` as a native kernel, is fast. `name` is the class's name in kebab case unless the class says otherwise;
    `version` changes when codes change.
    """

    name: ClassVar[str]
    version: ClassVar[str] = "1"
    items: Items | None = None
    """The items that the rule compares, if the game is about items."""

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        if "name" not in cls.__dict__:
            cls.name = kebab_case(cls.__name__)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((type(self), tuple(sorted(vars(self).items()))))

    def with_items(self, items: Items) -> "Rule":
        """Return the rule for a game that is about items. Raises GameError: most rules compare words."""
        raise GameError(
            f"the rule {self.name!r} does not compare items; leave out items, or take the rule 'attributes'"
        )

    @abstractmethod
    def n_codes(self, length: int) -> int:
        """Return how many codes there are for words of this length."""

    @abstractmethod
    def code(self, guess: Word, answer: Word) -> int:
        """Return the code of the feedback on this guess if this answer is hidden."""

    @abstractmethod
    def winning_code(self, length: int) -> int:
        """Return the code that a guess gets if and only if it is the hidden word."""

    @abstractmethod
    def show(self, code: int, length: int) -> str:
        """Return the code in characters; `read` understands them."""

    def tiles(self, code: int, length: int) -> str:
        """Return the code in the form that people share; `read` understands it too."""
        return self.show(code, length)

    def legend(self, *, tiles: bool = True) -> str:
        """Return a sentence for players on how to read feedback, or an empty text.

        It is about `tiles`, or about the text of `show` if `tiles` is false.
        """
        return ""

    def read(self, text: str, length: int) -> int:
        """Return the code that `show` or `tiles` gives as this text. Raises GameError if there is none."""
        text = text.strip()
        for code in range(self.n_codes(length)):
            if text in (self.show(code, length), self.tiles(code, length)):
                return code
        example = self.show(0, length)
        raise GameError(
            f"{text!r} is not feedback of the rule {self.name!r} for {length} symbols; an example is {example!r}"
        )

    def codes(self, answers: SymbolIds, guesses: SymbolIds, alphabet: Alphabet) -> Codes:
        """Return the codes of all guesses against all answers, codes[n_answers, n_guesses].

        `answers` and `guesses` have one row per word and one column per place. The default calls `codes_row` for each
        answer if the rule has one of its own, otherwise `code` for each pair.
        """
        compute = one_by_one if type(self).codes_row is Rule.codes_row else row_by_row
        return compute(self, answers, guesses, alphabet)

    def codes_row(self, answer: SymbolIds, guesses: SymbolIds, alphabet: Alphabet) -> npt.NDArray[np.integer]:
        """Return the codes of all guesses against one answer, codes[n_guesses].

        `answer` has the number of each of its symbols in the alphabet, [length], and `guesses` one row per word. The
        default calls `code` for each guess; a rule that does the same in numpy is faster.
        """
        row: npt.NDArray[np.integer] = one_by_one(self, answer[None], guesses, alphabet)[0]
        return row

    def code_dtype(self, length: int) -> type[np.unsignedinteger]:
        """Return the smallest of uint8, uint16 and uint32 that holds every code."""
        top = self.n_codes(length) - 1
        return np.uint8 if top < 2**8 else np.uint16 if top < 2**16 else np.uint32

    def hard_mode_problem(self, guess: Word, earlier: Word, code: int) -> str | None:
        """Return why hard mode forbids a guess after an earlier guess was answered with a code, or None.

        By default, the guess must still be a possible answer, which can be checked under every rule.
        """
        if self.code(earlier, guess) == code:
            return None
        return "it could not be the answer"

    def hard_mode_mask(self, guesses: SymbolIds, earlier: Word, code: int, alphabet: Alphabet) -> npt.NDArray[np.bool_]:
        """Return which guesses hard mode allows after an earlier guess was answered with a code, bool[n_guesses].

        A rule with a `hard_mode_problem` of its own is asked for each guess. A subclass may do the same in numpy.
        """
        if type(self).hard_mode_problem is not Rule.hard_mode_problem:
            return self._allowed_one_by_one(guesses, earlier, code, alphabet)
        allowed: npt.NDArray[np.bool_] = self.codes(guesses, alphabet.encode([earlier]), alphabet)[:, 0] == code
        return allowed

    def _allowed_one_by_one(
        self, guesses: SymbolIds, earlier: Word, code: int, alphabet: Alphabet
    ) -> npt.NDArray[np.bool_]:
        words = (tuple(alphabet.symbols[symbol] for symbol in guess) for guess in guesses.tolist())
        return np.array([self.hard_mode_problem(word, earlier, code) is None for word in words], dtype=np.bool_)


class MarksRule(Rule):
    """A rule that gives every symbol of the guess a mark, a digit from 0 to `len(tile_set)` - 1.

    The code is the number whose digits are the marks, the first symbol's first. A subclass implements `marks`. Mark
    0 is absent, 1 present elsewhere, 2 correct; a subclass overrides `needs` to say what further marks mean in hard
    mode.
    """

    tile_set: ClassVar[str] = "⬜🟨🟩"
    """The tile of each mark, in the order of the marks."""

    mark_names: ClassVar[Sequence[str]] = ("absent", "present elsewhere", "correct")
    """The meaning of each mark, in the order of the marks. Later marks may have none."""

    letters: ClassVar[str] = "BYG"
    """The letter of each mark, for people who type feedback: black, yellow and green. Later marks may have none."""

    counts_copies: ClassVar[bool] = True
    """Whether n found copies of a symbol mean that the answer has n of them; hard mode then asks for n copies."""

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        if not 3 <= len(cls.tile_set) <= 10:
            raise TypeError(
                f"{cls.__name__}.tile_set has {len(cls.tile_set)} tiles; marks are digits from 0 to 2 or more"
            )
        if len(set(cls.letters.upper())) < len(cls.letters) or len(cls.letters) > len(cls.tile_set):
            raise TypeError(
                f"{cls.__name__}.letters is {cls.letters!r}; give each mark at most one letter, all different"
            )

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
        """Return the code of all correct."""
        return self._number([2] * length)

    def show(self, code: int, length: int) -> str:
        """Return the marks as digits."""
        return "".join(str(digit) for digit in self.digits(code, length))

    def tiles(self, code: int, length: int) -> str:
        """Return the marks as tiles."""
        return "".join(self.tile_set[digit] for digit in self.digits(code, length))

    def read(self, text: str, length: int) -> int:
        """Return the code of digits, letters or tiles.

        Capitals and small letters are the same, ⬛ is read as ⬜, and the colours of high contrast, 🟦 and 🟧, as
        present and correct, unless the rule has tiles of its own that look like these. Raises GameError if the text
        is none of these, or does not have one mark per symbol.
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
        """Return the symbol that hard mode must use because of a mark, and whether in this place; None for nothing."""
        return (symbol, mark == 2) if mark in (1, 2) else None

    def needs_table(self, alphabet: Alphabet) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
        """Return what `needs` gives for every symbol and mark: the symbol's number or -1, and whether in this place.

        Both arrays are [n_symbols, base]. A symbol outside the alphabet gets a number that no symbol has.
        """
        n = len(alphabet.symbols)
        needed, in_place = np.full((n, self.base), -1, dtype=np.int64), np.zeros((n, self.base), dtype=np.bool_)
        for i, symbol in enumerate(alphabet.symbols):
            for mark in range(self.base):
                need = self.needs(symbol, mark)
                if need is not None:
                    needed[i, mark], in_place[i, mark] = alphabet.index.get(need[0], n), need[1]
        return needed, in_place

    @property
    def hard_mode_follows_needs(self) -> bool:
        """Whether `needs` and `counts_copies` determine hard mode: the rule overrides no method that applies them."""
        applied = ("hard_mode_problem", "hard_mode_mask", "obligations", "digits")
        return all(getattr(type(self), name) is getattr(MarksRule, name) for name in applied)

    def hard_mode_problem(self, guess: Word, earlier: Word, code: int) -> str | None:
        """Return why hard mode forbids the guess, or None: found symbols must be used, correct ones in place."""
        placed, counts = self.obligations(earlier, code)
        for place, symbol in placed.items():
            if guess[place] != symbol:
                return f"place {place + 1} must be {symbol!r}"
        for symbol, count in counts.items():
            if guess.count(symbol) < count:
                return f"must use {symbol!r}" + (f" {count} times" if count > 1 else "")
        return None

    def hard_mode_mask(self, guesses: SymbolIds, earlier: Word, code: int, alphabet: Alphabet) -> npt.NDArray[np.bool_]:
        """Return which guesses hard mode allows after an earlier guess got a code, bool[n_guesses]."""
        if type(self).hard_mode_problem is not MarksRule.hard_mode_problem:
            return self._allowed_one_by_one(guesses, earlier, code, alphabet)
        placed, counts = self.obligations(earlier, code)
        if not counts.keys() <= alphabet.index.keys():
            return np.zeros(len(guesses), dtype=np.bool_)
        allowed = np.ones(len(guesses), dtype=np.bool_)
        for place, symbol in placed.items():
            allowed &= guesses[:, place] == alphabet.index[symbol]
        for symbol, count in counts.items():
            found = np.zeros(len(guesses), dtype=np.uint8)
            for place in range(guesses.shape[1]):
                found += guesses[:, place] == alphabet.index[symbol]
            allowed &= found >= count
        return allowed

    def obligations(self, earlier: Word, code: int) -> tuple[dict[int, str], dict[str, int]]:
        """Return what hard mode asks for after a guess: the symbol of each settled place, and how many of each."""
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
        number, base = 0, self.base
        for mark in marks:
            number = number * base + mark
        return number
