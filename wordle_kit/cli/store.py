"""`wordle-kit store`: list, merge, export and remove stored results."""

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wordle_kit.cli import load, options
from wordle_kit.cli.commands import Command
from wordle_kit.cli.output import say, show_rows
from wordle_kit.texts import json_text, number_of

if TYPE_CHECKING:
    from wordle_kit.tournaments.runs import StoredRun
    from wordle_kit.tournaments.store import Store

app = typer.Typer(help="List, merge, export and remove stored results.", add_completion=False, rich_markup_mode=None)


@app.command("list", cls=Command)
def list_runs(
    form: options.FormatOption = "table",
    plugin: options.PluginsOption = None,
    store: options.StoreOption = None,
) -> None:
    """List the runs of a store, the latest last, each with its game, puzzles, strategy and number of puzzles played.

    For example:
        wordle-kit store list --format csv
    """
    printed = load.plugins(plugin).find_format(form)
    with _existing(store) as results:
        rows = [
            {
                "run": number,
                "game": facts.game + ", hard mode" * facts.hard_mode,
                "puzzles": facts.puzzles,
                "host": facts.host,
                "strategy": facts.strategy,
                "plugin": facts.plugin,
                "version": facts.version,
                "played": played,
                "of": facts.n_puzzles,
            }
            for number, facts, played in results.runs()
        ]
    show_rows(rows, printed)


@app.command("merge", cls=Command)
def merge(
    sources: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Stores to add; they are not changed.")],
    store: options.StoreOption = None,
) -> None:
    """Add the results of other stores to the one given with --store, which is created if needed.

    If stores have different parts of a run, these are joined. A store whose plays contradict the others is refused.

    For example:
        wordle-kit store merge alice.sqlite bob.sqlite --store all.sqlite
    """
    from wordle_kit.tournaments.store import Store

    path = load.store_path(store)
    with Store(path) as results:
        for source in sources:
            with Store.existing(source) as other:
                added = results.merge(other)
            say(f"{source}: {number_of(added, 'play')} added to {path}")


@app.command("export", cls=Command)
def export(
    output: Annotated[
        Path | None,
        options.output("--output", "-o", metavar="FILE", help="Write to a file.", show_default="standard output"),
    ] = None,
    store: options.StoreOption = None,
) -> None:
    """Write each run of a store as one line of JSON that describes the run and lists all its plays.

    For example:
        wordle-kit store export -o results.jsonl
    """
    from wordle_kit.files import replacing

    with _existing(store) as results, results.snapshot():
        lines = (_line(results.read(number)) for number, _, _ in results.runs())
        if output is None:
            for text in lines:
                say(text)
        else:
            with replacing(output) as file:
                file.writelines(f"{text}\n".encode() for text in lines)


@app.command("remove", cls=Command)
def remove(
    strategy: Annotated[
        list[str] | None,
        options.game("--strategy", "-s", metavar="NAME", help="Strategy as in `store list`, or a pattern. Repeatable."),
    ] = None,
    game: Annotated[
        str | None, options.game("--game", "-g", metavar="NAME", help="Name the game was played under.")
    ] = None,
    store: options.StoreOption = None,
) -> None:
    """Delete all runs of a strategy, of a game, or of a strategy in a game.

    For example:
        wordle-kit store remove -s "mine*" -g wordle
    """
    from fnmatch import fnmatchcase

    from wordle_kit.errors import StoreError, WordleKitError

    if not strategy and game is None:
        raise WordleKitError("name what to remove", settings=["strategy", "game"])
    names, path = strategy or ["*"], load.store_path(store)
    with _existing(store) as results:
        runs = [
            run
            for run, facts, _ in results.runs()
            if game in (None, facts.game)
            and any(name == facts.strategy or fnmatchcase(facts.strategy, name) for name in names)
        ]
        if not runs:
            which_runs = ", ".join([*(strategy or ()), *([game] if game is not None else [])])
            raise StoreError(f"{path}: has no run of {which_runs}; `wordle-kit store list` shows what it has")
        results.remove(runs)
    say(f"{number_of(len(runs), 'run')} removed from {path}")


def _line(run: "StoredRun") -> str:
    plays = [{one.name: getattr(play, one.name) for one in fields(play)} for play in run.plays]
    return json_text({**vars(run.facts), "calls": run.calls, "seconds": run.seconds, "plays": plays}, indent=None)


def _existing(store: Path | None) -> "Store":
    """Return the store chosen by the options, open for reading. Raises StoreError if it has no results."""
    from wordle_kit.tournaments.store import Store

    return Store.existing(load.store_path(store))
