"""`wordle-kit plot`: draw stored results, guesses and searches as charts."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wordle_kit.cli import options, panels, values
from wordle_kit.cli.help import HelpfulCommand, group
from wordle_kit.cli.output import note
from wordle_kit.cli.stored import Choice, described, of_a_choice

if TYPE_CHECKING:
    from wordle_kit.leaderboard.leaderboard import Leaderboard

app = group("Draw stored results, guesses and searches (with the extra `plots`).")

OutputOption = Annotated[
    Path | None,
    panels.output(
        "--output",
        "-o",
        metavar="FILE",
        help="File: .svg, .png, .html or .json (Vega-Lite). [default: the name of the chart, as .svg]",
    ),
]
TopOption = Annotated[int, panels.output(metavar="N", min=1, help="Number of rows to show.")]


@app.command("distribution", cls=HelpfulCommand)
@of_a_choice
def distribution(choice: Choice, output: OutputOption = None) -> None:
    """Draw the distribution of guesses, a bar for each strategy."""
    from wordle_kit.report import plots

    _write_stored("distribution", output, choice, plots.distribution)


@app.command("head-to-head", cls=HelpfulCommand)
@of_a_choice
def head_to_head(choice: Choice, output: OutputOption = None) -> None:
    """Draw the mean difference in guesses of each pair of strategies."""
    from wordle_kit.report import plots

    _write_stored("head-to-head", output, choice, plots.head_to_head)


@app.command("hardest", cls=HelpfulCommand)
@of_a_choice
def hardest(choice: Choice, output: OutputOption = None, top: TopOption = 30) -> None:
    """Draw the guesses that each strategy took for the hardest puzzles, with their hidden words."""
    from wordle_kit.report import plots

    _write_stored("hardest", output, choice, lambda board: plots.hardest(board, top))


@app.command("figure", cls=HelpfulCommand)
@of_a_choice
def figure(
    choice: Choice,
    column: Annotated[str, typer.Argument(metavar="COLUMN", help="Column of the leaderboard, such as failure.")],
    output: OutputOption = None,
) -> None:
    """Draw one figure of the leaderboard, a bar for each strategy."""
    from wordle_kit.report import plots

    _write_stored(column, output, choice, lambda board: plots.figure(board, column))


@app.command("convergence", cls=HelpfulCommand)
def convergence(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Files written by `optimal --progress FILE`.")],
    output: OutputOption = None,
    below: Annotated[
        float | None, typer.Option(metavar="N", help="Cut the chart N guesses below the least upper bound.")
    ] = None,
) -> None:
    """Draw the bounds of exact searches over time."""
    from wordle_kit.report import plots

    path = _file("convergence", output)
    _write(plots.convergence({file.stem: plots.read_progress(file) for file in files}, below), path)


@app.command("parts", cls=HelpfulCommand)
def parts(
    guess: Annotated[str, typer.Argument(metavar="GUESS", help="Guess to draw.")],
    output: OutputOption = None,
    after: options.AfterOption = None,
    game: options.UsualGameOption = None,
    top: TopOption = 40,
    plugin: options.PluginsOption = None,
    plugins_dir: options.PluginsDirOption = None,
    strict: options.StrictOption = False,
) -> None:
    """Draw the sizes of the parts into which a guess splits the remaining words."""
    from wordle_kit.report import plots

    path = _file("parts", output)
    plugins = values.load_plugins(plugin, plugins_dir, strict)
    played = values.load_game(game or options.USUAL_GAME, plugins)
    chart = plots.parts(played, guess, values.after_moves(played, after).position, top)
    _write(chart, path, f": {values.titled(played, game)}")


@app.command("openers", cls=HelpfulCommand)
def openers(
    strategy: options.StrategyOption = "entropy",
    output: OutputOption = None,
    game: options.UsualGameOption = None,
    top: TopOption = 20,
    plugin: options.PluginsOption = None,
    plugins_dir: options.PluginsDirOption = None,
    strict: options.StrictOption = False,
) -> None:
    """Draw the best first guesses by a strategy's own score."""
    from wordle_kit.api import load_strategy
    from wordle_kit.report import plots

    path = _file("openers", output)
    plugins = values.load_plugins(plugin, plugins_dir, strict)
    played = values.load_game(game or options.USUAL_GAME, plugins)
    chart = plots.openers(played, load_strategy(strategy, plugins), top)
    _write(chart, path, f": {values.titled(played, game)}")


def _write_stored(name: str, output: Path | None, choice: Choice, draw: "Callable[[Leaderboard], Any]") -> None:
    path = _file(name, output)
    with choice.leaderboard() as board:
        _write(draw(board), path, f": {described(board)}")


def _file(name: str, output: Path | None) -> Path:
    """Return the file of a chart. Raises WordleKitError if charts cannot be written to a file of this kind."""
    from wordle_kit.report.plots import check_kind

    path = output or Path(f"{name}.svg")
    check_kind(path)
    return path


def _write(chart: Any, path: Path, about: str = "") -> None:
    from wordle_kit.report.plots import write_chart

    write_chart(chart, path)
    note(f"wrote {path}{about}")
