"""`wordle-kit optimal`: perfect play, its value and bounds, proved by exact search."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from wordle_kit.cli import options
from wordle_kit.cli.output import say
from wordle_kit.files import write_file
from wordle_kit.texts import finite, json_text

if TYPE_CHECKING:
    from wordle_kit.exact.solution import Progress, Solution

INTERRUPTED = 130
BETWEEN_LINES = 0.1
"""Seconds of CPU between two lines of --progress in which no bound changed."""

Watch = Callable[["Progress"], None]


def optimal(
    game: options.GameOption = "wordle",
    opener: Annotated[
        list[str] | None,
        typer.Option(
            "--opener", "-o", metavar="WORD", help="The first guess; a line each. Without it, the best of all."
        ),
    ] = None,
    after: options.AfterOption = None,
    hard: options.HardOption = False,
    objective: Annotated[
        str,
        typer.Option(metavar="mean|worst|within-K", help="What is to be least: the total, the worst case, the late."),
    ] = "mean",
    at_most: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="With mean: solve every answer within N guesses. [default: any number]",
            show_default=False,
        ),
    ] = None,
    breadth: Annotated[
        int | None,
        typer.Option(metavar="K", help="Try only the K best guesses of a set: an upper bound.", show_default=False),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(metavar="S", help="Stop after so many seconds, with bounds.", show_default=False)
    ] = None,
    memory: Annotated[int, typer.Option(metavar="MB", help="Memory for the search; with less it is slower.")] = 2048,
    order: Annotated[
        str, typer.Option(metavar="bound|statistical|entropic", help="The order in which guesses are tried.")
    ] = "bound",
    workers: options.WorkersOption = None,
    progress: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write bounds as they change, a line of JSON each.")
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help=f"Where long searches are kept. [default: {options.EXACT_VARIABLE}, or the user's data folder]",
            show_default=False,
        ),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Forget what is kept of this search.")] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the tree, as JSON, instead of printing it.")
    ] = None,
    format: Annotated[  # noqa: A002 - the option's name
        str, typer.Option(metavar="FORMAT", help="table, text or json; text and json have the tree.")
    ] = "table",
    plugin: options.PluginsOption = None,
    plugins_dir: options.PluginsDirOption = None,
    strict: options.StrictOption = False,
) -> None:
    """Find perfect play: the least total of guesses over all answers, or the least worst case, and its tree.

    Ctrl-C and --seconds leave the best tree so far and the gap; the same command goes on from there.
    """
    from wordle_kit.errors import WordleKitError
    from wordle_kit.exact.optimal import optimal as solve
    from wordle_kit.exact.watch import Ending
    from wordle_kit.strategy.moves import position_after
    from wordle_kit.trees.files import format_tree

    if format not in ("table", "text", "json"):
        raise WordleKitError(f"{format!r} is no format of this command; choose table, text or json")
    if out is not None and opener is not None and len(opener) > 1:
        raise WordleKitError("--out takes the tree of one --opener")
    plugins = options.load_plugins(plugin, plugins_dir, strict)
    played = options.load_game(game, plugins, hard)
    before = position_after(played, after or ())
    seen = list(zip(before.guesses, before.boards[0].feedback, strict=True))
    solutions = []
    with ExitStack() as stack:
        lines = None if progress is None else stack.enter_context(progress.open("w", encoding="utf-8"))
        words: list[str | None] = [*opener] if opener else [None]
        for word in words:
            with watching(word, lines) as watch, options.quiet():
                solution = solve(
                    played,
                    word,
                    after=seen,
                    objective=objective,
                    at_most=at_most,
                    breadth=breadth,
                    seconds=seconds,
                    memory=memory * 2**20,
                    order=order,
                    workers=options.worker_count(workers),
                    checkpoint=options.exact_path(checkpoint),
                    fresh=fresh,
                    progress=watch,
                )
            solutions.append(solution)
            if solution.ending is Ending.INTERRUPTED:
                break
    if out is not None:
        write_file(out, format_tree(solutions[0].tree, "json"))
    show(solutions, format, out is None)
    if solutions[-1].ending is Ending.INTERRUPTED:
        raise typer.Exit(INTERRUPTED)


def show(solutions: "list[Solution]", form: str, with_tree: bool) -> None:
    """Print solutions as a table, as text or as JSON, the latter two with trees if they are wanted."""
    from wordle_kit.tables import render
    from wordle_kit.trees.files import format_tree

    if form == "json":
        rows = [row_of(one) | {"counts": one.counts} for one in solutions]
        if with_tree:
            trees = [json.loads(format_tree(one.tree, "json")) for one in solutions]
            rows = [row | {"tree": tree} for row, tree in zip(rows, trees, strict=True)]
        say(json_text(rows, indent=None))
        return
    shown = []
    for one in solutions:
        row = row_of(one)
        counts = " ".join(f"{turn}:{count}" for turn, count in enumerate(one.counts, start=1) if count)
        cells = {key: f"{cell:.10g}" if isinstance(cell, float) else cell for key, cell in row.items()}
        shown.append(cells | {"mean": f"{one.mean:.4f}", "seconds": f"{one.seconds:.2f}", "solved at": counts})
    say(render(shown, "table"), nl=False)
    if form == "text" and with_tree:
        for one in solutions:
            say("")
            say(format_tree(one.tree, "text"), nl=False)


def row_of(one: "Solution") -> dict[str, Any]:
    """Return what there is to say of a solution, by column."""
    row: dict[str, Any] = {"opener": one.opener}
    if one.objective.kind == "within":
        row |= {"late": one.late, "late at least": one.late_lower}
    row |= {"total": one.total, "lower": one.lower, "mean": one.mean, "worst": one.worst}
    if one.objective.kind == "worst":
        row["worst at least"] = one.worst_lower
    return row | {"proved": "yes" if one.is_proved else "no", "nodes": one.nodes, "seconds": one.seconds}


@contextmanager
def watching(word: str | None, lines: IO[str] | None) -> Iterator[Watch | None]:
    """Give what writes lines of progress and, on a terminal, shows bounds and a bar; None where neither is wanted."""
    watches: list[Watch] = []
    with ExitStack() as stack:
        if lines is not None:
            watches.append(line_writer(word, lines))
        if sys.stderr.isatty():
            watches.append(stack.enter_context(bar(word)))
        if not watches:
            yield None
            return

        def watch(now: "Progress") -> None:
            for one in watches:
                one(now)

        yield watch


def line_writer(word: str | None, lines: IO[str]) -> Watch:
    """Return what writes a line of JSON whenever a bound has changed, and now and then."""
    last: list[Any] = [None, 0.0]

    def write(now: "Progress") -> None:
        bounds = (now.lower, now.upper)
        if bounds != last[0] or now.seconds - last[1] >= BETWEEN_LINES:
            last[:] = bounds, now.seconds
            row = {"opener": word, "seconds": round(now.seconds, 4), "lower": now.lower, "upper": now.upper}
            lines.write(json.dumps(finite(row | {"nodes": now.nodes}), allow_nan=False) + "\n")
            lines.flush()

    return write


@contextmanager
def bar(word: str | None) -> Iterator[Watch]:
    """Give what shows bounds and, where first guesses are ranked, a bar."""
    from rich import progress as rich
    from rich.console import Console

    columns = (
        rich.TextColumn("{task.description}"),
        rich.BarColumn(),
        rich.TextColumn("{task.fields[count]}"),
        rich.TimeElapsedColumn(),
    )
    # Without a thread that refreshes it, since workers are forked while it is shown.
    with rich.Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as shown:
        task = shown.add_task(word or "all openers", total=None, count="")

        def show_now(now: "Progress") -> None:
            upper = "?" if now.upper is None else f"{now.upper:,.10g}"
            text = f"{word or now.phase or 'searching'}: {now.lower:,.10g} to {upper}"
            count = f"{now.done:,} of {now.total:,}" if now.total else f"{now.nodes:,} sets"
            shown.update(task, description=text, count=count, completed=now.done, total=now.total or None, refresh=True)

        yield show_now
