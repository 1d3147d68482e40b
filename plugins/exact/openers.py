"""`wordle-kit openers`: rank first guesses by a strategy's own score, and compare the scores with perfect play."""

from pathlib import Path
from typing import Annotated, Any

import wordle_kit as wk
from wordle_kit.cli import load, options
from wordle_kit.cli.output import progress_bar, say_usual_game, show_results
from wordle_kit.texts import percent


def openers(
    strategy: options.StrategyOption = "entropy",
    game: options.GameOption = options.USUAL_GAME,
    top: options.TopOption = options.USUAL_TOP,
    values: Annotated[
        str | None,
        options.advanced(
            metavar="FILE|optimal",
            help="Compare the scores with a file of lines `word value`, or with perfect play (small games only).",
        ),
    ] = None,
    form: options.FormatOption = "table",
    plugin: options.PluginsOption = None,
    weights: options.WeightsOption = None,
) -> None:
    """Rank first guesses by a strategy's own score.

    JSON is one object with `openers` and, with --values, `errors`.

    For example:
        wordle-kit openers -s entropy --top 20
        wordle-kit openers -g mastermind -s minimax
    """
    from wordle_kit_plugins.exact.values import errors_against, perfect_values, read_values

    from wordle_kit.explain import first_scores, top_rows
    from wordle_kit.tables import Table, columns_by_type

    plugins = load.plugins(plugin)
    printed = plugins.find_format(form)
    opened = load.game(game, plugins, weights=weights)
    load.prepare_table(opened)
    chosen = wk.load_strategy(strategy, plugins)
    rows, errors = top_rows(wk.Position.start(opened), chosen, top), []
    if values == "optimal":
        with progress_bar("searching") as progress:
            errors = errors_against(opened, first_scores(opened, chosen), perfect_values(opened, progress))
    elif values is not None:
        errors = errors_against(opened, first_scores(opened, chosen), read_values(Path(values), opened))
    notes = [f"Mean squared error over {error['over']}: {error['mean squared error']:.6g}" for error in errors]
    shown = [{key: shown_cell(key, cell) for key, cell in row.items()} for row in rows]
    value = {"openers": rows} | ({"errors": errors} if errors else {})
    say_usual_game(opened, game, printed)
    show_results(Table(shown, notes, value, columns_by_type(rows)).content, printed)


def shown_cell(header: str, cell: Any) -> Any:
    """Return a cell for people to read: a probability as a percentage, or another number with six digits."""
    if not isinstance(cell, float):
        return cell
    return percent(cell) if header == "chance" else f"{cell:.6g}"
