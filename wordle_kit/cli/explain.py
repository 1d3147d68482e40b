"""`wordle-kit explain`: how a guess splits the remaining words."""

from typing import Annotated

import typer

from wordle_kit.cli import options, values
from wordle_kit.cli.output import can_show, can_show_tiles, quiet, say
from wordle_kit.texts import json_text, number_of

SHOWN_WORDS = 5


@values.grouped
def explain(
    guess: Annotated[str, typer.Argument(metavar="GUESS", help="The guess to explain.")],
    after: options.AfterOption = None,
    game: options.UsualGameOption = None,
    strategy: options.RatingOption = None,
    hard: options.HardOption = False,
    boards: options.BoardsOption = None,
    top: options.TopOption = options.USUAL_TOP,
    which: values.AlsoWeights = values.USUAL_WEIGHTS,
    format: options.FormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """Show how a guess splits the remaining words.

    Each row is a feedback, with the words that would get it. On several boards, the parts are those of the board with
    the fewest words left. With --strategy, a note has the strategy's score for the guess, its rank, and the guess that
    the strategy prefers. JSON is one object with all parts and all words.

    For example:
        wordle-kit explain crane
        wordle-kit explain sloth --after crane=00210
        wordle-kit explain crane --strategy entropy --hard
    """
    from wordle_kit.errors import WordleKitError
    from wordle_kit.explain import BY_WEIGHT, bar, rated, rating, split_rows, split_summary
    from wordle_kit.tables import render

    plugins = which.load()
    form = values.table_format(format, plugins)
    if strategy is not None and form.name == "csv":
        raise WordleKitError("--strategy adds a note, which CSV does not have; use --format json")
    played = values.load_game(game or options.USUAL_GAME, plugins, hard, boards=boards)
    position = values.after_moves(played, after)
    board = position.board
    found = None
    if strategy is not None:
        with quiet():
            found = rating(position, plugins.find_strategy(strategy), guess)
    share = "chance" if board.game.is_weighted else "share"
    rows = split_rows(board, guess)
    summary = split_summary(rows)
    if form.name == "json":
        more = {} if found is None else {"rating": found}
        say(json_text({"guess": guess, **summary, **more, "parts_by_size": rows}))
        return
    if form.name == "csv":  # programs need every part
        named = [{"bits gained" if key == "bits" else key: cell for key, cell in row.items()} for row in rows]
        say(render([{**row, "words": " ".join(row["words"])} for row in named], form), nl=False)
        return
    is_drawn = form.name != "table" or (can_show_tiles(board.game) and can_show(bar(1, 1)))
    has_bars = form.name == "table" and is_drawn
    shown = []
    for row in rows[:top]:
        words = row["words"][:SHOWN_WORDS]
        rest = f" and {row['size'] - len(words):,} more" if row["size"] > len(words) else ""
        chart = {"": bar(row["share"], rows[0]["share"])} if has_bars else {}
        bits = "" if row["bits"] is None else f"{row['bits']:.2f}"
        cells = {share: f"{row['share']:.1%}", "bits gained": bits, **chart}
        shown.append({**row, **cells, "words": ", ".join(words) + rest})
    tiles, bars = ("tiles",) * is_drawn, ("",) * has_bars
    order = ("feedback", *tiles, "size", share, "bits gained", *bars, "words")
    hidden = len(rows) - len(shown)
    notes = [
        f"{guess} splits {summary['candidates']:,} into {number_of(len(rows), 'part')} of at most "
        f"{summary['largest']:,}, {summary['expected_size']:.2f} expected: {summary['expected_bits']:.4f} bits gained."
        + (f" {number_of(hidden, 'smaller part is', 'smaller parts are')} not shown." if hidden else "")
        + (f" {BY_WEIGHT}" if board.game.is_weighted else "")
    ]
    if len(position.boards) > 1:
        notes.append(f"The parts are those of board {position.boards.index(board) + 1} of {len(position.boards)}.")
    if found is not None:
        notes.append(rated(found))
    values.say_usual_game(played, game, form)
    say(render([{key: row[key] for key in order} for row in shown], form, notes), nl=False)
