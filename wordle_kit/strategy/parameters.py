"""Parameters as values that JSON, the store and a page can hold, whatever their types."""

import json
import math
from typing import Any

from pydantic_core import to_jsonable_python

from wordle_kit.texts import plain

DEEPEST = 20
"""The deepest nesting of lists and tables."""

LARGEST = 65_536
"""Bytes of all parameters of a strategy, as JSON."""

LARGEST_INTEGER = 10**300


def has_set(value: Any) -> bool:
    """Return whether a value has a set in it, whose elements are in a different order in every process."""
    if isinstance(value, dict):
        return any(map(has_set, value.values()))
    return isinstance(value, set | frozenset) or (isinstance(value, list | tuple) and any(map(has_set, value)))


def in_order(value: Any) -> Any:
    """Return a value as JSON has it, with the elements of sets sorted by their texts."""
    if isinstance(value, dict):
        return {str(key): in_order(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [in_order(one) for one in value]
    if isinstance(value, set | frozenset):
        return sorted((in_order(one) for one in value), key=lambda one: json.dumps(one, sort_keys=True))
    return to_jsonable_python(value)


def storable(value: Any, depth: int = DEEPEST) -> Any:
    """Return a value as JSON has it; values that JSON cannot write, or not every reader can read, become text."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) < LARGEST_INTEGER else hex(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, str):
        return plain(value)
    if depth == 0:
        return "…"
    if isinstance(value, dict):
        return {plain(str(key)): storable(one, depth - 1) for key, one in value.items()}
    return [storable(one, depth - 1) for one in value] if isinstance(value, list | tuple) else plain(repr(value))


def parameters_problem(parameters: object) -> str | None:
    """Return why a value cannot be stored as the parameters of a strategy, or None if it can."""
    if not isinstance(parameters, dict):
        return "are not a table"
    waiting: list[tuple[object, int]] = [(parameters, DEEPEST + 1)]
    while waiting:
        value, depth = waiting.pop()
        if not isinstance(value, dict | list):
            if value is not None and not isinstance(value, str | bool | int | float):
                return "have a value that JSON cannot write"
            if isinstance(value, int) and abs(value) >= LARGEST_INTEGER:
                return "have a number that is too large"
            continue
        if depth == 0:
            return f"are nested more than {DEEPEST} deep"
        if isinstance(value, dict) and not all(isinstance(key, str) for key in value):
            return "have a name that is not text"
        waiting += [(one, depth - 1) for one in (value.values() if isinstance(value, dict) else value)]
    try:
        size = len(json.dumps(parameters, ensure_ascii=False, allow_nan=False).encode())
    except UnicodeError:
        return "have text that is not Unicode"
    except ValueError:
        return "have a number that is not finite"
    return f"take more than {LARGEST:,} bytes" if size > LARGEST else None
