"""Strategies of plugins that run in a process which loads the plugin itself."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from wordle_kit.errors import PluginError, StrategyError
from wordle_kit.game.game import Game
from wordle_kit.isolation.answers import loaded_of, readiness_of
from wordle_kit.isolation.beside import MOST, files_beside
from wordle_kit.isolation.process import LONGEST_MESSAGE, Allowance, Answer, Process
from wordle_kit.isolation.protocol import LONGEST_FACTS, game_message
from wordle_kit.isolation.remote import Remote
from wordle_kit.isolation.sandbox import PYTHON
from wordle_kit.isolation.shared import kernel_folders, share_table
from wordle_kit.plugin_sources import places
from wordle_kit.sources import object_source
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy, per_instance, written
from wordle_kit.texts import line, plain
from wordle_kit.tournaments.outcome import NoGuess

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
        process = self.process(share_table(game), allowance)
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

    def process(self, table: int | None = None, allowance: Allowance | None = None) -> Process:
        """Start a process that has loaded nothing yet. `table` is the descriptor of a feedback table for it."""
        given = [] if table is None else [table]
        program = [PYTHON, "-P", "-c", START, *map(str, given)]
        reads = [name for name in self._plugins_here if Path(name).is_file()]
        return Process(program, reads, self._isolation, given, allowance)

    def load(self, process: Process, memory: int) -> dict[str, Any]:
        """Load the strategy in a process, and return its facts. Raises NoGuess if it cannot be loaded."""
        setup = self.setup(self.registered, self.changed, memory)
        answer = process.query(loaded_of, setup, self._isolation.limits.start, LONGEST_FACTS)
        if answer.strategy is None:
            process.fail(answer.problem or "did not say what its strategy is")
        return answer.strategy.model_dump()

    def setup(self, strategy: str | None, changed: dict[str, Any], memory: int) -> dict[str, Any]:
        """Return the message that says what to load: a strategy, or None to list the strategies."""
        return {
            "type": "setup",
            "plugins": self._plugins_here,
            "file": None if self.file is None else self.file.message(),
            "strategy": strategy,
            "parameters": changed,
            "memory": memory,
            "kernels": kernel_folders() if memory else {},
        }

    @property
    def _plugins_here(self) -> list[str]:
        """The trusted plugins, with the paths that files have on this machine."""
        return [places.get(name, name) for name in self.plugins]

    def ask_once(self, ask: Callable[[Process], Answer]) -> Answer:
        """Start a process, return its answer to one question, and end it. Raises StrategyError if there is none."""
        process = self.process()
        try:
            return ask(process)
        except NoGuess as none:
            raise StrategyError(f"{self.registered}: {none.what}") from none
        finally:
            process.close()
