"""A program in a process of its own: start it, exchange messages with deadlines, end it and all that it started."""

import contextlib
import math
import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from wordle_kit.engine import out_of_memory_kills
from wordle_kit.errors import MachineError
from wordle_kit.isolation import supervisor
from wordle_kit.isolation.cgroups import ControlGroup, new_group
from wordle_kit.isolation.limits import Confinement
from wordle_kit.isolation.protocol import (
    LONGEST_ANSWER,
    LONGEST_FACTS,
    ProtocolError,
    decode,
    encode,
    shortened,
)
from wordle_kit.isolation.sandbox import launch, shield
from wordle_kit.temporary import remove
from wordle_kit.texts import line
from wordle_kit.tournaments.outcome import NoGuess, Outcome

Answer = TypeVar("Answer")

LAST_WORDS = 300
"""Characters of a program's last output that are shown."""

LAST_LINES = 3

LONGEST_MESSAGE = 600
"""Characters of a message about a program, or from it."""

PATIENCE = 2.0
"""Seconds that a program has to end by itself, after it closed its output or was told to end."""

CHUNK = 65_536

OVERDRAWN = {
    supervisor.TOO_MANY_FILES: f"made more than {supervisor.MOST_FILES:,} files, folders and links",
    supervisor.TOO_MANY_PROCESSES: "started more than {processes} processes",
    supervisor.TOO_MUCH_MEMORY: "used more than {memory} MB of memory",
    supervisor.TOO_MUCH_TIME: "used {cpu} s of processor time",
    128 + signal.SIGXCPU: "used {cpu} s of processor time",
    128 + signal.SIGXFSZ: "wrote more than {written} MB to a file",
}

OUT_OF_TIME = (supervisor.TOO_MUCH_TIME, 128 + signal.SIGXCPU)
"""The exit codes of programs that used up their processor time."""


@dataclass
class Allowance:
    """The processor time of a program, and of those that are started in its place."""

    seconds: float
    """Seconds that remain."""
    thought: float = 0.0
    """Seconds that those which have ended spent on answers."""


