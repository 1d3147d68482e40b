"""The referee: asks a strategy for guesses, checks them, gets the host's answers, and says how each play ended."""

import hashlib
import itertools
import json
import random
import signal
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from wordle_kit.compiled_code import compiled_function, compiling
from wordle_kit.deadline import LONGEST_DEADLINE, Deadline, DeadlinePassed
from wordle_kit.errors import MachineError, RuleError, shortage
from wordle_kit.faults import blamed_line, send_traceback
from wordle_kit.game.game import Game
from wordle_kit.game.table import Ids
from wordle_kit.programs.program import Program
from wordle_kit.programs.protocol import ProgramError
from wordle_kit.strategy.board import Board
from wordle_kit.strategy.costs import load_kernels
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.texts import line, raised, shown
from wordle_kit.tournaments.host import answer_of, words_of
from wordle_kit.tournaments.puzzles import Puzzles
from wordle_kit.tournaments.runs import Outcome, Play

IN_PREPARE = "prepare: "
"""How a failure's message begins if the strategy failed to prepare for the game."""

NOT_ASKED = "it was not asked any more: "
"""How a failure's message begins if the strategy was not asked for the guess."""

LONGEST_MESSAGE = 300
"""The most characters that are kept of a strategy's own message."""

PREPARING = 60.0
"""The seconds that a strategy may take to prepare for a game."""

BUSY = 10
"""How much longer than measured the engine's work may take, since the machine may be busy."""

RESTARTS, RESTARTS_PER = 20, 256
"""How often a program that ended is started again within so many puzzles."""

MOST_LATE = 3
"""How many decisions in a row may be late in the first group of puzzles of a run. Then the run ends."""

