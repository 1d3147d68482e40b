"""The objects that options describe: plugins, games, puzzles, stores and others."""

import dataclasses
import functools
import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from wordle_kit.cli import options
from wordle_kit.cli.commands import current_context, report
from wordle_kit.cli.options import REAL_GAME, STORE_VARIABLE, USUAL_GAME
from wordle_kit.cli.output import note, playing, progress_bar, quiet, say
from wordle_kit.defaults import CONFIDENCE, DEADLINE

if TYPE_CHECKING:
    from wordle_kit.cluster import Cluster
    from wordle_kit.game.game import Game
    from wordle_kit.leaderboard.leaderboard import Leaderboard
    from wordle_kit.plugins import Plugins
    from wordle_kit.strategy.position import Position
    from wordle_kit.tables import Format
    from wordle_kit.tournaments.entrants import Entrant
    from wordle_kit.tournaments.puzzles import Puzzles


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command in which each parameter that is a group of options is replaced by these options.

    A group is a frozen dataclass whose fields are options, with their defaults.
    """
    shown: list[inspect.Parameter] = []
    groups: dict[str, tuple[type, tuple[str, ...]]] = {}
    for name, each in inspect.signature(command).parameters.items():
        if dataclasses.is_dataclass(each.annotation) and isinstance(each.annotation, type):
            fields = inspect.signature(each.annotation).parameters
            groups[name] = (each.annotation, tuple(fields))
            shown += fields.values()
        else:
            shown.append(each)

    @functools.wraps(command)
    def with_options(**given: Any) -> None:
        made = {name: kind(**{field: given.pop(field) for field in fields}) for name, (kind, fields) in groups.items()}
        command(**given, **made)

    with_options.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in shown]
    )
    with_options.__annotations__ = {each.name: each.annotation for each in shown}
    return with_options


@dataclass(frozen=True)
class WhichPlugins:
    """The options that choose plugins. `load_plugins` reads them."""

    plugin: options.PluginsOption = None
    plugins_dir: options.PluginsDirOption = None
    strict: options.StrictOption = False

    def load(self) -> "Plugins":
        """Return the plugins, loaded by `load_plugins`."""
        return load_plugins(strict=self.strict)


INSTALLED = WhichPlugins()


@dataclass(frozen=True)
class WhichLeaderboards(WhichPlugins):
    """The options that choose stored leaderboards, like the arguments of `read_leaderboards`."""

    game: options.SomeGameOption = None
    strategy: options.NamesOption = None
    puzzles: Annotated[str | None, options.game(metavar="all|N|FILE", help="Only these puzzles.")] = None
    seed: Annotated[int | None, options.game(metavar="N", help="Seed that drew the puzzles.")] = None
    repeats: options.RepeatsOption = False
    hard: Annotated[bool | None, options.game("--hard/--no-hard", help="Only with, or only without, hard mode.")] = None
    boards: Annotated[int | None, options.game(metavar="N", help="Only on this number of boards.")] = None
    store: options.StoreOption = None
    confidence: options.ConfidenceOption = CONFIDENCE

    def read(self) -> "list[Leaderboard]":
        """Return the leaderboards that match the options, the latest last. Raises StoreError if none matches."""
        from wordle_kit.api import read_leaderboards

        return read_leaderboards(
            store_path(self.store),
            self.game,
            self.puzzles,
            seed=self.seed or 0,
            repeats=self.repeats,
            hard_mode=self.hard,
            boards=self.boards,
            strategies=self.strategy or (),
            confidence=self.confidence,
            plugins=self.load(),
        )


@dataclass(frozen=True)
class AlsoWeights(WhichPlugins):
    """The options that choose plugins, and the weights for the game of --game. `load_game` uses the weights."""

    weights: options.WeightsOption = None


USUAL_WEIGHTS = AlsoWeights()


@dataclass(frozen=True)
class MayIsolate(AlsoWeights):
    """The options that choose plugins and weights, and whether strategies of files run in a sandbox."""

    isolate: Annotated[
        bool,
        options.run("--isolate", help="Run the files of -p in a sandbox, each strategy in a process of its own."),
    ] = False
    no_sandbox: Annotated[
        bool, options.advanced("--no-sandbox", help="With --isolate: run them as plain processes, as yourself.")
    ] = False

    def load(self) -> "Plugins":
        """Return the plugins. With --isolate, each file of --plugin becomes a program that is named after it."""
        from wordle_kit.errors import WordleKitError

        if not self.isolate:
            if self.no_sandbox:
                raise WordleKitError("--no-sandbox is for --isolate; add it")
            return super().load()
        from wordle_kit.plugins import is_file
        from wordle_kit.programs.program import isolated_files
        from wordle_kit.programs.sandbox import Sandbox
        from wordle_kit.registry import Registered

        sandbox = None if self.no_sandbox else Sandbox()
        lacks = "no sandbox: strategies run as yourself, with your files" if sandbox is None else sandbox.lacks()
        if lacks is not None:
            note(lacks)
        files = [name for name in requested() if is_file(name) or name.endswith(".ipynb")]
        loaded = load_plugins(strict=self.strict, but=files)
        for name, program in isolated_files(files, sandbox).items():
            loaded.strategies[name] = Registered(name, program, name)
        return loaded


NOT_ISOLATED = MayIsolate()


@dataclass(frozen=True)
class HowToPlay:
    """The options that say how a tournament is played. They have the names of the arguments of `tournament`."""

    seed: options.SeedOption = 0
    secret: options.SecretOption = None
    workers: options.WorkersOption = None
    store: options.StoreOption = None
    fresh: options.FreshOption = False
    deadline: options.DeadlineOption = DEADLINE
    keep_timeouts: options.KeepTimeoutsOption = False
    confidence: options.ConfidenceOption = CONFIDENCE

    def play(
        self,
        game: "Game",
        strategies: "Sequence[str] | None",
        puzzles: "Puzzles",
        plugins: "Plugins",
        dask: str | None = None,
    ) -> "Leaderboard":
        """Play a tournament, perhaps on a Dask cluster, and return the leaderboard. A terminal shows the progress."""
        from wordle_kit.api import tournament

        path = store_path(self.store)
        with quiet(), cluster(dask, self.workers) as executor, playing(path) as progress:
            given = vars(self) | {"store": path, "executor": executor, "progress": progress, "plugins": plugins}
            return tournament(game, strategies, puzzles, **given)


USUALLY = HowToPlay()


@dataclass(frozen=True)
class WhatToPlay:
    """The options that choose the mode and the puzzles of a game, and the host that answers guesses."""

    puzzles: options.PuzzlesOption = None
    repeats: options.RepeatsOption = False
    sample: options.SampleOption = False
    host: options.HostOption = "hidden"
    first: options.FirstOption = None
    hard: options.HardOption = False
    boards: options.BoardsOption = None
    memory: options.MemoryOption = None

    def load_plugins(self, which: WhichPlugins) -> "Plugins":
        """Return the plugins. Raises WordleKitError if the host cannot be combined with --first."""
        from wordle_kit.api import find_host
        from wordle_kit.errors import WordleKitError

        plugins = which.load()
        host = find_host(self.host, plugins)
        if self.first and host.hides_words:
            raise WordleKitError("--first is for games against the adversary; add --host adversary")
        if self.first and self.puzzles is not None:
            raise WordleKitError("--first and --puzzles both give first guesses; choose one of them")
        return plugins

    def load_game(self, name: str, plugins: "Plugins") -> "Game":
        """Return a game in this mode."""
        return load_game(name, plugins, self.hard, self.memory, self.boards)

    def load_puzzles(self, game: "Game", seed: int, plugins: "Plugins") -> "Puzzles":
        """Return the puzzles of a game. For a host that hides no words, they begin with the guesses of --first."""
        from wordle_kit.api import load_puzzles

        source, how = self.first or self.puzzles, {"repeats": self.repeats, "is_sample": self.sample}
        with quiet():
            return load_puzzles(game, source, seed, **how, host=self.host, plugins=plugins)


ALL_PUZZLES = WhatToPlay()


def columns(names: str | None, plugins: "Plugins") -> tuple[str, ...] | None:
    """Return the columns in --columns, or None if the option is not used."""
    from wordle_kit.leaderboard.columns import check_columns
    from wordle_kit.leaderboard.metrics import metrics_of

    if names is None:
        return None
    asked = tuple(name.strip() for name in names.split(",") if name.strip())
    check_columns(asked, metrics_of(plugins))
    return asked


def table_format(name: str, plugins: "Plugins", *, leaderboards: bool = False) -> "Format":
    """Return the format that --format names: one of tables or, with `leaderboards`, also one of leaderboards alone."""
    from wordle_kit.tables import check_format

    return check_format(name, _formats(plugins, leaderboards))


def file_formats(
    files: "Sequence[Path] | None", plugins: "Plugins", *, leaderboards: bool = False
) -> "dict[Path, Format]":
    """Return the format of each file that --output names."""
    from wordle_kit.tables import format_of

    known = _formats(plugins, leaderboards)
    return {path: format_of(path, known) for path in map(Path, files or ())}


def _formats(plugins: "Plugins", leaderboards: bool) -> "dict[str, Format]":
    every = {each.name: each.value for each in plugins.formats.values()}
    return {name: form for name, form in every.items() if leaderboards or form.write is not None}


def end_if_broken(*boards: "Leaderboard") -> None:
    """End the command with exit code 1 if a strategy could not play at all."""
    import typer

    from wordle_kit.leaderboard.metrics import works

    if not all(works(run) for board in boards for run in board.runs):
        raise typer.Exit(1)


def write_results(files: "Mapping[Path, Format]", content: "Callable[[Format], str | bytes]") -> None:
    """Write results to files, each in its format."""
    from wordle_kit.files import write_file

    for path, form in files.items():
        write_file(path, content(form))
        note(f"wrote {path}")


def _given() -> dict[str, Any]:
    """Return the options of the running command."""
    context = current_context()
    return {} if context is None else context.params


def cluster(where: str | None, workers: int | None) -> "AbstractContextManager[Cluster | None]":
    """Return a context that yields the Dask cluster on which to play, or None if none is given."""
    from wordle_kit.errors import WordleKitError

    if where is None:
        return nullcontext()
    if workers is not None:
        raise WordleKitError("--workers is for processes on this machine; with --dask, give local:N instead")
    from wordle_kit.cluster import Cluster

    return Cluster(where)


def load_plugins(*more: str, strict: bool = False, but: Sequence[str] = ()) -> "Plugins":
    """Return the plugins that the options of the running command choose, and `more`, but not those of `but`.

    Write a line on standard error for each plugin that cannot be used. Raises PluginError if a plugin that --plugin
    names fails.
    """
    from wordle_kit.plugins import Plugins

    asked = [name for name in requested() if name not in but]
    with quiet():
        loaded = Plugins.load([*asked, *more], _given().get("plugins_dir") or (), strict=strict)
    report(loaded)
    return loaded


def requested() -> list[str]:
    """Return the plugins that `-p` names, in front of the running command and behind it."""
    context = current_context()
    return [] if context is None else options.requested_plugins(context)


def load_game(
    name: str, plugins: "Plugins", hard: bool = False, memory: int | None = None, boards: int | None = None
) -> "Game":
    """Return the game that these options choose, with the weights of --weights if the command has that option."""
    from wordle_kit.api import load_game
    from wordle_kit.errors import GameError
    from wordle_kit.game import table
    from wordle_kit.game.files import with_weights

    table.show_progress = progress_bar
    game = load_game(name, plugins)
    weights = _given().get("weights")
    if weights is not None:
        try:
            game = with_weights(game, Path(weights))  # older versions of typer leave the value a text
        except GameError as error:
            raise GameError(f"--weights: {error}") from error
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


def titled(game: "Game", asked: str | None) -> str:
    """Return the title of a game. If --game did not choose it, add its name and how to choose another."""
    if asked is not None:
        return game.title
    other = USUAL_GAME if game.name == REAL_GAME else REAL_GAME
    return f"{game.title} ({game.name}; -g chooses another, such as {other})"


def say_usual_game(game: "Game", asked: str | None, form: "Format | None" = None) -> None:
    """Print a line that names the game if --game did not choose it. Only tables have such a line."""
    if asked is None and (form is None or form.name == "table"):
        say(f"{titled(game, asked)}.")


def hidden_puzzle(game: "Game", answer: str) -> "Puzzles":
    """Return the puzzle with the hidden words of --answer."""
    from wordle_kit.errors import PuzzleError
    from wordle_kit.tournaments.puzzles import choose_puzzles

    try:
        return choose_puzzles(game, [answer])
    except PuzzleError as error:
        raise PuzzleError(f"--answer: {str(error).removeprefix('puzzle 1: ')}") from error


def entrant(spec: str, game: "Game", plugins: "Plugins") -> "Entrant":
    """Return the strategy of a spec, with its label. Raises StrategyError if it cannot play the game."""
    from wordle_kit.tournaments.entrants import enter_one

    with quiet():
        return enter_one(spec, game, plugins)


def after_moves(game: "Game", moves: list[str] | None) -> "Position":
    """Return the position after the moves of --after.

    Raises GameError for the first move that cannot be read or contradicts earlier moves, and if the moves solve the
    puzzle.
    """
    from wordle_kit.errors import GameError
    from wordle_kit.strategy.moves import after_move, read_move
    from wordle_kit.strategy.position import Position

    position = Position.start(game)
    for text in moves or ():
        try:
            position = after_move(position, read_move(game, text))
        except GameError as error:
            raise GameError(f"--after {text!r}: {error}") from error
    if not position.open_boards:
        raise GameError("--after: these guesses solve the puzzle, so there is nothing left to guess")
    return position


def store_path(path: Path | None) -> Path:
    """Return the path of the store: the argument, else the environment variable, else a file in the data folder."""
    if path is not None:
        return path
    if os.environ.get(STORE_VARIABLE):
        return Path(os.environ[STORE_VARIABLE])
    import platformdirs

    return platformdirs.user_data_path("wordle-kit", appauthor=False) / "results.sqlite"
