"""Stores as files: listing, checking, merging and exporting them."""

from collections.abc import Callable

from wordle_kit.hookspecs import hookimpl


@hookimpl
def register_commands(register: Callable[..., None]) -> None:
    """Register the commands of this package."""
    summary = "List, check, merge and export stored results"
    register("store", summary, "wordle_kit.stores.commands:app", panel="Look at results")
