"""Checks of arguments: numbers, paths and fields of models."""

import math
import numbers
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from wordle_kit.errors import WordleKitError, unknown
from wordle_kit.texts import shown

MEMBER_OF_UNION = re.compile(r"str|(list|tuple|dict)\[.*|(constrained|function)-.*")
"""Matches the names of a union's types, which pydantic adds to the place of a problem."""


class Checked(BaseModel):
    """A model that users make. A wrong argument raises WordleKitError with one line."""

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise WordleKitError(f"{type(self).__name__}: {problem_in(error, type(self).model_fields)}") from None


def problem_in(error: ValidationError, fields: Iterable[str] | None = None) -> str:
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
        text += f", not {shown(problem['input'])}"
    return f"{place}: {text}" if place else text


def whole(name: str, value: Any, least: int | None = None) -> int:
    """Return a whole number that is at least `least`.

    Raises WordleKitError, which names the argument, for other values.
    """
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise WordleKitError(f"{name} is {shown(value)}; give a whole number")
    if least is not None and int(value) < least:
        raise WordleKitError(f"{name} is {value}; give {least} or more")
    return int(value)


def positive(name: str, value: Any) -> float:
    """Return a number above 0; it may be infinite.

    Raises WordleKitError, which names the argument, for other values.
    """
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or math.isnan(float(value)):
        raise WordleKitError(f"{name} is {shown(value)}; give a number of more than 0")
    if not float(value) > 0:
        raise WordleKitError(f"{name} is {value}; give more than 0")
    return float(value)


def path_of(name: str, value: Any) -> Path:
    """Return a path. Raises WordleKitError, which names the argument, if it is neither a text nor a path."""
    if isinstance(value, str | os.PathLike) and str(value).strip():
        try:
            return Path(value).expanduser()
        except RuntimeError:  # unknown user after ~
            pass
        except TypeError as error:
            raise WordleKitError(f"{name} is {shown(value)}; give the path of a file") from error
    raise WordleKitError(f"{name} is {shown(value)}; give the path of a file")


def listed(value: Any) -> list[Any]:
    """Return the items of a list, or a list with the single item that was given."""
    if isinstance(value, str | bytes | os.PathLike | type | BaseModel):  # iterating over a model gives its fields
        return [value]
    try:
        return list(value)
    except TypeError:
        return [value]
