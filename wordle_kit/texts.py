"""Other people's text, made safe to show, with one function for each kind of output.

Names, parameters, messages and docstrings come from the authors of plugins. A terminal obeys escape sequences, a
browser obeys tags, and a spreadsheet obeys formulas. All of them reorder text at bidirectional control characters.
"""

import html
import json
import math
import re
from typing import Any

LONGEST_TEXT = 600
"""The default for the most characters of other people's text that are shown."""

LONGEST_SHOWN = 80
"""The most characters of a wrong value that a message shows."""

LONGEST_LABEL = 300
"""The most characters in the label of a strategy with its parameters."""

CUT = "…"

INLINE = re.compile(r"[\\`*\[\]~|$]|(?<![^\W_])_|_(?![^\W_])")
"""Matches characters that have a meaning within a line of Markdown."""

ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;"}

BLOCK = re.compile(r"(?=[-+](?:\s|$)|#{1,6}(?:\s|$)|[-=]+\s*$)|^\d{1,9}(?=[.)](?:\s|$))")
"""Matches texts that begin a list, a heading or a rule in Markdown when they are at the start of a line."""

FORMULA = tuple("=+-@＝＋－＠")
NUMBER = re.compile(r"[-+]?(?:\d[\d,]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?%?")


def plain(text: str) -> str:
    """Return a text that can be encoded as UTF-8. Lone surrogates become backslash escapes."""
    return text.encode("utf-8", "backslashreplace").decode()


def line(text: str, longest: int | None = LONGEST_TEXT) -> str:
    """Return a text, shortened to `longest` characters, as one line.

    Unprintable characters become backslash escapes.
    """
    shown = text if longest is None else text[: longest + 1]
    if not shown.isprintable():
        shown = _escaped(" ".join((text if longest is None else text[: 4 * longest]).split()))
    return shown if longest is None or len(shown) <= longest else shown[: longest - 1] + CUT


def raised(error: BaseException) -> str:
    """Return an exception as one line, even if its `__str__` fails."""
    kind = type(error).__name__
    try:
        text = str(error)
    except Exception:
        text = "its message cannot be read"
    return line(f"{kind}: {text}" if text else kind)


def shown(value: object, longest: int | None = LONGEST_SHOWN) -> str:
    """Return any value as one line, even if its `__repr__` fails."""
    try:
        return line(repr(value), longest)
    except Exception:
        return f"an object of {type(value).__name__}"


def label(text: str) -> str:
    """Return the label of a strategy as one line."""
    return line(text, LONGEST_LABEL)


def terminal(text: str) -> str:
    """Return a text, of any number of lines, without control sequences for terminals."""
    return "\n".join(one if one.isprintable() else _escaped(one) for one in text.split("\n"))


def markdown(text: str, longest: int | None = LONGEST_TEXT) -> str:
    """Return a text as one line of Markdown that shows it unchanged, without tags, marks or cell borders."""
    shown = INLINE.sub(lambda match: "\\" + match[0], line(text, longest).strip())
    shown = "".join(ENTITIES.get(letter, letter) for letter in shown)
    return BLOCK.sub(lambda match: match[0] + "\\", shown, count=1) if BLOCK.match(shown) else shown


def cell(value: object) -> object:
    """Return a value for a cell of a CSV file that spreadsheets do not read as a formula.

    Numbers stay numbers. A single hyphen, which often means that there is no value, stays a hyphen.
    """
    if not isinstance(value, str) or value == "-":
        return value
    shown = line(value, None)
    return f"'{shown}" if shown.lstrip().startswith(FORMULA) and not NUMBER.fullmatch(shown) else shown


def web(text: str, longest: int | None = LONGEST_TEXT) -> str:
    """Return a text as one line of HTML, for the content of an element or for an attribute in quotes."""
    return html.escape(line(text, longest))


def kebab_case(name: str) -> str:
    """Return a class name in kebab case: `ExpectedSize` becomes `expected-size`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name).lower().replace("_", "-")


def percent(chance: float) -> str:
    """Return a probability in percent with two decimals. Only a probability of exactly 0 is shown as 0%."""
    return "0%" if chance == 0 else "<0.01%" if chance < 0.0001 else f"{chance:.2%}"


def number_of(count: int, one: str, many: str = "") -> str:
    """Return a number of things, such as `1 answer` or `2,315 answers`.

    `many` is the plural if it does not just add an s.
    """
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"


def json_text(value: Any, indent: int | None = 2) -> str:
    """Return a value as JSON that is safe to show: unprintable characters and lone surrogates are escaped.

    It is strict JSON, in which a number that is not finite is null.
    """
    text = json.dumps(finite(value), ensure_ascii=False, indent=indent, allow_nan=False)
    if all(map(str.isprintable, text.split("\n"))):
        return text
    return "".join(one if one.isprintable() or one == "\n" else json.dumps(plain(one))[1:-1] for one in text)


def finite(value: Any) -> Any:
    """Return a value of lists, dictionaries and plain values, in which numbers that are not finite become None."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: finite(one) for key, one in value.items()}
    return [finite(one) for one in value] if isinstance(value, list | tuple) else value


def _escaped(text: str) -> str:
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)
