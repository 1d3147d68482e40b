"""A program as a process: one question, one answer, and a deadline for it."""

import contextlib
import os
import re
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import TypeVar

from wordle_kit.errors import MachineError
from wordle_kit.programs.protocol import LONGEST_ANSWER, Message, ProgramError, encode, shortened
from wordle_kit.programs.sandbox import Sandbox
from wordle_kit.texts import line

Read = TypeVar("Read")

LAST_WORDS = 300
"""The most characters of a program's output that are shown."""

REMEMBERED = 4
"""The number of blocks of a program's last output that are kept, each of at most 4,096 bytes."""

TELLING = re.compile(r"error|exception|panic|fatal|abort|cannot|could not|not found|failed|killed", re.IGNORECASE)
"""Matches a line of output that says why a program ended."""

TRACE = re.compile(r"\s|$|Traceback \(|[~^]+\s*$")
"""Matches a line of a trace, which says where an error was rather than what it was."""


class Process:
    """A program that answers each line of JSON with another one.

    Messages go through its standard input and output. Its standard error becomes part of messages about it. A method
    that raises ProgramError has ended the program. Raises MachineError if the program cannot be started.
    """

    def __init__(self, argv: Sequence[str], reads: Sequence[str], sandbox: Sandbox | None) -> None:
        self._killed_after: float | None = None
        self._is_ended = False
        self._output: deque[bytes] = deque(maxlen=REMEMBERED)
        launch = sandbox.launch(argv, reads) if sandbox is not None else None
        environment = os.environ | {"PYTHONHASHSEED": "0"} if launch is None else launch.environment
        try:
            self._popen = subprocess.Popen(  # noqa: S603 - running other people's programs is the purpose
                argv if launch is None else launch.command,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                pass_fds=() if launch is None else launch.descriptors,
            )
        except OSError as error:
            raise MachineError(f"{argv[0]} cannot be started: {error.strerror or error}") from error
        finally:
            for descriptor in () if launch is None else launch.descriptors:
                os.close(descriptor)
        assert self._popen.stdin is not None  # noqa: S101 - these are pipes
        assert self._popen.stdout is not None  # noqa: S101
        self._questions, self._answers = self._popen.stdin, self._popen.stdout
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    @property
    def is_open(self) -> bool:
        """Whether the program can be asked."""
        return not self._is_ended and self._popen.poll() is None

    def ask(self, read: Callable[[bytes], Read], message: Message, seconds: float, doing: str = "") -> Read:
        """Send a message and return what `read` makes of the answer.

        Raises ProgramError if there is no answer within so many seconds, or an invalid one. `doing` ends the message
        about a late answer.
        """
        late = threading.Timer(seconds, self._kill, [seconds])
        late.start()
        try:
            with contextlib.suppress(OSError):  # if it has closed its input, what it wrote says more
                self._questions.write(encode(message))
                self._questions.flush()
            answer = self._answers.readline(LONGEST_ANSWER + 1)
            late.cancel()
            if not answer.endswith(b"\n"):
                self._fail(self._no_answer(answer, seconds, doing))
            return read(answer)
        except ProgramError as error:
            if not error.died:
                self._fail(str(error))
            raise
        except BaseException:
            self.close()
            raise
        finally:
            late.cancel()

    def close(self) -> None:
        """End the program and everything that it started."""
        self._kill()
        self._popen.wait()
        with contextlib.suppress(OSError):
            self._questions.close()
        self._answers.close()

    def _no_answer(self, answer: bytes, seconds: float, doing: str) -> str:
        """Return what the program did instead of answering with a whole line."""
        if self._killed_after is not None:
            half = f", after half a line: {shortened(answer)}" if answer else ""
            return f"took more than {seconds:g} s{doing}{half}"
        if len(answer) > LONGEST_ANSWER:
            return f"sent a line of more than {LONGEST_ANSWER:,} bytes"
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(1)
        code = self._popen.returncode
        if code is None:
            return "closed its output and went on"
        half = f" in the middle of a line: {shortened(answer)}" if answer else ""
        number = -code if code < 0 else code - 128 if code > 128 else None  # bubblewrap passes signals on so
        if number is not None and number in signal.Signals._value2member_map_:
            return f"was ended by {signal.Signals(number).name}{half}"
        return f"ended with exit code {code}{half}"

    def _fail(self, what: str) -> None:
        """End the program and raise ProgramError, with the line of its output that says why."""
        is_late = self._killed_after is not None
        self._kill()
        self._popen.wait()
        self._listener.join(1)
        said = self._last_words()
        self.close()
        raise ProgramError(f"{what}; it printed: {said}" if said else what, is_late=is_late, died=True) from None

    def _last_words(self) -> str:
        """Return the first line of its last output that names an error, or else the last three lines."""
        output = b"".join(self._output).decode("utf-8", "replace")
        said = [one.strip() for one in output.splitlines() if not TRACE.match(one)]
        telling = next((one for one in said if TELLING.search(one)), None)
        return line(telling if telling is not None else " | ".join(said[-3:]), LAST_WORDS)

    def _listen(self) -> None:
        """Keep the end of what the program writes to standard error."""
        assert self._popen.stderr is not None  # noqa: S101 - it is a pipe
        with self._popen.stderr as errors, contextlib.suppress(OSError, ValueError):
            while block := os.read(errors.fileno(), 4096):
                self._output.append(block)

    def _kill(self, after: float | None = None) -> None:
        """End the program's group of processes. `after` is the deadline that it has missed, if it has."""
        if after is not None and self.is_open:
            self._killed_after = after
        if self._is_ended:  # its number may belong to another process by now
            return
        self._is_ended = True
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._popen.pid, signal.SIGKILL)
            else:
                self._popen.kill()
