"""Conversion of options to the objects that they name: plugins, games, positions, puzzles, stores and clusters."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from wordle_kit.cli.output import note, progress_bar, quiet, report
from wordle_kit.errors import WordleKitError

if TYPE_CHECKING:
    from wordle_kit.game.game import Game
    from wordle_kit.plugins import Plugins
    from wordle_kit.strategy.position import Position
    from wordle_kit.tournaments.cluster import Cluster
    from wordle_kit.tournaments.puzzles import Puzzles


@contextmanager
def naming(option: str) -> Iterator[None]:
    """Add the name of the option to a user error that is raised in a `with` block."""
    try:
        yield
    except WordleKitError as error:
        error.settings = error.settings or (option,)
        raise


def plugins(plugin: list[str] | None, *, isolate: bool = False, no_sandbox: bool = False) -> "Plugins":
    """Return the plugins. With `isolate`, the strategy in a --plugin file becomes a program, named after the file.

    A line on standard error names each plugin that cannot be used. Raises PluginError if a requested one fails.
    """
    from wordle_kit.plugins import Plugins

    if no_sandbox and not isolate:
        raise WordleKitError("--no-sandbox is for --isolate; add it")
    asked = plugin or []
    apart = {name: _files_of(name) for name in asked} if isolate else {}
    with quiet():
        loaded = Plugins.load([name for name in asked if not apart.get(name)])
    report(loaded)
    if isolate:
        _add_programs(loaded, [file for files in apart.values() for file in files], no_sandbox)
    return loaded


def _files_of(plugin: str) -> list[str]:
    """Return the files of a requested plugin or folder of plugins. A module has none."""
    from wordle_kit.plugin_files import is_file, is_folder, sources_in

    if is_folder(plugin):
        return [source.origin for source in sources_in(plugin)]
    return [plugin] if is_file(plugin) or plugin.endswith(".ipynb") else []


def _add_programs(plugins: "Plugins", files: list[str], no_sandbox: bool) -> None:
    from wordle_kit.programs.program import isolated
    from wordle_kit.programs.sandbox import Sandbox

    sandbox = None if no_sandbox else Sandbox()
    lacks = "no sandbox: strategies run as yourself, with your files" if sandbox is None else sandbox.lacks()
    if lacks is not None:
        note(lacks)
    for file in dict.fromkeys(Path(file).resolve() for file in files):
        plugins.add(isolated(file, sandbox), required=True)


def game(
    name: str,
    plugins: "Plugins",
    *,
    hard: bool = False,
    boards: int | None = None,
    memory: int | None = None,
    weights: Path | None = None,
) -> "Game":
    """Return the game chosen by these options."""
    from wordle_kit.api import load_game
    from wordle_kit.game.files import with_weights

    game = load_game(name, plugins)
    if weights is not None:
        with naming("weights"):
            game = with_weights(game, weights)
    if hard:
        game = game.replace(hard_mode=True)
    if boards is not None and boards != game.boards:
        allowed = max(1, game.max_guesses + boards - game.boards)
        game = game.replace(name=f"{game.name}-x{boards}", boards=boards, max_guesses=allowed)
    return game if memory is None else game.replace(memory=memory * 2**20)


def prepare_table(game: "Game") -> None:
    """Compute a game's feedback table with a progress bar if that takes long; other tables are computed when needed."""
    if game.table.is_slow:
        with quiet(), progress_bar("computing feedback") as progress:
            game.table.prepare(progress)


def position(
    game: "Game", moves: list[str] | None, play: "Callable[[Position, str], Position] | None" = None
) -> "Position":
    """Return the position after the moves given with --after.

    `play` applies one move to a position; the default is `after_move`. Raises GameError for the first move that cannot
    be read or contradicts earlier moves, or if the moves solve the puzzle.
    """
    from wordle_kit.errors import GameError
    from wordle_kit.strategy.moves import after_move
    from wordle_kit.strategy.position import Position

    position = Position.start(game)
    for text in moves or ():
        try:
            position = (play or after_move)(position, text)
        except GameError as error:
            raise GameError(f"--after {text!r}: {error}") from error
    if not position.open_boards:
        raise GameError("--after: these guesses solve the puzzle, so there is nothing left to guess")
    return position


def puzzles(
    game: "Game",
    puzzles: str | None,
    seed: int,
    plugins: "Plugins",
    *,
    host: str,
    first: list[str] | None,
    repeats: bool,
    sample: bool,
) -> "Puzzles":
    """Return the puzzles of a game. If the host hides no words, --first gives their first guesses."""
    from wordle_kit.api import load_puzzles

    if first and plugins.find_host(host).hides_words:
        raise WordleKitError("--first is for games against the adversary; add --host adversary")
    if first and puzzles is not None:
        raise WordleKitError("--first and --puzzles both give first guesses; choose one of them")
    with quiet():
        return load_puzzles(game, first or puzzles, seed, repeats=repeats, is_sample=sample, host=host, plugins=plugins)


def store_path(store: Path | None) -> Path:
    """Return the path of the store, by default in the data folder."""
    if store is not None:
        return store
    import platformdirs

    return platformdirs.user_data_path("wordle-kit", appauthor=False) / "results.sqlite"


def cluster(where: str | None, workers: int | None) -> "AbstractContextManager[Cluster | None]":
    """Return a context that yields the Dask cluster to play on, or None if none is given."""
    if where is None:
        return nullcontext()
    if workers is not None:
        raise WordleKitError("--workers is for processes on this machine; with --dask, give local:N instead")
    from wordle_kit.tournaments.cluster import Cluster

    return Cluster(where)
