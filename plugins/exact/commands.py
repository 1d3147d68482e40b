"""`wordle-kit optimal`: perfect play with its value and bounds, proved by exact search."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import wordle_kit as wk
from wordle_kit.cli import load, options
from wordle_kit.cli.output import CommandStopped, quiet, say, say_usual_game, show_rows
from wordle_kit.files import write_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from wordle_kit_plugins.exact.progress import Progress

    Watch = Callable[[Progress], None]


def optimal(
    game: options.GameOption = options.USUAL_GAME,
    first: Annotated[
        list[str] | None, options.game(metavar="WORD", help="First guess. Repeatable.", show_default="the best of all")
    ] = None,
    after: options.AfterOption = None,
    hard: options.HardOption = False,
    objective: Annotated[str, options.game(metavar="mean|worst", help="Minimise the mean or the worst case.")] = "mean",
    at_most: Annotated[
        int | None,
        options.game(
            metavar="N", help="With --objective mean: solve all answers within N guesses.", show_default="no limit"
        ),
    ] = None,
    breadth: Annotated[
        int | None,
        options.advanced(metavar="K", help="Try only the K best guesses per position; the result is an upper bound."),
    ] = None,
    seconds: Annotated[
        float | None, options.run(metavar="S", help="Stop after S seconds, with bounds.", show_default="no limit")
    ] = None,
    memory: Annotated[int, options.run(metavar="MB", help="Memory limit of the search; a lower one is slower.")] = 2048,
    order: Annotated[
        str, options.advanced(metavar="bound|statistical|entropic", help="Order in which guesses are tried.")
    ] = "bound",
    workers: options.WorkersOption = None,
    progress: Annotated[
        Path | None,
        options.advanced(
            metavar="FILE",
            help="Write the bounds as JSON lines whenever they change. A search of all openers resumes from them.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        options.output("--output", "-o", metavar="FILE", help="Write the tree to a file instead of printing it."),
    ] = None,
    form: Annotated[
        str,
        options.output(
            "--format",
            metavar="FORMAT",
            help="table, json, csv, a format of tabulate, or text, which shows the tree.",
            autocompletion=options.complete("formats"),
        ),
    ] = "table",
    plugin: options.PluginsOption = None,
    weights: options.WeightsOption = None,
) -> None:
    """Find perfect play, with proof, by exact search.

    If you press Ctrl-C or the time given with --seconds runs out, the command shows the lower bound and the total of
    the best tree found so far. With --progress, a search of all openers can be resumed later.

    For example:
        wordle-kit optimal --first salet
        wordle-kit optimal --first salet --after salet=00120 --format text
        wordle-kit optimal -g mastermind --objective worst
    """
    from wordle_kit.trees import tree_text

    plugins, as_text = load.plugins(plugin), form == "text"
    printed = plugins.find_format("table" if as_text else form)
    if output is not None and first is not None and len(first) > 1:
        raise wk.WordleKitError("--output takes one tree; give --first once")
    played = load.game(game, plugins, hard=hard, weights=weights)
    load.prepare_table(played)
    position = load.position(played, after)
    solutions: list[wk.Solution] = []
    for word in first or (None,):
        with shown_bounds(word) as watch, quiet():
            solution = wk.optimal(
                played,
                word,
                after=zip(position.guesses, position.board.feedback, strict=True),
                objective=objective,
                at_most=at_most,
                breadth=breadth,
                order=order,
                seconds=seconds,
                memory=memory,
                workers=workers,
                progress=progress,
                watch=watch,
            )
        solutions.append(solution)
        if solution.ending == "interrupted":
            break
    if output is not None:
        write_file(output, tree_text(solutions[0].tree))
    say_usual_game(played, game, printed)
    show_rows([cells_of(each, as_json=printed.name == "json") for each in solutions], printed)
    if as_text and output is None:
        for each in solutions:
            say("\n" + tree_text(each.tree), nl=False)
    if solutions[-1].ending == "interrupted":
        raise CommandStopped("stopped; these are the bounds so far")


def cells_of(solution: "wk.Solution", *, as_json: bool) -> dict[str, Any]:
    """Return the cells of a solution by column. Numbers are not rounded in JSON."""

    def number(value: float, digits: str) -> float | str:
        return value if as_json else f"{value:{digits}}"

    mean = "weighted mean" if solution.game.is_weighted and not as_json else "mean"
    row = {
        "opener": solution.opener,
        "total": number(solution.total, ".10g"),
        "lower": number(solution.lower, ".10g"),
        mean: number(solution.mean, ".4f"),
        "worst": solution.worst,
        **({"worst at least": solution.worst_lower} if solution.objective.kind == "worst" else {}),
        "proved": "yes" if solution.is_proved else "no",
        "nodes": solution.nodes,
        "seconds": number(solution.seconds, ".2f"),
    }
    if as_json:
        return row | {"counts": solution.counts}
    counts = enumerate(solution.counts, start=1)
    return row | {"solved at": " ".join(f"{turn}:{count}" for turn, count in counts if count)}


@contextmanager
def shown_bounds(word: str | None) -> Iterator["Watch | None"]:
    """Yield a function that shows the bounds on a terminal, or None if standard error is not a terminal."""
    from rich.console import Console
    from rich.text import Text

    if not sys.stderr.isatty():
        yield None
        return
    with Console(stderr=True).status("") as line:

        def show(now: "Progress") -> None:
            upper = "?" if now.upper is None else f"{now.upper:,.10g}"
            step = f"{now.phase} {now.done:,} of {now.total:,}" if now.total else f"{now.nodes:,} sets"
            text = f"{word or 'all openers'}: {now.lower:,.10g} to {upper}, {step}"
            line.update(Text("compiling, unless that has been done before" if now.phase == "compiling" else text))

        yield show
