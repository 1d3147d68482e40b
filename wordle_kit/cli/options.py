"""The options that several commands share, and shell completion.

Each name is a type, which a command uses to annotate a parameter. `load` turns what was typed into games, puzzles,
plugins and the like.
"""

import os
import sys
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from wordle_kit.plugins import Plugins

USUAL_GAME = "wordle"
"""The default game."""

USUAL_TOP = 10
"""The default of --top."""

PANELS = ("Arguments", "Game", "Run", "Output", "Advanced", "General")
"""The panels of a command's help, in order."""

game, run, output, advanced, general = (partial(typer.Option, rich_help_panel=panel) for panel in PANELS[1:])
"""Each function declares an option like `typer.Option`, in the panel of the same name."""


# Shell completion


def complete(kind: str) -> Callable[[typer.Context, str], list[str]]:
    """Return a function that completes names of one kind of object that plugins register, such as `games`."""

    def names(ctx: typer.Context, incomplete: str) -> list[str]:
        return beginning(incomplete, _plugins(ctx).by_kind()[kind])

    return names


def beginning(incomplete: str, names: Iterable[str]) -> list[str]:
    """Return the names that start with this text, sorted."""
    return sorted(name for name in names if name.startswith(incomplete))


def _plugins(ctx: typer.Context) -> "Plugins":
    """Return the plugins named on the command line so far, or the default ones if those cannot be loaded.

    With --isolate, files are not loaded, since that would run them in this process.
    """
    from wordle_kit.errors import WordleKitError
    from wordle_kit.plugins import Plugins

    with open(os.devnull, "w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):  # noqa: PTH123
        try:
            return Plugins.load(() if ctx.params.get("isolate") else ctx.params.get("plugin") or ())
        except WordleKitError:
            return Plugins.load()


# Plugins


def _and_those_in_front(ctx: typer.Context, given: list[str] | None) -> list[str]:
    """Return the plugins given with `-p` before and after the command."""
    return [*(ctx.find_root().params.get("plugin") or ()), *(given or ())]


_plugin = partial(general, "--plugin", "-p", metavar="PLUGIN")

PluginsInFrontOption = Annotated[
    list[str] | None,
    _plugin(
        is_eager=True,  # help shows their commands
        help="Load a file, folder or module for any command, or disable a plugin with no:NAME. Repeatable.",
    ),
]
PluginsOption = Annotated[
    list[str] | None,
    _plugin(
        callback=_and_those_in_front,
        help="Load a file, folder or module, or disable a plugin with no:NAME. Repeatable.",
    ),
]
IsolateOption = Annotated[bool, run("--isolate", help="Run -p files in a sandbox, each strategy in its own process.")]
NoSandboxOption = Annotated[
    bool, advanced("--no-sandbox", help="With --isolate: use plain processes with your permissions.")
]

# Games and puzzles

of_game = partial(game, "--game", "-g", metavar="NAME|FILE", autocompletion=complete("games"))
"""Declares a --game option with its own help text."""

GameOption = Annotated[str, of_game(help="Game: a name, or a TOML file.")]
BoardsOption = Annotated[
    int | None, game(metavar="N", help="Number of simultaneous boards.", show_default="the game's")
]
HardOption = Annotated[bool, game("--hard", help="Play in hard mode: guesses must use all hints so far.")]
WeightsOption = Annotated[
    Path | None, advanced(metavar="FILE", help="How likely each answer is: a file with a word and a weight per line.")
]
MemoryOption = Annotated[
    int | None, advanced(metavar="MB", min=1, help="Memory limit of the feedback table.", show_default="256")
]
AfterOption = Annotated[
    list[str] | None,
    game(
        "--after",
        metavar="GUESS=FEEDBACK",
        help="A guess made before, with its feedback in digits, letters or tiles. Repeatable.",
    ),
]
PuzzlesOption = Annotated[
    str | None,
    game(metavar="all|N|FILE", help="All, N drawn at random, or a file.", show_default="all; 1000 if boards > 1"),
]
RepeatsOption = Annotated[bool, advanced("--repeats", help="Allow the same word on several boards of a drawn puzzle.")]
SampleOption = Annotated[
    bool, advanced("--sample", help="Treat the puzzles in the file as a random sample: show confidence intervals.")
]
HostOption = Annotated[
    str,
    advanced(metavar="NAME", help="Host that answers guesses: hidden or adversary.", autocompletion=complete("hosts")),
]
FirstOption = Annotated[
    list[str] | None,
    advanced(metavar="WORD", help="With --host adversary: start a game with this guess. Repeatable."),
]

# Strategies

_strategy = partial(game, "--strategy", "-s", metavar="SPEC", autocompletion=complete("strategies"))

StrategyOption = Annotated[str, _strategy(help="Strategy: name or name(parameter=value).")]
StrategiesOption = Annotated[
    list[str] | None,
    _strategy(
        help="Strategy: name, pattern such as liu-*, or name(parameter=value). Repeatable.", show_default="usual ones"
    ),
]
CheckedOption = Annotated[
    list[str] | None, _strategy(help="Check this strategy: name or name(parameter=value). Repeatable.")
]
RatingOption = Annotated[
    str | None, _strategy(help="Also show this strategy's score for the guess, and its own choice.")
]

# How to play

SeedOption = Annotated[int, run(metavar="N", help="Seed for drawing puzzles and for random strategies.")]
SecretOption = Annotated[
    str | None, advanced(metavar="HEX", help="Secret shown on a leaderboard, to repeat its random numbers.")
]
WorkersOption = Annotated[int | None, run(metavar="N", help="Number of worker processes.", show_default="one per core")]
DaskOption = Annotated[
    str | None, advanced(metavar="ADDRESS|local:N", help="Play on this Dask cluster, or on N local workers.")
]
FreshOption = Annotated[bool, run("--fresh", help="Play puzzles again even if their results are stored.")]
DeadlineOption = Annotated[float, run(metavar="SECONDS", help="Time limit for one decision.")]
TracebackOption = Annotated[bool, output("--traceback", help="Show the traceback of a strategy that crashes.")]

# Stored results

StoreOption = Annotated[
    Path | None,
    general(metavar="FILE", envvar="WORDLE_KIT_STORE", help="Store of results.", show_default="in your data folder"),
]
StoredGameOption = Annotated[str | None, of_game(help="Only this game: the name it was played under, or its file.")]
StoredStrategiesOption = Annotated[
    list[str] | None, _strategy(metavar="NAME", help="Only this strategy of the leaderboard. Repeatable.")
]
StoredPuzzlesOption = Annotated[str | None, game(metavar="all|N|FILE", help="Only these puzzles.")]
StoredSeedOption = Annotated[int, game(metavar="N", help="Seed that drew the puzzles.")]
StoredModeOption = Annotated[bool | None, game("--hard/--no-hard", help="Only with, or only without, hard mode.")]
StoredBoardsOption = Annotated[int | None, game(metavar="N", help="Only with this number of boards.")]

# What is shown and written

FormatOption = Annotated[
    str,
    output(
        "--format",
        metavar="FORMAT",
        help="table, json, csv, or a format of tabulate, such as github.",
        autocompletion=complete("formats"),
    ),
]
ColumnsOption = Annotated[
    str | None, output(metavar="NAME,...", help="Columns of the table, such as mean,median,slowest; or all.")
]
TopOption = Annotated[
    int,
    output(metavar="N", min=0, help="Number of rows to show; 0 shows all.", callback=lambda top: top or sys.maxsize),
]
ConfidenceOption = Annotated[float, advanced(metavar="P", help="Confidence level of intervals, from 0.5 to below 1.")]
FilesOption = Annotated[
    list[Path] | None,
    output(
        "--output",
        "-o",
        metavar="FILE",
        help="Write to a file; its suffix sets the format: .md, .html, .csv, .json, .parquet. Repeatable.",
    ),
]
TranscriptsOption = Annotated[
    Path | None, advanced(metavar="FILE", help="Also write every puzzle's guesses, one puzzle per line.")
]
FolderOption = Annotated[Path, output("--dir", metavar="DIR", help="Folder to write to.")]
