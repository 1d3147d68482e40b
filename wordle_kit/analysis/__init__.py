"""Analysis of guesses: rankings of first guesses, how a guess splits the remaining words, and counts of symbols."""

from collections.abc import Callable

from wordle_kit.hookspecs import hookimpl


@hookimpl
def register_commands(register: Callable[..., None]) -> None:
    """Register the commands of this package."""
    for name, summary in {
        "explain": "Show how a guess splits the remaining words",
        "openers": "Rank first guesses by a strategy's own score",
    }.items():
        register(name, summary, f"wordle_kit.analysis.commands:{name}", panel="Analyse")
