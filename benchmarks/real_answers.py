"""Play real answers of the New York Times with and without the prior of wordle-nyt, and print a table.

    python benchmarks/real_answers.py ANSWERS.txt [STRATEGY ...]

The file has an answer per line. Without names, the table has the strategies that docs/wordle-nyt.md compares. A failure
is a puzzle that took more than six guesses.
"""

import argparse
from pathlib import Path

import wordle_kit as wk
from wordle_kit.tables import render

STRATEGIES = (
    "expected-guesses",
    "entropic-estimator",
    "statistical-estimator",
    "entropy",
    "expected-size",
    "most-parts",
    "minimax",
    "letter-frequency",
)
DEADLINE = 600.0
"""Seconds for a decision: long enough that a busy machine changes nothing."""


def main() -> None:
    """Play and print the table in Markdown, best first."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("answers", type=Path, help="the real answers, one per line")
    parser.add_argument("strategies", nargs="*", default=STRATEGIES, metavar="STRATEGY", help="strategies to play")
    chosen = parser.parse_args()
    game = wk.load_game("wordle-nyt")
    boards = [
        wk.tournament(played, chosen.strategies, chosen.answers, deadline=DEADLINE, workers=1)
        for played in (game, game.replace(weights=None))
    ]
    without = {row.strategy: row for row in boards[1].rows}
    rows = [
        {
            "strategy": row.strategy,
            "mean": f"{row.mean:.4f}",
            "failures": f"{row.failure:.2%}",
            "opener": row.opener,
            "mean without prior": f"{without[row.strategy].mean:.4f}",
            "failures without prior": f"{without[row.strategy].failure:.2%}",
            "opener without prior": without[row.strategy].opener,
        }
        for row in boards[0].rows
    ]
    print(render(rows, "github"))


if __name__ == "__main__":
    main()
