"""Identities of strategies: what stored results belong to, so that they are played again if a guess may differ."""

import hashlib
import json
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path

from wordle_kit.identity import code_of, file_digest, value_text
from wordle_kit.programs.program import Program
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.texts import plain


def identity_of(strategy: Strategy) -> tuple[str, str | None]:
    """Return a hash of everything that can change a strategy's guesses: class, version, parameters, code and files.

    The second value is None, or says why some of this cannot be compared, as for a class that was typed at a prompt. In
    that case, every call returns a different hash.
    """
    unknown = _unknown(strategy)
    facts = [source_of(strategy), *_settings(strategy)]
    return _hash([*facts, secrets.token_hex()] if unknown else facts), unknown


def source_of(strategy: Strategy) -> str:
    """Return a digest of the code of a strategy and of the strategies among its parameters.

    It is empty if some of the code is not in a file.
    """
    kind = type(strategy)
    facts = [kind.__qualname__, code_of(kind)]
    facts += [strategy.identity()] if isinstance(strategy, Program) else []
    facts += [source_of(other) or None for other in strategy.strategies.values()]
    known = [fact for fact in facts if fact is not None]
    return _hash(known) if len(known) == len(facts) else ""


def files_of(strategy: Strategy) -> list[Path]:
    """Return the files among the parameters of a strategy. Their contents can change its guesses."""
    values = [getattr(strategy, name) for name in type(strategy).model_fields]
    return [value for value in values if isinstance(value, Path) and value.is_file()]


def _settings(strategy: Strategy) -> Iterator[str]:
    """Yield the version, the parameters and the files of a strategy and of the strategies among its parameters."""
    yield strategy.version
    yield json.dumps(strategy.parameters(), sort_keys=True)
    yield from map(file_digest, files_of(strategy))
    for other in strategy.strategies.values():
        yield from _settings(other)


def _unknown(strategy: Strategy) -> str | None:
    """Return what may behave differently in a strategy although it looks the same, or None."""
    kind = type(strategy)
    if code_of(kind) is None:
        return f"its class {kind.__qualname__} was typed or made by a function; write it in a file"
    for name in kind.model_fields:
        value = getattr(strategy, name)
        if not isinstance(value, Strategy) and value_text(value) is None:
            return f"its parameter {name} has code or is of an unknown type; give numbers, texts, lists or tables"
    return next(filter(None, map(_unknown, strategy.strategies.values())), None)


def _hash(facts: Iterable[str]) -> str:
    return hashlib.sha256(plain("|".join(facts)).encode()).hexdigest()[:16]
