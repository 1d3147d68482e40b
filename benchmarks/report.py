"""Measure the HTML page of a leaderboard: its size, and the time to write, open, sort and replay it.

    python benchmarks/report.py [--store FILE] [--game NAME]

Needs Chromium and Playwright, as `tox -e browser` does. Results that the store lacks are played first: every bundled
strategy on all answers. Times are medians; times in the browser end when the next frame is painted. The table is in
Markdown.
"""

import argparse
import shutil
import statistics
import tempfile
import time
from pathlib import Path

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

STEPS = {
    "sort by a column": ('#rows th[data-column="median"] button', "", 100),
    "open the grid of pairs": ("", "view=pairs", None),
    "choose a pair": ("", "view=pairs&first=entropy&second=minimax", None),
    "open the hardest puzzles": ("", "view=hardest", None),
    "open a replay of four": ("", "view=replays&s=entropy&s=minimax&s=most-parts&s=random-consistent", 100),
    "open another puzzle": ("", "view=replays&puzzle=crane&s=entropy&s=minimax&s=most-parts&s=random-consistent", 100),
    "open a strategy": ("", "view=strategy&strategy=entropy", None),
}
"""The steps that are measured: the element to click or the view to open, and the target in ms."""


def loaded(page: Page, path: Path) -> float:
    """Return the milliseconds from the start of the navigation until the page is usable."""
    page.goto("about:blank")
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready]")
    return float(page.evaluate("performance.getEntriesByName('ready')[0].startTime"))


def measure(path: Path, runs: int) -> list[dict[str, object]]:
    """Return a row for each step, and one for opening the page."""
    times: dict[str, list[float]] = {"open the page": []}
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=flags)
        page = browser.new_page()
        for _ in range(runs):
            times["open the page"].append(loaded(page, path))
            for step, (selector, fragment, _) in STEPS.items():
                times.setdefault(step, []).append(float(page.evaluate(TIMED, [selector, fragment])))
        browser.close()
    targets = {"open the page": 1000, **{step: target for step, (_, _, target) in STEPS.items()}}
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
    parser.add_argument("--runs", type=int, default=5, help="how often each figure is taken [default: 5]")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = arguments.store or Path(folder) / "results.sqlite"
        game = wk.load_game(arguments.game)
        if not path.exists():
            wk.tournament(game, store=path)
        page = Path(folder) / "report.html"
        with Store(path) as store:
            runs, _ = next(choose_runs(store, default_plugins(), game))
            started = time.perf_counter()
            write_page(page, page_of(runs, game))
            taken = time.perf_counter() - started
        print(f"{game.name}: {len(runs)} strategies, {page.stat().st_size / 1e6:.2f} MB, written in {taken:.1f} s\n")
        print(tabulate(measure(page, arguments.runs), headers="keys", tablefmt="pipe"))


if __name__ == "__main__":
    main()
