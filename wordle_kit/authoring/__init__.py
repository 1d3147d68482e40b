"""Starting points for authors: an installable plugin, and a rule, each with tests that pass."""

from collections.abc import Callable

from wordle_kit.hookspecs import hookimpl


@hookimpl
def register_commands(register: Callable[..., None]) -> None:
    """Register the commands of this package."""
    place, panel = "wordle_kit.authoring.commands", "Write and grade"
    package = "Write a package with a strategy and its tests, which others can install"
    register("new plugin", package, f"{place}:plugin", panel=panel)
    register("new rule", "Write a working rule, a small game with it, and its test", f"{place}:rule", panel=panel)
