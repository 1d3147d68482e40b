"""Strategies that score a guess by how it splits the candidates: authors give a cost of part size, nothing more."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from wordle_kit.errors import GameError, StrategyError
from wordle_kit.game.game import Game
from wordle_kit.game.table import MEBIBYTE, Floats, Ids
from wordle_kit.names import shown
from wordle_kit.strategy.board import Board
from wordle_kit.strategy.lru_cache import Arrays, LRUCache
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy

TOLERANCE = 1e-9

SCORES = LRUCache(256 * MEBIBYTE)
"""Scores in games of several boards, where the same candidates occur again and again."""

Pool = Literal["guesses", "candidates"]
Ties = Literal["candidates-first", "list-order"]
Combine = Literal["sum", "min"]
Bits = Literal["gained", "missing"]


class PartitionStrategy(Strategy):
    """Plays the guess whose parts cost least.

    A subclass gives `part_cost`; the cost of a guess on a board is the sum over its parts (`over_parts = "max"`: the
    largest), then `finish`ed. Of equal guesses (within 1e-9) the first in the game's order is played, and with
    `ties=candidates-first` one that may itself be the answer before all others.

    On several boards the scores on the open ones are added up (`combine=sum`), or each board has its own best guess and
    the first board whose best is the least decides (`combine=min`). A board with a single candidate is solved at once;
    of several such words the one that solves the most boards, then the one that is best on the others, is played
    (`combine=min`: that of the first board). Scores must depend on nothing but the board's candidates and the guess.
    """

    pool: Pool = "guesses"
    """Which words are considered: every guess of the game, or only those that may still be an answer."""
    ties: Ties = "candidates-first"
    combine: Combine = "sum"
    endgame: int = 0
    """With this many candidates or fewer on the open boards together, only candidates are considered."""
    opener: str | None = None
    """The first guess, if it is not to be computed."""

    over_parts: ClassVar[Literal["sum", "max"]] = "sum"

    more_is_better: ClassVar[bool] = False
    """Whether people expect its score with the sign turned round, as bits gained are; only what is shown changes."""

    bits: ClassVar[Bits | None] = None
    """Whether its shown scores are bits that a guess gains, or bits still missing after it; None for anything else."""

    tolerance: ClassVar[float] = TOLERANCE
    """Scores that differ by no more than this are equal."""

    @abstractmethod
    def part_cost(self, size: Floats) -> Floats:
        """Return what parts of these sizes cost, float64[n]; size is float64[n], every one at least 1."""

    def finish(self, cost: Floats, board: Board, guesses: Ids | None) -> Floats:
        """Return the scores of guesses on a board, float64[n_guesses], from their costs: here per candidate.

        `guesses` are the indices of the guesses that the costs belong to, or None for all, and
        `board.is_candidate(guesses)` says which of them may be the answer.
        """
        return cost / len(board)

    def groups(self, game: Game) -> npt.NDArray[np.integer] | None:
        """Return a group from 0 up for each code, int[n_codes], to count parts as one; None keeps them apart."""
        return None

    def scores(self, board: Board, guesses: Ids | None) -> Floats:
        """Return the scores of guesses on a board, float64[n_guesses]; override it where one cost is not enough."""
        cost = board.costs(self.part_cost, guesses, self.over_parts, self.groups(board.game))
        return self.finish(cost, board, guesses)

    def checked_scores(self, board: Board, guesses: Ids | None) -> Floats:
        """Return the scores of guesses. Raises StrategyError, naming a guess without one, where they cannot be used."""
        scores: object = self.scores(board, guesses)
        n_guesses = len(board.game.guesses) if guesses is None else len(guesses)
        wanted = f"finish and scores return a score for each guess, float64[{n_guesses}]"
        if not isinstance(scores, np.ndarray) or scores.dtype.kind not in "biuf":
            raise StrategyError(f"the scores are {shown(scores)}; {wanted}")
        if scores.shape != (n_guesses,):
            raise StrategyError(f"the scores are an array of shape {scores.shape}; {wanted}")
        if n_guesses and np.isnan(scores.min()):
            at = int(np.isnan(scores).argmax())
            guess = board.game.guesses[at if guesses is None else int(guesses[at])]
            raise StrategyError(f"the score of the guess {guess!r} is nan; {wanted}")
        return scores

    def shown(self, scores: Floats) -> Floats:
        """Return scores as people expect to see them."""
        return -scores if self.more_is_better else scores

    def considered(self, position: Position) -> Ids | None:
        """Return the indices of the guesses to score, in the game's order, or None for all.

        Where hard mode leaves no guess, which happens on several boards, it is as if it were off.
        """
        allowed = position.allowed
        if allowed is not None and not len(allowed):
            allowed = None
        if self.pool == "guesses" and sum(map(len, position.open_boards)) > self.endgame:
            return allowed
        candidates = np.unique(np.concatenate([board.candidate_guesses for board in position.open_boards]))
        if allowed is None:
            return candidates
        both = np.intersect1d(candidates, allowed)
        return both if len(both) else allowed

    def guess(self, position: Position) -> str:
        """Return the guess with the least score."""
        if self.opener is not None and position.turn == 1:
            return self.opener
        boards = position.open_boards
        certain = [board for board in boards if len(board) == 1 and position.allows(board.words[0]) is None]
        if certain:
            return position.game.guesses[self._certain(certain, [board for board in boards if len(board) > 1])]
        guesses = self.considered(position)
        if self.combine == "sum":
            best = self._first_of_the_least(self._total(boards, guesses), boards, guesses)
        else:
            choices = self._choices(boards, guesses)
            least = min(score for score, _ in choices)
            best = next(guess for score, guess in choices if score <= least + self.tolerance)
        return position.game.guesses[best]

    def _certain(self, certain: Sequence[Board], others: Sequence[Board]) -> int:
        """Return the index of the guess to make of those that are sure to solve a board."""
        boards_of = Counter(int(board.candidate_guesses[0]) for board in certain)
        if self.combine == "min" or len(boards_of) == 1:
            return next(iter(boards_of))
        most = max(boards_of.values())
        guesses = np.array(sorted(guess for guess, count in boards_of.items() if count == most), dtype=np.int32)
        if len(guesses) == 1 or not others:
            return int(guesses[0])
        return self._first_of_the_least(self._total(others, guesses), others, guesses)

    def _total(self, boards: Sequence[Board], guesses: Ids | None) -> Floats:
        """Return the sum over the boards of the scores of guesses, float64[n_guesses]."""
        each = self._for_each(boards, guesses, lambda board: (self.checked_scores(board, guesses),))
        (total,) = each[0]
        for number, (scores,) in enumerate(each[1:]):
            total = np.add(total, scores, out=total if number else None)
        return total

    def _choices(self, boards: Sequence[Board], guesses: Ids | None) -> list[tuple[float, int]]:
        """Return for each board the least score and the guess that has it."""

        def choice(board: Board) -> Arrays:
            scores = self.checked_scores(board, guesses)
            best = self._first_of_the_least(scores, [board], guesses)
            return np.array([scores.min()]), np.array([best], dtype=np.int32)

        return [(float(score[0]), int(best[0])) for score, best in self._for_each(boards, guesses, choice)]

    def _for_each(self, boards: Sequence[Board], guesses: Ids | None, make: Callable[[Board], Arrays]) -> list[Arrays]:
        """Return what `make` returns for each board; on several boards, what concerns all guesses is remembered."""
        if guesses is not None or boards[0].game.boards == 1:
            return [make(board) for board in boards]
        mine = type(self), repr(self)
        return [SCORES.get((mine, board.key), partial(make, board)) for board in boards]

    def _first_of_the_least(self, scores: Floats, boards: Sequence[Board], guesses: Ids | None) -> int:
        """Return the index of the guess to make, by the scores of guesses on these boards together."""
        least = scores <= scores.min() + self.tolerance
        if self.ties == "candidates-first":
            possible = least & np.logical_or.reduce([board.is_candidate(guesses) for board in boards])
            least = possible if possible.any() else least
        best = int(least.argmax())  # the first
        return best if guesses is None else int(guesses[best])

    def problem_with(self, game: Game) -> str | None:
        """Return that the opener is no guess of the game, if so."""
        if self.opener is None or self.opener in game.guess_ids:
            return None
        try:
            game.word(self.opener)
        except GameError as error:
            return f"opener: {error}"
        return f"opener: {self.opener!r} is not among the guesses of {game.name}"
