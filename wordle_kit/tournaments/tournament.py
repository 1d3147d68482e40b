"""The tournament: a value from which the API, the runner, the store's facts and the commands derive."""

import hashlib
import importlib.metadata
import platform
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from wordle_kit._version import __version__
from wordle_kit.game.game import Game
from wordle_kit.sources import object_source
from wordle_kit.tournaments.chance import Chance, derived, new_secret
from wordle_kit.tournaments.chunks import Chunk
from wordle_kit.tournaments.entrants import Entrant
from wordle_kit.tournaments.puzzles import Puzzles
from wordle_kit.tournaments.referee import DEFAULT_DEADLINE
from wordle_kit.tournaments.runs import RunFacts

CHUNK = 256
"""The number of puzzles that a worker plays at a time and the store keeps in one transaction."""

TREE = 5000
"""The most puzzles that an untrusted deterministic strategy plays as one tree, asked once in each position."""


@dataclass(frozen=True)
class Tournament:
    """Who plays what, under which conditions. Everything else, such as the number of workers, changes no result."""

    game: Game
    puzzles: Puzzles
    """The puzzles of all entrants that have no puzzles of their own."""
    entrants: tuple[Entrant, ...]
    chance: Chance = field(default_factory=Chance)
    """The seed or secret that was given. Without either, random numbers come from a secret that the store keeps."""
    deadline: float = DEFAULT_DEADLINE
    """Seconds for each decision."""
    left_out: tuple[str, ...] = ()
    """A line for each registered strategy that cannot play the game."""

    @property
    def facts(self) -> dict[str, Any]:
        """The fields of `RunFacts` that may have had other values when a run was stored: names and the seed."""
        return {"game": self.game.name, "seed": self.chance.seed or 0, **self.puzzles.facts}

    @property
    def not_kept(self) -> tuple[str, ...]:
        """A line for each entrant whose stored results are not found again, since its code cannot be compared."""
        unknown = {entrant.label: entrant.unknown for entrant in self.entrants}
        if object_source(self.game.rule) is None:
            rule = self.game.rule.name
            unknown = {self.game.name: f"its rule {rule!r} was typed or made by a function; write it in a file"}
        return tuple(f"{label} is played again each time: {why}" for label, why in unknown.items() if why is not None)

    def planned_runs(self, base: str) -> "list[PlannedRun]":
        """Return the run of each entrant. Secrets are derived from `base` where none was given."""
        played = [(entrant, entrant.puzzles or self.puzzles) for entrant in self.entrants]
        return [PlannedRun(self, entrant, own, self._chance(entrant, own, base)) for entrant, own in played]

    def _chance(self, entrant: Entrant, puzzles: Puzzles, base: str) -> Chance:
        """Return the source of an entrant's random numbers: what was given, unless its code could guess a seed.

        Leaderboards show secrets. A derived secret therefore depends on the entrant's code: someone who reads it and
        then changes the code gets a different one.
        """
        seed, secret = self.chance.seed, self.chance.secret
        if puzzles.for_one:
            secret = new_secret()
        elif secret is None and entrant.player.is_isolated:
            secret = derived(base, entrant.identity, puzzles.fingerprint)
        elif secret is None and seed is None:
            secret = derived(base, "trusted")
        return Chance(seed, secret)


@dataclass(frozen=True)
class PlannedRun:
    """A run of a tournament before it is played: the entrant, its puzzles and its random numbers."""

    tournament: Tournament
    entrant: Entrant
    puzzles: Puzzles
    chance: Chance

    @property
    def facts(self) -> RunFacts:
        """What a store keeps of the run besides its plays."""
        game, strategy = self.tournament.game, self.entrant.strategy
        of_game = ("fingerprint", "boards", "max_guesses", "cap", "hard_mode")
        return RunFacts(
            **self.tournament.facts | self.puzzles.facts,
            **{name: getattr(game, name) for name in of_game},
            strategy=self.entrant.label,
            version=strategy.version,
            plugin=self.entrant.plugin,
            stochastic=strategy.stochastic,
            parameters=strategy.parameters(),
            versions=versions(),
            secret=self.chance.secret if strategy.stochastic else None,
            source=self.entrant.source,
        )

    @cached_property
    def key(self) -> str:
        """The key that finds the run in a store: a hash of everything that can change its plays."""
        game = self.tournament.game
        dice = self.chance.key if self.entrant.strategy.stochastic and not self.puzzles.for_one else None
        key = (
            __version__,
            game.fingerprint,
            object_source(game.rule) or secrets.token_hex(),
            self.puzzles.key,
            self.entrant.label,
            self.entrant.identity,
            dice,
            self.tournament.deadline,
        )
        return hashlib.sha256(repr(key).encode()).hexdigest()

    @property
    def chunk_size(self) -> int:
        """The number of puzzles that are played at a time, in one process if the strategy is untrusted.

        Chunks share nothing. An untrusted deterministic strategy that played several would be asked in one position
        several times. Each time, it would learn something about which answers are in the same chunk.
        """
        as_tree = self.entrant.player.is_untrusted and not self.entrant.strategy.stochastic
        whole = self.puzzles.for_one or (as_tree and len(self.puzzles) <= TREE)
        return max(CHUNK, len(self.puzzles)) if whole else CHUNK

    def chunks(self, run: int, finished: set[int], session: str) -> Iterator[Chunk]:
        """Yield the chunks that are not finished, for the run with this number in the store."""
        size, everything = self.chunk_size, range(len(self.puzzles))
        for number in range(-(-len(everything) // size)):
            if number not in finished:
                numbers = everything[number * size : (number + 1) * size]
                some = self.puzzles.some(numbers)
                yield Chunk(
                    run,
                    number,
                    self.entrant.strategy,
                    self.entrant.identity,
                    some,
                    numbers,
                    self.chance,
                    self.tournament.deadline,
                    session,
                    self.entrant.budget and self.entrant.budget.share(len(some) / len(everything)),
                )


@cache
def versions() -> dict[str, str]:
    """Return the versions of wordle-kit, Python and the packages that compute results."""
    packages = {name: importlib.metadata.version(name) for name in ("numba", "numpy")}
    return {"wordle-kit": __version__, "python": platform.python_version(), **packages}
