"""`wordle-kit compare`: compare two strategies puzzle by puzzle."""

from typing import Annotated

import typer

from wordle_kit.cli import completion, options, values
from wordle_kit.cli.output import say


@values.grouped
def compare(
    first: Annotated[
        str,
        typer.Argument(
            metavar="A", help="Strategy: name or name(parameter=value).", autocompletion=completion.strategies
        ),
    ],
    second: Annotated[
        str, typer.Argument(metavar="B", help="The strategy to compare it with.", autocompletion=completion.strategies)
    ],
    game: options.UsualGameOption = None,
    which: values.WhichPlugins = values.INSTALLED,
    puzzles: values.WhichPuzzles = values.ALL_PUZZLES,
    how: values.HowToPlay = values.USUALLY,
    hard: options.HardOption = False,
    boards: options.BoardsOption = None,
    transcripts: options.TranscriptsOption = None,
    format: options.FormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """Compare two strategies on identical puzzles.

    Shows wins, ties, losses and the mean difference in guesses; on several boards also the guesses to solve the first
    board, the second and so on. Puzzles without a stored result are played first.

    For example:
        wordle-kit compare entropy minimax
        wordle-kit compare entropy "entropy(opener=crate)" --puzzles 200
    """
    from wordle_kit.leaderboard.compare import compare as compare_runs
    from wordle_kit.leaderboard.compare import rows_of
    from wordle_kit.leaderboard.metrics import CONFIDENCE
    from wordle_kit.leaderboard.plays import write_transcripts
    from wordle_kit.tables import render

    form = values.table_format(format)
    plugins = which.load()
    played = values.load_game(game or options.USUAL_GAME, plugins, hard, boards=boards)
    board = how.play(played, [first, second], puzzles.load(played, how.seed, plugins), plugins)
    comparison = compare_runs(board.runs[0], board.runs[-1])
    if transcripts is not None:
        write_transcripts(transcripts, board.runs)
    facts = board.runs[0].facts
    notes = []
    if comparison.interval:
        notes.append(f"The {CONFIDENCE:.0%} confidence interval is for the mean difference over all puzzles.")
    elif facts.is_all and comparison.weighted is not None:
        notes.append(
            "These are all the puzzles of the game, so both mean differences are exact. In the weighted figures, each "
            "answer counts with its weight."
        )
    elif facts.is_all:
        notes.append("These are all the puzzles of the game, so the mean difference is exact.")
    elif not facts.is_sample:
        notes.append("The mean difference holds for these chosen puzzles alone; add --sample if they were drawn.")
    values.say_usual_game(played, game, form)
    say(render(rows_of(comparison), form, notes, comparison.as_dict()), nl=False)
