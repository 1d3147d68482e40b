"""Strategies that score a guess by how it splits the candidates. Authors define only the cost of a part."""

import math
import threading
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from cachetools import LRUCache, cached

from wordle_kit.errors import StrategyError
from wordle_kit.game.game import Game
from wordle_kit.game.table import Floats, Ids
from wordle_kit.game.words import frozen
from wordle_kit.strategy.board import Board
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.texts import short_repr

WordPool = Literal["guesses", "candidates"]
"""The words that a partition strategy considers."""

Ties = Literal["candidates-first", "likeliest-first", "list-order"]
"""How a partition strategy chooses between guesses with the same score."""

Combine = Literal["sum", "min"]
"""How a partition strategy combines the scores of a guess on several boards."""

Bits = Literal["gained", "missing"]
"""Whether scores are the bits that a guess gains or the bits still missing after it."""

EQUAL_CHANCES = 1e-9
"""Probabilities that differ by at most this much count as equal."""

CACHE_BYTES = 256 * 2**20
"""The maximum size of the cache of scores, in bytes. The least recently used scores are dropped."""

ENTRY_BYTES = 500
"""The approximate number of bytes that an entry of the cache takes in addition to its array."""


@cached(
    LRUCache(CACHE_BYTES, getsizeof=lambda kept: int(kept[1].nbytes) + ENTRY_BYTES),
    key=lambda strategy, board: (id(strategy), board.key),
    lock=threading.Lock(),
)
def cached_scores(strategy: "PartitionStrategy", board: Board) -> tuple[object, Floats]:
    """Return a strategy and its scores of all guesses on a board, which are read-only.

    Scores are cached because the same candidates often recur on several boards. They belong to one strategy object: two
    strategies may be equal, or print alike, and still score differently. Keeping the object prevents reuse of its id.
    """
    return strategy, frozen(strategy.checked_scores(board, None))


class Choice(NamedTuple):
    """Guesses with their scores, and the best of them."""

    best: int
    """The index of the guess with the lowest score. Ties are decided by the strategy's `ties`."""
    guesses: Ids | None
    """The indices of the guesses, or None for all guesses of the game."""
    scores: Floats
    boards: Sequence[Board]
    """The boards whose scores are combined: all, or with `combine=min` the one that decides."""


