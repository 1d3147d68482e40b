"""Commands whose help has panels of options, the options that several commands share, and completion."""

import os
import sys
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

if TYPE_CHECKING:
    from wordle_kit.plugins import Plugins

STORE_VARIABLE = "WORDLE_KIT_STORE"

USUAL_GAME = "wordle"
"""The default game of commands that study games."""

REAL_GAME = "wordle-nyt"
"""The default game of commands that help people play."""

PANELS = ("Arguments", "Game", "Run", "Output", "Advanced", "General")
"""The panels of a command's help, in their order."""

game, run, output, advanced, general = (partial(typer.Option, rich_help_panel=panel) for panel in PANELS[1:])
"""Each declares an option, as `typer.Option` does, in the panel of its name."""


# Rich would take twice as long to show help, break lines where docstrings do, and swallow brackets.
class Command(TyperCommand):
    """A command whose help has its options in panels, and its examples on lines of their own."""

    def __init__(self, **settings: Any) -> None:
        settings["help"] = (settings.get("help") or "").replace("For example:\n", "\b\nFor example:\n")
        super().__init__(**settings)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments. An option that takes one value and is given twice is refused."""
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        one: Any
        for one in order:
            is_single = one.param_type_name == "option" and not (one.multiple or one.is_flag)
            if is_single and order.count(one) > 1:
                raise typer.BadParameter("it is given twice; give it once", ctx=ctx, param=one)
        return super().parse_args(ctx, args)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options by panel."""
        panels: dict[str, list[tuple[str, str]]] = {panel: [] for panel in PANELS}
        for parameter in self.get_params(ctx):
            usual = "Arguments" if parameter.param_type_name == "argument" else "General"
            row = parameter.get_help_record(ctx)
            panels.setdefault(getattr(parameter, "rich_help_panel", None) or usual, []).extend([row] if row else [])
        for panel, rows in panels.items():
            if rows:
                with formatter.section(panel):
                    formatter.write_dl(rows)


class Group(TyperGroup):
    """A group of commands. Without the name of a command, it shows its help."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments."""
        return super().parse_args(ctx, args or ["--help"])


def group(text: str) -> typer.Typer:
    """Return a Typer application for a group of commands, with `text` as its help.

    Its commands are declared with `@app.command(NAME, cls=options.Command)`.
    """
    return typer.Typer(help=text, cls=Group, callback=lambda: None, add_completion=False, rich_markup_mode=None)


# Completion in shells


def _registered(kind: str) -> Callable[[typer.Context, str], list[str]]:
    """Return a function that completes the names of what plugins register of this kind."""

    def complete(ctx: typer.Context, incomplete: str) -> list[str]:
        return beginning(incomplete, _plugins(ctx).by_kind()[kind])

    return complete


complete_games, complete_strategies, complete_hosts = map(_registered, ("games", "strategies", "hosts"))


def complete_formats(*more: str) -> Callable[[typer.Context, str], list[str]]:
    """Return a function that completes `--format` with all formats: bundled, of plugins, and `more` of the command."""

    def complete(ctx: typer.Context, incomplete: str) -> list[str]:
        return beginning(incomplete, (*_plugins(ctx).formats, *more))

    return complete


def complete_choices(*values: str) -> Callable[[str], list[str]]:
    """Return a function that completes an option from these values."""

    def complete(incomplete: str) -> list[str]:
        return beginning(incomplete, values)

    return complete


def beginning(incomplete: str, names: Iterable[str]) -> list[str]:
    """Return the names that begin with this text, sorted."""
    return sorted(name for name in names if name.startswith(incomplete))


def requested_plugins(ctx: typer.Context) -> list[str]:
    """Return the plugins that `-p` names, in front of the command and behind it."""
    return [*(ctx.find_root().params.get("plugin") or ()), *(ctx.params.get("plugin") or ())]


