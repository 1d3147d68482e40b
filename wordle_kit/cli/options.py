"""Options that several commands share, and the objects that they describe."""

import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wordle_kit.cli import completion
from wordle_kit.cli.help import HOW, ISOLATION, OUTPUT, PLAYED, PLUGINS
from wordle_kit.cli.output import note, tell

if TYPE_CHECKING:
    from rich.progress import Progress

    from wordle_kit.game.game import Game
    from wordle_kit.isolation.isolation import Isolation
    from wordle_kit.leaderboard.leaderboard import Leaderboard
    from wordle_kit.machines import Machines
    from wordle_kit.plugins import Plugins
    from wordle_kit.strategy.board import Board
    from wordle_kit.tables import Format
    from wordle_kit.tournaments.puzzles import Puzzles
    from wordle_kit.tournaments.runner import ProgressCallback

STORE_VARIABLE = "WORDLE_KIT_STORE"
EXACT_VARIABLE = "WORDLE_KIT_EXACT"

REAL_GAME = "wordle-nyt"
"""The game that people play elsewhere, and want help with."""

ADVISER = "expected-guesses"
"""The strategy that helps with it, and with others."""

FORMATS = ("table", "json", "csv", "markdown", "latex", "html")

GameOption = Annotated[
    str,
    typer.Option(
        "--game",
        "-g",
        metavar="NAME|FILE",
        help="Game: a name, or a TOML file.",
        rich_help_panel=PLAYED,
        autocompletion=completion.games,
    ),
]
StrategiesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--strategy",
        "-s",
        metavar="SPEC",
        help="Strategy: name or name(parameter=value). Repeatable. [default: all]",
        rich_help_panel=PLAYED,
        autocompletion=completion.strategies,
    ),
]
StrategyOption = Annotated[
    str,
    typer.Option(
        "--strategy",
        "-s",
        metavar="SPEC",
        help="Strategy: name or name(parameter=value).",
        rich_help_panel=PLAYED,
        autocompletion=completion.strategies,
    ),
]
PuzzlesOption = Annotated[
    str | None,
    typer.Option(
        metavar="all|N|FILE",
        help="All, N drawn at random, or a file. [default: all; 1000 if boards > 1]",
        rich_help_panel=PLAYED,
    ),
]
RepeatsOption = Annotated[
    bool,
    typer.Option("--repeats", help="Allow a word on several boards of a drawn puzzle.", rich_help_panel=PLAYED),
]
SampleOption = Annotated[
    bool,
    typer.Option(
        "--sample",
        help="The file of puzzles is a random sample: show confidence intervals.",
        rich_help_panel=PLAYED,
    ),
]
BoardsOption = Annotated[
    int | None,
    typer.Option(metavar="N", help="Number of simultaneous boards. [default: the game's]", rich_help_panel=PLAYED),
]
HardOption = Annotated[
    bool,
    typer.Option("--hard", help="Play in hard mode: guesses must use all hints so far.", rich_help_panel=PLAYED),
]
SeedOption = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Seed of drawn puzzles (0) and of random strategies (a secret).",
        rich_help_panel=HOW,
    ),
]
SecretOption = Annotated[
    str | None,
    typer.Option(
        metavar="HEX",
        help="Repeat the random numbers of a leaderboard that names this secret.",
        rich_help_panel=HOW,
    ),
]
AfterOption = Annotated[
    list[str] | None,
    typer.Option(
        "--after",
        metavar="GUESS=FEEDBACK",
        help="A guess made before, with its feedback in digits, letters or tiles. Repeatable.",
        rich_help_panel=PLAYED,
    ),
]
WorkersOption = Annotated[
    int | None,
    typer.Option(metavar="N", help="Number of worker processes. [default: one per core]", rich_help_panel=HOW),
]
DaskOption = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS|local:N",
        help="Play on a Dask cluster, or start N of its workers here.",
        rich_help_panel=HOW,
    ),
]
HostOption = Annotated[
    str,
    typer.Option(
        metavar="hidden|adversary",
        help="Hidden words, or an adversary that evades.",
        rich_help_panel=PLAYED,
        autocompletion=completion.choices("hidden", "adversary"),
    ),
]
DeadlineOption = Annotated[
    float, typer.Option(metavar="SECONDS", help="Time limit for one decision.", rich_help_panel=HOW)
]
MemoryOption = Annotated[
    int | None,
    typer.Option(
        metavar="MB",
        help="Memory for the feedback table. [default: 256]",
        rich_help_panel=HOW,
    ),
]
StoreOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help=f"Store of results. [default: ${STORE_VARIABLE}, or your data folder]",
        rich_help_panel=HOW,
    ),
]
FreshOption = Annotated[
    bool,
    typer.Option(
        "--fresh", help="Also play puzzles with stored results, which are skipped otherwise.", rich_help_panel=HOW
    ),
]
KeepTimeoutsOption = Annotated[
    bool,
    typer.Option(
        "--keep-timeouts",
        help="Do not replay puzzles that timed out or whose process died.",
        rich_help_panel=HOW,
    ),
]
FormatOption = Annotated[
    str,
    typer.Option(
        metavar="FORMAT",
        help="table, json, csv, markdown, latex or html.",
        rich_help_panel=OUTPUT,
        autocompletion=completion.choices(*FORMATS),
    ),
]
ColumnsOption = Annotated[
    str | None,
    typer.Option(
        metavar="NAME,...", help="Columns of the table, such as mean,median,slowest; or all.", rich_help_panel=OUTPUT
    ),
]
TranscriptsOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Also write the guesses of every puzzle, a line each.", rich_help_panel=OUTPUT),
]
TracebackOption = Annotated[
    bool,
    typer.Option("--traceback", help="Show the traceback of a strategy that crashes.", rich_help_panel=OUTPUT),
]
PluginsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--plugin",
        "-p",
        metavar="PLUGIN",
        help="Load a file or module, or switch one off with no:NAME. Repeatable.",
        rich_help_panel=PLUGINS,
    ),
]
PluginsDirOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--plugins-dir", metavar="DIR", help="Load every plugin in a folder. Repeatable.", rich_help_panel=PLUGINS
    ),
]
StrictOption = Annotated[
    bool, typer.Option("--strict", help="Stop if a plugin fails to load.", rich_help_panel=PLUGINS)
]
IsolateOption = Annotated[
    bool,
    typer.Option(
        "--isolate",
        help="Run each strategy in another process, which never has the puzzles.",
        rich_help_panel=ISOLATION,
    ),
]
SandboxOption = Annotated[
    str,
    typer.Option(
        metavar="LEVEL",
        help="auto, required (fail without bubblewrap) or plain. [default: auto]",
        rich_help_panel=ISOLATION,
        autocompletion=completion.choices("auto", "required", "plain", "none"),
    ),
]
LimitsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--limit",
        metavar="NAME=VALUE",
        help="Limit, such as memory=2048 (MB) or cpu=60 (seconds). Repeatable.",
        rich_help_panel=ISOLATION,
    ),
]


