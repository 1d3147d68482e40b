"""Strategies that score a guess by how it splits the candidates. Authors write only the cost of a part."""

import math
import threading
from abc import abstractmethod
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt
from cachetools import LRUCache, cached

from wordle_kit.errors import GameError, StrategyError
from wordle_kit.game.game import Game
from wordle_kit.game.table import MEBIBYTE, Floats, Ids
from wordle_kit.game.words import frozen
from wordle_kit.strategy.board import Board
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.texts import shown

Pool = Literal["guesses", "candidates"]
"""The words that a partition strategy considers."""

Ties = Literal["candidates-first", "likeliest-first", "list-order"]
"""How a partition strategy chooses between guesses with the same score."""

Combine = Literal["sum", "min"]
"""How a partition strategy combines the scores of a guess on several boards."""

Bits = Literal["gained", "missing"]
"""Whether scores are the bits that a guess gains or the bits that are missing after it."""

EQUAL_CHANCES = 1e-9
"""Probabilities that differ by at most this much count as equal."""

CACHE = 256 * MEBIBYTE
"""The bytes that kept scores may take. Beyond this, the least recently used ones are dropped."""

ENTRY = 500
"""The approximate number of bytes that an entry of the cache takes in addition to its array."""


@cached(
    LRUCache(CACHE, getsizeof=lambda kept: int(kept[1].nbytes) + ENTRY),
    key=lambda strategy, board, make: (id(strategy), board),
    lock=threading.Lock(),
)
def scores_of(strategy: object, board: Hashable, make: Callable[[], Floats]) -> tuple[object, Floats]:
    """Return a strategy and its scores on the board with this key: those that `make` returned first, read-only.

    They are kept because the same candidates often recur on several boards. They belong to one strategy object: two
    strategies may be equal, or print alike, and still score differently. The object is kept so that no other gets its
    id.
    """
    return strategy, frozen(make())


