"""Chance: what the random numbers of strategies come from, so that they can be repeated and give nothing away."""

import hashlib
import json
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from wordle_kit.errors import WordleKitError
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy

DIGITS = 32
"""Hexadecimal digits of a secret."""


@dataclass(frozen=True)
class Chance:
    """What a strategy's random numbers in a run come from: a secret, or a seed where there is none.

    A seed is easily guessed, and so gives every number away to code that tries all. A secret does not.
    """

    seed: int | None = None
    secret: str | None = None

    @property
    def key(self) -> str:
        """Everything that the random numbers of a strategy depend on, beside the strategy and the play."""
        return f"seed {self.seed or 0}" if self.secret is None else f"secret {self.secret}"

    @property
    def is_secret(self) -> bool:
        """Whether the numbers come from a secret."""
        return self.secret is not None


def new_secret() -> str:
    """Return a secret that nobody can guess."""
    return secrets.token_hex(DIGITS // 2)


def check_secret(secret: str | None) -> str | None:
    """Return a secret as it was given. Raises WordleKitError for what is not one."""
    if secret is not None and not re.fullmatch(f"[0-9a-f]{{{DIGITS}}}", secret):
        raise WordleKitError(
            f"secret {secret[:50]!r} is not {DIGITS} of the digits 0-9 and a-f; copy the one that the leaderboard names"
        )
    return secret


def chance_of_one(strategy: Strategy, seed: int | None, secret: str | None) -> Chance:
    """Return the source of random numbers for one strategy that plays outside a tournament: as given, or new."""
    if check_secret(secret) is None and (seed is None or strategy.is_isolated):
        secret = new_secret()
    return Chance(seed, secret)


def derived(secret: str, *facts: str) -> str:
    """Return the secret that follows from another and from facts; the other does not follow from it."""
    return _hash(secret, *facts)[:DIGITS]


def decision_seed(key: str, strategy: Strategy, number: int, position: Position) -> str:
    """Return the seed of a decision: it follows from the strategy, the number of the play and what has been seen.

    The hidden words have no part in it, so whoever sees it learns nothing of them.
    """
    seen = [position.guess_ids, [board.codes for board in position.boards]]
    return _hash(key, strategy.name, strategy.version, strategy.parameters(), number, seen)


def shuffled(numbers: Sequence[int], secret: str) -> list[int]:
    """Return numbers in an order that nobody can tell without the secret."""
    return sorted(numbers, key=lambda number: _hash(secret, number))


def _hash(*facts: object) -> str:
    return hashlib.sha256(json.dumps(facts, default=repr).encode()).hexdigest()
