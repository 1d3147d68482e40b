"""`wordle-kit compare`: two strategies against each other, puzzle by puzzle."""

import json
from typing import Annotated

import typer

from wordle_kit.cli import options


def compare(
    first: Annotated[str, typer.Argument(metavar="A", help="A strategy: name or name(parameter=value).")],
    second: Annotated[str, typer.Argument(metavar="B", help="The strategy to compare it with.")],
    game: options.GameOption = "wordle",
    plugin: options.PluginsOption = None,
    plugins_dir: options.PluginsDirOption = None,
    strict: options.StrictOption = False,
    puzzles: options.PuzzlesOption = "all",
    seed: options.SeedOption = 0,
    workers: options.WorkersOption = None,
    hard: options.HardOption = False,
    format: options.FormatOption = "table",  # noqa: A002 - the option's name
    store: options.StoreOption = None,
    deadline: options.DeadlineOption = 10.0,
) -> None:
    """Compare two strategies: wins, ties, losses and the mean difference in guesses, on identical puzzles.

    What is not stored yet is played first.
    """
    from wordle_kit.leaderboard.compare import CONFIDENCE
    from wordle_kit.leaderboard.compare import compare as compare_runs
    from wordle_kit.leaderboard.leaderboard import tournament
    from wordle_kit.leaderboard.tables import render

    form = options.table_format(format)
    plugins = options.load_plugins(plugin, plugins_dir, strict)
    path = options.store_path(store)
    with options.quiet(), options.progress_bar() as progress:
        board = tournament(
            options.load_game(game, plugins, hard),
            [first, second],
            puzzles,
            seed=seed,
            workers=workers,
            store=path,
            deadline=deadline,
            progress=progress,
            plugins=plugins,
        )
    comparison = compare_runs(board.runs[0], board.runs[-1])
    if form == "json":
        typer.echo(json.dumps(comparison.as_dict(), ensure_ascii=False, indent=2))
        return
    row = comparison.as_dict() | {
        "mean_difference": f"{comparison.mean_difference:+.4f}",
        "differences": ", ".join(f"{key}: {count}" for key, count in comparison.differences.items()),
        "interval": f"{comparison.interval[0]:+.4f} to {comparison.interval[1]:+.4f}" if comparison.interval else "",
    }
    exact = "These are all puzzles there are, so the mean difference is exact."
    sampled = f"The interval has the mean difference over all puzzles with {CONFIDENCE:.0%} confidence."
    note = sampled if board.runs[0].facts.is_sample else exact
    if not comparison.interval:
        del row["interval"]
    typer.echo(render([{key.replace("_", " "): cell for key, cell in row.items()}], form, [note]), nl=False)
