"""Checks of arguments: numbers, paths and fields of models, with messages in plain words."""

import math
import numbers
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from wordle_kit.errors import WordleKitError, unknown
from wordle_kit.texts import shown

TYPES = {
    "int": "a whole number",
    "float": "a number",
    "decimal": "a number",
    "bool": "true or false",
    "string": "a text",
    "bytes": "bytes",
    "list": "a list",
    "tuple": "a list",
    "set": "a list of different values",
    "frozen_set": "a list of different values",
    "dict": "a table of names and values",
    "mapping": "a table of names and values",
    "path": "a path",
    "model": "a table of names and values",
    "iterable": "a list",
    "sequence": "a list",
}
"""The names for types of values, by the first part of pydantic's problem types."""

BOUNDS = {
    "greater_than_equal": ("ge", "{} or more"),
    "greater_than": ("gt", "more than {}"),
    "less_than_equal": ("le", "{} or less"),
    "less_than": ("lt", "less than {}"),
    "multiple_of": ("multiple_of", "a multiple of {}"),
    "too_short": ("min_length", "a list of {} or more"),
    "too_long": ("max_length", "a list of {} or fewer"),
    "string_too_short": ("min_length", "a text of {} or more characters"),
    "string_too_long": ("max_length", "a text of {} or fewer characters"),
    "string_pattern_mismatch": ("pattern", "a text of the form {}"),
    "literal_error": ("expected", "{}"),
    "enum": ("expected", "{}"),
}
"""The keys for bounds in pydantic's problems, with the words for them."""

MEMBER_OF_UNION = re.compile(r"str|(list|tuple|dict)\[.*|(constrained|function)-.*")
"""Matches the names of a union's types, which pydantic adds to the place of a problem."""


if TYPE_CHECKING:  # type checkers recognise models only by this metaclass
    from pydantic._internal._model_construction import ModelMetaclass

    Checked = ModelMetaclass
else:

    class Checked(type(BaseModel)):
        """A metaclass for models that users create. A wrong argument raises WordleKitError."""

        def __call__(cls, *args: Any, **kwargs: Any) -> Any:
            """Return an object of the class. Raises WordleKitError, which names the wrong argument."""
            if args:
                raise cls.refusal("give every parameter by its name")
            missing = sorted(getattr(cls, "__abstractmethods__", ()))
            if missing:
                raise cls.refusal(f"the class {cls.__name__} has no method {missing[0]!r}; write one")
            try:
                return super().__call__(**kwargs)
            except ValidationError as error:
                raise cls.refusal(problem_in(error, cls.model_fields)) from None

        def refusal(cls, problem: str) -> WordleKitError:
            """Return the error for a wrong argument."""
            return WordleKitError(f"{cls.__name__}: {problem}")


def problem_in(error: ValidationError, fields: Any = None) -> str:
    """Return the first problem with the fields of a model as one line: the place, and what is wrong.

    Items of lists are counted from 1. If `fields` has the names of all fields, an unknown name gets a suggestion.
    """
    problem = error.errors(include_url=False)[0]
    parts = [str(part + 1) if isinstance(part, int) else part for part in problem["loc"]]
    place = ".".join(part for part in parts if not MEMBER_OF_UNION.fullmatch(part))
    if problem["type"] == "extra_forbidden" and fields and len(parts) == 1:
        return unknown("setting", place, fields)
    text = _in_words(problem)
    return f"{place}: {text}" if place else text


def _in_words(problem: Any) -> str:
    """Return a description of the problem with a value, given a problem from pydantic."""
    kind, context = problem["type"], problem.get("ctx", {})
    if kind == "missing":
        return "is missing"
    if kind == "extra_forbidden":
        return "there is no such setting"
    if kind in ("value_error", "assertion_error"):
        return " ".join(str(context.get("error", "")).split()) or "cannot be this"
    value = shown(problem["input"])
    if kind in BOUNDS:
        name, wanted = BOUNDS[kind]
        bound = context.get(name)
        return f"is {value}; give {wanted.format(f'{bound:g}' if isinstance(bound, float) else bound)}"
    if kind in ("is_instance_of", "is_subclass_of"):
        return f"is {value}; give a {context['class']}"
    if kind == "model_type" and isinstance(problem["input"], BaseModel):
        return f"is {value}; give a {context['class_name']}"
    if kind in ("dataclass_type", "model_type"):
        return f"is {value}; give a table of names and values"
    if kind == "union_tag_invalid":
        return f"{str(context['discriminator']).strip(chr(39))} is {context['tag']!r}; give {context['expected_tags']}"
    if kind == "finite_number":
        return f"is {value}; give a finite number"
    for start in sorted(TYPES, key=len, reverse=True):
        if kind.startswith(f"{start}_"):
            return f"is {value}; give {TYPES[start]}"
    return f"cannot be {value}"


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
