"""Strategies that look more than one guess ahead: a decision tree from a file, lookahead and rollout."""

import hashlib
from abc import abstractmethod
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

import numpy as np
from pydantic import Field
from wordle_kit_plugins.partition import Entropy

import wordle_kit as wk

REMEMBERED = 2**18
"""Largest number of sets of candidates whose values are cached per game and base. Beyond it, the cache is emptied."""

ROUNDING = 1e-9
"""Mean numbers of guesses that differ by at most this much are considered equal."""


class TreeFile(wk.Strategy):
    """Follow the decision tree in a file."""

    name: ClassVar[str] = "tree"

    path: Path | None = None
    """Path of the tree file."""

    by_name_only = True

    def guess(self, position: wk.Position) -> str:
        """Return the guess of the node that the guesses and feedback so far lead to."""
        codes = position.boards[0].codes
        node = loaded(self.path, position.game).after(tuple(zip(position.guess_ids, codes, strict=True)))
        if node is None:
            raise wk.StrategyError(f"{self.path}: has no guess for {position!r}")
        return position.game.guesses[node.guess]

    def problem_with(self, game: wk.Game) -> str | None:
        """Return a message if the file is missing or its tree cannot be used, else None."""
        try:
            tree = loaded(self.path, game)
        except wk.WordleKitError as error:
            return str(error)
        return f"{self.path}: is not a tree for the start of the game" if tree.before else None


class OneAhead(wk.Strategy):
    """Choose the guess after which finding all candidates takes the fewest guesses in total.

    Only the `breadth` guesses with the best scores of the strategy `base` are considered, including the base's own
    guess. Ties go to the guess that the base scores better. The base itself guesses if there are more than `most`
    candidates, or if no guess gives information. Subclasses define how many guesses a part of two or more candidates
    needs.

    On several boards, the strategy looks only at the board with the fewest candidates. In a game with weights, the
    guesses for a candidate are multiplied by its weight.
    """

    base: wk.PartitionStrategy = Entropy()
    breadth: int = Field(default=10, ge=1)
    most: int = Field(default=3000, ge=0)

    @abstractmethod
    def needed(self, position: wk.Position) -> float:
        """Return the number of guesses needed for all candidates of a position with one board.

        It must not be less than `at_least`.
        """

    def guess(self, position: wk.Position) -> str:
        """Return the guess after which the fewest further guesses are needed."""
        board, base = position.board, self.base
        if not 1 < len(board) <= self.most:
            return base.guess(position)
        alone = wk.Position(position.game, [board], position.guess_ids)
        guesses = promising(alone, base, position.allowed, self.breadth)
        _, best = cheapest(alone, guesses, self.needed)
        return base.guess(position) if best is None else position.game.guesses[best]

    def problem_with(self, game: wk.Game) -> str | None:
        """Return why the base cannot play the game, or None if it can."""
        problem = self.base.problem_with(game)
        return None if problem is None else f"base: {problem}"


class Lookahead(OneAhead):
    """Choose the guess after which the most candidates can be found or distinguished within `depth` guesses.

    A part of n candidates needs at least 2n - 1 guesses: one for the first candidate and two for each of the others.
    The search adds up this lower bound over the parts left after `depth` guesses. For the last of these guesses, all
    words are tried; for each earlier one, only `breadth` words. With weights, a part of mass m needs at least 2m minus
    its largest weight.
    """

    depth: int = Field(default=2, ge=1, le=4)

    def needed(self, position: wk.Position) -> float:
        """Return the bound for looking one guess less ahead."""
        return self._bound(position, self.depth - 1)

    def _bound(self, position: wk.Position, depth: int) -> float:
        (board,) = position.boards
        if depth == 0 or len(board) == 2:
            return at_least(board, board.candidates)
        if depth == 1:
            allowed = position.allowed
            weights = np.zeros(len(position.game.guesses))
            weights[board.candidate_guesses] = board.weights
            saved = board.sums_of_largest_weights(allowed) + (weights if allowed is None else weights[allowed])
            return 3 * board.mass - float(saved.max())
        guesses = promising(position, self.base, None, self.breadth)
        least, _ = cheapest(position, guesses, lambda after: self._bound(after, depth - 1))
        return least


class Rollout(OneAhead):
    """Choose the guess after which a simple strategy, playing on to the end, takes the fewest guesses.

    Bhambri, Bhattacharjee and Bertsekas (2022), "Playing Wordle using an online rollout algorithm". The simple strategy
    is `base`. It plays on for every candidate of each part, so the number of guesses is exact. With weights, the
    guesses for a candidate are multiplied by its weight.
    """

    def needed(self, position: wk.Position) -> float:
        """Return how many guesses the base needs for all candidates."""
        return played_on(position, self.base)


