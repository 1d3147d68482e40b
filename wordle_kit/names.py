"""Names in kebab case, aliases, and suggestions for unknown names."""

import difflib
import re
from collections.abc import Iterable, Mapping

from wordle_kit.errors import WordleKitError
from wordle_kit.texts import line

LONGEST_SHOWN = 80
"""The most characters of a wrong value that a message shows."""


def kebab_case(name: str) -> str:
    """Return a class name in kebab case: `ExpectedSize` becomes `expected-size`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name).lower().replace("_", "-")


def shown(value: object, longest: int | None = LONGEST_SHOWN) -> str:
    """Return any value as one line, even if its `__repr__` raises."""
    try:
        text = repr(value)
    except Exception:
        text = f"an object of {type(value).__name__}"
    return line(text, longest)


def unknown(kind: str, name: object, known: Iterable[str], advice: str = "") -> str:
    """Return the message for an unknown name. It suggests a similar name or, if there is none, lists all names."""
    names = sorted(known)
    near = nearest(name, names)
    hint = f"did you mean {near!r}?" if near else f"there are: {', '.join(names) or 'none'}{advice}"
    return f"no {kind} is called {shown(name)}; {hint}"


def nearest(name: object, known: Iterable[str]) -> str | None:
    """Return the known name that is most similar to a name, or None if none is similar."""
    near = difflib.get_close_matches(name, list(known), n=1) if isinstance(name, str) else []
    return near[0] if near else None


def check_game_name(name: str) -> None:
    """Raise WordleKitError unless this can be the name of a game and of its folder."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9._-]*", name):
        raise WordleKitError(f"{name!r} cannot name a game; use lower-case letters, digits and -, as in wort-5")


def current_label(label: str, aliases: Mapping[str, str]) -> str:
    """Return the label of a strategy with its current name in place of an alias. Parameters stay as they are."""
    name, bracket, parameters = label.partition("(")
    return f"{aliases.get(name, name)}{bracket}{parameters}"
