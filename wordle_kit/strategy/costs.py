"""What guesses cost: the sum, or the largest, of the costs of their parts. Here by the sizes of parts."""

import math
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Literal

import numpy as np
import numpy.typing as npt

from wordle_kit.engine import engine_work
from wordle_kit.errors import StrategyError
from wordle_kit.game.game import Game, frozen
from wordle_kit.game.table import Floats, Ids, all_of
from wordle_kit.names import shown
from wordle_kit.strategy.counting import Groups as Groups
from wordle_kit.strategy.counting import can_count, counted_costs

PartCost = Callable[[Floats], Floats]
"""A cost of parts: given their sizes from 1 up, or their masses above 0, float64[n], returns what each costs."""

Codes = npt.NDArray[np.unsignedinteger]
"""Feedback codes, codes[n_answers, n_guesses]."""

MOST_IN_SEQUENCE = 15
"""The most candidates whose parts are found by sequences of sizes."""

SEQUENCES_PER_GUESS = 4
"""With more sequences per guess than this, adding up the costs of all sequences takes too long."""

MOST_IN_PARTITION = 8
"""The most candidates whose parts are found by the numbers of partitions, if each set has a cost of its own."""

GUESSES_PER_SUBSET = 4
"""With fewer guesses per subset of the candidates than this, adding up the costs of all partitions takes too long."""

Kind = Literal["size", "mass"]
"""What `part_cost` is asked about."""


def costs_by_size(
    game: Game, candidates: Ids, part_cost: PartCost, guesses: Ids | None, groups: Groups, *, largest: bool
) -> Floats:
    """Return the sum, or the largest, of the costs of the parts of guesses, float64[n_guesses], from their sizes."""
    sizes = sizes_up_to(len(candidates))
    cost = np.zeros(len(candidates) + 1)  # a part of size 0 costs nothing
    cost[1:] = checked_costs(part_cost(sizes.copy()), sizes, "size", part_cost)
    if can_count(game.table, len(candidates)):
        with game.table.computing(len(candidates), len(game.guesses) if guesses is None else len(guesses)):
            return counted_costs(game.table, candidates, guesses, cost, groups, largest=largest)
    return from_table(game, candidates, cost, guesses, groups, largest=largest)


@lru_cache(16)
def sizes_up_to(n: int) -> Floats:
    """Return 1, 2, ..., n, float64[n], read-only."""
    return frozen(np.arange(1.0, n + 1))


@lru_cache(16)
def ones(n: int) -> Ids:
    """Return n ones, int32[n], read-only."""
    return frozen(np.ones(n, dtype=np.int32))


def from_table(
    game: Game,
    candidates: Ids,
    cost: Floats,
    guesses: Ids | None,
    groups: Groups,
    *,
    largest: bool,
    by_set: bool = False,
) -> Floats:
    """Return the costs of guesses, given the cost of a part by its size or, with `by_set`, of each set of candidates.

    The index of a set has a bit for each candidate.
    """
    kernels = load_kernels(game)
    n, n_codes = len(candidates), number_of_codes(game, groups)
    n_guesses = len(game.guesses) if guesses is None else len(guesses)
    sizes: Codes | None = None
    given: tuple[object, ...] = (cost, largest)
    if not by_set and 3 < n <= MOST_IN_SEQUENCE and 1 << n <= SEQUENCES_PER_GUESS * n_guesses:
        kernel = kernels.costs_of_sequences
    elif by_set and 3 < n <= MOST_IN_PARTITION and GUESSES_PER_SUBSET << n <= n_guesses:
        kernel = kernels.costs_of_partitions
    else:
        units = frozen(2 ** np.arange(n, dtype=np.int32)) if by_set else ones(n)
        kernel, given = kernels.partition_costs, (units, cost, n_codes, largest)
        if not by_set and not largest and 3 < n < 2**16:
            sizes = np.zeros((min(kernels.TILE, n_guesses), n_codes), np.uint8 if n < 2**8 else np.uint16)

    def fill(codes: Codes, rows: Ids, out: Floats) -> None:
        if sizes is None or not kernels.costs_of_growing_parts(codes, rows, cost, sizes, out):
            kernel(codes, rows, *given, out)

    return for_blocks(game, candidates, guesses, groups, fill)


def for_blocks(
    game: Game,
    candidates: Ids,
    guesses: Ids | None,
    groups: Groups,
    fill: Callable[[Codes, Ids, Floats], None],
) -> Floats:
    """Return float64[n_guesses], filled block by block from the codes of guesses against candidates."""
    table = game.table
    n_guesses = len(game.guesses) if guesses is None else len(guesses)
    out = np.empty(n_guesses)
    with table.computing(len(candidates), n_guesses):
        for block, codes, rows in table.blocks(candidates, guesses):
            if groups is not None:
                codes, rows = frozen(groups.astype(table.dtype)[codes[rows]]), all_of(rows)
            fill(codes, rows, out[block])
    return out


