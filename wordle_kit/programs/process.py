"""A program as a process that answers one question at a time, within a deadline."""

import contextlib
import math
import os
import re
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import TypeVar

from wordle_kit.errors import MachineError
from wordle_kit.programs.protocol import LONGEST_ANSWER, Message, ProgramError, encode, shortened
from wordle_kit.programs.sandbox import ENVIRONMENT, Sandbox
from wordle_kit.texts import one_line

Read = TypeVar("Read")

INTERVAL = 0.02
"""The seconds between checks of the clock while a program runs."""

LONGEST_OUTPUT = 300
"""The most characters of a program's output to show."""

BLOCKS_KEPT = 4
"""The number of blocks of a program's last output to keep, each of at most 4,096 bytes."""

TRACEBACK_LINE = re.compile(r"\s|$|Traceback \(|[~^]+\s*$")
"""The pattern of the lines of a traceback that say where an error was raised rather than what it was."""


class Process:
    """A program that answers each line of JSON with another one.

    Messages go through its standard input and output. What it writes to standard error becomes part of error messages.
    If a method raises ProgramError, the program has been ended. Raises MachineError if the program cannot be started.
    """

    def __init__(self, argv: Sequence[str], reads: Sequence[str], sandbox: Sandbox | None) -> None:
        self._due = math.inf
        """The time by which the program must answer, in the seconds of `time.monotonic`."""
        self._is_late = False
        self._ended = threading.Event()
        self._output: deque[bytes] = deque(maxlen=BLOCKS_KEPT)
        command, descriptors = (argv, ()) if sandbox is None else sandbox.launch(argv, reads)
        try:
            self._popen = subprocess.Popen(  # noqa: S603 - running other people's programs is the purpose
                command,
                env=os.environ | {"PYTHONHASHSEED": "0"} if sandbox is None else ENVIRONMENT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                pass_fds=descriptors,
            )
        except OSError as error:
            raise MachineError(f"{argv[0]} cannot be started: {error.strerror or error}") from error
        finally:
            for descriptor in descriptors:
                os.close(descriptor)
        assert self._popen.stdin is not None  # noqa: S101 - these are pipes
        assert self._popen.stdout is not None  # noqa: S101 - it was asked for
        self._questions, self._answers = self._popen.stdin, self._popen.stdout
        self._threads = [threading.Thread(target=target, daemon=True) for target in (self._listen, self._watch)]
        for thread in self._threads:
            thread.start()

    @property
    def is_open(self) -> bool:
        """Whether the program is running and can be asked."""
        return not self._ended.is_set() and self._popen.poll() is None

    def ask(self, read: Callable[[bytes], Read], message: Message, seconds: float, doing: str = "") -> Read:
        """Send a message and return what `read` makes of the answer.

        Raises ProgramError if there is no answer within this many seconds, or an invalid one. `doing` is added to the
        message about a late answer.
        """
        self._due = time.monotonic() + seconds
        try:
            with contextlib.suppress(OSError):  # if it has closed its input, its output says more
                self._questions.write(encode(message))
                self._questions.flush()
            answer = self._answers.readline(LONGEST_ANSWER + 1)
            self._due = math.inf
            if answer.endswith(b"\n"):
                return read(answer)
            what = self._no_answer(answer, f"took more than {seconds:g} s{doing}")
        except ProgramError as error:
            what = str(error)
        except BaseException:
            self.close()
            raise
        self.close()
        said = self._end_of_output()
        raise ProgramError(f"{what}; it printed: {said}" if said else what, is_late=self._is_late, died=True)

    def close(self) -> None:
        """End the program and everything that it started."""
        self._kill()
        self._popen.wait()
        with contextlib.suppress(OSError):
            self._questions.close()
        self._answers.close()
        for thread in self._threads:  # forking is unsafe while threads run
            thread.join(1)

    def _no_answer(self, answer: bytes, late: str) -> str:
        """Return what the program did instead of answering with a complete line."""
        if self._is_late:
            return f"{late}, after half a line: {shortened(answer)}" if answer else late
        if len(answer) > LONGEST_ANSWER:
            return f"sent a line of more than {LONGEST_ANSWER:,} bytes"
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(1)
        code = self._popen.returncode
        if code is None:
            return "closed its output and went on"
        half = f" in the middle of a line: {shortened(answer)}" if answer else ""
        number = -code if code < 0 else code - 128  # bubblewrap reports signals as a shell does
        if number in signal.Signals._value2member_map_:
            return f"was ended by {signal.Signals(number).name}{half}"
        return f"ended with exit code {code}{half}"

    def _end_of_output(self) -> str:
        """Return the last three lines of the program's output that are not lines of a traceback."""
        output = b"".join(self._output).decode("utf-8", "replace")
        said = [text.strip() for text in output.splitlines() if not TRACEBACK_LINE.match(text)]
        return one_line(" | ".join(said[-3:]), LONGEST_OUTPUT)

    def _listen(self) -> None:
        """Keep the end of what the program writes to standard error."""
        assert self._popen.stderr is not None  # noqa: S101 - it is a pipe
        with self._popen.stderr as errors, contextlib.suppress(OSError, ValueError):
            while block := os.read(errors.fileno(), 4096):
                self._output.append(block)

    def _watch(self) -> None:
        """End the program when it is late."""
        while not self._ended.wait(INTERVAL):
            if time.monotonic() > self._due:
                self._is_late = True
                self._kill()

    def _kill(self) -> None:
        """Kill the program's process group."""
        if self._ended.is_set():  # its number may belong to another process by now
            return
        self._ended.set()
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._popen.pid, signal.SIGKILL)
            else:
                self._popen.kill()