class Process:
    """A program that answers one line of JSON with another.

    Its standard input and output carry the messages; the end of its standard error is kept for messages. It can read
    the files and folders `reads`, and those of `shows` that its user may read. It has the descriptors `given`, with the
    same numbers. Every method that raises NoGuess has ended the program and everything that it started. Raises
    MachineError if it cannot be started.
    """

    def __init__(
        self,
        program: Sequence[str],
        reads: Iterable[str | Path],
        isolation: Confinement,
        given: Sequence[int] = (),
        allowance: Allowance | None = None,
        shows: Iterable[str | Path] = (),
    ) -> None:
        shield()
        self._owner = os.getpid()
        self._kills = out_of_memory_kills()
        self.limits = isolation.limits
        self._allowance = allowance or Allowance(isolation.limits.cpu)
        seconds = math.ceil(self._allowance.seconds)
        if seconds <= 0:
            raise NoGuess(self._overdrawn(supervisor.TOO_MUCH_TIME), Outcome.TIMED_OUT, died=True)
        try:
            self._report, report = os.pipe()
        except OSError as error:
            raise _unable(error) from error
        os.set_blocking(self._report, False)
        self._claim: int | None = None
        self._group: ControlGroup | None = None
        try:
            self._group = new_group(isolation.limits)
            entrance = None if self._group is None else self._group.entrance
            plan = launch(program, reads, isolation.limited(cpu=seconds), report, given, entrance, shows)
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
        except BaseException as error:
            os.close(self._report)
            self._give_back()
            if isinstance(error, OSError):
                raise _unable(error) from error
            raise
        finally:
            os.close(report)
        self._pipes = [pipe for pipe in (self._popen.stdin, self._popen.stdout, self._popen.stderr) if pipe is not None]
        self._questions, self._answers, self._prints = (pipe.fileno() for pipe in self._pipes)
        for pipe in (self._questions, self._answers, self._prints):
            os.set_blocking(pipe, False)
        self._poll = select.poll()
        self._poll.register(self._answers, select.POLLIN)
        self._poll.register(self._prints, select.POLLIN)
        self._received = b""
        self._printed = 0
        self._tail = b""
        self._used = self._ready = 0.0

    def get_ready(self) -> None:
        """Count the processor time until now as that of starting the program."""
        self._ready = self._now()

    @property
    def thought(self) -> float:
        """Seconds of processor time of the program and those in whose place it was started, without their starts."""
        return self._allowance.thought + (max(0.0, self._now() - self._ready) if self.is_open else 0.0)

    def _now(self) -> float:
        return supervisor.processor_time(supervisor.descendants(self._popen.pid, "X"))

    @property
    def is_open(self) -> bool:
        """Whether it can still be asked."""
        return not self._pipes[0].closed

    def ask(self, message: dict[str, Any], seconds: float, longest: int = LONGEST_ANSWER) -> dict[str, Any]:
        """Send a message and return the answer. Raises NoGuess if there is no answer in time, or an invalid one."""
        try:
            self._printed = 0
            self._check_silence()
            self._send(encode(message), time.monotonic() + seconds, seconds)
            line = self._receive(time.monotonic() + seconds, seconds, longest)
            self._check_prints()
            return decode(line)
        except ProtocolError as error:
            self.fail(str(error))
        except BaseException:
            self.close()
            raise

    def query(
        self,
        read: Callable[[dict[str, Any]], Answer],
        message: dict[str, Any],
        seconds: float,
        longest: int = LONGEST_ANSWER,
    ) -> Answer:
        """Send a message and return the answer, parsed by `read`. Raises NoGuess if there is none or it is invalid."""
        answer = self.ask(message, seconds, longest)
        try:
            return read(answer)
        except ProtocolError as error:
            self.fail(str(error))

    def fail(self, what: str, *, timed_out: bool = False) -> NoReturn:
        """End the program and raise NoGuess with what it did and its last output."""
        self._end()
        self._read_prints()
        lines = [one.strip() for one in self._tail.decode("utf-8", "replace").splitlines() if one.strip()]
        words = line(" | ".join(lines[-LAST_LINES:])[-LAST_WORDS:], LAST_WORDS)
        self.close()
        raise NoGuess(
            line(what, LONGEST_MESSAGE), Outcome.TIMED_OUT if timed_out else Outcome.CRASHED, printed=words, died=True
        )

    def close(self) -> None:
        """End the program and everything that it started, and remove its folder."""
        if not self.is_open or os.getpid() != self._owner:
            return
        self._end()
        used = max(self._used, self._reported())
        self._allowance.seconds -= used
        self._allowance.thought += max(0.0, used - self._ready)
        os.close(self._report)
        for pipe in self._pipes:
            pipe.close()
        if self._group is not None:
            self._group.end()
        if self._box is not None:
            supervisor.end_below(self._popen.pid, str(self._box))  # in case it ended its supervisor
            remove(self._box)
        self._give_back()

    def _give_back(self) -> None:
        """Remove the program's group and release its user, once all of its processes have ended."""
        if self._group is not None:
            self._group.remove()
        if self._claim is not None:
            os.close(self._claim)
            self._claim = None

    def __del__(self) -> None:
        if "_poll" in vars(self):
            self.close()

    def _end(self) -> None:
        """End the supervisor, which ends the program and everything that it started; by force if necessary."""
        if self._popen.poll() is None:
            self._used = self._now()
            if self._group is not None:
                self._group.end()
            if self._box is not None:
                self._popen.terminate()
                self._wait_for_end(PATIENCE)
        if self._popen.poll() is None:
            supervisor.end_below(self._popen.pid)
            self._popen.kill()
            self._popen.wait()

    def _wait_for_end(self, seconds: float) -> int | None:
        """Wait for the program to end, and return its exit code, or None if it does not end in this time."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._popen.wait(seconds)
        return None

    def _reported(self) -> float:
        """Return the seconds of processor time that the supervisor reported, or 0 if it was ended itself."""
        with contextlib.suppress(BlockingIOError):
            return float(os.read(self._report, 100) or 0)
        return 0.0

    def _check_silence(self) -> None:
        for pipe, _ in self._poll.poll(0):
            if pipe == self._prints:
                self._read_prints()
            else:
                self._received += self._read_answers()
        if self._popen.poll() is not None:
            self._gone("ended")
        if self._received:
            raise ProtocolError(f"spoke out of turn: {shortened(self._received)}")

    def _send(self, line: bytes, end: float, seconds: float) -> None:
        while line:
            try:
                line = line[os.write(self._questions, line) :]
            except BlockingIOError:
                if time.monotonic() > end:
                    self.fail(f"did not read its question for {seconds:g} s", timed_out=True)
                self._wait(0.01)
            except BrokenPipeError:
                self._gone("closed its input")

    def _receive(self, end: float, seconds: float, longest: int) -> bytes:
        while b"\n" not in self._received:
            if len(self._received) > longest:
                raise ProtocolError(f"sent a line of more than {longest:,} bytes")
            left = end - time.monotonic()
            if left <= 0:
                half = f", after half a line: {shortened(self._received)}" if self._received else ""
                self.fail(f"took more than {seconds:g} s{half}", timed_out=True)
            self._wait(left)
        line, _, self._received = self._received.partition(b"\n")
        if len(line) > longest:
            raise ProtocolError(f"sent a line of more than {longest:,} bytes")
        return line

    def _wait(self, seconds: float) -> None:
        """Wait until there is something to read, and read it."""
        for pipe, _ in self._poll.poll(1000 * min(seconds, 1e5)):
            if pipe == self._prints:
                self._check_prints()
            else:
                new = self._read_answers()
                if not new:
                    half = f" in the middle of a line: {shortened(self._received)}" if self._received else ""
                    self._gone("closed its output", half)
                self._received += new
                if len(self._received) > LONGEST_FACTS:
                    raise ProtocolError(f"sent more than {LONGEST_FACTS:,} bytes")

    def _read_answers(self) -> bytes:
        try:
            return os.read(self._answers, CHUNK)
        except BlockingIOError:
            return b""

    def _check_prints(self) -> None:
        self._read_prints()
        if self._printed > self.limits.printed:
            self.fail(f"printed more than {self.limits.printed:,} bytes")

    def _read_prints(self) -> None:
        """Read the output, as far as the limit allows, and keep its end."""
        with contextlib.suppress(BlockingIOError):
            while self._printed <= self.limits.printed:
                new = os.read(self._prints, CHUNK)
                if not new:
                    with contextlib.suppress(KeyError):
                        self._poll.unregister(self._prints)
                    return
                self._printed += len(new)
                self._tail = (self._tail + new)[-4 * LAST_WORDS :]

    def _gone(self, what: str, where: str = "") -> NoReturn:
        """Fail with a message that says how the program ended, or what it did if it still runs, and when (`where`)."""
        code = self._wait_for_end(PATIENCE)
        if code is None:
            self.fail(f"{what}{where} and went on")
        code = self._limit_passed(code) or code
        if code in OVERDRAWN:
            self.fail(self._overdrawn(code), timed_out=code in OUT_OF_TIME)
        if code == 128 + signal.SIGKILL and out_of_memory_kills() > self._kills:
            self.close()
            raise MachineError("the system ended a strategy for want of memory; free some", settings=["workers"])
        if code < 0 or code > 128:
            number = -code if code < 0 else code - 128
            name = signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
            self.fail(f"was ended by {name}{where}")
        self.fail(f"ended with exit code {code}{where}")

    def _limit_passed(self, code: int) -> int | None:
        """Return the exit code for the limit of the control group that ended the program, or None."""
        if self._group is not None and code == 128 + signal.SIGKILL and self._group.used_up_memory:
            return supervisor.TOO_MUCH_MEMORY
        if self._group is not None and code != 0 and code not in OVERDRAWN and self._group.used_up_processes:
            return supervisor.TOO_MANY_PROCESSES
        return None

    def _overdrawn(self, code: int) -> str:
        return OVERDRAWN[code].format(**self.limits.model_dump())


def _unable(error: OSError) -> MachineError:
    why = f"a process of a strategy cannot be started: {error.strerror or error}"
    return MachineError(f"{why}; free memory or use fewer workers", settings=["workers"])
