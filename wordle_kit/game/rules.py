"""Rules: the feedback on a guess, as a code, as digits and as tiles.

A rule makes two promises: every code is in the range, and only the hidden word gets the winning code. Both are checked
before any code is used. If a rule breaks a promise, RuleError names the rule, the guess, the answer and the code.
"""

import contextlib
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from wordle_kit.errors import GameError, MachineError, RuleError, shortage
from wordle_kit.faults import blamed_line
from wordle_kit.game.words import Alphabet, SymbolIds, Word, frozen
from wordle_kit.texts import kebab_case, raised, shown

Codes = npt.NDArray[np.unsignedinteger]
"""Feedback codes, in the smallest unsigned integer type that holds all codes of the rule."""

WHOLE = (int, np.integer)

MAX_CODES = 2**24
"""The most different codes that a rule may have. Counting the parts of more codes would take too much memory."""

SAMPLED_PAIRS = 1000
"""The number of pairs for which fast codes are compared with the codes of `Rule.code`."""

CHECKED_AT_A_TIME = 2**18
"""The number of codes that are checked at a time, so that they stay in the cache."""

OTHER_TILES = {"⬛": "⬜", "🟦": "🟨", "🟧": "🟩"}
"""Tiles of dark and high-contrast themes, each with the usual tile that it stands for."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """What the player sees after a guess.

    `str()` returns it as characters, for Wordle one digit per symbol: 0 absent, 1 present, 2 correct. `tiles` is the
    form that people share. Two feedbacks are equal if they have the same rule, length and code.
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

    A rule that implements the abstract methods works everywhere. To make it fast, also implement `codes_row` in numpy
    or `codes` as a native kernel. `name` is the class's name in kebab case, unless the class sets another. Change
    `version` when codes change.
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
        """Return the code in the form that people share. `read` understands it too."""
        return self.show(code, length)

    def legend(self, *, tiles: bool = True) -> str:
        """Return a sentence that tells players how to read feedback, or an empty text.

        The sentence explains the tiles, or the text of `show` if `tiles` is false.
        """
        return ""

    def read(self, text: str, length: int) -> int:
        """Return the code that `show` or `tiles` writes as this text. Raises GameError if there is none."""
        text = text.strip()
        for code in range(self.n_codes(length)):
            if text in (self.show(code, length), self.tiles(code, length)):
                return code
        example = self.show(0, length)
        raise GameError(
            f"{text!r} is not feedback of the rule {self.name!r} for guesses of length {length}; "
            f"an example is {example!r}"
        )

    def codes(self, answers: SymbolIds, guesses: SymbolIds, alphabet: Alphabet) -> Codes:
        """Return the codes of all guesses against all answers, codes[n_answers, n_guesses].

        `answers` and `guesses` have one row per word and one column per place. The default calls `codes_row` for each
        answer if the rule overrides it, otherwise `code` for each pair.
        """
        out = np.empty((len(answers), len(guesses)), dtype=self.code_dtype(answers.shape[1]))
        by_pair = type(self).codes_row is Rule.codes_row
        words = _words(guesses, alphabet) if by_pair else []
        for number, answer in enumerate(answers):
            row = self._row(answer, words, alphabet) if by_pair else self.codes_row(answer, guesses, alphabet)
            out[number] = _in_range(self, np.asarray(row)[None], answer[None], guesses, alphabet)[0]
        return out

    def codes_row(self, answer: SymbolIds, guesses: SymbolIds, alphabet: Alphabet) -> npt.NDArray[np.integer]:
        """Return the codes of all guesses against one answer, codes[n_guesses].

        `answer` is [length]: the index in the alphabet of each of its symbols. `guesses` has one such row per word. The
        default calls `code` for each guess. Override it in numpy to make a rule faster.
        """
        return np.array(self._row(answer, _words(guesses, alphabet), alphabet))

    def _row(self, answer: SymbolIds, guesses: Sequence[Word], alphabet: Alphabet) -> list[int]:
        (hidden,) = _words(answer[None], alphabet)
        return [self.code(guess, hidden) for guess in guesses]

    def code_dtype(self, length: int) -> type[np.unsignedinteger]:
        """Return the smallest of uint8, uint16 and uint32 that holds every code."""
        return np.min_scalar_type(self.n_codes(length) - 1).type

    def hard_mode_problem(self, guess: Word, earlier: Word, code: int) -> str | None:
        """Return why hard mode forbids a guess after `earlier` got the feedback `code`, or None if it is allowed.

        By default, the guess must still be a possible answer. This can be checked under every rule.
        """
        if self.code(earlier, guess) == code:
            return None
        return "it could not be the answer"

    def hard_mode_mask(self, guesses: SymbolIds, earlier: Word, code: int, alphabet: Alphabet) -> npt.NDArray[np.bool_]:
        """Return which guesses hard mode allows after the guess `earlier` got the feedback `code`, bool[n_guesses].

        If a rule overrides `hard_mode_problem`, that method is called for each guess. Overriding this method instead is
        faster.
        """
        if type(self).hard_mode_problem is not Rule.hard_mode_problem:
            return self._allowed(guesses, earlier, code, alphabet)
        allowed: npt.NDArray[np.bool_] = self.codes(guesses, alphabet.encode([earlier]), alphabet)[:, 0] == code
        return allowed

    def _allowed(self, guesses: SymbolIds, earlier: Word, code: int, alphabet: Alphabet) -> npt.NDArray[np.bool_]:
        words = _words(guesses, alphabet)
        return np.array([self.hard_mode_problem(word, earlier, code) is None for word in words], dtype=np.bool_)


