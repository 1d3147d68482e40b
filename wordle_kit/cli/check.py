"""`wordle-kit check`: check that what a plugin registers keeps its promises, and that a decision tree is right."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wordle_kit.cli import options, values
from wordle_kit.cli.output import say, tracebacks
from wordle_kit.defaults import DEADLINE
from wordle_kit.texts import line, number_of

if TYPE_CHECKING:
    from wordle_kit.game.game import Game
    from wordle_kit.plugins import Plugins
    from wordle_kit.testing import Finding

SEEN = {
    "metrics": "tournament -p {file} --columns {name} --puzzles 20",
    "hosts": "tournament -p {file} --host {name} -s minimax",
    "formats": "rules -p {file} --format {name}",
    "commands": "-p {file} {name} --help",
}
"""For each kind of thing without promises to check: the arguments of a command that shows such a thing."""

TREE = ".txt"
"""The ending of a tree's file."""


def check(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="Plugin to check: its strategies, rules and games. Or a tree: FILE.txt."),
    ] = None,
    strategy: Annotated[
        list[str] | None,
        options.game(
            "--strategy",
            "-s",
            metavar="SPEC",
            help="Check this strategy: name or name(parameter=value). Repeat for more.",
            autocompletion=options.complete_strategies,
        ),
    ] = None,
    deadline: options.DeadlineOption = DEADLINE,
    game: Annotated[
        str | None, options.of_game(help="Check on this game instead of small and odd ones, or the one of a tree.")
    ] = None,
    weights: options.WeightsOption = None,
    plugin: options.PluginsOption = None,
    traceback: options.TracebackOption = False,
) -> None:
    """Check that what a plugin registers keeps its promises, or that a decision tree is right.

    A strategy must make legal guesses, and the same ones every time. It must keep no state, and cope with small and odd
    games. The methods of a rule must agree. Only the hidden word may win. A rule must be able to read the feedback that
    it shows. A game must have words that its rule can compare. Everything else is only loaded. The exit code is 1 if a
    check fails.

    A file whose name ends in .txt has a tree. It is played for every answer of the game that its header names, or of
    --game.

    For example:
        wordle-kit check my_idea.py
        wordle-kit check -s "entropy(pool=candidates)" -g dordle
        wordle-kit check my_tree.txt
    """
    from wordle_kit.deadline import Deadline
    from wordle_kit.errors import PluginError, WordleKitError
    from wordle_kit.strategy.specs import variants
    from wordle_kit.testing import check_rule, each_finding

    Deadline(deadline)  # raises an error unless it is a valid time
    if file is not None and file.suffix == TREE:
        if strategy:
            raise WordleKitError(f"{file}: is a tree, which is checked alone; leave out -s")
        _check_tree(file, game)
        return
    if file is None and not strategy:
        raise WordleKitError("name a plugin to check, or a strategy with -s")
    path = None if file is None else str(_file(file).resolve())
    with tracebacks(traceback):
        plugins = values.load_plugins(*([path] if path else ()), strict=True)
    if game is None and weights is not None:
        raise WordleKitError("--weights are those of a game; name it with --game")
    games = [] if game is None else [values.load_game(game, plugins)]
    mine = [name for name, origin in plugins.origins.items() if origin == path]
    strategies = {entry.name: entry.value for entry in plugins.strategies.values() if entry.plugin in mine}
    strategies |= {spec: plugins.find_strategy(spec) for each in strategy or () for spec in variants(each)}
    rules = [entry for entry in plugins.rules.values() if entry.plugin in mine]
    own_games = [entry.name for entry in plugins.games.values() if entry.plugin in mine]
    others = [
        (kind, entry.name)
        for kind in SEEN
        for entry in plugins.by_kind()[kind].values()
        if entry.plugin in mine and " --" not in entry.name
    ]
    if not (strategies or rules or own_games or others):
        raise PluginError(f"{file}: registers nothing; add a function register_strategies with @wk.hookimpl")
    failed = False
    with tracebacks(traceback):
        built = {name: _built(name, plugins) for name in own_games}
        for name, made in built.items():
            failed |= isinstance(made, str)
            said = f"FAIL  {made}" if isinstance(made, str) else f"ok    {made!r}"
            say(f"{name}\n  {said}")
        for rule in rules:
            say(rule.name)
            on = [made for made in built.values() if not isinstance(made, str) and made.rule == rule.value]
            for finding in check_rule(rule.value, games=games or on):
                failed |= _said(finding)
        for label, each in strategies.items():
            say(label)
            for finding in each_finding(each, deadline=deadline, games=games):
                failed |= _said(finding)
    for kind, name in others:
        how = SEEN[kind].format(file=shlex.quote(str(file)), name=name)
        say(f"{name}\n  ok    loading: the {kind.removesuffix('s')} is registered; to see it, type wordle-kit {how}")
    if failed:
        raise typer.Exit(1)


def _check_tree(file: Path, game: str | None) -> None:
    """Play the tree in a file for every answer, and print its figures, or what is wrong with it."""
    from wordle_kit.errors import TreeError, WordleKitError
    from wordle_kit.files import read_text
    from wordle_kit.leaderboard.metrics import tree_header
    from wordle_kit.trees import read_tree

    plugins = values.load_plugins()
    header = tree_header(read_text(file).splitlines())
    named = game or header.get("game")
    if game is None and named not in plugins.games:
        raise WordleKitError(f"{file}: names no registered game; name the tree's game with --game")
    played = values.load_game(str(named), plugins)
    hard = played.replace(hard_mode=True)
    try:
        tree = read_tree(file, hard if header.get("fingerprint") == hard.fingerprint else played)
    except TreeError as error:
        say(f"FAIL  {error}")
        raise typer.Exit(1) from error
    answers = len(tree.paths)
    weighted = "" if tree.weighted_mean is None else f"weighted mean {tree.weighted_mean:.4f}, "
    say(
        f"ok    {file}: {tree.total:,} guesses for {number_of(answers, 'answer')} of {line(played.name)}, "
        f"mean {tree.total / answers:.4f}, {weighted}worst {tree.depth}"
    )


def _file(given: Path) -> Path:
    """Return the file of a plugin that is given as a path, with or without .py, or as the folder of a package."""
    if given.is_dir():
        return given / "__init__.py"
    return given if given.suffix else given.with_suffix(".py")


def _said(finding: "Finding") -> bool:
    """Print a finding. Return whether it says that the check failed."""
    say(f"  {'ok  ' if finding.passed else 'FAIL'}  {finding.check}: {finding.message}")
    return not finding.passed


def _built(name: str, plugins: "Plugins") -> "Game | str":
    """Return a registered game whose feedback can be computed, or a message that says what is wrong with it."""
    from wordle_kit.errors import GameError

    try:
        game = plugins.find_game(name)
        game.table.prepare()
    except GameError as error:
        return str(error)
    return game
