"""Strategies of plugins that run in a process which loads the plugin itself."""

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from wordle_kit.errors import MachineError, PluginError, StrategyError
from wordle_kit.game.game import Game
from wordle_kit.isolation.answers import loaded_of, readiness_of, set_up_of
from wordle_kit.isolation.data_files import MOST, files_beside
from wordle_kit.isolation.process import LONGEST_MESSAGE, Allowance, Answer, Process
from wordle_kit.isolation.protocol import LONGEST_FACTS, game_message
from wordle_kit.isolation.remote import Remote
from wordle_kit.isolation.shared import kernel_folders, share_table
from wordle_kit.plugin_sources import is_file, places
from wordle_kit.sandbox.levels import BUBBLEWRAP, PYTHON, level
from wordle_kit.sources import object_source
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy, per_instance, written
from wordle_kit.texts import line, plain
from wordle_kit.tournaments.outcome import NoGuess, Outcome

START = "import gc; gc.disable(); from wordle_kit.isolation.child import main; main()"
"""The program of the other process. Imports take an eighth less time without garbage collection."""

TIMES = 4
"""How often the codes that concern a decision may be computed beyond the deadline, or equal work done."""


class PluginFile(BaseModel):
    """The content of a plugin's file and of its data files."""

    model_config = ConfigDict(frozen=True)

    path: str
    text: bytes
    beside: dict[str, bytes] = {}
    """The data files in its folder that it names, by their names."""

    @classmethod
    def read(cls, path: Path) -> "PluginFile":
        """Read a plugin's file and its data files. Raises OSError, or PluginError if they are too large."""
        with path.open("rb") as file:
            text = file.read(MOST + 1)
        if len(text) > MOST:
            raise PluginError(f"{path}: has more than {MOST // 2**20} MB; a strategy must be smaller")
        return cls(path=plain(str(path)), text=text, beside=files_beside(path, text))

    @per_instance
    def name(self) -> str:
        """Its name without its folder, which its code must not know."""
        return Path(self.path).name

    @property
    def digest(self) -> str:
        """A hash of everything that its code can read: its name, its text, and its data files."""
        digest = hashlib.sha256(self.name.encode() + b"\0" + self.text)
        for name, data in self.beside.items():
            digest.update(f"|{name}|{len(data)}|".encode() + data)
        return digest.hexdigest()

    def message(self) -> dict[str, Any]:
        """Return the file as part of a message."""
        beside = {name: data.hex() for name, data in self.beside.items()}
        return {"name": self.name, "bytes": self.text.hex(), "beside": beside}


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
        from wordle_kit.isolation.child import facts_of
        from wordle_kit.plugins import default_plugins

        changed = self.changed | parameters
        if self.trusted is not None:
            trusted = default_plugins().configure(self.trusted, parameters)
            twin = self.model_copy(update={"changed": changed, "trusted": trusted, "facts": facts_of(trusted)})
        else:
            twin = self.model_copy(update={"changed": changed})
            twin = twin.model_copy(update={"facts": twin.ask_once(lambda process: twin.load(process, 0))})
        return twin

    def problem_with(self, game: Game) -> str | None:
        """Return why the strategy cannot play a game, or None if it can."""
        if self.trusted is not None:
            return self.trusted.problem_with(game)
        if self.facts["any_game"]:
            return None

        def ask(process: Process) -> str | None:
            self.load(process, 0)
            return process.query(readiness_of, game_message(game), self._isolation.limits.start).problem

        problem = self.ask_once(ask)
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
        process = self.process(share_table(game), kernel_folders() if game.memory else (), allowance)
        self.load(process, game.memory)
        same = self._begin(process, game).fingerprint == game.fingerprint
        if not same and object_source(game.rule) is not None:  # other rules have no fingerprint outside this process
            process.fail(f"has a different game {game.name}; is the rule {game.rule.name} the same there?")
        return process

    def engine_seconds(self, position: Position) -> float:
        """Return the seconds to compute codes without a table, at the pace of this process, which is trusted."""
        table = position.game.table
        if table.is_dense:
            return 0.0
        return TIMES * table.pace * len(table.guesses) * sum(map(len, position.open_boards))

    def process(
        self, table: int | None = None, kernels: Iterable[str] = (), allowance: Allowance | None = None
    ) -> Process:
        """Start a process that has loaded nothing yet.

        `table` is the descriptor of a feedback table for it, and `kernels` are folders with compiled kernels.
        """
        given = [] if table is None else [table]
        program = [PYTHON, "-P", "-c", START, *map(str, given)]
        return Process(program, [], self._isolation, given, allowance, shows=kernels)

    def load(self, process: Process, memory: int) -> dict[str, Any]:
        """Load the strategy in a process, and return its facts. Raises NoGuess if it cannot be loaded."""
        self.set_up(process)
        message = self.loading(self.registered, self.changed, memory)
        answer = process.query(loaded_of, message, self._isolation.limits.start, LONGEST_FACTS)
        if answer.strategy is None:
            process.fail(answer.problem or "did not say what its strategy is")
        return answer.strategy.model_dump()

    def set_up(self, process: Process) -> None:
        """Have a process load the trusted plugins, and write the strategy's own.

        No code of the strategy runs yet. So whatever fails is a fault of the machine and raises MachineError, unless
        the process takes too long, perhaps because of others, or the files are larger than what it may write.
        """
        own = None if self.file is None else self.file.message()
        message = {"type": "setup", "plugins": list(map(_sent, self.plugins)), "file": own}
        where = f"no isolated strategy can run here ({level(self._isolation)})"
        try:
            answer = process.query(set_up_of, message, self._isolation.limits.start)
        except NoGuess as none:
            if none.failure.outcome is Outcome.TIMED_OUT:
                raise
            printed = f"; it printed: {none.printed}" if none.printed else ""
            raise MachineError(f"{where}: its process {none.what}{printed}") from none
        if answer.problem is not None:
            process.close()
            raise MachineError(f"{where}: {line(answer.problem, LONGEST_MESSAGE)}")
        if answer.unwritten is not None and level(self._isolation) == BUBBLEWRAP:  # its folder has a size
            process.fail(f"cannot write its own files: {answer.unwritten}; the limit `written` is too low for them")
        if answer.unwritten is not None:
            process.close()
            raise MachineError(f"{where}: its files cannot be written: {answer.unwritten}")

    def loading(self, strategy: str | None, changed: dict[str, Any], memory: int) -> dict[str, Any]:
        """Return the message that says what to load: a strategy, or None to list the strategies."""
        return {
            "type": "load",
            "strategy": strategy,
            "parameters": changed,
            "memory": memory,
            "kernels": kernel_folders() if memory else {},
        }

    def ask_once(self, ask: Callable[[Process], Answer]) -> Answer:
        """Start a process, return its answer to one question, and end it. Raises StrategyError if there is none."""
        process = self.process()
        try:
            return ask(process)
        except NoGuess as none:
            raise StrategyError(f"{self.registered}: {none.what}") from none
        finally:
            process.close()


def _sent(plugin: str) -> str | dict[str, Any]:
    """Return a trusted plugin for a message: a file by its content, since a lent user may not be able to read it."""
    if not is_file(plugin):
        return plugin
    try:
        return PluginFile.read(Path(places.get(plugin, plugin))).message()
    except (OSError, PluginError) as error:
        why = error.strerror if isinstance(error, OSError) else None
        raise MachineError(f"plugin {plugin}: isolated strategies need it: {why or error}") from error
