"""`wordle-kit check`: check that what a plugin registers keeps its promises, or that a decision tree is right."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wordle_kit.cli import load, options
from wordle_kit.cli.output import say, tracebacks
from wordle_kit.texts import number_of, one_line
from wordle_kit.tournaments.deadline import DEADLINE

if TYPE_CHECKING:
    from wordle_kit.game.game import Game
    from wordle_kit.plugins import Plugins
    from wordle_kit.testing import Finding

LOADED = ("metrics", "hosts", "formats", "commands")
"""The kinds that have no promises to check."""

TREE_SUFFIX = ".txt"
"""The suffix of a tree file."""


def check(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="Plugin to check, or a decision tree in a .txt file."),
    ] = None,
    strategy: options.CheckedOption = None,
    game: Annotated[
        str | None, options.of_game(help="Game to check on, instead of small and odd ones or the tree's own.")
    ] = None,
    deadline: options.DeadlineOption = DEADLINE,
    traceback: options.TracebackOption = False,
    weights: options.WeightsOption = None,
    plugin: options.PluginsOption = None,
) -> None:
    """Check that what a plugin registers keeps its promises, or that a decision tree is right.

    A strategy must make legal guesses in small and unusual games, and repeat them when it is asked again. A rule's
    methods must agree with each other, read the feedback that the rule shows, and let only the hidden word win.
    Anything else is loaded but not tested. The exit code is 1 if a check fails.

    A decision tree in a .txt file is played against every answer of its game, named by --game or by the file's header.

    For example:
        wordle-kit check my_idea.py
        wordle-kit check -s "entropy(pool=candidates)" -g dordle
        wordle-kit check my_tree.txt
    """
    from wordle_kit.errors import PluginError, WordleKitError, positive
    from wordle_kit.plugin_files import source_of
    from wordle_kit.strategy.specs import variants
    from wordle_kit.testing import check_rule, check_strategy

    positive("deadline", deadline)
    if file is None and not strategy:
        raise WordleKitError("name a plugin to check, or a strategy with -s")
    if file is not None and file.suffix == TREE_SUFFIX:
        if strategy:
            raise WordleKitError(f"{file}: is a tree, which is checked alone; leave out -s")
        _check_tree(file, plugin, game, weights)
        return
    if game is None and weights is not None:
        raise WordleKitError("--weights are those of a game; name it with --game")
    source = None if file is None else source_of(file if file.exists() else file.with_suffix(".py"))
    with tracebacks(traceback):
        plugins = load.plugins([*(plugin or ()), *([source.origin] if source else ())])
        name = None if source is None else source.name
        own = {kind: [one for one in each.values() if one.plugin == name] for kind, each in plugins.by_kind().items()}
        if file is not None and not any(own.values()):
            raise PluginError(f"{file}: registers nothing; add a function register_strategies with @wk.hookimpl")
        games = [] if game is None else [load.game(game, plugins, weights=weights)]
        strategies = {each.name: each.value for each in own["strategies"]}
        strategies |= {spec: plugins.find_strategy(spec) for each in strategy or () for spec in variants(each)}
        built = [_built(one.name, plugins) for one in own["games"]]
        passed = [game is not None for game in built]
        for one in own["rules"]:
            on = games or [game for game in built if game is not None and game.rule == one.value]
            say(one.name)
            passed.append(_say(check_rule(one.value, games=on)))
        for label, each in strategies.items():
            say(label)  # before it plays, since it may end this process
            passed.append(_say(check_strategy(each, deadline=deadline, games=games)))
    for kind in LOADED:
        for one in own[kind]:
            say(f"{one.name}\n  ok    loading: the {kind.removesuffix('s')} is registered")
    if not all(passed):
        raise typer.Exit(1)


def _built(name: str, plugins: "Plugins") -> "Game | None":
    """Print whether a registered game's feedback can be computed. Return the game, or None if it cannot."""
    from wordle_kit.errors import GameError

    say(name)
    try:
        game = plugins.find_game(name)
        game.table.prepare()
    except GameError as error:
        say(f"  FAIL  {error}")
        return None
    say(f"  ok    {game!r}")
    return game


def _say(findings: "Iterable[Finding]") -> bool:
    """Print what was found about something, and return whether it passed all checks."""
    passed = True
    for finding in findings:
        say(f"  {'ok  ' if finding.passed else 'FAIL'}  {finding.check}: {finding.message}")
        passed &= finding.passed
    return passed


def _check_tree(file: Path, plugin: list[str] | None, game: str | None, weights: Path | None) -> None:
    """Play the tree in a file for every answer. Print its figures, or what is wrong with it."""
    from wordle_kit.errors import TreeError, WordleKitError
    from wordle_kit.files import read_text
    from wordle_kit.trees import read_header, read_tree

    plugins = load.plugins(plugin)
    header = read_header(read_text(file).splitlines())
    named = game or header.get("game")
    if game is None and named not in plugins.games:
        raise WordleKitError(f"{file}: names no registered game; name the tree's game with --game")
    played = load.game(str(named), plugins, weights=weights)
    hard = played.replace(hard_mode=True)
    try:
        tree = read_tree(file, hard if header.get("fingerprint") == hard.fingerprint else played)
    except TreeError as error:
        say(f"FAIL  {error}")
        raise typer.Exit(1) from error
    answers = len(tree.paths)
    weighted = "" if tree.weighted_mean is None else f"weighted mean {tree.weighted_mean:.4f}, "
    say(
        f"ok    {file}: {tree.total:,} guesses for {number_of(answers, 'answer')} of {one_line(played.name)}, "
        f"mean {tree.total / answers:.4f}, {weighted}worst {tree.depth}"
    )
