"""Printing: results on standard output, notes and progress on standard error, without control characters."""

import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from wordle_kit.errors import WordleKitError
from wordle_kit.faults import note as note
from wordle_kit.texts import number_of, terminal

if TYPE_CHECKING:
    from rich.progress import Progress

    from wordle_kit.game.game import Game
    from wordle_kit.tournaments.runner import ProgressCallback


class CommandStopped(Exception):  # noqa: N818 - it is not an error
    """Raised when Ctrl-C ends an interactive command. The message says what is lost."""


def say(text: str = "", *, nl: bool = True) -> None:
    """Print a result."""
    typer.echo(terminal(text), nl=nl)


def show_results(content: str | bytes) -> None:
    """Print the content of a file. Raises WordleKitError if it is not text and standard output is a terminal."""
    if isinstance(content, str):
        say(content, nl=False)
    elif on_terminal():
        raise WordleKitError("this format is not text; write it to a file")
    else:
        sys.stdout.buffer.write(content)


def tell(text: str) -> None:
    """Print lines on standard error."""
    print(terminal(text), file=sys.stderr, end="")


def width() -> int:
    """Return the width of standard output in characters."""
    from rich.console import Console

    return Console().width


def on_terminal() -> bool:
    """Return whether standard output is a terminal."""
    return sys.stdout.isatty()


def say_wrapped(text: str) -> None:
    """Print sentences. On a terminal, lines are wrapped to its width, and no word is divided."""
    lines = text.split("\n")
    if on_terminal():
        lines = [part for line in lines for part in textwrap.wrap(line, width(), subsequent_indent="  ") or [""]]
    say("\n".join(lines))


def sentence(text: str) -> str:
    """Return a message with a full stop, unless it ends with a question mark."""
    return text if text.endswith("?") else f"{text}."


def can_show(text: str) -> bool:
    """Return whether standard output can encode the characters of a text."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def can_show_tiles(game: "Game") -> bool:
    """Return whether standard output can encode the tiles of a game."""
    return can_show(game.show(game.winning_code).tiles + game.rule.legend())


def ask(prompt: str) -> str | None:
    """Return the next line of standard input, or None at its end. A line from a pipe is printed.

    On a terminal, the arrow keys edit the line and recall earlier lines, if Python has readline. Raises WordleKitError
    if the line is not UTF-8.
    """
    if sys.stdin.isatty() and on_terminal():
        with suppress(ImportError):
            import readline  # noqa: F401 - input() uses it once it is imported
    try:
        typed = input(terminal(prompt))
    except EOFError:
        say()
        return None
    except KeyboardInterrupt:
        say()  # the cursor stands behind ^C
        raise
    except UnicodeDecodeError as error:
        raise WordleKitError("standard input: is not UTF-8 text; type or pipe text in UTF-8") from error
    if not sys.stdin.isatty():
        say(typed)
    return typed


@contextmanager
def quiet() -> Iterator[None]:
    """Redirect what plugin code prints to standard error, so that it does not mix with the results."""
    with redirect_stdout(sys.stderr):
        yield


@contextmanager
def tracebacks(wanted: bool) -> Iterator[None]:
    """If `wanted`, show each different traceback of plugin code once on standard error."""
    from wordle_kit.faults import listening

    seen: set[str] = set()

    def show(text: str) -> None:
        if text not in seen:
            tell(text)
        seen.add(text)

    with listening(show) if wanted else nullcontext():
        yield


# Progress

_bar: "Progress | None" = None
"""The progress bar that is being shown. Further work adds a line to it."""


@contextmanager
def progress_bar(doing: str = "playing") -> "Iterator[ProgressCallback | None]":
    """Yield a function that shows progress on a terminal, or None if standard error is not a terminal."""
    global _bar
    if _bar is None and not sys.stderr.isatty():  # rich replaces standard error while a bar is shown
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    if _bar is None:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        # There is no refresh thread, because worker processes are forked while the bar is shown.
        with Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as _bar:
            try:
                with progress_bar(doing) as added:
                    yield added
            finally:
                _bar = None
        return
    bar = _bar
    task = bar.add_task(doing, total=None)

    def show(done: int, total: int) -> None:
        bar.update(task, completed=done, total=total, refresh=True)

    try:
        yield show
    finally:
        bar.remove_task(task)


@contextmanager
def playing(store: Path) -> "Iterator[ProgressCallback]":
    """Yield a function that shows the progress of a tournament. At the end, print which plays came from the store."""
    at_first: list[tuple[int, int]] = []

    with progress_bar() as show:

        def progress(done: int, total: int) -> None:
            if not at_first:  # the runner calls it once before anything is played
                at_first.append((done, total))
            if show is not None:
                show(done, total)

        yield progress
    for stored, total in at_first:
        if stored:
            note(f"{stored:,} of {number_of(total, 'play')} from the store {store}; --fresh plays them again")
