"""How likely each remaining word is to be the answer, by the weights of the game's answers."""

import numpy as np

from wordle_kit.game.table import Floats, Ids
from wordle_kit.strategy.board import Board


def likeliest(board: Board) -> list[tuple[str, float]]:
    """Return the candidates of a board with their chances, the likeliest first, equal ones in the game's order."""
    chances = zip(board.words, (board.weights / board.mass).tolist(), strict=True)
    return sorted(chances, key=lambda word: -word[1])


def chance_of(board: Board, guesses: Ids) -> Floats:
    """Return the chance that each of these guesses is the answer, float64[n_guesses]; 0 if it is not a candidate."""
    chances = np.zeros(len(board.game.guesses))
    chances[board.candidate_guesses] = board.weights / board.mass
    return chances[guesses]


def part_masses(board: Board, guesses: Ids) -> Floats:
    """Return the weight of the candidates that would get each code, float64[n_guesses, n_codes]."""
    table = board.game.table
    masses = np.zeros((len(guesses), table.n_codes))
    for at, guess in enumerate(guesses.tolist()):
        masses[at] = np.bincount(table.column(guess, board.candidates), board.weights, table.n_codes)
    return masses
