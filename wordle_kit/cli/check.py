"""`wordle-kit check`: check that what a plugin registers keeps its promises."""

import shlex
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wordle_kit.cli import options, values
from wordle_kit.cli.output import progress_bar, quiet, say, tracebacks
from wordle_kit.defaults import DEADLINE

if TYPE_CHECKING:
    from wordle_kit.game.game import Game
    from wordle_kit.plugins import Plugins
    from wordle_kit.testing import Finding
    from wordle_kit.tournaments.runner import ProgressCallback

SEEN = {
    "metrics": "tournament -p {file} --columns {name} --puzzles 20",
    "hosts": "tournament -p {file} --host {name} -s minimax",
    "formats": "rules -p {file} --format {name}",
    "commands": "-p {file} {name} --help",
}
"""For each kind of thing without promises to check: the arguments of a command that shows such a thing."""


def check(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="Plugin to check: its strategies, rules and games.")
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
    game: Annotated[str | None, options.of_game(help="Check on this game instead of small and odd ones.")] = None,
    weights: options.WeightsOption = None,
    plugin: options.PluginsOption = None,
    traceback: options.TracebackOption = False,
) -> None:
    """Check that what a plugin registers keeps its promises.

    A strategy must make legal guesses, and the same ones every time. It must keep no state, and cope with small and odd
    games. The methods of a rule must agree. Only the hidden word may win. A rule must be able to read the feedback that
    it shows. A game must have words that its rule can compare. Everything else is only loaded. The exit code is 1 if a
    check fails.

    For example:
        wordle-kit check my_idea.py
        wordle-kit check -s "entropy(pool=candidates)" -g dordle
    """
    from wordle_kit.deadline import Deadline
    from wordle_kit.errors import PluginError, WordleKitError
    from wordle_kit.strategy.specs import variants
    from wordle_kit.testing import check_rule, each_finding

    Deadline(deadline)  # raises an error unless it is a valid time
    if file is None and not strategy:
        raise WordleKitError("name a plugin to check, or a strategy with -s")
    path = None if file is None else str(_file(file).resolve())
    isolation = values.isolation()
    with tracebacks(traceback):
        plugins = values.load_plugins(*([path] if path else ()), strict=True, isolation=isolation)
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
            for finding in _as_they_come(partial(each_finding, each, deadline=deadline, games=games)):
                failed |= _said(finding)
    for kind, name in others:
        how = SEEN[kind].format(file=shlex.quote(str(file)), name=name)
        say(f"{name}\n  ok    loading: the {kind.removesuffix('s')} is registered; to see it, type wordle-kit {how}")
    if failed:
        raise typer.Exit(1)


def _file(given: Path) -> Path:
    """Return the file of a plugin that is given as a path, with or without .py, or as the folder of a package."""
    from wordle_kit.plugin_sources import requested_name

    return Path(requested_name(given)) if given.suffix or given.is_dir() else given.with_suffix(".py")


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


def _as_they_come(check: "Callable[..., Iterator[Finding]]") -> "Iterator[Finding]":
    """Yield each finding as soon as it is known. On a terminal, show progress meanwhile."""
    bar: ProgressCallback | None

    def progress(name: str, done: int, total: int) -> None:
        if bar is not None:
            bar(done, total)

    found = check(progress=progress)
    while True:
        with quiet(), progress_bar("checking") as bar:
            finding = next(found, None)
        if finding is None:
            return
        yield finding
