"""`wordle-kit openers`: first guesses by a strategy's own score, perhaps compared with perfect play."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from wordle_kit.cli import options, values
from wordle_kit.cli.output import progress_bar, say
from wordle_kit.texts import json_text, percent

if TYPE_CHECKING:
    from wordle_kit.tables import Format


@values.grouped
def openers(
    strategy: options.StrategyOption = "entropy",
    game: options.UsualGameOption = None,
    top: options.TopOption = options.USUAL_TOP,
    values_of: Annotated[
        str | None,
        options.advanced(
            "--values",
            metavar="FILE|optimal",
            help="Compare the scores with a file of lines `word value`, or with perfect play (small games only).",
        ),
    ] = None,
    best: Annotated[
        int, options.advanced(metavar="N", min=1, help="With --values: also compare the N best words separately.")
    ] = 100,
    which: values.AlsoWeights = values.USUAL_WEIGHTS,
    format: options.FormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """Rank first guesses by a strategy's own score.

    JSON is one object with `openers` and, with --values, `errors`.

    For example:
        wordle-kit openers -s entropy --top 20
        wordle-kit openers -g mastermind -s minimax
    """
    from wordle_kit_plugins.exact.values import errors_against, perfect_values, read_values

    from wordle_kit.api import load_strategy
    from wordle_kit.explain import first_scores, ranked
    from wordle_kit.strategy.position import Position
    from wordle_kit.tables import render

    plugins = which.load()
    form = values.table_format(format, plugins)
    opened = values.load_game(game or options.USUAL_GAME, plugins)
    chosen = load_strategy(strategy, plugins)
    tables = {"openers": ranked(Position.start(opened), chosen, top)}
    if values_of is not None:
        if values_of == "optimal":
            with progress_bar("searching") as progress:
                known = perfect_values(opened, progress)
        else:
            known = read_values(Path(values_of), opened)
        tables["errors"] = errors_against(opened, first_scores(opened, chosen), known, best)
    if form.name == "json":
        say(json_text(tables))
        return
    values.say_usual_game(opened, game, form)
    texts = []
    for rows in tables.values():
        shown = [{key: shown_cell(key, cell, form) for key, cell in row.items()} for row in rows]
        texts.append(render(shown, form))
    say("\n".join(texts), nl=False)


def shown_cell(header: str, cell: Any, form: "Format") -> Any:
    """Return a cell as a table shows it: numbers with six digits, and probabilities as percentages, except in CSV."""
    if not isinstance(cell, float):
        return cell
    return percent(cell) if header == "chance" and form.name != "csv" else f"{cell:.6g}"