class PartitionStrategy(Strategy):
    """Play the guess whose parts cost the least.

    A subclass defines `part_cost`, the cost of a part. The cost of a guess on a board is the sum of the costs of its
    parts or, with `over_parts = "max"`, the largest of them. `finish` turns the cost into a score. Scores within 1e-9
    of each other are tied, and `ties` decides between them.

    In a game with weights, `part_cost` gets the masses of parts (sums of the candidates' weights) instead of their
    sizes. If the strategy's formula is not an expectation, set `weighted = False` to get sizes as in other games.

    On several boards, `combine=sum` adds the scores on the open boards. With `combine=min`, the best guess is found for
    each board, and the board whose best guess has the least score decides. Scores must depend only on the candidates of
    the board and on the guess.

    A board with one candidate is solved immediately. If there are several, the word that solves the most of them is
    guessed, and ties go to the word with the best score on the other boards. With `combine=min`, the word of the first
    such board is guessed.
    """

    pool: WordPool = "guesses"
    """The words to consider: all guesses of the game, or only the candidates."""
    ties: Ties = "candidates-first"
    """Which of several tied guesses to play: the first candidate, the likeliest candidate, or the first in the game's
    order.
    """
    combine: Combine = "sum"
    """How to score on several boards: add the scores of open boards, or let the board with the best guess decide."""
    endgame: int = 0
    """With at most this many candidates on all open boards together, consider only candidates."""
    opener: str | None = None
    """The first guess. By default, it is computed."""

    over_parts: ClassVar[Literal["sum", "max"]] = "sum"

    weighted: ClassVar[bool] = True
    """Whether `part_cost` gets masses instead of sizes in a game with weights."""

    more_is_better: ClassVar[bool] = False
    """Whether scores are displayed with the opposite sign, so that higher scores are better, as for bits gained."""

    bits: ClassVar[Bits | None] = None
    """Whether displayed scores are bits gained by a guess or bits missing after it, or None if they are not bits."""

    tolerance: ClassVar[float] = 1e-9
    """The largest difference between scores that counts as a tie."""

    @abstractmethod
    def part_cost(self, size: Floats) -> Floats:
        """Return the costs of parts, float64[n]. `size` contains their sizes, from 1 up, or their masses, above 0."""

    def finish(self, cost: Floats, board: Board, guesses: Ids | None) -> Floats:
        """Return the scores of guesses on a board, float64[n_guesses]: by default, their costs per candidate.

        With weights, the cost is divided by the mass of the candidates instead of their number. `guesses` are the
        indices of the guesses whose costs are given, or None for all guesses. `board.is_candidate(guesses)` returns
        which of them may be the answer, and `board.chance_of(guesses)` the probability of each.
        """
        return cost / (board.mass if self.weighted else len(board))

    def groups(self, game: Game) -> npt.NDArray[np.integer] | None:
        """Return a group from 0 up for each code, int[n_codes], or None. The parts of a group count as one part."""
        return None

    def scores(self, board: Board, guesses: Ids | None) -> Floats:
        """Return the scores of guesses on a board, float64[n_guesses].

        Override this method if one cost per part is not enough to score a guess.
        """
        cost = board.costs(self.part_cost, guesses, self.over_parts, self.groups(board.game), self.weighted)
        return self.finish(cost, board, guesses)

    def checked_scores(self, board: Board, guesses: Ids | None) -> Floats:
        """Return the scores of guesses on a board, float64[n_guesses], after checking them.

        Raises StrategyError for scores of the wrong shape or type, and for nan.
        """
        scores: Any = self.scores(board, guesses)
        n_guesses = len(board.game.guesses) if guesses is None else len(guesses)
        is_right = isinstance(scores, np.ndarray) and scores.dtype.kind in "biuf" and scores.shape == (n_guesses,)
        if not is_right or (n_guesses and math.isnan(np.minimum.reduce(scores))):
            wanted = f"finish and scores return a score for each guess, float64[{n_guesses}] without nan"
            raise StrategyError(f"the scores are {short_repr(scores)}; {wanted}")
        checked: Floats = scores
        return checked

    def displayed(self, scores: Floats) -> Floats:
        """Return scores as they are displayed, with the opposite sign if `more_is_better`."""
        return -scores if self.more_is_better else scores

    def considered(self, position: Position) -> Ids | None:
        """Return the indices of the guesses to score, in the game's order, or None for all.

        Hard mode is ignored if it allows no guess, which can happen on several boards.
        """
        allowed = allowed_in(position)
        if self.pool == "guesses" and sum(map(len, position.open_boards)) > self.endgame:
            return allowed
        candidates = all_candidates(position)
        if allowed is None:
            return candidates
        both = np.intersect1d(candidates, allowed)
        return both if len(both) else allowed

    def gives_information(self, boards: Sequence[Board], guesses: Ids) -> npt.NDArray[np.bool_]:
        """Return whether each guess gives information on any of these boards, bool[n_guesses].

        A guess gives information if it may be right, or if it splits the candidates. A repeated guess does neither. If
        the strategy uses weights, candidates of weight 0 are ignored.
        """
        gives = np.zeros(len(guesses), dtype=np.bool_)
        for board in boards:
            if gives.all():
                break
            candidates = board.candidates[board.weights > 0] if self.weighted else board.candidates
            for block, codes, rows in board.game.table.blocks(candidates, guesses):
                gives[block] |= (codes[rows] != codes[rows[0]]).any(axis=0)
            possible = np.zeros(len(board.game.guesses), dtype=np.bool_)
            possible[board.game.guess_of_answer[candidates]] = True
            gives |= possible[guesses]
        return gives

    def informative(self, position: Position) -> Ids:
        """Return the indices of the considered guesses that give information, in the game's order.

        If there are none, the allowed candidates are tried, and then all allowed guesses. If none of those gives
        information, as is possible on several boards in hard mode, the allowed guesses that were not made before are
        returned.
        """
        everything = np.arange(len(position.game.guesses), dtype=np.int32)
        considered, allowed = (
            everything if ids is None else ids for ids in (self.considered(position), allowed_in(position))
        )
        for guesses in (considered, np.intersect1d(all_candidates(position), allowed), allowed):
            useful = self.gives_information(position.open_boards, guesses)
            if useful.any():
                return guesses[useful]
        new = np.setdiff1d(allowed, position.guess_ids)
        return new if len(new) else allowed

    def prepare(self, game: Game) -> None:
        """Compute the scores of first guesses, and forget those of code that may have been edited in a notebook."""
        super().prepare(game)
        cached_scores.cache_clear()
        start = Position.start(game)
        if self.opener is None and self.considered(start) is None:
            cached_scores(self, start.board)

    def guess(self, position: Position) -> str:
        """Return the guess with the lowest score among those that give information."""
        if self.opener is not None and position.turn == 1:
            return self.opener
        boards = position.open_boards
        certain = [board for board in boards if len(board.candidates) == 1]
        if position.game.hard_mode:
            certain = [board for board in certain if position.problem_with(board.words[0]) is None]
        if certain:
            return position.game.guesses[self._certain(certain, [board for board in boards if len(board) > 1])]
        return position.game.guesses[self.choose(position).best]

    def choose(self, position: Position) -> Choice:
        """Return the guesses to choose from, by score alone, with their scores and the best of them.

        These are the considered guesses or, if the best of them gives no information, those that give some.
        """
        boards = position.open_boards
        found = self.choose_among(boards, self.considered(position))
        if not self.gives_information(boards, np.array([found.best], dtype=np.int32)):
            found = self.choose_among(boards, self.informative(position))
        return found

    def _certain(self, certain: Sequence[Board], others: Sequence[Board]) -> int:
        """Return the index of the best guess among those that are certain to solve a board."""
        words = [board.game.guess_of_answer.item(board.candidates.item()) for board in certain]
        if self.combine == "min" or len(words) == 1:
            return words[0]
        most = max(map(words.count, words))
        equal = sorted({word for word in words if words.count(word) == most})
        if len(equal) == 1 or not others:
            return equal[0]
        return self.choose_among(others, np.array(equal, dtype=np.int32)).best

    def choose_among(self, boards: Sequence[Board], guesses: Ids | None) -> Choice:
        """Return guesses, by default all, with their combined scores on several boards, and the best of them.

        Raises StrategyError if the score of a guess is infinity on one board and minus infinity on another.
        """
        by_board = [self._scores_on(board, guesses) for board in boards]
        scores = by_board[0]
        if self.combine == "min":  # the first of the boards whose best guess has the least score decides
            least = [np.minimum.reduce(own) for own in by_board]
            close = min(least) + self.equal_within(boards)
            deciding = next(number for number, score in enumerate(least) if score <= close)
            scores, boards = by_board[deciding], [boards[deciding]]
        elif len(boards) > 1:
            try:
                with np.errstate(invalid="raise"):
                    scores = sum(by_board[1:], by_board[0])
            except FloatingPointError as error:
                raise StrategyError(
                    "the scores of a guess are infinity on one board and minus infinity on another"
                ) from error
        tied = np.flatnonzero(scores <= np.minimum.reduce(scores) + self.equal_within(boards))
        best = self.first_of_ties(tied if guesses is None else guesses[tied], boards)
        return Choice(best, guesses, scores, boards)

    def _scores_on(self, board: Board, guesses: Ids | None) -> Floats:
        """Return the scores of guesses on a board. At the start and on several boards, those of all are cached."""
        is_start = len(board) == len(board.game.answers)
        if guesses is None and (is_start or board.game.boards > 1):
            return cached_scores(self, board)[1]
        return self.checked_scores(board, guesses)

    def equal_within(self, boards: Sequence[Board]) -> float:
        """Return the largest difference between scores on these boards that counts as a tie.

        It is below `tolerance` if weights leave a mass of less than 1 on each board.
        """
        if not (self.weighted and boards[0].game.is_weighted):
            return self.tolerance
        return self.tolerance * min(1.0, max(board.mass for board in boards))

    def first_of_ties(self, guesses: npt.NDArray[np.integer], boards: Sequence[Board]) -> int:
        """Return which of several tied guesses to play. They are given as indices in the game's order.

        If the strategy uses weights, words of weight 0 are not candidates.
        """
        first, game = int(guesses[0]), boards[0].game
        if len(guesses) == 1 or self.ties == "list-order":
            return first
        tied = np.zeros(len(game.guesses), dtype=np.bool_)
        tied[guesses] = True
        candidates = game.guess_of_answer[np.concatenate([board.candidates for board in boards])]
        preferred = candidates[tied[candidates]]
        if game.is_weighted and (self.weighted or self.ties == "likeliest-first"):
            chances = np.sum([board.chance_of(preferred) for board in boards], axis=0)
            most = chances.max(initial=0.0) - EQUAL_CHANCES if self.ties == "likeliest-first" else 0.0
            preferred = preferred[(chances > 0) & (chances >= most)]
        return int(preferred.min()) if len(preferred) else first

    def problem_with(self, game: Game) -> str | None:
        """Return a message if the opener is not a guess of the game, else None."""
        if self.opener is None or self.opener in game.guess_index:
            return None
        return f"opener: {self.opener!r} is not among the guesses of {game.name}"


def allowed_in(position: Position) -> Ids | None:
    """Return the guesses that hard mode allows, or None for all guesses if hard mode is off or allows none."""
    allowed = position.allowed
    return allowed if allowed is not None and len(allowed) else None


def all_candidates(position: Position) -> Ids:
    """Return the guesses that may be the answer on any open board, as indices in the game's order."""
    return np.unique(np.concatenate([board.candidate_guesses for board in position.open_boards]))
