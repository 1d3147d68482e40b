"""Loads plugins so that the code of files stays in other processes, and isolates the strategies of all plugins."""

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from wordle_kit.errors import PluginError, StrategyError
from wordle_kit.isolation.answers import Contents, RegisteredFacts, contents_of
from wordle_kit.isolation.child import facts_of
from wordle_kit.isolation.isolated import Isolated, PluginFile
from wordle_kit.isolation.limits import Isolation
from wordle_kit.isolation.process import LONGEST_MESSAGE
from wordle_kit.isolation.protocol import LONGEST_FACTS
from wordle_kit.isolation.remote import Remote
from wordle_kit.isolation.sandbox import level, shield
from wordle_kit.lookup import load_strategy
from wordle_kit.plugins import ENVIRONMENT, Failure, Plugins, Registered, UnknownPluginError, real
from wordle_kit.strategy.strategy import LONGEST_NAME, Strategy
from wordle_kit.texts import line, plain
from wordle_kit.tournaments.outcome import NoGuess


def isolate(plugins: Plugins, isolation: Isolation) -> Plugins:
    """Return the plugins with each strategy in a process of its own. Raises WordleKitError where that cannot be."""
    level(isolation)
    shield()
    strategies = {
        name: replace(entry, value=isolated(entry, plugins, isolation)) for name, entry in plugins.strategies.items()
    }
    return replace(plugins, strategies=strategies)


def isolated(entry: Registered[Strategy], plugins: Plugins, isolation: Isolation) -> Strategy:
    """Return a registered strategy in a process of its own, which loads the same plugins."""
    if isinstance(entry.value, Remote):
        return entry.value.under(isolation)
    return Isolated(
        registered=entry.name,
        facts=facts_of(entry.value),
        plugins=requested(plugins),
        trusted=entry.value,
    ).under(isolation)


def isolated_object(given: Strategy | type[Strategy] | str, plugins: Plugins, isolation: Isolation) -> Strategy | str:
    """Return a strategy of one of the plugins in a process of its own; a text is left to be looked up.

    Raises StrategyError for one that comes from no plugin, which another process could not load.
    """
    if isinstance(given, str):
        return given
    strategy = load_strategy(given, plugins)
    for entry in plugins.strategies.values():
        if isinstance(strategy, Remote) or type(entry.value) is type(strategy):
            twin = isolated(replace(entry, value=strategy), plugins, isolation)
            return twin.model_copy(update={"changed": strategy.parameters()}) if isinstance(twin, Isolated) else twin
    raise StrategyError(f"{strategy.name} cannot be isolated, since no plugin has it: put it in a file and load that")


def load_isolated(
    plugins: Iterable[str | Path], folders: Iterable[str | Path], isolation: Isolation, *, strict: bool = False
) -> Plugins:
    """Return installed plugins and these, as `Plugins.load` does, without running the code of any file in this process.

    A file gives strategies; rules and games of one are a failure, since they would have to be run here.
    """
    names = list(map(str, plugins))
    named = [real(Path(name).expanduser()) for name in names if _is_file(name)]
    files = [*named]
    for folder in map(Path, folders):
        if not folder.is_dir():
            raise PluginError(f"{folder}: is no folder of plugins")
        files += sorted(path for path in folder.glob("*.py") if not path.name.startswith("_"))
    trusted = Plugins.load([name for name in names if not _is_file(name)], strict=strict)
    loaded = isolate(trusted, isolation)
    for path in dict.fromkeys(map(real, files)):
        if not path.is_file() and path in named:
            raise UnknownPluginError(f"plugin {path}: there is no such file")
        name = line(path.stem, LONGEST_NAME)
        try:
            found = strategies_of(path, trusted, isolation)
            replaces = path in named and name in trusted.origins and name not in trusted.requested
            others = loaded.without(name, str(path)) if replaces else loaded
            if name in others.origins:
                raise PluginError(f"its name is taken by the one from {others.origins[name]}; rename the file")
            for taken in sorted(others.strategies.keys() & found.keys()):
                other = others.strategies[taken].plugin
                raise PluginError(
                    f"two strategies are called {taken!r}: plugin {other} has one ({others.origins[other]}), "
                    f"plugin {name} another ({path}); rename one"
                )
        except PluginError as error:
            failure = Failure(name, str(path), str(error), path in named)
            if strict:
                raise PluginError(str(failure)) from error
            loaded.failures.append(failure)
            continue
        loaded = others
        loaded.strategies.update({taken: Registered(taken, value, name) for taken, value in found.items()})
        loaded.origins[name] = str(path)
    return loaded


def strategies_of(path: Path, plugins: Plugins, isolation: Isolation) -> dict[str, Isolated]:
    """Return the strategies that a plugin's file registers, without running its code in this process.

    `plugins` are those that its process loads too. Raises PluginError where the file cannot be loaded.
    """
    if not path.is_file():
        raise PluginError(f"{path}: is not a file")
    try:
        file = PluginFile.read(path)
    except OSError as error:
        raise PluginError(f"{path}: cannot be read: {error.strerror or error}") from error
    unloaded = Isolated(registered=plain(path.stem), facts={}, plugins=requested(plugins), file=file).under(isolation)
    process = unloaded.process()
    try:
        setup = unloaded.setup(None, {}, 0)
        found = _strategies(process.asked(contents_of, setup, isolation.limits.start, LONGEST_FACTS))
    except NoGuess as none:
        printed = f"; it printed: {none.printed}" if none.printed else ""
        raise PluginError(f"{none.what}{printed}") from none
    finally:
        process.close()
    return {
        facts.registered: unloaded.model_copy(
            update={"registered": facts.registered, "facts": facts.model_dump(exclude={"registered"})}
        )
        for facts in found
    }


def check_not_beside(plugins: Plugins, path: Path) -> None:
    """Raise PluginError where a file is among those that a plugin's process gets because the plugin names them."""
    for entry in plugins.strategies.values():
        file = entry.value.file if isinstance(entry.value, Isolated) else None
        for name in file.beside if file is not None else ():
            if file is not None and Path(file.path).with_name(name).resolve() == path.resolve():
                raise PluginError(f"{path}: plugin {file.path} names it and would get it; keep the two apart")


def requested(plugins: Plugins) -> tuple[str, ...]:
    """Return the plugins that were asked for on top of the installed ones, files by their full paths."""
    everywhere = (name.strip() for name in os.environ.get(ENVIRONMENT, "").split(","))
    names = [*filter(None, everywhere), *plugins.requested]
    folders = map(Path, plugins.folders)
    files = [str(path) for folder in folders for path in sorted(folder.glob("*.py")) if not path.name.startswith("_")]
    return tuple(str(real(Path(name).expanduser())) if _is_file(name) else name for name in [*names, *files])


def _strategies(contents: Contents) -> list[RegisteredFacts]:
    """Return the strategies of a plugin. Raises PluginError where it has none, or what an isolated one cannot have."""
    if contents.failures:
        raise PluginError(line("; ".join(contents.failures), LONGEST_MESSAGE))
    if contents.others:
        others = " and ".join(contents.others)
        raise PluginError(f"it registers {others}, which an isolated plugin cannot; see WORDLE_KIT_PLUGINS")
    if not contents.strategies:
        raise PluginError("it registers no strategy")
    return contents.strategies


def _is_file(name: str) -> bool:
    return not name.startswith("no:") and (name.endswith(".py") or os.sep in name)
