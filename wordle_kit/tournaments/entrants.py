"""Entrants: the strategies in a tournament, each with a label, its plugin and a hash that identifies it."""

import fnmatch
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from wordle_kit.errors import StrategyError
from wordle_kit.game.game import Game
from wordle_kit.plugins import Plugins, plugins_of
from wordle_kit.strategy.specs import parse_spec, variants
from wordle_kit.strategy.strategy import Strategy, spec_of
from wordle_kit.texts import label, line, raised
from wordle_kit.tournaments.identities import identity_of, source_of

PATTERN = r"[\w.:+*-]*\*[\w.:+*-]*"
"""A pattern of strategies' names, in which `*` stands for any characters."""


@dataclass(frozen=True)
class Entrant:
    """A strategy in a tournament."""

    label: str
    """The strategy's name, with the parameters that differ from the registered ones."""
    strategy: Strategy
    plugin: str

    @property
    def identity(self) -> str:
        """A hash of everything that can change the strategy's guesses."""
        return self._identified[0]

    @property
    def unknown(self) -> str | None:
        """Why the strategy's code cannot be compared, so that stored results are not found again, or None."""
        return self._identified[1]

    @cached_property
    def source(self) -> str:
        """A digest of the strategy's source, independent of its parameters. Empty if the code is not in a file."""
        return source_of(self.strategy)

    @cached_property
    def summary(self) -> str:
        """What the strategy does, in one sentence. Empty if `summary` raises."""
        try:
            return line(str(self.strategy.summary))
        except Exception:  # raised by the author's code; listings of strategies show the error
            return ""

    @cached_property
    def _identified(self) -> tuple[str, str | None]:
        return identity_of(self.strategy)


def enter(
    strategies: Iterable[Strategy | type[Strategy] | str] | None, game: Game, plugins: Plugins | None = None
) -> tuple[list[Entrant], list[str]]:
    """Return the entrants, and a line for each registered strategy that cannot play this game.

    By default, all registered strategies take part, except those that play only by name. A spec or a pattern such as
    `liu-*` may stand for several strategies. Raises StrategyError if a named strategy cannot play the game, and if two
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
            problem = None if problem is None else line(str(problem))
        except Exception as error:  # raised by the author's code
            problem = f"it fails to say whether it can, with {raised(error)}"
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
    """Return the entrant of one strategy. Raises StrategyError like `enter`, and if a spec stands for several."""
    if isinstance(strategy, str):
        parse_spec(strategy)
    ((entrant,), _) = enter([strategy], game, plugins)
    return entrant


def _one_by_one(
    strategies: Iterable[Strategy | type[Strategy] | str] | None, plugins: Plugins
) -> Iterator[tuple[Strategy | type[Strategy] | str, bool]]:
    """Yield the strategies, and whether each was named. None stands for all that do not play only by name.

    A spec that stands for several, and a pattern such as `liu-*`, are replaced by each of them.
    """
    if strategies is None:
        yield from ((name, False) for name, one in plugins.strategies.items() if not one.value.by_name_only)
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
    kin = [registered for registered in plugins.strategies.values() if type(registered.value) is type(strategy)]
    if not kin:
        return Entrant(label(strategy.spec), strategy, type(strategy).__module__)
    registered = next((one for one in kin if one.value == strategy), kin[0])
    return Entrant(_label(registered.name, strategy, registered.value), strategy, registered.plugin)


def _label(name: str, strategy: Strategy, usual: Strategy) -> str:
    before = usual.parameters()
    changed = {key: value for key, value in strategy.parameters().items() if before.get(key) != value}
    return label(spec_of(name, changed))
