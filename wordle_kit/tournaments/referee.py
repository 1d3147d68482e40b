"""The referee: asks a strategy for guesses, checks them, gets the host's answers, and says how each play ended."""

import hashlib
import itertools
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from wordle_kit.game.game import Game
from wordle_kit.game.table import Ids
from wordle_kit.programs.program import Program
from wordle_kit.programs.protocol import ProgramError
from wordle_kit.strategy.board import Board
from wordle_kit.strategy.costs import load_kernels
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.texts import one_line
from wordle_kit.tournaments.calls import (
    IN_PREPARE,
    LONGEST_MESSAGE,
    Failure,
    call_guess,
    call_prepare,
    failure_of_program,
)
from wordle_kit.tournaments.deadline import LONGEST_DEADLINE, Deadline, DeadlinePassed
from wordle_kit.tournaments.host import answer_of, words_of
from wordle_kit.tournaments.puzzles import Puzzles
from wordle_kit.tournaments.runs import Outcome, Play, Played

PREPARE_SECONDS = 60.0
"""The number of seconds that a strategy may take to prepare for a game."""

BUSY_FACTOR = 10
"""The factor by which the engine's work may exceed its measured time, since the machine may be busy."""

RESTARTS, RESTARTS_PER = 20, 256
"""The maximum number of restarts of a program that ended, and the number of puzzles for which it holds."""

MOST_LATE = 3
"""The number of consecutive late decisions in the first chunk of a run that ends the run."""

LATE_MESSAGE = f"{MOST_LATE} guesses in a row took too long"


Decision = int | Failure
"""The index of the guess, or a Failure if there is none."""


