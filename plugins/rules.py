"""The bundled rules: three ways to colour Wordle, letters with case, and the counts of Mastermind and Jotto."""

import itertools
import re
from collections import Counter
from collections.abc import Callable
from typing import ClassVar

import numpy as np

import wordle_kit as wk


class Wordle(wk.MarksRule):
    """The real game's rule, which marks correct symbols first, then present ones from the left while copies remain."""

    correct_first: ClassVar[bool] = True
    """Whether correct symbols use up copies before present ones. This and `counted` are for the native kernel."""
    counted: ClassVar[bool] = True
    """Whether marks use up copies at all."""

    def marks(self, guess: wk.Word, answer: wk.Word) -> list[int]:
        """Return 2 for correct, 1 for present, 0 for absent."""
        left = [a for g, a in zip(guess, answer, strict=True) if g != a]
        marks = [2 if g == a else 0 for g, a in zip(guess, answer, strict=True)]
        for place, symbol in enumerate(guess):
            if marks[place] == 0 and symbol in left:
                left.remove(symbol)
                marks[place] = 1
        return marks

    def codes(self, answers: wk.SymbolIds, guesses: wk.SymbolIds, alphabet: wk.Alphabet) -> wk.Codes:
        """Return codes[n_answers, n_guesses] by a native kernel."""
        from wordle_kit_plugins import kernels

        return filled(self, kernels.wordle, answers, guesses, self.correct_first, self.counted)


def filled(
    rule: wk.Rule, kernel: Callable[..., None], answers: wk.SymbolIds, guesses: wk.SymbolIds, *how: object
) -> wk.Codes:
    """Return codes[n_answers, n_guesses], filled in by a kernel. `how` are its arguments after the words."""
    out = np.zeros((len(answers), len(guesses)), dtype=rule.code_dtype(answers.shape[1]))
    # In C order and read-only, since numba compiles a kernel again for every other kind of array.
    words = [each.copy(order="C") for each in (answers, guesses.T)]
    for each in words:
        each.flags.writeable = False
    kernel(*words, *how, out)
    return out


class WordleUncounted(Wordle):
    """Mark each place separately: correct if the symbols are equal, present if the answer has the symbol anywhere.

    Shkodi et al. used this rule for their published figures.
    """

    counts_copies = False
    correct_first = False
    counted = False

    def marks(self, guess: wk.Word, answer: wk.Word) -> list[int]:
        """Return 2 for correct, 1 for present anywhere, 0 for absent."""
        return [2 if g == a else int(g in answer) for g, a in zip(guess, answer, strict=True)]


class WordleLeftToRight(Wordle):
    """Mark symbols in a single pass from the left, without reserving copies for correct symbols further right.

    A symbol may therefore be marked present although its only copy is correct further right. A correct place uses up a
    copy even if none is left; after that, further copies are marked present again. Fetterman (2022) used this rule for
    his published figures.
    """

    counts_copies = False
    correct_first = False

    def marks(self, guess: wk.Word, answer: wk.Word) -> list[int]:
        """Return 2 for correct, 1 for present (unless the running count is 0) and 0 for absent."""
        left = Counter(answer)
        marks = []
        for g, a in zip(guess, answer, strict=True):
            mark = 2 if g == a else int(left[g] != 0)
            if mark:
                left[g] -= 1
            marks.append(mark)
        return marks


class CaseAware(wk.MarksRule):
    """Wordle with case, in which the right letter in the other case has marks of its own (Liu 2022, VII).

    Mark 0 means that the symbol is absent. The other marks are assigned in this order, and each uses up one symbol of
    the answer:

    - 2: the symbol is in the right place.
    - 3: the symbol is in the right place, but in its other case.
    - 1, assigned from left to right: the symbol occurs elsewhere.
    - 4, assigned from left to right: the symbol occurs elsewhere, in its other case.
    """

    tile_set = "⬜🟨🟩🟦🟪"
    letters = "BYGCP"
    mark_names = (
        "absent",
        "present elsewhere",
        "correct",
        "the other case is correct",
        "the other case is elsewhere",
    )

    def marks(self, guess: wk.Word, answer: wk.Word) -> list[int]:
        """Return the mark of each symbol, 0 to 4."""
        left = Counter(answer)
        marks = [0] * len(guess)
        for mark, in_place, fold in ((2, True, False), (3, True, True), (1, False, False), (4, False, True)):
            for place, (symbol, there) in enumerate(zip(guess, answer, strict=True)):
                wanted = other_case(symbol) if fold else symbol
                if marks[place] == 0 and left[wanted] > 0 and (there == wanted or not in_place):
                    left[wanted] -= 1
                    marks[place] = mark
        return marks

    def codes(self, answers: wk.SymbolIds, guesses: wk.SymbolIds, alphabet: wk.Alphabet) -> wk.Codes:
        """Return codes[n_answers, n_guesses] by a native kernel."""
        from wordle_kit_plugins import kernels

        n = len(alphabet.symbols)
        others = [alphabet.index.get(other_case(symbol), n) for symbol in alphabet.symbols]
        return filled(self, kernels.case_aware, answers, guesses, np.array(others, dtype=np.int64))

    def needs(self, symbol: str, mark: int) -> tuple[str, bool] | None:
        """Return the symbol that hard mode requires, in the answer's case, and whether it must be here, or None."""
        if mark == 0:
            return None
        return (other_case(symbol) if mark in (3, 4) else symbol), mark in (2, 3)


