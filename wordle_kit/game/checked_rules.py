"""How the engine calls rules: each call checks that the rule keeps its promises.

If it breaks one, RuleError names the rule, the guess, the answer and the code.
"""

import contextlib
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from wordle_kit.errors import MachineError, RuleError, shortage
from wordle_kit.faults import error_line
from wordle_kit.game.rules import Codes, MarksRule, Rule
from wordle_kit.game.words import Alphabet, SymbolIds, Word
from wordle_kit.texts import short_repr

WHOLE = (int, np.integer)

MAX_CODES = 2**24
"""The most codes that a rule may have. With more, counting parts would take too much memory."""

SAMPLED_PAIRS = 1000
"""The number of pairs for which fast codes are compared with the codes of `Rule.code`."""


@contextlib.contextmanager
def blaming(rule: Rule, doing: str) -> Iterator[None]:
    """Turn an exception of a rule into a RuleError that says what the rule was `doing`.

    Exceptions that report a shortage on the machine, for example of memory, are passed on unchanged.
    """
    try:
        yield
    except (RuleError, MachineError):
        raise
    except Exception as error:
        if shortage(error):
            raise
        raise _broken(rule, f"{doing} raised {error_line(error, type(rule).__module__)}; correct the rule") from error


def check_numbers(rule: Rule, length: int) -> None:
    """Raise RuleError unless a rule has from 1 to MAX_CODES codes for words of this length, and one of them wins."""
    with blaming(rule, "n_codes or winning_code"):
        count, winning = rule.n_codes(length), rule.winning_code(length)
    if not isinstance(count, WHOLE) or not 1 <= count <= MAX_CODES:
        raise _broken(rule, f"n_codes({length}) is {short_repr(count)}; return a number from 1 to {MAX_CODES:,}")
    if not isinstance(winning, WHOLE) or not 0 <= winning < count:
        raise _broken(rule, f"winning_code({length}) is {short_repr(winning)}; codes go from 0 to {count - 1}")


def code_of(rule: Rule, guess: Word, answer: Word, alphabet: Alphabet) -> int:
    """Return the code that the rule's `code` returns for a pair. Raises RuleError if it is not valid."""
    with blaming(rule, f"code, for {_pair(guess, answer, alphabet)},"):
        code = rule.code(guess, answer)
    if not isinstance(code, WHOLE) or not 0 <= code < rule.n_codes(len(answer)):
        raise _wrong_code(rule, code, guess, answer, alphabet)
    return int(code)


def checked_codes(
    rule: Rule, answers: SymbolIds, guesses: SymbolIds, alphabet: Alphabet, *, complete: bool = False
) -> Codes:
    """Return a rule's codes for all pairs, codes[n_answers, n_guesses], in the smallest type that holds them.

    Raises RuleError for a code outside the range, and for a pair of different words that wins. With `complete`, the
    guesses must include all answers, and RuleError is also raised for an answer that does not win.
    """
    length, shape = answers.shape[1], (len(answers), len(guesses))
    with blaming(rule, "codes"):
        codes = np.asarray(rule.codes(answers, guesses, alphabet))
    if codes.shape != shape or (codes.size and codes.dtype.kind not in "biu"):
        raise _broken(rule, f"codes are {codes.dtype}{[*codes.shape]}; return whole numbers, int{[*shape]}")

    def wrong(row: np.intp, column: np.intp) -> RuleError:
        (guess,), (answer,) = alphabet.decode(guesses[[column]]), alphabet.decode(answers[[row]])
        return _wrong_code(rule, codes[row, column], guess, answer, alphabet)

    count = rule.n_codes(length)
    if codes.size and (codes.max() >= count or codes.min() < 0):
        raise wrong(*np.argwhere((codes < 0) | (codes >= count))[0])
    rows, columns = np.divmod(np.flatnonzero(codes == rule.winning_code(length)), max(1, len(guesses)))
    others = (answers[rows] != guesses[columns]).any(axis=1)
    if others.any():
        raise wrong(rows[others][0], columns[others][0])
    if complete and len(rows) < len(answers):
        lost = np.setdiff1d(np.arange(len(answers)), rows)[0]
        raise wrong(lost, (guesses == answers[lost]).all(axis=1).argmax())
    return np.ascontiguousarray(codes, rule.code_dtype(length))


def check_sample(rule: Rule, codes: Codes, answers: SymbolIds, guesses: SymbolIds, alphabet: Alphabet) -> None:
    """Raise RuleError if codes[n_answers, n_guesses] differ from `Rule.code` in a sample of the pairs.

    The sample is the same in every process.
    """
    if type(rule).codes is Rule.codes:
        return  # since these codes come from `code`
    pairs = np.random.default_rng(codes.size).integers(0, codes.size, SAMPLED_PAIRS)
    rows, columns = np.divmod(pairs, codes.shape[1])
    words = zip(alphabet.decode(answers[rows]), alphabet.decode(guesses[columns]), strict=True)
    for code, (answer, guess) in zip(codes[rows, columns].tolist(), words, strict=True):
        other = code_of(rule, guess, answer, alphabet)
        if other != code:
            pair = _pair(guess, answer, alphabet)
            raise _broken(rule, f"{pair} gets the code {code} from codes, but {other} from code; make them agree")


def hard_mode_problem(rule: Rule, guess: Word, earlier: Word, code: int, alphabet: Alphabet) -> str | None:
    """Return why hard mode forbids a guess after `earlier` got the feedback `code`, or None if it is allowed.

    Raises RuleError if the rule fails, or forbids a guess that may be the hidden word.
    """
    with blaming(rule, "hard_mode_problem"):
        problem = rule.hard_mode_problem(guess, earlier, code)
    if problem is not None and code_of(rule, earlier, guess, alphabet) == code:
        own = "needs, or set counts_copies = False" if isinstance(rule, MarksRule) else "hard_mode_problem"
        raise _broken(
            rule,
            f"hard mode forbids {alphabet.join(guess)!r} after {alphabet.join(earlier)!r} got "
            f"{rule.show(code, len(earlier))} ({problem}), although it may be the hidden word; write {own}",
        )
    return problem


def hard_mode_mask(
    rule: Rule, guesses: SymbolIds, earlier: Word, code: int, alphabet: Alphabet
) -> npt.NDArray[np.bool_]:
    """Return which guesses hard mode allows after `earlier` got the feedback `code`, bool[n_guesses].

    `guesses` have one row per word. Raises RuleError if the rule fails.
    """
    with blaming(rule, "hard_mode_problem"):
        if isinstance(rule, MarksRule) and rule.hard_mode_follows_needs:
            placed, counts = rule.obligations(earlier, code)
            allowed = np.ones(len(guesses), dtype=np.bool_)
            for place, symbol in placed.items():
                allowed &= guesses[:, place] == alphabet.index.get(symbol)
            for symbol, count in counts.items():
                allowed &= (guesses == alphabet.index.get(symbol)).sum(axis=1, dtype=np.uint8) >= count
            return allowed
        if type(rule).hard_mode_problem is Rule.hard_mode_problem:
            codes = np.asarray(rule.codes(guesses, alphabet.encode([earlier]), alphabet))
            return np.equal(codes[:, 0], code)
        return np.array([rule.hard_mode_problem(guess, earlier, code) is None for guess in alphabet.decode(guesses)])


def _wrong_code(rule: Rule, code: object, guess: Word, answer: Word, alphabet: Alphabet) -> RuleError:
    """Return the error for a code outside the range, a wrong word that wins, or an answer that does not win."""
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
