"""A page as one HTML file: its frame, style, script and data, under a policy that forbids all requests."""

import base64
import gzip
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jinja2

import wordle_kit as wk
from wordle_kit.texts import encodable, number_of, one_line

HERE = Path(__file__).parent


def html_of(folder: Path, payload: str, scripts: Sequence[str] = ("script.js",), **values: Any) -> str:
    """Return the page of a folder, which contains template.html.jinja, style.css and these scripts.

    `values` are used in the template, which extends base.html.jinja. The page's style and scripts come after base.css
    and base.js. Its Content-Security-Policy contains their hashes, so no other script or style works. `payload` is the
    data for the script as text.
    """
    style = _text(HERE / "base.css", folder / "style.css")
    script = _text(HERE / "base.js", *(folder / name for name in scripts))
    template = _environment(folder).get_template("template.html.jinja")
    hashes = {"style_hash": _hash(style), "script_hash": _hash(script)}
    return encodable(
        template.render(style=style, script=script, payload=payload, version=wk.__version__, **hashes, **values)
    )


def _text(*paths: Path) -> str:
    """Return the text of files, one after another."""
    return "".join(path.read_text(encoding="utf-8") for path in paths)


def _hash(text: str) -> str:
    """Return the hash of an inline script or style in the form for a Content-Security-Policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _environment(folder: Path) -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader([folder, HERE]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["line"] = one_line  # for text from plugins
    environment.filters["number_of"] = number_of
    return environment


def compressed(data: Any) -> str:
    """Return data as gzipped JSON in base64, which `decompressed` of base.js reads."""
    text = json.dumps(data, separators=(",", ":")).encode()
    return base64.b64encode(gzip.compress(text, 9, mtime=0)).decode("ascii")
