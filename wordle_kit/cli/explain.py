"""`wordle-kit explain`: show how a guess splits the remaining words."""

from typing import Annotated

import typer

from wordle_kit.cli import load, options
from wordle_kit.cli.output import can_show, can_show_tiles, quiet, say_usual_game, show_results
from wordle_kit.texts import number_of
from wordle_kit.tournaments.deadline import DEADLINE

SHOWN_WORDS = 5

BAR = 30
"""The length of the longest bar, in characters."""


def explain(
    guess: Annotated[str, typer.Argument(metavar="GUESS", help="The guess to explain.")],
    after: options.AfterOption = None,
    game: options.GameOption = options.USUAL_GAME,
    strategy: options.RatingOption = None,
    hard: options.HardOption = False,
    boards: options.BoardsOption = None,
    top: options.TopOption = options.USUAL_TOP,
    form: options.FormatOption = "table",
    plugin: options.PluginsOption = None,
    weights: options.WeightsOption = None,
) -> None:
    """Show how a guess splits the remaining words.

    Each row shows a feedback pattern and the words that would produce it. On several boards, the rows are those of the
    unsolved board with the fewest words left. With --strategy, a note says how the strategy scores and ranks the guess,
    and which guess it would make itself. The table is shortened; JSON has every pattern and word.

    For example:
        wordle-kit explain crane
        wordle-kit explain sloth --after crane=00210
        wordle-kit explain crane --strategy entropy --hard
    """
    from wordle_kit.explain import BY_WEIGHT, best_guess, rating, rating_text, split_rows, split_summary
    from wordle_kit.strategy.partition import PartitionStrategy
    from wordle_kit.tables import Table, columns_by_type
    from wordle_kit.tournaments.entrants import enter_one

    plugins = load.plugins(plugin)
    printed = plugins.find_format(form)
    played = load.game(game, plugins, hard=hard, boards=boards, weights=weights)
    load.prepare_table(played)
    position = load.position(played, after)
    guess, board = played.guesses[played.index_of_guess(guess)], position.board
    found = None
    if strategy is not None:
        with quiet():
            entrant = enter_one(strategy, played, plugins)
            found = {"choice": best_guess(position, entrant, DEADLINE), "forbidden": position.problem_with(guess)}
            if isinstance(entrant.strategy, PartitionStrategy):
                found |= rating(position, entrant.strategy, guess)
    rows = split_rows(board, guess)
    summary = split_summary(rows)
    tiles = can_show_tiles(board.game) and can_show(bar(1, 1))
    shown = []
    for row in rows[:top]:
        words = row["words"][:SHOWN_WORDS]
        rest = f" and {row['size'] - len(words):,} more" if row["size"] > len(words) else ""
        shown.append(
            {"feedback": row["feedback"]}
            | ({"tiles": row["tiles"]} if tiles else {})
            | {"size": row["size"], "chance" if board.game.is_weighted else "share": f"{row['share']:.1%}"}
            | {"bits gained": "" if row["bits"] is None else f"{row['bits']:.2f}"}
            | ({"": bar(row["share"], rows[0]["share"])} if tiles and printed.name == "table" else {})
            | {"words": ", ".join(words) + rest}
        )
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
        scored = f" Its score of {guess}: {rating_text(found)}." if "score" in found else ""
        forbidden = f" {found['forbidden']}." if found["forbidden"] else ""
        notes.append(f"{entrant.label} would guess {found['choice']}.{scored}{forbidden}")
    say_usual_game(played, game, printed)
    value = {"guess": guess, **summary, **({} if found is None else {"rating": found}), "parts_by_size": rows}
    every = [row | {"words": " ".join(row["words"])} for row in rows]  # for programs
    show_results(Table(shown, notes, value, columns_by_type(every)).content, printed)


def bar(share: float, longest: float) -> str:
    """Return a bar for a share, at full length if the share equals `longest`."""
    eighths = round(8 * BAR * share / longest)
    return "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()
