"""First guesses, ranked by a strategy's own score, and compared with known values."""

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from wordle_kit.errors import StrategyError, WordleKitError
from wordle_kit.game.game import Game
from wordle_kit.game.words import read_word_file
from wordle_kit.strategy.partition import PartitionStrategy
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.tournaments.referee import Play

Scores = npt.NDArray[np.float64]


def first_scores(game: Game, strategy: Strategy) -> Scores:
    """Return the strategy's score of every first guess as it is shown, float64[n_guesses].

    Raises StrategyError for a strategy that scores no guesses.
    """
    if not isinstance(strategy, PartitionStrategy):
        raise StrategyError(f"{strategy.name} does not score guesses; only partition strategies do")
    return strategy.shown(strategy.scores(Position.start(game).boards[0], None))


def ranked(game: Game, strategy: Strategy, top: int) -> list[dict[str, Any]]:
    """Return the best first guesses, the best first: rank, word, score, whether it may be the answer."""
    scores = first_scores(game, strategy)
    assert isinstance(strategy, PartitionStrategy)  # noqa: S101 - first_scores has seen to it
    order = np.argsort(scores * (-1 if strategy.more_is_better else 1), kind="stable")[:top].tolist()
    return [
        {
            "rank": rank,
            "word": game.guesses[guess],
            "score": float(scores[guess]),
            "answer": "yes" if game.guesses[guess] in game.answer_ids else "no",
        }
        for rank, guess in enumerate(order, start=1)
    ]


def pairs(plays: Sequence[Play], top: int) -> list[dict[str, Any]]:
    """Return the most frequent two first guesses of some plays, with their share of them."""
    counts = Counter(" ".join(play.guesses[:2]) for play in plays if len(play.guesses) > 1)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:top]
    return [{"first two": pair, "plays": count, "share": count / len(plays)} for pair, count in ordered]


def read_values(path: Path, game: Game) -> dict[str, float]:
    """Return the values in a file of lines `word value`. Raises WordleKitError, naming the line that is not one."""
    values = {}
    for number, line in read_word_file(path):
        word, _, value = line.rpartition(" ")
        try:
            values[word.strip()] = float(value)
        except ValueError:
            raise WordleKitError(f"{path}: line {number}: {line!r} is no word and value") from None
        if word.strip() not in game.guess_ids:
            raise WordleKitError(f"{path}: line {number}: {word.strip()!r} is not among the guesses of {game.name}")
    if not values:
        raise WordleKitError(f"{path}: has no values")
    return values


def errors_against(game: Game, scores: Scores, values: Mapping[str, float], best: int) -> list[dict[str, Any]]:
    """Return the mean squared error of scores against values, over all words of the values and over the best of them.

    `values` are the expected guesses of perfect play after each first guess; the best have the least.
    """
    squares = {word: float(scores[game.guess_ids[word]] - value) ** 2 for word, value in values.items()}
    least = sorted(values, key=lambda word: values[word])[:best]
    return [
        {"over": f"all {len(values):,}", "mean squared error": statistics.fmean(squares.values())},
        {"over": f"the best {len(least):,}", "mean squared error": statistics.fmean(squares[word] for word in least)},
    ]
