"""`wordle-kit optimal`: perfect play with its value and bounds, proved by exact search."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wordle_kit.cli import options, values
from wordle_kit.cli.output import quiet, say
from wordle_kit.files import write_file
from wordle_kit.texts import json_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from wordle_kit_plugins.exact.optimal import Solution
    from wordle_kit_plugins.exact.progress import Progress

    from wordle_kit.strategy.position import Position
    from wordle_kit.tables import Format

    Watch = Callable[[Progress], None]

INTERRUPTED = 130


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
    progress: Annotated[
        Path | None,
        options.advanced(
            metavar="FILE",
            help="Write the bounds as they change, as lines of JSON. A search of all openers resumes from them.",
        ),
    ] = None

    def solve(self, position: "Position", opener: str | None, watch: "Watch | None") -> "Solution":
        """Return perfect play from a position."""
        from wordle_kit_plugins.exact.optimal import optimal

        after = list(zip(position.guesses, position.board.feedback, strict=True))
        return optimal(position.game, opener, after=after, watch=watch, **vars(self))


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
    With --progress, a search of all openers continues from there.

    For example:
        wordle-kit optimal --first salet
        wordle-kit optimal --first salet --after salet=00120 --format text
        wordle-kit optimal -g mastermind --objective worst
    """
    from wordle_kit.errors import WordleKitError
    from wordle_kit.trees import text_of

    plugins, as_text = which.load(), format == "text"
    form = values.table_format("table" if as_text else format, plugins)
    if output is not None and first is not None and len(first) > 1:
        raise WordleKitError("--output takes one tree; give --first once")
    played = values.load_game(game or options.USUAL_GAME, plugins, hard)
    position = values.after_moves(played, after)
    solutions: list[Solution] = []
    words: list[str | None] = [*first] if first else [None]
    for word in words:
        with bar(word) as watch, quiet():
            solutions.append(how.solve(position, word, watch))
        if solutions[-1].ending == "interrupted":
            break
    if output is not None:
        write_file(output, text_of(solutions[0].tree))
    values.say_usual_game(played, game, form)
    show(solutions, form, with_trees=as_text and output is None)
    if solutions[-1].ending == "interrupted":
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
def bar(word: str | None) -> Iterator["Watch | None"]:
    """Yield a function that shows the bounds and, while first guesses are ranked, a progress bar.

    Yield None if standard error is not a terminal.
    """
    from rich import progress as rich
    from rich.console import Console

    if not sys.stderr.isatty():
        yield None
        return
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
            if now.phase == "compiling":
                text, count = "compiling, unless that has been done before", ""
            shown.update(task, description=text, count=count, completed=now.done, total=now.total or None, refresh=True)

        yield show_now
