"""Names: a class's name on the command line, and suggestions for unknown names."""

import difflib
import re
from collections.abc import Iterable

from wordle_kit.texts import line

LONGEST_SHOWN = 80
"""The number of characters of a wrong value that a message shows."""


def kebab_case(name: str) -> str:
    """Return a class's name in kebab case: `ExpectedSize` becomes `expected-size`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name).lower().replace("_", "-")


def shown(value: object, longest: int | None = LONGEST_SHOWN) -> str:
    """Return other people's value as one line, even if its own `__repr__` fails."""
    try:
        text = repr(value)
    except Exception:
        text = f"an object of {type(value).__name__}"
    return line(text, longest)


def unknown(kind: str, name: object, known: Iterable[str], advice: str = "") -> str:
    """Return the message for an unknown name, with a similar name if there is one, otherwise with all names."""
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1) if isinstance(name, str) else []
    hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(names) or 'none'}{advice}"
    return f"no {kind} is called {shown(name)}; {hint}"
