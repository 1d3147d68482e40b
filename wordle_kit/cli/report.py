"""`wordle-kit report`: write a stored leaderboard as a web page."""

from pathlib import Path
from typing import Annotated

import typer

from wordle_kit.cli.output import note
from wordle_kit.cli.stored import Choice, described, of_a_choice


@of_a_choice
def report(
    choice: Choice,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="File of the page.")] = Path(
        "report.html"
    ),
) -> None:
    """Write a leaderboard as one HTML page.

    The page sorts and filters the leaderboard, compares strategies, replays puzzles and unfolds decision trees. It
    works without a server or a network. It shows the hidden words.

    For example:
        wordle-kit report -o report.html
        wordle-kit report -g mastermind -s minimax -s entropy
    """
    from wordle_kit.pages.html import write_page
    from wordle_kit.report.page import page_of

    with choice.leaderboard() as board:
        html = page_of(board.runs, board.game, source=choice.file, metrics=board.metrics)
        about = described(board)
    write_page(output, html)
    if board.game is None:
        game = about.partition(",")[0]
        note(
            f"{game} is not registered, or has changed since it was played, so the page has no tiles; "
            "name its file with --game"
        )
    note(f"wrote {output}: {about}, {len(html.encode()) / 1e6:.2f} MB")
