"""The Sphinx extension of the site: it completes the text of pages before Sphinx reads them, and writes other pages."""

import re
from functools import partial
from pathlib import Path
from typing import Any

from sitegen.access import accessible
from sitegen.api import names
from sitegen.catalogue import catalogue
from sitegen.commands import reference
from sitegen.contents import toctrees
from sitegen.notebook import as_markdown
from sitegen.pages import link, write_pages

LISTS = ("docs/index", "leaderboard/README")
"""The pages whose tables list all others."""

MADE = {
    "<!-- all commands -->": reference,
    "<!-- all names -->": names,
    "<!-- all strategies -->": catalogue,
    "<!-- see a leaderboard -->": partial(link, "leaderboard", "See the page of a leaderboard"),
    "<!-- play a puzzle -->": partial(link, "puzzle", "Play today's puzzle"),
}
"""What comes in the place of a comment. Who reads the files does not see the comment."""

LINK = re.compile(r"\[([^\]]+)\]\(([^)\s:#]+)\)")


def complete(app: Any, name: str, source: list[str]) -> None:
    """Add to the text of a page what is made for it."""
    path = Path(app.env.doc2path(name))
    text = as_markdown(source[0]) if path.suffix == ".ipynb" else source[0]
    if name in LISTS:
        text += toctrees(text)
    for comment, make in MADE.items():
        if comment in text:
            text = text.replace(comment, make())
    source[0] = without_folders(text, path.parent)


def without_folders(text: str, here: Path) -> str:
    """Return the text of a page without links to folders, which a site does not show."""
    return LINK.sub(lambda link: link[1] if (here / link[2]).is_dir() else link[0], text)


def finish(app: Any, exception: Exception | None) -> None:
    """Complete the pages that Sphinx has written, and write the others."""
    if exception is None and app.builder.format == "html":
        for path in Path(app.outdir).rglob("*.html"):
            path.write_text(accessible(path.read_text(encoding="utf-8")), encoding="utf-8")
        write_pages(Path(app.outdir) / "made")


def setup(app: Any) -> dict[str, Any]:
    """Connect the functions above."""
    app.connect("source-read", complete)
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True}
