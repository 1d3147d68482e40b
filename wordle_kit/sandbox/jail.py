"""`Jail`: one program under limits, separated from others. It can end the program and everything that it started."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from wordle_kit.machine import out_of_memory_kills
from wordle_kit.sandbox import supervisor
from wordle_kit.sandbox.cgroups import ControlGroup, new_group
from wordle_kit.sandbox.levels import launch, shield
from wordle_kit.sandbox.limits import Confinement, Limits
from wordle_kit.temporary import remove

SECONDS_TO_END = 2.0
"""The seconds that a program gets to end by itself after it closed its output or was told to end."""

PAST_LIMITS = {
    supervisor.TOO_MANY_FILES: f"made more than {supervisor.MOST_FILES:,} files, folders and links",
    supervisor.TOO_MANY_PROCESSES: "started more than {processes} processes",
    supervisor.TOO_MUCH_MEMORY: "used more than {memory} MB of memory",
    supervisor.TOO_MUCH_TIME: "used {cpu} s of processor time",
    128 + signal.SIGXCPU: "used {cpu} s of processor time",
    128 + signal.SIGXFSZ: "wrote more than {written} MB to a file",
}
"""What a program did that was ended because of a limit, by exit code."""

OUT_OF_TIME = (supervisor.TOO_MUCH_TIME, 128 + signal.SIGXCPU)
"""The exit codes of a program that used up its processor time."""


@dataclass(frozen=True)
class Exit:
    """How a program ended."""

    what: str
    """What the program did, as a sentence without a subject, such as `ended with exit code 1`."""
    past_limit: bool = False
    """Whether the program was ended because of a limit."""
    out_of_time: bool = False
    """Whether that limit was processor time."""
    machine_is_full: bool = False
    """Whether the system ended the program because the machine had no memory left."""


class Jail:
    """A program under limits, with everything that it starts.

    It can read the files and folders `reads`, and those in `shows` that its user may read. It inherits the descriptors
    `given`, with the same numbers. Raises OSError if it cannot be started.
    """

    input: int
    """The descriptor of the pipe to its standard input."""
    output: int
    """The descriptor of the pipe from its standard output."""
    errors: int
    """The descriptor of the pipe from its standard error."""

    def __init__(
        self,
        program: Sequence[str],
        reads: Iterable[str | Path],
        confinement: Confinement,
        seconds: float,
        given: Sequence[int] = (),
        shows: Iterable[str | Path] = (),
    ) -> None:
        """Start the program. It may use `seconds` of processor time, which must be above 0."""
        shield()
        self._owner = os.getpid()
        self._kills = out_of_memory_kills()
        self._limits = confinement.limits
        self._report, report = os.pipe()
        os.set_blocking(self._report, False)
        self._claim: int | None = None
        self._group: ControlGroup | None = None
        try:
            self._group = new_group(self._limits)
            entrance = None if self._group is None else self._group.entrance
            plan = launch(program, reads, confinement, seconds, report, given, entrance, shows)
            self._box, self._claim = plan.box, plan.claim
            self._popen = subprocess.Popen(  # noqa: S603 - running other people's programs is the purpose
                plan.command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=plan.environment,
                start_new_session=True,
                pass_fds=[*given, report, *(number for number in (self._claim, entrance) if number is not None)],
            )
        except BaseException:
            os.close(self._report)
            self._give_back()
            raise
        finally:
            os.close(report)
        self._used = 0.0
        self._pipes = [pipe for pipe in (self._popen.stdin, self._popen.stdout, self._popen.stderr) if pipe is not None]
        self.input, self.output, self.errors = (pipe.fileno() for pipe in self._pipes)
        for pipe in (self.input, self.output, self.errors):
            os.set_blocking(pipe, False)

    @property
    def is_open(self) -> bool:
        """Whether `close` has not been called. The program itself may have ended."""
        return not self._pipes[0].closed

    @property
    def has_ended(self) -> bool:
        """Whether the program has ended."""
        return self._popen.poll() is not None

    @property
    def seconds(self) -> float:
        """The seconds of processor time that the program and everything that it started have used so far."""
        return supervisor.processor_time(supervisor.descendants(self._popen.pid, "X"))

    def exit(self) -> Exit | None:
        """Wait briefly for the program to end by itself. Return how it ended, or None if it is still running."""
        code = self._wait_for_end()
        if code is None:
            return None
        if self._group is not None and code == 128 + signal.SIGKILL and self._group.used_up_memory:
            code = supervisor.TOO_MUCH_MEMORY
        elif self._group is not None and code != 0 and code not in PAST_LIMITS and self._group.used_up_processes:
            code = supervisor.TOO_MANY_PROCESSES
        if code in PAST_LIMITS:
            return Exit(past_limit(code, self._limits), past_limit=True, out_of_time=code in OUT_OF_TIME)
        is_killed = code == 128 + signal.SIGKILL
        if code < 0 or code > 128:
            number = -code if code < 0 else code - 128
            name = signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
            what = f"was ended by {name}"
        else:
            what = f"ended with exit code {code}"
        return Exit(what, machine_is_full=is_killed and out_of_memory_kills() > self._kills)

    def end(self) -> None:
        """End the program and everything that it started. What it has written can still be read."""
        if self._popen.poll() is None:  # ending the supervisor ends all others
            self._used = self.seconds
            if self._group is not None:
                self._group.end()
            if self._box is not None:
                self._popen.terminate()
                self._wait_for_end()
        if self._popen.poll() is None:
            supervisor.end_below(self._popen.pid)
            self._popen.kill()
            self._popen.wait()

    def close(self) -> float:
        """End the program, remove its folder, and return the seconds of processor time that all its processes used.

        Nothing happens if it is closed already, or if this process was forked after the program was started.
        """
        if not self.is_open or os.getpid() != self._owner:
            return 0.0
        self.end()
        used = max(self._used, self._reported())
        os.close(self._report)
        for pipe in self._pipes:
            pipe.close()
        if self._group is not None:
            self._group.end()
        if self._box is not None:
            supervisor.end_below(self._popen.pid, str(self._box))  # in case the program ended its supervisor
            remove(self._box)
        self._give_back()
        return used

    def __del__(self) -> None:
        if "errors" in vars(self):
            self.close()

    def _give_back(self) -> None:
        """Remove the program's group and release its user, after all its processes have ended."""
        if self._group is not None:
            self._group.remove()
        if self._claim is not None:
            os.close(self._claim)
            self._claim = None

    def _wait_for_end(self) -> int | None:
        """Wait for the program to end and return its exit code, or None if it is still running."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._popen.wait(SECONDS_TO_END)
        return None

    def _reported(self) -> float:
        """Return the seconds of processor time that the supervisor reported, or 0 if it was ended before that."""
        with contextlib.suppress(BlockingIOError):
            return float(os.read(self._report, 100) or 0)
        return 0.0


def past_limit(code: int, limits: Limits) -> str:
    """Return what a program did that was ended with this exit code because of one of these limits."""
    return PAST_LIMITS[code].format(**limits.model_dump())
