"""Playing a submission through a pipe, on puzzles for which remembering earlier plays does not help."""

import random
import secrets
import tempfile
import time
from pathlib import Path

from wordle_kit_plugins.classroom.assignment import Assignment
from wordle_kit_plugins.classroom.submissions import Submission
from wordle_kit_plugins.classroom.tests import Result

import wordle_kit as wk
from wordle_kit.errors import MachineError
from wordle_kit.programs.protocol import ProgramError
from wordle_kit.texts import one_line
from wordle_kit.tournaments.calls import Failure
from wordle_kit.tournaments.referee import Referee
from wordle_kit.tournaments.runner import MAX_TREE_PUZZLES
from wordle_kit.tournaments.sources import Drawing

DRAWS = 2000
"""The number of puzzles drawn for each submission that is random, or for every submission in a large game."""

AGAIN = 50
"""The number of puzzles replayed in a new process to check whether the guesses are the same."""


class Budgeted(Referee):
    """A referee that asks only while time is left, and counts late guesses.

    `until` is the end of the time for all guesses, on the clock of `time.monotonic`.
    """

    def __init__(self, assignment: Assignment, program: wk.Program, key: str, until: float) -> None:
        super().__init__(assignment.game, program, key, assignment.definition.deadline)
        self.until = until
        self.late = 0

    def ask(self, position: wk.Position, number: int = 0) -> int | Failure:
        """Return the strategy's guess in a position, or a Failure if no time is left."""
        if time.monotonic() > self.until:
            return Failure(wk.Outcome.NOT_ASKED, "its time was spent")
        decision = super().ask(position, number)
        self.late += isinstance(decision, Failure) and decision.outcome is wk.Outcome.TIMED_OUT
        return decision


def play_submission(assignment: Assignment, submission: Submission, sandbox: wk.Sandbox | None) -> Result:
    """Play a submission and return what it did.

    A strategy that is not random plays all answers at once as a tree, asked once in each position. A random one, or any
    in a large game, plays puzzles drawn for it alone. Thus nothing that it remembers reveals words still hidden.
    """
    if submission.problem:
        return Result(problem=submission.problem)
    with tempfile.TemporaryDirectory(prefix="wordle-kit-") as folder:
        Path(folder).chmod(0o755)
        file = Path(folder, f"submission{Path(submission.file).suffix.lower()}")
        file.write_bytes(submission.code)
        file.chmod(0o644)
        rules = assignment.definition
        program = wk.Program.serving(file, sandbox, allow=rules.allow, forbid=rules.forbid, name=submission.file)
        try:
            return _play(assignment, program)
        finally:
            program.stop()


def _play(assignment: Assignment, program: wk.Program) -> Result:
    game = assignment.game
    try:
        program.start(game, assignment.definition.deadline)
    except ProgramError as error:
        if error.died:  # otherwise it failed to prepare, which counts as a crash in each play
            return Result(problem=one_line(str(error).removeprefix(f"cannot play {game.name}: "), 600))
    is_tree = may_be_tree(game) and not program.stochastic
    puzzles = wk.load_puzzles(game) if is_tree else draws(game)
    until, key = time.monotonic() + assignment.definition.budget, secrets.token_hex()
    referee = Budgeted(assignment, program, key, until)
    plays = referee.play(puzzles, gives_up=True).plays
    whole = [number for number, play in enumerate(plays) if not play.outcome.is_fault]
    some = sorted(random.SystemRandom().sample(whole, min(AGAIN, len(whole))))
    program.stop()
    difference = ""
    if some:
        second = Budgeted(assignment, program, key, until).play(puzzles.chosen(some), some, gives_up=True).plays
        differences = (_difference(plays[number], again) for number, again in zip(some, second, strict=True))
        difference = next(filter(None, differences), "")
    return Result(
        stochastic=program.stochastic, is_tree=is_tree, plays=tuple(plays), difference=difference, late=referee.late
    )


def may_be_tree(game: wk.Game) -> bool:
    """Return whether nonrandom strategies play every answer of a game. If not, every strategy plays drawn puzzles."""
    return game.boards == 1 and len(game.answers) <= MAX_TREE_PUZZLES


def _difference(play: wk.Play, again: wk.Play) -> str:
    """Return what a strategy did differently when it replayed a puzzle, or an empty text."""
    if again.guesses == play.guesses or again.outcome is wk.Outcome.NOT_ASKED:
        return ""
    for turn, (guess, instead) in enumerate(zip(play.guesses, again.guesses, strict=False), start=1):
        if guess != instead:
            return f"it guessed {instead!r} after guessing {guess!r} before, at guess {turn} of {play.puzzle[0]!r}"
    return f"it made {len(again.guesses)} guesses after {len(play.guesses)} before, for {play.puzzle[0]!r}"


def draws(game: wk.Game) -> wk.Puzzles:
    """Return puzzles for one submission, drawn with replacement from the system's source of random numbers.

    Answers are drawn in proportion to their weights, if any. Nobody can predict or repeat the draws.
    """
    drawing = Drawing(game.answer_weights.tolist(), random.SystemRandom())
    ids = tuple(drawing.draw(game.boards, repeats=False) for _ in range(DRAWS))
    return wk.Puzzles(game, ids, f"{DRAWS:,} draws of its own", is_sample=True)


def check_machine(result: Result) -> None:
    """Raise MachineError if the starter could not be played, since then no submission can be."""
    faults = [play for play in result.plays if play.outcome in (wk.Outcome.CRASHED, wk.Outcome.TIMED_OUT)]
    problem = result.problem or (f"{faults[0].outcome}: {faults[0].message}" if faults else "")
    if problem:
        raise MachineError(f"nobody was graded, since the starter could not be played: {problem}")
