"""The letterwise entropy of Sengupta (2022): a word scores the sum of the information in its symbols."""

from collections.abc import Callable
from functools import cache
from typing import Literal

import numpy as np

import wordle_kit as wk


class LetterwiseEntropy(wk.PartitionStrategy):
    """Choose the word whose symbols give the most expected information, each taken separately.

    Sengupta (2022). For each place, a symbol is correct for G of the n candidates, present elsewhere for Y of them, and
    absent for the other n - G - Y. The score of a word is the sum over its places of the entropy of (G, Y, n - G - Y) /
    n.

    If the symbol also occurs earlier in the word, Y is 0. Y ignores places where all candidates have the symbol. If Y
    or n - G - Y is negative, its term is left out. When few candidates are left, the first one is guessed. In a game
    with weights, G, Y and n are masses.
    """

    ties: wk.Ties = "list-order"
    words: Literal["others", "all"] = "others"
    """The guesses to consider: those that are not answers of the game, as in the paper, or all guesses."""
    tolerance = 0.0  # the paper compares strictly, so rounding breaks ties

    more_is_better = True  # as shown: bits of single symbols

    endgame: int = 2
    """The first candidate is guessed once this many or fewer are left."""

    def problem_with(self, game: wk.Game) -> str | None:
        """Return a message if the rule gives no marks, since then a single symbol gives no information."""
        if not isinstance(game.rule, wk.MarksRule):
            return f"the rule {game.rule.name!r} gives no marks to single symbols"
        return super().problem_with(game)

    def part_cost(self, size: wk.Floats) -> wk.Floats:
        """Return zeros, because parts do not matter here."""
        return np.zeros_like(size)

    def guess(self, position: wk.Position) -> str:
        """Return the first candidate if few are left, otherwise the guess with the greatest score."""
        board = position.board
        return board.words[0] if len(board) <= self.endgame else super().guess(position)

    def considered(self, position: wk.Position) -> wk.Ids | None:
        """Return the guesses that are not answers, or all guesses if there are no others."""
        allowed = super().considered(position)
        others = other_guesses(position.game)
        if self.words == "all" or not len(others):
            return allowed
        kept = others if allowed is None else np.intersect1d(others, allowed)
        return kept if len(kept) else allowed

    def scores(self, board: wk.Board, guesses: wk.Ids | None) -> wk.Floats:
        """Return the negated sum of the symbols' entropies."""
        game = board.game
        n_symbols, length, n = len(game.alphabet.symbols), game.length, board.mass
        hidden = game.answer_symbols[board.candidates].T
        at = np.array([np.bincount(places, board.weights, n_symbols) for places in hidden]).T  # [symbol, place]
        settled = np.array([np.bincount(places, minlength=n_symbols) == len(board) for places in hidden]).T
        elsewhere = np.where(settled, 0.0, at).sum(axis=1)
        words = game.guess_symbols if guesses is None else game.guess_symbols[guesses]
        bits = np.zeros(len(words))
        for place in range(length):
            correct = at[:, place]
            # First row: the entropy of each symbol if it also occurs earlier in the word. Second row: its entropy in
            # its first place.
            entropies = np.zeros((2, n_symbols))
            for first, present in enumerate((np.zeros(n_symbols), elsewhere - correct)):
                for count in (correct, present, n - present - correct):
                    share = count / n
                    entropies[first] -= share * np.log2(share, out=np.zeros_like(share), where=share > 0)
            symbols = words[:, place]
            is_first = np.logical_and.reduce([words[:, earlier] != symbols for earlier in range(place)], initial=True)
            bits += np.where(is_first, entropies[1][symbols], entropies[0][symbols])
        return -bits


@cache
def other_guesses(game: wk.Game) -> wk.Ids:
    """Return the indices of the guesses that are not answers."""
    return np.setdiff1d(np.arange(len(game.guesses), dtype=np.int32), game.guess_of_answer)


@wk.hookimpl
def register_strategies(register: Callable[[wk.Strategy], None]) -> None:
    """Register the strategy."""
    register(LetterwiseEntropy())
