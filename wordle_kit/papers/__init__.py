"""Papers: the figures that they published, and playing their strategies to reproduce them."""

from collections.abc import Callable

from wordle_kit.hookspecs import hookimpl


@hookimpl
def register_commands(register: Callable[..., None]) -> None:
    """Register the commands of this package."""
    register(
        "reproduce",
        "Play the tournaments of papers and compare the figures",
        "wordle_kit.papers.commands:reproduce",
        panel="Analyse",
    )
