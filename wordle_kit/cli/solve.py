"""`wordle-kit solve`: watch a strategy play one puzzle."""

import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from wordle_kit.cli import options, values
from wordle_kit.cli.commands import added
from wordle_kit.cli.output import can_show_tiles, quiet, say, tracebacks
from wordle_kit.defaults import DEADLINE
from wordle_kit.faults import ENGINE_FOLDER, PACKAGE_FOLDERS, is_authors
from wordle_kit.texts import number_of

if TYPE_CHECKING:
    from cProfile import Profile

    from wordle_kit.game.game import Game
    from wordle_kit.strategy.strategy import Strategy
    from wordle_kit.tournaments.runs import Play


@values.grouped
def solve(
    answer: Annotated[
        str,
        options.game(
            "--answer", "-a", metavar="WORD", help="Hidden word; for several boards, words separated by commas."
        ),
    ],
    strategy: options.StrategyOption = "entropy",
    game: options.UsualGameOption = None,
    which: values.AlsoWeights = values.USUAL_WEIGHTS,
    seed: options.SeedOption = 0,
    secret: options.SecretOption = None,
    number: Annotated[int, options.run(metavar="N", min=1, help="Number of the puzzle in its tournament.")] = 1,
    hard: options.HardOption = False,
    boards: options.BoardsOption = None,
    deadline: options.DeadlineOption = DEADLINE,
    traceback: options.TracebackOption = False,
    profile: Annotated[
        bool, options.output("--profile", help="Show where the time of the strategy's decisions goes.")
    ] = False,
) -> None:
    """Watch a strategy play one puzzle.

    Shows each guess, its feedback and the number of remaining words. The strategy plays in this process, where it may
    call `breakpoint()`: a debugger suspends the deadline. To repeat a puzzle of a random strategy, give the seed or
    secret of the tournament and the number of the puzzle. The exit code is 1 if the strategy does not solve the puzzle
    within the guesses allowed.

    For example:
        wordle-kit solve --answer crane
        wordle-kit solve -g quordle --answer crane,slate,proxy,vivid -s minimax
    """
    from cProfile import Profile
    from functools import partial

    from wordle_kit.errors import WordleKitError
    from wordle_kit.tournaments.chance import chance_of_one
    from wordle_kit.tournaments.entrants import enter_one
    from wordle_kit.tournaments.referee import Referee
    from wordle_kit.tournaments.runs import Outcome

    isolation = values.isolation()
    plugins = which.load(isolation)
    played = values.load_game(game or options.USUAL_GAME, plugins, hard, boards=boards)
    puzzles = values.hidden_puzzle(played, answer)
    with quiet(), tracebacks(traceback):
        entrant = enter_one(strategy, played, plugins)
        chance = chance_of_one(entrant.strategy, seed, secret)
        referee = Referee(played, entrant.strategy, chance.key, deadline)
        if profile and entrant.player.is_isolated:
            raise WordleKitError("--profile sees only this process; leave out --isolate, and use a strategy in Python")
        profiler = Profile()
        if profile:
            referee.attempt = partial(profiler.runcall, referee.attempt)
        (play,) = referee.play(puzzles, [number - 1])
    values.say_usual_game(played, game)
    _say_turns(play, entrant.strategy, played)
    allowed = number_of(played.max_guesses, "guess", "guesses")
    late = f"solved, but only after the {allowed} allowed" if play.turns else str(play.outcome)
    ending = str(play.outcome) if play.outcome is Outcome.SOLVED else late
    say(f"{ending}{f': {play.message}' if play.message else ''}")
    if profile:
        say(f"\n{profile_table(profiler, entrant.strategy, referee.calls)}", nl=False)
    if entrant.strategy.stochastic and chance.secret is not None:
        say(f"random numbers of --secret {chance.secret}")
    if play.outcome is not Outcome.SOLVED:
        raise typer.Exit(1)


def _say_turns(play: "Play", strategy: "Strategy", game: "Game") -> None:
    """Print each guess of a play, its feedback, the number of remaining words and, with --explain, the reasons."""
    from rich.cells import cell_len

    from wordle_kit.strategy.position import Position

    explain = added("--explain")
    in_tiles, winning = can_show_tiles(game), game.show(game.winning_code)
    solved = " " * cell_len(winning.tiles if in_tiles else str(winning))
    position = Position.start(game)
    for turn, (guess, seen) in enumerate(zip(play.guesses, play.feedback, strict=True), start=1):
        before, position = position, position.after(guess, seen)
        tiles = [(game.read_feedback(text).tiles if in_tiles else text) if text else solved for text in seen]
        left = ", ".join("-" if board.is_solved else f"{len(board):,}" for board in position.boards)
        say(f"{turn:>2}  {guess}  {'  '.join(tiles)}{f'  {left} left' if position.open_boards else ''}".rstrip())
        if explain is not None:
            with quiet():
                reasons = explain(before, strategy, guess)
            for reason in reasons:
                say(f"    {reason}")


# The profile: where the time inside `guess` goes

Function = tuple[str, int, str]
"""A function as `pstats` names it: its file, its first line and its name. Native functions have the file `~`."""

PLACE = ", line "
"""The text between the file and the line of a function."""

