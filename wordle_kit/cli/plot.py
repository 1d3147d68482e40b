"""`wordle-kit plot`: draw stored results, guesses and searches as charts."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wordle_kit.cli import completion, options, panels, values
from wordle_kit.cli.help import HelpfulCommand, group
from wordle_kit.cli.output import note

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
StoredGameOption = Annotated[
    str | None,
    panels.played(
        "--game",
        "-g",
        metavar="NAME",
        help="Use the latest tournament of this game. [default: the latest of all]",
        autocompletion=completion.games,
    ),
]
TopOption = Annotated[int, panels.output(metavar="N", min=1, help="Number of rows to show.")]


@app.command("distribution", cls=HelpfulCommand)
def distribution(
    output: OutputOption = None,
    game: StoredGameOption = None,
    strategy: options.NamesOption = None,
    store: options.StoreOption = None,
) -> None:
    """Draw the distribution of guesses, a bar for each strategy."""
    from wordle_kit.report import plots

    _write("distribution", output, lambda: plots.distribution(_stored(game, strategy, store)))


@app.command("head-to-head", cls=HelpfulCommand)
def head_to_head(
    output: OutputOption = None,
    game: StoredGameOption = None,
    strategy: options.NamesOption = None,
    store: options.StoreOption = None,
) -> None:
    """Draw the mean difference in guesses of each pair of strategies."""
    from wordle_kit.report import plots

    _write("head-to-head", output, lambda: plots.head_to_head(_stored(game, strategy, store)))


@app.command("hardest", cls=HelpfulCommand)
def hardest(
    output: OutputOption = None,
    game: StoredGameOption = None,
    strategy: options.NamesOption = None,
    top: TopOption = 30,
    store: options.StoreOption = None,
) -> None:
    """Draw the guesses that each strategy took for the hardest puzzles, with their hidden words."""
    from wordle_kit.report import plots

    _write("hardest", output, lambda: plots.hardest(_stored(game, strategy, store), top))


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

    _write(
        "convergence",
        output,
        lambda: plots.convergence({path.stem: plots.read_progress(path) for path in files}, below),
    )


@app.command("parts", cls=HelpfulCommand)
def parts(
    guess: Annotated[str, typer.Argument(metavar="GUESS", help="Guess to draw.")],
    output: OutputOption = None,
    after: options.AfterOption = None,
    game: options.GameOption = "wordle",
    top: TopOption = 40,
    plugin: options.PluginsOption = None,
    plugins_dir: options.PluginsDirOption = None,
    strict: options.StrictOption = False,
) -> None:
    """Draw the sizes of the parts into which a guess splits the remaining words."""
    from wordle_kit.report import plots

    plugins = values.load_plugins(plugin, plugins_dir, strict)
    played = values.load_game(game, plugins)
    _write("parts", output, lambda: plots.parts(played, guess, values.after_moves(played, after).position, top))


@app.command("openers", cls=HelpfulCommand)
def openers(
    strategy: options.StrategyOption = "entropy",
    output: OutputOption = None,
    game: options.GameOption = "wordle",
    top: TopOption = 20,
    plugin: options.PluginsOption = None,
    plugins_dir: options.PluginsDirOption = None,
    strict: options.StrictOption = False,
) -> None:
    """Draw the best first guesses by a strategy's own score."""
    from wordle_kit.api import load_strategy
    from wordle_kit.report import plots

    plugins = values.load_plugins(plugin, plugins_dir, strict)
    played = values.load_game(game, plugins)
    _write("openers", output, lambda: plots.openers(played, load_strategy(strategy, plugins), top))


def _stored(game: str | None, strategies: list[str] | None, store: Path | None) -> "Leaderboard":
    from wordle_kit.api import read_leaderboard

    return read_leaderboard(values.store_path(store), game, strategies=strategies or ())


def _write(name: str, output: Path | None, draw: Any) -> None:
    from wordle_kit.report.drawing import check_kind, write_chart

    path = output or Path(f"{name}.svg")
    check_kind(path)
    write_chart(draw(), path)
    note(f"wrote {path}")
