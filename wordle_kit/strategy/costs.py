"""The cost engine computes the costs of guesses: it asks a strategy what parts cost, then chooses and calls a kernel.

Without weights, the cost of a part depends on its size. Sizes go from 1 to the number of candidates, so the strategy is
asked about all of them at once, and the parts of each guess are counted (`costs_of_parts`).

With weights, the cost of a part depends on its mass, the sum of its candidates' weights. If there are few candidates,
the strategy is asked about the mass of each set of candidates, and `costs_of_parts` looks up sets. Otherwise the masses
of parts are collected (`collect_masses`), and the strategy is asked about each of them.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from wordle_kit.errors import StrategyError, blaming_the_machine
from wordle_kit.game.game import Game
from wordle_kit.game.rules import Codes
from wordle_kit.game.table import Floats, Ids, all_rows
from wordle_kit.game.words import Array, frozen
from wordle_kit.texts import short_repr

PartCost = Callable[[Floats], Floats]
"""A function that turns the sizes of parts (from 1 up) or their masses (above 0) into costs, both float64[n]."""

Groups = npt.NDArray[np.integer] | None
"""A group from 0 up for each code, int[n_codes], or None if every code is a group of its own."""

PICKED = 4
"""If more than one in this many guesses is needed, it is faster to use the codes of all than to pick those needed."""

CODES_PER_SUBSET = 8
"""The least number of codes per set of candidates at which the strategy is asked about all sets.

With fewer codes, it is faster to ask it about the masses of parts.
"""

MASSES_AT_A_TIME = 2**14
"""The least number of masses that are collected before the strategy is asked about them. This many fit in the cache."""


@dataclass(frozen=True)
class Parts:
    """The parts of guesses: for each guess, the candidates grouped by the feedback that they would give.

    Candidates and guesses are indices of words. By default, the guesses are all guesses of a game. `groups`,
    int[n_codes], assigns each code a group; the parts of a group are merged.
    """

    game: Game
    candidates: Ids
    guesses: Ids | None = None
    groups: Groups = None

    @property
    def n_guesses(self) -> int:
        """The number of guesses."""
        return len(self.game.guesses) if self.guesses is None else len(self.guesses)

    @property
    def max_parts(self) -> int:
        """The most parts that a guess can have."""
        return self.game.table.n_codes if self.groups is None else int(self.groups.max()) + 1

    def sums(self, units: Array) -> Array:
        """Return the sums of the candidates' units by code, [n_guesses, n_codes], of the same type as units[n].

        Units of 1 give the sizes of parts, and weights give their masses.
        """
        count = load_kernels(self.game).count_codes
        return self._filled(count, units, shape=(self.max_parts,), dtype=units.dtype)  # type: ignore[return-value]

    def costs_by_size(self, part_cost: PartCost, *, largest: bool) -> Floats:
        """Return the sum, or the maximum, of the costs of each guess's parts by their sizes, float64[n_guesses]."""
        n = len(self.candidates)
        cost = _with_empty_part(checked_costs(part_cost, np.arange(1.0, n + 1)), largest)
        return self._costs_by_units(frozen(np.ones(n, dtype=np.int32)), cost, largest)

    def costs_by_mass(self, weights: Floats, part_cost: PartCost, *, largest: bool) -> Floats:
        """Return the sum, or the maximum, of the costs of each guess's parts by their masses, float64[n_guesses].

        A part of mass 0 costs nothing. At least one of the candidates' weights, float64[n], must not be 0.

        If there are at most as many candidates as codes, looking up sets and collecting masses give the same results to
        the last digit. For this, weights are added in the order of the candidates, and costs in the order of the parts'
        first candidates.
        """
        if not weights.all():
            heavy = replace(self, candidates=frozen(self.candidates[weights > 0]))
            return heavy.costs_by_mass(frozen(weights[weights > 0]), part_cost, largest=largest)
        n, most = len(self.candidates), self.max_parts
        if CODES_PER_SUBSET * 2**n <= n * self.n_guesses:
            cost = _with_empty_part(checked_costs(part_cost, masses_of_subsets(weights)[1:]), largest)
            return self._costs_by_units(frozen(2 ** np.arange(n, dtype=np.int32)), cost, largest)
        kernels = load_kernels(self.game)
        sums = np.zeros((kernels.TILE, most))
        size = MASSES_AT_A_TIME + kernels.TILE * min(n, most) + 1
        masses, owners = np.empty(size), np.empty(size, dtype=np.int32)

        def ask(codes: Codes, rows: Ids, out: Floats) -> None:
            out[:] = -np.inf if largest else 0.0
            start = 0
            while start < len(out):
                start, found = kernels.collect_masses(codes, rows, weights, sums, start, masses, owners)
                kernels.add_costs(checked_costs(part_cost, masses[:found]), owners[:found], largest, out)

        return self._filled(ask)

    def sums_of_largest_weights(self, weights: Floats) -> Floats:
        """Return the sum, over the parts of each guess, of the largest weight in the part, float64[n_guesses]."""
        order = np.argsort(-weights, kind="stable")
        falling = replace(self, candidates=frozen(self.candidates[order]))
        return falling._filled(load_kernels(self.game).sums_of_first, frozen(weights[order]), self.max_parts)

    def _costs_by_units(self, units: Ids, cost: Floats, largest: bool) -> Floats:
        """Return the costs of guesses. A part whose candidates' units add up to s costs cost[s]."""
        kernels = load_kernels(self.game)
        sums = np.zeros((kernels.TILE, self.max_parts), dtype=np.uint16 if len(cost) <= 2**16 else np.uint32)
        return self._filled(kernels.costs_of_parts, units, cost, sums, largest)

    def _filled(
        self,
        kernel: Callable[..., None],
        *arguments: Any,
        shape: tuple[int, ...] = (),
        dtype: npt.DTypeLike = np.float64,
    ) -> npt.NDArray[Any]:
        """Return an array, dtype[n_guesses, *shape], that a kernel fills block by block from the codes of guesses."""
        table, groups = self.game.table, self.groups
        if self.guesses is not None and table.is_dense and PICKED * len(self.guesses) > len(self.game.guesses):
            return replace(self, guesses=None)._filled(kernel, *arguments, shape=shape, dtype=dtype)[self.guesses]
        out = np.zeros((self.n_guesses, *shape), dtype)
        for block, codes, rows in table.blocks(self.candidates, self.guesses):
            if groups is not None:
                codes, rows = frozen(groups.astype(codes.dtype)[codes[rows]]), all_rows(rows)
            kernel(codes, rows, *arguments, out[block])
        return out


