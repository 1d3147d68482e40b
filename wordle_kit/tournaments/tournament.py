"""The tournament as a value. The API, the runner, the facts in the store and the commands all derive from it."""

import hashlib
import importlib.metadata
import platform
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from wordle_kit._version import __version__
from wordle_kit.defaults import DEADLINE
from wordle_kit.errors import whole
from wordle_kit.game.game import Game
from wordle_kit.identity import object_code
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.tournaments.chance import Chance, chance_of_one
from wordle_kit.tournaments.chunks import Chunk
from wordle_kit.tournaments.entrants import Entrant
from wordle_kit.tournaments.puzzles import Puzzles
from wordle_kit.tournaments.runs import RunFacts


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
        return {"game": self.game.name, "seed": self.chance.seed, **vars(self.puzzles.facts)}

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

    def chunks(self, run: int, secret: str | None, finished: set[int], session: str) -> Iterator[Chunk]:
        """Yield the chunks that are not in `finished`. `run` and `secret` are its number and secret in the store."""
        chance = Chance(self.tournament.chance.seed, secret)
        strategy, puzzles = self.entrant.strategy, self.tournament.puzzles
        size, everything = chunk_size(strategy, puzzles), range(len(puzzles))
        for number in range(-(-len(everything) // size)):
            if number not in finished:
                numbers = everything[number * size : (number + 1) * size]
                yield Chunk(
                    run,
                    number,
                    strategy,
                    self.entrant.identity,
                    puzzles.some(numbers),
                    numbers,
                    chance,
                    self.tournament.deadline,
                    session,
                )


TREE = 5000
"""The most puzzles that a program plays as one tree, asked once in each position."""


def chunk_size(strategy: Strategy, puzzles: Puzzles) -> int:
    """Return the number of puzzles that are played at a time.

    A program that is not random plays all of them at once, as a tree. If it played several chunks, it would be asked in
    one position several times, and each time learn something about which answers are in the same chunk.
    """
    usual = whole(f"{strategy.name}: chunk", strategy.chunk, 1)
    as_tree = strategy.is_program and not strategy.stochastic and len(puzzles) <= TREE
    return max(usual, len(puzzles)) if as_tree else usual


@cache
def versions() -> dict[str, str]:
    """Return the versions of wordle-kit, of Python and of the packages that compute results."""
    packages = {name: importlib.metadata.version(name) for name in ("numba", "numpy")}
    return {"wordle-kit": __version__, "python": platform.python_version(), **packages}
