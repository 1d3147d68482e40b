"""`wordle-kit tournament`: play strategies on identical puzzles and show the leaderboard."""

from pathlib import Path
from typing import Annotated

import typer

from wordle_kit.cli import options
from wordle_kit.cli.output import note, say


def tournament(
    game: options.GameOption = "wordle",
    strategy: options.StrategiesOption = None,
    plugin: options.PluginsOption = None,
    plugins_dir: options.PluginsDirOption = None,
    strict: options.StrictOption = False,
    puzzles: options.PuzzlesOption = None,
    seed: options.SeedOption = 0,
    repeats: options.RepeatsOption = False,
    sample: options.SampleOption = False,
    workers: options.WorkersOption = None,
    hard: options.HardOption = False,
    boards: options.BoardsOption = None,
    format: options.FormatOption = "table",  # noqa: A002 - the option's name
    columns: options.ColumnsOption = None,
    leaderboard: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Also write the leaderboard here, as Markdown and JSON."),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write the leaderboard here as an HTML page.", show_default=False),
    ] = None,
    transcripts: options.TranscriptsOption = None,
    store: options.StoreOption = None,
    fresh: options.FreshOption = False,
    deadline: options.DeadlineOption = 10.0,
    keep_timeouts: options.KeepTimeoutsOption = False,
    memory: options.MemoryOption = None,
    isolate: options.IsolateOption = False,
    sandbox: options.SandboxOption = "auto",
    limit: options.LimitsOption = None,
) -> None:
    """Play strategies head to head on identical puzzles and show the leaderboard.

    Without -s every strategy plays. What is stored is not played again.
    """
    from wordle_kit.leaderboard.leaderboard import tournament as play_tournament

    form, shown = options.table_format(format), options.columns(columns)
    isolation = options.isolation(isolate, sandbox, limit)
    plugins = options.load_plugins(plugin, plugins_dir, strict, isolation)
    played = options.load_game(game, plugins, hard, memory, boards)
    with options.quiet(), options.progress_bar() as progress:
        board = play_tournament(
            played,
            strategy,
            options.load_puzzles(played, puzzles, seed, repeats, sample),
            seed=seed,
            workers=workers,
            store=options.store_path(store),
            deadline=deadline,
            keep_timeouts=keep_timeouts,
            fresh=fresh,
            progress=progress,
            plugins=plugins,
        )
    options.write_transcripts(transcripts, board)
    if report is not None:
        from wordle_kit.report.page import page_of, write_report

        source = game if game.endswith(".toml") else None
        write_report(report, page_of(board.runs, played, left_out=(*board.left_out, *board.not_kept), source=source))
        note(f"wrote {report}")
    if leaderboard is not None:
        for path in board.write(leaderboard):
            note(f"wrote {path}")
    say(board.table(form, shown), nl=False)