class MarksRule(Rule):
    """A rule that gives every symbol of the guess a mark, a digit from 0 to `len(tile_set)` - 1.

    The code is the number whose digits are the marks, beginning with the mark of the first symbol. A subclass
    implements `marks`. Mark 0 means absent, 1 present elsewhere, 2 correct. If a subclass has further marks, it
    overrides `needs` to say what they mean in hard mode.
    """

    tile_set: ClassVar[str] = "⬜🟨🟩"
    """The tile of each mark, in the order of the marks."""

    mark_names: ClassVar[Sequence[str]] = ("absent", "present elsewhere", "correct")
    """The meaning of each mark, in the order of the marks. Marks at the end may have none."""

    letters: ClassVar[str] = "BYG"
    """The letter of each mark, for typing feedback: black, yellow and green. Marks at the end may have none."""

    counts_copies: ClassVar[bool] = True
    """Whether n found copies of a symbol mean that the answer has n copies. If so, hard mode requires n copies."""

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        if not 3 <= len(cls.tile_set) <= 10:
            raise TypeError(
                f"{cls.__name__}.tile_set has {len(cls.tile_set)} tiles; marks are digits from 0 to 2 or more"
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
        """Return the code of a guess whose symbols are all correct."""
        return self._number([2] * length)

    def show(self, code: int, length: int) -> str:
        """Return the marks as digits."""
        return "".join(str(digit) for digit in self.digits(code, length))

    def tiles(self, code: int, length: int) -> str:
        """Return the marks as tiles."""
        return "".join(self.tile_set[digit] for digit in self.digits(code, length))

    def read(self, text: str, length: int) -> int:
        """Return the code of feedback that is written as digits, letters or tiles.

        Capitals and small letters mean the same. Dark and high-contrast tiles are read as the usual ones: ⬛ as ⬜, 🟦
        as present and 🟧 as correct. If the rule itself uses one of these tiles, the tile has the rule's meaning.
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
        """Return the symbol that hard mode must use because of a mark, and whether in this place.

        None if there is none.
        """
        return (symbol, mark == 2) if mark in (1, 2) else None

    @property
    def hard_mode_follows_needs(self) -> bool:
        """Whether `needs` and `counts_copies` determine hard mode: the rule overrides no method that uses them."""
        applied = ("hard_mode_problem", "hard_mode_mask", "obligations", "digits")
        return all(getattr(type(self), name) is getattr(MarksRule, name) for name in applied)

    def hard_mode_problem(self, guess: Word, earlier: Word, code: int) -> str | None:
        """Return why hard mode forbids a guess, or None. Found symbols must be used, correct ones in their place."""
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
            return self._allowed(guesses, earlier, code, alphabet)
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
        """Return what hard mode requires after a guess: the symbol of each settled place, and how many of each."""
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


@contextlib.contextmanager
def blaming(rule: Rule, doing: str) -> Iterator[None]:
    """Turn an exception of a rule into a RuleError that says what the rule was `doing`.

    Exceptions that say that the machine is short of something, such as memory, are not changed.
    """
    try:
        yield
    except (RuleError, MachineError):
        raise
    except Exception as error:
        if shortage(error):
            raise
        where = blamed_line(error, [type(rule).__module__])
        at = f" ({where})" if where else ""
        raise _broken(rule, f"{doing} raised {raised(error)}{at}; correct the rule") from error


def check_numbers(rule: Rule, length: int) -> int:
    """Return the number of codes of a rule for words of this length.

    Raises RuleError unless it is a whole number from 1 to MAX_CODES, and the winning code is one of the codes.
    """
    with blaming(rule, f"n_codes({length})"):
        count = rule.n_codes(length)
    if not isinstance(count, WHOLE) or count < 1:
        raise _broken(rule, f"n_codes({length}) is {shown(count)}; return how many codes there are")
    if count > MAX_CODES:
        raise _broken(rule, f"has {count:,} codes for words of {length} symbols, at most {MAX_CODES:,} can be counted")
    with blaming(rule, f"winning_code({length})"):
        winning = rule.winning_code(length)
    if not isinstance(winning, WHOLE) or not 0 <= winning < count:
        raise _broken(rule, f"winning_code({length}) is {shown(winning)}; codes go from 0 to {count - 1}")
    return int(count)


def code_of(rule: Rule, guess: Word, answer: Word, alphabet: Alphabet) -> int:
    """Return the code that the rule's `code` gives a pair. Raises RuleError if the value is not a code."""
    with blaming(rule, f"code, for {_pair(guess, answer, alphabet)},"):
        code = rule.code(guess, answer)
    if not isinstance(code, WHOLE) or not 0 <= code < rule.n_codes(len(answer)):
        raise _wrong_code(rule, code, guess, answer, alphabet)
    return int(code)


def checked_codes(
    rule: Rule, answers: SymbolIds, guesses: SymbolIds, alphabet: Alphabet, *, complete: bool = False
) -> Codes:
    """Return the codes that a rule gives all pairs, codes[n_answers, n_guesses], in the smallest type that holds them.

    Raises RuleError for a code outside the range, and for a pair of different words that wins. `complete` says that the
    guesses include all answers. Then it also raises RuleError for an answer that does not win.
    """
    length = answers.shape[1]
    with blaming(rule, "codes"):
        codes = _in_range(rule, np.asarray(rule.codes(answers, guesses, alphabet)), answers, guesses, alphabet)
    step = max(1, CHECKED_AT_A_TIME // max(1, len(guesses)))
    for start in range(0, len(answers), step):
        hidden = answers[start : start + step]
        rows, columns = np.divmod(
            np.flatnonzero(codes[start : start + step] == rule.winning_code(length)), len(guesses)
        )
        wrong = (hidden[rows] != guesses[columns]).any(axis=1)
        pairs = [*zip(rows[wrong], columns[wrong], strict=True)]
        if complete and len(rows) < len(hidden):
            row = np.setdiff1d(np.arange(len(hidden)), rows)[0]
            pairs.append((row, (guesses == hidden[row]).all(axis=1).argmax()))
        for row, column in pairs:
            guess, answer = _words(guesses[[column]], alphabet)[0], _words(hidden[[row]], alphabet)[0]
            raise _wrong_code(rule, codes[start + row, column], guess, answer, alphabet)
    return np.ascontiguousarray(codes, rule.code_dtype(length))


def _in_range(
    rule: Rule, codes: npt.NDArray[np.integer], answers: SymbolIds, guesses: SymbolIds, alphabet: Alphabet
) -> npt.NDArray[np.integer]:
    """Return codes[n_answers, n_guesses]. Raises RuleError unless all are whole numbers in the range."""
    count, shape = rule.n_codes(answers.shape[1]), (len(answers), len(guesses))
    if codes.shape != shape or (codes.size and codes.dtype.kind not in "biu"):
        raise _broken(rule, f"codes are {codes.dtype}{[*codes.shape]}; return whole numbers, int{[*shape]}")
    if codes.size and (codes.max() >= count or codes.min() < 0):
        row, column = np.argwhere((codes < 0) | (codes >= count))[0]
        guess, answer = _words(guesses[[column]], alphabet)[0], _words(answers[[row]], alphabet)[0]
        raise _wrong_code(rule, codes[row, column], guess, answer, alphabet)
    return codes


def check_answers(rule: Rule, answers: SymbolIds, alphabet: Alphabet) -> None:
    """Raise RuleError if an answer does not win when it is guessed.

    It is used for games whose feedback table does not fit in memory.
    """
    step = 64 if is_fast(rule) else 1
    for start in range(0, len(answers), step):
        some = answers[start : start + step]
        guesses = frozen(some.copy(order="F"))  # as in a game, since kernels are compiled for such arrays
        checked_codes(rule, some, guesses, alphabet, complete=True)


def check_sample(rule: Rule, codes: Codes, answers: SymbolIds, guesses: SymbolIds, alphabet: Alphabet) -> None:
    """Raise RuleError if codes[n_answers, n_guesses] differ from those of `Rule.code` in a sample of the pairs.

    If there are few pairs, all are compared. The sample is the same in every process.
    """
    if not is_fast(rule):
        return
    if codes.size <= SAMPLED_PAIRS:
        pairs = np.arange(codes.size)
    else:
        pairs = np.random.default_rng(codes.size).integers(0, codes.size, SAMPLED_PAIRS)
    rows, columns = np.divmod(pairs, codes.shape[1])
    words = zip(_words(answers[rows], alphabet), _words(guesses[columns], alphabet), strict=True)
    for code, (answer, guess) in zip(codes[rows, columns].tolist(), words, strict=True):
        other = code_of(rule, guess, answer, alphabet)
        if other != code:
            fast = "codes" if type(rule).codes is not Rule.codes else "codes_row"
            pair = _pair(guess, answer, alphabet)
            raise _broken(rule, f"{pair} gets the code {code} from {fast}, but {other} from code; make them agree")


def hard_mode_problem(rule: Rule, guess: Word, earlier: Word, code: int, alphabet: Alphabet) -> str | None:
    """Return why hard mode forbids a guess after `earlier` got the feedback `code`, or None if it is allowed.

    Raises RuleError if the rule fails, or forbids a guess that may be the hidden word.
    """
    with blaming(rule, "hard_mode_problem"):
        problem = rule.hard_mode_problem(guess, earlier, code)
    if problem is not None and code_of(rule, earlier, guess, alphabet) == code:
        seen = rule.show(code, len(earlier))
        own = "needs, or set counts_copies = False" if isinstance(rule, MarksRule) else "hard_mode_problem"
        raise _broken(
            rule,
            f"hard mode forbids {alphabet.join(guess)!r} after {alphabet.join(earlier)!r} got {seen} ({problem}), "
            f"although it may be the hidden word; write {own}",
        )
    return problem


def is_fast(rule: Rule) -> bool:
    """Return whether the rule computes the codes of many pairs faster than pair by pair with `code`."""
    return type(rule).codes is not Rule.codes or type(rule).codes_row is not Rule.codes_row


def _wrong_code(rule: Rule, code: object, guess: Word, answer: Word, alphabet: Alphabet) -> RuleError:
    """Return the error for a code outside the range, or one that wins for another word or does not for the answer."""
    length = len(answer)
    missing = " (missing `return`?)" if code is None else ""
    return _broken(
        rule,
        f"{_pair(guess, answer, alphabet)} gets the code {code}{missing}; codes go from 0 to "
        f"{rule.n_codes(length) - 1} (n_codes), and only the answer itself gets {rule.winning_code(length)} "
        "(winning_code)",
    )


def _broken(rule: Rule, problem: str) -> RuleError:
    return RuleError(f"the rule {rule.name!r}: {problem}")


def _pair(guess: Word, answer: Word, alphabet: Alphabet) -> str:
    return f"the guess {alphabet.join(guess)!r} against the answer {alphabet.join(answer)!r}"


def _words(symbols: SymbolIds, alphabet: Alphabet) -> list[Word]:
    return [tuple(alphabet.symbols[each] for each in row) for row in symbols.tolist()]


def mark_names(rule: Rule | None) -> list[str]:
    """Return the name of each mark: its meaning if the rule has one, otherwise its number.

    For other rules, return none.
    """
    if not isinstance(rule, MarksRule):
        return []
    return [*rule.mark_names[: rule.base], *(f"mark {mark}" for mark in range(len(rule.mark_names), rule.base))]
