"""The Sphinx extension of the site: it completes the text of pages before Sphinx reads them."""

import re
from pathlib import Path
from typing import Any

from sitegen.api import with_sources
from sitegen.catalogue import catalogue
from sitegen.commands import reference
from sitegen.contents import toctrees
from sitegen.notebook import as_markdown

LISTS = ("docs/index", "leaderboard/README")
"""The pages whose tables list all others."""

MADE = {"<!-- all commands -->": reference, "<!-- all strategies -->": catalogue}
"""What comes in the place of a comment. In the files, pages say where else it can be seen."""

LINK = re.compile(r"\[([^\]]+)\]\(([^)\s:#]+)\)")


def complete(app: Any, name: str, source: list[str]) -> None:
    """Add to the text of a page what is made for it."""
    path = Path(app.env.doc2path(name))
    if path.suffix == ".ipynb":
        source[0] = as_markdown(source[0])
    if name in LISTS:
        source[0] += toctrees(source[0])
    if name == "docs/api":
        source[0] = with_sources(source[0])
    for comment, make in MADE.items():
        if comment in source[0]:
            source[0] = source[0].replace(comment, make())
    source[0] = without_folders(source[0], path.parent)


def without_folders(text: str, here: Path) -> str:
    """Return the text of a page without links to folders, which a site does not show."""
    return LINK.sub(lambda link: link[1] if (here / link[2]).is_dir() else link[0], text)


def setup(app: Any) -> dict[str, Any]:
    """Connect the functions above."""
    app.connect("source-read", complete)
    return {"parallel_read_safe": True}