class Mastermind(wk.Rule):
    """The number of symbols in the right place (black) and of those elsewhere (white).

    Bulls and Cows has the same rule.
    """

    def n_codes(self, length: int) -> int:
        """Return the number of pairs of counts from 0 to the length."""
        return (length + 1) ** 2

    def code(self, guess: wk.Word, answer: wk.Word) -> int:
        """Return black times (length + 1) plus white."""
        black = sum(itertools.starmap(str.__eq__, zip(guess, answer, strict=True)))
        common = sum(min(guess.count(symbol), answer.count(symbol)) for symbol in set(guess))
        return black * (len(guess) + 1) + common - black

    def codes(self, answers: wk.SymbolIds, guesses: wk.SymbolIds, alphabet: wk.Alphabet) -> wk.Codes:
        """Return codes[n_answers, n_guesses] by a native kernel."""
        from wordle_kit_plugins import kernels

        return filled(self, kernels.common_symbols, answers, guesses, True)

    def winning_code(self, length: int) -> int:
        """Return the code for black only."""
        return length * (length + 1)

    def show(self, code: int, length: int) -> str:
        """Return the two counts as `black,white`."""
        black, white = divmod(code, length + 1)
        return f"{black},{white}"

    def tiles(self, code: int, length: int) -> str:
        """Return a disc for each symbol found, black ones first, and dots for the rest."""
        black, white = divmod(code, length + 1)
        return "⚫" * black + "⚪" * white + "·" * (length - black - white)

    def legend(self, *, tiles: bool = True) -> str:
        """Return a sentence that explains the two counts."""
        black, white = ("⚫ or the first number", "⚪ or the second") if tiles else ("the first number", "the second")
        return (
            f"{black.capitalize()} counts what is in the right place; {white} counts what is elsewhere in the answer."
        )

    def read(self, text: str, length: int) -> int:
        """Return the code of feedback written as `1,2`, as discs or as letters: `BWW` is one black and two white."""
        text = text.strip().replace("\N{VARIATION SELECTOR-16}", "")
        pair = re.fullmatch(r"([0-9]{1,6})\s*,\s*([0-9]{1,6})", text)
        discs = re.fullmatch(r"(⚫*)(⚪*)(·*)", text)
        letters = re.fullmatch(r"([Bb]*)([Ww]*)", text)
        if pair:
            black, white = int(pair[1]), int(pair[2])
        elif letters and 0 < len(text) <= length:
            black, white = len(letters[1]), len(letters[2])
        elif discs and len(text) == length:
            black, white = len(discs[1]), len(discs[2])
        else:
            black, white = length + 1, 0
        if black + white > length or (black, white) == (length - 1, 1):  # the last symbol would have no other place
            raise wk.GameError(
                f"{text!r} is not feedback of the rule 'mastermind' for guesses of length {length}: write "
                "black,white, as in '1,2', or BWW"
            )
        return black * (length + 1) + white


class CommonSymbols(wk.Rule):
    """The rule of Jotto: the number of symbols that the guess and the answer share, in any place.

    An anagram shares all symbols with the answer, but only the answer itself wins.
    """

    def n_codes(self, length: int) -> int:
        """Return the number of codes: one for each count from 0 to the length, and one for the answer itself."""
        return length + 2

    def code(self, guess: wk.Word, answer: wk.Word) -> int:
        """Return the number of common symbols or, if the guess is the answer, the length plus one."""
        return (Counter(guess) & Counter(answer)).total() + (guess == answer)

    def codes(self, answers: wk.SymbolIds, guesses: wk.SymbolIds, alphabet: wk.Alphabet) -> wk.Codes:
        """Return codes[n_answers, n_guesses] by a native kernel."""
        from wordle_kit_plugins import kernels

        return filled(self, kernels.common_symbols, answers, guesses, False)

    def winning_code(self, length: int) -> int:
        """Return one more than the length."""
        return length + 1

    def show(self, code: int, length: int) -> str:
        """Return the number of common symbols, or `!` for the answer itself."""
        return "!" if code == length + 1 else str(code)

    def tiles(self, code: int, length: int) -> str:
        """Return a white disc for each common symbol and dots for the rest.

        For the answer itself, all discs are black.
        """
        return "⚫" * length if code == length + 1 else "⚪" * code + "·" * (length - code)

    def legend(self, *, tiles: bool = True) -> str:
        """Return a sentence that explains the count."""
        count = "⚪ or the number" if tiles else "The number"
        return f"{count} counts what is also in the answer, wherever it is; ! stands for the answer itself."


def other_case(symbol: str) -> str:
    """Return a symbol in the other case, or an empty string if it has none. The other case of `sh` is `Sh`."""
    small = symbol.lower()
    capital = small[0].upper() + small[1:]
    if small == capital:
        return ""
    return capital if symbol == small else small if symbol == capital else ""


@wk.hookimpl
def register_rules(register: Callable[[wk.Rule], None]) -> None:
    """Register the bundled rules."""
    for rule in (
        Wordle(),
        WordleUncounted(),
        WordleLeftToRight(),
        CaseAware(),
        Mastermind(),
        CommonSymbols(),
    ):
        register(rule)
