"""Stores as files: listing, merging and exporting them, and removing results."""

from collections.abc import Callable

from wordle_kit.hookspecs import hookimpl


@hookimpl
def register_commands(register: Callable[..., None]) -> None:
    """Register the commands of this package."""
    summary = "List, merge, export and remove stored results"
    register("store", summary, "wordle_kit.stores.commands:app", panel="Look at results")
