"""`wordle-kit tournament`: play strategies on identical puzzles and show the leaderboard."""

from wordle_kit.cli import load, options
from wordle_kit.cli.output import (
    chosen_columns,
    exit_if_broken,
    note,
    playing,
    quiet,
    show_results,
)
from wordle_kit.tournaments.deadline import DEADLINE
from wordle_kit.tournaments.runs import CONFIDENCE


def tournament(
    game: options.GameOption = options.USUAL_GAME,
    strategy: options.StrategiesOption = None,
    puzzles: options.PuzzlesOption = None,
    hard: options.HardOption = False,
    boards: options.BoardsOption = None,
    isolate: options.IsolateOption = False,
    seed: options.SeedOption = 0,
    workers: options.WorkersOption = None,
    fresh: options.FreshOption = False,
    deadline: options.DeadlineOption = DEADLINE,
    form: options.FormatOption = "table",
    columns: options.ColumnsOption = None,
    output: options.FilesOption = None,
    plugin: options.PluginsOption = None,
    weights: options.WeightsOption = None,
    no_sandbox: options.NoSandboxOption = False,
    repeats: options.RepeatsOption = False,
    sample: options.SampleOption = False,
    host: options.HostOption = "hidden",
    first: options.FirstOption = None,
    memory: options.MemoryOption = None,
    secret: options.SecretOption = None,
    confidence: options.ConfidenceOption = CONFIDENCE,
    transcripts: options.TranscriptsOption = None,
    dask: options.DaskOption = None,
    store: options.StoreOption = None,
) -> None:
    """Play strategies on identical puzzles and show the leaderboard.

    For example:
        wordle-kit tournament -p my_idea.py --puzzles 200 --seed 7 --format csv -s "my-idea(depth=0..5)"
        wordle-kit tournament -g mastermind -o mastermind.html -o mastermind.md
    """
    from wordle_kit.api import tournament as play
    from wordle_kit.leaderboard.plays import write_transcripts

    plugins = load.plugins(plugin, isolate=isolate, no_sandbox=no_sandbox)
    printed = plugins.find_format(form, leaderboards=True)
    files = {path: plugins.find_format(path, leaderboards=True) for path in output or ()}
    shown = chosen_columns(columns, plugins)
    played = load.game(game, plugins, hard=hard, boards=boards, memory=memory, weights=weights)
    chosen = load.puzzles(played, puzzles, seed, plugins, host=host, first=first, repeats=repeats, sample=sample)
    path = load.store_path(store)
    if dask is None:
        load.prepare_table(played)
    with quiet(), load.cluster(dask, workers) as executor, playing(path) as progress:
        board = play(
            played,
            strategy,
            chosen,
            seed=seed,
            secret=secret,
            workers=workers,
            executor=executor,
            store=path,
            deadline=deadline,
            fresh=fresh,
            confidence=confidence,
            progress=progress,
            plugins=plugins,
        )
    if transcripts is not None:
        write_transcripts(transcripts, board.runs)
    show_results(lambda form: board.content(form, shown), printed, files)
    if strategy is None:
        note(f"{len(board.runs)} of {len(plugins.strategies)} strategies played; -s '*' plays all")
    exit_if_broken(board)
