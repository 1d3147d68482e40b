"""Tables of contents for Sphinx, from the tables of pages that a page has anyway."""

import re

SECTION = re.compile(r"^## (?P<title>.+)$", re.MULTILINE)
ROW = re.compile(r"^\| \[[^\]]+\]\((?P<path>[^):#]+)\.(?:md|ipynb)\)", re.MULTILINE)


def toctrees(text: str) -> str:
    """Return a hidden table of contents for each section of a page: the pages with which rows of its tables begin."""
    parts = SECTION.split(text)
    titles = ["", *parts[1::2]]
    made = []
    for title, part in zip(titles, parts[::2], strict=True):
        pages = ROW.findall(part)
        if pages:
            caption = [f":caption: {title}"] * bool(title)
            made.append("\n".join(["", "```{toctree}", ":hidden:", *caption, "", *pages, "```", ""]))
    return "".join(made)
