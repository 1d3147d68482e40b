"""Puzzles for people: drawn with a seed, or one for each day."""

import hashlib
import random
from datetime import date, timedelta

import wordle_kit as wk
from wordle_kit.texts import number_of
from wordle_kit.tournaments.puzzles import Drawing


def draw_series(game: wk.Game, count: int, seed: int) -> wk.Puzzles:
    """Return puzzles drawn with a seed. In a game with weights, likely answers are drawn more often, but none twice.

    So the mean over these puzzles does not estimate the weighted mean, and they do not count as a random sample. Raises
    PuzzleError if there are not enough answers.
    """
    if game.boards > 1 or not game.is_weighted:
        return wk.load_puzzles(game, count, seed)
    likely = int((game.answer_weights > 0).sum())
    if count > likely:
        raise wk.PuzzleError(
            f"puzzles: {game.name} has {number_of(likely, 'answer')} with a weight above 0; draw at most that many"
        )
    drawn = Drawing(game.answer_weights.tolist(), random.Random(f"puzzles {seed}")).draw(count, repeats=False)
    label = f"{count:,} of {number_of(len(game.answers), 'answer')}, drawn by weight with seed {seed}, none twice"
    return wk.Puzzles(game, tuple((answer,) for answer in drawn), label, is_sample=False)


def daily_puzzle(game: wk.Game, day: date) -> tuple[int, ...]:
    """Return the answers hidden on a day, one for each board.

    They are the same for everyone who plays the game that day. No answer is repeated until all have been used. In a
    game with weights, each day's answers are drawn by weight instead, but never one answer for two boards. Raises
    PuzzleError if there are fewer answers than boards.
    """
    likely = int((game.answer_weights > 0).sum())
    if likely < game.boards:
        raise wk.PuzzleError(
            f"{game.name}: {game.boards} boards cannot have different words of {number_of(likely, 'answer')}"
        )
    facts = hashlib.sha256(repr((game.answers, game.weights, game.boards)).encode()).hexdigest()
    count = len(game.answers)
    if game.is_weighted:
        chance = random.Random(f"daily {facts} {day.isoformat()}")
        return Drawing(game.answer_weights.tolist(), chance).draw(game.boards, repeats=False)
    order = random.Random(f"daily {facts}").sample(range(count), count)
    return tuple(order[(day.toordinal() * game.boards + board) % count] for board in range(game.boards))


def daily_series(game: wk.Game, first: date, days: int) -> wk.Puzzles:
    """Return the puzzles of consecutive days. Raises PuzzleError if `days` is less than 1."""
    if days < 1:
        raise wk.PuzzleError(f"days is {days}; give 1 or more")
    ids = tuple(daily_puzzle(game, first + timedelta(day)) for day in range(days))
    return wk.Puzzles(game, ids, f"the puzzles of {number_of(days, 'day')} from {first} on", is_sample=False)
