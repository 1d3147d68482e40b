"""`wordle-kit compare`: compare strategies puzzle by puzzle."""

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from wordle_kit.cli import options, values
from wordle_kit.cli.output import show_results

if TYPE_CHECKING:
    from wordle_kit.leaderboard.compare import Comparison
    from wordle_kit.tournaments.runs import RunFacts


@values.grouped
def compare(
    strategies: Annotated[
        list[str],
        typer.Argument(
            metavar="A B...",
            help="Strategies: name or name(parameter=value). 0..20 or a|b stands for several values.",
            autocompletion=options.complete_strategies,
        ),
    ],
    game: options.UsualGameOption = None,
    and_game: Annotated[
        str | None,
        options.game(
            "--and-game",
            metavar="NAME|FILE",
            help="Also play this game on the same hidden words, and compare each strategy in the two.",
            autocompletion=options.complete_games,
        ),
    ] = None,
    and_hard: Annotated[
        bool,
        options.game("--and-hard", help="Also play in hard mode, and compare each strategy in the two modes."),
    ] = False,
    which: values.AlsoWeights = values.USUAL_WEIGHTS,
    what: values.WhatToPlay = values.ALL_PUZZLES,
    how: values.HowToPlay = values.USUALLY,
    transcripts: options.TranscriptsOption = None,
    format: options.FormatOption = "table",  # noqa: A002 - the option's name
    output: options.FilesOption = None,
) -> None:
    """Compare two or more strategies on identical puzzles, pair by pair.

    Shows wins, ties, losses and the mean difference in guesses. If the difference is negative, the first of the pair is
    better. Games of several boards also have a row for the first board solved, one for the second, and so on. Puzzles
    without a stored result are played first. With --and-game or --and-hard, each strategy is compared with itself in
    another game or mode, on the same hidden words.

    If the puzzles are a random sample, p is the chance of so large a difference between equally good strategies. It
    comes from the paired permutation test. With several pairs, it is adjusted by Holm's method.

    For example:
        wordle-kit compare entropy minimax
        wordle-kit compare entropy minimax most-parts --puzzles 200 --confidence 0.99
        wordle-kit compare entropy --and-hard
    """
    from wordle_kit.errors import WordleKitError
    from wordle_kit.leaderboard.compare import adjusted, columns_of_comparisons, compare_all, rows_of
    from wordle_kit.leaderboard.compare import compare as compare_runs
    from wordle_kit.leaderboard.plays import write_transcripts
    from wordle_kit.leaderboard.significance import check_confidence
    from wordle_kit.strategy.specs import variants
    from wordle_kit.tables import Table, content_of
    from wordle_kit.tournaments.puzzles import with_words_of

    check_confidence(how.confidence)
    is_across = and_game is not None or and_hard
    if not is_across and sum(len(variants(spec)) for spec in strategies) < 2:
        raise WordleKitError("name two or more strategies to compare, or add --and-game or --and-hard")
    if and_hard and what.hard:
        raise WordleKitError("--hard plays in hard mode only, and --and-hard in both modes; leave one of them out")
    plugins = what.load_plugins(which)
    form, files = values.table_format(format, plugins), values.file_formats(output, plugins)
    played = what.load_game(game or options.USUAL_GAME, plugins)
    puzzles = what.load_puzzles(played, how.seed, plugins)
    games = [(played, puzzles)]
    if is_across:
        other = played if and_game is None else what.load_game(and_game, plugins)
        other = other.replace(hard_mode=True) if and_hard else other
        games.append((other, with_words_of(puzzles, other)))
    boards = [how.play(each, strategies, on, plugins) for each, on in games]
    if transcripts is not None:
        write_transcripts(transcripts, [run for board in boards for run in board.runs])
    runs = boards[0].runs
    if is_across:
        found = tuple(compare_runs(*pair, how.confidence) for pair in zip(runs, boards[1].runs, strict=True))
    else:
        found = compare_all([*runs, *runs] if len(runs) < 2 else runs, how.confidence)
    notes = notes_on(found, runs[0].facts, how.confidence)
    values.say_usual_game(played, game, form)
    value = {
        "confidence": how.confidence,
        "test": "paired permutation test, all permutations counted",
        "adjustment": "Holm",
        "comparisons": [
            each.as_dict() | {"p_adjusted": p_value} for each, p_value in zip(found, adjusted(found), strict=True)
        ],
        "leaderboards": [board.as_dict() for board in boards],
    }
    table = Table(rows_of(*found), notes, value, columns_of_comparisons(found))
    values.write_results(files, partial(content_of, table))
    show_results(content_of(table, form))
    values.end_if_broken(*boards)


def notes_on(found: "tuple[Comparison, ...]", facts: "RunFacts", confidence: float) -> list[str]:
    """Return the lines below the table that say how to read it."""
    from wordle_kit.leaderboard.significance import in_percent

    notes = []
    if len(found) == 1:
        (each,) = found
        counts = ", ".join(f"{difference}: {count}" for difference, count in each.differences.items())
        means = f"Mean guesses: {each.first} {each.mean_first:.4f}, {each.second} {each.mean_second:.4f}."
        notes.append(f"{means} Puzzles by difference: {counts}.")
    if any(each.interval for each in found):
        several = ", adjusted by Holm's method" * (len(found) > 1)
        notes.append(
            f"± is the half-width of the {in_percent(confidence)} confidence interval of the mean difference over all "
            f"puzzles. p is that of the paired permutation test{several}."
        )
    if facts.is_all:
        notes.append("These are all the puzzles of the game, so the mean difference is exact.")
    elif not facts.is_sample and facts.hides_words:
        notes.append("The mean difference holds for these chosen puzzles alone; add --sample if they were drawn.")
    if facts.is_all and any(each.weighted for each in found):
        notes.append("By weight, each answer counts with its weight.")
    return notes
