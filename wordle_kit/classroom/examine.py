"""Examine a submission before it plays: whether it loads, what it registers, and whether it keeps its promises."""

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from secrets import randbits
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from wordle_kit._version import __version__
from wordle_kit.deadline import Allotment
from wordle_kit.errors import MachineError, WordleKitError
from wordle_kit.files import write_file
from wordle_kit.game.game import Game
from wordle_kit.isolation.isolation import Isolated, Isolation
from wordle_kit.isolation.plugin_file import PluginFile
from wordle_kit.plugin_modules import finding_files
from wordle_kit.plugin_sources import is_file
from wordle_kit.plugins import Plugins
from wordle_kit.sandbox.levels import BUBBLEWRAP, level, settled
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.temporary import temporary_folder
from wordle_kit.testing import Finding, each_finding
from wordle_kit.texts import line, raised
from wordle_kit.tournaments.player import NoGuess, player_of
from wordle_kit.tournaments.runner import ProgressCallback, seconds_alone
from wordle_kit.workers import CallPool, Machines, Workers

LONGEST_FINDING = 2000
"""The most characters of a finding, including the position that shows it."""


class Examined(BaseModel):
    """The result of an examination: the strategy that a submission registers, or why none can play."""

    model_config = ConfigDict(frozen=True)

    problem: str = ""
    registered: str = ""
    facts: dict[str, Any] = {}
    findings: tuple[Finding, ...] = ()
    seconds: float = 0.0
    """How long loading and the checks took, or finding the problem."""
    unfinished: str = ""
    """Why the checks were cut short, if time ran out."""

    @property
    def stochastic(self) -> bool:
        """Whether the strategy is random."""
        return bool(self.facts.get("stochastic"))


Found = dict[str, tuple[Strategy, dict[str, Any]]]
"""The strategies of a submission by name, each with the facts that are known of it."""


@dataclass(frozen=True)
class Examiner:
    """How submissions are examined: on which game, with which trusted plugins, and how they are isolated."""

    game: Game
    trusted: tuple[str, ...]
    """The plugins of the assignment, loaded with each submission."""
    deadline: float
    checks: bool
    """Whether to run the checks of `wordle-kit check` too."""
    isolation: Isolation | None
    time: Allotment
    """The time for loading a submission and for its checks."""

    def key(self, digest: str) -> str:
        """Return a hash of everything that an examination depends on."""
        locked = f"{level(self.isolation)}|{self.isolation.model_dump_json()}" if self.isolation is not None else ""
        plugins = [PluginFile.read(Path(name)).digest if is_file(name) else name for name in self.trusted]
        facts = (__version__, digest, self.game.fingerprint, plugins, self.deadline, self.checks, locked)
        return hashlib.sha256(repr(facts).encode()).hexdigest()

    def strategy(self, path: Path, examined: Examined) -> Strategy:
        """Return the strategy of a submission that was examined before."""
        if self.isolation is None:
            return Plugins.load([*self.trusted, path], strict=True).strategies[examined.registered].value
        return Isolated(
            registered=examined.registered, facts=examined.facts, plugins=self.trusted, file=PluginFile.read(path)
        ).under(self.isolation)

    @property
    def is_walled_off(self) -> bool:
        """Whether the code of submissions runs in a sandbox, from which it cannot end this process."""
        return self.isolation is not None and level(self.isolation) == BUBBLEWRAP

    def for_elsewhere(self) -> "Examiner":
        """Return this examiner with the sandbox of this machine, which every other machine must have too."""
        if self.isolation is None:
            return self
        return replace(self, isolation=settled(self.isolation))

    def may_be_delayed(self, examined: Examined) -> bool:
        """Return whether a finding may be due to other submissions, which kept the machine busy."""
        if examined.unfinished:
            return True
        failed = bool(examined.problem) or not all(finding.passed for finding in examined.findings)
        usual = self.deadline / 2  # more than a decision may take in the checks
        if self.isolation is not None:
            usual = min(usual, self.isolation.limits.start)
        return failed and examined.seconds >= usual

    def examine(self, file: PluginFile) -> Examined:
        """Examine a submission. Whatever goes wrong in it is a result; a fault of the machine raises MachineError."""
        start = time.perf_counter()
        path = Path(file.name)
        try:
            with temporary_folder() as folder:
                path = file.write(folder / "submission")
                return self._examine_file(path)
        except MachineError:
            raise
        except WordleKitError as error:
            problem = line(str(error).replace(str(path), path.name))
        except Exception as error:  # of unknown code, unless that runs elsewhere
            if self.isolation is not None and isinstance(error, OSError | MemoryError):
                raise MachineError(f"{path.name} cannot be examined: {raised(error)}") from error
            problem = _failed(error)
        return Examined(problem=problem, seconds=time.perf_counter() - start)

    def _examine_file(self, path: Path) -> Examined:
        budget = self.time.started()
        with budget, self._loaded(path) as (found, start):
            if len(found) != 1:
                names = line(", ".join(found), 200)
                return Examined(problem=f"it registers {len(found)} strategies, {names}; hand in one of them")
            ((registered, (strategy, facts)),) = found.items()
            problem = strategy.problem_with(self.game)
            if problem is None:
                try:  # a file could have written the earlier answers itself
                    start(strategy)
                except NoGuess as none:
                    problem = str(none)
        if problem is not None:
            return Examined(problem=line(f"{registered} cannot play {self.game.name}: {problem}"))
        findings: list[Finding] = []
        if self.checks:
            made = each_finding(strategy, deadline=self.deadline, games=[self.game], seed=randbits(128), budget=budget)
            findings = [replace(finding, message=line(finding.message, LONGEST_FINDING)) for finding in made]
        return Examined(
            registered=registered,
            facts=facts,
            findings=tuple(findings),
            seconds=budget.spent,
            unfinished=self.time.reason if budget.refused else "",
        )

    @contextmanager
    def _loaded(self, path: Path) -> Iterator[tuple[Found, Callable[[Any], None]]]:
        """Yield the strategies of a file, and a function that gets one of them ready to play.

        Strategies in another process are played in the process that listed them, also by the checks.
        """
        if self.isolation is None:
            yield self._found(path), lambda strategy: player_of(strategy).start_process(self.game)
            return
        with self.isolation.loading(path, self.trusted, path.stem, self.game) as (entries, process):
            found: Found = {entry.name: (entry.value, entry.value.facts) for entry in entries}
            yield found, lambda strategy: strategy.with_deadline(self.deadline).take_over(process, self.game)

    def _found(self, path: Path) -> Found:
        plugins = Plugins.load([*self.trusted, path], strict=True)
        mine = [entry for entry in plugins.strategies.values() if plugins.origins[entry.plugin] == str(path)]
        if not mine:
            raise WordleKitError("it registers no strategy")
        return {entry.name: (entry.value, {"stochastic": bool(entry.value.stochastic)}) for entry in mine}


