"""The strategy `optimal`: perfect play from a proved tree."""

from collections.abc import Callable
from functools import lru_cache

from wordle_kit_plugins.search import Rollout

import wordle_kit as wk

MOST_ANSWERS_TO_SEARCH = 500
"""The most answers of a game that `optimal` searches."""

MOST_SCORED = 50_000_000
"""The most guesses that this search scores. It is a count, not a time, so every machine plays the same games."""


class Optimal(wk.Strategy):
    """Follow a decision tree that is proved to need the fewest guesses.

    It plays games whose proved tree comes with wordle-kit, and games with few answers, whose tree it searches before it
    plays. For other games, find a tree with `wordle-kit optimal` and play it with `tree`. In a position outside the
    tree, `base` guesses.
    """

    base: wk.Strategy = Rollout()

    def problem_with(self, game: wk.Game) -> str | None:
        """Return a message if no proved tree of the game is known or can be found quickly, else None."""
        return None if perfect(game) is not None else f"no proved tree of {game.name} is known"

    def prepare(self, game: wk.Game) -> None:
        """Read or search the tree."""
        super().prepare(game)
        perfect(game)

    def guess(self, position: wk.Position) -> str:
        """Return the guess of the tree."""
        tree = perfect(position.game)
        path = tuple(zip(position.guess_ids, position.board.codes, strict=True))
        node = None if tree is None else tree.after(path)
        return self.base.guess(position) if node is None else position.game.guesses[node.guess]


@lru_cache(maxsize=16)
def perfect(game: wk.Game) -> wk.Tree | None:
    """Return a proved tree of a game, or None if none is known or quickly found. It is read or searched only once."""
    tree = wk.known_tree(game)
    if tree is not None or game.boards > 1 or len(game.answers) > MOST_ANSWERS_TO_SEARCH:
        return tree
    try:
        found = wk.optimal(game, nodes=MOST_SCORED // len(game.guesses) + 1)
    except wk.WordleKitError:  # the game cannot be searched, perhaps because of its weights
        return None
    if found.ending == "interrupted":
        raise KeyboardInterrupt
    return found.tree if found.is_proved else None


@wk.hookimpl
def register_strategies(register: Callable[[wk.Strategy], None]) -> None:
    """Register the strategy."""
    register(Optimal())
