"""Find plugins, load them, and keep what they register. A plugin that fails is reported; the others are still loaded.

Trusted plugins run in this process. With isolation, the code of files runs in other processes only.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from wordle_kit.arguments import listed, path_of
from wordle_kit.errors import GameError, PluginError, StrategyError
from wordle_kit.game.files import WrittenGame, build_game, read_settings
from wordle_kit.game.game import Game
from wordle_kit.names import shown, unknown
from wordle_kit.plugin_sources import Source, announce, choose, file_of, named_source, real_path, requested_name
from wordle_kit.registration import LoadedPlugins, Registered, Registrations
from wordle_kit.strategy.strategy import Strategy, parse_spec


class Isolator(ABC):
    """How to run strategies in other processes: the part of `wordle_kit.Isolation` that the core needs."""

    @abstractmethod
    def check(self) -> None:
        """Raise WordleKitError if strategies cannot be isolated on this machine."""

    def warnings(self) -> Sequence[str]:
        """Return a line for each part of the isolation that is missing on this machine."""
        return ()

    @abstractmethod
    def load_file(self, path: Path, trusted: tuple[str, ...], plugin: str) -> Sequence[Registered[Strategy]]:
        """Return the strategies that a plugin's file registers, without running its code in this process.

        `trusted` are the plugins to load with it. Raises PluginError if the file cannot be loaded.
        """

    @abstractmethod
    def check_not_given(self, plugins: "Plugins", path: Path) -> None:
        """Raise PluginError if processes of strategies would get a file, such as that of the puzzles."""

    @abstractmethod
    def isolate(self, registered: Registered[Strategy], trusted: tuple[str, ...]) -> Strategy:
        """Return a registered strategy so that it runs in another process, which loads the plugins `trusted`."""

    @abstractmethod
    def isolate_object(self, given: Strategy | type[Strategy], plugins: "Plugins") -> Strategy:
        """Return a strategy of one of the plugins, with its parameters, so that it runs in another process."""


@dataclass
class Plugins(LoadedPlugins):
    """What all loaded plugins registered, and which failed. `Plugins.load()` finds them."""

    requested: tuple[str, ...] = ()
    """The trusted plugins that were asked for in addition to the installed ones."""
    folders: tuple[str, ...] = ()
    """The folders of trusted plugins."""
    trusted: tuple[str, ...] = ()
    """The trusted plugins that processes of isolated strategies load too; files by their full paths."""
    replaced: tuple[str, ...] = ()
    """A line for each installed plugin that a requested one replaces."""
    isolation: Isolator | None = None
    """How their strategies are isolated, or None if they are not."""

    @classmethod
    def load(
        cls,
        plugins: str | Path | Iterable[str | Path] = (),
        folders: str | Path | Iterable[str | Path] = (),
        *,
        strict: bool = False,
        isolation: Isolator | None = None,
    ) -> "Plugins":
        """Return the installed plugins, those of the environment, and these files or modules and folders of files.

        A requested plugin replaces an installed one of the same name. `no:NAME` among `plugins` switches the
        plugin of that name off. With `strict` the first failure is raised as PluginError; so is a requested plugin
        with a strategy, rule or game whose name is taken.

        With `isolation`, all strategies run in other processes. The code of requested files and of files in folders
        does not run in this process at all. So they can register strategies only; a rule or a game is a failure.
        """
        if isolation is not None:
            isolation.check()
        in_folders = [path_of("folder of plugins", folder) for folder in listed(folders)]
        chosen = choose(listed(plugins), in_folders, isolated=isolation is not None)
        loaded = cls(
            requested=chosen.requested,
            folders=chosen.folders,
            trusted=chosen.trusted,
            replaced=chosen.replaced,
            isolation=isolation,
        )
        for source in chosen.sources:
            loaded._add(source, strict)
        files = {source.origin for source in chosen.sources if source.in_folder and not source.foreign}
        loaded.trusted += tuple(sorted(files & set(loaded.origins.values())))
        return loaded

    def run_finished(self, run: object) -> None:
        """Tell the plugins that a strategy has played all its puzzles; `run` is a `StoredRun`."""
        self.announce_event("run_finished", run=run)

    def tournament_finished(self, leaderboard: object) -> None:
        """Tell the plugins that a tournament has ended; `leaderboard` is a `Leaderboard`."""
        self.announce_event("tournament_finished", leaderboard=leaderboard)

    def _add(self, source: Source, strict: bool) -> None:
        """Load one plugin; one that fails is not trusted."""
        if not self.add_plugin(source, self._load_isolated if self.isolation else self.import_plugin, strict=strict):
            self.trusted = tuple(name for name in self.trusted if name not in (source.name, source.origin))

    def _load_isolated(self, source: Source) -> Registrations:
        """Return what a plugin registers, with strategies that run in other processes."""
        assert self.isolation is not None  # noqa: S101 - only called with one
        if source.foreign and source.file is not None:
            found = Registrations()
            for entry in self.isolation.load_file(source.file, self.trusted, source.name):
                found.add("strategies", entry)
            return found
        found = self.import_plugin(source)
        return replace(found, strategies=_isolated(found.strategies, self.isolation, self.trusted))

    def isolated(self, isolation: Isolator) -> "Plugins":
        """Return these plugins with strategies that run in other processes, which load the trusted plugins.

        Raises WordleKitError if strategies cannot be isolated on this machine.
        """
        isolation.check()
        strategies = _isolated(self.strategies, isolation, self.trusted)
        return replace(self, strategies=strategies, isolation=isolation)

    def find_game(self, game: Game | str | Path | Mapping[str, Any]) -> Game:
        """Return a game, given as `wordle_kit.load_game` takes it. Raises GameError."""
        if isinstance(game, Game):
            return game
        if not isinstance(game, str | Path | Mapping):
            raise GameError(f"{shown(game)} is not a game; give a name, the path of a TOML file, its fields or a Game")
        written = self._written(game)
        rules = self._with(written.plugin, written.where).rules
        return build_game(written, {name: rule.value for name, rule in rules.items()})

    def for_game(self, game: Game | str | Path | Mapping[str, Any]) -> "Plugins":
        """Return these plugins with the one that the game's rule comes from, if it is not among them.

        That is the plugin that the game's file names, which a line on standard error announces, or the file that
        defines the rule of a Game. With isolation, the former can only register strategies, as in `load`.
        """
        if isinstance(game, Game):
            return self._with(file_of(type(game.rule)), None)
        written = self._written(game)
        return self._with(written.plugin, written.where)

    def _written(self, game: str | Path | Mapping[str, Any]) -> WrittenGame:
        return read_settings(game, {name: entry.value for name, entry in self.games.items()})

    def _with(self, file: Path | None, named_by: str | None) -> "Plugins":
        """Return these plugins with the one in a file that a game names, or that has the rule of a loaded game."""
        if file is None or str(real_path(file)) in self.origins.values():
            return self
        source = replace(named_source(requested_name(file)), named=True, foreign=bool(self.isolation and named_by))
        kinds: dict[str, Any] = {kind: dict(entries) for kind, entries in self.by_kind().items()}
        more = replace(self, **kinds, origins=dict(self.origins), modules=dict(self.modules), failures=[*self.failures])
        if not source.foreign:
            more.requested, more.trusted = (*self.requested, source.origin), (*self.trusted, source.origin)
        try:
            if named_by is not None and file.is_file():
                announce(f"{named_by} loads the plugin {source.origin}")
            more._add(source, strict=True)
        except PluginError as error:
            if named_by is None:
                raise
            raise GameError(f"{named_by}: {error}") from error
        return more

    def find_strategy(self, spec: Strategy | type[Strategy] | str) -> Strategy:
        """Return a strategy, given as `wordle_kit.load_strategy` takes it. Raises StrategyError."""
        if isinstance(spec, Strategy):
            return spec
        if isinstance(spec, type) and issubclass(spec, Strategy):
            return spec()
        if not isinstance(spec, str):
            raise StrategyError(f"{shown(spec)} is not a strategy; give a text such as 'entropy', or a Strategy object")
        name, parameters = parse_spec(spec)
        return self.configure(self.registered_strategy(name).value, parameters)

    def registered_strategy(self, name: str) -> Registered[Strategy]:
        """Return the entry of the strategy with this name or alias. Raises StrategyError if there is none."""
        names = self.names()["strategies"]
        if name not in names:
            failed = "".join(f"; {failure}" for failure in self.failures[:1])  # it may have the name
            raise StrategyError(f"{unknown('strategy', name, names)}{failed}")
        return names[name]

    def configure(self, strategy: Strategy, parameters: Mapping[str, Any]) -> Strategy:
        """Return a strategy with some parameters changed; one that is itself a strategy may be given by its spec."""
        if not parameters:
            return strategy
        known = strategy.strategies
        return strategy.with_parameters(
            {
                name: self.find_strategy(value) if name in known and isinstance(value, str) else value
                for name, value in parameters.items()
            }
        )


@cache
def default_plugins() -> Plugins:
    """Return the installed plugins and those of the environment, loaded once."""
    return Plugins.load()


def plugins_of(plugins: Plugins | None) -> Plugins:
    """Return these plugins, or the installed ones for None. Raises PluginError for values of other types."""
    if plugins is not None and not isinstance(plugins, Plugins):
        raise PluginError(f"plugins is {shown(plugins)}; give what Plugins.load() returns")
    return plugins or default_plugins()


def _isolated(
    strategies: Mapping[str, Registered[Strategy]], isolation: Isolator, trusted: tuple[str, ...]
) -> dict[str, Registered[Strategy]]:
    return {name: replace(entry, value=isolation.isolate(entry, trusted)) for name, entry in strategies.items()}
