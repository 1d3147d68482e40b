"""The promises of a rule, checked: every code is in the range, and only the hidden word gets the winning code.

If a rule breaks a promise, RuleError names the rule, the guess, the answer and the code.
"""

import contextlib
from collections.abc import Iterator
from typing import Any, ClassVar, NoReturn, Protocol

import numpy as np
import numpy.typing as npt

from wordle_kit.engine import shortage
from wordle_kit.errors import RuleError, WordleKitError
from wordle_kit.faults import place
from wordle_kit.game.words import Alphabet, SymbolIds, Word
from wordle_kit.names import shown
from wordle_kit.texts import raised

SAMPLE = 1000
"""The number of pairs whose codes are compared with those of `code`."""

AT_A_TIME = 2**18
"""The number of codes that are checked at a time, so that they stay in the cache."""

SIDE = 64
"""The number of answers that are guessed against one another at a time, to see whether each wins against itself."""

Matrix = npt.NDArray[Any]
"""Feedback codes, [n_answers, n_guesses]."""


class Promising(Protocol):
    """The part of a rule that is checked here."""

    name: ClassVar[str]

    def n_codes(self, length: int) -> int:
        """Return how many codes there are."""

    def winning_code(self, length: int) -> int:
        """Return the code of the hidden word itself."""

    def code(self, guess: Word, answer: Word) -> int:
        """Return the code of one pair."""

    def codes(self, answers: SymbolIds, guesses: SymbolIds, alphabet: Alphabet) -> Matrix:
        """Return the codes of all pairs."""

    def codes_row(self, answer: SymbolIds, guesses: SymbolIds, alphabet: Alphabet) -> Matrix:
        """Return the codes of all guesses against one answer."""

    def code_dtype(self, length: int) -> type[np.unsignedinteger]:
        """Return the type of codes."""


@contextlib.contextmanager
def blaming(rule: Promising, doing: str) -> Iterator[None]:
    """Raise RuleError for an exception of a rule while it was `doing` something. Let shortages of the machine pass."""
    try:
        yield
    except RuleError:
        raise
    except WordleKitError as error:
        raise RuleError(str(error)) from error
    except Exception as error:
        if shortage(error) is not None:
            raise
        where = place(error, [type(rule).__module__])
        at = f" ({where})" if where else ""
        raise RuleError(f"the rule {rule.name!r}: {doing} raised {raised(error)}{at}; correct the rule") from error


def check_numbers(rule: Promising, length: int) -> tuple[int, int]:
    """Return the number of codes of a rule, and its winning code. Raises RuleError if they are not possible."""
    with blaming(rule, f"n_codes({length})"):
        count = rule.n_codes(length)
    if not _is_whole(count) or count < 1:
        _fail(rule, f"n_codes({length}) is {shown(count)}; return how many codes there are, a whole number from 1 up")
    with blaming(rule, f"winning_code({length})"):
        winning = rule.winning_code(length)
    if not _is_whole(winning) or not 0 <= winning < count:
        _fail(rule, f"winning_code({length}) is {shown(winning)}; {_allowed(count, length)}")
    return int(count), int(winning)


def code_of(rule: Promising, guess: Word, answer: Word, alphabet: Alphabet) -> int:
    """Return the code of a pair by the rule's `code`. Raises RuleError if it is not one."""
    pair = _pair(alphabet.join(guess), alphabet.join(answer))
    with blaming(rule, f"code, for {pair},"):
        code = rule.code(guess, answer)
    count = rule.n_codes(len(answer))
    if not _is_whole(code):
        missing = " (missing `return`?)" if code is None else ""
        _fail(rule, f"{pair} gets {shown(code)}, not a whole number{missing}; {_allowed(count, len(answer))}")
    if not 0 <= code < count:
        _fail(rule, f"{pair} gets the code {code}; {_allowed(count, len(answer))}")
    return int(code)


