"""Puzzles: the hidden words of every board, and the host that answers guesses."""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from wordle_kit.game.game import Game
from wordle_kit.strategy.position import Position
from wordle_kit.tournaments.host import Adversary, HiddenWords, Host, HostName


@dataclass(frozen=True)
class Puzzles:
    """What a tournament plays: for each puzzle, the index of the answer on each board.

    The adversary hides no words. Against it, a puzzle is the index of the first guess, or empty if the strategy chooses
    its first guess.
    """

    game: Game
    ids: tuple[tuple[int, ...], ...]
    label: str
    """A description in a few words."""
    is_sample: bool
    """Whether they were drawn at random from more puzzles, so that their mean is an estimate."""
    host: HostName = "hidden"
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
        """Return the hidden words of a puzzle, one per board; for the adversary, the first answer of the game."""
        if self.host == "adversary":
            return self.game.answers[:1] * self.game.boards
        return tuple(self.game.answers[i] for i in self.ids[puzzle])

    def host_of(self, puzzle: int) -> Host:
        """Return the host that answers the guesses of a puzzle."""
        return Adversary() if self.host == "adversary" else HiddenWords(self.ids[puzzle])

    def start(self, puzzle: int) -> Position:
        """Return the position in which the strategy is first asked."""
        position = Position.start(self.game)
        for guess in self.ids[puzzle] if self.host == "adversary" else ():
            position = position.after(guess, self.host_of(puzzle).answer(position, guess))
        return position

    @cached_property
    def is_all(self) -> bool:
        """Whether they are every puzzle of the game, each of them once."""
        return (
            self.host == "hidden"
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
        if self.is_sample or self.host != "hidden" or self.game.boards > 1 or not self.game.is_weighted:
            return None
        weights = tuple(self.game.answer_weights[[answer for (answer,) in self.ids]].tolist())
        return weights if len(set(weights)) > 1 else None

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the puzzles and their order: 16 hexadecimal digits."""
        facts = repr(self.ids) if self.host == "hidden" else repr((self.host, self.ids))
        return hashlib.sha256(facts.encode()).hexdigest()[:16]

    @property
    def key(self) -> str:
        """A text by which a run on them is found: for draws of its own, whatever they were, their number."""
        return f"{len(self)} draws" if self.for_one else self.fingerprint

    @property
    def facts(self) -> dict[str, Any]:
        """The fields of `RunFacts` that say which puzzles were played."""
        names = ["is_sample", "is_all", "population", "host", "weights", "drawn_with", "repeats"]
        own = {"puzzles": self.label, "puzzles_fingerprint": self.fingerprint, "n_puzzles": len(self)}
        return own | {name: getattr(self, name) for name in names}