class PartitionStrategy(Strategy):
    """Play the guess whose parts cost least.

    A subclass writes `part_cost`, the cost of a part. The cost of a guess on a board is the sum of the costs of its
    parts or, with `over_parts = "max"`, the largest of them. `finish` turns the cost into a score. Scores within 1e-9
    of each other are tied, and `ties` decides between them.

    In a game with weights, `part_cost` gets the masses of parts instead of their sizes. A mass is the sum of the
    candidates' weights. Set `weighted = False` in a strategy whose formula is not an expectation: then it gets sizes as
    in other games.

    On several boards, `combine=sum` adds the scores on the open boards. With `combine=min`, the best guess is found for
    each board, and the board whose best guess has the least score decides. Scores must depend only on the candidates of
    the board and on the guess.

    A board with one candidate is solved immediately. If there are several such boards, the word that solves the most of
    them is guessed. Ties go to the word with the best score on the other boards. With `combine=min`, the word of the
    first such board is guessed.
    """

    pool: Pool = "guesses"
    """The words to consider: every guess of the game, or only the candidates."""
    ties: Ties = "candidates-first"
    """Which of several tied guesses to play: the first candidate, the likeliest candidate, or the first in the game's
    order.
    """
    combine: Combine = "sum"
    """On several boards: add the scores of the open boards, or let the board with the best guess decide."""
    endgame: int = 0
    """With at most this many candidates on all open boards together, consider only candidates."""
    opener: str | None = None
    """The first guess. By default, it is computed."""

    over_parts: ClassVar[Literal["sum", "max"]] = "sum"

    weighted: ClassVar[bool] = True
    """Whether `part_cost` gets masses instead of sizes in a game with weights."""

    more_is_better: ClassVar[bool] = False
    """Whether scores are shown with the opposite sign, so that more is better, as for bits gained."""

    bits: ClassVar[Bits | None] = None
    """Whether the displayed scores are bits gained by a guess or bits missing after it. None if they are not bits."""

    tolerance: ClassVar[float] = 1e-9
    """Scores that differ by at most this much are tied."""

    @abstractmethod
    def part_cost(self, size: Floats) -> Floats:
        """Return the costs of parts, float64[n]. `size` has their sizes, from 1 up, or their masses, above 0."""

    def finish(self, cost: Floats, board: Board, guesses: Ids | None) -> Floats:
        """Return the scores of guesses on a board, float64[n_guesses], given their costs: here the cost per candidate.

        With weights, the cost is divided by the mass of the candidates instead of their number. `guesses` are the
        indices of the guesses that the costs belong to, or None for all guesses. `board.is_candidate(guesses)` returns
        which of them may be the answer, and `board.chance_of(guesses)` the probability of each.
        """
        return cost / (board.mass if self.weighted else len(board))

    def groups(self, game: Game) -> npt.NDArray[np.integer] | None:
        """Return a group from 0 up for each code, int[n_codes], or None. The parts of a group count as one part."""
        return None

    def scores(self, board: Board, guesses: Ids | None) -> Floats:
        """Return the scores of guesses on a board, float64[n_guesses].

        Override it if one cost per part is not enough.
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
            raise StrategyError(f"the scores are {shown(scores)}; {wanted}")
        checked: Floats = scores
        return checked

    def shown(self, scores: Floats) -> Floats:
        """Return scores as they are displayed, with the opposite sign if `more_is_better`."""
        return -scores if self.more_is_better else scores

    def considered(self, position: Position) -> Ids | None:
        """Return the indices of the guesses to score, in the game's order, or None for all.

        Hard mode is ignored if it allows no guess, which can happen on several boards.
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

    def informative(self, position: Position) -> Ids:
        """Return the indices of the considered guesses that give information, in the game's order.

        A guess gives information if it may be right, or if it splits the candidates of an open board. A guess that was
        made before does neither. If the strategy uses weights, candidates of weight 0 do not count.

        If no considered guess gives information, the allowed candidates are tried, and then all allowed guesses. On
        several boards in hard mode, possibly no allowed guess gives information. Then the allowed guesses that were not
        made before are returned.
        """
        everything = np.arange(len(position.game.guesses), dtype=np.int32)
        allowed = position.allowed
        if allowed is None or not len(allowed):
            allowed = everything
        considered = self.considered(position)
        candidates = np.intersect1d(all_candidates(position), allowed)
        for guesses in (everything if considered is None else considered, candidates, allowed):
            useful = np.zeros(len(guesses), dtype=np.bool_)
            for board in position.open_boards:
                useful |= board.chance_of(guesses) > 0 if self.weighted else board.is_candidate(guesses)
                useful |= board.costs(np.ones_like, guesses, weighted=self.weighted) > 1
            if useful.any():
                return guesses[useful]
        new = np.setdiff1d(allowed, position.guess_ids)
        return new if len(new) else allowed

    def guess(self, position: Position) -> str:
        """Return the guess with the least score among those that give information."""
        if self.opener is not None and position.turn == 1:
            return self.opener
        boards = position.open_boards
        certain = [board for board in boards if len(board.candidates) == 1]
        if position.game.hard_mode:
            certain = [board for board in certain if position.allows(board.words[0]) is None]
        if certain:
            return position.game.guesses[self._certain(certain, [board for board in boards if len(board) > 1])]
        best = self._best(boards, self.considered(position))
        if not any(is_informative(board, best, by_mass=self.weighted) for board in boards):
            best = self._best(boards, self.informative(position))
        return position.game.guesses[best]

    def _best(self, boards: Sequence[Board], guesses: Ids | None) -> int:
        """Return the index of the guess with the least score among `guesses`, or among all if it is None."""
        if self.combine == "sum":
            return self._first_of_the_least(self._total(boards, guesses), boards, guesses)
        choices = self._choices(boards, guesses)
        least = min(score for score, _ in choices) + self.equal_within(boards)
        return next(guess for score, guess in choices if score <= least)

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
        """Return the result of `make` for each board. On several boards, results for all guesses are cached."""
        if guesses is not None or boards[0].game.boards == 1:
            return [make(board) for board in boards]
        return [scores_of(self, board.key, partial(make, board))[1] for board in boards]

    def equal_within(self, boards: Sequence[Board]) -> float:
        """Return the largest difference between scores on these boards that counts as a tie."""
        return self.tolerance * self.unit(boards)

    def unit(self, boards: Sequence[Board]) -> float:
        """Return the unit of `tolerance`: 1, or the largest mass of a board if weights leave less than 1 on each."""
        if not (self.weighted and boards[0].game.is_weighted):
            return 1.0
        return min(1.0, max(board.mass for board in boards))

    def _first_of_the_least(self, scores: Floats, boards: Sequence[Board], guesses: Ids | None) -> int:
        """Return the index of the guess with the least total score on these boards. Ties are decided by `ties`."""
        least = np.minimum.reduce(scores)
        if np.isnan(least):
            raise StrategyError("the scores of a guess are infinity on one board and minus infinity on another")
        tied = np.flatnonzero(scores <= least + self.equal_within(boards))
        return first_of_ties(tied if guesses is None else guesses[tied], boards, self.ties, weighted=self.weighted)

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
    """Return the guesses that may be the answer on any open board, as indices in the game's order."""
    return np.unique(np.concatenate([board.candidate_guesses for board in position.open_boards]))


def first_of_ties(words: npt.NDArray[np.integer], boards: Sequence[Board], ties: Ties, *, weighted: bool) -> int:
    """Return which of several tied guesses to play. The guesses are given as indices in the game's order.

    If the strategy is `weighted`, words of weight 0 do not count as candidates, and separating them gives no
    information. With weights, a guess that gives no information may tie with others. So even with `list-order`, a
    candidate is preferred to such a guess.
    """
    first, game = int(words[0]), boards[0].game
    if len(words) == 1:
        return first
    if ties == "list-order" and not game.is_weighted:
        return first
    if ties == "list-order" and any(is_informative(board, first, by_mass=weighted) for board in boards):
        return first
    tied = np.zeros(len(game.guesses), dtype=np.bool_)
    tied[words] = True
    candidates = game.guess_of_answer[np.concatenate([board.candidates for board in boards])]
    preferred = candidates[tied[candidates]]
    if game.is_weighted and (weighted or ties == "likeliest-first"):
        chances = np.sum([board.chance_of(preferred) for board in boards], axis=0)
        most = chances.max(initial=0.0) - EQUAL_CHANCES if ties == "likeliest-first" else 0.0
        preferred = preferred[(chances > 0) & (chances >= most)]
    return int(preferred.min()) if len(preferred) else first


def is_informative(board: Board, guess: int, *, by_mass: bool) -> bool:
    """Return whether the guess with this index may be right or splits the candidates.

    With `by_mass`, candidates of weight 0 do not count, unless all candidates have weight 0.
    """
    candidates = board.candidates[board.weights > 0] if by_mass else board.candidates
    if (board.game.guess_of_answer[candidates] == guess).any():
        return True
    codes = board.game.table.column(guess, candidates)
    return bool((codes != codes[0]).any())