def number_of_codes(game: Game, groups: Groups) -> int:
    """Return how many parts a guess can have."""
    return game.table.n_codes if groups is None else int(groups.max()) + 1


def checked_costs(given: object, asked: Floats, kind: Kind, part_cost: PartCost) -> Floats:
    """Return the costs that `part_cost` gave for the sizes or masses that it was asked about, float64[n].

    Infinity is a valid cost; nan is not. Raises StrategyError, naming the sizes, for what is not a cost for each.
    """
    costs = in_form(given, asked)
    if costs is None or math.isnan(np.minimum.reduce(costs, initial=0.0)):
        raise wrong_costs(given, asked, kind, part_cost)
    return costs


def in_form(given: object, asked: Floats) -> Floats | None:
    """Return costs in the form that kernels are compiled for, or None if they are not a number for each asked."""
    try:
        costs = np.asarray(given)
    except (TypeError, ValueError):
        return None
    if costs.dtype.kind not in "biuf" or costs.shape != asked.shape:
        return None
    return costs if costs.dtype == np.float64 and costs.flags.carray else np.require(costs, np.float64, ["C", "W", "E"])


def wrong_costs(given: object, asked: Floats, kind: Kind, part_cost: PartCost) -> StrategyError:
    """Return the error that says why these are not costs."""
    wanted = f"return a cost for each, float64[{len(asked)}]{_defined(part_cost)}"
    costs = in_form(given, asked)
    if costs is not None:
        wrong = np.flatnonzero(np.isnan(costs))
        few = ", ".join(f"{asked[i]:g}" for i in wrong[:3])
        more = f" and {_counted(len(wrong) - 3, kind, 'more ')}" if len(wrong) > 3 else ""
        return StrategyError(f"part_cost gave nan for the {_named(kind, len(wrong))} {few}{more}; {wanted}")
    try:
        costs = np.asarray(given)
    except (TypeError, ValueError):
        costs = np.empty(0, dtype=object)
    returned = f"the single number {costs}" if costs.shape == () else f"an array of shape {costs.shape}"
    if given is None:
        returned = "None (missing `return`?)"
    elif costs.dtype.kind not in "biuf":
        returned = shown(given)
    span = f"{_counted(len(asked), kind)}, {asked.min():g} to {asked.max():,g}"
    return StrategyError(f"part_cost was asked about {span}, and returned {returned}; {wanted}")


def _named(kind: Kind, count: int) -> str:
    """Return the word for this many sizes or masses."""
    return kind if count == 1 else {"size": "sizes", "mass": "masses"}[kind]


def _counted(count: int, kind: Kind, which: str = "") -> str:
    return f"{count:,} {which}{_named(kind, count)}"


def _defined(function: object) -> str:
    """Return where a function is defined, as the end of a message."""
    code = getattr(function, "__code__", None)
    return f" ({Path(code.co_filename).name}, line {code.co_firstlineno})" if code is not None else ""


def checked_scores(scores: object, game: Game, guesses: Ids | None) -> Floats:
    """Return the scores that a strategy gave guesses, or all guesses of a game, float64[n_guesses].

    Raises StrategyError for scores of the wrong shape or type, and for nan.
    """
    n_guesses = len(game.guesses) if guesses is None else len(guesses)
    if not isinstance(scores, np.ndarray) or scores.dtype.kind not in "biuf":
        problem = f"the scores are {shown(scores)}"
    elif scores.shape != (n_guesses,):
        problem = f"the scores are an array of shape {scores.shape}"
    elif n_guesses and math.isnan(np.minimum.reduce(scores)):
        at = int(np.isnan(scores).argmax())
        guess = game.guesses[at if guesses is None else int(guesses[at])]
        problem = f"the score of the guess {guess!r} is nan"
    else:
        return scores
    raise StrategyError(f"{problem}; finish and scores return a score for each guess, float64[{n_guesses}]")


def load_kernels(game: Game) -> ModuleType:
    """Load the kernels that a game needs, or compile them if numba's cache does not have them; return their module."""
    kind = game.table.dtype, game.is_weighted
    if kind not in _loaded:
        with engine_work():
            from wordle_kit.strategy import kernels

            kernels.compiled(*kind)
            _loaded[kind] = kernels
    return _loaded[kind]


_loaded: dict[object, ModuleType] = {}
"""The kernels, by the types of codes for which they are loaded, with and without those for masses."""
