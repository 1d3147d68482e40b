"""Decision trees: the guess after each feedback, their files, and the proved trees that come with wordle-kit."""

from collections.abc import Callable

from wordle_kit.hookspecs import hookimpl


@hookimpl
def register_commands(register: Callable[..., None]) -> None:
    """Register the commands of this package."""
    register("tree", "Check decision trees", "wordle_kit.trees.commands:app", panel="Analyse")
