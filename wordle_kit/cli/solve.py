"""`wordle-kit solve`: watch a strategy play one puzzle."""

from typing import TYPE_CHECKING, Annotated

import typer

from wordle_kit.cli import load, options
from wordle_kit.cli.output import can_show_tiles, quiet, say, say_usual_game, tracebacks
from wordle_kit.texts import number_of

if TYPE_CHECKING:
    from wordle_kit.game.game import Game
    from wordle_kit.strategy.strategy import Strategy
    from wordle_kit.tournaments.runs import Play


def solve(
    answer: Annotated[
        str,
        options.game(
            "--answer", "-a", metavar="WORD", help="Hidden word; for several boards, words separated by commas."
        ),
    ],
    strategy: options.StrategyOption = "entropy",
    game: options.GameOption = options.USUAL_GAME,
    hard: options.HardOption = False,
    boards: options.BoardsOption = None,
    isolate: options.IsolateOption = False,
    seed: options.SeedOption = 0,
    number: Annotated[int, options.run(metavar="N", min=1, help="Number of the puzzle in its tournament.")] = 1,
    deadline: Annotated[
        float | None, options.run(metavar="SECONDS", help="Time limit for one decision.", show_default="none")
    ] = None,
    explain: Annotated[bool, options.output("--explain", help="Show why each guess was chosen.")] = False,
    traceback: options.TracebackOption = False,
    plugin: options.PluginsOption = None,
    weights: options.WeightsOption = None,
    no_sandbox: options.NoSandboxOption = False,
    secret: options.SecretOption = None,
) -> None:
    """Watch a strategy play one puzzle.

    Each guess is shown with its feedback and the number of words left. The strategy runs in this process, where it may
    call `breakpoint()`. To replay a random strategy's puzzle, give the tournament's seed or secret and the puzzle's
    number. The exit code is 1 if the strategy does not solve the puzzle within the guesses allowed.

    For example:
        wordle-kit solve --answer crane
        wordle-kit solve -g quordle --answer crane,slate,proxy,vivid -s minimax
    """
    from wordle_kit.api import load_puzzles
    from wordle_kit.tournaments.deadline import LONGEST_DEADLINE
    from wordle_kit.tournaments.entrants import enter_one
    from wordle_kit.tournaments.referee import Referee
    from wordle_kit.tournaments.runs import Outcome
    from wordle_kit.tournaments.tournament import random_key, secret_of

    plugins = load.plugins(plugin, isolate=isolate, no_sandbox=no_sandbox)
    played = load.game(game, plugins, hard=hard, boards=boards, weights=weights)
    with load.naming("answer"):
        puzzles = load_puzzles(played, [answer])
    with quiet(), tracebacks(traceback):
        load.prepare_table(played)
        entrant = enter_one(strategy, played, plugins)
        secret = secret_of(entrant.strategy, secret)
        key = random_key(seed, secret)
        referee = Referee(played, entrant.strategy, key, LONGEST_DEADLINE if deadline is None else deadline)
        (play,) = referee.play(puzzles, [number - 1]).plays
    say_usual_game(played, game)
    _say_turns(play, played, entrant.strategy if explain else None)
    allowed = number_of(played.max_guesses, "guess", "guesses")
    late = f"solved, but only after the {allowed} allowed" if play.turns else str(play.outcome)
    ending = str(play.outcome) if play.outcome is Outcome.SOLVED else late
    say(f"{ending}{f': {play.message}' if play.message else ''}")
    if entrant.strategy.stochastic and secret is not None:
        say(f"random numbers of --secret {secret}")
    if play.outcome is not Outcome.SOLVED:
        raise typer.Exit(1)


def _say_turns(play: "Play", game: "Game", explained: "Strategy | None") -> None:
    """Print each guess of a play with its feedback and the number of words left. Explain it if a strategy is given."""
    from rich.cells import cell_len

    from wordle_kit.explain import explanation
    from wordle_kit.strategy.position import Position

    in_tiles, winning = can_show_tiles(game), game.feedback_of(game.winning_code)
    solved = " " * cell_len(winning.tiles if in_tiles else str(winning))
    position = Position.start(game)
    for turn, (guess, seen) in enumerate(zip(play.guesses, play.feedback, strict=True), start=1):
        before, position = position, position.after(guess, seen)
        tiles = [(game.read_feedback(text).tiles if in_tiles else text) if text else solved for text in seen]
        left = ", ".join("-" if board.is_solved else f"{len(board):,}" for board in position.boards)
        say(f"{turn:>2}  {guess}  {'  '.join(tiles)}{f'  {left} left' if position.open_boards else ''}".rstrip())
        if explained is not None:
            with quiet():
                reasons = explanation(before, explained, guess)
            for reason in reasons:
                say(f"    {reason}")