def one_by_one(rule: Promising, answers: SymbolIds, guesses: SymbolIds, alphabet: Alphabet) -> Matrix:
    """Return the codes[n_answers, n_guesses] that `code` gives, pair by pair. Raises RuleError if one is not a code."""
    answer_words, guess_words = _words(answers, alphabet), _words(guesses, alphabet)
    count = rule.n_codes(answers.shape[1])
    out = np.empty((len(answers), len(guesses)), dtype=rule.code_dtype(answers.shape[1]))
    for row, answer in zip(out, answer_words, strict=True):
        codes: list[int] = []
        try:
            for guess in guess_words:
                codes.append(rule.code(guess, answer))
            found = np.array(codes)
        except Exception:
            found = np.array(None)
        if found.dtype.kind not in "iub" or (found.size and not 0 <= found.min() <= found.max() < count):
            found = np.array([code_of(rule, guess, answer, alphabet) for guess in guess_words])  # names what is wrong
        row[:] = found
    return out


def row_by_row(rule: Promising, answers: SymbolIds, guesses: SymbolIds, alphabet: Alphabet) -> Matrix:
    """Return the codes[n_answers, n_guesses] that `codes_row` gives. Raises RuleError if they are not codes."""
    count = rule.n_codes(answers.shape[1])
    out = np.empty((len(answers), len(guesses)), dtype=rule.code_dtype(answers.shape[1]))
    for row, answer in zip(out, answers, strict=True):
        word = alphabet.join(_words(answer[None], alphabet)[0])
        with blaming(rule, f"codes_row, for the answer {word!r},"):
            codes = rule.codes_row(answer, guesses, alphabet)
        _check_array(rule, "codes_row", codes, (len(guesses),))
        _check_range(rule, codes[None], answer[None], guesses, alphabet, count)
        row[:] = codes
    return out


