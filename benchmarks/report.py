"""Measure the HTML page of a leaderboard: its size, and the time to write, open, sort and replay it.

    python benchmarks/report.py [--store FILE] [--game NAME] [--variants N]

Needs Chromium and Playwright, as `tox -e browser` does. Results that the store lacks are played first: every bundled
strategy on all answers or, with `--variants`, as many strategies that each guess another consistent word. Times are
medians; times in the browser end when the next frame is painted. The table is in Markdown.
"""

import argparse
import shutil
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Page, sync_playwright
from tabulate import tabulate

import wordle_kit as wk
from wordle_kit.leaderboard.stored import choose_runs
from wordle_kit.pages.html import write_page
from wordle_kit.plugins import default_plugins
from wordle_kit.report.page import page_of
from wordle_kit.tournaments.store import Store

TIMED = """([selector, fragment]) => new Promise((resolve) => {
    const start = performance.now();
    if (selector) document.querySelector(selector).click(); else location.hash = fragment;
    const painted = () => requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
    if (selector) painted(); else addEventListener("hashchange", painted, { once: true });
})"""


class SomeConsistent(wk.Strategy):
    """Guess the candidate at a place that depends on a number and on how many candidates there are."""

    number: int = 0

    def guess(self, position: wk.Position) -> str:
        """Return the candidate."""
        words = position.board.words
        return words[(self.number * 2654435761 >> 7) % len(words)]


def steps(names: Sequence[str]) -> dict[str, tuple[str, str, int | None]]:
    """Return the steps that are measured: the element to click or the view to open, and the target in ms."""
    four = [("s", name) for name in names[:4]]
    return {
        "sort by a column": ('#rows th[data-column="median"] button', "", 100),
        "open the grid of pairs": ("", "view=pairs", None),
        "choose a pair": ("", urlencode([("view", "pairs"), ("first", names[0]), ("second", names[1])]), None),
        "open the hardest puzzles": ("", "view=hardest", None),
        "open a replay of four": ("", urlencode([("view", "replays"), *four]), 100),
        "open another puzzle": ("", urlencode([("view", "replays"), ("puzzle", "crane"), *four]), 100),
        "open a strategy": ("", urlencode([("view", "strategy"), ("strategy", names[0])]), None),
    }


def loaded(page: Page, path: Path) -> float:
    """Return the milliseconds from the start of the navigation until the page is usable."""
    page.goto("about:blank")
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready]")
    return float(page.evaluate("performance.getEntriesByName('ready')[0].startTime"))


def measure(path: Path, runs: int, names: Sequence[str]) -> list[dict[str, object]]:
    """Return a row for each step, and one for opening the page."""
    times: dict[str, list[float]] = {"open the page": []}
    every = steps(names)
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=flags)
        page = browser.new_page()
        for _ in range(runs):
            times["open the page"].append(loaded(page, path))
            for step, (selector, fragment, _) in every.items():
                times.setdefault(step, []).append(float(page.evaluate(TIMED, [selector, fragment])))
        browser.close()
    targets = {"open the page": 1500, **{step: target for step, (_, _, target) in every.items()}}
    return [
        {
            "what": step,
            "ms": f"{statistics.median(taken):.0f} ({min(taken):.0f} to {max(taken):.0f})",
            "target": "" if targets[step] is None else f"at most {targets[step]}",
        }
        for step, taken in times.items()
    ]


def main() -> None:
    """Measure everything and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--store", type=Path, help="where results are kept [default: a temporary file]")
    parser.add_argument("--game", default="wordle")
    parser.add_argument("--variants", type=int, help="how many strategies to make [default: the bundled ones play]")
    parser.add_argument("--runs", type=int, default=5, help="how often each figure is taken [default: 5]")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = arguments.store or Path(folder) / "results.sqlite"
        game = wk.load_game(arguments.game)
        if not path.exists():
            made = arguments.variants and [SomeConsistent(number=number) for number in range(arguments.variants)]
            wk.tournament(game, made, store=path)
        page = Path(folder) / "report.html"
        with Store(path) as store:
            runs, _ = next(choose_runs(store, default_plugins(), game))
            started = time.perf_counter()
            write_page(page, page_of(runs, game))
            names = [facts.strategy for _, facts, _ in store.runs()]
            taken = time.perf_counter() - started
        print(f"{game.name}: {len(runs)} strategies, {page.stat().st_size / 1e6:.2f} MB, written in {taken:.1f} s\n")
        print(tabulate(measure(page, arguments.runs, names), headers="keys", tablefmt="pipe"))


if __name__ == "__main__":
    main()
