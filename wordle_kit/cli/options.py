"""The options that several commands share."""

import sys
from functools import partial
from pathlib import Path
from typing import Annotated

from wordle_kit.cli import completion, panels

STORE_VARIABLE = "WORDLE_KIT_STORE"
EXACT_VARIABLE = "WORDLE_KIT_EXACT"

USUAL_GAME = "wordle"
"""The default game of commands that study games."""

REAL_GAME = "wordle-nyt"
"""The default game of commands that help people play."""

ADVISER = "expected-guesses"
"""The default strategy that suggests guesses."""

of_game = partial(panels.game, "--game", "-g", metavar="NAME|FILE", autocompletion=completion.games)
"""Declares a --game option with a separate help text."""

_strategy = partial(panels.game, "--strategy", "-s", metavar="SPEC", autocompletion=completion.strategies)

SomeGameOption = Annotated[str | None, of_game(help="Only this game: the name under which it was played, or its file.")]
GameOption = Annotated[str, of_game(help="Game: a name, or a TOML file.")]
UsualGameOption = Annotated[str | None, of_game(help=f"Game: a name, or a TOML file. [default: {USUAL_GAME}]")]
RealGameOption = Annotated[str | None, of_game(help=f"Game: a name, or a TOML file. [default: {REAL_GAME}]")]
StrategiesOption = Annotated[
    list[str] | None, _strategy(help="Strategy: name or name(parameter=value). Repeatable. [default: all]")
]
StrategyOption = Annotated[str, _strategy(help="Strategy: name or name(parameter=value).")]
RatingOption = Annotated[
    str | None, _strategy(help="Also say how this strategy scores the guess, and what it would guess.")
]
NamesOption = Annotated[
    list[str] | None, _strategy(metavar="NAME", help="Only this strategy of the leaderboard. Repeatable.")
]
PuzzlesOption = Annotated[
    str | None,
    panels.game(metavar="all|N|FILE", help="All, N drawn at random, or a file. [default: all; 1000 if boards > 1]"),
]
RepeatsOption = Annotated[bool, panels.advanced("--repeats", help="Let boards of a drawn puzzle have the same word.")]
SampleOption = Annotated[
    bool, panels.advanced("--sample", help="The file of puzzles is a random sample: show confidence intervals.")
]
BoardsOption = Annotated[
    int | None, panels.game(metavar="N", help="Number of simultaneous boards. [default: the game's]")
]
HardOption = Annotated[bool, panels.game("--hard", help="Play in hard mode: guesses must use all hints so far.")]
WeightsOption = Annotated[
    Path | None,
    panels.advanced(metavar="FILE", help="How likely each answer is: a file with a word and a weight per line."),
]
SeedOption = Annotated[
    int | None,
    panels.run(metavar="N", help="Seed for puzzles and random strategies. [default: 0; for strategies, a secret]"),
]
SecretOption = Annotated[
    str | None,
    panels.advanced(metavar="HEX", help="Secret that a leaderboard names, to repeat random numbers."),
]
AfterOption = Annotated[
    list[str] | None,
    panels.game(
        "--after",
        metavar="GUESS=FEEDBACK",
        help="A guess made before, with its feedback in digits, letters or tiles. Repeatable.",
    ),
]
WorkersOption = Annotated[
    int | None, panels.run(metavar="N", help="Number of worker processes. [default: one per core]")
]
HostOption = Annotated[
    str,
    panels.advanced(
        metavar="NAME", help="Host that answers guesses: hidden or adversary.", autocompletion=completion.hosts
    ),
]
FirstOption = Annotated[
    list[str] | None,
    panels.advanced(metavar="WORD", help="With --host adversary: begin a game with this guess. Repeatable."),
]
DeadlineOption = Annotated[float, panels.run(metavar="SECONDS", help="Time limit for one decision.")]
MemoryOption = Annotated[
    int | None, panels.advanced(metavar="MB", help="Memory for the feedback table. [default: 256]")
]
OutputOption = Annotated[
    Path | None, panels.output("--output", "-o", metavar="FILE", help="Write to a file. [default: standard output]")
]
FolderOption = Annotated[Path, panels.output("--dir", metavar="DIR", help="Folder to write to.")]
TopOption = Annotated[
    int,
    panels.output(
        metavar="N", min=0, help="Number of rows to show; 0 shows all.", callback=lambda top: top or sys.maxsize
    ),
]
USUAL_TOP = 10
"""The default of --top."""
ConfidenceOption = Annotated[
    float, panels.advanced(metavar="P", help="Confidence level of intervals, from 0.5 to below 1.")
]
StoreOption = Annotated[
    Path | None,
    panels.general(metavar="FILE", help=f"Store of results. [default: ${STORE_VARIABLE}, or your data folder]"),
]
FreshOption = Annotated[bool, panels.run("--fresh", help="Play puzzles again even if their results are stored.")]
KeepTimeoutsOption = Annotated[
    bool, panels.advanced("--keep-timeouts", help="Do not replay puzzles that timed out or whose process died.")
]
FormatOption = Annotated[
    str,
    panels.output(
        metavar="FORMAT", help="table, json, csv, markdown, latex or html.", autocompletion=completion.formats()
    ),
]
ColumnsOption = Annotated[
    str | None, panels.output(metavar="NAME,...", help="Columns of the table, such as mean,median,slowest; or all.")
]
TranscriptsOption = Annotated[
    Path | None, panels.advanced(metavar="FILE", help="Also write the guesses of every puzzle, one puzzle per line.")
]
TracebackOption = Annotated[bool, panels.output("--traceback", help="Show the traceback of a strategy that crashes.")]
PluginsOption = Annotated[
    list[str] | None,
    panels.general(
        "--plugin", "-p", metavar="PLUGIN", help="Load a file or module, or switch one off with no:NAME. Repeatable."
    ),
]
PluginsDirOption = Annotated[
    list[Path] | None,
    panels.advanced("--plugins-dir", metavar="DIR", help="Load every plugin in a folder. Repeatable."),
]
StrictOption = Annotated[bool, panels.advanced("--strict", help="Stop if a plugin fails to load.")]
