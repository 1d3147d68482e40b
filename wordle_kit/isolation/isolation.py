"""`Isolation`: plugins and strategies that run in other processes."""

from dataclasses import replace
from pathlib import Path

from wordle_kit.errors import PluginError, StrategyError
from wordle_kit.isolation.answers import Contents, RegisteredFacts, contents_of
from wordle_kit.isolation.child import facts_of
from wordle_kit.isolation.isolated import Isolated, PluginFile
from wordle_kit.isolation.process import LONGEST_MESSAGE
from wordle_kit.isolation.protocol import LONGEST_FACTS
from wordle_kit.isolation.remote import Remote
from wordle_kit.plugin_sources import is_file
from wordle_kit.plugins import Isolator, Plugins, Registered
from wordle_kit.sandbox.cgroups import memory_warning
from wordle_kit.sandbox.levels import level, shield, warning
from wordle_kit.sandbox.limits import Confinement
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.texts import line, plain
from wordle_kit.tournaments.outcome import NoGuess


class Isolation(Confinement, Isolator):
    """How strategies are isolated: each runs in a process of its own, in a sandbox and with limits.

    `Plugins.load(..., isolation=Isolation())` loads plugins without running the code of their files in this process.
    """

    def check(self) -> None:
        """Raise WordleKitError if strategies cannot be isolated on this machine."""
        level(self)
        shield()

    def warnings(self) -> tuple[str, ...]:
        """Return a line if the sandbox or its filter is missing, and one if the kernel does not count memory."""
        lines = (warning(self), None if self.sandbox == "plain" else memory_warning())
        return tuple(line for line in lines if line is not None)

    def load_file(self, path: Path, trusted: tuple[str, ...], plugin: str) -> list[Registered[Isolated]]:
        """Return the strategies that a plugin's file registers, without running its code in this process.

        `trusted` are the plugins that its process loads too. Raises PluginError if the file cannot be loaded.
        """
        if not path.is_file():
            raise PluginError(f"{path}: is not a file")
        try:
            file = PluginFile.read(path)
        except OSError as error:
            raise PluginError(f"{path}: cannot be read: {error.strerror or error}") from error
        unloaded = Isolated(registered=plain(path.stem), facts={}, plugins=trusted, file=file).under(self)
        process = unloaded.process()
        try:
            unloaded.set_up(process)
            message = unloaded.loading(None, {}, 0)
            found = _strategies(process.query(contents_of, message, self.limits.start, LONGEST_FACTS))
        except NoGuess as none:
            printed = f"; it printed: {none.printed}" if none.printed else ""
            raise PluginError(f"{none.what}{printed}") from none
        finally:
            process.close()
        entries: list[Registered[Isolated]] = []
        for facts in found:
            known = facts.model_dump(exclude={"registered", "aliases"})
            strategy = unloaded.model_copy(update={"registered": facts.registered, "facts": known})
            entries.append(Registered(facts.registered, strategy, plugin, tuple(facts.aliases)))
        return entries

    def check_not_given(self, plugins: Plugins, path: Path) -> None:
        """Raise PluginError if processes of strategies would get a file, because a plugin in its folder names it."""
        check_not_beside(plugins, path)

    def isolate(self, registered: Registered[Strategy], trusted: tuple[str, ...]) -> Strategy:
        """Return a registered strategy so that it runs in another process, which loads the plugins `trusted`."""
        if isinstance(registered.value, Remote):
            return registered.value.under(self)
        return Isolated(
            registered=registered.name,
            facts=facts_of(registered.value),
            plugins=trusted,
            trusted=registered.value,
        ).under(self)

    def isolate_object(self, given: Strategy | type[Strategy], plugins: Plugins) -> Strategy:
        """Return a strategy of one of the plugins, with its parameters, so that it runs in another process.

        Raises StrategyError if it comes from no plugin, since another process could not load it.
        """
        strategy = plugins.find_strategy(given)
        for entry in plugins.strategies.values():
            if isinstance(strategy, Remote) or type(entry.value) is type(strategy):
                twin = self.isolate(replace(entry, value=strategy), plugins.trusted)
                return (
                    twin.model_copy(update={"changed": strategy.parameters()}) if isinstance(twin, Isolated) else twin
                )
        raise StrategyError(
            f"{strategy.name} cannot be isolated, since no plugin has it; put it in a file and load that"
        )


def check_not_beside(plugins: Plugins, path: Path) -> None:
    """Raise PluginError if a plugin names a file in its folder, so that processes of strategies would get it."""
    own = (entry.value.file for entry in plugins.strategies.values() if isinstance(entry.value, Isolated))
    trusted = (PluginFile.read(Path(name)) for name in plugins.trusted if is_file(name))
    for file in filter(None, (*own, *trusted)):
        for name in file.beside:
            if Path(file.path).with_name(name).resolve() == path.resolve():
                raise PluginError(
                    f"{path}: plugin {file.path} names it and would get it; move one of them to another folder"
                )


def _strategies(contents: Contents) -> list[RegisteredFacts]:
    """Return the strategies of a plugin. Raises PluginError if it has none, or has rules or games."""
    if contents.failures:
        raise PluginError(line("; ".join(contents.failures), LONGEST_MESSAGE))
    if contents.others:
        others = " and ".join(contents.others)
        raise PluginError(
            f"it registers {others}, which an isolated plugin cannot do; list a file of your own in WORDLE_KIT_PLUGINS"
        )
    if not contents.strategies:
        raise PluginError("it registers no strategy")
    return contents.strategies
