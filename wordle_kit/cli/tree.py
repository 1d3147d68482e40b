"""`wordle-kit tree`: decision trees in files, checked and written in other formats."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wordle_kit.cli import options
from wordle_kit.cli.help import Command, group
from wordle_kit.cli.output import say
from wordle_kit.files import write_file
from wordle_kit.texts import json_text

if TYPE_CHECKING:
    from wordle_kit.trees.tree import Tree

app = group("Check decision trees, and write them in other formats.")

FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="A decision tree: JSON, or indented text.")]
GameOption = Annotated[
    str | None,
    typer.Option(
        "--game",
        "-g",
        metavar="NAME|FILE",
        help="A game by name, or a TOML file. [default: the one that JSON names, or wordle]",
        show_default=False,
    ),
]


@app.callback()
def tree() -> None:
    """Check decision trees, and write them in other formats."""


@app.command("check", cls=Command)
def check(
    file: FileArgument,
    game: GameOption = None,
    hard: options.HardOption = False,
    after: options.AfterOption = None,
    plugin: options.PluginsOption = None,
    plugins_dir: options.PluginsDirOption = None,
    strict: options.StrictOption = False,
    format: options.FormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """Check that a tree solves every answer, and show its total, mean and depth and how many answers take how many.

    Guesses are counted from the tree's first one, as `optimal` counts them: those of --after are not among them.
    The exit code is 1 if it does not, with the place that is wrong.
    """
    from wordle_kit.errors import TreeError
    from wordle_kit.tables import render

    form = options.table_format(format)
    try:
        found = _read(file, game, hard, after, plugin, plugins_dir, strict)
    except TreeError as error:
        say(json_text({"problem": str(error)}, indent=None) if form == "json" else str(error))
        raise typer.Exit(1) from error
    answers = len(found.paths)
    row = {
        "game": found.game.name,
        **({"after": after_text(found)} if found.before else {}),
        "opener": found.game.guesses[found.root.guess],
        "answers": answers,
        "total": found.total,
        "mean": found.total / answers,
        "depth": found.depth,
    }
    if form == "json":
        say(json_text({**row, "distribution": found.distribution}))
        return
    distribution = " ".join(f"{turns}:{count}" for turns, count in found.distribution.items())
    say(render([{**row, "mean": f"{row['mean']:.4f}", "distribution": distribution}], form), nl=False)


def after_text(tree: "Tree") -> str:
    """Return the guesses before a tree as --after takes them."""
    return " ".join(f"{tree.game.guesses[guess]}={tree.game.show(code)}" for guess, code in tree.before)


@app.command("show", cls=Command)
def show(
    file: FileArgument,
    form: Annotated[str, typer.Option("--as", metavar="FORMAT", help="text, json or dot (Graphviz).")] = "text",
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write into a file.")] = None,
    game: GameOption = None,
    hard: options.HardOption = False,
    after: options.AfterOption = None,
    plugin: options.PluginsOption = None,
    plugins_dir: options.PluginsDirOption = None,
    strict: options.StrictOption = False,
) -> None:
    """Write a tree, once it is checked, as indented text, as JSON or for Graphviz."""
    from wordle_kit.trees.files import check_tree_format, format_tree

    wanted = check_tree_format(form)
    text = format_tree(_read(file, game, hard, after, plugin, plugins_dir, strict), wanted)
    if out is None:
        say(text, nl=False)
        return
    write_file(out, text)


def _read(
    file: Path,
    game: str | None,
    hard: bool,
    after: list[str] | None,
    plugin: list[str] | None,
    plugins_dir: list[Path] | None,
    strict: bool,
) -> "Tree":
    """Return the tree in a file, checked, for the game that the options ask for."""
    from wordle_kit.strategy.moves import position_after
    from wordle_kit.trees.files import game_in, read_tree

    plugins = options.load_plugins(plugin, plugins_dir, strict)
    played = options.load_game(game or game_in(file) or "wordle", plugins, hard)
    before = position_after(played, after or ())
    return read_tree(file, played, tuple(zip(before.guess_ids, before.boards[0].codes, strict=True)))