def masses_of_subsets(weights: Floats) -> Floats:
    """Return the mass of each subset of some candidates, float64[2 ** n]. Candidate i adds 2 ** i to the index."""
    masses = np.zeros(2 ** len(weights))
    for i, weight in enumerate(weights.tolist()):
        np.add(masses[: 2**i], weight, out=masses[2**i : 2 ** (i + 1)])
    return masses


def checked_costs(part_cost: PartCost, parts: Floats) -> Floats:
    """Return a new array with the costs of parts of these sizes or masses, float64[n].

    Raises StrategyError unless `part_cost` returns one cost for each part. A cost may be infinite, but not nan.
    """
    given = part_cost(parts)
    try:
        costs = np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        costs = np.array(np.nan)
    if costs.shape == parts.shape and not math.isnan(np.minimum.reduce(costs, initial=0.0)):
        return costs
    missing = " (missing `return`?)" if given is None else ""
    wanted = f"return a cost for each, float64[{len(parts)}] without nan"
    raise StrategyError(
        f"part_cost was asked for the costs of {len(parts):,} parts and returned {short_repr(given)}{missing}; {wanted}"
    )


def _with_empty_part(costs: Floats, largest: bool) -> Floats:
    """Return costs after the cost of an empty part. That cost changes no sum and is never the largest."""
    return np.concatenate([[-np.inf if largest else 0.0], costs])


def load_kernels(game: Game) -> ModuleType:
    """Return the module of kernels for a game, loaded from numba's cache or newly compiled."""
    return _kernels_for(game.table.dtype, game.is_weighted)


@cache
def _kernels_for(dtype: np.dtype[Any], is_weighted: bool) -> ModuleType:
    with blaming_the_machine():
        from wordle_kit.strategy import kernels  # importing numba takes time

        kernels.compile_for(dtype, is_weighted)
    return kernels
