"""`wordle-kit puzzle`: puzzles as a web page that people play."""

import random
from pathlib import Path
from typing import Annotated

import typer

from wordle_kit.cli import options, panels, values
from wordle_kit.cli.output import note, quiet
from wordle_kit.texts import number_of

MANY_SEEDS = 1_000_000
"""Number of seeds to choose from if none is given."""


def puzzle(
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Write the page here.")] = Path(
        "puzzle.html"
    ),
    game: options.GameOption = "wordle",
    answer: Annotated[
        str | None,
        panels.played(metavar="WORD", help="The hidden word, or those of all boards."),
    ] = None,
    list_: Annotated[
        Path | None,
        panels.played("--list", metavar="FILE", help="Hide the words of a file, one puzzle per line."),
    ] = None,
    series: Annotated[
        int | None,
        panels.played(metavar="N", help="Draw this many puzzles for one page. [default: 1]"),
    ] = None,
    seed: Annotated[
        int | None,
        panels.played(metavar="N", help="Seed for drawing puzzles. [default: random]"),
    ] = None,
    hard: options.HardOption = False,
    boards: options.BoardsOption = None,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="Title of the page. [default: the game's]")] = None,
    plugin: options.PluginsOption = None,
    plugins_dir: options.PluginsDirOption = None,
    strict: options.StrictOption = False,
) -> None:
    """Write puzzles to play as one HTML page.

    The page works without a server or a network. It has an on-screen keyboard, keeps the player's progress and gives a
    text to share. Results of several puzzles can be downloaded; `wordle-kit leaderboard --humans` ranks them beside
    strategies.

    For example:
        wordle-kit puzzle --answer crane -o crane.html
        wordle-kit puzzle --series 10 --seed 7 -o class.html
    """
    from wordle_kit.errors import PuzzleError
    from wordle_kit.pages.html import write_page
    from wordle_kit.playing.puzzle_page import draw_series, puzzle_page
    from wordle_kit.tournaments.puzzle_sources import choose_puzzles

    given = [
        name for name, value in (("--answer", answer), ("--list", list_), ("--series", series)) if value is not None
    ]
    if len(given) > 1:
        raise PuzzleError(f"{given[0]} and {given[1]} both choose the puzzles; give one of them")
    if seed is not None and (answer is not None or list_ is not None):
        raise PuzzleError(f"--seed draws puzzles, but {given[0]} names them; give one of them")
    if series is not None and series < 1:
        raise PuzzleError(f"--series is {series}; give 1 or more")
    plugins = values.load_plugins(plugin, plugins_dir, strict)
    played = values.load_game(game, plugins, hard, boards=boards)
    drawn = ""
    if answer is not None:
        try:
            puzzles = choose_puzzles(played, [answer])
        except PuzzleError as error:
            raise PuzzleError(f"--answer: {str(error).removeprefix('puzzle 1: ')}") from error
    elif list_ is not None:
        if not list_.is_file():
            raise PuzzleError(f"--list: there is no file {str(list_)!r}; give one with a puzzle per line")
        puzzles = choose_puzzles(played, list_)
    else:
        seed = random.randrange(MANY_SEEDS) if seed is None else seed
        puzzles = draw_series(played, 1 if series is None else series, seed)
        drawn = f", drawn with seed {seed}"
    with quiet():
        html = puzzle_page(played, puzzles, title)
    write_page(output, html)
    count = number_of(len(puzzles), "puzzle")
    note(f"wrote {output}: {played.name}, {count}{drawn}, {len(html.encode()) / 1e6:.2f} MB")
