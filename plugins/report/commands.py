"""`wordle-kit plot`: results and searches as charts."""

from pathlib import Path
from typing import Annotated

import typer

from wordle_kit.cli import options, values
from wordle_kit.cli.output import note
from wordle_kit.errors import WordleKitError, unknown

KINDS = ("means", "distribution", "sweep", "convergence")


@values.grouped
def plot(
    choice: values.WhichLeaderboards,
    kind: Annotated[str, typer.Argument(metavar="KIND", help="means, distribution, sweep or convergence.")],
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PARAMETER|FILE]...",
            help="For sweep, a parameter of strategies; for convergence, files written by `optimal --progress FILE`.",
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
    below: Annotated[
        float | None,
        options.output(metavar="N", help="For convergence: cut the chart N guesses below the least upper bound."),
    ] = None,
) -> None:
    """Draw stored results, or the bounds of exact searches (with the extra `plots`).

    The means and the distributions have a row for each strategy, the best at the top. A sweep has the mean against a
    parameter, a line for each strategy that played with several values of it. The convergence shows the bounds of
    searches over time.

    For example:
        wordle-kit plot means -g wordle -o means.png
        wordle-kit plot sweep endgame -g wordle -o sweep.pdf
        wordle-kit plot convergence salet.jsonl crane.jsonl
    """
    from wordle_kit_plugins.report import plots

    if kind not in KINDS:
        raise WordleKitError(unknown("kind of plot", kind, KINDS))
    given = what or []
    path = output or Path(f"{kind}.svg")
    if kind == "convergence":
        chart = plots.convergence({Path(file).stem: plots.read_progress(Path(file)) for file in given}, below)
    elif len(given) != (kind == "sweep"):
        raise WordleKitError(f"plot {kind}: give {'one parameter' if kind == 'sweep' else 'nothing more'}")
    else:
        chart = getattr(plots, kind)(choice.read()[-1], *given)
    plots.write_chart(chart, path)
    note(f"wrote {path}: {chart.title}")
