"""Guesses in a position, ranked by a strategy's own score, and figures of how they split the candidates."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from wordle_kit.analysis.chances import chance_of, part_masses
from wordle_kit.errors import StrategyError
from wordle_kit.game.table import Ids
from wordle_kit.strategy.board import Board
from wordle_kit.strategy.partition import PartitionStrategy
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy

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
    return "bits gained", shown if strategy.bits == "gained" else np.log2(board.mass) - shown


def ranking(position: Position, strategy: Strategy) -> Ranking:
    """Return all guesses that a strategy considers, ranked by its score.

    On several boards, scores are combined as the strategy does it, by their sum or the best board. Equal guesses are in
    the order in which the strategy would play them. Raises StrategyError if the strategy does not score guesses.
    """
    strategy = scoring(strategy)
    boards, alike = position.open_boards, 1
    if len({board.key for board in boards}) == 1:  # as before the first guess: one board is enough
        boards, alike = boards[:1], len(boards)
    considered = strategy.considered(position)
    guesses = np.arange(len(position.game.guesses), dtype=np.int32) if considered is None else considered
    each = [strategy.checked_scores(board, considered) for board in boards]
    combine = np.sum if strategy.combine == "sum" else np.min
    scores = combine(each, axis=0) if len(each) > 1 else each[0]
    best_first = np.argsort(scores, kind="stable")
    # A score that exceeds the least score of the last group by more than the tolerance starts a new group.
    group = np.zeros(len(guesses), dtype=np.int64)
    number, least = 0, scores[best_first[0]]
    for at in best_first.tolist():
        if scores[at] > least + strategy.tolerance:
            number, least = number + 1, scores[at]
        group[at] = number
    later = np.zeros(len(guesses), dtype=np.bool_)
    if strategy.ties == "candidates-first":
        later = ~np.logical_or.reduce([board.is_candidate(considered) for board in boards])
    order = np.lexsort((later, group))
    shown = [as_shown(strategy, one, board) for one, board in zip(each, boards, strict=True)]
    combine = combine if strategy.combine == "sum" or not strategy.more_is_better else np.max
    total = combine([values for _, values in shown], axis=0) if len(shown) > 1 else shown[0][1]
    if strategy.combine == "sum":
        total = total * alike
    return Ranking(guesses[order], total[order], shown[0][0])


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
        shares = part_masses(board, guesses) / board.mass if game.is_weighted else sizes / len(board)
        bits -= np.sum(shares * np.log2(shares, where=shares > 0, out=np.zeros_like(shares)), axis=1)
        expected += np.sum(sizes * shares, axis=1)
        largest += sizes.max(axis=1).astype(np.int64)
        chance += chance_of(board, guesses)
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
