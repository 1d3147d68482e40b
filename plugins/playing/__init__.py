"""Playing by hand: in a terminal, on a page, and with help."""

from collections.abc import Callable

import wordle_kit as wk


@wk.hookimpl
def register_commands(register: Callable[..., None]) -> None:
    """Register the commands of this package."""
    register(
        "play",
        "Play a game yourself, with hints from a strategy",
        "wordle_kit_plugins.playing.commands:play",
        panel="Play",
    )
    register(
        "assist",
        "Get help with today's Wordle, or another puzzle that you play elsewhere",
        "wordle_kit_plugins.playing.commands:assist",
        panel="Play",
    )
    register(
        "puzzle", "Write puzzles to play as one HTML page", "wordle_kit_plugins.playing.commands:puzzle", panel="Play"
    )
