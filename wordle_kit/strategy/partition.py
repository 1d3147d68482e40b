"""Strategies that score a guess by how it splits the candidates: authors only write the cost of a part."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from wordle_kit.errors import GameError, StrategyError
from wordle_kit.game.game import Game
from wordle_kit.game.table import Floats, Ids
from wordle_kit.strategy.board import Board
from wordle_kit.strategy.costs import checked_scores, in_form
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.score_cache import SCORES
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.strategy.ties import Ties, first_of_equals, first_of_marked, tell, tells

Pool = Literal["guesses", "candidates"]
Combine = Literal["sum", "min"]
Bits = Literal["gained", "missing"]


class PartitionStrategy(Strategy):
    """Play the guess whose parts cost least.

    A subclass writes `part_cost`. The cost of a guess on a board is the sum of the costs of its parts (with
    `over_parts = "max"`, the largest), which `finish` turns into a score. Among scores within 1e-9, `ties` decides.

    In a game with weights, `part_cost` gets the masses of parts instead of their sizes: the sums of the candidates'
    weights. A strategy whose formula is not an expectation sets `weighted = False` and counts candidates as before.

    On several boards, the scores on the open boards are added (`combine=sum`), or each board has its own best guess and
    the board with the least score decides (`combine=min`). A board with one candidate is solved immediately. Of several
    such boards, the word that solves the most comes first, then the one that is best on the others (with `combine=min`,
    the word of the first board). Scores must depend only on the candidates of the board and on the guess.
    """

    pool: Pool = "guesses"
    """The words to consider: every guess of the game, or only those that may still be an answer."""
    ties: Ties = "candidates-first"
    """Of equal guesses: the first that may be the answer, the most likely answer, or the first in the game's order."""
    combine: Combine = "sum"
    """On several boards: add the scores of the open boards, or let the board with the best guess decide."""
    endgame: int = 0
    """With at most this many candidates on all open boards together, consider only candidates."""
    opener: str | None = None
    """The first guess; computed unless given."""

    over_parts: ClassVar[Literal["sum", "max"]] = "sum"

    weighted: ClassVar[bool] = True
    """Whether `part_cost` gets the masses of parts in a game with weights, rather than their sizes."""

    more_is_better: ClassVar[bool] = False
    """Whether people expect the score with its sign reversed, like bits gained; affects only the display."""

    bits: ClassVar[Bits | None] = None
    """Whether the displayed scores are bits gained by a guess or bits missing after it; None if they are not bits."""

    tolerance: ClassVar[float] = 1e-9
    """Scores that differ by at most this are equal."""

    @abstractmethod
    def part_cost(self, size: Floats) -> Floats:
        """Return the costs of parts of these sizes, float64[n]: each at least 1, or a mass above 0."""

    def finish(self, cost: Floats, board: Board, guesses: Ids | None) -> Floats:
        """Return the scores of guesses on a board, float64[n_guesses], from their costs: here the cost per candidate.

        With weights, the cost is divided by the mass of the candidates. `guesses` are the indices of the guesses that
        the costs belong to, or None for all guesses of the game. `board.is_candidate(guesses)` tells which of them may
        be the answer, and `board.chance_of(guesses)` how likely each is.
        """
        return cost / (board.mass if self.weighted else len(board))

    def groups(self, game: Game) -> npt.NDArray[np.integer] | None:
        """Return a group from 0 up for each code, int[n_codes]; parts in one group count as one. None for no groups."""
        return None

    def scores(self, board: Board, guesses: Ids | None) -> Floats:
        """Return the scores of guesses on a board, float64[n_guesses]; override it if one cost is not enough."""
        cost = board.costs(self.part_cost, guesses, self.over_parts, self.groups(board.game), self.weighted)
        return self.finish(cost, board, guesses)

    def checked_scores(self, board: Board, guesses: Ids | None) -> Floats:
        """Return the scores of guesses. Raises StrategyError for scores of the wrong shape or type, and for nan."""
        return checked_scores(self.scores(board, guesses), board.game, guesses)

    def shown(self, scores: Floats) -> Floats:
        """Return scores as they are displayed."""
        return -scores if self.more_is_better else scores

    def considered(self, position: Position) -> Ids | None:
        """Return the indices of the guesses to score, in the game's order, or None for all.

        If hard mode allows no guess, which happens on several boards, it is ignored.
        """
        allowed = position.allowed
        if allowed is not None and not len(allowed):
            allowed = None
        if self.pool == "guesses" and sum(map(len, position.open_boards)) > self.endgame:
            return allowed
        candidates = all_candidates(position)
        if allowed is None:
            return candidates
        both = np.intersect1d(candidates, allowed)
        return both if len(both) else allowed

    def telling(self, position: Position) -> Ids:
        """Return the indices of the considered guesses that tell something, in the game's order.

        A guess tells something if it may be right or splits the candidates of an open board; one that was made before
        does neither. Candidates of weight 0 do not count if the strategy uses weights. If no considered guess tells
        anything, the allowed candidates are considered, then all allowed guesses. If none of these does, which happens
        on several boards in hard mode, guesses that were not made before are returned.
        """
        everything = np.arange(len(position.game.guesses), dtype=np.int32)
        allowed = position.allowed
        if allowed is None or not len(allowed):
            allowed = everything
        considered = self.considered(position)
        candidates = np.intersect1d(all_candidates(position), allowed)
        for guesses in (everything if considered is None else considered, candidates, allowed):
            useful = guesses[tell(position.open_boards, guesses, by_mass=self.weighted)]
            if len(useful):
                return useful
        new = np.setdiff1d(allowed, position.guess_ids)
        return new if len(new) else allowed

    def guess(self, position: Position) -> str:
        """Return the guess with the least score of those that tell something."""
        if self.opener is not None and position.turn == 1:
            return self.opener
        boards = position.open_boards
        certain = [board for board in boards if len(board.candidates) == 1]
        if position.game.hard_mode:
            certain = [board for board in certain if position.allows(board.words[0]) is None]
        if certain:
            return position.game.guesses[self._certain(certain, [board for board in boards if len(board) > 1])]
        best = self._best(boards, self.considered(position))
        if not any(tells(board, best, by_mass=self.weighted) for board in boards):
            best = self._best(boards, self.telling(position))
        return position.game.guesses[best]

    def _best(self, boards: Sequence[Board], guesses: Ids | None) -> int:
        """Return the index of the guess with the least score, given guesses to score, or None for all."""
        if self.combine == "sum":
            return self._first_of_the_least(self._total(boards, guesses), boards, guesses)
        choices = self._choices(boards, guesses)
        least = np.array([score for score, _ in choices])
        equal = self.equal_within(least, boards)
        return next(guess for score, guess in choices if score <= least.min() + equal)

    def _certain(self, certain: Sequence[Board], others: Sequence[Board]) -> int:
        """Return the index of the best guess among those that are certain to solve a board."""
        words = [board.game.guess_of_answer.item(board.candidates.item()) for board in certain]
        if self.combine == "min" or len(words) == 1:
            return words[0]
        most = max(map(words.count, words))
        equal = sorted({word for word in words if words.count(word) == most})
        if len(equal) == 1 or not others:
            return equal[0]
        guesses = np.array(equal, dtype=np.int32)
        return self._first_of_the_least(self._total(others, guesses), others, guesses)

    def _total(self, boards: Sequence[Board], guesses: Ids | None) -> Floats:
        """Return the sum over the boards of the scores of guesses, float64[n_guesses]."""
        total, *others = self._for_each(boards, guesses, lambda board: self.checked_scores(board, guesses))
        for number, scores in enumerate(others):
            total = np.add(total, scores, out=total if number else None)
        return total

    def _choices(self, boards: Sequence[Board], guesses: Ids | None) -> list[tuple[float, int]]:
        """Return the least score on each board, and the guess that has it."""

        def choice(board: Board) -> Floats:
            scores = self.checked_scores(board, guesses)
            best = self._first_of_the_least(scores, [board], guesses)
            return np.array([scores.min(), best], dtype=np.float64)

        return [(score, int(best)) for score, best in map(np.ndarray.tolist, self._for_each(boards, guesses, choice))]

    def _for_each(self, boards: Sequence[Board], guesses: Ids | None, make: Callable[[Board], Floats]) -> list[Floats]:
        """Return the result of `make` for each board; on several boards, results for all guesses are cached."""
        if guesses is not None or boards[0].game.boards == 1:
            return [make(board) for board in boards]
        return [SCORES.get(self, board.key, partial(make, board)) for board in boards]

    def equal_within(self, scores: Floats, boards: Sequence[Board]) -> float:
        """Return the difference up to which scores on these boards are equal."""
        return self.tolerance * self.unit(scores, boards)

    def unit(self, scores: Floats, boards: Sequence[Board]) -> float:
        """Return the unit of `tolerance`: 1, or the size of the terms of scores if masses make all of them small.

        Terms may cancel each other and leave scores that are only rounding errors, so the largest score alone does not
        tell how large they are. They are as large as the mass of a board's candidates, or as the cost of that mass or
        of half of it, divided by the mass. Half of it is there because the logarithm of the mass may be 0.
        """
        if not (self.weighted and boards[0].game.is_weighted):
            return 1.0
        largest = largest_of(scores)
        for board in boards:
            if largest >= 1:
                return 1.0
            masses = np.array([board.mass, board.mass / 2])
            costs = in_form(self.part_cost(masses.copy()), masses)
            terms = 0.0 if costs is None else largest_of(costs) / board.mass
            largest = max(largest, board.mass, terms)
        return min(largest, 1.0)

    def _first_of_the_least(self, scores: Floats, boards: Sequence[Board], guesses: Ids | None) -> int:
        """Return the index of the guess with the least score on these boards together, by the rule for ties."""
        least = np.minimum.reduce(scores)
        if np.isnan(least):
            raise StrategyError("the scores of a guess are infinity on one board and minus infinity on another")
        equal = scores <= least + self.equal_within(scores, boards)
        if guesses is None:
            return first_of_marked(equal, boards, self.ties, weighted=self.weighted)
        return first_of_equals(guesses[equal], boards, self.ties, weighted=self.weighted)

    def problem_with(self, game: Game) -> str | None:
        """Return a message if the opener is not a guess of the game, else None."""
        if self.opener is None or self.opener in game.guess_ids:
            return None
        try:
            game.word(self.opener)
        except GameError as error:
            return f"opener: {error}"
        return f"opener: {self.opener!r} is not among the guesses of {game.name}"


def all_candidates(position: Position) -> Ids:
    """Return the indices among the game's guesses of the candidates of all open boards, in the game's order."""
    return np.unique(np.concatenate([board.candidate_guesses for board in position.open_boards]))


def largest_of(numbers: Floats) -> float:
    """Return the largest finite magnitude of some numbers, or 0."""
    return float(np.abs(numbers[np.isfinite(numbers)]).max(initial=0.0))
