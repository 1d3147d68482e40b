"""`wordle-kit reproduce`: compare published figures with ours."""

import itertools
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import wordle_kit as wk
from wordle_kit.cli import load, options
from wordle_kit.cli.output import CommandStopped, progress_bar, quiet, say, show_rows

if TYPE_CHECKING:
    from wordle_kit_plugins.papers.reproduce import Figure, Reproduction

WIDTH = 100
"""The width of a page of text in columns."""

WIDEST = 19
"""The width of a cell in columns, at which six columns fit on a page. Longer texts take several lines."""


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
    form: options.FormatOption = "table",
    plugin: options.PluginsOption = None,
) -> None:
    """Replay the tournaments of published papers and compare the results with the printed figures.

    Each row of a paper's table is exact, is close (within the range that ties or chance allow) or differs. The output
    has one line per row or, if some figures differ from the printed ones, one for each of those; JSON and CSV have
    every figure. The exit code is 1 if any row differs.

    For example:
        wordle-kit reproduce liu --row p5
    """
    from wordle_kit_data import FOLDER
    from wordle_kit_plugins.papers.published import read_papers
    from wordle_kit_plugins.papers.reproduce import reproduce as play_rows

    from wordle_kit.errors import unknown
    from wordle_kit.tables import render

    plugins = load.plugins(plugin)
    shown_as = plugins.find_format(form)
    if lists is not None and not lists.is_dir():
        raise wk.WordleKitError(f"--lists: {lists} is not a folder")
    every = {each.paper: each for each in read_papers(FOLDER / "published")}
    if paper is not None and paper not in every:
        raise wk.WordleKitError(unknown("paper", paper, every))
    papers = [every[paper]] if paper is not None else list(every.values())
    known = [each.id for one in papers for each in one.rows]
    for name in row or ():
        if name not in known:
            raise wk.WordleKitError(unknown("row", name, known))
    try:
        with quiet(), progress_bar("games") as progress:
            folders = [FOLDER / "words", *([lists] if lists else [])]
            results = play_rows(papers, folders, row or (), plugins=plugins, workers=workers, progress=progress)
    except KeyboardInterrupt:
        raise CommandStopped("stopped; nothing was stored") from None
    if shown_as.name == "table":
        for one in papers:
            mine = [result for result in results if result.paper == one.paper]
            if mine:
                say(f"{one.title}\n\n{render([*_lines(mine)], shown_as)}\n{_notes(mine)}")
        counts = Counter(result.status for result in results)
        total = ", ".join(f"{counts[name]} {name}" for name in ("exact", "close", "differs", "skipped") if counts[name])
        say(f"{total}. One row alone: wordle-kit reproduce PAPER --row ROW")
    else:
        show_rows([_fields(one, figure) for one in results for figure in _figures_of(one)], shown_as)
    if any(result.status == "differs" for result in results):
        raise typer.Exit(1)


def _figures_of(result: "Reproduction") -> "Sequence[Figure]":
    """Return the figures of a row or, if it was skipped, a single empty figure."""
    from wordle_kit_plugins.papers.reproduce import Figure

    return result.figures or [Figure("", "", "")]


def _lines(results: "Sequence[Reproduction]") -> "Iterator[dict[str, Any]]":
    """Yield the lines of a paper's table.

    A row lists the figures that differ from the published ones or, if none does, only its first figure.
    """
    for result in results:
        first, *more = _figures_of(result)
        shown = [(each.name, each) for each in (first, *more) if each.published != each.measured]
        shown = shown or [(f"{first.name}, {len(more)} more" if more else first.name, first)]
        for number, (name, figure) in enumerate(shown):
            cells = {
                "row": "" if number else result.row.id,
                "status": "" if number else result.status,
                "figure": name,
                "published": figure.published + "*" * (figure.source == "independent"),
                "here": "same" if figure.measured == figure.published else figure.measured,
                "allowed": _allowed(figure),
            }
            wrapped = [textwrap.wrap(text, WIDEST, break_long_words=False) for text in cells.values()]
            for line in itertools.zip_longest(*wrapped, fillvalue=""):
                yield dict(zip(cells, line, strict=True))


def _allowed(figure: "Figure") -> str:
    """Return the values that a figure may have instead of the printed one, as text."""
    if figure.published == figure.measured:
        return ""
    if figure.corrected is not None:
        return f"{figure.corrected} meant"
    return f"{figure.range[0]:g} to {figure.range[1]:g}" if figure.range else ""


def _notes(results: "Sequence[Reproduction]") -> str:
    """Return the notes on a paper's rows as paragraphs, one for all rows with the same note."""
    rows: dict[str, list[str]] = {}
    for result in results:
        text = result.skipped or result.row.note
        if text:
            rows.setdefault(text, []).append(result.row.id)
    if any(figure.source == "independent" for result in results for figure in result.figures):
        rows["measured with an independent implementation, since the paper does not print it"] = ["*"]
    wrapper = textwrap.TextWrapper(WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    return "".join(f"{wrapper.fill(', '.join(names) + ': ' + text)}\n" for text, names in rows.items())


def _fields(result: "Reproduction", figure: "Figure") -> dict[str, Any]:
    """Return everything about a figure."""
    least, most = figure.range or (None, None)
    return {
        "paper": result.paper,
        "row": result.row.id,
        "figure": figure.name or None,
        "status": result.status if result.skipped else figure.status,
        "published": figure.published,
        "source": figure.source,
        "corrected": figure.corrected,
        "here": figure.measured,
        "least": least,
        "most": most,
    }
