"""The options that several commands share, and what they stand for."""

import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from wordle_kit.game.game import Game
    from wordle_kit.leaderboard.tables import Format
    from wordle_kit.plugins import Plugins
    from wordle_kit.tournaments.runner import Progress

STORE_VARIABLE = "WORDLE_KIT_STORE"
EXACT_VARIABLE = "WORDLE_KIT_EXACT"

GameOption = Annotated[str, typer.Option("--game", "-g", metavar="NAME|FILE", help="A game by name, or a TOML file.")]
StrategiesOption = Annotated[
    list[str] | None,
    typer.Option("--strategy", "-s", metavar="SPEC", help="A strategy: name or name(parameter=value). Repeatable."),
]
PluginsOption = Annotated[
    list[str] | None,
    typer.Option("--plugin", "-p", metavar="FILE|MODULE|no:NAME", help="Load a plugin, or switch one off. Repeatable."),
]
PluginsDirOption = Annotated[
    list[Path] | None,
    typer.Option("--plugins-dir", metavar="DIR", help="Load every plugin file in a folder. Repeatable."),
]
StrictOption = Annotated[bool, typer.Option("--strict", help="End where a plugin fails to load.")]
PuzzlesOption = Annotated[
    str,
    typer.Option(metavar="all|N|FILE", help="All answers, a number of them drawn by the seed, or a file."),
]
SeedOption = Annotated[int, typer.Option(help="The seed of everything random.")]
WorkersOption = Annotated[
    int | None, typer.Option(metavar="N", help="Worker processes. [default: one a core]", show_default=False)
]
HardOption = Annotated[bool, typer.Option("--hard", help="Play in hard mode: what was found must be used.")]
FormatOption = Annotated[str, typer.Option(metavar="FORMAT", help="table, json, csv, markdown, latex or html.")]
ColumnsOption = Annotated[
    str | None,
    typer.Option(
        metavar="NAME,...",
        help="The columns of the table, such as mean,median,excellent,failure,openers,slowest.",
        show_default=False,
    ),
]
StoreOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help=f"Where results are kept. [default: {STORE_VARIABLE}, or the user's data folder]",
        show_default=False,
    ),
]
FreshOption = Annotated[bool, typer.Option("--fresh", help="Play again what is stored.")]
DeadlineOption = Annotated[float, typer.Option(metavar="SECONDS", help="Seconds that a strategy has for a decision.")]
MemoryOption = Annotated[
    int | None,
    typer.Option(
        metavar="MB",
        help="Memory for the feedback table; a larger one is computed in parts. [default: 256]",
        show_default=False,
    ),
]


def columns(names: str | None) -> tuple[str, ...]:
    """Return the columns that were asked for, or the usual ones."""
    from wordle_kit.leaderboard.columns import USUAL, check_columns

    return USUAL if names is None else check_columns([name.strip() for name in names.split(",") if name.strip()])


def table_format(name: str) -> "Format":
    """Return the format that was asked for."""
    from wordle_kit.leaderboard.tables import check_format

    return check_format(name)


def quiet() -> AbstractContextManager[object]:
    """Return a context in which what other people's code prints goes to standard error, away from the results."""
    return redirect_stdout(sys.stderr)


def load_plugins(plugins: list[str] | None, folders: list[Path] | None, strict: bool) -> "Plugins":
    """Return the plugins that these options ask for, after a line on standard error for each that failed."""
    from wordle_kit.plugins import Plugins

    with quiet():
        loaded = Plugins.load(plugins or (), folders or (), strict=strict)
    for failure in loaded.failures:
        print(f"wordle-kit: left out: {failure}", file=sys.stderr)
    return loaded


def load_game(name: str, plugins: "Plugins", hard: bool = False, memory: int | None = None) -> "Game":
    """Return the game that these options ask for."""
    from wordle_kit.errors import GameError
    from wordle_kit.lookup import load_game

    game = load_game(name, plugins)
    if hard and not game.hard_mode:
        game = game.replace(hard_mode=True)
    if memory is not None:
        if memory < 1:
            raise GameError(f"--memory is {memory}; give the feedback table at least 1 MB")
        game = game.replace(memory=memory * 2**20)
    return game


def store_path(path: Path | None) -> Path:
    """Return the file of the store: the one given, that of the environment, or the one in the user's data folder."""
    if path is not None:
        return path
    if os.environ.get(STORE_VARIABLE):
        return Path(os.environ[STORE_VARIABLE])
    import platformdirs

    return platformdirs.user_data_path("wordle-kit", appauthor=False) / "results.sqlite"


def exact_path(path: Path | None) -> Path:
    """Return the file of long searches: the one given, that of the environment, or the one beside the store."""
    if path is not None:
        return path
    if os.environ.get(EXACT_VARIABLE):
        return Path(os.environ[EXACT_VARIABLE])
    return store_path(None).with_name("searches.sqlite")


def worker_count(workers: int | None) -> int:
    """Return how many worker processes were asked for, by default one a core."""
    return workers if workers is not None else len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1


@contextmanager
def progress_bar() -> "Iterator[Progress | None]":
    """Give what shows progress on a terminal; on anything else nothing is shown."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("playing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # Without a thread that refreshes it, since worker processes are forked while it is shown.
    with Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
        task = bar.add_task("playing")

        def show(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total, refresh=True)

        yield show
