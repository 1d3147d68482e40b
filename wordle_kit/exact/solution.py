"""The result of a search, perfect play with its bounds, and its progress."""

from dataclasses import dataclass
from functools import cached_property

from wordle_kit.exact.objective import Objective
from wordle_kit.exact.watch import Ending
from wordle_kit.game.game import Game
from wordle_kit.trees.tree import Tree


@dataclass(frozen=True)
class Progress:
    """The progress of a search: bounds in guesses, or with `within-K` in late answers.

    The upper bound is None until one is known.
    """

    seconds: float
    """CPU seconds of this process since the search began."""
    lower: float
    upper: float | None
    nodes: int
    phase: str = ""
    """The current step, while first guesses are ranked; it is finished for `done` of `total`."""
    done: int = 0
    total: int = 0


@dataclass(frozen=True)
class Solution:
    """Perfect play from a position, or the best play found and the remaining gap."""

    game: Game
    objective: Objective
    total: float
    """The guesses that the tree needs over all candidates, each times its weight."""
    lower: float
    """A lower bound of the total of all trees; with the objectives `worst` and `within-K`, of trees of this worst depth
    or with as many answers in time."""
    is_proved: bool
    """Whether the tree is proved to be the best."""
    weight: float
    """The number of candidates, or the sum of their weights: the total divided by it is the mean."""
    counts: tuple[int, ...]
    """How many candidates the tree solves at each guess, from the first on."""
    worst_lower: int
    """With `worst`, a lower bound of the worst depth of all trees; otherwise 1."""
    late: float
    """With `within-K`, the number of candidates that the tree solves too late, each times its weight; otherwise 0."""
    late_lower: float
    """With `within-K`, a lower bound of `late` for all trees; otherwise 0."""
    tree: Tree
    nodes: int
    seconds: float
    """CPU seconds of the search, without its workers."""
    nbytes: int
    """Bytes of memory of the search, without its workers."""
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
