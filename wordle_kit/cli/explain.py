"""`wordle-kit explain` and `letters`: how a guess splits what is left, and where each symbol stands in it."""

from typing import Annotated

import typer

from wordle_kit.cli import options
from wordle_kit.cli.output import say
from wordle_kit.texts import json_text

SHOWN_WORDS = 5


def explain(
    guess: Annotated[str, typer.Argument(metavar="GUESS", help="The guess to explain.")],
    after: options.AfterOption = None,
    game: options.GameOption = "wordle",
    top: Annotated[int, typer.Option(metavar="N", help="How many parts to show; 0 shows all.")] = 20,
    plugin: options.PluginsOption = None,
    plugins_dir: options.PluginsDirOption = None,
    strict: options.StrictOption = False,
    format: options.FormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """Show how a guess splits the words that are left: each feedback, how many words get it, and which.

    With --format json one object with all parts and all words.
    """
    from wordle_kit.analysis.splits import bar, split_rows, split_summary
    from wordle_kit.errors import WordleKitError
    from wordle_kit.strategy.moves import position_after
    from wordle_kit.tables import render

    form = options.table_format(format)
    if top < 0:
        raise WordleKitError(f"--top is {top}; give 0 for all parts, or more")
    plugins = options.load_plugins(plugin, plugins_dir, strict)
    board = position_after(options.load_game(game, plugins), after or ()).board
    rows = split_rows(board, guess)
    summary = split_summary(rows)
    if form == "json":
        say(json_text({"guess": guess, **summary, "parts_by_size": rows}))
        return
    if form == "csv":  # for a program, which wants all of it
        named = [{"bits gained" if key == "bits" else key: cell for key, cell in row.items()} for row in rows]
        say(render([{**row, "words": " ".join(row["words"])} for row in named], form), nl=False)
        return
    shown = []
    for row in rows[: top or None]:
        words = row["words"][:SHOWN_WORDS]
        rest = f" and {row['size'] - len(words):,} more" if row["size"] > len(words) else ""
        chart = {"": bar(row["share"], rows[0]["share"])} if form == "table" else {}
        cells = {"share": f"{row['share']:.1%}", "bits gained": f"{row['bits']:.2f}", **chart}
        shown.append({**row, **cells, "words": ", ".join(words) + rest})
    order = ("feedback", "tiles", "size", "share", "bits gained", *([""] if form == "table" else []), "words")
    hidden = len(rows) - len(shown)
    notes = [
        f"{guess} splits {summary['candidates']:,} into {summary['parts']} parts of at most {summary['largest']:,}, "
        f"{summary['expected_size']:.2f} expected: {summary['expected_bits']:.4f} bits gained."
        + (f" {hidden} smaller parts are not shown." if hidden else "")
    ]
    say(render([{key: row[key] for key in order} for row in shown], form, notes), nl=False)


def letters(
    after: options.AfterOption = None,
    game: options.GameOption = "wordle",
    plugin: options.PluginsOption = None,
    plugins_dir: options.PluginsDirOption = None,
    strict: options.StrictOption = False,
    format: options.FormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """Show how often each symbol stands at each place among the words that are left."""
    from wordle_kit.analysis.splits import letter_rows
    from wordle_kit.strategy.moves import position_after
    from wordle_kit.tables import render

    form = options.table_format(format)
    plugins = options.load_plugins(plugin, plugins_dir, strict)
    board = position_after(options.load_game(game, plugins), after or ()).board
    note = f"{len(board):,} words are left; places are counted from 1, 'words' have the symbol at least once."
    say(render(letter_rows(board), form, [note]), nl=False)
