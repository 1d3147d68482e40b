"""`wordle-kit plot`: draw results and searches as charts."""

from pathlib import Path
from typing import Annotated

import typer

import wordle_kit as wk
from wordle_kit.cli import load, options
from wordle_kit.cli.output import note
from wordle_kit.errors import unknown
from wordle_kit.tournaments.runs import CONFIDENCE

KINDS = ("means", "distribution", "sweep", "convergence")


def plot(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="means, distribution, sweep or convergence.")],
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PARAMETER|FILE]...",
            help="For sweep, a strategy parameter; for convergence, files written by `optimal --progress FILE`.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        options.output(
            "--output",
            "-o",
            metavar="FILE",
            help="File: .svg, .pdf, .png, .html or .json (Vega-Lite). [default: KIND.svg]",
        ),
    ] = None,
    game: options.StoredGameOption = None,
    strategy: options.StoredStrategiesOption = None,
    puzzles: options.StoredPuzzlesOption = None,
    seed: options.StoredSeedOption = 0,
    hard: options.StoredModeOption = None,
    boards: options.StoredBoardsOption = None,
    below: Annotated[
        float | None,
        options.output(metavar="N", help="For convergence: cut the chart N guesses below the lowest upper bound."),
    ] = None,
    plugin: options.PluginsOption = None,
    repeats: options.RepeatsOption = False,
    confidence: options.ConfidenceOption = CONFIDENCE,
    store: options.StoreOption = None,
) -> None:
    """Plot stored results, or the bounds of exact searches. Needs the extra `plots`.

    `means` and `distribution` show one row per strategy, best first. `sweep` plots the mean against a parameter, for
    strategies that played with several values of this parameter. `convergence` plots the bounds of searches over time.

    For example:
        wordle-kit plot means -g wordle -o means.png
        wordle-kit plot sweep endgame -g wordle -o sweep.pdf
        wordle-kit plot convergence salet.jsonl crane.jsonl
    """
    from wordle_kit_plugins.report import plots

    if kind not in KINDS:
        raise wk.WordleKitError(unknown("kind of plot", kind, KINDS))
    given = what or []
    path = output or Path(f"{kind}.svg")
    if kind == "convergence":
        chart = plots.convergence({Path(file).stem: plots.read_progress(Path(file)) for file in given}, below)
    elif len(given) != (kind == "sweep"):
        raise wk.WordleKitError(f"plot {kind}: give {'one parameter' if kind == 'sweep' else 'nothing more'}")
    else:
        board = wk.read_leaderboard(
            load.store_path(store),
            game,
            puzzles,
            seed=seed,
            repeats=repeats,
            hard_mode=hard,
            boards=boards,
            strategies=strategy or (),
            confidence=confidence,
            plugins=load.plugins(plugin),
        )
        chart = getattr(plots, kind)(board, *given)
    plots.write_chart(chart, path)
    note(f"wrote {path}: {chart.title}")
