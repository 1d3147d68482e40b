"""Puzzles: the hidden words of every board, and the host that answers guesses."""

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from wordle_kit.game.game import Game
from wordle_kit.sources import ENGINE, class_source
from wordle_kit.strategy.position import Position
from wordle_kit.tournaments.host import HIDDEN, HiddenWords, Host, answer_of


@dataclass(frozen=True)
class Puzzles:
    """What a tournament plays: for each puzzle, the index of the answer on each board, and the host that answers."""

    game: Game
    ids: tuple[tuple[int, ...], ...]
    """The hidden answers of each puzzle; empty for hosts that hide no words."""
    label: str
    """A description in a few words."""
    is_sample: bool
    """Whether they were drawn at random from more puzzles, so that their mean is an estimate."""
    host: Host = HIDDEN
    first_guesses: tuple[tuple[int, ...], ...] = ()
    """The guesses with which each puzzle begins, before the strategy is asked; without any, it is asked at once."""
    drawn_with: int | None = None
    """The seed with which they were drawn, or None."""
    repeats: bool = False
    """Whether the boards of a drawn puzzle may have the same word."""
    for_one: bool = False
    """Whether they are draws for a single run: with replacement, independent of each other, and from no seed.

    Nothing that a strategy remembers of other puzzles says anything about them.
    """
    is_public: bool = False
    """Whether authors of strategies know them, so that memory tells a strategy no more than its author."""

    def __len__(self) -> int:
        return len(self.ids)

    def words(self, puzzle: int) -> tuple[str, ...]:
        """Return the hidden words of a puzzle, one per board; if none are hidden, the first answer of the game."""
        if not self.host.hides_words:
            return self.game.answers[:1] * self.game.boards
        return tuple(self.game.answers[i] for i in self.ids[puzzle])

    def host_of(self, puzzle: int) -> Host:
        """Return the host that answers the guesses of a puzzle."""
        return self.host.of(self.ids[puzzle])

    def start(self, puzzle: int) -> Position:
        """Return the position in which the strategy is first asked."""
        position = Position.start(self.game)
        for guess in self.first_guesses[puzzle] if self.first_guesses else ():
            position = position.after(guess, answer_of(self.host_of(puzzle), position, guess))
        return position

    def some(self, numbers: Iterable[int]) -> "Puzzles":
        """Return the puzzles with these numbers."""
        chosen = list(numbers)
        first = tuple(self.first_guesses[i] for i in chosen) if self.first_guesses else ()
        return replace(self, ids=tuple(self.ids[i] for i in chosen), first_guesses=first)

    @property
    def is_usual(self) -> bool:
        """Whether words are hidden and answers are true, so that all puzzles move on together."""
        return type(self.host) is HiddenWords

    @cached_property
    def is_all(self) -> bool:
        """Whether they are every puzzle of the game, each of them once."""
        return (
            self.is_usual
            and self.game.boards == 1
            and sorted(self.ids) == [(i,) for i in range(len(self.game.answers))]
        )

    @cached_property
    def population(self) -> int | None:
        """The number of puzzles from which a sample was drawn without replacement; None for independent draws.

        Different answers of a game without weights were drawn without replacement, or as good as. Those of a game with
        weights, and puzzles of several boards, are drawn independently of each other.
        """
        without = self.game.boards == 1 and not self.game.is_weighted and len(set(self.ids)) == len(self)
        return len(self.game.answers) if self.is_sample and without else None

    @cached_property
    def weights(self) -> tuple[float, ...] | None:
        """The weight of each puzzle, in units in which the game's answers average 1; None if all count the same.

        Puzzles that were drawn count the same, since likely answers were drawn more often. So do those of several
        boards.
        """
        if self.is_sample or not self.is_usual or self.game.boards > 1 or not self.game.is_weighted:
            return None
        weights = tuple(self.game.answer_weights[[answer for (answer,) in self.ids]].tolist())
        return weights if len(set(weights)) > 1 else None

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the puzzles and their order: 16 hexadecimal digits."""
        facts = repr(self.ids if self.host.hides_words else self.first_guesses)
        if not self.is_usual:
            facts = f"({self.host.name!r}, {facts})"
        return hashlib.sha256(facts.encode()).hexdigest()[:16]

    @property
    def key(self) -> str:
        """A text by which a run on them is found: for draws of its own, whatever they were, their number.

        It has the parameters and the code of a plugin's host, since both change its answers.
        """
        if self.for_one:
            return f"{len(self)} draws"
        if type(self.host).__module__.startswith(ENGINE):
            return self.fingerprint
        return f"{self.fingerprint}|{self.host!r}|{class_source(type(self.host)) or secrets.token_hex()}"

    @property
    def facts(self) -> dict[str, Any]:
        """The fields of `RunFacts` that say which puzzles were played."""
        names = ["is_sample", "is_all", "population", "weights", "drawn_with", "repeats"]
        own: dict[str, Any] = {"puzzles": self.label, "puzzles_fingerprint": self.fingerprint, "n_puzzles": len(self)}
        own |= {"host": self.host.name, "hides_words": self.host.hides_words}
        return own | {name: getattr(self, name) for name in names}
