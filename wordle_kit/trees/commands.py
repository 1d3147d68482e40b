"""`wordle-kit tree`: check decision trees in files and convert them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wordle_kit.cli import completion, options, panels, values
from wordle_kit.cli.help import HelpfulCommand, group
from wordle_kit.cli.output import say
from wordle_kit.files import write_file
from wordle_kit.texts import json_text

if TYPE_CHECKING:
    from wordle_kit.trees.tree import Tree

app = group("Check and convert decision trees.")

FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="Decision tree: JSON or indented text.")]
GameOption = Annotated[
    str | None,
    panels.played(
        "--game",
        "-g",
        metavar="NAME|FILE",
        help="Game: a name, or a TOML file. [default: the game that the JSON names, or wordle]",
        autocompletion=completion.games,
    ),
]


@app.callback()
def tree() -> None:
    """Check and convert decision trees."""


@app.command("check", cls=HelpfulCommand)
@values.grouped
def check(
    file: FileArgument,
    game: GameOption = None,
    hard: options.HardOption = False,
    after: options.AfterOption = None,
    which: values.WhichPlugins = values.INSTALLED,
    format: options.FormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """Check that a tree solves every answer, and show its figures.

    The figures are the total, mean and greatest number of guesses, and the distribution; if the answers have weights,
    also the weighted mean. Guesses of --after are not counted, as in `optimal`. If the tree does not solve every
    answer, the command says where, and the exit code is 1.

    For example:
        wordle-kit tree check my_tree.json
    """
    from wordle_kit.errors import TreeError
    from wordle_kit.tables import render

    form = values.table_format(format)
    try:
        found = _read(file, game, hard, after, which)
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
        **({} if found.weighted_mean is None else {"weighted_mean": found.weighted_mean}),
        "depth": found.depth,
    }
    if form == "json":
        say(json_text({**row, "distribution": found.distribution}))
        return
    distribution = " ".join(f"{turns}:{count}" for turns, count in found.distribution.items())
    cells = {
        key.replace("_", " "): f"{cell:.4f}" if isinstance(cell, float) else cell
        for key, cell in ({**row, "distribution": distribution}).items()
    }
    say(render([cells], form), nl=False)


def after_text(tree: "Tree") -> str:
    """Return the guesses before a tree in the form of --after."""
    return " ".join(f"{tree.game.guesses[guess]}={tree.game.show(code)}" for guess, code in tree.before)


@app.command("show", cls=HelpfulCommand)
@values.grouped
def show(
    file: FileArgument,
    form: Annotated[
        str,
        panels.output(
            "--as",
            metavar="FORMAT",
            help="text, json or dot (Graphviz).",
            autocompletion=completion.choices("text", "json", "dot"),
        ),
    ] = "text",
    out: Annotated[
        Path | None,
        panels.output(metavar="FILE", help="Write to a file. [default: standard output]"),
    ] = None,
    game: GameOption = None,
    hard: options.HardOption = False,
    after: options.AfterOption = None,
    which: values.WhichPlugins = values.INSTALLED,
) -> None:
    """Check a tree and write it as indented text, JSON or Graphviz.

    For example:
        wordle-kit tree show my_tree.json --as dot --out my_tree.dot
    """
    from wordle_kit.trees.files import check_tree_format, format_tree

    wanted = check_tree_format(form)
    text = format_tree(_read(file, game, hard, after, which), wanted)
    if out is None:
        say(text, nl=False)
        return
    write_file(out, text)


def _read(
    file: Path,
    game: str | None,
    hard: bool,
    after: list[str] | None,
    which: values.WhichPlugins,
) -> "Tree":
    """Return the tree in a file, checked, for the game of the options."""
    from wordle_kit.trees.files import game_in, read_tree

    plugins = which.load()
    played = values.load_game(game or game_in(file) or "wordle", plugins, hard)
    before = values.after_moves(played, after).position
    return read_tree(file, played, tuple(zip(before.guess_ids, before.boards[0].codes, strict=True)))
