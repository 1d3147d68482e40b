"""Write charts as files: SVG, PNG, an HTML page that needs no network, or Vega-Lite JSON."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordle_kit.errors import WordleKitError
from wordle_kit.extras import needed
from wordle_kit.files import write_file
from wordle_kit.texts import plain, web

if TYPE_CHECKING:
    import altair

KINDS = (".svg", ".png", ".html", ".json")
"""The endings of files that a chart can be written to."""

PNG_SCALE = 2.0

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>h1 {{ position: absolute; clip-path: inset(50%); }}</style>
</head>
<body>
<main><h1>{title}</h1><div id="chart"></div></main>
<script>{libraries}</script>
<script>vegaEmbed("#chart", {spec}, {options}).then(() =>
  document.querySelector("#chart summary").setAttribute("aria-label", "Save the chart"));</script>
</body>
</html>
"""

POLICY = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:"
"""Vega compiles expressions; nothing is loaded from anywhere."""

OPTIONS = {"renderer": "svg", "actions": {"export": True, "source": False, "compiled": False, "editor": False}}


def write_chart(chart: "altair.TopLevelMixin", path: Path) -> None:
    """Write a chart to a file, in the format given by its ending. Raises WordleKitError if that fails."""
    kind = check_kind(path)
    spec = chart.to_dict()
    if kind == ".json":
        content = (json.dumps(spec, indent=2) + "\n").encode()
    elif kind == ".png":
        content = _convert().vegalite_to_png(spec, scale=PNG_SCALE)
    elif kind == ".svg":
        content = _described(_convert().vegalite_to_svg(spec), spec).encode()
    else:
        content = page_of_chart(spec).encode()
    write_file(path, content)


def check_kind(path: Path) -> str:
    """Return the ending of a file's name. Raises WordleKitError if no chart can be written to such a file."""
    if path.suffix.lower() not in KINDS:
        raise WordleKitError(f"{path}: a plot is written as {', '.join(KINDS[:-1])} or {KINDS[-1]}; name such a file")
    return path.suffix.lower()


def page_of_chart(spec: dict[str, Any]) -> str:
    """Return an HTML page that shows a chart without a network. Its texts are escaped.

    Vega shows the title in the picture, and gives the description to screen readers.
    """
    return PAGE.format(
        policy=POLICY,
        title=web(str(spec.get("title", "")), None),
        libraries=_convert().javascript_bundle(),
        spec=_script(spec),
        options=_script(OPTIONS),
    )


def _convert() -> Any:
    return needed("vl_convert", "plots", "plots")


def _described(svg: str, spec: dict[str, Any]) -> str:
    """Return an SVG picture with its title and description for screen readers."""
    head = f"<title>{web(str(spec.get('title', '')), None)}</title><desc>{web(str(spec['description']), None)}</desc>"
    tag, bracket, rest = svg.partition(">")
    return f'{tag} role="img" aria-label="{web(str(spec["description"]), None)}"{bracket}{head}{rest}\n'


def _script(value: Any) -> str:
    """Return a value as JavaScript whose texts cannot end the script element."""
    text = json.dumps(value)  # in ASCII
    return plain(text).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
