"""How a submission is played: behind the pipe, on puzzles from which nothing can be remembered."""

import random
import secrets
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict
from wordle_kit_plugins.classroom.assignment import Assignment
from wordle_kit_plugins.classroom.submissions import Submission

from wordle_kit.errors import MachineError
from wordle_kit.game.game import Game
from wordle_kit.programs.program import Program
from wordle_kit.programs.protocol import ProgramError
from wordle_kit.programs.sandbox import Sandbox
from wordle_kit.strategy.position import Position
from wordle_kit.texts import line
from wordle_kit.tournaments.puzzles import Drawing, Puzzles, choose_puzzles
from wordle_kit.tournaments.referee import NOT_ASKED, Failure, Referee
from wordle_kit.tournaments.runs import Outcome, Play

DRAWS = 2000
"""The number of puzzles of a random strategy, or of any in a large game. Each submission has its own."""

AGAIN = 50
"""The number of puzzles that are played again in a new process, to see whether the guesses are the same."""

MOST_IN_A_ROW = 4
"""How many guesses may be late one after another. Then a submission is not asked any more."""


class Played(BaseModel):
    """A puzzle of a submission: the hidden words, the guesses with their feedback, and how it ended."""

    model_config = ConfigDict(frozen=True)

    puzzle: tuple[str, ...]
    guesses: tuple[str, ...]
    feedback: tuple[tuple[str, ...], ...]
    outcome: Outcome
    turns: int | None
    message: str
    asked: bool = True
    """Whether the submission was asked for every guess of it."""

    @classmethod
    def of(cls, play: Play) -> "Played":
        """Return a play in the form in which results are kept."""
        asked = not play.message.startswith(NOT_ASKED)
        return cls(**{name: getattr(play, name) for name in cls.model_fields if name != "asked"}, asked=asked)


class Result(BaseModel):
    """What a submission did: why it does not load, or its plays."""

    model_config = ConfigDict(frozen=True)

    problem: str = ""
    stochastic: bool = False
    is_tree: bool = False
    """Whether it has played every answer, so that its figures are exact."""
    plays: tuple[Played, ...] = ()
    difference: str = ""
    """What it did differently when it was asked again in a new process, if anything."""

    late: int = 0
    """How often it was asked for a guess that was late."""


class Budgeted(Referee):
    """A referee that asks only while there is time left, and a strategy is not always late."""

    until = float("inf")
    """The end of the time for all guesses, as `time.monotonic` counts it."""
    late = late_in_a_row = 0

    def ask(self, position: Position) -> int | Failure:
        """Ask the strategy for a guess in a position, if there is time left for it."""
        if self.late_in_a_row >= MOST_IN_A_ROW:
            why = f"{self.late_in_a_row} guesses in a row took too long"
            return Failure(Outcome.TIMED_OUT, NOT_ASKED + why)
        if time.monotonic() > self.until:
            return Failure(Outcome.TIMED_OUT, f"{NOT_ASKED}its time was spent")
        decision = super().ask(position)
        is_late = isinstance(decision, Failure) and decision.outcome is Outcome.TIMED_OUT
        self.late += is_late
        self.late_in_a_row = self.late_in_a_row + 1 if is_late else 0
        return decision


def play_submission(assignment: Assignment, submission: Submission, sandbox: Sandbox | None) -> Result:
    """Play a submission and return what it did.

    One that is not random plays all answers at once as a tree, asked once in each position. A random one, and any in a
    large game, plays draws made for it alone. So nothing that it remembers says anything about what is still hidden.
    """
    if submission.problem:
        return Result(problem=submission.problem)
    with tempfile.TemporaryDirectory(prefix="wordle-kit-") as folder:
        Path(folder).chmod(0o755)
        file = Path(folder, f"submission{Path(submission.file).suffix.lower()}")
        file.write_bytes(submission.code)
        file.chmod(0o644)
        rules = assignment.definition
        program = Program.serving(file, sandbox, allow=rules.allow, forbid=rules.forbid, name=submission.file)
        try:
            return _play(assignment, program)
        finally:
            program.stop()


def _play(assignment: Assignment, program: Program) -> Result:
    game = assignment.game
    try:
        program.start(game, assignment.definition.deadline)
    except ProgramError as error:
        if error.died:  # else it failed to prepare, which is a crash of each play
            return Result(problem=line(str(error).removeprefix(f"cannot play {game.name}: "), 600))
    is_tree = assignment.has_tree and not program.stochastic
    puzzles = choose_puzzles(game, None) if is_tree else draws(game, DRAWS)
    until = time.monotonic() + assignment.definition.budget
    key = secrets.token_hex()
    first = _referee(assignment, program, key, until)
    plays = first.play(puzzles)
    whole = [number for number, play in enumerate(plays) if not play.outcome.is_fault]
    some = sorted(random.SystemRandom().sample(whole, min(AGAIN, len(whole))))
    program.stop()
    second = _referee(assignment, program, key, until).play(puzzles.chosen(some), some) if some else []
    difference = ""
    for number, again in zip(some, second, strict=True):
        if not difference and not again.message.startswith(NOT_ASKED) and again.guesses != plays[number].guesses:
            difference = _difference(plays[number], again)
    return Result(
        stochastic=program.stochastic,
        is_tree=is_tree,
        plays=tuple(map(Played.of, plays)),
        difference=difference,
        late=first.late,
    )


def _referee(assignment: Assignment, program: Program, key: str, until: float) -> Budgeted:
    referee = Budgeted(assignment.game, program, key, assignment.definition.deadline)
    referee.until = until
    return referee


def _difference(play: Play, again: Play) -> str:
    """Return what a strategy did differently when it played a puzzle again."""
    for turn, (guess, instead) in enumerate(zip(play.guesses, again.guesses, strict=False), start=1):
        if guess != instead:
            return f"it guessed {instead!r} after guessing {guess!r} before, at guess {turn} of {play.puzzle[0]!r}"
    return f"it made {len(again.guesses)} guesses after {len(play.guesses)} before, for {play.puzzle[0]!r}"


def draws(game: Game, count: int) -> Puzzles:
    """Return puzzles for one submission, drawn with replacement from the system's source of random numbers.

    Answers are drawn in proportion to their weights, if the game has any. Nobody can predict or repeat the draws.
    """
    drawing = Drawing(game.answer_weights.tolist(), random.SystemRandom())
    ids = tuple(drawing.draw(game.boards, repeats=False) for _ in range(count))
    return Puzzles(game, ids, f"{count:,} draws of its own", is_sample=True)


def check_machine(result: Result) -> None:
    """Raise MachineError if the starter could not be played: then nobody can be."""
    faults = [play for play in result.plays if play.outcome in (Outcome.CRASHED, Outcome.TIMED_OUT)]
    problem = result.problem or (f"{faults[0].outcome}: {faults[0].message}" if faults else "")
    if problem:
        raise MachineError(f"nobody was graded, since the starter could not be played: {problem}")


def counted(plays: Sequence[Played], cap: int) -> list[int]:
    """Return the number of guesses that each play counts as: those of a solved one, else one more than the cap."""
    return [cap + 1 if play.turns is None else play.turns for play in plays]
