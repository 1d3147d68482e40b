"""Specs: the grammar of texts that name a strategy and its parameters, such as `entropy(pool=candidates)`."""

import itertools
import math
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from wordle_kit.errors import StrategyError

STRATEGY_NAME = r"[\w.:+-]+"
"""The pattern of a strategy's name in a spec."""

SPEC = rf"\s*({STRATEGY_NAME})\s*(?:\((.*)\)\s*)?"
"""The pattern of a spec: the name, and the text in parentheses."""

NUMBER = r"-?\d+(?:\.\d+)?"
RANGE = rf"({NUMBER})\.\.({NUMBER})(?:\.\.(\d+(?:\.\d+)?))?"
"""The pattern of a range of numbers: the first, the last and optionally the step."""

MAX_VARIANTS = 1000
"""The most strategies that one spec may stand for."""

BRACKETS = {"(": ")", "[": "]"}


def parse_spec(spec: str) -> tuple[str, dict[str, Any]]:
    """Return the name and the parameters in a spec such as `entropy(pool=candidates, opener=crate)`.

    A value ends at the next comma or bracket. A value in quotes may contain any character, `[a, b]` is a list of
    values, and a value may itself be a spec with parameters. Raises StrategyError, which names the place, for an
    invalid spec and for one that stands for several strategies.
    """
    name, parameters = _read(spec)
    for key, choices in parameters.items():
        if len(choices) > 1:
            raise StrategyError(f"{spec!r}: {key!r} has several values; give one here, or put it in quotes")
    return name, {key: _value(choices[0], spec) for key, choices in parameters.items()}


def variants(spec: str) -> list[str]:
    """Return the specs that a spec stands for: one for each combination of the values of its parameters.

    In `entropy(endgame=0..20, pool=guesses|candidates)`, one parameter has 21 values and the other has two. `0..20..5`
    stands for 0, 5, 10, 15 and 20. A value in quotes is a single value. Raises StrategyError for more than 1,000 specs,
    and for a range or a choice that cannot be read.
    """
    if re.fullmatch(SPEC, spec, re.DOTALL) is None:  # such as a pattern of names
        return [spec]
    name, parameters = _read(spec)
    _check_count(math.prod(map(len, parameters.values())), spec)
    if not parameters:
        return [spec]
    return [
        f"{name}({', '.join(f'{key}={value}' for key, value in zip(parameters, values, strict=True))})"
        for values in itertools.product(*parameters.values())
    ]


def _read(spec: str) -> tuple[str, dict[str, list[str]]]:
    """Return the name in a spec, and the values that each parameter has, as texts."""
    match = re.fullmatch(SPEC, spec, re.DOTALL)
    if match is None:
        raise StrategyError(f"{spec!r} is not a strategy; write name or name(parameter=value, ...)")
    parameters: dict[str, list[str]] = {}
    for part in _split(match[2] or "", spec):
        key, equals, value = part.partition("=")
        key = key.strip()
        if not equals or not key.isidentifier():
            raise StrategyError(f"{spec!r}: {part.strip()!r} is not a parameter; write name=value")
        if key in parameters:
            raise StrategyError(f"{spec!r}: {key!r} is set twice")
        parameters[key] = _choices(value.strip(), spec)
    return match[1], parameters


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
    _check_count(count, spec)
    return [f"{(low + number * step).normalize():f}" for number in range(count)]


def _check_count(count: int, spec: str) -> None:
    """Raise StrategyError if a spec has too many variants."""
    if count > MAX_VARIANTS:
        raise StrategyError(f"{spec!r} stands for {count:,} strategies; give at most {MAX_VARIANTS:,}")


def _value(text: str, spec: str) -> Any:
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    if text.startswith("[") and text.endswith("]"):
        return [_value(part.strip(), spec) for part in _split(text[1:-1], spec)]
    return None if text == "none" else text


def _split(text: str, spec: str, mark: str = ",") -> Iterator[str]:
    """Yield the parts of a text between commas or another mark. Marks within quotes or brackets do not count."""
    closing, quote, start = "", "", 0  # `closing`: the brackets still to close, innermost first
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
