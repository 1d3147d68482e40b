"""Play every bundled game with every bundled strategy and write the leaderboards into this folder.

    python leaderboard/publish.py [--pages] [--store FILE] [GAME ...]

`tox -e leaderboards` does so for all games: those of one board on all answers, those of several boards on puzzles drawn
with seed 0. Octordle and wordle-nyt are played without the strategies that would take many minutes each. Each
leaderboard also becomes an HTML page in the folder `site`, which is not committed; with --pages, nothing else is
written, and the page is compared with the published leaderboard.
The picture of the README shows the leaderboard of Wordle: run `python docs/pictures.py picture.svg` afterwards.
"""

import argparse
import html
import json
from pathlib import Path

import wordle_kit as wk
from wordle_kit.files import write_file

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

COLUMNS = (
    *("strategy", "mean", "weighted_mean", "std", "min", "median", "max", "total_guesses", "excellent", "failure"),
    *("weighted_failure", "opener", "decisions", "ms_per_decision", "over_perfect"),
)
"""The columns in Markdown. Those without a figure are left out."""

LIU = "liu-"
"""The strategies whose names begin like this take most of the time if there are many answers."""

TOO_MANY_ANSWERS = 14_000
"""Number of answers from which they are left out."""


INDEX = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>wordle-kit: leaderboards</title>
</head>
<body>
<main>
<h1>Leaderboards of wordle-kit</h1>
<ul>
{links}</ul>
</main>
</body>
</html>
"""


def main() -> None:
    """Write the leaderboards and pages of these games, or of all, and the pages that list them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", metavar="GAME", nargs="*", help="a bundled game [default: all]")
    parser.add_argument("--pages", action="store_true", help="write only the HTML pages")
    parser.add_argument("--store", type=Path, help="keep plays in this file, so that a run can be continued")
    chosen = parser.parse_args()
    plugins = wk.Plugins.load()
    for name in chosen.games or published_games(plugins):
        game = wk.load_game(name, plugins)
        for played in [game] + [game.replace(hard_mode=True)] * (name in HARD):
            puzzles = None if game.boards == 1 else DRAWN
            strategies = strategies_for(game, plugins)
            board = wk.tournament(
                played, strategies, puzzles, seed=0, deadline=DEADLINE, store=chosen.store, plugins=plugins
            )
            page = write_leaderboard_page(board, SITE)
            others = changed(board, HERE / f"{page.stem}.json")
            print(page.relative_to(HERE.parent), *(f"differs from the published {one}" for one in others), sep="\n  ")
            if not chosen.pages:
                print(write_leaderboard(board, HERE / page.stem).relative_to(HERE.parent))
    if not chosen.pages:
        write_list()
    write_file(SITE / "index.html", index_of(SITE))


def write_list() -> None:
    """Write the page in Markdown that lists the leaderboards."""
    lines = [
        "# Leaderboards",
        "",
        "Every bundled strategy on every bundled game, all answers. Games of several boards have 10,000 puzzles, drawn",
        f"with seed 0. Octordle lacks strategies that would take many minutes each: {', '.join(sorted(SLOW))}.",
        "For the same reason, nerdle and wordle-nyt lack Liu's. The mean of wordle-nyt is weighted by how likely each",
        "answer is.",
        "Made by `tox -e leaderboards`. Each leaderboard also exists as JSON, with the versions that produced it.",
        "",
        "To see one as [a page](../docs/results.md#the-page-of-a-leaderboard) that replays it, play it and open the",
        "file, for example `python leaderboard/publish.py --pages mastermind` and then `site/mastermind.html`.",
        "",
        "| game | best | mean guesses |",
        "|---|---|---|",
    ]
    lines += [line_of(path) for path in sorted(HERE.glob("*.json"))]
    (HERE / "README.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_leaderboard(board: wk.Leaderboard, path: Path) -> Path:
    """Write a leaderboard as JSON and as Markdown, and return the latter file."""
    board.write(path.with_suffix(".json"))
    facts, page = board.facts[0], path.with_suffix(".md")
    title = f"# {facts.game}{' in hard mode' if facts.hard_mode else ''}"
    page.write_text(f"{title}\n\n{board.table('pipe', columns_for(board))}", encoding="utf-8")
    return page


def write_leaderboard_page(board: wk.Leaderboard, folder: Path) -> Path:
    """Write the HTML page of a leaderboard into a folder and return its file."""
    facts = board.facts[0]
    path = folder / f"{facts.game}{'-hard' if facts.hard_mode else ''}.html"
    folder.mkdir(parents=True, exist_ok=True)
    board.write(path)
    if path.stat().st_size > LARGEST_PAGE:
        raise SystemExit(f"{path}: has more than {LARGEST_PAGE:,} bytes")
    return path


def columns_for(board: wk.Leaderboard) -> list[str]:
    """Return the columns of a leaderboard in Markdown."""
    missing = {name for name in board.rows[0].figures if all(row.figures[name] is None for row in board.rows)}
    return [name for name in COLUMNS if name not in missing]


def changed(board: wk.Leaderboard, published: Path) -> list[str]:
    """Return the strategies whose figures are not those of a published leaderboard, if there is one."""
    if not published.exists():
        return []
    before, now = (
        {row["strategy"]: {**row, "ms_per_decision": None, "source": None} for row in rows}
        for rows in (json.loads(text)["rows"] for text in (published.read_text(encoding="utf-8"), board.table("json")))
    )
    return sorted(name for name in before | now if before.get(name) != now.get(name))


def index_of(folder: Path) -> str:
    """Return the page that lists the pages of a folder."""
    names = sorted(path.stem for path in folder.glob("*.html") if path.stem != "index")
    links = "".join(f'<li><a href="{html.escape(name)}.html">{html.escape(name)}</a></li>\n' for name in names)
    return INDEX.format(links=links)


def published_games(plugins: wk.Plugins) -> list[str]:
    """Return the names of the games that are published."""
    return sorted(plugins.games)


def strategies_for(game: wk.Game, plugins: wk.Plugins) -> list[str]:
    """Return the strategies that play a game: the usual ones and all of Liu's, but none that would take too long."""
    return [
        name
        for name, registered in plugins.strategies.items()
        if not (name in SLOW and game.boards >= TOO_MANY_BOARDS)
        and not (name.startswith(LIU) and len(game.answers) >= TOO_MANY_ANSWERS)
        and (name.startswith(LIU) or not registered.value.by_name_only)
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
    main()
