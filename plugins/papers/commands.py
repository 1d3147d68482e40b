"""`wordle-kit reproduce`: compare published figures with those of wordle-kit."""

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wordle_kit.cli import options, values
from wordle_kit.cli.output import note, progress_bar, quiet, say

if TYPE_CHECKING:
    from wordle_kit_plugins.papers.reproduce import Figure, Reproduction

WIDTH = 100
"""The columns of a page of text."""


def reproduce(
    paper: Annotated[
        str | None, typer.Argument(metavar="PAPER", help="Paper, such as tyl.", show_default="all")
    ] = None,
    row: Annotated[
        list[str] | None, options.game("--row", metavar="NAME", help="Only this row of a paper. Repeatable.")
    ] = None,
    lists: Annotated[
        Path | None, options.game(metavar="DIR", help="Folder with word lists that are not bundled.")
    ] = None,
    workers: options.WorkersOption = None,
    format: options.FormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """Play the tournaments of papers and compare the figures.

    A row is exact, close (within the range that ties or chance allow) or differs. The table has a line for each row and
    for each figure that is not as printed; JSON and CSV have every figure. The exit code is 1 if any row differs.

    For example:
        wordle-kit reproduce liu --row p5
    """
    from wordle_kit_data import FOLDER
    from wordle_kit_plugins.papers.published import read_papers
    from wordle_kit_plugins.papers.reproduce import reproduce as play_rows

    from wordle_kit.errors import WordleKitError, unknown
    from wordle_kit.tables import render

    plugins = values.load_plugins()
    form = values.table_format(format, plugins)
    if lists is not None and not lists.is_dir():
        raise WordleKitError(f"--lists: {lists} is not a folder")
    every = {each.paper: each for each in read_papers(FOLDER / "published")}
    if paper is not None and paper not in every:
        raise WordleKitError(unknown("paper", paper, every))
    papers = [every[paper]] if paper is not None else list(every.values())
    known = [each.id for one in papers for each in one.rows]
    for name in row or ():
        if name not in known:
            raise WordleKitError(unknown("row", name, known))
    try:
        with quiet(), progress_bar("games") as progress:
            folders = [FOLDER / "words", *([lists] if lists else [])]
            results = play_rows(papers, folders, row or (), plugins=plugins, workers=workers, progress=progress)
    except KeyboardInterrupt:
        note("stopped; nothing was stored")
        raise typer.Exit(130) from None
    if format == "table":
        for one in papers:
            mine = [result for result in results if result.paper == one.paper]
            if mine:
                say(f"{one.title}\n\n{render([*_lines(mine)], form, [])}\n{_notes(mine)}")
        counts = Counter(result.status for result in results)
        total = ", ".join(f"{counts[name]} {name}" for name in ("exact", "close", "differs", "skipped") if counts[name])
        say(f"{total}. One row alone: wordle-kit reproduce PAPER --row ROW")
    else:
        rows = []
        for result in results:
            rows += [_fields(result, figure) for figure in result.figures] or [_fields(result, None)]
        say(render(rows, form, []), nl=False)
    if any(result.status == "differs" for result in results):
        raise typer.Exit(1)


def _lines(results: "Sequence[Reproduction]") -> "Iterator[dict[str, Any]]":
    """Yield the lines of a paper's table: its rows, each with its first figure or all that are not as printed."""
    for result in results:
        shown = [figure for figure in result.figures if figure.published != figure.measured]
        named = [(figure.name, figure) for figure in shown]
        if not shown and result.figures:
            more = len(result.figures) - 1
            named = [(f"{result.figures[0].name}, {more} more" if more else result.figures[0].name, result.figures[0])]
        yield from (
            {
                "row": "" if number else result.row.id,
                "status": "" if number else result.status,
                "figure": name,
                "published": figure.published + "*" * (figure.source == "independent") if figure is not None else "",
                "here": figure.measured if figure is not None else "",
                "allowed": _allowed(figure) if figure is not None else "",
            }
            for number, (name, figure) in enumerate(named or [("", None)])
        )


def _allowed(figure: "Figure") -> str:
    """Return what a figure may be that is not as printed, as text."""
    if figure.published == figure.measured:
        return ""
    if figure.corrected is not None:
        return f"{figure.corrected} meant"
    return f"{figure.range[0]:g} to {figure.range[1]:g}" if figure.range else ""


def _notes(results: "Sequence[Reproduction]") -> str:
    """Return the notes on a paper's rows as paragraphs; rows with the same note share one."""
    rows: dict[str, list[str]] = {}
    for result in results:
        text = result.skipped or result.row.note
        if text:
            rows.setdefault(text, []).append(result.row.id)
    if any(figure.source == "independent" for result in results for figure in result.figures):
        rows["measured with an independent implementation, since the paper does not print it"] = ["*"]
    wrapper = textwrap.TextWrapper(WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    return "".join(f"{wrapper.fill(', '.join(names) + ': ' + text)}\n" for text, names in rows.items())


def _fields(result: "Reproduction", figure: "Figure | None") -> dict[str, Any]:
    """Return all about a figure, or about a row that was skipped."""
    fields: dict[str, Any] = {"paper": result.paper, "row": result.row.id, "figure": None, "status": result.status}
    if figure is None:
        return fields | dict.fromkeys(("published", "source", "corrected", "here", "least", "most"))
    least, most = figure.range or (None, None)
    return fields | {
        "figure": figure.name,
        "status": figure.status,
        "published": figure.published,
        "source": figure.source,
        "corrected": figure.corrected,
        "here": figure.measured,
        "least": least,
        "most": most,
    }