def columns(names: str | None) -> tuple[str, ...] | None:
    """Return the columns of --columns; without it None, or the default columns that the output's encoding can show."""
    from wordle_kit.leaderboard.bars import HEIGHTS
    from wordle_kit.leaderboard.columns import BARS, USUAL, check_columns

    if names is not None:
        return check_columns([name.strip() for name in names.split(",") if name.strip()])
    try:
        HEIGHTS.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return tuple(name for name in USUAL if name != BARS)
    return None


def words_left(board: "Board", few: int) -> str:
    """Return a sentence with the number of remaining words on a board and some of them.

    If answers have weights, these are the likeliest, with their chances.
    """
    from wordle_kit.analysis.splits import likeliest

    words = list(board.words[:few])
    if board.game.is_weighted and len(board) > 1:
        words = [f"{word} {chance:.1%}" for word, chance in likeliest(board)[:few]]
    some = ", ".join(words) + (", ..." if len(board) > few else "")
    return f"{len(board):,} word{'s are' if len(board) > 1 else ' is'} left: {some}"


BY_WEIGHT = "Chances and expected figures are by weight."
"""A note for games whose answers have weights."""


def table_format(name: str) -> "Format":
    """Return the value of --format once it is checked."""
    from wordle_kit.tables import check_format

    return check_format(name)


def quiet() -> AbstractContextManager[object]:
    """Return a context that sends what other people's code prints to standard error, away from the results."""
    return redirect_stdout(sys.stderr)


def isolation(isolate: bool, sandbox: str, limits: list[str] | None) -> "Isolation | None":
    """Return how strategies are isolated, or None if they are not."""
    from wordle_kit.errors import WordleKitError
    from wordle_kit.isolation.isolation import Isolation

    if isolate:
        return Isolation.read(sandbox, limits or ())
    if limits or sandbox != "auto":
        raise WordleKitError("--sandbox and --limit apply to isolated strategies only; add --isolate")
    return None


