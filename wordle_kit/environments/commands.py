"""`wordle-kit dataset`: data to learn from. `wordle-kit environment`: a server of games."""

from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, cast

from wordle_kit.cli import options, values
from wordle_kit.cli.help import HelpfulCommand, group
from wordle_kit.cli.output import note, say

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


environment = group("""
    Serve games to players that learn.

    For example:
        wordle-kit environment serve --reward regret
    """)


@environment.command("serve", cls=HelpfulCommand)
@values.grouped
def serve(
    game: options.GameOption = options.USUAL_GAME,
    reward: Annotated[str, options.run(metavar="NAME", help="The reward of each guess.")] = "solved",
    feedback: Annotated[str, options.run(metavar="STYLE", help="Feedback as letters, words or emoji.")] = "letters",
    seed: Annotated[int, options.run(metavar="N", help="Seed of the puzzles that each client draws.")] = 0,
    sessions: Annotated[int, options.run(metavar="N", min=1, help="Largest number of simultaneous clients.")] = 64,
    address: Annotated[str, options.run(metavar="ADDRESS", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, options.run(metavar="N", min=0, max=65535, help="Port; 0 is any free one.")] = 8000,
    hard: options.HardOption = False,
    which: values.AlsoWeights = values.USUAL_WEIGHTS,
) -> None:
    """Serve games to clients of OpenEnv, until Ctrl-C.

    For example:
        wordle-kit environment serve -g wordle --reward regret --port 8000
    """
    import socket

    from wordle_kit.environments.open_env import app_of
    from wordle_kit.environments.text_game import TextGame
    from wordle_kit.errors import WordleKitError
    from wordle_kit.lazy import needed

    uvicorn = needed("uvicorn", "wordle-kit environment serve", "openenv")
    plugins = which.load()
    played = values.load_game(game, plugins, hard)

    def new_game() -> TextGame:
        return TextGame(played, reward=reward, seed=seed, feedback=cast(Any, feedback))

    new_game()  # reports wrong options before anything is served
    app = app_of(new_game, sessions)
    try:
        listening = socket.create_server((address, port))
    except OSError as error:
        reason = error.strerror or error
        raise WordleKitError(f"cannot listen on {address}, port {port}: {reason}; choose another --port") from error
    with listening, suppress(KeyboardInterrupt):
        note(f"serving {played.name} at http://{address}:{listening.getsockname()[1]}; Ctrl-C ends it")
        uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listening])
