"""From what a user writes to what it names: games by name, path or fields, strategies by spec."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wordle_kit.errors import GameError, StrategyError
from wordle_kit.game.files import build_game, read_game_file
from wordle_kit.game.game import Game
from wordle_kit.names import unknown
from wordle_kit.plugins import Plugins, default_plugins
from wordle_kit.strategy.strategy import Strategy, parse_spec


def load_game(game: str | Path | Mapping[str, Any], plugins: Plugins | None = None) -> Game:
    """Return a game: by the name of a registered one, the path of a TOML file, or its fields as a mapping.

    Raises GameError, naming the file, the line and the word where there is something wrong.
    """
    plugins = plugins or default_plugins()
    rules = {name: rule.value for name, rule in plugins.rules.items()}
    if isinstance(game, str) and game in plugins.games:
        game = plugins.games[game].value
    if isinstance(game, Mapping):
        return build_game(game, rules, folder=Path.cwd(), where=f"game {game.get('name', '')!r}")
    path = Path(game).expanduser()
    if isinstance(game, str) and path.suffix != ".toml" and os.sep not in game:
        message = unknown("game", game, plugins.games)
        raise GameError(message if message.endswith("?") else f"{message}; a file is given by its path, with .toml")
    return read_game_file(path, rules)


def load_strategy(spec: str, plugins: Plugins | None = None) -> Strategy:
    """Return the strategy that a text such as `entropy` or `entropy(opener=crate)` names.

    A parameter that is a strategy itself is named in the same way: `lifted(base=entropy(opener=crate))`. Raises
    StrategyError for a name that nobody has and for parameters that the strategy does not take.
    """
    plugins = plugins or default_plugins()
    name, parameters = parse_spec(spec)
    if name not in plugins.strategies:
        failed = "".join(f"; {failure}" for failure in plugins.failures[:1])  # perhaps it has the name
        raise StrategyError(f"{unknown('strategy', name, plugins.strategies)}{failed}")
    return configured(plugins.strategies[name].value, parameters, plugins)


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
