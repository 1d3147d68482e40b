"""`wordle-kit compare`: compare strategies puzzle by puzzle."""

from itertools import combinations
from typing import TYPE_CHECKING, Annotated

import typer

from wordle_kit.cli import load, options
from wordle_kit.cli.output import (
    exit_if_broken,
    playing,
    quiet,
    say_usual_game,
    show_results,
)
from wordle_kit.tournaments.deadline import DEADLINE
from wordle_kit.tournaments.runs import CONFIDENCE

if TYPE_CHECKING:
    from wordle_kit.leaderboard.compare import Comparison
    from wordle_kit.tournaments.runs import RunFacts


def compare(
    strategies: Annotated[
        list[str],
        typer.Argument(
            metavar="A B...",
            help="Strategies: name or name(parameter=value), with 0..20 or a|b for several values.",
            autocompletion=options.complete("strategies"),
        ),
    ],
    game: options.GameOption = options.USUAL_GAME,
    and_hard: Annotated[
        bool,
        options.game("--and-hard", help="Also play in hard mode, and compare each strategy across both modes."),
    ] = False,
    puzzles: options.PuzzlesOption = None,
    hard: options.HardOption = False,
    boards: options.BoardsOption = None,
    seed: options.SeedOption = 0,
    workers: options.WorkersOption = None,
    fresh: options.FreshOption = False,
    deadline: options.DeadlineOption = DEADLINE,
    form: options.FormatOption = "table",
    output: options.FilesOption = None,
    plugin: options.PluginsOption = None,
    weights: options.WeightsOption = None,
    repeats: options.RepeatsOption = False,
    sample: options.SampleOption = False,
    host: options.HostOption = "hidden",
    first: options.FirstOption = None,
    memory: options.MemoryOption = None,
    secret: options.SecretOption = None,
    confidence: options.ConfidenceOption = CONFIDENCE,
    transcripts: options.TranscriptsOption = None,
    store: options.StoreOption = None,
) -> None:
    """Compare two or more strategies on identical puzzles, pair by pair.

    For each pair, the table shows wins, ties, losses and the mean difference in guesses, which is negative if the first
    strategy is better. On several boards, it also compares the guesses needed to solve one board, two boards, and so
    on. With --and-hard, each strategy is compared with itself in hard mode.

    If the puzzles are a random sample, the table also shows p, the chance that equally good strategies would differ by
    at least this much. It is computed with the paired permutation test and, for several pairs, adjusted by Holm's
    method.

    For example:
        wordle-kit compare entropy minimax
        wordle-kit compare entropy minimax most-parts --puzzles 200 --confidence 0.99
        wordle-kit compare entropy --and-hard
    """
    from wordle_kit.api import tournament
    from wordle_kit.errors import WordleKitError
    from wordle_kit.leaderboard.compare import columns_of_comparisons, compare_pairs, comparison_rows
    from wordle_kit.leaderboard.plays import write_transcripts
    from wordle_kit.leaderboard.significance import check_confidence
    from wordle_kit.strategy.specs import variants
    from wordle_kit.tables import Table
    from wordle_kit.tournaments.sources import with_words_of

    check_confidence(confidence)
    if not and_hard and sum(len(variants(spec)) for spec in strategies) < 2:
        raise WordleKitError("name two or more strategies to compare, or add --and-hard")
    if and_hard and hard:
        raise WordleKitError("--hard plays in hard mode only, and --and-hard in both modes; leave one of them out")
    plugins = load.plugins(plugin)
    printed, files = plugins.find_format(form), {path: plugins.find_format(path) for path in output or ()}
    played = load.game(game, plugins, hard=hard, boards=boards, memory=memory, weights=weights)
    chosen = load.puzzles(played, puzzles, seed, plugins, host=host, first=first, repeats=repeats, sample=sample)
    games = [(played, chosen)]
    if and_hard:
        other = played.replace(hard_mode=True)
        games.append((other, with_words_of(chosen, other)))
    path, leaderboards = load.store_path(store), []
    load.prepare_table(played)
    for each, on in games:
        with quiet(), playing(path) as progress:
            board = tournament(
                each,
                strategies,
                on,
                seed=seed,
                secret=secret,
                workers=workers,
                store=path,
                deadline=deadline,
                fresh=fresh,
                confidence=confidence,
                progress=progress,
                plugins=plugins,
            )
        leaderboards.append(board)
    if transcripts is not None:
        write_transcripts(transcripts, [run for board in leaderboards for run in board.runs])
    runs = leaderboards[0].runs
    if and_hard:
        found = compare_pairs(zip(runs, leaderboards[1].runs, strict=True), confidence)
    else:
        found = compare_pairs(combinations(runs if len(runs) > 1 else [*runs, *runs], 2), confidence)
    value = {
        "confidence": confidence,
        "test": "paired permutation test, all permutations counted",
        "adjustment": "Holm",
        "comparisons": [each.as_dict() for each in found],
        "leaderboards": [board.as_dict() for board in leaderboards],
    }
    notes = notes_on(found, runs[0].facts, confidence)
    table = Table(comparison_rows(*found), notes, value, columns_of_comparisons(found))
    say_usual_game(played, game, printed)
    show_results(table.content, printed, files)
    exit_if_broken(*leaderboards)


def notes_on(found: "tuple[Comparison, ...]", facts: "RunFacts", confidence: float) -> list[str]:
    """Return the lines below the table that explain it."""
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
    if facts.is_all and any(each.weighted_difference is not None for each in found):
        notes.append("By weight, each answer counts with its weight.")
    return notes
