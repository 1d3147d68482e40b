"""The leaderboard as a web page: one file that works without a server or a network."""

from collections.abc import Callable

from wordle_kit.hookspecs import hookimpl


@hookimpl
def register_commands(register: Callable[..., None]) -> None:
    """Register the commands of this package."""
    register(
        "report", "Write a leaderboard as one HTML page", "wordle_kit.report.commands:report", panel="Look at results"
    )
    register(
        "plot",
        "Draw stored results, guesses and searches (with the extra `plots`)",
        "wordle_kit.report.commands:app",
        panel="Look at results",
    )
    register("tournament --report", "Also write the leaderboard as a page", "wordle_kit.report.commands:also_as_page")
