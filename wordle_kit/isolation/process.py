"""A program in a separate process: exchanges messages with it under deadlines, and ends it."""

import contextlib
import os
import re
import select
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from wordle_kit.errors import MachineError
from wordle_kit.isolation.protocol import LONGEST_ANSWER, LONGEST_FACTS, ProtocolError, decode, encode, shortened
from wordle_kit.sandbox import supervisor
from wordle_kit.sandbox.jail import Jail, past_limit
from wordle_kit.sandbox.limits import Confinement
from wordle_kit.texts import line
from wordle_kit.tournaments.player import NoGuess
from wordle_kit.tournaments.runs import Outcome

Read = TypeVar("Read")

LAST_WORDS = 300
"""The most characters of a program's output that are shown."""

LAST_LINES = 3

REMEMBERED = 16_384
"""The number of bytes of a program's last output that are kept. Traces in most languages are shorter."""

TELLING = re.compile(
    r"error|exception|panic|fatal|assert|abort|cannot|can't|could not|unable|no such|not found|failed|died",
    re.IGNORECASE,
)
"""Matches a line of output that says why a program ended."""

TRACE = re.compile(r"\s|$|Traceback \(|[~^]+\s*$|(?:throw|raise)\b|\S+:\d+$")
"""Matches the beginning of a line of a trace that says where an error was rather than what it was."""

LONGEST_MESSAGE = 600
"""The most characters of a message about a program, or from it."""

CHUNK = 65_536
"""The most bytes that are read at a time."""


@dataclass
class Allowance:
    """The processor time of a program and of those that replace it."""

    seconds: float
    """The seconds that are left."""
    thought: float = 0.0
    """The seconds that programs which have ended spent on answers."""


def reason_in(output: str) -> str:
    """Return the first line of a program's output that says why it ended. Without one, return its last lines.

    Lines of traces are left out.
    """
    said = [one.strip() for one in output.splitlines() if not TRACE.match(one)]
    telling = next((one for one in said if TELLING.search(one)), None)
    return telling[:LAST_WORDS] if telling is not None else " | ".join(said[-LAST_LINES:])[-LAST_WORDS:]


