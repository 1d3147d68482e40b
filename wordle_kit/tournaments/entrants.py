"""Entrants: the strategies in a tournament, each with a label, its plugin and a hash that identifies it.

Results are stored under the identity of a strategy. If a guess may differ, so does the identity, and the puzzles are
played again.
"""

import fnmatch
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from wordle_kit.errors import StrategyError
from wordle_kit.faults import error_line
from wordle_kit.game.game import Game
from wordle_kit.identity import hash_of, or_unique, source_hash, value_text
from wordle_kit.plugins import Plugins, plugins_of
from wordle_kit.programs.program import Program
from wordle_kit.strategy.specs import parse_spec, variants
from wordle_kit.strategy.strategy import Strategy, spec_of
from wordle_kit.texts import one_line

PATTERN = r"[\w.:+*-]*\*[\w.:+*-]*"
"""A pattern for strategy names, in which `*` stands for any characters."""


@dataclass(frozen=True)
class Entrant:
    """A strategy in a tournament."""

    label: str
    """The strategy's name, with the parameters that differ from the registered ones."""
    strategy: Strategy
    plugin: str

    @cached_property
    def identity(self) -> str:
        """A hash of all that can affect the strategy's guesses: class, version, parameters, code and files.

        If any of these cannot be compared, every entrant has a different hash.
        """
        facts = [or_unique(self.source if self.unknown is None else None)]
        for inner in _with_inner(self.strategy):
            parameters = {name: value for name, value in inner if not isinstance(value, Strategy)}
            facts += [inner.version, value_text(parameters) or ""]
        return hash_of(*facts)

    @cached_property
    def unknown(self) -> str | None:
        """The part of the strategy that cannot be compared, so that stored results are not reused, or None."""
        for inner in _with_inner(self.strategy):
            kind = type(inner)
            if source_hash(kind) is None:
                return f"its class {kind.__qualname__} was typed or made by a function; write it in a file"
            for name in kind.model_fields:
                value = getattr(inner, name)
                if not isinstance(value, Strategy) and value_text(value) is None:
                    what = "has code or is of an unknown type; give numbers, texts, lists or tables"
                    return f"its parameter {name} {what}"
        return None

    @cached_property
    def source(self) -> str:
        """A digest of the code of the strategy and of the strategies among its parameters, not of other parameters.

        It is empty if some of the code is not in a file.
        """
        facts: list[str | None] = []
        for inner in _with_inner(self.strategy):
            facts += [type(inner).__qualname__, source_hash(type(inner))]
            facts += [inner.identity()] if isinstance(inner, Program) else []
        known = [fact for fact in facts if fact is not None]
        return hash_of(*known)[:16] if len(known) == len(facts) else ""

    @cached_property
    def summary(self) -> str:
        """A sentence on what the strategy does. It is empty if `summary` raises an exception."""
        try:
            return one_line(str(self.strategy.summary))
        except Exception:  # raised by the author's code; listings of strategies show the error
            return ""


def enter(
    strategies: Iterable[Strategy | type[Strategy] | str] | None, game: Game, plugins: Plugins | None = None
) -> tuple[list[Entrant], list[str]]:
    """Return the entrants, and a line for each registered strategy that cannot play this game.

    By default, all registered strategies take part, except those that play only by name. A spec or a pattern such as
    `liu-*` may stand for several strategies. Raises StrategyError if a named strategy cannot play the game, or if two
    strategies have the same label.
    """
    plugins = plugins_of(plugins)
    entrants: dict[str, Entrant] = {}
    left_out = []
    for strategy, is_named in _one_by_one(strategies, plugins):
        entrant = entrant_of(strategy, plugins)
        try:
            entrant.strategy.parameters()  # raises an error if a store cannot write them
            problem = entrant.strategy.problem_with(game)
            problem = None if problem is None else one_line(str(problem))
        except Exception as error:  # raised by the author's code
            problem = f"it fails to say whether it can, with {error_line(error, type(entrant.strategy).__module__)}"
        if problem is not None and is_named:
            raise StrategyError(f"{entrant.label} cannot play {game.name}: {problem}")
        if problem is not None:
            left_out.append(f"{entrant.label} does not play {game.name}: {problem}")
            continue
        first = entrants.setdefault(entrant.label, entrant)
        if first.strategy != entrant.strategy:
            raise StrategyError(f"two different strategies are called {entrant.label!r}; give one of them another name")
    if not entrants:
        raise StrategyError(f"there is no strategy to play {game.name}")
    return list(entrants.values()), left_out


def enter_one(strategy: Strategy | str, game: Game, plugins: Plugins | None = None) -> Entrant:
    """Return the entrant of one strategy. Raises StrategyError as `enter` does, or if a spec stands for several."""
    if isinstance(strategy, str):
        parse_spec(strategy)
    ((entrant,), _) = enter([strategy], game, plugins)
    return entrant


def _one_by_one(
    strategies: Iterable[Strategy | type[Strategy] | str] | None, plugins: Plugins
) -> Iterator[tuple[Strategy | type[Strategy] | str, bool]]:
    """Yield each strategy, and whether it was named. None means all strategies except those that play only by name.

    A spec that stands for several, and a pattern such as `liu-*`, are replaced by each of them.
    """
    if strategies is None:
        yield from ((name, False) for name, entry in plugins.strategies.items() if not entry.value.by_name_only)
        return
    for strategy in strategies:
        if not isinstance(strategy, str):
            yield strategy, True
        elif re.fullmatch(PATTERN, strategy) is None:
            yield from ((spec, True) for spec in variants(strategy))
        else:
            matching = fnmatch.filter(plugins.strategies, strategy)
            if not matching:
                raise StrategyError(f"no strategy has a name like {strategy!r}; wordle-kit strategies lists them")
            yield from ((name, False) for name in matching)


def entrant_of(given: Strategy | type[Strategy] | str, plugins: Plugins) -> Entrant:
    """Return the entrant of a strategy for any game. Raises StrategyError if there is no such strategy."""
    strategy = given if isinstance(given, str) else plugins.find_strategy(given)
    if isinstance(strategy, str):
        name, _ = parse_spec(strategy)
        changed = plugins.find_strategy(strategy)
        registered = plugins.registered_strategy(name)
        return Entrant(_label(registered.name, changed, registered.value), changed, registered.plugin)
    same_class = [registered for registered in plugins.strategies.values() if type(registered.value) is type(strategy)]
    if not same_class:
        return Entrant(one_line(strategy.spec), strategy, type(strategy).__module__)
    registered = next((entry for entry in same_class if entry.value == strategy), same_class[0])
    return Entrant(_label(registered.name, strategy, registered.value), strategy, registered.plugin)


def _label(name: str, strategy: Strategy, usual: Strategy) -> str:
    before = usual.parameters()
    changed = {key: value for key, value in strategy.parameters().items() if before.get(key) != value}
    return one_line(spec_of(name, changed))


def files_of(strategy: Strategy) -> list[Path]:
    """Return the files among the parameters of a strategy. Their contents can change its guesses."""
    values = [getattr(strategy, name) for name in type(strategy).model_fields]
    return [value for value in values if isinstance(value, Path) and value.is_file()]


def _with_inner(strategy: Strategy) -> Iterator[Strategy]:
    """Yield a strategy, then the strategies among its parameters, then those among their parameters."""
    yield strategy
    for inner in strategy.strategies.values():
        yield from _with_inner(inner)