LATE = f"{NOT_ASKED}{MOST_LATE} guesses in a row took too long"


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a strategy gave no valid guess, which ends its play."""

    outcome: Outcome
    message: str
    died: bool = False
    """Whether it is a program that has ended."""
    short: bool = False
    """Whether the machine ran out of memory or another resource."""

    @property
    def is_unsure(self) -> bool:
        """Whether the machine may have caused the failure, so that another attempt may succeed."""
        return self.died or self.short or self.outcome is Outcome.TIMED_OUT

    def at(self, turn: int) -> "Failure":
        """Return the failure with a message that names the guess."""
        return replace(self, message=f"{self.message}, at guess {turn}")


Decision = int | Failure
"""The index of the guess, or a Failure if there is none."""


class Referee:
    """Plays puzzles with one strategy.

    A deterministic strategy is asked once for each position. All puzzles that reach the position share its guess, and
    later calls of `play` reuse it. A stochastic strategy plays each puzzle separately. Its random numbers depend on
    `key`, the strategy, the puzzle's number and the position.
    """

    def __init__(
        self,
        game: Game,
        strategy: Strategy,
        key: str,
        deadline: float,
        watchdog: Path | None = None,
    ) -> None:
        self.game = game
        self.strategy = strategy
        self.key = key
        self.seconds_each = deadline
        # Programs keep their deadlines themselves, since starting one again is not part of a decision.
        self.deadline = Deadline(LONGEST_DEADLINE if strategy.is_program else deadline, watchdog)
        self.calls = 0
        self.seconds = 0.0
        self.unsure = 0
        self._start = Position.start(game)
        self._is_ready = False
        self._unready: Failure | None = None
        """Why the strategy could not prepare for the game."""
        self._known: dict[Any, Decision] = {}
        self._notes: dict[str, float] = {}
        """The notes of the play for which the strategy is being asked."""
        self._deaths = self._most_deaths = 0
        self._gives_up = False
        self._late_in_a_row = 0
        self._shown = cache(lambda code: str(game.show(code)))

    @property
    def is_hopeless(self) -> bool:
        """Whether the strategy is not asked any more, since it was late too often in a row."""
        return self._gives_up and self._late_in_a_row >= MOST_LATE

    def play(self, puzzles: Puzzles, numbers: Sequence[int] | None = None, *, gives_up: bool = False) -> list[Play]:
        """Return the play of each puzzle. `numbers` are the numbers of the puzzles within their run, from 0.

        With `gives_up`, a strategy that is late MOST_LATE times in a row is not asked any more. Afterwards, `calls`
        says how often the strategy was asked, `seconds` how long it took, and `unsure` how many of these plays are
        unsure.
        """
        plays: dict[int, Play] = {}
        self._gives_up, self._late_in_a_row = gives_up, 0
        self._deaths = self.unsure = 0
        self._most_deaths = RESTARTS * -(-len(puzzles) // RESTARTS_PER)
        try:
            if self.strategy.stochastic:
                order = list(enumerate(range(len(puzzles)) if numbers is None else numbers))
                if self.strategy.is_program:
                    random.SystemRandom().shuffle(order)  # else it could count puzzles and predict the next
                for puzzle, number in order:
                    plays.update(self._play_from([puzzle], puzzles, number))
            elif not puzzles.is_usual:  # each game may begin in a different position, or get different answers
                for puzzle in range(len(puzzles)):
                    plays.update(self._play_from([puzzle], puzzles))
            else:
                plays.update(self._play_from(list(range(len(puzzles))), puzzles))
        finally:
            self.deadline.stop()
        return [plays[puzzle] for puzzle in range(len(puzzles))]

    def _play_from(self, members: list[int], puzzles: Puzzles, number: int = 0) -> Iterator[tuple[int, Play]]:
        """Yield the number and the play of each puzzle. For a single puzzle, `number` is its number within the run."""
        waiting = [(self._start if puzzles.is_usual else puzzles.start(members[0]), members)]
        notes: dict[int, dict[str, float]] = {puzzle: {} for puzzle in members}
        while waiting:
            position, members = waiting.pop()
            if not position.open_boards:
                turns = len(position.guess_ids)
                outcome = Outcome.OUT_OF_GUESSES if turns > self.game.max_guesses else Outcome.SOLVED
                end: tuple[Outcome, int | None, str] = (outcome, turns, "")
            else:
                self._notes = notes[members[0]]
                decision = self._decide(position, number)
                if not isinstance(decision, Failure):
                    waiting += self._move(position, decision, members, puzzles)
                    continue
                self._deaths += decision.died
                self.unsure += len(members) * decision.is_unsure
                end = (decision.outcome, None, decision.message)
            guesses, seen = position.guesses, self._seen(position)
            for puzzle in members:
                words = words_of(puzzles.host_of(puzzle), position)
                yield puzzle, Play(words, guesses, seen, *end, notes[puzzle])

    def _seen(self, position: Position) -> tuple[tuple[str, ...], ...]:
        shown = [[self._shown(code) for code in board.codes] for board in position.boards]
        return tuple(itertools.zip_longest(*shown, fillvalue=""))

    def _move(
        self, position: Position, guess: int, members: list[int], puzzles: Puzzles
    ) -> Iterable[tuple[Position, list[int]]]:
        """Yield each position that follows a guess, with the puzzles that reach it."""
        guess_ids = (*position.guess_ids, guess)
        if len(members) == 1:
            codes = answer_of(puzzles.host_of(members[0]), position, guess)
            boards = [_after(board, guess, code) for board, code in zip(position.boards, codes, strict=True)]
            yield Position(self.game, boards, guess_ids), members
            return
        movers: dict[tuple[int, ...], list[int]] = {}
        answers = np.array([puzzles.ids[puzzle] for puzzle in members], dtype=np.int32)
        columns = [self.game.table.column(guess, each).tolist() for each in answers.T]
        for puzzle, codes in zip(members, zip(*columns, strict=True), strict=True):
            movers.setdefault(codes, []).append(puzzle)
        parts = [None if board.is_solved else board.parts(guess) for board in position.boards]
        for codes, puzzles_there in sorted(movers.items()):  # not in the order of the puzzles, which would be a hint
            boards = [_after(*each) for each in zip(position.boards, itertools.repeat(guess), codes, parts)]
            yield Position(self.game, boards, guess_ids), puzzles_there

    def _decide(self, position: Position, number: int) -> Decision:
        if position.turn > self.game.cap:
            return Failure(Outcome.OUT_OF_GUESSES, f"not solved in {self.game.cap} guesses")
        # Deaths are counted by position, so that the result does not depend on which worker plays a chunk.
        if self._deaths > self._most_deaths:
            why = f"{NOT_ASKED}its process ended {self._deaths} times in this group of puzzles"
            return Failure(Outcome.CRASHED, why)
        if self.is_hopeless:
            return Failure(Outcome.TIMED_OUT, LATE)
        key = position.guess_ids, *(board.codes for board in position.boards)
        if key in self._known:
            return self._known[key]
        decision = self.ask(self._with_chance(position, number))
        is_late = isinstance(decision, Failure) and decision.outcome is Outcome.TIMED_OUT
        self._late_in_a_row = self._late_in_a_row + 1 if is_late else 0
        if not self.strategy.stochastic:  # which decides anew for each puzzle
            self._known[key] = decision
        return decision

    def _with_chance(self, position: Position, number: int) -> Position:
        """Return a position with the random numbers of a random strategy, unless it has some.

        They depend on the strategy, the number of the play and the feedback so far. They do not depend on the hidden
        words, so they reveal nothing about them.
        """
        strategy = self.strategy
        if not strategy.stochastic or position._seed is not None:
            return position
        seen = [position.guess_ids, [board.codes for board in position.boards]]
        facts = (self.key, strategy.name, strategy.version, strategy.parameters(), number, seen)
        seed = hashlib.sha256(json.dumps(facts, default=repr).encode()).hexdigest()
        return Position(self.game, position.boards, position.guess_ids, seed)

    def decide(self, position: Position, number: int = 0) -> Decision:
        """Return the index of the strategy's guess in a position, or a Failure, without using known decisions.

        `number` is that of the play within its run. It matters to random strategies only.
        """
        self._notes = {}
        try:
            return self.ask(self._with_chance(position, number))
        finally:
            self.deadline.stop()

    def ask(self, position: Position) -> Decision:
        """Ask the strategy for a guess in a position, even if its guess is known."""
        self.calls += 1
        failure = self._get_ready()
        if failure is not None:
            return failure.at(position.turn)
        try:
            asked = position.copy(self.seconds_each, self._notes)
            guess, taken = self.deadline.call(partial(attempt, self.strategy), asked, self._more(position))
        except DeadlinePassed as passed:
            self.seconds += self.seconds_each
            late = f"took more than {self.seconds_each:g} s for guess {position.turn}"
            compiled = compiled_function(passed)
            return Failure(Outcome.TIMED_OUT, late if compiled is None else f"{late}: {compiling(compiled)}")
        self.seconds += taken
        if isinstance(guess, Failure):
            return guess.at(position.turn)
        problem = position.allows(guess)
        if problem is not None:
            return Failure(Outcome.ILLEGAL, line(problem, LONGEST_MESSAGE)).at(position.turn)
        return self.game.guess_ids[guess]

    def _get_ready(self) -> Failure | None:
        """Make what the deadline does not apply to, before the first guess. Return why that failed, or None.

        A program is started, and started again if it has ended. Any other strategy prepares for the game once.
        """
        if self._is_ready:
            return self._unready
        self.game.table.prepare()
        if isinstance(self.strategy, Program):  # which may end at any time
            try:
                self.strategy.start(self.game, self.seconds_each)
            except ProgramError as error:
                return failure_of(error)
            return None
        load_kernels(self.game)
        limit = Deadline(PREPARING, self.deadline.watchdog)
        try:
            self._unready, _ = limit.call(partial(prepared, self.strategy), self.game, self._more(self._start))
        except DeadlinePassed:
            self._unready = Failure(Outcome.TIMED_OUT, f"{IN_PREPARE}took more than {PREPARING:g} s")
        finally:
            limit.stop()
        self._is_ready = True
        return self._unready

    def _more(self, position: Position) -> float:
        """Return the seconds for the engine's work if codes are not kept: it does not make the strategy late."""
        if self.game.table.is_dense:
            return 0.0
        return BUSY * self.game.table.seconds * sum(map(len, position.open_boards)) / len(self.game.answers)


