"""Guesses in a position, ranked by a strategy's own score, and figures of how they split the candidates."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from wordle_kit.errors import StrategyError
from wordle_kit.game.table import Ids
from wordle_kit.strategy.board import Board
from wordle_kit.strategy.partition import PartitionStrategy
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.strategy.ties import first_of_equals, tells

Scores = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Ranking:
    """The guesses that a strategy considers in a position, the best first, and their scores as shown."""

    guesses: Ids
    scores: Scores
    header: str
    """The name of the scores."""


def scoring(strategy: Strategy) -> PartitionStrategy:
    """Return the strategy. Raises StrategyError if it does not score guesses."""
    if not isinstance(strategy, PartitionStrategy):
        raise StrategyError(f"{strategy.name} does not score guesses; only partition strategies do")
    return strategy


def as_shown(strategy: PartitionStrategy, scores: Scores, board: Board) -> tuple[str, Scores]:
    """Return the name of the scores, and the scores as shown: bits always as bits gained."""
    shown = strategy.shown(scores)
    if strategy.bits is None:
        return "score", shown
    everything = board.mass if strategy.weighted else len(board)
    return "bits gained", shown if strategy.bits == "gained" else np.log2(everything) - shown


def ranking(position: Position, strategy: Strategy) -> Ranking:
    """Return all guesses that a strategy considers, ranked by its score; the first is the one that it plays.

    If the best one by score tells nothing, only guesses that tell something are ranked. On several boards, scores are
    combined as the strategy does it, by their sum or the best board. Equal guesses are in the order in which the
    strategy would play them. Raises StrategyError if the strategy does not score guesses.
    """
    strategy = scoring(strategy)
    found = _ranked(position, strategy, strategy.considered(position))
    best = int(found.guesses[0])
    if not any(tells(board, best, by_mass=strategy.weighted) for board in position.open_boards):
        found = _ranked(position, strategy, strategy.telling(position))
    return found


def _ranked(position: Position, strategy: PartitionStrategy, considered: Ids | None) -> Ranking:
    """Return these guesses, or all, ranked."""
    boards, alike = position.open_boards, 1
    if len({board.key for board in boards}) == 1:  # as before the first guess: one board is enough
        boards, alike = boards[:1], len(boards)
    guesses = np.arange(len(position.game.guesses), dtype=np.int32) if considered is None else considered
    each = [strategy.checked_scores(board, considered) for board in boards]
    combine: np.ufunc = np.add if strategy.combine == "sum" else np.minimum
    scores = combine.reduce(each, axis=0) if len(each) > 1 else each[0]
    best_first = np.argsort(scores, kind="stable")
    # A score that exceeds the least score of the last group by more than the tolerance starts a new group.
    group = np.zeros(len(guesses), dtype=np.int64)
    equal = strategy.equal_within(scores, boards)
    number, least = 0, scores[best_first[0]]
    for at in best_first.tolist():
        if scores[at] > least + equal:
            number, least = number + 1, scores[at]
        group[at] = number
    best = first_of_equals(guesses[group == 0], boards, strategy.ties, weighted=strategy.weighted)
    order = np.lexsort((np.where(guesses == best, -np.inf, _later(strategy, boards, guesses)), group))
    shown = [as_shown(strategy, one, board) for one, board in zip(each, boards, strict=True)]
    combine = combine if strategy.combine == "sum" or not strategy.more_is_better else np.maximum
    total = combine.reduce([values for _, values in shown], axis=0) if len(shown) > 1 else shown[0][1]
    if strategy.combine == "sum":
        total = total * alike
    return Ranking(guesses[order], total[order], shown[0][0])


def _later(strategy: PartitionStrategy, boards: Sequence[Board], guesses: Ids) -> Scores:
    """Return the keys by which the rule for ties orders guesses of equal scores, lowest first, float64[n_guesses]."""
    if strategy.ties == "list-order":
        return np.zeros(len(guesses))
    chances: Scores = np.sum([board.chance_of(guesses) for board in boards], axis=0)
    if strategy.ties == "likeliest-first" and boards[0].game.is_weighted:
        return -chances
    if strategy.weighted and boards[0].game.is_weighted:
        return np.where(chances > 0, 0.0, 1.0)
    return np.where(np.logical_or.reduce([board.is_candidate(guesses) for board in boards]), 0.0, 1.0)


def measured(position: Position, guesses: Ids) -> list[dict[str, Any]]:
    """Return figures of some guesses: expected bits and size, largest part, and whether each may be the answer.

    On several boards, the figures are sums over the open boards. If answers have weights, expected figures are by
    weight, and there is also the chance that the guess is the answer.
    """
    game = position.game
    chance = np.zeros(len(guesses))
    bits, expected, largest = np.zeros(len(guesses)), np.zeros(len(guesses)), np.zeros(len(guesses), dtype=np.int64)
    possible = np.zeros(len(guesses), dtype=np.bool_)
    for board in position.open_boards:
        sizes = board.part_sizes(guesses).astype(np.float64)
        shares = board.part_masses(guesses) / board.mass if game.is_weighted else sizes / len(board)
        bits -= np.sum(shares * np.log2(shares, where=shares > 0, out=np.zeros_like(shares)), axis=1)
        expected += np.sum(sizes * shares, axis=1)
        largest += sizes.max(axis=1).astype(np.int64)
        chance += board.chance_of(guesses)
        possible |= board.is_candidate(guesses)
    return [
        {
            "word": game.guesses[guess],
            "bits": float(bits[at]) + 0.0,
            "expected size": float(expected[at]),
            "largest part": int(largest[at]),
            **({"chance": float(chance[at])} if game.is_weighted else {}),
            "answer": "yes" if possible[at] else "no",
        }
        for at, guess in enumerate(guesses.tolist())
    ]
