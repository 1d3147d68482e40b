"""`wordle-kit optimal`: perfect play with its value and bounds, proved by exact search."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from wordle_kit.cli import options, values
from wordle_kit.cli.output import quiet, say
from wordle_kit.files import write_file
from wordle_kit.texts import finite, json_text

if TYPE_CHECKING:
    from wordle_kit_plugins.exact.optimal import Progress, Solution

    from wordle_kit.strategy.position import Position
    from wordle_kit.tables import Format

EXACT_VARIABLE = "WORDLE_KIT_EXACT"

INTERRUPTED = 130
BETWEEN_LINES = 0.1
"""The least seconds of CPU time between two lines of --progress with the same bounds."""

Watch = Callable[["Progress"], None]


@dataclass(frozen=True)
class HowToSearch:
    """The options that say what to minimise and how to search."""

    objective: Annotated[
        str,
        options.game(
            metavar="mean|worst",
            help="Minimise the mean or the worst case.",
            autocompletion=options.complete_choices("mean", "worst"),
        ),
    ] = "mean"
    at_most: Annotated[
        int | None,
        options.game(
            metavar="N", help="With --objective mean: solve all answers within N guesses.", show_default="no limit"
        ),
    ] = None
    breadth: Annotated[
        int | None,
        options.advanced(
            metavar="K", help="Try only the K best guesses in each position; the result is an upper bound."
        ),
    ] = None
    seconds: Annotated[
        float | None, options.run(metavar="S", help="Stop after S seconds, with bounds.", show_default="no limit")
    ] = None
    memory: Annotated[int, options.run(metavar="MB", help="Memory for the search; less is slower.")] = 2048
    order: Annotated[
        str,
        options.advanced(
            metavar="bound|statistical|entropic",
            help="Order in which guesses are tried.",
            autocompletion=options.complete_choices("bound", "statistical", "entropic"),
        ),
    ] = "bound"
    workers: Annotated[
        int | None, options.run(metavar="N", help="Number of worker processes.", show_default="one per core")
    ] = None
    checkpoint: Annotated[
        Path | None,
        options.advanced(
            metavar="FILE", help="File for long searches.", show_default=f"${EXACT_VARIABLE}, or your data folder"
        ),
    ] = None
    fresh: Annotated[bool, options.run("--fresh", help="Discard the stored results of this search.")] = False

    def solve(self, position: "Position", opener: str | None, **how: Any) -> "Solution":
        """Return perfect play from a position."""
        from wordle_kit_plugins.exact.optimal import optimal

        from wordle_kit.pool import available_cores

        arguments = vars(self) | {
            "after": list(zip(position.guesses, position.board.feedback, strict=True)),
            "memory": self.memory * 2**20,
            "workers": available_cores() if self.workers is None else self.workers,
            "checkpoint": exact_path(self.checkpoint),
        }
        return optimal(position.game, opener, **arguments, **how)


USUALLY = HowToSearch()


@values.grouped
def optimal(
    game: options.UsualGameOption = None,
    first: Annotated[
        list[str] | None, options.game(metavar="WORD", help="First guess. Repeatable.", show_default="the best of all")
    ] = None,
    after: options.AfterOption = None,
    hard: options.HardOption = False,
    how: HowToSearch = USUALLY,
    progress: Annotated[
        Path | None, options.advanced(metavar="FILE", help="Write the bounds as they change, as lines of JSON.")
    ] = None,
    output: Annotated[
        Path | None,
        options.output("--output", "-o", metavar="FILE", help="Write the tree to a file, and do not print it."),
    ] = None,
    format: Annotated[  # noqa: A002 - the option's name
        str,
        options.output(
            metavar="FORMAT",
            help="table, json, csv, a format of tabulate, or text; text has the tree.",
            autocompletion=options.complete_formats("text"),
        ),
    ] = "table",
    which: values.AlsoWeights = values.USUAL_WEIGHTS,
) -> None:
    """Find perfect play, with proof, by exact search.

    If you press Ctrl-C, or after --seconds, the command shows the total of the best tree so far and the lower bound.
    The same command continues from there.

    For example:
        wordle-kit optimal --first salet
        wordle-kit optimal --first salet --after salet=00120 --format text
        wordle-kit optimal -g mastermind --objective worst
    """
    from wordle_kit_plugins.exact.optimal import Ending

    from wordle_kit.errors import WordleKitError
    from wordle_kit.trees import text_of

    plugins, as_text = which.load(), format == "text"
    form = values.table_format("table" if as_text else format, plugins)
    if output is not None and first is not None and len(first) > 1:
        raise WordleKitError("--output takes one tree; give --first once")
    played = values.load_game(game or options.USUAL_GAME, plugins, hard)
    position = values.after_moves(played, after)
    solutions: list[Solution] = []
    with ExitStack() as stack:
        lines = None if progress is None else stack.enter_context(progress.open("w", encoding="utf-8"))
        words: list[str | None] = [*first] if first else [None]
        for word in words:
            with watching(word, lines) as watch, quiet():
                solutions.append(how.solve(position, word, progress=watch))
            if solutions[-1].ending is Ending.INTERRUPTED:
                break
    if output is not None:
        write_file(output, text_of(solutions[0].tree))
    values.say_usual_game(played, game, form)
    show(solutions, form, with_trees=as_text and output is None)
    if solutions[-1].ending is Ending.INTERRUPTED:
        raise typer.Exit(INTERRUPTED)


def show(solutions: "list[Solution]", form: "Format", *, with_trees: bool) -> None:
    """Print solutions in a format, and below it their trees if `with_trees` is true."""
    from wordle_kit.tables import render
    from wordle_kit.trees import text_of

    if form.name == "json":
        rows = [cells_of(one) | {"counts": one.counts} for one in solutions]
        say(json_text(rows, indent=None))
        return
    shown = []
    for one in solutions:
        row = cells_of(one)
        counts = " ".join(f"{turn}:{count}" for turn, count in enumerate(one.counts, start=1) if count)
        cells = {key: f"{cell:.10g}" if isinstance(cell, float) else cell for key, cell in row.items()}
        cells |= {"mean": f"{one.mean:.4f}", "seconds": f"{one.seconds:.2f}", "solved at": counts}
        weighted = {"mean": "weighted mean"} if one.game.is_weighted else {}
        shown.append({weighted.get(key, key): cell for key, cell in cells.items()})
    say(render(shown, form), nl=False)
    if with_trees:
        for one in solutions:
            say("")
            say(text_of(one.tree), nl=False)


def cells_of(one: "Solution") -> dict[str, Any]:
    """Return the cells of a solution, by column."""
    row: dict[str, Any] = {"opener": one.opener}
    row |= {"total": one.total, "lower": one.lower, "mean": one.mean, "worst": one.worst}
    if one.objective.kind == "worst":
        row["worst at least"] = one.worst_lower
    return row | {"proved": "yes" if one.is_proved else "no", "nodes": one.nodes, "seconds": one.seconds}


@contextmanager
def watching(word: str | None, lines: IO[str] | None) -> Iterator[Watch | None]:
    """Yield a function that writes progress to a file and shows it on a terminal. Yield None if there is neither."""
    with bar(word) if sys.stderr.isatty() else nullcontext() as show_now:
        if lines is None:
            yield show_now
            return
        last: tuple[float, float | None] | None = None
        written = 0.0

        def watch(now: "Progress") -> None:
            """Write a line whenever a bound has changed, and at regular intervals."""
            nonlocal last, written
            if show_now is not None:
                show_now(now)
            if (now.lower, now.upper) != last or now.seconds - written >= BETWEEN_LINES:
                last, written = (now.lower, now.upper), now.seconds
                row = {"opener": word, "seconds": round(now.seconds, 4), "lower": now.lower, "upper": now.upper}
                lines.write(json.dumps(finite(row | {"nodes": now.nodes}), allow_nan=False) + "\n")
                lines.flush()

        yield watch


@contextmanager
def bar(word: str | None) -> Iterator[Watch]:
    """Yield a function that shows the bounds and, while first guesses are ranked, a progress bar."""
    from rich import progress as rich
    from rich.console import Console

    columns = (
        rich.TextColumn("{task.description}"),
        rich.BarColumn(),
        rich.TextColumn("{task.fields[count]}"),
        rich.TimeElapsedColumn(),
    )
    # There is no refresh thread, because workers are forked while the bar is shown.
    with rich.Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as shown:
        task = shown.add_task(word or "all openers", total=None, count="")

        def show_now(now: "Progress") -> None:
            upper = "?" if now.upper is None else f"{now.upper:,.10g}"
            text = f"{word or now.phase or 'searching'}: {now.lower:,.10g} to {upper}"
            count = f"{now.done:,} of {now.total:,}" if now.total else f"{now.nodes:,} sets"
            shown.update(task, description=text, count=count, completed=now.done, total=now.total or None, refresh=True)

        yield show_now


def exact_path(path: Path | None) -> Path:
    """Return the file for long searches: the argument, else the environment variable, else a file beside the store."""
    if path is not None:
        return path
    if os.environ.get(EXACT_VARIABLE):
        return Path(os.environ[EXACT_VARIABLE])
    return values.store_path(None).with_name("searches.sqlite")
