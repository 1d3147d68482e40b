"""`Isolation`: plugins and strategies that run in other processes, and `Isolated`: such a strategy."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from wordle_kit.errors import MachineError, PluginError, StrategyError
from wordle_kit.game.game import Game
from wordle_kit.isolation.answers import Contents, Loaded, Readiness, RegisteredFacts, SetUp
from wordle_kit.isolation.child import facts_of
from wordle_kit.isolation.plugin_file import PluginFile
from wordle_kit.isolation.process import LONGEST_MESSAGE, Allowance, Process, Read
from wordle_kit.isolation.protocol import LONGEST_FACTS, Message, game_message
from wordle_kit.isolation.remote import Remote, is_in_use, take_over
from wordle_kit.isolation.shared import kernel_folders, share_table
from wordle_kit.plugin_modules import folder_of
from wordle_kit.plugin_sources import is_file, places
from wordle_kit.plugins import Isolator, Plugins, Registered, default_plugins
from wordle_kit.sandbox.cgroups import memory_warning
from wordle_kit.sandbox.levels import BUBBLEWRAP, PYTHON, level, shield, warning
from wordle_kit.sandbox.limits import Confinement
from wordle_kit.sources import object_source
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy, per_instance, written
from wordle_kit.texts import line, plain
from wordle_kit.tournaments.player import NoGuess
from wordle_kit.tournaments.runs import Outcome

START = "import gc; gc.disable(); from wordle_kit.isolation.child import main; main()"
"""The program of the other process. Loading takes an eighth less time without garbage collection."""

SLOWER = 4
"""How many times the pace of this process a strategy may need for codes that it computes during a decision."""


class Isolated(Remote):
    """A strategy of a plugin that runs in a process which loads the plugin itself."""

    registered: str
    facts: dict[str, Any]
    """The facts that the other process reported about the strategy: see `facts_of`."""
    changed: dict[str, Any] = {}  # noqa: RUF012 - pydantic copies it
    """The parameters that differ from those registered."""
    plugins: tuple[str, ...] = ()
    file: PluginFile | None = None
    """The plugin's file, if only the other process loads it."""
    trusted: Strategy | None = None
    """The strategy itself, if this process has loaded its plugin too."""

    @per_instance
    def name(self) -> str:
        """Return the name of the strategy that is isolated."""
        return str(self.facts["name"])

    @per_instance
    def version(self) -> str:
        """Return the version of the strategy that is isolated."""
        return str(self.facts["version"])

    @per_instance
    def stochastic(self) -> bool:
        """Whether the strategy is random."""
        return bool(self.facts["stochastic"])

    @per_instance
    def by_name_only(self) -> bool:
        """Whether it takes part only if it is named."""
        return bool(self.facts.get("by_name_only"))

    @property
    def spec(self) -> str:
        """The name under which it is registered, with the parameters that differ."""
        changed = [f"{key}={written(value)}" for key, value in self.changed.items()]
        return f"{self.registered}({', '.join(changed)})" if changed else self.registered

    @property
    def strategies(self) -> dict[str, Strategy]:
        """Always empty: strategies that are parameters of the isolated strategy are isolated with it."""
        return {}

    @property
    def known_here(self) -> Strategy | None:
        """The strategy itself, if this process has loaded its plugin too."""
        return self.trusted

    def parameters(self) -> dict[str, Any]:
        """Return the parameters of the strategy that is isolated."""
        return dict(self.facts["parameters"])

    def with_parameters(self, parameters: dict[str, Any]) -> "Isolated":
        """Return the strategy with some parameters changed. Raises StrategyError for unknown or invalid ones."""
        twin = self.model_copy(update={"changed": self.changed | parameters})
        if self.trusted is None:
            with twin.loaded() as (_, facts):
                return twin.model_copy(update={"facts": facts})
        trusted = default_plugins().configure(self.trusted, parameters)
        return twin.model_copy(update={"trusted": trusted, "facts": facts_of(trusted)})

    def problem_with(self, game: Game) -> str | None:
        """Return why the strategy cannot play a game, or None if it can."""
        if self.trusted is not None:
            return self.trusted.problem_with(game)
        if self.facts["any_game"]:
            return None
        with self.loaded() as (process, _):
            problem = process.query(Readiness.read, game_message(game), self.limits.start).problem
        return None if problem is None else line(problem, LONGEST_MESSAGE)

    @property
    def origin(self) -> str:
        """The name that it was registered under."""
        return self.registered

    def is_variant_of(self, name: str, registered: Strategy) -> bool:
        """Return whether this is the strategy that is registered under a name."""
        return name == self.registered

    def prepare_workers(self, game: Game) -> None:
        """Share the feedback table with worker processes."""
        share_table(game)

    def source(self) -> str:
        """Return the registered name, a hash of the plugin's file, and one of the files that it opened."""
        return f"{self.registered}|{'' if self.file is None else self.file.digest}|{self.facts.get('opened', '')}"

    def start(self, game: Game, allowance: Allowance) -> Process:
        """Start a process, load the strategy in it, and tell it the game."""
        process = self.process(game, allowance)
        self.set_up(process)
        self.get_ready(process, game)
        return process

    def take_over(self, process: Process, game: Game) -> None:
        """Have this thread play a game with a process that was set up. Raises NoGuess if it cannot get ready."""
        self.get_ready(process, game)
        take_over(process, self, game)

    def get_ready(self, process: Process, game: Game) -> None:
        """Have a process that was set up load the strategy and prepare for a game. Raises NoGuess if that fails."""
        self.load(process, game.memory)
        same = self._begin(process, game).fingerprint == game.fingerprint
        if not same and object_source(game.rule) is not None:  # other rules have no fingerprint outside this process
            process.fail(f"has a different game {game.name}; is the rule {game.rule.name} the same there?")

    def engine_seconds(self, position: Position) -> float:
        """Return the seconds to compute codes without a table, at the pace of this process, which is trusted."""
        table = position.game.table
        if table.is_dense:
            return 0.0
        return SLOWER * table.pace * len(table.guesses) * sum(map(len, position.open_boards))

    def process(self, game: Game | None = None, allowance: Allowance | None = None) -> Process:
        """Start a process that has loaded nothing yet, with the feedback table and the kernels for a game, if given."""
        table = None if game is None else share_table(game)
        kernels = kernel_folders() if game is not None and game.memory else ()
        given = [] if table is None else [table]
        program = [PYTHON, "-P", "-c", START, *map(str, given)]
        return Process(program, [], self._isolation, given, allowance, shows=kernels)

    def load(self, process: Process, memory: int) -> dict[str, Any]:
        """Load the strategy in a process, and return its facts. Raises NoGuess if it cannot be loaded."""
        answer = self._answer_to_load(process, Loaded.read, self.registered, memory)
        if answer.strategy is None:
            process.fail(answer.problem or "did not say what its strategy is")
        return answer.strategy.model_dump()

    def contents(self, process: Process) -> Contents:
        """Return what a process that was set up says about the plugin's file. Raises NoGuess if it says nothing."""
        return self._answer_to_load(process, Contents.read, None)

    def _answer_to_load(
        self, process: Process, read: Callable[[Message], Read], strategy: str | None, memory: int = 0
    ) -> Read:
        kernels = kernel_folders() if memory else {}
        message = {"type": "load", "strategy": strategy, "parameters": self.changed, "memory": memory}
        return process.query(read, message | {"kernels": kernels}, self.limits.start, LONGEST_FACTS)

    def set_up(self, process: Process) -> None:
        """Have a process load the trusted plugins and write the strategy's files.

        No code of the strategy has run before. A failure is therefore the machine's fault and raises MachineError. Two
        failures raise NoGuess instead: the process takes too long, perhaps because of others, or in a sandbox the files
        exceed the limit `written`.
        """
        own = None if self.file is None else self.file.message()
        message: Message = {"type": "setup", "plugins": list(map(_sent, self.plugins)), "file": own}
        where = f"no isolated strategy can run here ({level(self._isolation)})"
        try:
            done = process.query(SetUp.read, message, self.limits.start)
        except NoGuess as none:
            if none.failure.outcome is Outcome.TIMED_OUT:
                raise
            raise MachineError(f"{where}: its process {none}") from none
        in_sandbox = level(self._isolation) == BUBBLEWRAP  # where its folder has a size
        if done.problem is None and done.unwritten is not None and in_sandbox:
            process.fail(f"cannot write its own files: {done.unwritten}; the limit `written` is too low for them")
        if done.problem is not None or done.unwritten is not None:
            process.close()
            problem = done.problem or f"its files cannot be written: {done.unwritten}"
            raise MachineError(f"{where}: {line(problem, LONGEST_MESSAGE)}")

    @contextmanager
    def loaded(self) -> Iterator[tuple[Process, dict[str, Any]]]:
        """Yield a process that has loaded the strategy, and its facts. Raises StrategyError if an answer is missing."""
        process = self.process()
        try:
            self.set_up(process)
            yield process, self.load(process, 0)
        except NoGuess as none:
            raise StrategyError(f"{self.registered}: {none.what}") from none
        finally:
            process.close()


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

        The process in which it runs also loads the plugins `trusted`. Raises PluginError if the file cannot be loaded.
        """
        with self.loading(path, trusted, plugin) as (entries, _):
            return entries

    @contextmanager
    def loading(
        self, path: Path, trusted: tuple[str, ...], plugin: str, game: Game | None = None
    ) -> Iterator[tuple[list[Registered[Isolated]], Process]]:
        """Yield the strategies that a plugin's file registers, and the process that said so, which then ends.

        With a game, one of the strategies can take the process over to play it.
        """
        if not path.is_file():
            raise PluginError(f"{path}: is not a file")
        try:
            file = PluginFile.read(path)
            file.check_foreign()
        except OSError as error:
            raise PluginError(f"{path}: cannot be read: {error.strerror or error}") from error
        unloaded = Isolated(registered=plain(path.stem), facts={}, plugins=trusted, file=file).under(self)
        process = unloaded.process(game)
        try:
            unloaded.set_up(process)
            entries: list[Registered[Isolated]] = []
            for facts in _strategies(unloaded.contents(process)):
                known = facts.model_dump(exclude={"registered", "aliases"})
                strategy = unloaded.model_copy(update={"registered": facts.registered, "facts": known})
                entries.append(Registered(facts.registered, strategy, plugin, tuple(facts.aliases)))
        except NoGuess as none:
            process.close()
            raise PluginError(str(none)) from none
        except BaseException:
            process.close()
            raise
        try:
            yield entries, process
        finally:
            if not is_in_use(process):
                process.close()

    def check_not_given(self, plugins: Plugins, path: Path) -> None:
        """Raise PluginError if a plugin names a file in its folder, so that processes of strategies would get it."""
        own = (entry.value.file for entry in plugins.strategies.values() if isinstance(entry.value, Isolated))
        trusted = (PluginFile.read(Path(name)) for name in plugins.trusted if is_file(name))
        for file in filter(None, (*own, *trusted)):
            for name in file.beside:
                if (folder_of(Path(file.path)) / name).resolve() == path.resolve():
                    raise PluginError(
                        f"{path}: plugin {file.path} names it and would get it; move one of them to another folder"
                    )

    def isolate(self, registered: Registered[Strategy], trusted: tuple[str, ...]) -> Strategy:
        """Return a registered strategy so that it runs in another process, which loads the plugins `trusted`."""
        if isinstance(registered.value, Remote):
            return registered.value.under(self)
        value = registered.value
        return Isolated(registered=registered.name, facts=facts_of(value), plugins=trusted, trusted=value).under(self)

    def isolate_object(self, given: Strategy | type[Strategy], plugins: Plugins) -> Strategy:
        """Return a strategy of one of the plugins, with its parameters, so that it runs in another process.

        Raises StrategyError if it comes from no plugin, since another process could not load it.
        """
        strategy = plugins.find_strategy(given)
        for entry in plugins.strategies.values():
            if isinstance(strategy, Remote) or type(entry.value) is type(strategy):
                twin = self.isolate(replace(entry, value=strategy), plugins.trusted)
                if isinstance(twin, Isolated):
                    twin = twin.model_copy(update={"changed": strategy.parameters()})
                return twin
        raise StrategyError(
            f"{strategy.name} cannot be isolated, since no plugin has it; put it in a file and load that"
        )


def _strategies(contents: Contents) -> list[RegisteredFacts]:
    """Return the strategies of a plugin. Raises PluginError if it has none, or has rules, games or programs."""
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


def _sent(plugin: str) -> str | dict[str, Any]:
    """Return a trusted plugin for a message: a file by its content, since a lent user may not be able to read it."""
    if not is_file(plugin):
        return plugin
    try:
        return PluginFile.read(Path(places.get(plugin, plugin))).message()
    except (OSError, PluginError) as error:
        why = error.strerror if isinstance(error, OSError) else None
        raise MachineError(f"plugin {plugin}: isolated strategies need it: {why or error}") from error
