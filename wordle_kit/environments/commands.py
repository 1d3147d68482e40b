"""`wordle-kit dataset`: data to learn from."""

from pathlib import Path
from typing import Annotated

from wordle_kit.cli import options, values
from wordle_kit.cli.help import HelpfulCommand, group
from wordle_kit.cli.output import say

dataset = group("""
    Write data to learn from.

    For example:
        wordle-kit dataset positions -o positions.jsonl
    """)


@dataset.command("positions", cls=HelpfulCommand)
@values.grouped
def positions(
    out: Annotated[
        Path,
        options.output(
            "--output", "-o", metavar="FILE", help="File: lines of JSON, or Parquet if it ends in .parquet."
        ),
    ],
    game: options.GameOption = options.USUAL_GAME,
    strategy: options.StrategyOption = "entropy",
    count: Annotated[
        int, options.output("--count", "-n", metavar="N", min=1, help="Largest number of positions.")
    ] = 1000,
    test: Annotated[
        float, options.run(metavar="SHARE", help="Share of the answers that only the test split hides.")
    ] = 0.1,
    seed: Annotated[int, options.run(metavar="N", help="Seed for the split, the puzzles and random strategies.")] = 0,
    by: Annotated[
        str, options.run(metavar="SPEC", help="Strategy to compare with where perfect play is not proved.")
    ] = "entropy",
    nodes: Annotated[
        int, options.run(metavar="N", min=1, help="Largest number of sets in the search of a position.")
    ] = 2000,
    hard: options.HardOption = False,
    which: values.AlsoWeights = values.USUAL_WEIGHTS,
) -> None:
    """Write positions of a strategy's games, with the best guess and the regret of the guess that was played.

    For example:
        wordle-kit dataset positions -g mini-nerdle -n 500 -o positions.jsonl
        wordle-kit dataset positions -s random-consistent -n 10000 -o positions.parquet
    """
    from wordle_kit.environments.dataset import positions as found
    from wordle_kit.environments.dataset import write_positions
    from wordle_kit.environments.rewards import Regret
    from wordle_kit.texts import number_of

    plugins = which.load()
    played = values.load_game(game, plugins, hard)
    regret = Regret(by=by, nodes=nodes)
    header, rows = found(played, strategy, count, seed=seed, test=test, regret=regret, plugins=plugins)
    write_positions(out, header, rows)
    exact = sum(row["regret_by"] == "exact search" for row in rows)
    tested = sum(row["split"] == "test" for row in rows)
    say(f"{out}: {number_of(len(rows), 'position')}, {tested:,} of them for testing; {exact:,} regrets are exact")
    say(f"words: {header['words']}")
