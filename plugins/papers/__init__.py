"""Papers: the figures they published, and tournaments that reproduce them."""

from collections.abc import Callable

import wordle_kit as wk


@wk.hookimpl
def register_commands(register: Callable[..., None]) -> None:
    """Register the commands of this package."""
    summary = "Replay the tournaments of papers and compare the figures"
    register("reproduce", summary, "wordle_kit_plugins.papers.commands:reproduce", panel="Analyse")
