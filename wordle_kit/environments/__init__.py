"""Environments: games for players that learn, with rewards that say what each guess was worth."""

from collections.abc import Callable
from importlib import import_module

from wordle_kit.hookspecs import hookimpl

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from wordle_kit.environments.policy import PolicyStrategy as PolicyStrategy
    from wordle_kit.environments.rewards import Guesses as Guesses
    from wordle_kit.environments.rewards import GuessWorth as GuessWorth
    from wordle_kit.environments.rewards import Information as Information
    from wordle_kit.environments.rewards import Potential as Potential
    from wordle_kit.environments.rewards import Regret as Regret
    from wordle_kit.environments.rewards import Reward as Reward
    from wordle_kit.environments.rewards import Solved as Solved
    from wordle_kit.environments.rewards import Step as Step
    from wordle_kit.environments.text_game import ASK as ASK
    from wordle_kit.environments.text_game import TextGame as TextGame
    from wordle_kit.environments.text_game import ToolGame as ToolGame
    from wordle_kit.environments.text_game import is_contradictory as is_contradictory
    from wordle_kit.environments.text_game import word_in as word_in

_HOMES = {
    "policy": ["PolicyStrategy"],
    "rewards": ["Guesses", "Information", "Potential", "Regret", "Reward", "GuessWorth", "Solved", "Step"],
    "text_game": ["ASK", "TextGame", "ToolGame", "is_contradictory", "word_in"],
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME_OF)


@hookimpl
def register_commands(register: Callable[..., None]) -> None:
    """Register the commands of this package."""
    commands = {"environment": "Serve games to players that learn", "dataset": "Write data to learn from"}
    for name, summary in commands.items():
        register(name, summary, f"wordle_kit.environments.commands:{name}", panel="Train models")


def __getattr__(name: str) -> "Any":
    if name not in _HOME_OF:
        raise AttributeError(f"module 'wordle_kit.environments' has no attribute {name!r}")
    value = getattr(import_module(f"wordle_kit.environments.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value
