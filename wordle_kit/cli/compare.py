"""`wordle-kit compare`: compare strategies puzzle by puzzle."""

from typing import Annotated

import typer

from wordle_kit.cli import completion, options, values
from wordle_kit.cli.output import say


@values.grouped
def compare(
    strategies: Annotated[
        list[str],
        typer.Argument(
            metavar="A B...", help="Strategies: name or name(parameter=value).", autocompletion=completion.strategies
        ),
    ],
    game: options.UsualGameOption = None,
    which: values.AlsoWeights = values.USUAL_WEIGHTS,
    puzzles: values.WhichPuzzles = values.ALL_PUZZLES,
    how: values.HowToPlay = values.USUALLY,
    hard: options.HardOption = False,
    boards: options.BoardsOption = None,
    transcripts: options.TranscriptsOption = None,
    confidence: options.ConfidenceOption = 0.95,
    format: options.FormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """Compare two or more strategies on identical puzzles, each with each.

    Shows wins, ties, losses and the mean difference in guesses: below zero, the first of a pair is better. On several
    boards there is also a row for the first board solved, the second and so on. Puzzles without a stored result are
    played first.

    If the puzzles are a random sample, p is that of the paired permutation test: the chance of a difference as large if
    both were equally good. Of several pairs, it is adjusted by Holm's method.

    For example:
        wordle-kit compare entropy minimax
        wordle-kit compare entropy minimax most-parts --puzzles 200 --confidence 0.99
    """
    from wordle_kit.errors import WordleKitError
    from wordle_kit.leaderboard.compare import adjusted, compare_all, figures_of, rows_of
    from wordle_kit.leaderboard.plays import write_transcripts
    from wordle_kit.tables import check_format, render

    form = values.table_format(format)
    if len(strategies) < 2:
        raise WordleKitError("name two or more strategies to compare")
    if not 0.5 <= confidence < 1:
        raise WordleKitError(f"confidence is {confidence:g}; give a number from 0.5 up to, but not including, 1")
    plugins = which.load()
    played = values.load_game(game or options.USUAL_GAME, plugins, hard, boards=boards)
    board = how.play(played, strategies, puzzles.load(played, how.seed, plugins), plugins)
    runs = [*board.runs, *board.runs[: 2 - len(board.runs)]] if len(board.runs) < 2 else board.runs
    found = compare_all(runs, confidence)
    if transcripts is not None:
        write_transcripts(transcripts, board.runs)
    notes = []
    if len(found) == 1:
        (each,) = found
        counts = ", ".join(f"{difference}: {count}" for difference, count in each.differences.items())
        means = f"Mean guesses: {each.first} {each.mean_first:.4f}, {each.second} {each.mean_second:.4f}."
        notes.append(f"{means} Puzzles by difference: {counts}.")
    facts = board.runs[0].facts
    if any(each.interval for each in found):
        share, several = f"{100 * confidence:.4g}%", ", adjusted by Holm's method" * (len(found) > 1)
        notes.append(
            f"± is the half-width of the {share} confidence interval of the mean difference over all puzzles. "
            f"p is that of the paired permutation test{several}."
        )
    elif facts.is_all:
        notes.append("These are all the puzzles of the game, so the mean difference is exact.")
    elif not facts.is_sample:
        notes.append("The mean difference holds for these chosen puzzles alone; add --sample if they were drawn.")
    if facts.is_all and any(each.weighted for each in found):
        notes.append("By weight, each answer counts with its weight.")
    values.say_usual_game(played, game, form)
    value = {
        "confidence": confidence,
        "test": "paired permutation test, all permutations counted",
        "adjustment": "Holm",
        "comparisons": [
            each.as_dict() | {"p_adjusted": p_value} for each, p_value in zip(found, adjusted(found), strict=True)
        ],
    }
    rows = figures_of(found) if check_format(form).takes == "figures" else rows_of(*found)
    say(render(rows, form, notes, value), nl=False)