def _plugins(ctx: typer.Context) -> "Plugins":
    """Return the plugins that the command line asks for so far. If they cannot be loaded, return the default ones."""
    from wordle_kit.errors import WordleKitError
    from wordle_kit.plugins import Plugins

    folders = [Path(folder) for folder in ctx.params.get("plugins_dir") or ()]
    with open(os.devnull, "w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):  # noqa: PTH123
        try:
            return Plugins.load(requested_plugins(ctx), folders)
        except WordleKitError:
            return Plugins.load()


# Options

of_game = partial(game, "--game", "-g", metavar="NAME|FILE", autocompletion=complete_games)
"""Declares a --game option with a separate help text."""

_strategy = partial(game, "--strategy", "-s", metavar="SPEC", autocompletion=complete_strategies)

SomeGameOption = Annotated[str | None, of_game(help="Only this game: the name under which it was played, or its file.")]
GameOption = Annotated[str, of_game(help="Game: a name, or a TOML file.")]
UsualGameOption = Annotated[str | None, of_game(help="Game: a name, or a TOML file.", show_default=f"{USUAL_GAME}")]
RealGameOption = Annotated[str | None, of_game(help="Game: a name, or a TOML file.", show_default=f"{REAL_GAME}")]
StrategiesOption = Annotated[
    list[str] | None,
    _strategy(help="Strategy: name, pattern such as liu-*, or name(parameter=value). Repeatable.", show_default="all"),
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
    game(metavar="all|N|FILE", help="All, N drawn at random, or a file.", show_default="all; 1000 if boards > 1"),
]
RepeatsOption = Annotated[bool, advanced("--repeats", help="Let boards of a drawn puzzle have the same word.")]
SampleOption = Annotated[
    bool, advanced("--sample", help="The file of puzzles is a random sample: show confidence intervals.")
]
BoardsOption = Annotated[
    int | None, game(metavar="N", help="Number of simultaneous boards.", show_default="the game's")
]
HardOption = Annotated[bool, game("--hard", help="Play in hard mode: guesses must use all hints so far.")]
WeightsOption = Annotated[
    Path | None,
    advanced(metavar="FILE", help="How likely each answer is: a file with a word and a weight per line."),
]
SeedOption = Annotated[int, run(metavar="N", help="Seed for drawing puzzles and for random strategies.")]
SecretOption = Annotated[
    str | None,
    advanced(metavar="HEX", help="Secret that a leaderboard names, to repeat random numbers."),
]
AfterOption = Annotated[
    list[str] | None,
    game(
        "--after",
        metavar="GUESS=FEEDBACK",
        help="A guess made before, with its feedback in digits, letters or tiles. Repeatable.",
    ),
]
WorkersOption = Annotated[int | None, run(metavar="N", help="Number of worker processes.", show_default="one per core")]
HostOption = Annotated[
    str,
    advanced(metavar="NAME", help="Host that answers guesses: hidden or adversary.", autocompletion=complete_hosts),
]
FirstOption = Annotated[
    list[str] | None,
    advanced(metavar="WORD", help="With --host adversary: begin a game with this guess. Repeatable."),
]
DeadlineOption = Annotated[float, run(metavar="SECONDS", help="Time limit for one decision.")]
MemoryOption = Annotated[int | None, advanced(metavar="MB", help="Memory for the feedback table.", show_default="256")]
OutputOption = Annotated[
    Path | None, output("--output", "-o", metavar="FILE", help="Write to a file.", show_default="standard output")
]
FilesOption = Annotated[
    list[Path] | None,
    output(
        "--output",
        "-o",
        metavar="FILE",
        help="Write to a file whose suffix says the format: .md, .html, .csv, .json, .parquet. Repeatable.",
    ),
]
FolderOption = Annotated[Path, output("--dir", metavar="DIR", help="Folder to write to.")]
TopOption = Annotated[
    int,
    output(metavar="N", min=0, help="Number of rows to show; 0 shows all.", callback=lambda top: top or sys.maxsize),
]
USUAL_TOP = 10
"""The default of --top."""
ConfidenceOption = Annotated[float, advanced(metavar="P", help="Confidence level of intervals, from 0.5 to below 1.")]
StoreOption = Annotated[
    Path | None,
    general(metavar="FILE", help="Store of results.", show_default=f"${STORE_VARIABLE}, or your data folder"),
]
FreshOption = Annotated[bool, run("--fresh", help="Play puzzles again even if their results are stored.")]
KeepTimeoutsOption = Annotated[
    bool, advanced("--keep-timeouts", help="Do not replay puzzles that timed out or whose process died.")
]
FormatOption = Annotated[
    str,
    output(
        metavar="FORMAT",
        help="table, json, csv, or a format of tabulate, such as github.",
        autocompletion=complete_formats(),
    ),
]
ColumnsOption = Annotated[
    str | None, output(metavar="NAME,...", help="Columns of the table, such as mean,median,slowest; or all.")
]
TranscriptsOption = Annotated[
    Path | None, advanced(metavar="FILE", help="Also write the guesses of every puzzle, one puzzle per line.")
]
TracebackOption = Annotated[bool, output("--traceback", help="Show the traceback of a strategy that crashes.")]
_plugin = partial(general, "--plugin", "-p", metavar="PLUGIN")

PluginsOption = Annotated[
    list[str] | None, _plugin(help="Load a file or module, or switch one off with no:NAME. Repeatable.")
]
AnyPluginsOption = Annotated[
    list[str] | None,
    _plugin(help="Load a file or module, or switch one off with no:NAME, for any command. Repeatable."),
]
PluginsDirOption = Annotated[
    list[Path] | None,
    advanced("--plugins-dir", metavar="DIR", help="Load every plugin in a folder. Repeatable."),
]
StrictOption = Annotated[bool, advanced("--strict", help="Stop if a plugin fails to load.")]
