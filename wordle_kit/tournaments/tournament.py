"""The tournament as a value, which the API, the runner, the stored facts and the commands all use."""

import hashlib
import importlib.metadata
import platform
import re
import secrets
from dataclasses import dataclass
from functools import cache
from typing import Any

from wordle_kit._version import __version__
from wordle_kit.errors import WordleKitError
from wordle_kit.game.game import Game
from wordle_kit.identity import object_text, or_unique
from wordle_kit.programs.program import Program
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.tournaments.deadline import DEADLINE
from wordle_kit.tournaments.entrants import Entrant
from wordle_kit.tournaments.puzzles import Puzzles
from wordle_kit.tournaments.runs import RunFacts

SECRET_DIGITS = 32
"""The number of hexadecimal digits of a secret."""


def check_secret(secret: str | None) -> None:
    """Raise WordleKitError if a secret is given that is not 32 hexadecimal digits."""
    if secret is not None and not re.fullmatch(f"[0-9a-f]{{{SECRET_DIGITS}}}", secret):
        raise WordleKitError(
            f"secret {secret[:50]!r} is not {SECRET_DIGITS} of the digits 0-9 and a-f; "
            "copy the one that the leaderboard names"
        )


def secret_of(strategy: Strategy, secret: str | None) -> str | None:
    """Return the secret from which a strategy's random numbers come, or None if they come from the seed.

    A program could find a seed by brute force and then know every random number, so it gets a new secret unless one is
    given.
    """
    check_secret(secret)
    return secrets.token_hex(SECRET_DIGITS // 2) if secret is None and isinstance(strategy, Program) else secret


def random_key(seed: int, secret: str | None) -> str:
    """Return the text from which the random numbers of each decision are made."""
    return f"seed {seed}" if secret is None else f"secret {secret}"


@dataclass(frozen=True)
class Tournament:
    """The game, the puzzles, the strategies and all other conditions on which results depend."""

    game: Game
    puzzles: Puzzles
    entrants: tuple[Entrant, ...]
    seed: int = 0
    """The source of random numbers, unless there is a secret."""
    secret: str | None = None
    """The given secret. If there is none, each random program gets a new one."""
    deadline: float = DEADLINE
    """The number of seconds allowed for each decision."""

    @property
    def facts(self) -> dict[str, Any]:
        """The fields of `RunFacts` that may have been different when a run was stored: names and the seed."""
        return {"game": self.game.name, "seed": self.seed, **self.puzzles.facts}

    @property
    def not_kept(self) -> tuple[str, ...]:
        """A line for each entrant whose results cannot be reused, since its code or the rule is not in a file."""
        unknown = {entrant.label: entrant.unknown for entrant in self.entrants}
        if object_text(self.game.rule) is None:
            what = "was typed or made by a function, or has an attribute of an unknown type"
            unknown = {self.game.name: f"its rule {self.game.rule.name!r} {what}"}
        return tuple(f"{label} is played again each time: {why}" for label, why in unknown.items() if why is not None)

    def facts_of(self, entrant: Entrant) -> RunFacts:
        """Return the facts that a store keeps about a run, with a new secret for a random program."""
        strategy = entrant.strategy
        of_game = ("fingerprint", "boards", "max_guesses", "cap", "hard_mode")
        return RunFacts(
            **self.facts,
            **{name: getattr(self.game, name) for name in of_game},
            strategy=entrant.label,
            version=strategy.version,
            plugin=entrant.plugin,
            stochastic=strategy.stochastic,
            parameters=strategy.parameters(),
            versions=versions(),
            secret=secret_of(strategy, self.secret) if strategy.stochastic else None,
            source=entrant.source,
            summary=entrant.summary,
        )

    def key_of(self, entrant: Entrant) -> str:
        """Return the key by which a store finds a run: a hash of everything that can affect its plays.

        It includes a secret only if one was given; otherwise a run continues with the secret in the store.
        """
        strategy = entrant.strategy
        has_new_secret = isinstance(strategy, Program) and self.secret is None
        key = (
            __version__,
            self.game.fingerprint,
            or_unique(object_text(self.game.rule)),
            self.puzzles.key,
            entrant.label,
            entrant.identity,
            random_key(self.seed, self.secret) if strategy.stochastic and not has_new_secret else None,
            self.deadline,
        )
        return hashlib.sha256(repr(key).encode()).hexdigest()


@cache
def versions() -> dict[str, str]:
    """Return the versions of wordle-kit, of Python and of the packages that compute results."""
    packages = {name: importlib.metadata.version(name) for name in ("numba", "numpy")}
    return {"wordle-kit": __version__, "python": platform.python_version(), **packages}