class Referee:
    """A referee, which plays puzzles with one strategy.

    A deterministic strategy is asked once for each position: all puzzles that reach it share the guess, and later calls
    of `play` reuse it. A stochastic strategy plays each puzzle separately. Its random numbers depend on `key`, the
    strategy, the puzzle's number and the position.
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
        self.deadline = deadline
        # Programs enforce their own deadlines, since restarting one is not part of a decision.
        self._limit = Deadline(LONGEST_DEADLINE if isinstance(strategy, Program) else deadline, watchdog)
        self._played = Played([])
        self._start = Position.start(game)
        self._known: dict[Any, Decision] = {}
        self._notes: dict[str, float] = {}
        """The notes of the play for which the strategy is being asked."""
        self._deaths = self._most_deaths = 0
        self._gives_up = False
        self._late_in_a_row = 0
        self._shown = cache(lambda code: str(game.feedback_of(code)))

    def play(self, puzzles: Puzzles, numbers: Sequence[int] | None = None, *, gives_up: bool = False) -> Played:
        """Return the plays of the puzzles in their order. `numbers` are the puzzles' numbers within their run, from 0.

        With `gives_up`, a strategy that is late MOST_LATE times in a row is no longer asked.
        """
        self._played = Played([])
        self._gives_up, self._late_in_a_row, self._deaths = gives_up, 0, 0
        self._most_deaths = RESTARTS * -(-len(puzzles) // RESTARTS_PER)
        everything = range(len(puzzles))
        groups = [(list(everything), 0)]
        if self.strategy.stochastic or not puzzles.has_usual_host:  # so puzzles may diverge
            groups = [([puzzle], number) for puzzle, number in enumerate(everything if numbers is None else numbers)]
        if isinstance(self.strategy, Program):
            random.SystemRandom().shuffle(groups)  # or the strategy could count puzzles and predict the next
        plays: dict[int, Play] = {}
        try:
            for members, number in groups:
                plays.update(self._play_from(members, puzzles, number))
        finally:
            self._limit.stop()
        self._played.plays = [plays[puzzle] for puzzle in everything]
        return self._played

    def _play_from(self, members: list[int], puzzles: Puzzles, number: int) -> Iterator[tuple[int, Play]]:
        """Yield the number and the play of each puzzle. For a single puzzle, `number` is its number within the run."""
        waiting = [(self._start if puzzles.has_usual_host else puzzles.start(members[0]), members)]
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
                    waiting += self._positions_after(position, decision, members, puzzles)
                    continue
                self._deaths += decision.died
                self._played.unsure += len(members) * decision.is_unsure
                end = (decision.outcome, None, decision.message)
            guesses, seen = position.guesses, self._seen(position)
            for puzzle in members:
                words = words_of(puzzles.host_of(puzzle), position)
                yield puzzle, Play(words, guesses, seen, *end, notes[puzzle])

    def _seen(self, position: Position) -> tuple[tuple[str, ...], ...]:
        shown = [[self._shown(code) for code in board.codes] for board in position.boards]
        return tuple(itertools.zip_longest(*shown, fillvalue=""))

    def _positions_after(
        self, position: Position, guess: int, members: list[int], puzzles: Puzzles
    ) -> Iterable[tuple[Position, list[int]]]:
        """Yield each position that follows a guess, with the puzzles that reach it."""
        guess_ids = (*position.guess_ids, guess)
        if len(members) == 1:
            codes = answer_of(puzzles.host_of(members[0]), position, guess)
            boards = [_after(board, guess, code) for board, code in zip(position.boards, codes, strict=True)]
            yield Position(self.game, boards, guess_ids), members
            return
        by_codes: dict[tuple[int, ...], list[int]] = {}
        answers = np.array([puzzles.ids[puzzle] for puzzle in members], dtype=np.int32)
        columns = [self.game.table.column(guess, of_board).tolist() for of_board in answers.T]
        for puzzle, codes in zip(members, zip(*columns, strict=True), strict=True):
            by_codes.setdefault(codes, []).append(puzzle)
        parts = [None if board.is_solved else board.parts(guess) for board in position.boards]
        for codes, those in sorted(by_codes.items()):  # not in the order of the puzzles, which would be a hint
            split = zip(position.boards, codes, parts, strict=True)
            boards = [_after(board, guess, code, known) for board, code, known in split]
            yield Position(self.game, boards, guess_ids), those

    def _decide(self, position: Position, number: int) -> Decision:
        """Return the decision known for a position, or a new one if the strategy may still be asked."""
        if position.turn > self.game.cap:
            return Failure(Outcome.OUT_OF_GUESSES, f"not solved in {self.game.cap} guesses")
        # Deaths are counted by position, so that the result does not depend on which worker plays a chunk.
        if self._deaths > self._most_deaths:
            why = f"its process ended {self._deaths} times in this group of puzzles"
            return Failure(Outcome.NOT_ASKED, why)
        if self._played.is_hopeless:
            return Failure(Outcome.NOT_ASKED, LATE_MESSAGE)
        key = position.guess_ids, *(board.codes for board in position.boards)
        if key in self._known:
            return self._known[key]
        decision = self.ask(position, number)
        is_late = isinstance(decision, Failure) and decision.outcome is Outcome.TIMED_OUT
        self._late_in_a_row = self._late_in_a_row + 1 if is_late else 0
        self._played.is_hopeless = self._gives_up and self._late_in_a_row >= MOST_LATE
        if not self.strategy.stochastic:  # a stochastic one decides anew for each puzzle
            self._known[key] = decision
        return decision

    def ask(self, position: Position, number: int = 0) -> Decision:
        """Return the strategy's guess in a position, or a Failure. The strategy is asked even if its guess is known.

        `number` is the puzzle's number within its run. It matters only to random strategies.
        """
        self._played.calls += 1
        strategy = self.strategy
        # The deadline does not cover the preparation before the first guess.
        failure = self._start_program(strategy) if isinstance(strategy, Program) else self._failure_to_prepare
        if failure is not None:
            return failure.at(position.turn)
        try:
            asked = replace(self._with_chance(position, number), deadline=self.deadline, notes=self._notes)
            guess, taken = self._limit.call(partial(call_guess, strategy), asked, self._extra_seconds(position))
        except DeadlinePassed:
            self._played.seconds += self.deadline
            return Failure(Outcome.TIMED_OUT, f"took more than {self.deadline:g} s for guess {position.turn}")
        self._played.seconds += taken
        if isinstance(guess, Failure):
            return guess.at(position.turn)
        problem = position.problem_with(guess)
        if problem is not None:
            return Failure(Outcome.ILLEGAL, one_line(problem, LONGEST_MESSAGE)).at(position.turn)
        return self.game.guess_index[guess]

    def _with_chance(self, position: Position, number: int) -> Position:
        """Return a position with random numbers for a random strategy, unless it already has them.

        They depend on the strategy, the number of the puzzle and the feedback so far, but not on the hidden words, so
        they reveal nothing about them.
        """
        strategy = self.strategy
        if not strategy.stochastic or position.seed is not None:
            return position
        seen = [position.guess_ids, [board.codes for board in position.boards]]
        facts = (self.key, strategy.name, strategy.version, strategy.parameters(), number, seen)
        seed = hashlib.sha256(json.dumps(facts, default=repr).encode()).hexdigest()
        return replace(position, seed=seed)

    def _start_program(self, program: Program) -> Failure | None:
        """Start a program unless it is running. Return the failure if it did not start, or None."""
        self.game.table.prepare()
        try:
            program.start(self.game, self.deadline)
        except ProgramError as error:
            return failure_of_program(error)
        return None

    @cached_property
    def _failure_to_prepare(self) -> Failure | None:
        """The failure to prepare for the game, or None. The strategy prepares when this property is first read."""
        self.game.table.prepare()
        load_kernels(self.game)
        limit = Deadline(PREPARE_SECONDS, self._limit.watchdog)
        try:
            return limit.call(partial(call_prepare, self.strategy), self.game, self._extra_seconds(self._start))[0]
        except DeadlinePassed:
            return Failure(Outcome.TIMED_OUT, f"{IN_PREPARE}took more than {PREPARE_SECONDS:g} s")
        finally:
            limit.stop()

    def _extra_seconds(self, position: Position) -> float:
        """Return the extra seconds for the engine's work if codes are not cached, so that it makes no strategy late."""
        if self.game.table.is_dense:
            return 0.0
        return BUSY_FACTOR * self.game.table.seconds * sum(map(len, position.open_boards)) / len(self.game.answers)


def _after(board: Board, guess: int, code: int, parts: dict[int, Ids] | None = None) -> Board:
    """Return a board after the host gave a code to a guess. `parts` are the parts of that guess.

    At least one candidate has this code.
    """
    if board.is_solved:
        return board
    if parts is not None:
        return board.with_part(code, parts[code])
    return board.with_part(code, board.candidates) if len(board.candidates) == 1 else board.after(guess, code)