ROUNDS = 10
"""How often the shares of functions are computed from the shares of their callers."""

TINY = 1e-9
"""The least number of seconds that a call counts as, so that very fast calls count too."""

MOST = 20
"""The most rows of the table, without the row of the engine."""

LEAST = 0.001
"""The least share of the time for which there is a row. The strategy's functions always have one."""

ABOUT = "A function's ms are without those of the functions it calls. The profiler slows down functions in Python."

NAMES = (
    (re.compile(r"<built-in method (?:builtins\.)?(.*?)(?: of type object at .*)?>"), r"\1"),
    (re.compile(r"<method '(.*)' of '(.*)' objects>"), r"\2.\1"),
)
"""The profiler's names of native functions, and the names in the table."""


class Timed(NamedTuple):
    """A row of the profile: a function of the strategy, or all functions of a package."""

    function: str
    of: str
    """The place of a function of the strategy, or the name of a package."""
    is_strategys: bool = False


ENGINE = Timed("", "wordle-kit")


def profile_rows(profile: "Profile", strategy: "Strategy") -> list[dict[str, Any]]:
    """Return a row for each function of the strategy, and one for each package with all functions that they use.

    Each of Python's built-in functions has a row. The last row has the work that the engine does or asks for. A row has
    the number of calls, the milliseconds without those of other rows, and their share of all.
    """
    from pstats import Stats

    packages = {base.__module__.partition(".")[0] for base in type(strategy).__mro__} - {"wordle_kit"}
    functions: dict[Function, Any] = Stats(profile).stats  # type: ignore[attr-defined]  # it has them
    rows = {function: timed(function, packages) for function in functions}
    calls, seconds = Counter({ENGINE: 0}), defaultdict(float, {ENGINE: 0.0})
    shares = shares_of_engine(functions, rows)
    for function, (_, n, own, _, _) in functions.items():
        if "_lsprof.Profiler" in function[-1]:  # the profiler's own
            continue
        for row, part in ((ENGINE, shares[function]), (rows[function], 1 - shares[function])):
            if part:
                calls[row] += round(n * part)
                seconds[row] += own * part
    total = sum(seconds.values()) or 1.0
    order = sorted(seconds, key=lambda row: (row == ENGINE, -seconds[row]))
    return [
        {
            "function": row.function,
            "of": row.of,
            "calls": calls[row],
            "ms": 1000 * seconds[row],
            "share": seconds[row] / total,
        }
        for row in order
    ]


def shares_of_engine(functions: dict[Function, Any], rows: dict[Function, Timed]) -> dict[Function, float]:
    """Return the share of each function's time that the engine asked for.

    The profiler records who called a function and for how long, but not who called the caller at that time. So a
    function's share is estimated as the mean of its callers' shares. For functions that call one another, this is
    repeated several times.
    """
    shares = {one: float(row == ENGINE) for one, row in rows.items() if row == ENGINE or row.is_strategys}
    others = sorted(functions.keys() - shares.keys(), key=lambda one: functions[one][3], reverse=True)  # callers first
    for _ in range(ROUNDS):
        for function in others:
            callers = {one: took + TINY for one, (*_, took) in functions[function][-1].items() if one in shares}
            total = sum(callers.values())
            mean = sum(shares[one] * took for one, took in callers.items()) / total if callers else 0.0
            shares[function] = round(mean, 3)
    return shares


def profile_table(profile: "Profile", strategy: "Strategy", decisions: int) -> str:
    """Return the table as text, with a note that says what it counts."""
    from wordle_kit.tables import render

    rows = profile_rows(profile, strategy)
    long = [row for row in rows[:-1] if row["share"] >= LEAST or PLACE in row["of"]]
    few = [*long[:MOST], *rows[-1:]]
    took = f"{number_of(decisions, 'decision')} took {sum(row['ms'] for row in rows):.1f} ms"
    left_out = len(rows) - len(few)
    more = f" {number_of(left_out, 'quicker function is', 'quicker functions are')} not shown." if left_out else ""
    shown = [{**row, "ms": f"{row['ms']:.2f}", "share": f"{row['share']:.1%}"} for row in few]
    return render(shown, "table", [f"{took}, prepare not included. {ABOUT}{more}"])


def timed(function: Function, packages: set[str]) -> Timed:
    """Return the row to which a function belongs. `packages` are the packages of the strategy."""
    file, line, name = function
    if file == "~":
        return Timed(readable(name), "Python")
    if file.startswith(("<frozen", "<string")):  # code of Python's import system and of named tuples
        return Timed(name, "Python")
    if is_authors(file, packages):
        return Timed(name, f"{Path(file).name}{PLACE}{line}", is_strategys=True)
    path = Path(file).resolve()
    if path.is_relative_to(ENGINE_FOLDER):
        return ENGINE
    for folder in PACKAGE_FOLDERS:
        if folder in path.parts:
            return Timed("", path.parts[path.parts.index(folder) + 1].removesuffix(".py"))
    return Timed(name, f"Python, {path.parent.name if path.stem == '__init__' else path.stem}")


def readable(name: str) -> str:
    """Return the name of a native function as it is written in Python code."""
    for pattern, written in NAMES:
        name = pattern.sub(written, name)
    return name
