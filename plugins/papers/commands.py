"""`wordle-kit reproduce`: compare published figures with those of wordle-kit."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wordle_kit.cli import options, values
from wordle_kit.cli.output import note, progress_bar, quiet, say

if TYPE_CHECKING:
    from wordle_kit_plugins.papers.reproduce import Figure


def reproduce(
    paper: Annotated[str | None, typer.Argument(metavar="PAPER", help="Paper, such as tyl. [default: all]")] = None,
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

    A row is exact, close (within the range that ties allow) or differs. The exit code is 1 if any row differs.

    For example:
        wordle-kit reproduce
    """
    from wordle_kit_data import FOLDER
    from wordle_kit_plugins.papers.reproduce import read_paper
    from wordle_kit_plugins.papers.reproduce import reproduce as play_rows

    from wordle_kit.errors import WordleKitError, unknown
    from wordle_kit.tables import render

    plugins = values.load_plugins()
    form = values.table_format(format, plugins)
    if lists is not None and not lists.is_dir():
        raise WordleKitError(f"--lists: {lists} is not a folder")
    files = {path.stem: path for path in sorted((FOLDER / "published").glob("*.toml"))}
    if paper is not None and paper not in files:
        raise WordleKitError(unknown("paper", paper, files))
    papers = [read_paper(path) for name, path in files.items() if paper in (None, name)]
    known = [each.id for one in papers for each in one.rows]
    for name in row or ():
        if name not in known:
            raise WordleKitError(unknown("row", name, known))
    folders = [FOLDER / "words", *([lists] if lists else [])]
    try:
        with quiet(), progress_bar("games") as progress:
            results = play_rows(papers, folders, row or (), plugins=plugins, workers=workers, progress=progress)
    except KeyboardInterrupt:
        note("stopped; nothing was stored")
        raise typer.Exit(130) from None
    lines = [
        {
            "paper": result.paper,
            "row": result.row.id,
            "status": result.status,
            "figures": [_fields(each) for each in result.figures]
            if form.name == "json"
            else _differences(result.figures),
            "why": result.skipped or result.row.note,
            "command": result.command,
        }
        for result in results
    ]
    counts = Counter(str(result.status) for result in results)
    total = ", ".join(f"{counts[name]} {name}" for name in ("exact", "close", "differs", "skipped") if counts[name])
    say(render(lines, form, [f"{total}. Each row's command plays just that row."]), nl=False)
    if counts["differs"]:
        raise typer.Exit(1)


def _differences(figures: "Sequence[Figure]") -> str:
    """Return the figures that are not exact, as text."""
    parts = []
    for figure in figures:
        if figure.status != "exact":
            allowed = f", {figure.range[0]:g} to {figure.range[1]:g} allowed" if figure.range else ""
            parts.append(f"{figure.name}: {figure.published} {figure.source}, {figure.measured} here{allowed}")
    return "; ".join(parts) or (f"all {len(figures)} the same" if figures else "")


def _fields(figure: "Figure") -> dict[str, Any]:
    names = ("name", "published", "source", "measured", "range", "status")
    return {name: getattr(figure, name) for name in names}
