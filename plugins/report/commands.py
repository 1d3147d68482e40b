"""`wordle-kit plot`: results, guesses and searches as charts."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wordle_kit.cli import options, values
from wordle_kit.cli.output import note
from wordle_kit.texts import number_of

if TYPE_CHECKING:
    from wordle_kit.leaderboard.leaderboard import Leaderboard

app = options.group("Draw stored results, guesses and searches (with the extra `plots`).")

OutputOption = Annotated[
    Path | None,
    options.output(
        "--output",
        "-o",
        metavar="FILE",
        help="File: .svg, .pdf, .png, .html or .json (Vega-Lite).",
        show_default="CHART.svg",
    ),
]


def described(board: "Leaderboard") -> str:
    """Return a short text with the game, the puzzles and the number of strategies of a leaderboard."""
    facts = board.runs[0].facts
    hard = ", hard mode" if facts.hard_mode else ""
    return f"{facts.game}{hard}, {facts.puzzles}, {number_of(len(board.runs), 'strategy', 'strategies')}"


@app.command("distribution", cls=options.Command)
@values.grouped
def distribution(choice: values.WhichLeaderboards, output: OutputOption = None) -> None:
    """Draw the distribution of guesses, a bar for each strategy.

    For example:
        wordle-kit plot distribution -g wordle -o distribution.png
    """
    _write_stored("distribution", output, choice)


@app.command("figure", cls=HelpfulCommand)
@values.grouped
def figure(
    choice: values.WhichLeaderboards,
    column: Annotated[str, typer.Argument(metavar="COLUMN", help="Column of the leaderboard, such as failure.")],
    output: OutputOption = None,
) -> None:
    """Draw one figure of the leaderboard, a bar for each strategy.

    For example:
        wordle-kit plot figure failure -g wordle
    """
    _write_stored("figure", output, choice, column)


@app.command("sweep", cls=options.Command)
@values.grouped
def sweep(
    choice: values.WhichLeaderboards,
    parameter: Annotated[str, typer.Argument(metavar="PARAMETER", help="Parameter of strategies, such as endgame.")],
    output: OutputOption = None,
) -> None:
    """Draw the mean against a parameter, a line for each strategy that played with several values of it.

    For example:
        wordle-kit plot sweep endgame -g wordle -o sweep.pdf
    """
    _write_stored("sweep", output, choice, parameter)


@app.command("convergence", cls=options.Command)
def convergence(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Files written by `optimal --progress FILE`.")],
    output: OutputOption = None,
    below: Annotated[
        float | None, options.output(metavar="N", help="Cut the chart N guesses below the least upper bound.")
    ] = None,
) -> None:
    """Draw the bounds of exact searches over time.

    For example:
        wordle-kit plot convergence salet.jsonl crane.jsonl
    """
    from wordle_kit_plugins.report import plots

    path = _file("convergence", output)
    _write(plots.convergence({file.stem: plots.read_progress(file) for file in files}, below), path)


def _write_stored(name: str, output: Path | None, choice: values.WhichLeaderboards, *more: Any) -> None:
    """Write a chart of a stored leaderboard. The function `name` of `report.plots` draws it."""
    from wordle_kit_plugins.report import plots

    path = _file(more[-1] if name == "figure" else name, output)
    board = choice.read()[-1]
    chart = getattr(plots, name.replace("-", "_"))(board, *more)
    _write(chart, path, f": {described(board)}")


def _file(name: str, output: Path | None) -> Path:
    """Return the file of a chart. Raises WordleKitError if charts cannot be written to this type of file."""
    from wordle_kit_plugins.report.plots import check_kind

    path = output or Path(f"{name}.svg")
    check_kind(path)
    return path


def _write(chart: Any, path: Path, about: str = "") -> None:
    from wordle_kit_plugins.report.plots import write_chart

    write_chart(chart, path)
    note(f"wrote {path}{about}")
