"""The progress bar on terminals, and a line that says how much was not played but comes from the store."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from wordle_kit.cli.output import note
from wordle_kit.texts import number_of

if TYPE_CHECKING:
    from rich.progress import Progress

    from wordle_kit.tournaments.runner import ProgressCallback

_bar: "Progress | None" = None
"""The progress bar that is shown, to which further work adds a line."""


@contextmanager
def progress_bar(doing: str = "playing") -> "Iterator[ProgressCallback | None]":
    """Yield a function that shows progress on a terminal, or None if standard error is not a terminal."""
    global _bar
    if _bar is None and not sys.stderr.isatty():  # while there is a bar, rich has a stand-in for standard error
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    if _bar is None:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        # No refresh thread, because worker processes are forked while the bar is shown.
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
    """Yield a function that shows the progress of a tournament; at the end, say which plays came from the store."""
    at_first: list[tuple[int, int]] = []

    with progress_bar() as show:

        def progress(done: int, total: int) -> None:
            if not at_first:  # the runner calls it once before it plays
                at_first.append((done, total))
            if show is not None:
                show(done, total)

        yield progress
    for stored, total in at_first:
        if stored:
            note(f"{stored:,} of {number_of(total, 'play')} from the store {store}; --fresh plays them again")
