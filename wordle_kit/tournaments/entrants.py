"""Entrants: the strategies in a tournament, each with a label, its plugin and an identity."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from wordle_kit.deadline import Allotment
from wordle_kit.errors import StrategyError
from wordle_kit.game.game import Game
from wordle_kit.plugins import Plugins, plugins_of
from wordle_kit.strategy.strategy import Strategy, parameters_problem, parse_spec, written
from wordle_kit.texts import label, line, raised
from wordle_kit.tournaments.identity import identity_of
from wordle_kit.tournaments.player import Player, player_of
from wordle_kit.tournaments.puzzles import Puzzles


@dataclass(frozen=True)
class Entrant:
    """A strategy in a tournament."""

    label: str
    """Its name, with the parameters that differ from the registered ones."""
    strategy: Strategy
    plugin: str
    budget: Allotment | None = None
    """The time for all its plays together, if it is limited."""
    puzzles: Puzzles | None = None
    """Its own puzzles, if it does not play those of the tournament."""

    @property
    def player(self) -> Player:
        """What decides for the strategy."""
        return player_of(self.strategy)

    @property
    def identity(self) -> str:
        """A hash of everything that can change its guesses."""
        return self._identified[0]

    @property
    def unknown(self) -> str | None:
        """Why its code cannot be compared, so that stored results are not found again, or None."""
        return self._identified[1]

    @cached_property
    def _identified(self) -> tuple[str, str | None]:
        return identity_of(self.strategy)


def enter(
    strategies: Iterable[Strategy | type[Strategy] | str] | None, game: Game, plugins: Plugins | None = None
) -> tuple[list[Entrant], list[str]]:
    """Return the entrants, and a line for each registered strategy that cannot play this game.

    Without `strategies`, all registered ones take part, except those that play by name only. Raises StrategyError if a
    given strategy cannot play the game, and if two strategies have the same label.
    """
    plugins = plugins_of(plugins)
    entrants: dict[str, Entrant] = {}
    left_out = []
    everybody = (name for name, registered in plugins.strategies.items() if not registered.value.by_name_only)
    for strategy in everybody if strategies is None else strategies:
        entrant = _entrant(strategy, plugins)
        try:
            problem = _kept(entrant.strategy) or entrant.strategy.problem_with(game)
            problem = None if problem is None else line(str(problem))
        except Exception as error:  # its own code
            problem = f"it fails to say whether it can, with {raised(error)}"
        if problem is not None and strategies is not None:
            raise StrategyError(f"{entrant.label} cannot play {game.name}: {problem}")
        if problem is not None:
            left_out.append(f"{entrant.label} does not play {game.name}: {problem}")
            continue
        same = entrants.setdefault(entrant.label, entrant)
        if not _same(same.strategy, entrant.strategy):
            raise StrategyError(f"two different strategies are called {entrant.label!r}; give one of them another name")
    if not entrants:
        raise StrategyError(f"there is no strategy to play {game.name}")
    return list(entrants.values()), left_out


def _same(one: Strategy, other: Strategy) -> bool:
    """Return whether two strategies are equal. If an author's `__eq__` fails, only the same object is equal."""
    try:
        return one is other or bool(one == other)
    except Exception:
        return False


def _kept(strategy: Strategy) -> str | None:
    """Return why a store cannot keep the parameters of a strategy, or None if it can."""
    problem = parameters_problem(strategy.parameters())
    return None if problem is None else f"its parameters {problem}"


def _entrant(given: Strategy | type[Strategy] | str, plugins: Plugins) -> Entrant:
    strategy = given if isinstance(given, str) else plugins.find_strategy(given)
    if isinstance(strategy, str):
        name, _ = parse_spec(strategy)
        changed = plugins.find_strategy(strategy)
        registered = plugins.registered_strategy(name)
        return Entrant(_label(registered.name, changed, registered.value), changed, registered.plugin)
    for registered in plugins.strategies.values():
        if _same(registered.value, strategy):
            return Entrant(registered.name, strategy, registered.plugin)
    player = player_of(strategy)
    for registered in plugins.strategies.values():
        if player.is_variant_of(registered.name, registered.value):
            return Entrant(_label(registered.name, strategy, registered.value), strategy, registered.plugin)
    return Entrant(label(strategy.spec), strategy, player.origin)


def _label(name: str, strategy: Strategy, usual: Strategy) -> str:
    before = usual.parameters()
    changed = [f"{key}={written(value)}" for key, value in strategy.parameters().items() if before.get(key) != value]
    return label(f"{name}({', '.join(changed)})" if changed else name)
