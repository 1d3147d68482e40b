"""What a search comes to: perfect play with its bounds, or how far it is."""

from dataclasses import dataclass
from functools import cached_property

from wordle_kit.exact.objective import Objective
from wordle_kit.exact.watch import Ending
from wordle_kit.game.game import Game
from wordle_kit.trees.tree import Tree


@dataclass(frozen=True)
class Progress:
    """How far a search is, for those who watch: bounds in guesses, or with `within-K` in late answers.

    There is no upper bound as long as it is None.
    """

    seconds: float
    """CPU seconds of this process since the search began."""
    lower: float
    upper: float | None
    nodes: int
    phase: str = ""
    """Of all first guesses: what is done with them; `done` of `total`."""
    done: int = 0
    total: int = 0


@dataclass(frozen=True)
class Solution:
    """Perfect play from a position, or the best that was found with the gap that is left."""

    game: Game
    objective: Objective
    total: float
    """Guesses over all candidates that the tree needs, each times its weight."""
    lower: float
    """What no tree can be below: with the objectives `worst` and `within-K`, among trees of this worst depth or with as
    many answers in time."""
    is_proved: bool
    """Whether the tree is proved to be best."""
    weight: float
    """What the total is divided by for the mean: the number of candidates, or the sum of their weights."""
    counts: tuple[int, ...]
    """How many candidates the tree solves at each guess, from the first on."""
    worst_lower: int
    """With `worst`, a worst depth that no tree can be below, else 1."""
    late: float
    """With `within-K`, how many candidates the tree solves too late, each times its weight, else 0."""
    late_lower: float
    """With `within-K`, what is solved too late by every tree at least, else 0."""
    tree: Tree
    nodes: int
    seconds: float
    """CPU seconds of the search, workers not counted."""
    nbytes: int
    """Bytes of the search's memory, workers not counted."""
    ending: Ending

    @property
    def opener(self) -> str:
        """The first guess of the tree."""
        return self.game.guesses[self.tree.root.guess]

    @property
    def mean(self) -> float:
        """The mean number of guesses of the tree."""
        return self.total / self.weight

    @cached_property
    def worst(self) -> int:
        """The largest number of guesses that the tree needs."""
        return len(self.counts)
