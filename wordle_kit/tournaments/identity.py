"""Identity: a hash of everything that can change a strategy's guesses, so that stored results belong to its code."""

import hashlib
import json
import secrets
from pathlib import Path

from wordle_kit.opened import ENGINE
from wordle_kit.sources import class_source, module_source, value_text
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.texts import line, plain
from wordle_kit.tournaments.player import player_of


def identity_of(strategy: Strategy) -> tuple[str, str | None]:
    """Return a hash of everything that can change a strategy's guesses: class, version, parameters, source and files.

    If part of it cannot be compared, such as a class that was typed at a prompt, the hash is different in every call,
    and the second value says why.
    """
    kind = type(strategy)
    facts = [
        f"{kind.__module__}.{kind.__qualname__}",
        strategy.version,
        json.dumps(strategy.parameters(), sort_keys=True),
        *(hashlib.sha256(file.read_bytes()).hexdigest() for file in files_of(strategy)),
    ]
    source, unknown = class_source(kind), _unknown_parameter(strategy)
    if source is None:
        unknown = f"its class {line(kind.__qualname__)} was typed or made by a function; write it in a file"
    facts.append(source or "")
    player = player_of(strategy)
    if player.is_isolated:
        facts.append(player.identity_of_process())
    for one in filter(None, [*strategy.strategies.values(), player.known_here]):
        fact, not_known = identity_of(one)
        facts.append(fact)
        unknown = unknown or not_known
    if unknown is not None:
        facts.append(secrets.token_hex())
    return hashlib.sha256(plain("|".join(facts)).encode()).hexdigest()[:16], unknown


def portable_identity(strategy: Strategy) -> str:
    """Return a hash of what must be the same on another machine that plays this strategy.

    It is the same whatever else a process has imported. Code that was typed into a prompt does not count, since it is
    sent to that machine.
    """
    facts = [strategy.version, json.dumps(strategy.parameters(), sort_keys=True)]
    facts += [hashlib.sha256(file.read_bytes()).hexdigest() for file in files_of(strategy)]
    for base in filter(is_authored, type(strategy).__mro__):
        facts += [base.__qualname__, "" if base.__module__ == "__main__" else module_source(base.__module__) or ""]
    player = player_of(strategy)
    if player.is_isolated:
        facts.append(player.identity_of_process())
    facts += map(portable_identity, filter(None, [*strategy.strategies.values(), player.known_here]))
    return hashlib.sha256(plain("|".join(facts)).encode()).hexdigest()[:16]


def files_of(strategy: Strategy) -> list[Path]:
    """Return the files among the parameters of a strategy, since their contents can change its guesses."""
    values = [getattr(strategy, name) for name in type(strategy).model_fields]
    return [value for value in values if isinstance(value, Path) and value.is_file()]


def is_authored(kind: type) -> bool:
    """Return whether a class is the work of an author, rather than part of the engine or of Python."""
    return issubclass(kind, Strategy) and not kind.__module__.startswith(ENGINE)


def _unknown_parameter(strategy: Strategy) -> str | None:
    """Return the first parameter of a strategy that may behave differently although it looks the same, or None."""
    for name in type(strategy).model_fields:
        value = getattr(strategy, name)
        if not isinstance(value, Strategy) and value_text(value) is None:
            return f"its parameter {name} has code or is of an unknown type; give numbers, texts, lists or tables"
    return None
