"""`wordle-kit reproduce`: compare published figures with ours."""

from pathlib import Path
from typing import Annotated, Any

import typer

from wordle_kit.cli import options, values
from wordle_kit.cli.output import note, progress_bar, quiet, say


def reproduce(
    paper: Annotated[str | None, typer.Argument(metavar="PAPER", help="Paper, such as tyl. [default: all]")] = None,
    row: Annotated[
        list[str] | None, typer.Option("--row", metavar="NAME", help="Only this row of a paper. Repeatable.")
    ] = None,
    words: Annotated[
        Path | None, typer.Option("--words", metavar="DIR", help="Folder with word lists that are not bundled.")
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

    from wordle_kit.errors import WordleKitError
    from wordle_kit.names import unknown
    from wordle_kit.papers.published import read_paper
    from wordle_kit.papers.reproduce import reproduce as play_rows
    from wordle_kit.tables import render

    form = values.table_format(format)
    if words is not None and not words.is_dir():
        raise WordleKitError(f"--words: {words} is not a folder")
    files = {path.stem: path for path in sorted((FOLDER / "published").glob("*.toml"))}
    if paper is not None and paper not in files:
        raise WordleKitError(unknown("paper", paper, files))
    papers = [read_paper(path) for name, path in files.items() if paper in (None, name)]
    known = [name for one in papers for name in one.names]
    for name in row or ():
        if name not in known:
            raise WordleKitError(unknown("row", name, known))
    plugins = values.load_plugins()
    folders = [FOLDER / "words", *([words] if words else [])]
    lines: list[dict[str, Any]] = []
    counts = dict.fromkeys(("exact", "close", "differs", "skipped"), 0)
    try:
        with (
            quiet(),
            values.cluster(workers) as executor,
            progress_bar("games") as progress,
        ):
            how: dict[str, Any] = {"workers": workers, "executor": executor, "progress": progress}
            results = play_rows(papers, folders, row or (), plugins=plugins, **how)
    except KeyboardInterrupt:
        note("stopped; nothing was stored")
        raise typer.Exit(130) from None
    for result in results:
        counts[result.status] += 1
        shown = [figure for figure in result.figures if form == "json" or figure.status != "exact"]
        lines.append(
            {
                "paper": result.paper,
                "row": result.row.id,
                "status": result.status,
                "figures": _all_figures(result.figures) if form == "json" else _figures(shown, len(result.figures)),
                "why": result.skipped or result.row.note,
                "command": result.command,
            }
        )
    total = ", ".join(f"{count} {status}" for status, count in counts.items() if count)
    say(render(lines, form, [f"{total}. Each row's command plays just that row."]), nl=False)
    if counts["differs"]:
        raise typer.Exit(1)


def _figures(shown: list[Any], total: int) -> str:
    parts = []
    for figure in shown:
        allowed = f", {figure.range[0]:g} to {figure.range[1]:g} allowed" if figure.range else ""
        parts.append(f"{figure.name}: {figure.published} {figure.source}, {figure.measured} here{allowed}")
    return "; ".join(parts) or (f"all {total} the same" if total else "")


def _all_figures(figures: Any) -> list[dict[str, Any]]:
    return [
        {
            "name": figure.name,
            "published": figure.published,
            "source": figure.source,
            "measured": figure.measured,
            "range": figure.range,
            "status": figure.status,
        }
        for figure in figures
    ]
