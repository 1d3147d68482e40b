"""Strategies that score a guess by how it splits the candidates: authors give a cost of part size, nothing more."""

from abc import abstractmethod
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from wordle_kit.errors import GameError
from wordle_kit.game.game import Game
from wordle_kit.game.table import Ids
from wordle_kit.strategy.position import Board, Position
from wordle_kit.strategy.strategy import Strategy

TOLERANCE = 1e-9

Costs = npt.NDArray[np.float64]


class PartitionStrategy(Strategy):
    """Plays the guess whose parts cost least.

    A subclass gives `part_cost`; the cost of a guess on a board is the sum over its parts (`over_parts = "max"`: the
    largest), then `finish`ed. A board with a single candidate left is solved at once. On several boards the costs of
    the open ones are added up (`combine=sum`) or the least counts (`combine=min`). Of equal guesses (within 1e-9) the
    first in the game's order is played, and with `ties=candidates-first` one that may itself be the answer before all
    others.
    """

    pool: Literal["guesses", "candidates"] = "guesses"
    """Which words are considered: every guess of the game, or only those that may still be an answer."""
    ties: Literal["candidates-first", "list-order"] = "candidates-first"
    combine: Literal["sum", "min"] = "sum"
    endgame: int = 0
    """With this many candidates or fewer on the open boards together, only candidates are considered."""
    opener: str | None = None
    """The first guess, if it is not to be computed."""

    over_parts: ClassVar[Literal["sum", "max"]] = "sum"

    more_is_better: ClassVar[bool] = False
    """Whether people expect its score with the sign turned round, as bits gained are; only what is shown changes."""

    tolerance: ClassVar[float] = TOLERANCE
    """Scores that differ by no more than this are equal."""

    @abstractmethod
    def part_cost(self, size: Costs) -> Costs:
        """Return what parts of these sizes cost, float64[n]; size is float64[n], every one at least 1."""

    def finish(self, cost: Costs, board: Board, guesses: Ids | None) -> Costs:
        """Return the scores of guesses on a board, float64[n_guesses], from their costs: here per candidate.

        `guesses` are the indices of the guesses that the costs belong to, or None for all, and
        `board.is_candidate(guesses)` says which of them may be the answer.
        """
        return cost / len(board)

    def groups(self, game: Game) -> npt.NDArray[np.integer] | None:
        """Return a group from 0 up for each code, int[n_codes], to count parts as one; None keeps them apart."""
        return None

    def scores(self, board: Board, guesses: Ids | None) -> Costs:
        """Return the scores of guesses on a board, float64[n_guesses]; override it where one cost is not enough."""
        cost = board.costs(self.part_cost, guesses, self.over_parts, self.groups(board.game))
        return self.finish(cost, board, guesses)

    def shown(self, scores: Costs) -> Costs:
        """Return scores as people expect to see them."""
        return -scores if self.more_is_better else scores

    def considered(self, position: Position) -> Ids | None:
        """Return the indices of the guesses to score, in the game's order, or None for all."""
        if self.pool == "guesses" and sum(map(len, position.open_boards)) > self.endgame:
            return position.allowed
        candidates = np.unique(np.concatenate([board.candidate_guesses for board in position.open_boards]))
        if position.allowed is None:
            return candidates
        both = np.intersect1d(candidates, position.allowed)
        return both if len(both) else position.allowed

    def guess(self, position: Position) -> str:
        """Return the guess with the least score."""
        if self.opener is not None and position.turn == 1:
            return self.opener
        boards = position.open_boards
        forced = (board.words[0] for board in boards if len(board) == 1)
        certain = next((word for word in forced if position.allows(word) is None), None)
        if certain is not None:
            return certain
        guesses = self.considered(position)
        scores = np.array([self.scores(board, guesses) for board in boards])
        total = scores.sum(axis=0) if self.combine == "sum" else scores.min(axis=0)
        least = total <= total.min() + self.tolerance
        if self.ties == "candidates-first":
            possible = least & np.logical_or.reduce([board.is_candidate(guesses) for board in boards])
            least = possible if possible.any() else least
        best = int(least.argmax())  # the first
        return position.game.guesses[best if guesses is None else int(guesses[best])]

    def problem_with(self, game: Game) -> str | None:
        """Return that the opener is no guess of the game, if so."""
        if self.opener is None or self.opener in game.guess_ids:
            return None
        try:
            game.word(self.opener)
        except GameError as error:
            return f"opener: {error}"
        return f"opener: {self.opener!r} is not among the guesses of {game.name}"
