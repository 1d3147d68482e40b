"""Puzzles that are drawn for people: a series has no puzzle twice."""

import random

from wordle_kit.errors import PuzzleError
from wordle_kit.game.game import Game
from wordle_kit.texts import number_of
from wordle_kit.tournaments.puzzle_sources import Drawing, choose_puzzles
from wordle_kit.tournaments.puzzles import Puzzles


def draw_series(game: Game, count: int, seed: int) -> Puzzles:
    """Return puzzles drawn with a seed; in a game with weights, likely answers come up more often, but only once.

    The mean over answers that come only once does not estimate the mean by weight, so they are not a random sample.
    Raises PuzzleError if there are not enough answers.
    """
    if game.boards > 1 or not game.is_weighted:
        return choose_puzzles(game, count, seed)
    likely = int((game.answer_weights > 0).sum())
    if count > likely:
        raise PuzzleError(
            f"puzzles: {game.name} has {number_of(likely, 'answer')} with a weight above 0; draw at most that many"
        )
    drawn = Drawing(game.answer_weights.tolist(), random.Random(f"puzzles {seed}")).draw(count, repeats=False)
    label = f"{count:,} of {number_of(len(game.answers), 'answer')}, drawn by weight with seed {seed}, none twice"
    return Puzzles(game, tuple((answer,) for answer in drawn), label, is_sample=False)
