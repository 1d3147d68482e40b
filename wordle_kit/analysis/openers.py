"""First guesses, or guesses in a later position, ranked by a strategy's own score and compared with known values."""

import math
import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from wordle_kit.analysis.ranking import Scores, as_shown, ranking, scoring
from wordle_kit.errors import GameError, WordleKitError
from wordle_kit.game.files import read_word_file
from wordle_kit.game.game import Game
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.tournaments.outcome import Play


def first_scores(game: Game, strategy: Strategy) -> Scores:
    """Return a strategy's score of every first guess as shown, float64[n_guesses].

    Raises StrategyError if the strategy does not score guesses.
    """
    scorer, board = scoring(strategy), Position.start(game).boards[0]
    return as_shown(scorer, scorer.checked_scores(board, None), board)[1]


def first_score(game: Game, strategy: Strategy, word: str) -> float:
    """Return a strategy's score of one first guess, in the strategy's own unit.

    Raises StrategyError if the strategy does not score guesses.
    """
    scorer, board = scoring(strategy), Position.start(game).boards[0]
    return float(scorer.shown(scorer.checked_scores(board, np.array([game.index_of_guess(word)], dtype=np.int32)))[0])


def ranked(position: Position, strategy: Strategy, top: int) -> list[dict[str, Any]]:
    """Return the best guesses that a strategy considers: rank, word, score, and whether the guess may be the answer.

    If answers have weights, also the chance that the guess is the answer of a board, summed over the open boards.
    Scores in bits are shown as bits gained, even if the strategy counts missing bits. Equal guesses are in the order in
    which the strategy would play them. Raises StrategyError if the strategy does not score guesses.
    """
    order = ranking(position, strategy)
    guesses = order.guesses[:top]
    possible = np.logical_or.reduce([board.is_candidate(guesses) for board in position.open_boards])
    chances = np.sum([board.chance_of(guesses) for board in position.open_boards], axis=0)
    return [
        {
            "rank": rank,
            "word": position.game.guesses[guess],
            order.header: float(order.scores[rank - 1]),
            **({"chance": float(chances[rank - 1])} if position.game.is_weighted else {}),
            "answer": "yes" if possible[rank - 1] else "no",
        }
        for rank, guess in enumerate(guesses.tolist(), start=1)
    ]


def pairs(plays: Sequence[Play], top: int) -> list[dict[str, Any]]:
    """Return the most frequent pairs of first two guesses, with their share of the plays."""
    counts = Counter(" ".join(play.guesses[:2]) for play in plays if len(play.guesses) > 1)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:top]
    return [{"first two": pair, "plays": count, "share": count / len(plays)} for pair, count in ordered]


def read_values(path: Path, game: Game) -> list[tuple[str, float]]:
    """Return the words and values in a file with lines `word value`; a word may occur more than once.

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
            raise WordleKitError(f"{path}: line {number}: {line!r} is not a word and a value")
        text = " ".join(words)
        try:
            word = game.guesses[game.index_of_guess(text)]
        except GameError as error:
            raise WordleKitError(f"{path}: line {number}: {error}") from None
        values.append((word, value))
    if not values:
        raise WordleKitError(f"{path}: has no values; write a word and a value on each line")
    return values


def perfect_values(game: Game, progress: Callable[[int, int], None] | None = None) -> list[tuple[str, float]]:
    """Return the mean number of guesses of perfect play from each first guess, found by exact search.

    `progress(done, total)` is called before each guess. Raises WordleKitError if the game cannot be searched.
    """
    from wordle_kit.exact.optimal import optimal

    values = []
    for done, word in enumerate(game.guesses):
        if progress is not None:
            progress(done, len(game.guesses))
        values.append((word, optimal(game, word).mean))
    return values


def errors_against(game: Game, scores: Scores, values: Sequence[tuple[str, float]], best: int) -> list[dict[str, Any]]:
    """Return the mean squared error of scores against values, over all values and over those of the best words.

    `values` are the expected guesses of perfect play after each first guess. The best words have the least values;
    among equal ones, the earlier come first. Over all values, a word counts as often as it occurs, as in Tyl (2023),
    whose lists have the answers twice; among the best words it counts once.
    """
    squares = [(value, word, float(scores[game.guess_ids[word]] - value) ** 2) for word, value in values]
    once: dict[str, float] = {}
    for _, word, square in sorted(squares, key=lambda entry: entry[0]):  # stable: equal values stay in their order
        once.setdefault(word, square)
    least = list(once.values())[:best]
    return [
        {"over": f"all {len(squares):,}", "mean squared error": statistics.fmean(square for *_, square in squares)},
        {"over": f"the best {len(least):,}", "mean squared error": statistics.fmean(least)},
    ]