def _after(board: Board, guess: int, code: int, parts: dict[int, Ids] | None = None) -> Board:
    """Return a board after the host gave a code to a guess. `parts` are the parts of that guess.

    At least one candidate has this code.
    """
    if board.is_solved:
        return board
    if parts is not None:
        return board.with_part(code, parts[code])
    return board.with_part(code, board.candidates) if len(board.candidates) == 1 else board.after(guess, code)


# The code of strategies


def attempt(strategy: Strategy, position: Position) -> str | Failure:
    """Return a strategy's guess, or a Failure if it gave none. The code of strategies runs only in here."""
    try:
        guess = strategy.guess(position)
    except (DeadlinePassed, MachineError, RuleError):  # not the strategy's fault
        raise
    except ProgramError as error:
        return failure_of(error)
    except BaseException as error:
        return crash(error, strategy)
    if isinstance(guess, str):
        return guess
    missing = " (missing `return`?)" if guess is None else ""
    return Failure(Outcome.ILLEGAL, f"returned {shown(guess, LONGEST_MESSAGE)}, not a word{missing}")


def prepared(strategy: Strategy, game: Game) -> Failure | None:
    """Have a strategy prepare for a game. Return the failure if it could not, or None."""
    try:
        strategy.prepare(game)
    except (DeadlinePassed, MachineError, RuleError):  # not the strategy's fault
        raise
    except BaseException as error:
        failure = crash(error, strategy)
        return replace(failure, message=f"{IN_PREPARE}{failure.message}")
    return None


def failure_of(error: ProgramError) -> Failure:
    """Return why a program gave no guess."""
    outcome = Outcome.TIMED_OUT if error.is_late else Outcome.ILLEGAL if error.is_illegal else Outcome.CRASHED
    return Failure(outcome, line(str(error), 3 * LONGEST_MESSAGE), died=error.died)


def crash(error: BaseException, strategy: Strategy) -> Failure:
    """Return the failure of a strategy that raised an exception, which names the line of the author's code.

    A TimeoutError means that something the strategy waited for did not answer in time.
    """
    if isinstance(error, KeyboardInterrupt) and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        raise error  # the user pressed Ctrl-C; worker processes ignore it, so there the strategy itself raised it
    send_traceback(error)
    outcome = Outcome.TIMED_OUT if isinstance(error, TimeoutError) else Outcome.CRASHED
    blamed = blamed_line(error, [base.__module__ for base in type(strategy).__mro__])
    where = f" ({Path(blamed).name})" if blamed else ""
    return Failure(outcome, line(f"{raised(error)}{where}", 3 * LONGEST_MESSAGE), short=shortage(error) is not None)
