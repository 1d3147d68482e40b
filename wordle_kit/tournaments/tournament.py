"""The tournament as a value. The API, the runner, the facts in the store and the commands all derive from it."""

import hashlib
import importlib.metadata
import platform
import re
import secrets
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from wordle_kit._version import __version__
from wordle_kit.defaults import DEADLINE
from wordle_kit.errors import WordleKitError
from wordle_kit.game.game import Game
from wordle_kit.identity import object_code
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.tournaments.entrants import Entrant
from wordle_kit.tournaments.puzzles import Puzzles
from wordle_kit.tournaments.runs import RunFacts

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
        """A text from which the random numbers of each decision are made."""
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


@dataclass(frozen=True)
class Tournament:
    """Who plays what, under which conditions. Nothing else changes results, such as the number of workers."""

    game: Game
    puzzles: Puzzles
    entrants: tuple[Entrant, ...]
    chance: Chance = field(default_factory=Chance)
    """The source of random numbers. Each program gets a new secret, unless one was given."""
    deadline: float = DEADLINE
    """Seconds for each decision."""
    left_out: tuple[str, ...] = ()
    """A line for each registered strategy that cannot play the game."""

    @property
    def facts(self) -> dict[str, Any]:
        """The fields of `RunFacts` that may have been different when a run was stored: names and the seed."""
        return {"game": self.game.name, "seed": self.chance.seed, **self.puzzles.facts}

    @property
    def not_kept(self) -> tuple[str, ...]:
        """A line for each entrant whose results will not be found again, since its code or the rule has no file."""
        unknown = {entrant.label: entrant.unknown for entrant in self.entrants}
        if object_code(self.game.rule) is None:
            rule = self.game.rule.name
            unknown = {self.game.name: f"its rule {rule!r} was typed or made by a function; write it in a file"}
        return tuple(f"{label} is played again each time: {why}" for label, why in unknown.items() if why is not None)


@dataclass(frozen=True)
class PlannedRun:
    """A run of a tournament before it is played."""

    tournament: Tournament
    entrant: Entrant

    @property
    def facts(self) -> RunFacts:
        """What a store keeps of the run in addition to its plays. For a random program, they have a new secret."""
        game, strategy, chance = self.tournament.game, self.entrant.strategy, self.tournament.chance
        of_game = ("fingerprint", "boards", "max_guesses", "cap", "hard_mode")
        return RunFacts(
            **self.tournament.facts,
            **{name: getattr(game, name) for name in of_game},
            strategy=self.entrant.label,
            version=strategy.version,
            plugin=self.entrant.plugin,
            stochastic=strategy.stochastic,
            parameters=strategy.parameters(),
            versions=versions(),
            secret=chance_of_one(strategy, chance.seed, chance.secret).secret if strategy.stochastic else None,
            source=self.entrant.source,
            summary=self.entrant.summary,
        )

    @cached_property
    def key(self) -> str:
        """The key by which a store finds the run: a hash of everything that can change its plays.

        Only a given secret is part of it. A run with a new one is continued with the secret that the store has.
        """
        game, strategy, chance = self.tournament.game, self.entrant.strategy, self.tournament.chance
        is_drawn = strategy.is_program and chance.secret is None
        dice = chance.key if strategy.stochastic and not is_drawn else None
        key = (
            __version__,
            game.fingerprint,
            object_code(game.rule) or secrets.token_hex(),
            self.tournament.puzzles.key,
            self.entrant.label,
            self.entrant.identity,
            dice,
            self.tournament.deadline,
        )
        return hashlib.sha256(repr(key).encode()).hexdigest()


@cache
def versions() -> dict[str, str]:
    """Return the versions of wordle-kit, of Python and of the packages that compute results."""
    packages = {name: importlib.metadata.version(name) for name in ("numba", "numpy")}
    return {"wordle-kit": __version__, "python": platform.python_version(), **packages}
