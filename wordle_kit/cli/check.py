"""`wordle-kit check`: check that the strategies of a plugin follow the rules."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wordle_kit.cli import options, values
from wordle_kit.cli.output import progress_bar, quiet, say, tracebacks

if TYPE_CHECKING:
    from wordle_kit.testing import Finding
    from wordle_kit.tournaments.runner import ProgressCallback


def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Plugin to check.")],
    deadline: options.DeadlineOption = 10.0,
    game: Annotated[str | None, options.of_game(help="Check on this game instead of small and odd ones.")] = None,
    plugin: options.PluginsOption = None,
    traceback: options.TracebackOption = False,
) -> None:
    """Check that a plugin's strategies follow the rules.

    Guesses must be legal and the same every time, and a strategy must keep no state and cope with small and odd games.
    The exit code is 1 if a check fails.

    For example:
        wordle-kit check my_idea.py
    """
    from wordle_kit.api import load_game
    from wordle_kit.deadline import Deadline
    from wordle_kit.errors import PluginError
    from wordle_kit.testing import each_finding

    Deadline(deadline)  # refuses a value that is not a time
    path = file if file.suffix else file.with_suffix(".py")
    isolation = values.isolation()
    with tracebacks(traceback):
        plugins = values.load_plugins([*(plugin or ()), str(path.resolve())], None, strict=True, isolation=isolation)
    games = [] if game is None else [load_game(game, plugins)]
    origin = str(path.resolve())
    mine = [entry for entry in plugins.strategies.values() if plugins.origins[entry.plugin] == origin]
    if not mine:
        raise PluginError(f"{path}: registers no strategy; add a function register_strategies with @wk.hookimpl")
    failed = False
    for entry in mine:
        say(entry.name)
        with tracebacks(traceback):
            for finding in _as_they_come(partial(each_finding, entry.value, deadline=deadline, games=games)):
                failed |= not finding.passed
                say(f"  {'ok  ' if finding.passed else 'FAIL'}  {finding.check}: {finding.message}")
    if failed:
        raise typer.Exit(1)


def _as_they_come(check: "Callable[..., Iterator[Finding]]") -> "Iterator[Finding]":
    """Yield each finding as soon as it is known, and show the progress of the next one on a terminal."""
    bars: list[ProgressCallback] = []
    """The bar on the terminal, if there is one."""

    def progress(name: str, done: int, total: int) -> None:
        for bar in bars:
            bar(done, total)

    found = check(progress=progress)
    while True:
        with quiet(), progress_bar("checking") as bar:
            bars[:] = [bar] if bar is not None else []
            finding = next(found, None)
        if finding is None:
            return
        yield finding
