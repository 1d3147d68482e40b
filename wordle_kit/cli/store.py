"""`wordle-kit store`: list, merge, export and remove stored results."""

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wordle_kit.cli import options, values
from wordle_kit.cli.output import say
from wordle_kit.texts import json_text, number_of

if TYPE_CHECKING:
    from wordle_kit.tournaments.runs import StoredRun
    from wordle_kit.tournaments.store import Store

app = options.group("List, merge, export and remove stored results.")


@app.command("list", cls=options.Command)
@values.grouped
def list_runs(
    store: options.StoreOption = None,
    which: values.WhichPlugins = values.INSTALLED,
    format: options.FormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """List the runs of a store, the latest last: game, puzzles, strategy, and how many puzzles were played.

    For example:
        wordle-kit store list --format csv
    """
    from wordle_kit.tables import render

    form = values.table_format(format, which.load())
    rows = []
    with _existing(store) as results:
        for number, facts, played in results.runs():
            rows.append(
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
            )
    say(render(rows, form), nl=False)


@app.command("merge", cls=options.Command)
def merge(
    sources: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Stores to add. They are not changed.")],
    store: options.StoreOption = None,
) -> None:
    """Add the results of other stores to the one of --store, which is created if it does not exist.

    If several stores have parts of the same run, the parts are joined. A store whose plays contradict is refused.

    For example:
        wordle-kit store merge alice.sqlite bob.sqlite --store all.sqlite
    """
    from wordle_kit.tournaments.store import Store

    path = values.store_path(store)
    with Store(path) as results:
        for source in sources:
            with Store.existing(source) as other:
                added = results.merge(other)
            say(f"{source}: {number_of(added, 'play')} added to {path}")


@app.command("export", cls=options.Command)
def export(
    output: options.OutputOption = None,
    store: options.StoreOption = None,
) -> None:
    """Write every run of a store as a line of JSON: its facts and all its plays.

    For example:
        wordle-kit store export -o results.jsonl
    """
    from wordle_kit.files import replacing

    with _existing(store) as results, results.snapshot():
        runs = (results.read(number) for number, _, _ in results.runs())
        if output is None:
            for text in _lines(runs):
                say(text)
            return
        with replacing(output) as file:
            file.writelines(f"{text}\n".encode() for text in _lines(runs))


@app.command("remove", cls=options.Command)
def remove(
    strategy: Annotated[
        list[str] | None,
        options.game("--strategy", "-s", metavar="NAME", help="Strategy in `store list`, or a pattern. Repeatable."),
    ] = None,
    game: Annotated[
        str | None, options.game("--game", "-g", metavar="NAME", help="Name under which the game was played.")
    ] = None,
    store: options.StoreOption = None,
) -> None:
    """Delete the runs of a strategy, of a game, or of a strategy on a game, with all their plays.

    For example:
        wordle-kit store remove -s "mine*" -g wordle
    """
    from fnmatch import fnmatchcase

    from wordle_kit.errors import StoreError, WordleKitError

    if not strategy and game is None:
        raise WordleKitError("name what to remove", settings=["strategy", "game"])
    names, path = strategy or ["*"], values.store_path(store)
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


def _lines(runs: "Iterator[StoredRun]") -> Iterator[str]:
    for run in runs:
        plays = [{one.name: getattr(play, one.name) for one in fields(play)} for play in run.plays]
        made: dict[str, Any] = {**vars(run.facts), "calls": run.calls, "seconds": run.seconds, "plays": plays}
        yield json_text(made, indent=None)


def _existing(store: Path | None) -> "Store":
    """Return the store that the options name, opened for reading. Raises StoreError if it has no results."""
    from wordle_kit.tournaments.store import Store

    return Store.existing(values.store_path(store))