def examine_all(
    examiner: Examiner,
    submissions: Mapping[str, tuple[Path, str]],
    kept: Path | None,
    workers: int,
    executor: Machines | None = None,
    progress: ProgressCallback | None = None,
) -> dict[str, Examined]:
    """Examine each student's submission, given by its file and hash, unless the folder `kept` has the result.

    `executor`, such as a Cluster, examines in place of `workers` processes. A submission may have failed because others
    kept the machine busy. Then it is examined again, alone, and the second result counts. The quickest come first. This
    may take half as long as everything before, or a minute; submissions that are left keep their first result.
    """
    found: dict[str, Examined] = {}
    delayed: dict[str, Examined] = {}
    places: dict[str, Path] = {}
    if kept is not None:
        places = {student: kept / f"{examiner.key(digest)}.json" for student, (_, digest) in submissions.items()}
    for student, place in places.items():
        before = _read(place)
        if before is not None and (not before.unfinished or before.unfinished == examiner.time.reason):
            found[student] = before
    waiting = [student for student in submissions if student not in found]
    together = min(workers if executor is None else executor.size, len(waiting)) > 1

    def report() -> None:
        if progress is not None:
            progress(len(found), len(submissions))

    def keep(student: str, examined: Examined) -> None:
        found[student] = examined
        if student in places:
            write_file(places[student], examined.model_dump_json(indent=1), make_folder=True)
        report()

    def keep_if_sure(student: str, examined: Examined) -> None:
        if together and examiner.may_be_delayed(examined):
            delayed[student] = examined
        else:
            keep(student, examined)

    report()
    paths = {student: path for student, (path, _) in submissions.items()}
    began = time.monotonic()
    unfinished = _examine(examiner, waiting, paths, workers, keep_if_sure, executor)
    end = time.monotonic() + seconds_alone(began)
    for student in [*unfinished, *sorted(delayed, key=lambda one: (delayed[one].seconds, one))]:
        # Alone, to find whose fault it is.
        if student in delayed and time.monotonic() >= end:
            keep(student, delayed[student])
        elif _examine(examiner, [student], paths, 1, keep, executor):
            if examiner.is_walled_off:
                why = f"{student}: the process that examined it ended twice"
                raise MachineError(f"{why}; free memory or use fewer workers", settings=["workers"])
            keep(student, Examined(problem="it ended the process that graded it"))
    return {student: found[student] for student in submissions}


def _examine(
    examiner: Examiner,
    students: Sequence[str],
    paths: Mapping[str, Path],
    workers: int,
    keep: Callable[[str, Examined], None],
    executor: Machines | None = None,
) -> list[str]:
    """Examine submissions in processes, and return those without a result because a process ended."""
    unfinished: list[str] = []
    if not students:
        return unfinished
    pool: CallPool
    if executor is None:
        pool = Workers(min(workers, len(students)), afresh=(finding_files(),))
    else:
        pool, examiner = executor.pool(len(students), shared=(examiner.game,)), examiner.for_elsewhere()
    with pool:
        futures = {pool.submit(examiner.examine, _file(paths[student])): student for student in students}
        for future in as_completed(futures):
            try:
                examined = future.result()
            except BrokenProcessPool:
                unfinished.append(futures[future])
                continue
            except WordleKitError as error:  # a machine cannot examine
                raise MachineError(f"{futures[future]}: {error}", settings=error.settings) from error
            except Exception as error:  # the result cannot be sent back
                examined = Examined(problem=_failed(error))
            keep(futures[future], examined)
    return unfinished


def _file(path: Path) -> PluginFile:
    try:
        return PluginFile.read(path)
    except OSError as error:
        raise MachineError(f"{path}: cannot be read: {error.strerror or error}") from error


def _failed(error: Exception) -> str:
    return f"examining it failed with {raised(error)}"


def _read(path: Path) -> Examined | None:
    try:
        return Examined.model_validate_json(path.read_text(encoding="utf-8"))
    except (OSError, ValidationError):
        return None  # it does not exist or is damaged: examine again
