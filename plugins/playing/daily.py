"""The puzzles of days, which are the same for everyone who plays a game on that date."""

import hashlib
import random
from datetime import date, timedelta

import wordle_kit as wk
from wordle_kit.texts import number_of
from wordle_kit.tournaments.sources import Drawing


def daily_puzzles(game: wk.Game, first: date, days: int = 1) -> wk.Puzzles:
    """Return the puzzles of consecutive days.

    No answer repeats until all have been used. In a game with weights, each day's answers are drawn by weight instead,
    but never the same answer for two boards. Raises PuzzleError if there are fewer answers than boards.
    """
    likely = int((game.answer_weights > 0).sum())
    if likely < game.boards:
        raise wk.PuzzleError(
            f"{game.name}: {game.boards} boards cannot have different words of {number_of(likely, 'answer')}"
        )
    ids = tuple(_answers_of(game, first + timedelta(day)) for day in range(days))
    label = f"the puzzle of {first}" if days == 1 else f"the puzzles of {days:,} days from {first} on"
    return wk.Puzzles(game, ids, label, is_sample=False)


def _answers_of(game: wk.Game, day: date) -> tuple[int, ...]:
    """Return the answer hidden on each board on a day."""
    facts = hashlib.sha256(repr((game.answers, game.weights, game.boards)).encode()).hexdigest()
    if game.is_weighted:
        chance = random.Random(f"daily {facts} {day.isoformat()}")
        return Drawing(game.answer_weights.tolist(), chance).draw(game.boards, repeats=False)
    count = len(game.answers)
    order = random.Random(f"daily {facts}").sample(range(count), count)
    return tuple(order[(day.toordinal() * game.boards + board) % count] for board in range(game.boards))
