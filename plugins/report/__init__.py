"""The leaderboard as a web page: one file that works without a server or a network."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import wordle_kit as wk


@wk.hookimpl
def register_commands(register: Callable[..., None]) -> None:
    """Register the commands of this package."""
    register(
        "plot",
        "Plot stored results and searches (needs the extra `plots`)",
        "wordle_kit_plugins.report.commands:plot",
        panel="Look at results",
    )


@wk.hookimpl
def register_formats(register: Callable[[Any], None]) -> None:
    """Register the page as a format of leaderboards."""
    register(wk.Format("page", None, "One HTML page: for a browser.", ".html", _page))


def _page(boards: Iterable[Any], columns: str | Sequence[str] | None = None) -> str:
    """Return the page of a leaderboard. Raises WordleKitError if there are several."""
    from wordle_kit_plugins.report.page import page_of

    first, *others = boards
    if others:
        raise wk.WordleKitError(
            "a page shows one leaderboard, and several were chosen; choose one", settings=["game", "puzzles", "hard"]
        )
    return page_of(first, columns)
