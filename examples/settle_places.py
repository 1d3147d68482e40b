"""A strategy for the class game `chants`, where it is not enough to make the most informative guess each time.

Usage: wordle-kit tournament -g chants -p examples/settle_places.py -s settle-places -s entropy
"""

from functools import cache

import numpy as np

import wordle_kit as wk


class SettlePlaces(wk.Strategy):
    """Choose the guess that is expected to leave the fewest places with more than two possible symbols.

    A place with two possible symbols needs no guess of its own, since a guess for another place can tell them apart.
    Among equal guesses, play the one that splits the candidates into the most parts.
    """

    def guess(self, position):
        """Return the only candidate, or the allowed guess that settles the most places."""
        board, allowed = position.board, position.allowed
        guesses = range(len(position.game.guesses)) if allowed is None else allowed.tolist()
        return board.words[0] if len(board) == 1 else best_guess(board, guesses)


def best_guess(board, guesses):
    """Return the guess with the fewest open places afterwards, on average over the candidates."""
    game, candidates = board.game, board.candidates
    symbols = symbol_bits(game)[candidates]
    seen = np.zeros((game.table.n_codes, game.length), dtype=np.int64)
    best, least = guesses[0], (np.inf, 0)
    for guess in guesses:
        codes = game.table.column(guess, candidates)
        parts, sizes = np.unique(codes, return_counts=True)
        np.bitwise_or.at(seen, codes, symbols)
        open_places = more_than_two(seen[parts]).sum(axis=1)
        seen[parts] = 0
        score = (float(open_places @ sizes), -len(parts))
        if score < least:
            best, least = guess, score
    return game.guesses[best]


def more_than_two(bits):
    """Return which numbers have more than two bits set."""
    without_the_lowest = bits & (bits - 1)
    return without_the_lowest & (without_the_lowest - 1) != 0


@cache
def symbol_bits(game):
    """Return the symbol in each place of each answer as a bit, int64[n_answers, length]."""
    return np.int64(1) << game.answer_symbols.astype(np.int64)


@wk.hookimpl
def register_strategies(register):
    """Register the strategy."""
    register(SettlePlaces())
