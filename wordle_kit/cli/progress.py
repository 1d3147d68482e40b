"""The progress bar on terminals."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

    from wordle_kit.tournaments.runner import ProgressCallback

_bar: "Progress | None" = None
"""The progress bar that is shown, to which further work adds a line."""


@contextmanager
def progress_bar(doing: str = "playing") -> "Iterator[ProgressCallback | None]":
    """Yield a function that shows progress on a terminal, or None if standard error is not a terminal."""
    global _bar
    if not sys.stderr.isatty():
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
