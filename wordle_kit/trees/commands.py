"""`wordle-kit tree`: check decision trees in files."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wordle_kit.cli import options, values
from wordle_kit.cli.help import HelpfulCommand, group
from wordle_kit.cli.output import say
from wordle_kit.texts import json_text, line

if TYPE_CHECKING:
    from wordle_kit.plugins import Plugins
    from wordle_kit.trees.tree import Tree

app = group("""
    Check decision trees.

    For example:
        wordle-kit tree check my_tree.json
    """)

FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="Decision tree.")]


@dataclass(frozen=True)
class TreeGame(values.AlsoWeights):
    """The options that name the game of a tree."""

    game: Annotated[
        str | None,
        options.game(
            "--game",
            "-g",
            metavar="NAME|FILE",
            help="Game: a name, or a TOML file. [default: the game that the file names, or wordle]",
            autocompletion=options.complete_games,
        ),
    ] = None
    hard: options.HardOption = False

    def read(self, file: Path, plugins: "Plugins") -> "Tree":
        """Return the tree in a file after checking it."""
        from wordle_kit.errors import GameError
        from wordle_kit.files import read_text
        from wordle_kit.leaderboard.metrics import tree_header
        from wordle_kit.trees.files import read_tree

        named = tree_header(read_text(file).splitlines()).get("game") if self.game is None else None
        if named is not None and named not in plugins.games and not named.endswith(".toml"):
            raise GameError(
                f"{file}: is a tree of {line(named)!r}, which is not a registered game; name its file with --game FILE"
            )
        game = values.load_game(self.game or named or options.USUAL_GAME, plugins, self.hard)
        return read_tree(file, game)


NAMED_GAME = TreeGame()


@app.command("check", cls=HelpfulCommand)
@values.grouped
def check(
    file: FileArgument,
    of: TreeGame = NAMED_GAME,
    format: options.FormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """Check that a tree solves every answer, and show its figures.

    The figures are the total, mean and greatest number of guesses, and the distribution; if the answers have weights,
    also the weighted mean. If the tree does not solve every
    answer, the command says where, and the exit code is 1.

    For example:
        wordle-kit tree check my_tree.json
    """
    from wordle_kit.errors import TreeError
    from wordle_kit.tables import render

    plugins = of.load()
    form = values.table_format(format, plugins)
    try:
        found = of.read(file, plugins)
    except TreeError as error:
        say(json_text({"problem": str(error)}, indent=None) if form.name == "json" else str(error))
        raise typer.Exit(1) from error
    answers = len(found.paths)
    words, shown = found.game.guesses, found.game.show
    row = {
        "game": found.game.name,
        "after": " ".join(f"{words[guess]}={shown(code)}" for guess, code in found.before) or None,
        "opener": words[found.root.guess],
        "answers": answers,
        "total": found.total,
        "mean": found.total / answers,
        "weighted_mean": found.weighted_mean,
        "depth": found.depth,
        "distribution": found.distribution,
    }
    row = {key: cell for key, cell in row.items() if cell is not None}
    if form.name == "json":
        say(json_text(row))
        return
    row["distribution"] = " ".join(f"{turns}:{count}" for turns, count in found.distribution.items())
    cells = {key.replace("_", " "): f"{cell:.4f}" if isinstance(cell, float) else cell for key, cell in row.items()}
    say(render([cells], form), nl=False)
