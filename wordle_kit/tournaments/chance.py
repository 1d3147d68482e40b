"""Chance: seeds and secrets for random strategies. Their guesses can be repeated, and reveal nothing about puzzles."""

import hashlib
import json
import re
import secrets
from dataclasses import dataclass

from wordle_kit.errors import WordleKitError
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy

DIGITS = 32
"""The number of hexadecimal digits of a secret."""


@dataclass(frozen=True)
class Chance:
    """The source of a strategy's random numbers in a run: a secret, or a seed if there is no secret.

    Code can find a seed by trying all of them, and then knows every random number. A secret has too many possible
    values.
    """

    seed: int = 0
    secret: str | None = None

    @property
    def key(self) -> str:
        """A text for the source.

        With the strategy, the play and the feedback so far, it determines the random numbers.
        """
        return f"seed {self.seed}" if self.secret is None else f"secret {self.secret}"


def check_secret(secret: str | None) -> str | None:
    """Return a secret unchanged. Raises WordleKitError if it is not 32 hexadecimal digits."""
    if secret is not None and not re.fullmatch(f"[0-9a-f]{{{DIGITS}}}", secret):
        raise WordleKitError(
            f"secret {secret[:50]!r} is not {DIGITS} of the digits 0-9 and a-f; copy the one that the leaderboard names"
        )
    return secret


def chance_of_one(strategy: Strategy, seed: int, secret: str | None) -> Chance:
    """Return the source of random numbers for a strategy. A program gets a new secret, unless one is given."""
    if check_secret(secret) is None and strategy.is_program:
        secret = secrets.token_hex(DIGITS // 2)
    return Chance(seed, secret)


def decision_seed(key: str, strategy: Strategy, number: int, position: Position) -> str:
    """Return the seed of a decision. It depends on the strategy, the number of the play and the feedback so far.

    It does not depend on the hidden words, so it reveals nothing about them.
    """
    seen = [position.guess_ids, [board.codes for board in position.boards]]
    facts = (key, strategy.name, strategy.version, strategy.parameters(), number, seen)
    return hashlib.sha256(json.dumps(facts, default=repr).encode()).hexdigest()
