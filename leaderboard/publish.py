"""Play every bundled game with every bundled strategy and write the leaderboards into this folder.

Usage: python leaderboard/publish.py [GAME ...], or `tox -e leaderboards` for all. Everything is played again: games of
one board on all answers, games of several boards on puzzles drawn with seed 0. Octordle and wordle-nyt are played
without the strategies that would take many minutes each. Each leaderboard also becomes an HTML page in the folder
`site`, which is not committed.
The picture of the README shows the leaderboard of Wordle: run `python docs/picture.py` afterwards.
"""

import html
import json
import sys
from pathlib import Path

import wordle_kit as wk
from wordle_kit.pages.html import write_page
from wordle_kit.report.page import page_of

HERE = Path(__file__).parent
SITE = HERE.parent / "site"
"""The folder of the HTML pages."""

LARGEST_PAGE = 6_000_000
"""Bytes that a page may have."""

HARD = ("wordle",)
"""Games that are published in hard mode too."""

DRAWN = 10_000
"""Puzzles of several boards."""

DEADLINE = 600.0
"""Seconds for a decision: long enough that a busy machine changes nothing."""

SLOW = frozenset({"liu-i1", "liu-i2", "liu-i3", "liu-i5", "liu-i7"})
"""Strategies that keep many candidates for long, and take up to a sixth of a second for a puzzle of eight boards."""

TOO_MANY_BOARDS = 8
"""Number of boards from which the slow strategies are left out."""

LIU = "liu-"
"""The strategies whose names begin like this take most of the time if there are many answers."""

TOO_MANY_ANSWERS = 14_000
"""Number of answers from which they are left out."""


def main(names: list[str]) -> None:
    """Write the leaderboards of these games, or of all, and the page that lists them."""
    plugins = wk.Plugins.load(strict=True)
    for name in names or published_games(plugins):
        game = wk.load_game(name, plugins)
        for played in [game] + [game.replace(hard_mode=True)] * (name in HARD):
            puzzles = None if game.boards == 1 else DRAWN
            chosen = strategies_for(game, plugins)
            board = wk.tournament(played, chosen, puzzles, seed=0, deadline=DEADLINE, plugins=plugins)
            for path in board.write(HERE):
                print(path.relative_to(HERE.parent))
            print(write_leaderboard_page(board, played, SITE).relative_to(HERE.parent))
    lines = [
        "# Leaderboards",
        "",
        "Every bundled strategy on every bundled game, all answers. Games of several boards have 10,000 puzzles, drawn",
        f"with seed 0. Octordle lacks strategies that would take many minutes each: {', '.join(sorted(SLOW))}.",
        "For the same reason, nerdle and wordle-nyt lack Liu's. The mean of wordle-nyt is weighted by how likely each",
        "answer is.",
        "Made by `tox -e leaderboards`. Each leaderboard also exists as JSON, with the versions that produced it.",
        "",
        "| game | best | mean guesses |",
        "|---|---|---|",
    ]
    lines += [line_of(path) for path in sorted(HERE.glob("*.json"))]
    (HERE / "README.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    write_page(SITE / "index.html", index_of(SITE))


def write_leaderboard_page(board: wk.Leaderboard, game: wk.Game, folder: Path) -> Path:
    """Write the HTML page of a leaderboard into a folder and return its file."""
    path = folder / f"{game.name}{'-hard' if game.hard_mode else ''}.html"
    folder.mkdir(parents=True, exist_ok=True)
    write_page(path, page_of(board.runs, game, left_out=board.left_out))
    if path.stat().st_size > LARGEST_PAGE:
        raise SystemExit(f"{path}: has more than {LARGEST_PAGE:,} bytes")
    return path


def index_of(folder: Path) -> str:
    """Return the page that lists the pages of a folder."""
    names = sorted(path.stem for path in folder.glob("*.html") if path.stem != "index")
    links = "".join(f'<li><a href="{html.escape(name)}.html">{html.escape(name)}</a></li>\n' for name in names)
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>wordle-kit leaderboards</title>\n'
        f"<h1>wordle-kit leaderboards</h1>\n<ul>\n{links}</ul>\n</html>\n"
    )


def published_games(plugins: wk.Plugins) -> list[str]:
    """Return the names of the games that are published."""
    return sorted(plugins.games)


def strategies_for(game: wk.Game, plugins: wk.Plugins) -> list[str] | None:
    """Return the strategies that play a game, or None for all that can."""
    if game.boards == 1 and len(game.answers) < TOO_MANY_ANSWERS:
        return None
    return [
        name
        for name, registered in plugins.strategies.items()
        if not (name in SLOW and game.boards >= TOO_MANY_BOARDS)
        and not (name.startswith(LIU) and len(game.answers) >= TOO_MANY_ANSWERS)
        and not registered.value.by_name_only
        and registered.value.problem_with(game) is None
    ]


def line_of(path: Path) -> str:
    """Return a leaderboard's line on the page that lists them."""
    board = json.loads(path.read_text(encoding="utf-8"))
    best = board["rows"][0]
    mode = ", hard mode" if board["hard_mode"] else ""
    mean = best.get("weighted_mean", best["mean"])
    return f"| [{board['game']}{mode}]({path.stem}.md) | {best['strategy']} | {mean:.4f} |"


if __name__ == "__main__":
    main(sys.argv[1:])
