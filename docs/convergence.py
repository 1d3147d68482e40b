"""Draw the bounds of exact search over time, for three orders of search, as an SVG picture.

    python docs/convergence.py docs/convergence.svg

Each order solves one opener of Wordle from the beginning; kernels are compiled before. Needs the extra `plots`.
"""

import argparse
from pathlib import Path

from wordle_kit_plugins.report.plots import convergence, write_chart

import wordle_kit as wk

ORDERS = ("bound", "statistical", "entropic")
BELOW = 150
"""Guesses below the optimum at which the picture ends."""


def bounds_of(game: wk.Game, opener: str, order: str) -> list[dict[str, float | None]]:
    """Return the bounds over time for a first guess, as `optimal --progress` writes them."""
    rows: list[dict[str, float | None]] = []

    def watch(now: object) -> None:
        rows.append({"seconds": now.seconds, "lower": now.lower, "upper": now.upper})

    wk.optimal(game, opener, order=order, watch=watch)
    return rows


def main() -> None:
    """Search in every order and write the picture."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", type=Path, help="where the picture goes")
    parser.add_argument("--first", default="trace", help="the first guess [default: trace]")
    chosen = parser.parse_args()
    game = wk.load_game("wordle")
    wk.optimal(game, "salet")
    searches = {f"--order {order}": bounds_of(game, chosen.first, order) for order in ORDERS}
    title = f"How the bounds of exact search close from {chosen.first} on"
    write_chart(convergence(searches, BELOW).properties(title=title), chosen.file)


if __name__ == "__main__":
    main()
