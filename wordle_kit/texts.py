"""Numbers in words, and other people's text, escaped by one function for each kind of output.

Names, parameters, messages and docstrings come from the authors of plugins. A terminal obeys escape sequences, a
browser obeys tags, and a spreadsheet obeys formulas. All of them reorder text at bidirectional control characters.
"""

import html
import json
import math
import re
from typing import Any

LONGEST_TEXT = 600
"""The default maximum length of other people's text."""

LONGEST_SHOWN = 80
"""The most characters of a wrong value in a message."""

CUT = "…"

INLINE = re.compile(r"[\\`*\[\]~|$]|(?<![^\W_])_|_(?![^\W_])")
"""Matches characters that have a meaning within a line of Markdown."""

ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;"}

BLOCK = re.compile(r"(?=[-+](?:\s|$)|#{1,6}(?:\s|$)|[-=]+\s*$)|^\d{1,9}(?=[.)](?:\s|$))")
"""Matches texts that begin a list, a heading or a rule in Markdown when they are at the start of a line."""

FORMULA = tuple("=+-@＝＋－＠")
NUMBER = re.compile(r"[-+]?(?:\d[\d,]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?%?")


def encodable(text: str) -> str:
    """Return a text that can be encoded as UTF-8. Lone surrogates become backslash escapes."""
    return text.encode("utf-8", "backslashreplace").decode()


def one_line(text: str, longest: int | None = LONGEST_TEXT) -> str:
    """Return a text as one line of at most `longest` characters. Unprintable ones become backslash escapes."""
    if not text.isprintable():
        text = _escaped(" ".join(text.split()))
    return text if longest is None or len(text) <= longest else text[: longest - 1] + CUT


def short_repr(value: object, longest: int | None = LONGEST_SHOWN) -> str:
    """Return any value as one line."""
    return one_line(repr(value), longest)


def terminal(text: str) -> str:
    """Return a text, of any number of lines, without control sequences for terminals."""
    return "\n".join(part if part.isprintable() else _escaped(part) for part in text.split("\n"))


def markdown(text: str) -> str:
    """Return a text as one line of Markdown that shows it unchanged, without tags, marks or cell borders."""
    inline = INLINE.sub(lambda match: "\\" + match[0], one_line(text).strip())
    escaped = "".join(ENTITIES.get(letter, letter) for letter in inline)
    return BLOCK.sub(lambda match: match[0] + "\\", escaped, count=1) if BLOCK.match(escaped) else escaped


def cell(value: object) -> object:
    """Return a value for a cell of a CSV file that spreadsheets do not read as a formula.

    Numbers stay numbers. A single hyphen, which often means that there is no value, stays a hyphen.
    """
    if not isinstance(value, str) or value == "-":
        return value
    text = one_line(value, None)
    return f"'{text}" if text.lstrip().startswith(FORMULA) and not NUMBER.fullmatch(text) else text


def web(text: str) -> str:
    """Return a text as one line of HTML, for the content of an element or for an attribute in quotes."""
    return html.escape(one_line(text))


def kebab_case(name: str) -> str:
    """Return a class name in kebab case: `ExpectedSize` becomes `expected-size`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name).lower().replace("_", "-")


def percent(chance: float) -> str:
    """Return a probability as a percentage with two decimals. Only exactly 0 is shown as 0%."""
    return "0%" if chance == 0 else "<0.01%" if chance < 0.0001 else f"{chance:.2%}"


def number_of(count: int, one: str, many: str = "") -> str:
    """Return a number of things, such as `1 answer` or `2,315 answers`.

    `many` is the plural if it is irregular.
    """
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"


def json_text(value: Any, indent: int | None = 2) -> str:
    """Return a value as JSON that is safe to show: unprintable characters and lone surrogates are escaped.

    It is strict JSON, in which a number that is not finite is null.
    """
    text = json.dumps(finite(value), ensure_ascii=False, indent=indent, allow_nan=False)
    if all(map(str.isprintable, text.split("\n"))):
        return text
    return "".join(char if char.isprintable() or char == "\n" else json.dumps(encodable(char))[1:-1] for char in text)


def finite(value: Any) -> Any:
    """Return a value of lists, dictionaries and plain values, in which numbers that are not finite become None."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: finite(part) for key, part in value.items()}
    return [finite(part) for part in value] if isinstance(value, list | tuple) else value


def _escaped(text: str) -> str:
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
