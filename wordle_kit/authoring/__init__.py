"""Starting points for authors: an installable plugin, and a rule, each with tests that pass."""

from collections.abc import Callable

from wordle_kit.hookspecs import hookimpl


@hookimpl
def register_commands(register: Callable[..., None]) -> None:
    """Register the commands of this package."""
    place = "wordle_kit.authoring.commands"
    register(
        "new plugin",
        "Write a package with a strategy, to install and share",
        f"{place}:plugin",
        panel="Write and grade",
    )
    register("new rule", "Write a rule, a game with it, and its test", f"{place}:rule", panel="Write and grade")
