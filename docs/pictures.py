"""Draw the pictures of the documentation: games on a terminal, pages in Chromium, plots. All results are played here.

    python docs/pictures.py [NAME ...]

Without names it draws all of them, which takes some minutes. The pictures of pages need Playwright and Chromium, as the
tests in a browser do, and plots need the extra `plots`.
"""

import base64
import contextlib
import io
import os
import runpy
import shutil
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
sys.path.append(str(ROOT / "tests"))

from terminals import Terminal  # noqa: E402 - found by the line above

from wordle_kit import cli  # noqa: E402 - after what is found by the same line

STRATEGIES = ("optimal", "most-parts", "entropy", "minimax", "letter-frequency", "first-consistent")

TOURNAMENTS = {
    "all": ["-s", *" -s ".join(STRATEGIES).split()],
    "sample": ["-s", *" -s ".join(STRATEGIES).split(), "--puzzles", "300", "--seed", "1"],
    "sweep": ["-g", "mastermind", "--puzzles", "300", "-s", "entropy(endgame=0..30..10, pool=guesses|candidates)"],
}
"""The tournaments of which pictures show results."""

PLOTS = {
    "means": "sample",
    "distribution": "all",
    "sweep endgame": "sweep",
}
"""The plots of stored leaderboards, and the tournament that each shows."""


PHONE = (360, 640)
PHONES = {
    "wordle --answer crane": (["slate", "caner"], "light"),
    "quordle --seed 3": (["slate", "crony", "dumpy"], "dark"),
    "mastermind --answer 1523": (["1122", "1334"], "light"),
}
"""Games that are played on a phone: the guesses, and the colour scheme."""


def replay(page):
    """Show a puzzle, played by three strategies."""
    page.locator("#puzzle").fill("joker")
    page.locator("#puzzle").blur()
    for place, strategy in enumerate(["optimal", "entropy", "minimax"]):
        page.locator("#players select").nth(place).select_option(strategy)


def unfold(page):
    """Unfold a decision tree for two turns."""
    page.locator("#branches > details > summary").click()
    for feedback in ("00000", "00200"):
        page.locator(f'summary:has(> [data-feedback="{feedback}"]):visible').first.click()


REPORTS = {
    "report.png": ("all", None, "body", (820, 640)),
    "report-pairs.png": ("sample", None, "#pairs", (820, 440)),
    "report-replays.png": ("all", replay, "#replays", (1000, 500)),
    "report-tree.png": ("all", unfold, "#branches", (600, 560)),
}
"""Parts of the page of a leaderboard: the tournament, what to do, the element at its top, and the picture's size."""

MOST_BYTES = 100_000
"""A picture may have this many bytes."""


class Studio:
    """Where pictures are made: a folder with what has been played, and a browser, which starts when it is needed."""

    def __init__(self, folder, browser=None):
        self.folder, self._browser, self._ends = folder, browser, contextlib.ExitStack()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._ends.close()

    def run(self, *words):
        """Run a command. Raises RuntimeError with what it printed if it fails."""
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            code = cli.run([str(word) for word in words])
        if code:
            raise RuntimeError(f"wordle-kit {' '.join(map(str, words))}: exit code {code}\n{printed.getvalue()}")

    def played(self, name):
        """Return the store of a tournament. Beside it is the report."""
        store = self.folder / f"{name}.sqlite"
        if not store.exists():
            report = store.with_suffix(".html")
            self.run("tournament", *TOURNAMENTS[name], "--store", store, "-o", report)
        return store

    @contextlib.contextmanager
    def opened(self, path, size, scheme="light", **settings):
        """Return a context with an open page."""
        context = self.browser.new_context(
            viewport=dict(zip(("width", "height"), size, strict=True)),
            color_scheme=scheme,
            reduced_motion="reduce",
            **settings,
        )
        page = context.new_page()
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready]")
        yield page
        context.close()

    @property
    def browser(self):
        """The browser."""
        if self._browser is None:
            from playwright.sync_api import sync_playwright

            playwright = self._ends.enter_context(sync_playwright())
            flags = ["--headless", "--no-sandbox", "--disable-gpu"]
            self._browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=flags)
            self._ends.callback(self._browser.close)
        return self._browser

    def composed(self, shots, size, style):
        """Return pictures as one, arranged by a style sheet."""
        sources = [f"data:image/png;base64,{base64.b64encode(shot).decode()}" for shot in shots]
        context = self.browser.new_context(viewport=dict(zip(("width", "height"), size, strict=True)))
        page = context.new_page()
        images = "".join(f'<img src="{source}">' for source in sources)
        page.set_content(f"<style>body {{ margin: 0 }} img {{ display: block }} {style}</style>{images}")
        shot = page.screenshot()
        context.close()
        return shot


