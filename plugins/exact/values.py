"""First guesses compared with perfect play: values from a file or an exact search, and the errors of an estimate."""

import math
import statistics
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from wordle_kit_plugins.exact.optimal import optimal

import wordle_kit as wk
from wordle_kit.game.files import read_word_file

BEST = 100
"""The number of best first guesses whose errors are compared separately, as in Tyl (2023)."""


def read_values(path: Path, game: wk.Game) -> dict[str, float]:
    """Return the values of words in a file of lines `word value`.

    Raises WordleKitError, which names the line, if a line is not a guess of the game and a number.
    """
    values = {}
    for number, line in read_word_file(path, game.alphabet):
        *words, last = line.split()
        try:
            values[game.guesses[game.index_of_guess(" ".join(words))]] = float(last)
        except (ValueError, wk.GameError) as error:
            raise wk.WordleKitError(f"{path}: line {number}: {line!r} is not a word and a value: {error}") from None
    if not values or not all(map(math.isfinite, values.values())):
        raise wk.WordleKitError(f"{path}: write a word and a number on each line")
    return values


def perfect_values(game: wk.Game, progress: Callable[[int, int], None] | None = None) -> dict[str, float]:
    """Return the mean number of guesses of perfect play after each first guess, by exact search.

    `progress(done, total)` is called before each guess. Raises WordleKitError if the game cannot be searched.
    """
    values = {}
    for done, word in enumerate(game.guesses):
        if progress is not None:
            progress(done, len(game.guesses))
        values[word] = optimal(game, word).mean
    return values


def errors_against(
    game: wk.Game, scores: wk.Floats, values: Mapping[str, float], best: int = BEST
) -> list[dict[str, Any]]:
    """Return the mean squared error of scores against values: over all words, and over those with the lowest values.

    `scores` has a score for each guess of the game. Ties for the lowest values are in the order of `values`.
    """
    squares = [
        float(scores[game.guess_index[word]] - values[word]) ** 2 for word in sorted(values, key=values.__getitem__)
    ]
    return [
        {"over": f"all {len(squares):,}", "mean squared error": statistics.fmean(squares)},
        {"over": f"the best {len(squares[:best]):,}", "mean squared error": statistics.fmean(squares[:best])},
    ]