def checked_codes(
    rule: Promising, answers: SymbolIds, guesses: SymbolIds, alphabet: Alphabet, *, complete: bool = False
) -> Matrix:
    """Return the codes of all pairs by the rule, codes[n_answers, n_guesses], in the type of its codes.

    Raises RuleError for a code outside the range, and for a pair of different words that wins. If the guesses are
    `complete`, which means that they include all answers, it also raises RuleError for an answer that does not win.
    """
    length = answers.shape[1]
    count, winning = check_numbers(rule, length)
    with blaming(rule, "codes"):
        codes = rule.codes(answers, guesses, alphabet)
    _check_array(rule, "codes", codes, (len(answers), len(guesses)))
    step = max(1, AT_A_TIME // max(1, len(guesses)))
    for start in range(0, len(answers), step):
        rows = slice(start, start + step)
        _check_range(rule, codes[rows], answers[rows], guesses, alphabet, count)
        _check_wins(rule, codes[rows], answers[rows], guesses, alphabet, winning, complete)
    return codes.astype(rule.code_dtype(length), copy=False)


def check_answers(rule: Promising, answers: SymbolIds, alphabet: Alphabet) -> None:
    """Raise RuleError if an answer does not win when it is guessed, or if `codes` and `code` differ in a sample.

    This is for games whose codes are never all there at once.
    """
    winning = rule.winning_code(answers.shape[1])
    step = SIDE if _is_fast(rule) else 1
    for start in range(0, len(answers), step):
        some = answers[start : start + step]
        codes = checked_codes(rule, some, _as_guesses(some), alphabet).diagonal()
        if (codes != winning).any():
            place = int((codes != winning).argmax())
            _fail_to_win(rule, alphabet.join(_words(some, alphabet)[place]), int(codes[place]), winning)


def check_sample(rule: Promising, codes: Matrix, answers: SymbolIds, guesses: SymbolIds, alphabet: Alphabet) -> None:
    """Raise RuleError if codes[n_answers, n_guesses] differ from those of the rule's `code` in a sample of the pairs.

    The sample has all pairs if there are few of them, and is the same in every process.
    """
    if not _is_fast(rule):
        return
    if codes.size <= SAMPLE:
        pairs = np.arange(codes.size)
    else:
        pairs = np.random.default_rng(codes.size).integers(0, codes.size, SAMPLE)
    rows, columns = np.divmod(pairs, codes.shape[1])
    answer_words, guess_words = _words(answers[rows], alphabet), _words(guesses[columns], alphabet)
    found = codes[rows, columns].tolist()
    for code, answer, guess in zip(found, answer_words, guess_words, strict=True):
        other = code_of(rule, guess, answer, alphabet)
        if other != code:
            pair = _pair(alphabet.join(guess), alphabet.join(answer))
            fast = "codes" if _is_own(type(rule).codes) else "codes_row"
            _fail(rule, f"{pair} gets the code {code} from {fast}, but {other} from code; make them agree")


def _check_array(rule: Promising, method: str, codes: object, shape: tuple[int, ...]) -> None:
    """Raise RuleError if what a method returned is not an array of whole numbers of this shape."""
    if isinstance(codes, np.ndarray) and codes.dtype.kind in "iu" and codes.shape == shape:
        return
    given = f"{codes.dtype}{[*codes.shape]}" if isinstance(codes, np.ndarray) else shown(codes)
    _fail(rule, f"{method} returned {given}; return a code for each guess, int{[*shape]}")


def _check_range(
    rule: Promising, codes: Matrix, answers: SymbolIds, guesses: SymbolIds, alphabet: Alphabet, count: int
) -> None:
    """Raise RuleError for the first code that is outside the range."""
    least = int(codes.min(initial=0)) if codes.dtype.kind == "i" else 0
    if least >= 0 and int(codes.max(initial=0)) < count:
        return
    row, column = np.argwhere((codes < 0) | (codes >= count))[0]
    pair = _pair_at(answers, guesses, row, column, alphabet)
    _fail(rule, f"{pair} gets the code {codes[row, column]}; {_allowed(count, answers.shape[1])}")


def _check_wins(
    rule: Promising,
    codes: Matrix,
    answers: SymbolIds,
    guesses: SymbolIds,
    alphabet: Alphabet,
    winning: int,
    complete: bool,
) -> None:
    """Raise RuleError if different words win, and, if every answer is among the guesses, if one does not win."""
    rows, columns = np.divmod(np.flatnonzero(codes == winning), codes.shape[1])
    same = (answers[rows] == guesses[columns]).all(axis=1)
    if not same.all():
        wrong = int((~same).argmax())
        pair = _pair_at(answers, guesses, rows[wrong], columns[wrong], alphabet)
        _fail(
            rule,
            f"{pair} gets the code {winning}, which is winning_code({answers.shape[1]}); only the answer itself may "
            "win, so give other guesses another code",
        )
    if complete and len(rows) < len(answers):
        row = int(np.setdiff1d(np.arange(len(answers)), rows)[0])
        column = int((guesses == answers[row]).all(axis=1).argmax())
        _fail_to_win(rule, alphabet.join(_words(answers[row, None], alphabet)[0]), int(codes[row, column]), winning)


def _fail_to_win(rule: Promising, word: str, code: int, winning: int) -> NoReturn:
    _fail(rule, f"{_pair(word, word)} gets the code {code}, but the winning code is {winning}; make the two the same")


def _fail(rule: Promising, problem: str) -> NoReturn:
    raise RuleError(f"the rule {rule.name!r}: {problem}")


def _allowed(count: int, length: int) -> str:
    return f"codes go from 0 to {count - 1}, since n_codes({length}) is {count}; correct one of them"


def _pair(guess: str, answer: str) -> str:
    return f"the guess {guess!r} against the answer {answer!r}"


def _pair_at(answers: SymbolIds, guesses: SymbolIds, row: int, column: int, alphabet: Alphabet) -> str:
    (answer,), (guess,) = _words(answers[row, None], alphabet), _words(guesses[column, None], alphabet)
    return _pair(alphabet.join(guess), alphabet.join(answer))


def _words(symbols: SymbolIds, alphabet: Alphabet) -> list[Word]:
    return [tuple(alphabet.symbols[each] for each in row) for row in symbols.tolist()]


def _as_guesses(words: SymbolIds) -> SymbolIds:
    """Return words as a game stores its guesses, place by place and read-only: kernels are compiled for such arrays."""
    stored = words.copy(order="F")
    stored.flags.writeable = False
    return stored


def _is_fast(rule: Promising) -> bool:
    """Return whether codes of many pairs are computed in another way than by `code`, pair by pair."""
    return _is_own(type(rule).codes) or _is_own(type(rule).codes_row)


def _is_own(method: object) -> bool:
    return getattr(method, "__module__", None) != "wordle_kit.game.rules"


def _is_whole(value: object) -> bool:
    return isinstance(value, int | np.integer)
