"""Plays every bundled game of one board with every bundled strategy and writes the leaderboards into this folder.

Usage: python leaderboard/publish.py [GAME ...], or `tox -e leaderboards` for all. Everything is played anew.
"""

import json
import sys
from pathlib import Path

import wordle_kit as wk

HERE = Path(__file__).parent
HARD = ("wordle",)
"""Games that are published in hard mode too."""


def main(names: list[str]) -> None:
    """Write the leaderboards of these games, or of all, and the page that lists them."""
    plugins = wk.Plugins.load(strict=True)
    for name in names or published_games(plugins):
        game = wk.load_game(name, plugins)
        for played in [game] + [game.replace(hard_mode=True)] * (name in HARD):
            board = wk.tournament(played, plugins=plugins)
            for path in board.write(HERE):
                print(path.relative_to(HERE.parent))
    lines = [
        "# Leaderboards",
        "",
        "Every bundled strategy on every bundled game of one board, all answers. Made by `tox -e leaderboards`.",
        "Each is there as JSON too, with the versions it was made with.",
        "",
        "| game | best | mean guesses |",
        "|---|---|---|",
    ]
    lines += [line_of(path) for path in sorted(HERE.glob("*.json"))]
    (HERE / "README.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def published_games(plugins: wk.Plugins) -> list[str]:
    """Return the names of the games that are published."""
    return [name for name in sorted(plugins.games) if wk.load_game(name, plugins).boards == 1]


def line_of(path: Path) -> str:
    """Return a leaderboard's line on the page that lists them."""
    board = json.loads(path.read_text(encoding="utf-8"))
    best = board["rows"][0]
    mode = ", hard mode" if board["hard_mode"] else ""
    return f"| [{board['game']}{mode}]({path.stem}.md) | {best['strategy']} | {best['mean']:.4f} |"


if __name__ == "__main__":
    main(sys.argv[1:])