def promising(position: wk.Position, base: wk.PartitionStrategy, allowed: wk.Ids | None, breadth: int) -> list[int]:
    """Return the indices of the best guesses on a board by the base's score, with the base's own guess first.

    `position` has one board. `allowed` are the allowed guesses, or None for all that the base considers.
    """
    (board,) = position.boards
    considered = base.considered(position)
    if allowed is not None:
        considered = allowed if considered is None else np.intersect1d(considered, allowed)
    scores = np.round(base.scores(board, considered) / min(1.0, board.mass), 9)  # equal if tied for the base
    late = np.zeros(len(scores)) if base.ties == "list-order" else ~board.is_candidate(considered)
    worst = np.partition(scores, breadth - 1)[breadth - 1] if breadth < len(scores) else np.inf
    few = np.flatnonzero(scores <= worst)
    order = few[np.lexsort((late[few], scores[few]))][:breadth]
    own = position.game.guess_index[base.guess(position)]
    best = [own, *(order if considered is None else considered[order]).tolist()]
    return [guess for guess in dict.fromkeys(best) if allowed is None or guess in allowed][:breadth]


def cheapest(
    position: wk.Position, guesses: list[int], needed: Callable[[wk.Position], float]
) -> tuple[float, int | None]:
    """Return the lowest total for all candidates after one of these guesses, and the first guess that reaches it.

    `needed` returns how many guesses a part of two or more candidates needs. A guess is abandoned as soon as it cannot
    be the best. If no guess gives information, all candidates count as unsolved and the guess is None.
    """
    (board,) = position.boards
    least, best = worst_total(position), None
    rounding = ROUNDING * board.mass
    for guess in guesses:
        parts = board.parts(guess)
        parts.pop(position.game.winning_code, None)
        if len(parts) == 1 and len(board) in map(len, parts.values()):
            continue
        total = board.mass + sum(at_least(board, part) for part in parts.values())
        for code, part in sorted(parts.items(), key=lambda item: -len(item[1])):
            if total >= least - rounding or len(part) == 1:
                break
            if board.mass_of(part):
                after = wk.Position(position.game, [board.with_part(code, part)], (*position.guess_ids, guess))
                total += needed(after) - at_least(board, part)
        if total < least - rounding:
            least, best = total, guess
        if least <= at_least(board, board.candidates) + rounding:
            break
    return least, best


def at_least(board: wk.Board, part: wk.Ids) -> float:
    """Return the fewest guesses possible for the candidates: one for the heaviest and two for each of the others."""
    if not board.game.is_weighted:
        return 2.0 * len(part) - 1
    mass = board.mass_of(part)
    return 2 * mass - float(board.with_part(0, part).weights.max()) if mass else 0.0


def played_on(position: wk.Position, base: wk.PartitionStrategy) -> float:
    """Return how many guesses a strategy needs for all candidates of a one-board position, including this guess.

    Results are cached for each set of candidates. A strategy whose guess gives no information is assumed to repeat it
    forever.
    """
    (board,) = position.boards
    n = len(board)
    if n == 1:
        return board.mass
    values = values_of(position.game, base)
    key = key_of(position, base)
    if key not in values:
        guess = position.game.guess_index[base.guess(position)]
        parts = board.parts(guess)
        parts.pop(position.game.winning_code, None)
        total = board.mass
        for code, part in parts.items():
            if len(part) == n:
                total = worst_total(position)
                break
            if board.mass_of(part):
                after = wk.Position(position.game, [board.with_part(code, part)], (*position.guess_ids, guess))
                total += played_on(after, base)
        if len(values) >= REMEMBERED:
            values.clear()
        values[key] = total
    return values[key]


def worst_total(position: wk.Position) -> float:
    """Return the number of guesses if no candidate is ever found, which is the cap plus one for each candidate."""
    return position.board.mass * (position.game.cap + 1)


def key_of(position: wk.Position, base: wk.PartitionStrategy) -> bytes:
    """Return a hash of everything that the base's guess can depend on: candidates and allowed guesses.

    If the base's class overrides a method that gets the position, all guesses and feedback so far are included.
    """
    digest = hashlib.blake2b(position.board.candidates.tobytes(), digest_size=16)
    if position.allowed is not None:
        digest.update(position.allowed.tobytes())
    kind = type(base)
    if (kind.guess, kind.considered) != (wk.PartitionStrategy.guess, wk.PartitionStrategy.considered):
        digest.update(repr((position.guess_ids, position.board.codes)).encode())
    return digest.digest()


@lru_cache(maxsize=4)
def values_of(game: wk.Game, base: wk.PartitionStrategy) -> dict[bytes, float]:
    """Return the cached values of a strategy in a game."""
    return {}


def loaded(path: Path | None, game: wk.Game) -> wk.Tree:
    """Return the tree in a file, which is read again only if the file has changed.

    Raises WordleKitError if there is no file or its tree is invalid.
    """
    if path is None:
        raise wk.StrategyError("it needs path=FILE, a decision tree")
    return _loaded(path.resolve(), path.stat().st_mtime_ns if path.is_file() else 0, game)


@lru_cache(maxsize=16)
def _loaded(path: Path, changed: int, game: wk.Game) -> wk.Tree:
    return wk.read_tree(path, game)


@wk.hookimpl
def register_strategies(register: Callable[[wk.Strategy], None]) -> None:
    """Register the strategies. `tree` plays only by name, since it needs a file."""
    for strategy in (TreeFile(), Lookahead(), Rollout()):
        register(strategy)
