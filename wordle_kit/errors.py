"""The errors that a user can cause, and the checks that raise them.

Each has a one-line message with advice, such as "did you mean ...?".
"""

import contextlib
import difflib
import errno
import numbers
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from wordle_kit.texts import short_repr

if TYPE_CHECKING:
    from pydantic import ValidationError

MEMBER_OF_UNION = re.compile(r"str|(list|tuple|dict)\[.*|(constrained|function)-.*")
"""Matches the names of a union's types, which pydantic adds to the location of an error."""

SHORTAGES = {errno.ENOMEM, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EMFILE, errno.ENFILE}
"""System errors that mean too little memory or disk space, too many open files, or a file that is too large."""


class WordleKitError(Exception):
    """An error that the user can fix. The message says what is wrong, where, and what to do."""

    def __init__(self, message: str = "", *more: object, settings: Sequence[str] = ()) -> None:
        super().__init__(" ".join(message.splitlines()), *more)
        self.settings = tuple(settings)
        """The settings that would help, such as `store`. The command line appends its options of these names."""


class GameError(WordleKitError):
    """A game, a word list or a word that cannot be used."""


class RuleError(GameError):
    """A rule that breaks its promises, for example with a code out of range. Strategies are not blamed for it."""


class PuzzleError(WordleKitError):
    """Puzzles that do not fit the game."""


class StrategyError(WordleKitError):
    """A strategy that does not exist, or has no such parameters."""


class PluginError(WordleKitError):
    """A plugin that cannot be loaded, or that registers something invalid."""


class StoreError(WordleKitError):
    """A store of results that cannot be opened, read or written."""


class MachineError(WordleKitError):
    """A problem of this machine, such as too little memory, or a sandbox that does not start.

    It never counts as a result.
    """


class TreeError(WordleKitError):
    """A decision tree that does not solve its game."""


def unknown(kind: str, name: object, known: Iterable[str], advice: str = "") -> str:
    """Return the message for an unknown name. It suggests a similar name or, if there is none, lists all names."""
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1) if isinstance(name, str) else []
    hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(names) or 'none'}{advice}"
    return f"no {kind} is called {short_repr(name)}; {hint}"


def problem_in(error: "ValidationError", fields: Iterable[str] | None = None) -> str:
    """Return the first problem with the fields of a model as one line: the place, pydantic's words and the value.

    Items of lists are counted from 1. If `fields` has the names of all fields, an unknown name gets a suggestion.
    """
    problem = error.errors(include_url=False)[0]
    parts = [str(part + 1) if isinstance(part, int) else part for part in problem["loc"]]
    place = ".".join(part for part in parts if not MEMBER_OF_UNION.fullmatch(part))
    if problem["type"] == "extra_forbidden" and fields is not None and len(parts) == 1:
        return unknown("setting", place, fields)
    text = problem["msg"].removeprefix("Value error, ")
    if problem["type"] not in ("missing", "value_error"):
        text += f", not {short_repr(problem['input'])}"
    return f"{place}: {text}" if place else text


def whole(name: str, value: Any, least: int | None = None) -> int:
    """Return a whole number. Raises WordleKitError, which names the argument, if it is not one or is below `least`."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise WordleKitError(f"{name} is {short_repr(value)}; give a whole number")
    if least is not None and int(value) < least:
        raise WordleKitError(f"{name} is {value}; give {least} or more")
    return int(value)


def positive(name: str, value: Any) -> float:
    """Return a number above 0 or infinity. Raises WordleKitError, which names the argument, for anything else."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not float(value) > 0:
        raise WordleKitError(f"{name} is {short_repr(value)}; give a number of more than 0")
    return float(value)


def listed(value: Any) -> list[Any]:
    """Return the items of a list, or a list with the single item that was given."""
    is_model = hasattr(value, "model_dump")  # iterating over a strategy would give its fields
    is_one = is_model or isinstance(value, str | bytes | os.PathLike) or not isinstance(value, Iterable)
    return [value] if is_one else list(value)


def shortage(error: BaseException) -> str | None:
    """Return a message with advice if an exception means that the machine is short of a resource, else None."""
    if isinstance(error, MemoryError):
        return "there is not enough memory; give the feedback table less, or use fewer workers"
    if isinstance(error, OSError) and error.errno in SHORTAGES:
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{os.strerror(error.errno)}; free memory, disk space or open files"
    return None


@contextlib.contextmanager
def blaming_the_machine() -> Iterator[None]:
    """Turn exceptions of the engine into MachineError if the machine is short of a resource."""
    try:
        yield
    except (MemoryError, OSError) as error:
        problem = shortage(error)
        if problem is None:
            raise
        settings = ["memory", "workers"] if isinstance(error, MemoryError) else []
        raise MachineError(problem, settings=settings) from error