@contextmanager
def cluster(where: str | None, workers: int | None) -> "Iterator[Machines | None]":
    """Yield the cluster of --dask until the end of a `with` block, or None without one."""
    if where is None:
        yield None
        return
    from wordle_kit.clusters.cluster import Cluster
    from wordle_kit.errors import WordleKitError

    if workers is not None:
        raise WordleKitError(
            "--workers is for processes on this machine; with --dask, give local:N or leave out --workers"
        )
    with Cluster(where) as machines:
        if not machines.has_workers:
            note(f"{where} has no workers yet; waiting for them")
        yield machines


@contextmanager
def tracebacks(wanted: bool) -> Iterator[None]:
    """Show each different traceback of other people's code once on standard error, if wanted."""
    from wordle_kit.faults import listening

    seen: set[str] = set()

    def show(text: str) -> None:
        if text not in seen:
            tell(text)
        seen.add(text)

    with listening(show) if wanted else nullcontext():
        yield


def load_plugins(
    plugins: list[str] | None, folders: list[Path] | None, strict: bool, isolation: "Isolation | None" = None
) -> "Plugins":
    """Return the plugins of these options, and write a line on standard error for each that is not used.

    Raises PluginError if one that --plugin names fails.
    """
    from wordle_kit.errors import PluginError
    from wordle_kit.plugins import Plugins

    with quiet():
        loaded = Plugins.load(plugins or (), folders or (), strict=strict, isolation=isolation)
        if isolation is not None:
            warn_of_no_sandbox(isolation)
    for line in loaded.replaced:
        note(line)
    for failure in loaded.failures:
        if failure.named:
            raise PluginError(str(failure))
        note(f"left out: {failure}")
    return loaded


def warn_of_no_sandbox(isolation: "Isolation") -> None:
    """Warn on standard error if the sandbox is missing or incomplete."""
    from wordle_kit.isolation.sandbox import warning

    said = warning(isolation)
    if said is not None:
        note(said)


def load_game(
    name: str, plugins: "Plugins", hard: bool = False, memory: int | None = None, boards: int | None = None
) -> "Game":
    """Return the game of these options."""
    from wordle_kit.api import load_game
    from wordle_kit.errors import GameError

    game = load_game(name, plugins)
    if hard and not game.hard_mode:
        game = game.replace(hard_mode=True)
    if boards is not None and boards != game.boards:
        allowed = max(1, game.max_guesses + boards - game.boards)
        game = game.replace(name=f"{game.name}-x{boards}", boards=boards, max_guesses=allowed)
    if memory is not None:
        if memory < 1:
            raise GameError(f"--memory is {memory}; give the feedback table at least 1 MB")
        game = game.replace(memory=memory * 2**20)
    return game


def load_puzzles(
    game: "Game",
    source: str | list[str] | None,
    seed: int | None,
    repeats: bool,
    is_sample: bool = False,
    host: str = "hidden",
) -> "Puzzles":
    """Return the puzzles of these options."""
    from wordle_kit.api import load_puzzles
    from wordle_kit.tournaments.host import check_host

    return load_puzzles(game, source, seed or 0, repeats=repeats, is_sample=is_sample, host=check_host(host))


def write_transcripts(path: Path | None, leaderboard: "Leaderboard") -> None:
    """Write the guesses of every puzzle to the file of --transcripts, if there is one."""
    if path is not None:
        from wordle_kit.leaderboard.transcripts import write_transcripts

        write_transcripts(path, leaderboard.runs)


def store_path(path: Path | None) -> Path:
    """Return the file of the store: the argument, else the environment variable, else a file in the data folder."""
    if path is not None:
        return path
    if os.environ.get(STORE_VARIABLE):
        return Path(os.environ[STORE_VARIABLE])
    import platformdirs

    return platformdirs.user_data_path("wordle-kit", appauthor=False) / "results.sqlite"


def exact_path(path: Path | None) -> Path:
    """Return the file of long searches: the argument, else the environment variable, else a file beside the store."""
    if path is not None:
        return path
    if os.environ.get(EXACT_VARIABLE):
        return Path(os.environ[EXACT_VARIABLE])
    return store_path(None).with_name("searches.sqlite")


def worker_count(workers: int | None) -> int:
    """Return the number of worker processes, by default one per core."""
    return workers if workers is not None else len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1


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
