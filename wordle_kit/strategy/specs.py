"""Specs: the grammar of texts that name a strategy and its parameters, such as `entropy(pool=candidates)`."""

import itertools
import math
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from wordle_kit.errors import StrategyError
from wordle_kit.texts import shown

SAYABLE = r"[\w.:+-]+"
"""The pattern of a strategy's name in a spec."""

SPEC = rf"\s*({SAYABLE})\s*(?:\((.*)\)\s*)?"
"""The pattern of a spec: the name, and the text in its brackets."""

NUMBER = r"-?\d+(?:\.\d+)?"
RANGE = rf"({NUMBER})\.\.({NUMBER})(?:\.\.(\d+(?:\.\d+)?))?"
"""The pattern of a range of numbers: the first, the last and optionally the step."""

MOST_VARIANTS = 1000
"""The most strategies that one spec may stand for."""

BRACKETS = {"(": ")", "[": "]"}


def parse_spec(spec: str) -> tuple[str, dict[str, Any]]:
    """Return the name and the parameters in a spec such as `entropy(pool=candidates, opener=crate)`.

    A value ends at the next comma or bracket. A value in quotes may contain any character, and `[a, b]` is a list of
    values. A value may itself be a spec with brackets. Raises StrategyError, which names the place. A spec that stands
    for several strategies is an error too.
    """
    match = re.fullmatch(SPEC, spec, re.DOTALL)
    if match is None:
        raise StrategyError(f"{spec!r} is not a strategy; write name or name(parameter=value, ...)")
    name, inside = match[1], match[2] or ""
    parameters: dict[str, Any] = {}
    for part in _split(inside, spec):
        key, equals, value = part.partition("=")
        if not equals or not key.strip().isidentifier():
            raise StrategyError(f"{spec!r}: {part.strip()!r} is not a parameter; write name=value")
        if key.strip() in parameters:
            raise StrategyError(f"{spec!r}: {key.strip()!r} is set twice")
        if _choices(value.strip(), spec) != [value.strip()]:
            raise StrategyError(
                f"{spec!r}: {value.strip()!r} stands for several values; give one here, or put it in quotes"
            )
        parameters[key.strip()] = _value(value.strip(), spec)
    return name, parameters


def variants(spec: str) -> list[str]:
    """Return the specs that a spec stands for: one for each combination of the values of its parameters.

    In `entropy(endgame=0..20, pool=guesses|candidates)`, one parameter has 21 values and the other has two. `0..20..5`
    stands for 0, 5, 10, 15 and 20. A value in quotes is a single value. Raises StrategyError for more than 1,000 specs,
    and for a range or a choice that cannot be read.
    """
    match = re.fullmatch(SPEC, spec, re.DOTALL)
    if match is None or not match[2]:
        return [spec]
    swept = []
    for part in _split(match[2], spec):
        key, _, value = part.partition("=")
        found = _choices(value.strip(), spec)
        swept.append([part] if found == [value.strip()] else [f"{key}={one}" for one in found])
    check_number(math.prod(map(len, swept)), spec)
    return [f"{match[1]}({','.join(parts)})" for parts in itertools.product(*swept)]


def _choices(text: str, spec: str) -> list[str]:
    """Return the values that a parameter has, as texts: the numbers of a range, or the texts between `|`."""
    parts = [part.strip() for part in _split(text, spec, "|")]
    if "|" in text and (text.endswith("|") or not all(parts)):
        raise StrategyError(f"{spec!r}: a value beside | is missing in {text!r}; write a|b, or put it in quotes")
    ranges = [(part, re.fullmatch(RANGE, part)) for part in parts]
    found = [[part] if bounds is None else _numbers(bounds, spec) for part, bounds in ranges]
    return [*itertools.chain(*found)] or [text]


def _numbers(bounds: re.Match[str], spec: str) -> list[str]:
    """Return the numbers of a range as texts, computed in decimal so that they are exact."""
    low, high, step = (Decimal(number or 1) for number in bounds.groups())
    if step == 0 or high < low:
        raise StrategyError(f"{spec!r}: {bounds[0]!r} is not a range; write LOW..HIGH or LOW..HIGH..STEP")
    count = int((high - low) / step) + 1
    check_number(count, spec)
    return [f"{(low + number * step).normalize():f}" for number in range(count)]


def check_number(count: int, spec: object) -> None:
    """Raise StrategyError if a spec, or a strategy with several values for parameters, stands for too many."""
    if count > MOST_VARIANTS:
        raise StrategyError(f"{shown(spec)} stands for {count:,} strategies; give at most {MOST_VARIANTS:,}")


def _value(text: str, spec: str) -> Any:
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    if text.startswith("[") and text.endswith("]"):
        return [_value(part.strip(), spec) for part in _split(text[1:-1], spec)]
    return None if text == "none" else text


def _split(text: str, spec: str, mark: str = ",") -> Iterator[str]:
    """Yield the parts of a text between commas, or another mark, except at marks within quotes or brackets."""
    closing, quote, start = "", "", 0  # `closing` has the brackets still to close, innermost first
    for at, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character in BRACKETS:
            closing = BRACKETS[character] + closing
        elif character in BRACKETS.values():
            if not closing.startswith(character):
                raise StrategyError(f"{spec!r}: {character!r} closes no bracket")
            closing = closing[1:]
        elif character == mark and not closing:
            yield text[start:at]
            start = at + 1
    if quote or closing:
        raise StrategyError(f"{spec!r}: a quote or bracket is not closed")
    if text[start:].strip():
        yield text[start:]
