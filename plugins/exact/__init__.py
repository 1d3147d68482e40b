"""Perfect play: exact search with converging bounds, and the trees that it finds."""

from collections.abc import Callable

import wordle_kit as wk


@wk.hookimpl
def register_commands(register: Callable[..., None]) -> None:
    """Register the commands of this package."""
    summary = "Find perfect play, with proof, by exact search"
    register("optimal", summary, "wordle_kit_plugins.exact.commands:optimal", panel="Analyse")
    summary = "Rank first guesses by a strategy's own score"
    register("openers", summary, "wordle_kit_plugins.exact.openers:openers", panel="Analyse")
