"""Playing by hand: in a terminal, on a page, and with help."""

from collections.abc import Callable

import wordle_kit as wk

COMMANDS = {
    "play": "Play a game yourself, with hints from a strategy",
    "assist": "Get help with today's Wordle, or another puzzle that you play elsewhere",
    "puzzle": "Write an HTML page with puzzles to play",
}


@wk.hookimpl
def register_commands(register: Callable[..., None]) -> None:
    """Register the commands of this package."""
    for name, summary in COMMANDS.items():
        register(name, summary, f"wordle_kit_plugins.playing.commands:{name}", panel="Play")
