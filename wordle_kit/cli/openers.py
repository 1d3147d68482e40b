"""`wordle-kit openers`: rank first guesses by a strategy's own score."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wordle_kit.cli import options, panels, values
from wordle_kit.cli.output import quiet, say
from wordle_kit.cli.progress import playing, progress_bar
from wordle_kit.texts import json_text, percent

if TYPE_CHECKING:
    from wordle_kit.tables import Format


def openers(
    strategy: options.StrategyOption = "entropy",
    game: options.UsualGameOption = None,
    after: options.AfterOption = None,
    top: Annotated[int, panels.output(metavar="N", help="Number of first guesses to show.")] = 10,
    played: Annotated[
        bool, typer.Option("--played", help="Also play all puzzles and show the most common pairs of first guesses.")
    ] = False,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|optimal",
            help="Compare the scores with a file of lines `word value`, or with perfect play (small games only).",
        ),
    ] = None,
    best: Annotated[
        int, typer.Option(metavar="N", help="With --against: compare the N best words separately too.")
    ] = 100,
    plugin: options.PluginsOption = None,
    plugins_dir: options.PluginsDirOption = None,
    strict: options.StrictOption = False,
    format: options.FormatOption = "table",  # noqa: A002 - the option's name
    store: options.StoreOption = None,
    fresh: options.FreshOption = False,
) -> None:
    """Rank first guesses by a strategy's own score.

    With --after, rank the next guesses instead. JSON is one object: openers, with pairs if --played and errors if
    --against is given.

    For example:
        wordle-kit openers -s entropy --top 20
        wordle-kit openers -g mastermind -s minimax --played
    """
    from wordle_kit.analysis import openers as analysis
    from wordle_kit.api import load_strategy, tournament
    from wordle_kit.errors import WordleKitError
    from wordle_kit.tables import render

    form = values.table_format(format)
    if top < 1 or best < 1:
        raise WordleKitError("--top and --best need at least 1")
    if after and (played or against is not None):
        raise WordleKitError("--after ranks later guesses; --played and --against are for first guesses")
    plugins = values.load_plugins(plugin, plugins_dir, strict)
    opened = values.load_game(game or options.USUAL_GAME, plugins)
    chosen = load_strategy(strategy, plugins)
    tables = {"openers": analysis.ranked(values.after_moves(opened, after).position, chosen, top)}
    if played:
        path = values.store_path(store)
        with quiet(), playing(path) as progress:
            board = tournament(opened, [strategy], store=path, fresh=fresh, progress=progress, plugins=plugins)
        tables["pairs"] = analysis.pairs(board.runs[0].plays, top)
    if against is not None:
        if against == "optimal":
            with progress_bar("searching") as progress:
                known = analysis.perfect_values(opened, progress)
        else:
            known = analysis.read_values(Path(against), opened)
        tables["errors"] = analysis.errors_against(opened, analysis.first_scores(opened, chosen), known, best)
    if form == "json":
        say(json_text(tables))
        return
    values.say_usual_game(opened, game, form)
    texts = []
    for rows in tables.values():
        shown = [{key: shown_cell(key, cell, form) for key, cell in row.items()} for row in rows]
        texts.append(render(shown, form))
    say("\n".join(texts), nl=False)


def shown_cell(header: str, cell: Any, form: "str | Format") -> Any:
    """Return a cell as a table shows it: numbers with six digits, and chances as percentages except in CSV."""
    if not isinstance(cell, float):
        return cell
    return percent(cell) if header == "chance" and form != "csv" else f"{cell:.6g}"
