"""The notebook as a page: its cells, and what they show when they are run, which is done whenever the site is built."""

import ast
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def as_markdown(notebook: str) -> str:
    """Return the text of a notebook as Markdown, with the results of its cells."""
    names: dict[str, Any] = {"__name__": "__main__"}
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            return "\n\n".join(part for cell in json.loads(notebook)["cells"] for part in parts_of(cell, names))
        finally:
            os.chdir(before)


def parts_of(cell: dict[str, Any], names: dict[str, Any]) -> Iterator[str]:
    """Yield a cell and what it shows, after running it."""
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield source
        return
    yield f"```python\n{source}\n```"
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), names)  # noqa: S102 - a notebook of this project
    value = None if last is None else eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)  # noqa: S307 - as above
    if value is not None:
        yield shown(value)


def shown(value: Any) -> str:
    """Return a value as a notebook shows it: a chart as a picture, a table in HTML, or a text."""
    if type(value).__module__.startswith("altair."):
        import vl_convert

        html = vl_convert.vegalite_to_svg(value.to_json())
    elif hasattr(value, "_repr_html_"):
        html = value._repr_html_()
    else:
        return f"```text\n{value!r}\n```"
    return f'``````{{raw}} html\n<div class="output">\n{html}\n</div>\n``````'
