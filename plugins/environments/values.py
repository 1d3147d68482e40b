"""Values of positions: the number of further guesses needed, from an exact search within limits or a strategy."""

from functools import lru_cache
from typing import NamedTuple

from cachetools import LRUCache
from wordle_kit_plugins.exact.memory import UNLIMITED
from wordle_kit_plugins.exact.objective import Objective, weights_of
from wordle_kit_plugins.exact.search import Search, SearchStopped
from wordle_kit_plugins.search import played_on

import wordle_kit as wk
from wordle_kit.api import StrategyLike
from wordle_kit.explain import as_partition_strategy

EXACT = "exact search"
"""The source of a proved value."""

MEAN = Objective("mean")

SEARCH_MEMORY = 512
"""The maximum number of MB that searching one set of candidates may take."""

REMEMBERED = 2**18
"""The maximum number of values, and also of regrets, cached per game."""

Key = tuple[bytes, bytes]
"""The data on which a value depends: the candidates and, in hard mode, the allowed guesses."""


class Value(NamedTuple):
    """A number of guesses, and how it was found."""

    number: float
    by: str
    """EXACT if the number is proved, else the strategy used in place of perfect play."""

    @property
    def is_exact(self) -> bool:
        """Whether the number is proved."""
        return self.by == EXACT


class PositionValues:
    """The values of the positions of a game with one board, cached once known.

    The value V(s) of a position s is the mean number of guesses needed from s on, without a limit on guesses. It is
    exact if a proved tree of the game contains the position, or if an exact search finds perfect play from there. The
    search takes positions with at most `largest` candidates and gives up after `nodes` sets; both limits are counts,
    not times, so values do not depend on the machine. A value that is not exact is the mean of the strategy `by`.
    """

    def __init__(self, game: wk.Game, by: wk.PartitionStrategy, nodes: int, largest: int) -> None:
        if game.boards != 1:
            raise wk.GameError(
                f"{game.name} has {game.boards} boards; regret is known for one board only, so choose another reward"
            )
        self.game = game
        self.by = by
        self.nodes = nodes
        self.largest = largest
        self._known: LRUCache[Key, tuple[Value, int]] = LRUCache(REMEMBERED)
        self._regrets: LRUCache[tuple[Key, int], Value] = LRUCache(REMEMBERED)
        tree = None if game.hard_mode else wk.known_tree(game)
        self._of_tree: dict[Key, tuple[Value, int]] = {}
        if tree is not None:
            self._read(tree.root, tree.position)

    def of(self, position: wk.Position) -> Value:
        """Return the total number of further guesses that the candidates of an open position need.

        The guesses for a candidate are multiplied by its weight, in the units of `Board.weights`.
        """
        return Value(at_least(position.board), EXACT) if len(position.board) <= 2 else self._found(position)[0]

    def best(self, position: wk.Position) -> int:
        """Return the index of a best guess in an open position.

        If the value is not exact, it is the strategy's guess.
        """
        board = position.board
        return int(board.candidate_guesses[board.weights.argmax()]) if len(board) <= 2 else self._found(position)[1]

    def regret(self, position: wk.Position, guess: int) -> Value:
        """Return the regret of a guess: 1 + the sum over its parts of P(part) V(part) - V(s), where V(solved) is 0.

        An exact regret is never below 0. An inexact one is below 0 if the guess beats the strategy's guess.
        """
        key = key_of(position), guess
        regret = self._regrets.get(key)
        if regret is None:
            here, after = self.of(position), [self.of(one) for one in parts_of(position, guess)]
            # Without weights, totals are whole numbers, so a perfect guess has a regret of exactly 0.
            more = position.board.mass + sum(value.number for value in after) - here.number
            is_exact = here.is_exact and all(value.is_exact for value in after)
            if is_exact and more < ROUNDING * here.number:
                more = 0.0
            regret = Value(more / position.board.mass, EXACT if is_exact else self.by.spec)
            self._regrets[key] = regret
        return regret

    def _found(self, position: wk.Position) -> tuple[Value, int]:
        """Return the value of a position with more than two candidates, and the guess that achieves it."""
        key = key_of(position)
        found = self._of_tree.get(key) or self._known.get(key)
        if found is None:
            found = self._searched(position)
            if found is None:
                guess = self.game.guess_index[self.by.guess(position)]
                found = Value(played_on(position, self.by), self.by.spec), guess
            self._known[key] = found
        return found

    def _searched(self, position: wk.Position) -> tuple[Value, int] | None:
        """Return the value of a position and a best guess, or None if the search cannot prove them."""
        board = position.board
        if len(board) > self.largest:
            return None
        try:
            search = Search(self.game, board.candidates, position.allowed, objective=MEAN, memory=SEARCH_MEMORY)
            search.limit_nodes(self.nodes)
            cost = search.solve(search.everything, UNLIMITED)
            best = search.best_guess(search.everything, UNLIMITED)
        except (SearchStopped, wk.GameError):  # too many sets, too little memory, or hard mode that cannot be searched
            return None
        total = cost / search.scale * (board.mass / float(weights_of(self.game, board.candidates).sum()))
        return Value(total, EXACT), int(search.guesses[best])

    def _read(self, node: wk.Node, position: wk.Position) -> float:
        """Store the values of a proved tree's positions at and below a node, and return the total at the node."""
        total = position.board.mass
        for after in parts_of(position, node.guess):
            total += self._read(node.children[after.boards[0].codes[-1]], after)
        self._of_tree[key_of(position)] = Value(total, EXACT), node.guess
        return total


ROUNDING = 1e-9
"""Differences of totals up to this share are considered rounding errors."""


def parts_of(position: wk.Position, guess: int) -> list[wk.Position]:
    """Return the positions that follow a guess, except the solved one and those without weight."""
    game, board, guess_ids = position.game, position.board, (*position.guess_ids, guess)
    return [
        wk.Position(game, [board.with_part(code, part)], guess_ids)
        for code, part in board.parts(guess).items()
        if code != game.winning_code and board.mass_of(part)
    ]


def at_least(board: wk.Board) -> float:
    """Return the total for one or two candidates: one guess for the heavier, two for the other."""
    return 2 * board.mass - float(board.weights.max())


def key_of(position: wk.Position) -> Key:
    """Return the key of a position's value."""
    allowed = position.allowed
    return position.board.candidates.tobytes(), b"" if allowed is None else allowed.tobytes()


@lru_cache(maxsize=4)
def values_of(game: wk.Game, by: StrategyLike, nodes: int, largest: int) -> PositionValues:
    """Return the values of a game, cached for the last few games. Raises WordleKitError."""
    strategy = as_partition_strategy(wk.load_strategy(by))
    if strategy.opener is not None:
        raise wk.StrategyError(f"{strategy.spec}: its opener is not its own choice in every position; leave it out")
    problem = strategy.problem_with(game)
    if problem is not None:
        raise wk.StrategyError(f"{strategy.spec} cannot play {game.name}: {problem}")
    return PositionValues(game, strategy, nodes, largest)
