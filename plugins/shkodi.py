"""The strategies of Shkodi et al.: predefined words, two letter statistics, and rounded entropy.

Their filter strategy is `first-consistent`.
"""

from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Literal

import numpy as np
from wordle_kit_plugins.rules import WordleUncounted

import wordle_kit as wk


class PredefinedWords(wk.Strategy):
    """Guess fixed words that cover the most symbols, then the first word that may still be the answer.

    The words of Shkodi et al. are blimp, fjord, vagus, wecht and zinky. Here their method finds such words in the
    game's own list. The weights of answers are ignored.
    """

    words: int | None = None
    """Number of fixed words to play; by default, all of them."""

    def prepare(self, game: wk.Game) -> None:
        """Find the fixed words."""
        covering_words(game)

    def guess(self, position: wk.Position) -> str:
        """Return the next fixed word, or the first candidate if only one candidate or no fixed word is left."""
        fixed = covering_words(position.game)[: self.words]
        board = position.board
        if len(board) == 1 or position.turn > len(fixed):
            return board.words[0]
        return fixed[position.turn - 1]

    def problem_with(self, game: wk.Game) -> str | None:
        """Return a message in hard mode, which does not allow fixed words."""
        return f"the rule {game.rule.name!r} in hard mode forbids words fixed beforehand" if game.hard_mode else None


class LetterFrequency(wk.Strategy):
    """Guess the possible word with the most frequent symbols among the candidates (Shkodi et al.).

    The frequency of a symbol is its percentage of all symbols in the candidates, rounded to two decimals. A word's
    score is the sum of its symbols' frequencies, rounded in the same way. The weights of answers are ignored.
    """

    def guess(self, position: wk.Position) -> str:
        """Return the first candidate with the greatest score."""
        frequency, _ = frequencies(position.board)
        words = [position.game.alphabet.split(word) for word in position.board.words]
        scores = [sum(frequency[symbol] for symbol in set(word)) for word in words]
        return position.board.words[scores.index(max(scores))]


class PositionalLetterFrequency(wk.Strategy):
    """Guess the possible word whose symbols are the most frequent, especially in their places (Shkodi et al.).

    Each symbol counts only at its first place in the word. It adds its frequency, multiplied by the share of its
    occurrences that are in this place. The weights of answers are ignored.
    """

    def guess(self, position: wk.Position) -> str:
        """Return the first candidate with the greatest score."""
        frequency, share = frequencies(position.board)
        scores = []
        for text in position.board.words:
            word = position.game.alphabet.split(text)
            firsts = {symbol: place for place, symbol in reversed(list(enumerate(word)))}
            terms = sum(frequency[symbol] * share[symbol, place] for symbol, place in sorted(firsts.items()))
            scores.append(hundredths(terms, 10_000))
        return position.board.words[scores.index(max(scores))]


class RoundedEntropy(wk.PartitionStrategy):
    """Choose the guess with the most expected bits, rounded to two decimals; ties go to possible answers.

    Shkodi et al. Use the rule wordle-uncounted to reproduce their figures.
    """

    marking: Literal["game", "uncounted"] = "game"
    """The rule for scoring words: the game's own, or always wordle-uncounted."""

    more_is_better = True
    bits = "gained"

    def part_cost(self, size: wk.Floats) -> wk.Floats:
        """Return the size times its logarithm."""
        return size * np.log2(size)

    def finish(self, cost: wk.Floats, board: wk.Board, guesses: wk.Ids | None) -> wk.Floats:
        """Return the negated bits, rounded to two decimals with halves rounded up."""
        scores: wk.Floats = -np.floor((np.log2(board.mass) - cost / board.mass) * 100 + 0.5) / 100
        return scores

    def scores(self, board: wk.Board, guesses: wk.Ids | None) -> wk.Floats:
        """Return the scores by the rule that `marking` selects."""
        if self.marking == "uncounted":
            board = wk.Board(uncounted(board.game), board.candidates)
        return super().scores(board, guesses)


def hundredths(numerator: int, denominator: int) -> int:
    """Return a fraction, rounded to a whole number with halves rounded up."""
    return (2 * numerator + denominator) // (2 * denominator)


def frequencies(board: wk.Board) -> tuple[dict[str, int], dict[tuple[str, int], int]]:
    """Return the share of each symbol and the shares of its occurrences in each place, in hundredths of a percent."""
    at: Counter[tuple[str, int]] = Counter()
    for text in board.words:
        at.update((symbol, place) for place, symbol in enumerate(board.game.alphabet.split(text)))
    total: Counter[str] = Counter()
    for (symbol, _), count in at.items():
        total[symbol] += count
    everything = len(board) * board.game.length
    frequency = {symbol: hundredths(10_000 * count, everything) for symbol, count in total.items()}
    share = {key: hundredths(10_000 * count, total[key[0]]) for key, count in at.items()}
    return frequency, share


@cache
def uncounted(game: wk.Game) -> wk.Game:
    """Return the game with the rule wordle-uncounted, for words of the same kind."""
    return game.replace(rule=WordleUncounted())


@cache
def covering_words(game: wk.Game) -> tuple[str, ...]:
    """Return guesses without repeated symbols that cover as many symbols as possible, in the game's order.

    A search is made from each of these words, going round the list. In the first round, it takes every word without
    symbols covered so far; in the second, every word with one such symbol; and so on, until it has as many words as can
    be made without using a symbol twice. Each newly covered symbol scores a point, and the search with the most points
    wins.
    """
    ordered = np.sort(game.guess_symbols, axis=1)
    different = np.flatnonzero((ordered[:, 1:] != ordered[:, :-1]).all(axis=1))
    words, n, length, n_symbols = game.guess_symbols[different], len(different), game.length, len(game.alphabet.symbols)
    has = np.zeros((n_symbols, 2 * n), dtype=np.uint8)  # [symbol, word]; the list twice, to go round it
    for place in range(length):
        has[np.tile(words[:, place], 2), np.arange(2 * n)] = 1
    wanted = max(1, n_symbols // length)
    best: list[int] = []
    best_points = 0
    for start in range(n):
        is_covered = np.zeros(n_symbols, dtype=np.bool_)
        covered = np.zeros(n, dtype=np.uint8)  # covered symbols in each word, from the start on
        chosen: list[int] = []
        points = 0
        for new in range(length, 0, -1):
            if points + (wanted - len(chosen)) * new <= best_points:
                break
            at = 0
            while len(chosen) < wanted and (fits := covered[at:] == length - new).any():
                at += int(fits.argmax()) + 1
                chosen.append((start + at - 1) % n)
                symbols = words[chosen[-1]]
                symbols = symbols[~is_covered[symbols]]
                is_covered[symbols] = True
                covered += has[symbols, start : start + n].sum(axis=0, dtype=np.uint8)
                points += new
        if points > best_points:
            best, best_points = chosen, points
    return tuple(game.guesses[i] for i in sorted(different[best].tolist()))


@wk.hookimpl
def register_strategies(register: Callable[..., None]) -> None:
    """Register the strategies."""
    register(PredefinedWords())
    register(LetterFrequency())
    register(PositionalLetterFrequency())
    register(RoundedEntropy())
