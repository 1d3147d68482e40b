"""From what a user writes to what it names: games by name, path or fields, strategies by spec."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wordle_kit.arguments import path_of
from wordle_kit.errors import GameError, PluginError, StrategyError
from wordle_kit.game.files import build_game, read_game_file
from wordle_kit.game.game import Game
from wordle_kit.names import shown, unknown
from wordle_kit.plugins import Plugins, default_plugins
from wordle_kit.strategy.strategy import Strategy, parse_spec


def load_game(game: Game | str | Path | Mapping[str, Any], plugins: Plugins | None = None) -> Game:
    """Return a game: by the name of a registered one, the path of a TOML file, or its fields as a mapping.

    A Game is returned as it is. Raises GameError, naming the file, the line and the word where there is something
    wrong.
    """
    if isinstance(game, Game):
        return game
    plugins = plugins_of(plugins)
    rules = {name: rule.value for name, rule in plugins.rules.items()}
    if isinstance(game, str) and game in plugins.games:
        game = plugins.games[game].value
    if isinstance(game, Mapping):
        return build_game(game, rules, folder=Path.cwd(), where=f"game {game.get('name', '')!r}")
    if not isinstance(game, str | Path):
        raise GameError(f"{shown(game)} is not a game; give a name, the path of a TOML file, its fields or a Game")
    path = path_of("game", game)
    if isinstance(game, str) and path.suffix != ".toml" and os.sep not in game:
        raise GameError(unknown("game", game, plugins.games, "; for a file, give its path with .toml"))
    return read_game_file(path, rules)


def load_strategy(spec: Strategy | type[Strategy] | str, plugins: Plugins | None = None) -> Strategy:
    """Return the strategy that a text such as `entropy` or `entropy(opener=crate)` names.

    A parameter that is a strategy itself is named in the same way: `lifted(base=entropy(opener=crate))`. A Strategy is
    returned as it is, a class as an object with its default parameters. Raises StrategyError for a name that nobody has
    and for parameters that the strategy does not take.
    """
    if isinstance(spec, Strategy):
        return spec
    if isinstance(spec, type) and issubclass(spec, Strategy):
        return spec()
    if not isinstance(spec, str):
        raise StrategyError(f"{shown(spec)} is not a strategy; give a text such as 'entropy', or a Strategy object")
    plugins = plugins_of(plugins)
    name, parameters = parse_spec(spec)
    if name not in plugins.strategies:
        failed = "".join(f"; {failure}" for failure in plugins.failures[:1])  # perhaps it has the name
        raise StrategyError(f"{unknown('strategy', name, plugins.strategies)}{failed}")
    return configured(plugins.strategies[name].value, parameters, plugins)


def plugins_of(plugins: Plugins | None) -> Plugins:
    """Return these plugins, or the installed ones. Raises PluginError for anything else."""
    if plugins is not None and not isinstance(plugins, Plugins):
        raise PluginError(f"plugins is {shown(plugins)}; give what Plugins.load() returns")
    return plugins or default_plugins()


def configured(strategy: Strategy, parameters: Mapping[str, Any], plugins: Plugins | None = None) -> Strategy:
    """Return a strategy with some parameters changed; for one that is a strategy itself, its spec may be given."""
    if not parameters:
        return strategy
    known = strategy.strategies
    return strategy.with_parameters(
        {
            name: load_strategy(value, plugins) if name in known and isinstance(value, str) else value
            for name, value in parameters.items()
        }
    )
