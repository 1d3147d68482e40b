"""First guesses, ranked by a strategy's own score, and compared with known values."""

import math
import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from wordle_kit.errors import GameError, StrategyError, WordleKitError
from wordle_kit.game.game import Game
from wordle_kit.game.words import read_word_file
from wordle_kit.strategy.partition import PartitionStrategy
from wordle_kit.strategy.position import Board, Position
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.tournaments.outcome import Play

Scores = npt.NDArray[np.float64]


def first_scores(game: Game, strategy: Strategy) -> Scores:
    """Return the strategy's score of every first guess as it is shown, float64[n_guesses].

    Raises StrategyError for a strategy that scores no guesses.
    """
    scorer = scoring(strategy)
    board = Position.start(game).boards[0]
    return as_shown(scorer, scorer.checked_scores(board, None), board)[1]


def as_shown(strategy: PartitionStrategy, scores: Scores, board: Board) -> tuple[str, Scores]:
    """Return what scores are called, and the scores as they are shown: bits always as those gained."""
    shown = strategy.shown(scores)
    if strategy.bits is None:
        return "score", shown
    return "bits gained", shown if strategy.bits == "gained" else np.log2(len(board)) - shown


def scoring(strategy: Strategy) -> PartitionStrategy:
    """Return the strategy. Raises StrategyError for one that scores no guesses."""
    if not isinstance(strategy, PartitionStrategy):
        raise StrategyError(f"{strategy.name} does not score guesses; only partition strategies do")
    return strategy


def ranked(game: Game, strategy: Strategy, top: int) -> list[dict[str, Any]]:
    """Return the best first guesses that it considers, the best first: rank, word, score, whether it may be the answer.

    Scores that are bits are shown as bits gained, under that name, whichever way the strategy counts them.
    Equal guesses stand in the order in which it would play them. Raises StrategyError for a strategy that scores none.
    """
    strategy = scoring(strategy)
    start = Position.start(game)
    board = start.boards[0]
    considered = strategy.considered(start)
    guesses = np.arange(len(game.guesses), dtype=np.int32) if considered is None else considered
    scores = strategy.checked_scores(board, considered)
    best_first = np.argsort(scores, kind="stable")
    # From one guess to the next, a score that is greater than the last group's least begins a group of its own.
    group = np.zeros(len(guesses), dtype=np.int64)
    number, least = 0, scores[best_first[0]]
    for at in best_first.tolist():
        if scores[at] > least + strategy.tolerance:
            number, least = number + 1, scores[at]
        group[at] = number
    later = np.zeros(len(guesses), dtype=np.bool_)
    if strategy.ties == "candidates-first":
        later = ~board.is_candidate(considered)
    order = np.lexsort((later, group))[:top].tolist()
    header, shown = as_shown(strategy, scores, board)
    return [
        {
            "rank": rank,
            "word": game.guesses[guesses[at]],
            header: float(shown[at]),
            "answer": "yes" if game.guesses[guesses[at]] in game.answer_ids else "no",
        }
        for rank, at in enumerate(order, start=1)
    ]


def pairs(plays: Sequence[Play], top: int) -> list[dict[str, Any]]:
    """Return the most frequent two first guesses of some plays, with their share of them."""
    counts = Counter(" ".join(play.guesses[:2]) for play in plays if len(play.guesses) > 1)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:top]
    return [{"first two": pair, "plays": count, "share": count / len(plays)} for pair, count in ordered]


def read_values(path: Path, game: Game) -> list[tuple[str, float]]:
    """Return the words and values in a file of lines `word value`, a word that stands there twice with both.

    Raises WordleKitError, naming the line that is none.
    """
    values = []
    for number, line in read_word_file(path, game.alphabet):
        *words, last = line.split()
        try:
            value = float(last)
        except ValueError:
            value = math.nan
        if not words or not math.isfinite(value):
            raise WordleKitError(f"{path}: line {number}: {line!r} is no word and value")
        text = " ".join(words)
        try:
            word = game.alphabet.join(game.word(text))
        except GameError as error:
            raise WordleKitError(f"{path}: line {number}: {error}") from None
        if word not in game.guess_ids:
            raise WordleKitError(f"{path}: line {number}: {text!r} is not among the guesses of {game.name}")
        values.append((word, value))
    if not values:
        raise WordleKitError(f"{path}: has no values")
    return values


def perfect_values(game: Game, progress: Callable[[int, int], None] | None = None) -> list[tuple[str, float]]:
    """Return for each guess the mean number of guesses of perfect play that begins with it, found by exact search.

    `progress(done, total)` is called as guesses are done. Raises WordleKitError for a game that cannot be searched.
    """
    from wordle_kit.exact.optimal import optimal

    values = []
    for done, word in enumerate(game.guesses):
        if progress is not None:
            progress(done, len(game.guesses))
        values.append((word, optimal(game, word).mean))
    return values


def errors_against(game: Game, scores: Scores, values: Sequence[tuple[str, float]], best: int) -> list[dict[str, Any]]:
    """Return the mean squared error of scores against values, over all lines of the values and over the best words.

    `values` are the expected guesses of perfect play after each first guess; the best words have the least, of equals
    the first that stand there. Over all, a word counts as often as it stands there, as in Tyl (2023), whose lists have
    the answers twice; among the best, once.
    """
    squares = [(value, word, float(scores[game.guess_ids[word]] - value) ** 2) for word, value in values]
    once: dict[str, float] = {}
    for _, word, square in sorted(squares, key=lambda entry: entry[0]):  # stable: equals stay as they stand in the file
        once.setdefault(word, square)
    least = list(once.values())[:best]
    return [
        {"over": f"all {len(squares):,}", "mean squared error": statistics.fmean(square for *_, square in squares)},
        {"over": f"the best {len(least):,}", "mean squared error": statistics.fmean(least)},
    ]
