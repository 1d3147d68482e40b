"""The pages of the site that wordle-kit makes itself: a leaderboard, and a puzzle for each day."""

import contextlib
import io
import tempfile
from pathlib import Path

from wordle_kit import cli

PAGES = {
    "leaderboard": "tournament -s optimal -s most-parts -s entropy -s minimax -s letter-frequency -s first-consistent",
    "puzzle": "puzzle --daily --puzzles 100",
}
"""The command that makes each page."""


def link(page: str, text: str) -> str:
    """Return a link from a page of documentation to one of these pages."""
    return f'<p><a class="reference external" href="../made/{page}.html">{text}</a></p>'


def write_pages(folder: Path) -> None:
    """Write the pages into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as kept:
        for page, command in PAGES.items():
            words = [*command.split(), "-o", str(folder / f"{page}.html")]
            words += ["--store", f"{kept}/results.sqlite"] if page == "leaderboard" else []
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
                code = cli.run(words)
            if code:
                raise RuntimeError(f"wordle-kit {' '.join(words)}: exit code {code}\n{printed.getvalue()}")
