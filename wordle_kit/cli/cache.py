"""`wordle-kit cache`: the feedback tables that are kept on disk."""

from typing import Annotated

from wordle_kit.cli import options, panels, values
from wordle_kit.cli.output import note, say
from wordle_kit.texts import number_of

KINDS = {"table": "feedback table"}
"""The kinds of files, in words."""


def cache(
    clear: Annotated[bool, panels.output("--clear", help="Remove all of them.")] = False,
    format: options.FormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """List, or remove, the feedback tables that are kept on disk.

    Tables of slow rules are kept so that later commands need not compute them again. They can be removed at any time.
    The variable WORDLE_KIT_CACHE names their folder; if it is empty, none are kept.

    For example:
        wordle-kit cache
        wordle-kit cache --clear
    """
    from datetime import UTC, datetime

    from wordle_kit import disk_cache
    from wordle_kit.tables import render

    form = values.table_format(format)
    folder = disk_cache.folder()
    rows = [
        {
            "file": kept.path.name,
            "what it is": KINDS.get(kept.kind, "unfinished"),
            "MB": round(kept.nbytes / 1e6, 1),
            "last used": f"{datetime.fromtimestamp(kept.used, UTC):%Y-%m-%d %H:%M}",
        }
        for kept in disk_cache.contents()
    ]
    if clear:
        count = disk_cache.clear()
        if form != "table":
            say(render(rows, form), nl=False)
        note(f"removed {number_of(count, 'file')}")
        return
    if rows or form != "table":
        say(render(rows, form), nl=False)
    where = "nothing is kept, because WORDLE_KIT_CACHE is empty" if folder is None else f"in {folder}"
    note(where if rows or folder is None else f"nothing is kept yet {where}")
