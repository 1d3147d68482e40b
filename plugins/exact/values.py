"""First guesses compared with perfect play: values in a file or of an exact search, and the errors of an estimate."""

import math
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from wordle_kit_plugins.exact.optimal import optimal

import wordle_kit as wk
from wordle_kit.explain import Scores
from wordle_kit.game.files import read_word_file


def read_values(path: Path, game: wk.Game) -> list[tuple[str, float]]:
    """Return the words and values in a file with lines `word value`. A word may occur more than once.

    Raises WordleKitError, which names the line, if a line is not a word and a value.
    """
    values = []
    for number, line in read_word_file(path, game.alphabet):
        *words, last = line.split()
        try:
            value = float(last)
        except ValueError:
            value = math.nan
        if not words or not math.isfinite(value):
            raise wk.WordleKitError(f"{path}: line {number}: {line!r} is not a word and a value")
        text = " ".join(words)
        try:
            word = game.guesses[game.index_of_guess(text)]
        except wk.GameError as error:
            raise wk.WordleKitError(f"{path}: line {number}: {error}") from None
        values.append((word, value))
    if not values:
        raise wk.WordleKitError(f"{path}: has no values; write a word and a value on each line")
    return values


def perfect_values(game: wk.Game, progress: Callable[[int, int], None] | None = None) -> list[tuple[str, float]]:
    """Return each first guess with the mean number of guesses of perfect play after it, found by exact search.

    `progress(done, total)` is called before each guess. Raises WordleKitError if the game cannot be searched.
    """
    values = []
    for done, word in enumerate(game.guesses):
        if progress is not None:
            progress(done, len(game.guesses))
        values.append((word, optimal(game, word).mean))
    return values


def errors_against(
    game: wk.Game, scores: Scores, values: Sequence[tuple[str, float]], best: int
) -> list[dict[str, Any]]:
    """Return the mean squared error of scores against values, over all values and over those of the best words.

    `values` has the expected guesses of perfect play for each first guess. The best words have the least values. Ties
    are in the order of `values`. Over all values, a word counts as often as it occurs, since Tyl (2023) lists the
    answers twice. Among the best words, it counts once.
    """
    squares = [(value, word, float(scores[game.guess_ids[word]] - value) ** 2) for word, value in values]
    once: dict[str, float] = {}
    for _, word, square in sorted(squares, key=lambda entry: entry[0]):  # stable: equal values keep their order
        once.setdefault(word, square)
    least = list(once.values())[:best]
    return [
        {"over": f"all {len(squares):,}", "mean squared error": statistics.fmean(square for *_, square in squares)},
        {"over": f"the best {len(least):,}", "mean squared error": statistics.fmean(least)},
    ]
