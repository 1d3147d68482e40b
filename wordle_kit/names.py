"""Names: how a class is called on the command line, and what to suggest for a name that nobody has."""

import difflib
import re
from collections.abc import Iterable


def kebab_case(name: str) -> str:
    """Return a class's name as the command line writes it: `ExpectedSize` becomes `expected-size`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name).lower().replace("_", "-")


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """Return the message for a name that nobody has, with the nearest name there is, or with all of them."""
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(names) or 'none'}"
    return f"no {kind} is called {name!r}; {hint}"
