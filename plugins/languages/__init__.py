"""Games in other languages, made from word frequencies and a dictionary of the user."""

from collections.abc import Callable

from wordle_kit.hookspecs import hookimpl


@hookimpl
def register_commands(register: Callable[..., None]) -> None:
    """Register the commands of this package."""
    summary = "Write a game in another language"
    register("new game", summary, "wordle_kit_plugins.languages.commands:game", panel="Write and grade")
