"""The options that choose a stored leaderboard, for every command that shows one without playing."""

import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from wordle_kit.cli import completion, options, panels, values
from wordle_kit.texts import number_of

if TYPE_CHECKING:
    from wordle_kit.leaderboard.leaderboard import Leaderboard


@dataclass(frozen=True)
class Choice:
    """The choice of a stored leaderboard; its fields are the options."""

    game: Annotated[
        str | None,
        panels.played(
            "--game",
            "-g",
            metavar="NAME|FILE",
            help="Only this game. [default: the game played last]",
            autocompletion=completion.games,
        ),
    ] = None
    strategy: options.NamesOption = None
    puzzles: Annotated[
        str | None,
        panels.played(metavar="all|N|FILE", help="Only these puzzles. [default: those played last]"),
    ] = None
    seed: Annotated[int | None, panels.played(metavar="N", help="Seed that drew the puzzles.")] = None
    repeats: options.RepeatsOption = False
    hard: Annotated[
        bool | None,
        panels.played("--hard/--no-hard", help="Only with, or only without, hard mode. [default: either]"),
    ] = None
    plugin: options.PluginsOption = None
    plugins_dir: options.PluginsDirOption = None
    strict: options.StrictOption = False
    store: options.StoreOption = None

    @property
    def file(self) -> str | None:
        """The file of the game, if --game names a file."""
        return self.game if self.game is not None and self.game.endswith(".toml") else None

    @contextmanager
    def leaderboard(self) -> "Iterator[Leaderboard]":
        """Yield the leaderboard, whose runs are read when they are needed. Raises StoreError if there is none."""
        from wordle_kit.leaderboard.leaderboard import Leaderboard
        from wordle_kit.leaderboard.metrics import metrics_of
        from wordle_kit.leaderboard.stored import choose_runs
        from wordle_kit.tournaments.store import Store

        plugins = values.load_plugins(self.plugin, self.plugins_dir, self.strict)
        game = values.load_game(self.file, plugins) if self.file is not None else self.game

        wanted = None
        if self.puzzles is not None:
            wanted = functools.partial(values.load_puzzles, source=self.puzzles, seed=self.seed, repeats=self.repeats)
        with Store.existing(values.store_path(self.store), plugins.aliases) as results, results.snapshot():
            runs, played = choose_runs(results, plugins, game, wanted, self.hard, self.strategy or ())
            yield Leaderboard(runs, game=played, aliases=plugins.aliases, metrics=metrics_of(plugins))


def described(board: "Leaderboard") -> str:
    """Return the game, the puzzles and the number of strategies of a leaderboard in a few words."""
    facts = board.runs[0].facts
    hard = ", hard mode" if facts.hard_mode else ""
    return f"{facts.game}{hard}, {facts.puzzles}, {number_of(len(board.runs), 'strategy', 'strategies')}"


def of_a_choice(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command that has the options of a Choice in the place of its parameter `choice`."""
    fields = inspect.signature(Choice).parameters
    own = inspect.signature(command).parameters
    shown = [each for name, each in (own | fields).items() if name != "choice"]

    @functools.wraps(command)
    def with_options(**given: Any) -> None:
        chosen = Choice(**{name: given.pop(name) for name in fields})
        command(choice=chosen, **given)

    with_options.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in shown]
    )
    with_options.__annotations__ = {each.name: each.annotation for each in shown}
    return with_options