class Process:
    """A program that answers each line of JSON with another line of JSON.

    Messages go through its standard input and output. Its standard error becomes part of error messages. See `Jail` for
    `reads`, `shows` and `given`. A method that raises NoGuess has ended the program and everything that it started.
    Raises MachineError if the program cannot be started.
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
        self.limits = isolation.limits
        self.allowance = allowance or Allowance(isolation.limits.cpu)
        if self.allowance.seconds <= 0:
            raise NoGuess(past_limit(supervisor.TOO_MUCH_TIME, self.limits), Outcome.TIMED_OUT, died=True)
        try:
            self._jail = Jail(program, reads, isolation, self.allowance.seconds, given, shows)
        except OSError as error:
            why = f"a process of a strategy cannot be started: {error.strerror or error}"
            raise MachineError(f"{why}; free memory or use fewer workers", settings=["workers"]) from error
        self._poll = select.poll()
        self._poll.register(self._jail.output, select.POLLIN)
        self._poll.register(self._jail.errors, select.POLLIN)
        self._received = b""
        self._printed = 0
        self._tail = b""
        self._earlier = b""
        self._ready = 0.0

    def get_ready(self) -> None:
        """Count the processor time so far as time to start the program."""
        self._ready = self._jail.seconds

    @property
    def thought(self) -> float:
        """The processor time of the program and those that it replaced, in seconds, without that to start them."""
        return self.allowance.thought + (max(0.0, self._jail.seconds - self._ready) if self.is_open else 0.0)

    @property
    def is_open(self) -> bool:
        """Whether the program can still be asked."""
        return self._jail.is_open

    def query(
        self,
        read: Callable[..., Read],
        message: dict[str, Any],
        seconds: float,
        longest: int = LONGEST_ANSWER,
        doing: str = "",
    ) -> Read:
        """Send a message and return the answer, parsed by `read`.

        Raises NoGuess if there is no answer in time, or an invalid one. `doing` is appended to the message for a late
        answer.
        """
        try:
            self._printed = 0
            self._earlier, self._tail = self._tail or self._earlier, b""
            self._check_silence()
            self._send(encode(message), time.monotonic() + seconds, seconds)
            line = self._receive(time.monotonic() + seconds, f"{seconds:g} s{doing}", longest)
            self._check_prints()
            return read(decode(line))
        except ProtocolError as error:
            self.fail(str(error))
        except BaseException:
            self.close()
            raise

    def fail(self, what: str, *, timed_out: bool = False) -> NoReturn:
        """End the program. Raise NoGuess, which says what it did and quotes the line of output that says why."""
        self._jail.end()
        self._read_prints()
        words = line(reason_in((self._tail or self._earlier).decode("utf-8", "replace")), LAST_WORDS)
        self.close()
        raise NoGuess(
            line(what, LONGEST_MESSAGE), Outcome.TIMED_OUT if timed_out else Outcome.CRASHED, printed=words, died=True
        )

    def close(self) -> None:
        """End the program and everything that it started, and count its processor time."""
        used = self._jail.close()
        self.allowance.seconds -= used
        self.allowance.thought += max(0.0, used - self._ready)

    def __del__(self) -> None:
        if "_jail" in vars(self):
            self.close()

    def _check_silence(self) -> None:
        for pipe, _ in self._poll.poll(0):
            if pipe == self._jail.errors:
                self._read_prints()
            else:
                self._received += self._read_answers()
        if self._jail.has_ended:
            self._gone("ended")
        if self._received:
            raise ProtocolError(f"spoke out of turn: {shortened(self._received)}")

    def _send(self, line: bytes, end: float, seconds: float) -> None:
        while line:
            try:
                line = line[os.write(self._jail.input, line) :]
            except BlockingIOError:
                if time.monotonic() > end:
                    self.fail(f"did not read its question for {seconds:g} s", timed_out=True)
                self._wait(0.01)
            except BrokenPipeError:
                self._gone("closed its input")

    def _receive(self, end: float, limit: str, longest: int) -> bytes:
        while b"\n" not in self._received and len(self._received) <= longest:
            left = end - time.monotonic()
            if left <= 0:
                half = f", after half a line: {shortened(self._received)}" if self._received else ""
                self.fail(f"took more than {limit}{half}", timed_out=True)
            self._wait(left)
        line, _, self._received = self._received.partition(b"\n")
        if len(line) > longest:
            raise ProtocolError(f"sent a line of more than {longest:,} bytes")
        return line

    def _wait(self, seconds: float) -> None:
        """Wait until there is something to read, or until the time is over, and read it."""
        for pipe, _ in self._poll.poll(1000 * min(seconds, 1e5)):
            if pipe == self._jail.errors:
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
            return os.read(self._jail.output, CHUNK)
        except BlockingIOError:
            return b""

    def _check_prints(self) -> None:
        self._read_prints()
        if self._printed > self.limits.printed:
            self.fail(f"printed more than {self.limits.printed:,} bytes")

    def _read_prints(self) -> None:
        """Read the output, as far as the limit allows, and keep the end of it."""
        with contextlib.suppress(BlockingIOError):
            while self._printed <= self.limits.printed:
                new = os.read(self._jail.errors, CHUNK)
                if not new:
                    with contextlib.suppress(KeyError):
                        self._poll.unregister(self._jail.errors)
                    return
                self._printed += len(new)
                self._tail = (self._tail + new)[-REMEMBERED:]

    def _gone(self, what: str, where: str = "") -> NoReturn:
        """Raise NoGuess with a message that says how the program ended, or what it did if it still runs.

        `where` says when this happened.
        """
        ended = self._jail.exit()
        if ended is None:
            self.fail(f"{what}{where} and went on")
        if ended.machine_is_full:
            self.close()
            raise MachineError("the system ended a strategy for want of memory; free some", settings=["workers"])
        self.fail(ended.what if ended.past_limit else f"{ended.what}{where}", timed_out=ended.out_of_time)
