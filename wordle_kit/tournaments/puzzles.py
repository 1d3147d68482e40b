"""Puzzles: the hidden words of every board, and the host that answers guesses."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

from wordle_kit.game.game import Game
from wordle_kit.identity import or_unique, source_hash
from wordle_kit.strategy.position import Position
from wordle_kit.tournaments.host import HIDDEN, HiddenWords, Host, answer_of


@dataclass(frozen=True)
class Puzzles:
    """The puzzles of a tournament: the indices of the hidden answers of each one, and the host that answers guesses."""

    game: Game
    ids: tuple[tuple[int, ...], ...]
    """The indices of the hidden answers of each puzzle. There are none if the host hides no words."""
    label: str
    """A short description of the puzzles."""
    is_sample: bool
    """Whether the puzzles are a random sample of more puzzles, so that their mean is an estimate."""
    host: Host = HIDDEN
    first_guesses: tuple[tuple[int, ...], ...] = ()
    """The guesses made in each puzzle before the strategy is first asked. It is empty if there are none."""
    drawn_with: int | None = None
    """The seed with which the puzzles were drawn, or None if they were not drawn."""
    repeats: bool = False
    """Whether the boards of a drawn puzzle may have the same word."""

    def __len__(self) -> int:
        return len(self.ids)

    def words(self, puzzle: int) -> tuple[str, ...]:
        """Return the hidden words of a puzzle, one per board.

        If no words are hidden, each is the first answer of the game.
        """
        if not self.host.hides_words:
            return self.game.answers[:1] * self.game.boards
        return tuple(self.game.answers[i] for i in self.ids[puzzle])

    def host_of(self, puzzle: int) -> Host:
        """Return the host that answers the guesses of a puzzle."""
        return self.host.of(self.ids[puzzle])

    def start(self, puzzle: int) -> Position:
        """Return the first position in which the strategy is asked."""
        position = Position.start(self.game)
        for guess in self.first_guesses[puzzle] if self.first_guesses else ():
            position = position.after(guess, answer_of(self.host_of(puzzle), position, guess))
        return position

    def chosen(self, numbers: Iterable[int]) -> "Puzzles":
        """Return the puzzles with these numbers."""
        chosen = list(numbers)
        first = tuple(self.first_guesses[i] for i in chosen) if self.first_guesses else ()
        return replace(self, ids=tuple(self.ids[i] for i in chosen), first_guesses=first)

    @property
    def has_usual_host(self) -> bool:
        """Whether hidden words answer the guesses, so that puzzles with the same feedback share their decisions."""
        return type(self.host) is HiddenWords

    @cached_property
    def is_all(self) -> bool:
        """Whether these are all puzzles of the game, each once."""
        return (
            self.has_usual_host
            and self.game.boards == 1
            and sorted(self.ids) == [(i,) for i in range(len(self.game.answers))]
        )

    @cached_property
    def population(self) -> int | None:
        """The number of puzzles from which these were drawn without replacement, or None if all are independent.

        Different puzzles of a game without weights were drawn without replacement, or can be treated as if they were.
        In a game with weights and on several boards, puzzles are drawn independently of each other.
        """
        without = self.game.boards == 1 and not self.game.is_weighted and len(set(self.ids)) == len(self)
        return len(self.game.answers) if self.is_sample and without else None

    @cached_property
    def weights(self) -> tuple[float, ...] | None:
        """The weight of each puzzle, scaled so that the game's answers average 1, or None if all puzzles count equally.

        Drawn puzzles count equally, since likely answers were drawn more often. So do puzzles on several boards.
        """
        if self.is_sample or not self.has_usual_host or self.game.boards > 1 or not self.game.is_weighted:
            return None
        weights = tuple(self.game.answer_weights[[answer for (answer,) in self.ids]].tolist())
        return weights if len(set(weights)) > 1 else None

    @cached_property
    def fingerprint(self) -> str:
        """A hash, in 16 hexadecimal digits, of the puzzles, their order, and the host with its parameters."""
        facts: object = self.ids if self.host.hides_words else self.first_guesses
        if not self.has_usual_host:
            parameters = [getattr(self.host, field.name) for field in fields(self.host) if field.name != "answers"]
            facts = (self.host.name, *parameters, facts)
        return hashlib.sha256(repr(facts).encode()).hexdigest()[:16]

    @property
    def key(self) -> str:
        """The text that identifies these puzzles in the store. It depends on the code of a plugin's host."""
        return f"{self.fingerprint}|{or_unique(source_hash(type(self.host)))}"

    @property
    def facts(self) -> dict[str, Any]:
        """The fields of `RunFacts` about the puzzles."""
        own = ("is_sample", "is_all", "population", "weights", "drawn_with", "repeats")
        return {
            "puzzles": self.label,
            "puzzles_fingerprint": self.fingerprint,
            "n_puzzles": len(self),
            "host": self.host.name,
            "hides_words": self.host.hides_words,
            **{name: getattr(self, name) for name in own},
        }
