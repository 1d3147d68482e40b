"""Printing: results on standard output, notes and progress on standard error, without control characters."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, redirect_stdout
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from wordle_kit.cli.options import USUAL_GAME
from wordle_kit.errors import WordleKitError
from wordle_kit.faults import note as note
from wordle_kit.texts import number_of, terminal

if TYPE_CHECKING:
    from rich.progress import Progress

    from wordle_kit.game.game import Game
    from wordle_kit.leaderboard.leaderboard import Leaderboard
    from wordle_kit.plugins import Plugins
    from wordle_kit.tables import Format, Rows
    from wordle_kit.tournaments.runner import ProgressCallback


class CommandStopped(Exception):  # noqa: N818 - not an error
    """Raised when Ctrl-C ends a command. The message says what is lost."""


def say(text: str = "", *, nl: bool = True) -> None:
    """Print a result."""
    typer.echo(terminal(text), nl=nl)


def on_terminal() -> bool:
    """Return whether standard output is a terminal."""
    return sys.stdout.isatty()


def can_show(text: str) -> bool:
    """Return whether standard output can encode the characters of the text."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def can_show_tiles(game: "Game") -> bool:
    """Return whether standard output can encode the tiles of a game."""
    return can_show(game.feedback_of(game.winning_code).tiles + game.rule.legend())


def say_usual_game(game: "Game", asked: str, form: "Format | None" = None) -> None:
    """Print the game's title if it is the default game and the format is a table."""
    if asked == USUAL_GAME and (form is None or form.name == "table"):
        say(f"{game.title} ({game.name}).")


def report(loaded: "Plugins") -> None:
    """Print a line on standard error for each plugin that was replaced or failed."""
    for text in (*loaded.replaced, *(f"left out: {failure}" for failure in loaded.failures)):
        note(text)


@contextmanager
def quiet() -> Iterator[None]:
    """Redirect what plugin code prints to standard error, to keep it out of the results."""
    with redirect_stdout(sys.stderr):
        yield


@contextmanager
def tracebacks(wanted: bool) -> Iterator[None]:
    """If `wanted`, show each distinct traceback of plugin code once on standard error."""
    from wordle_kit.faults import listening

    seen: set[str] = set()

    def show(text: str) -> None:
        if text not in seen:
            print(terminal(text), file=sys.stderr, end="")
        seen.add(text)

    with listening(show) if wanted else nullcontext():
        yield


# Columns and files


def chosen_columns(names: str | None, plugins: "Plugins") -> tuple[str, ...] | None:
    """Return the columns given with --columns, or None if the option is not used."""
    from wordle_kit.leaderboard.columns import check_columns
    from wordle_kit.leaderboard.metrics import metrics_of

    if names is None:
        return None
    asked = tuple(name.strip() for name in names.split(",") if name.strip())
    check_columns(asked, metrics_of(plugins))
    return asked


def show_results(
    content: "Callable[[Format], str | bytes]", form: "Format | None", files: "Mapping[Path, Format] | None" = None
) -> None:
    """Write results to files, each in its own format, and print them if `form` is given.

    Raises WordleKitError if bytes would be printed on a terminal.
    """
    from wordle_kit.files import write_file

    for path, each in (files or {}).items():
        write_file(path, content(each))
        note(f"wrote {path}")
    if form is None:
        return
    printed = content(form)
    if isinstance(printed, str):
        say(printed, nl=False)
    elif on_terminal():
        raise WordleKitError("this format is not text; write it to a file")
    else:
        sys.stdout.buffer.write(printed)


def show_rows(rows: "Rows", form: "Format") -> None:
    """Print rows in a format."""
    from wordle_kit.tables import Table

    show_results(Table(rows).content, form)


def exit_if_broken(*boards: "Leaderboard") -> None:
    """End the command with exit code 1 if a strategy could not play at all."""
    if not all(run.works for board in boards for run in board.runs):
        raise typer.Exit(1)


# Progress


@cache
def _bars() -> "Progress":
    """Return this process's display of progress bars, always the same one."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # There is no refresh thread, because workers are forked while a bar is on screen.
    return Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False)


@contextmanager
def progress_bar(doing: str = "playing") -> "Iterator[ProgressCallback | None]":
    """Yield a function that shows progress on a terminal, or None if standard error is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    bars = _bars()
    task = bars.add_task(doing, total=None)
    bars.start()
    try:
        yield lambda done, total: bars.update(task, completed=done, total=total, refresh=True)
    finally:
        bars.remove_task(task)
        if not bars.tasks:
            bars.stop()


@contextmanager
def playing(store: Path) -> "Iterator[ProgressCallback]":
    """Yield a function that shows the progress of a tournament. At the end, say how many plays came from the store."""
    stored: str | None = None

    with progress_bar() as show:

        def progress(done: int, total: int) -> None:
            nonlocal stored
            if stored is None:  # the runner calls this once before playing
                stored = f"{done:,} of {number_of(total, 'play')}" if done else ""
            if show is not None:
                show(done, total)

        yield progress
    if stored:
        note(f"{stored} from the store {store}; --fresh plays them again")
