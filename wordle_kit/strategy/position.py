"""A position: everything that a player knows before a guess."""

import hashlib
import math
import numbers
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from wordle_kit.errors import GameError, StrategyError, listed
from wordle_kit.game.checked_rules import hard_mode_problem
from wordle_kit.game.game import Game
from wordle_kit.game.rules import Feedback
from wordle_kit.game.table import Ids
from wordle_kit.game.words import frozen
from wordle_kit.strategy.board import Board
from wordle_kit.texts import short_repr


@dataclass(frozen=True, eq=False, repr=False)
class Position:
    """Everything that a player knows before a guess: the boards, the turn and the guesses so far.

    A strategy that uses only the position makes the same guess in any process, at any time and in any order of puzzles.
    """

    game: Game
    boards: Sequence[Board]
    """All boards, solved or not."""
    guess_ids: tuple[int, ...] = ()
    """The indices of the guesses so far."""
    seed: str | None = None
    """The seed of `rng`."""
    deadline: float | None = None
    """The seconds that this decision may take, or None if there is no limit.

    Use it to decide how many nodes to search, but do not watch the clock: guesses must not depend on a machine's speed.
    """
    notes: dict[str, float] = field(default_factory=dict)
    """The totals of the numbers that `note` has added in this play so far."""

    @classmethod
    def start(cls, game: Game, seed: str | None = None) -> "Position":
        """Return the position before the first guess."""
        if not isinstance(game, Game):
            raise GameError(f"{short_repr(game)} is not a Game; give what wordle_kit.load_game returns")
        everything = frozen(np.arange(len(game.answers), dtype=np.int32))
        return cls(game, (Board(game, everything),) * game.boards, seed=seed)

    @cached_property
    def open_boards(self) -> tuple[Board, ...]:
        """The boards that are not solved yet."""
        return tuple([board for board in self.boards if not board.is_solved])

    @property
    def turn(self) -> int:
        """The number of the next guess, counted from 1."""
        return len(self.guess_ids) + 1

    @property
    def guesses(self) -> tuple[str, ...]:
        """The guesses so far."""
        return tuple(self.game.guesses[i] for i in self.guess_ids)

    @property
    def board(self) -> Board:
        """The only board or, on several boards, the open board with the fewest candidates."""
        return min(self.open_boards or self.boards, key=len)

    @cached_property
    def rng(self) -> random.Random:
        """A generator of random numbers for strategies that declare `stochastic = True`.

        The numbers depend only on the tournament's seed, the strategy, the puzzle and the turn.
        """
        digest = hashlib.sha256(f"{self.seed}|{self.turn}".encode()).digest()
        return random.Random(int.from_bytes(digest, "big"))

    def note(self, **numbers: float) -> None:
        """Add numbers to the notes of this play, such as `calls=1, tokens=210`. They are stored as `Play.notes`.

        Metrics can use them. A deterministic strategy is asked only once for puzzles that reach the same position; the
        notes then go to the first of these puzzles. Raises StrategyError for a value that is not a finite number.
        """
        for name, number in numbers.items():
            value = number.item() if isinstance(number, np.generic) else number
            total = self.notes.get(name, 0) + value if type(value) in (int, float) else math.nan
            if not name.isidentifier() or not math.isfinite(total):
                raise StrategyError(f"note: {short_repr(name)} is {short_repr(number)}; give finite numbers by name")
            self.notes[name] = total

    @cached_property
    def allowed(self) -> Ids | None:
        """The indices of the guesses that hard mode allows here, or None if every guess is allowed."""
        if not self.game.hard_mode or not self.guess_ids:
            return None
        masks = [
            self.game.allowed_after(guess, code)
            for board in self.open_boards
            for guess, code in zip(self.guess_ids, board.codes, strict=True)
        ]
        return frozen(np.flatnonzero(np.logical_and.reduce(masks)).astype(np.int32)) if masks else None

    def problem_with(self, guess: str) -> str | None:
        """Return why a guess is not allowed here, or None if it is."""
        guess_id = self.game.guess_index.get(guess) if isinstance(guess, str) else None
        if guess_id is None:
            return f"{short_repr(guess)} is not among the guesses of {self.game.name}"
        return self._hard_mode_problem(guess) if self.game.hard_mode else None

    def after(self, guess: str | int, feedback: Iterable[int | str | Feedback] | str | Feedback) -> "Position":
        """Return the position after a guess got this feedback.

        Give a list with the feedback on each board or, in a game with one board, the feedback itself: a code, a text of
        digits, letters or tiles, or a Feedback. On a solved board, it is ignored. Raises GameError for an invalid guess
        or invalid feedback, and if no candidate is left.
        """
        guess_id = self.game.index_of_guess(guess)
        given = [feedback] if isinstance(feedback, Feedback) else listed(feedback)
        if len(given) != len(self.boards):
            raise GameError(f"{self.game.name} has {len(self.boards)} boards; give feedback on each, not {len(given)}")
        boards = []
        for number, (board, seen) in enumerate(zip(self.boards, given, strict=True), start=1):
            try:
                boards.append(board if board.is_solved else board.after(guess_id, _code(self.game, seen)))
            except GameError as error:
                if len(given) == 1:
                    raise
                raise GameError(f"board {number}: {error}") from error
        return replace(self, boards=tuple(boards), guess_ids=(*self.guess_ids, guess_id), notes={})

    def __repr__(self) -> str:
        if not self.guess_ids:
            return f"<Position in {self.game.name}: no guess yet>"
        seen = [
            f"{guess} "
            + "/".join(str(board.feedback[turn]) if turn < len(board.codes) else "-" for board in self.boards)
            for turn, guess in enumerate(self.guesses)
        ]
        left = ", ".join("solved" if board.is_solved else f"{len(board)} left" for board in self.boards)
        return f"<Position in {self.game.name}: {', '.join(seen)}; {left}>"

    def _hard_mode_problem(self, guess: str) -> str | None:
        split = self.game.alphabet.split
        word = split(guess)
        for number, board in enumerate(self.boards, start=1):
            for earlier, code in () if board.is_solved else zip(self.guesses, board.codes, strict=True):
                problem = hard_mode_problem(self.game.rule, word, split(earlier), code, self.game.alphabet)
                if problem is not None:
                    where = f" on board {number}" if len(self.boards) > 1 else ""
                    seen = self.game.feedback_of(code)
                    return f"{guess!r} is not allowed in hard mode{where}: {problem}, since {earlier!r} got {seen}"
        return None


def _code(game: Game, feedback: int | str | Feedback) -> int:
    if isinstance(feedback, str):
        return game.read_feedback(feedback).code
    code = feedback.code if isinstance(feedback, Feedback) else feedback
    if not isinstance(code, numbers.Integral) or not 0 <= code < game.table.n_codes:
        last = game.table.n_codes - 1
        raise GameError(f"{short_repr(code)} is not a feedback code of {game.name}; they go from 0 to {last}")
    return int(code)
