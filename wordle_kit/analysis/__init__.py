"""Analysis of guesses: first guesses ranked, how a guess splits the remaining words, and how often symbols occur."""

from collections.abc import Callable

from wordle_kit.hookspecs import hookimpl


@hookimpl
def register_commands(register: Callable[..., None]) -> None:
    """Register the commands of this package."""
    register(
        "explain",
        "Show how a guess splits the remaining words",
        "wordle_kit.analysis.commands:explain",
        panel="Analyse",
    )
    register(
        "letters",
        "Show how often each letter occurs in each place",
        "wordle_kit.analysis.commands:letters",
        panel="Analyse",
    )
    register(
        "openers",
        "Rank first guesses by a strategy's own score",
        "wordle_kit.analysis.commands:openers",
        panel="Analyse",
    )
