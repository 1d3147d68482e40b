"""Environments: games for players that learn, with rewards that say what each guess was worth."""

from collections.abc import Callable

from wordle_kit.hookspecs import hookimpl
from wordle_kit.lazy import lazy_names

__getattr__, _, __all__ = lazy_names(__name__, __file__)  # pluggy finds hooks by the usual `dir`


@hookimpl
def register_commands(register: Callable[..., None]) -> None:
    """Register the commands of this package."""
    register("dataset", "Write data to learn from", "wordle_kit.environments.commands:dataset", panel="Train models")