BOTH = "img { position: absolute } img + img { clip-path: polygon(56% 0, 100% 0, 100% 100%, 44% 100%) }"
SIDE_BY_SIDE = "body { display: flex; gap: 20px } img { border: 1px solid #888; border-radius: 16px }"


def report(studio, tournament, prepare, top, size):
    """Return a part of the page of a leaderboard, its left half in light, its right half in dark."""
    path = studio.played(tournament).with_suffix(".html")
    shots = []
    for scheme in ("light", "dark"):
        with studio.opened(path, size, scheme) as page:
            if prepare is not None:
                prepare(page)
            page.evaluate("scrollTo(0, 0)")  # so that the links of the page stay at its top
            above = page.locator(top).evaluate("element => Math.max(0, element.getBoundingClientRect().top - 16)")
            clip = {"x": 0, "y": above, "width": size[0], "height": size[1]}
            shots.append(page.screenshot(clip=clip, full_page=True))
    return studio.composed(shots, size, BOTH)


def puzzle(studio):
    """Return puzzles on phones, side by side."""
    shots = []
    for number, (command, (guesses, scheme)) in enumerate(PHONES.items()):
        path = studio.folder / f"puzzle-{number}.html"
        studio.run("puzzle", "-g", *command.split(), "-o", path)
        with studio.opened(path, PHONE, scheme, has_touch=True, is_mobile=True) as page:
            for guess in guesses:
                page.keyboard.type(guess)
                page.keyboard.press("Enter")
            page.evaluate("document.activeElement.blur()")
            shots.append(page.screenshot())
    width, height = PHONE
    return studio.composed(shots, ((width + 2) * len(shots) + 20 * (len(shots) - 1), height + 2), SIDE_BY_SIDE)


def plot(studio, command, tournament):
    """Return a plot as SVG."""
    path = studio.folder / f"{command}.svg"
    store = [] if tournament is None else ["--store", studio.played(tournament)]
    studio.run("plot", *command.split(), *store, "-o", path)
    return path.read_text(encoding="utf-8")


def play(studio):
    """Return a game on a terminal."""
    with Terminal("play", "--seed", "3", "--against", "entropy") as terminal:
        terminal.wait_for("guess 1 of 6: ")
        terminal.type("crane", "guess 2 of 6: ")
        terminal.type("?", "guess 2 of 6: ")
        terminal.type("cello", "guess 3 of 6: ")
        terminal.type("words", "guess 3 of 6: ")
        terminal.type("chief", "entropy  ")
        terminal.ended()
        return terminal.svg("wordle-kit play")


def assist(studio):
    """Return help with a puzzle, on a terminal."""
    with Terminal("assist", "--top", "3") as terminal:
        terminal.wait_for("guess 1: ")
        terminal.type("crane 01100", "guess 2: ")
        terminal.type("stair 02222", "guess 2: ")
        terminal.type("stair BYYGG", "guess 3: ")
        terminal.type("quit", "\n")
        terminal.ended()
        return terminal.svg("wordle-kit assist")


def drawn_by(studio, program):
    """Return the picture that another program here draws."""
    return runpy.run_path(str(DOCS / program))["drawn"]()


def convergence(studio):
    """Return how the bounds of searches converge. It measures time, so it differs each time."""
    path = studio.folder / "convergence.svg"
    subprocess.run([sys.executable, DOCS / "convergence.py", path], check=True)  # noqa: S603 - our own
    return path.read_text(encoding="utf-8")


PICTURES = {
    "picture.svg": partial(drawn_by, program="picture.py"),
    "regret.svg": partial(drawn_by, program="regret.py"),
    "play.svg": play,
    "assist.svg": assist,
    "puzzle.png": puzzle,
    **{
        name: partial(report, tournament=which, prepare=prepare, top=top, size=size)
        for name, (which, prepare, top, size) in REPORTS.items()
    },
    **{
        f"plot-{command.split()[0]}.svg": partial(plot, command=command, tournament=which)
        for command, which in PLOTS.items()
    },
    "convergence.svg": convergence,
}
"""The function that draws each picture."""


def main(names):
    """Draw pictures: those named, or all."""
    unknown = sorted(set(names) - set(PICTURES))
    if unknown:
        raise SystemExit(f"no such picture: {', '.join(unknown)}; there are {', '.join(PICTURES)}")
    with tempfile.TemporaryDirectory() as folder, Studio(Path(folder)) as studio:
        os.environ["WORDLE_KIT_STORE"] = f"{folder}/results.sqlite"
        for name in names or PICTURES:
            drawn = PICTURES[name](studio)
            (DOCS / name).write_bytes(drawn if isinstance(drawn, bytes) else drawn.encode())
            print(f"wrote docs/{name}")


if __name__ == "__main__":
    main(sys.argv[1:])
