"""The cost engine: computes the costs of guesses. It asks a strategy what parts cost, and chooses and calls a kernel.

Without weights, the cost of a part depends on its size. Sizes go from 1 to the number of candidates, so the strategy is
asked about all of them at once. Then there are three ways to compute the costs of guesses:

- Few candidates: the codes of every two candidates are compared (`costs_of_sequences`).
- More candidates: the parts of each guess are counted (`costs_of_parts`).
- Many candidates in a game whose table is not kept: parts are counted while codes are computed (`count_codes`).

With weights, the cost of a part depends on its mass, the sum of its candidates' weights. There are three ways too:

- Few candidates: the strategy is asked about the mass of each set of candidates, and `costs_of_parts` looks up sets.
- More candidates: the masses of parts are collected (`collect_masses`), and the strategy is asked about each of them.
- Many candidates in a game whose table is not kept: masses are added up while codes are computed.
"""

import math
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from wordle_kit.errors import StrategyError, blaming_the_machine
from wordle_kit.game.game import Game
from wordle_kit.game.rules import Codes
from wordle_kit.game.table import FeedbackTable, Floats, Ids, all_rows
from wordle_kit.game.words import frozen
from wordle_kit.pool import cores
from wordle_kit.texts import shown

PartCost = Callable[[Floats], Floats]
"""A function from the sizes of parts, from 1 up, or their masses, above 0, to what each part costs: float64[n] to
float64[n].
"""

Groups = npt.NDArray[np.integer] | None
"""A group from 0 up for each code, int[n_codes], or None if every code is a group of its own."""

Measure = Literal["size", "mass"]
"""What `part_cost` gets: the sizes or the masses of parts."""

MOST_IN_SEQUENCE = 15
"""The most candidates whose codes are compared. The sequence of sizes of more candidates would not fit 16 bits."""

SEQUENCES_PER_GUESS = 4
"""The most sequences per guess. With more, adding up the costs of all sequences takes too long."""

CODES_PER_SUBSET = 8
"""The least number of codes to add up per set of candidates for which the strategy is asked about all sets.

With fewer, it is faster to ask it about the masses of parts.
"""

MASSES_AT_A_TIME = 2**14
"""The least number of masses that are collected before the strategy is asked about them. This many fit in the cache."""

SIDE_OF_BLOCK = 2048
"""The numbers of answers and of guesses in a block. The codes of a block stay in the cache until they are counted."""

MANY_CANDIDATES = 512
"""The least number of candidates with which it is faster to add up the counts of all codes than to count the codes."""


@dataclass(frozen=True)
class Parts:
    """The parts of guesses: for each guess, the candidates grouped by the feedback that they would give.

    Candidates and guesses are indices of words. By default, the guesses are all guesses of a game. `groups`,
    int[n_codes], has a group for each code; the parts of a group are merged.
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
    def most(self) -> int:
        """The most parts that a guess can have."""
        return self.game.table.n_codes if self.groups is None else int(self.groups.max()) + 1

    def costs_by_size(self, part_cost: PartCost, *, largest: bool) -> Floats:
        """Return the sum, or the largest, of the costs of each guess's parts by their sizes, float64[n_guesses]."""
        n = len(self.candidates)
        cost = _after_nothing(checked_costs(part_cost, np.arange(1.0, n + 1), "size"), largest)
        kernels = load_kernels(self.game)
        units = frozen(np.ones(n, dtype=np.int32))
        if can_count(self.game.table, n):
            out = np.empty(self.n_guesses)
            for block, counts in self.sums_by_code(units):
                kernels.costs_of_counts(counts, cost, largest, out[block])
            return out
        if n <= MOST_IN_SEQUENCE and 1 << n <= SEQUENCES_PER_GUESS * self.n_guesses:

            def compare(codes: Codes, rows: Ids, out: Floats) -> None:
                kernels.costs_of_sequences(codes, rows, cost, largest, out)

            return self._filled(compare)
        return self._costs_by_units(units, cost, largest)

    def costs_by_mass(self, weights: Floats, part_cost: PartCost, *, largest: bool) -> Floats:
        """Return the sum, or the largest, of the costs of each guess's parts by their masses, float64[n_guesses].

        A part of mass 0 costs nothing. At least one of the candidates' weights, float64[n], must not be 0.

        There are two ways to compute the costs: looking up sets of candidates, and collecting masses. If the table is
        kept and there are at most as many candidates as codes, both give the same results to the last digit. For this,
        weights are added in the order of the candidates, and costs in the order of the parts' first candidates.
        """
        if not weights.all():
            heavy = replace(self, candidates=frozen(self.candidates[weights > 0]))
            return heavy.costs_by_mass(frozen(weights[weights > 0]), part_cost, largest=largest)
        n, most = len(self.candidates), self.most
        if CODES_PER_SUBSET * 2**n <= n * self.n_guesses:
            cost = _after_nothing(checked_costs(part_cost, masses_of_subsets(weights)[1:], "mass"), largest)
            return self._costs_by_units(frozen(2 ** np.arange(n, dtype=np.int32)), cost, largest)
        kernels = load_kernels(self.game)
        if can_count(self.game.table, n):
            total = np.full(self.n_guesses, -np.inf if largest else 0.0)
            for block, sums in self.sums_by_code(weights):
                _ask_about_masses(partial(kernels.collect_sums, sums), most, part_cost, largest, total[block])
            return total

        def collect(codes: Codes, rows: Ids, out: Floats) -> None:
            out[:] = -np.inf if largest else 0.0
            of_tile = partial(kernels.collect_masses, codes, rows, weights, np.zeros((kernels.TILE, most)))
            _ask_about_masses(of_tile, kernels.TILE * min(n, most), part_cost, largest, out)

        return self._filled(collect)

    def heaviest(self, weights: Floats) -> Floats:
        """Return the sum, over the parts of each guess, of the largest weight in the part, float64[n_guesses]."""
        kernels = load_kernels(self.game)
        order = np.argsort(-weights, kind="stable")
        falling = frozen(weights[order])

        def fill(codes: Codes, rows: Ids, out: Floats) -> None:
            kernels.sums_of_first(codes, rows, falling, self.game.table.n_codes, out)

        return replace(self, candidates=frozen(self.candidates[order]))._filled(fill)

    def sums_by_code(self, units: npt.NDArray[Any]) -> Iterator[tuple[slice, npt.NDArray[Any]]]:
        """Yield blocks of guesses: which guesses, and the sums of the candidates' units by code, [n_guesses, most].

        Units of 1 give the sizes of parts, and weights give their masses. Each core works on one block at a time. The
        codes and the sums of a block take at most a quarter of the table's memory.
        """
        from wordle_kit.strategy.kernels import count_codes

        table, most = self.game.table, self.most
        answers = table.answers[self.candidates]
        symbols = table.guesses if self.guesses is None else table.guesses[self.guesses]
        height = min(SIDE_OF_BLOCK, len(answers))
        for_each_guess = height * table.dtype.itemsize + units.itemsize * most
        width = max(1, min(SIDE_OF_BLOCK, table.memory // (4 * for_each_guess)))
        blocks = [slice(start, min(start + width, len(symbols))) for start in range(0, len(symbols), width)]

        def added_up(block: slice) -> npt.NDArray[Any]:
            sums = np.zeros((block.stop - block.start, most), dtype=units.dtype)
            for start in range(0, len(answers), height):
                codes = table.codes_of(answers[start : start + height], symbols[block])
                count_codes(_grouped(codes, self.groups), all_rows(codes), units[start : start + height], sums)
            return sums

        at_a_time = min(cores(), len(blocks))
        with ThreadPoolExecutor(at_a_time) as threads:
            for first in range(0, len(blocks), at_a_time):
                some = blocks[first : first + at_a_time]
                yield from zip(some, threads.map(added_up, some), strict=True)

    def _costs_by_units(self, units: Ids, cost: Floats, largest: bool) -> Floats:
        """Return the costs of guesses. `cost` has the cost of a part, indexed by the sum of its candidates' units."""
        kernels = load_kernels(self.game)
        sums = np.zeros((kernels.TILE, self.most), dtype=np.uint16 if len(cost) <= 2**16 else np.uint32)

        def fill(codes: Codes, rows: Ids, out: Floats) -> None:
            kernels.costs_of_parts(codes, rows, units, cost, sums, largest, out)

        return self._filled(fill)

    def _filled(self, fill: Callable[[Codes, Ids, Floats], None]) -> Floats:
        """Return float64[n_guesses], which `fill` fills block by block from the codes of guesses against candidates."""
        out = np.empty(self.n_guesses)
        for block, codes, rows in self.game.table.blocks(self.candidates, self.guesses):
            if self.groups is not None:
                codes, rows = _grouped(codes[rows], self.groups), all_rows(rows)
            fill(codes, rows, out[block])
        return out


def masses_of_subsets(weights: Floats) -> Floats:
    """Return the mass of each subset of some candidates, float64[2 ** n]. Candidate i adds 2 ** i to the index."""
    masses = np.zeros(2 ** len(weights))
    for i, weight in enumerate(weights.tolist()):
        np.add(masses[: 2**i], weight, out=masses[2**i : 2 ** (i + 1)])
    return masses


def can_count(table: FeedbackTable, n_candidates: int) -> bool:
    """Return whether it is faster to count by code than to count the codes of all candidates in a block."""
    return not table.is_dense and n_candidates >= max(MANY_CANDIDATES, table.n_codes // 2)


def _ask_about_masses(
    collect: Callable[[int, Floats, Ids], tuple[int, int]], most: int, part_cost: PartCost, largest: bool, out: Floats
) -> None:
    """Add the costs of parts to out[n_guesses].

    `collect` begins at a given guess. It fills in the masses of parts and the guess of each mass. Then it returns the
    guess at which it stopped, and the number of masses. It processes several guesses per step; a step finds at most
    `most` masses.
    """
    from wordle_kit.strategy.kernels import add_costs

    size = MASSES_AT_A_TIME + most + 1
    masses, owners = np.empty(size), np.empty(size, dtype=np.int32)
    start = 0
    while start < len(out):
        start, found = collect(start, masses, owners)
        add_costs(checked_costs(part_cost, masses[:found], "mass"), owners[:found], largest, out)


def _after_nothing(costs: Floats, largest: bool) -> Floats:
    """Return costs with the cost of an empty part in front, which changes no sum and is never the largest cost."""
    return np.concatenate([[-np.inf if largest else 0.0], costs])


def _grouped(codes: Codes, groups: Groups) -> npt.NDArray[Any]:
    """Return the group of each code, in the type of the codes. The result is read-only, like codes."""
    return codes if groups is None else frozen(groups.astype(codes.dtype)[codes])


def checked_costs(part_cost: PartCost, asked: Floats, kind: Measure) -> Floats:
    """Return what `part_cost` says that these sizes or masses cost, float64[n], a new array.

    Raises StrategyError unless there is one cost for each size or mass. A cost may be infinite, but not nan.
    """
    given = part_cost(asked)
    try:
        costs = np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        costs = np.array(np.nan)
    if costs.shape == asked.shape and not math.isnan(np.minimum.reduce(costs, initial=0.0)):
        return costs
    code = getattr(part_cost, "__code__", None)
    where = f" ({Path(code.co_filename).name}, line {code.co_firstlineno})" if code is not None else ""
    missing = " (missing `return`?)" if given is None else ""
    raise StrategyError(
        f"part_cost was asked for the costs of {len(asked):,} parts by {kind} and returned "
        f"{shown(given)}{missing}; return a cost for each, float64[{len(asked)}] without nan{where}"
    )


def load_kernels(game: Game) -> ModuleType:
    """Return the module of kernels for a game, from numba's cache or newly compiled if the cache does not have them."""
    kind = game.table.dtype, game.is_weighted
    if kind not in _loaded:
        with blaming_the_machine():
            from wordle_kit.strategy import kernels

            kernels.compiled(*kind)
            _loaded[kind] = kernels
    return _loaded[kind]


_loaded: dict[object, ModuleType] = {}
"""The module of kernels for each type of codes, with and without kernels for masses."""
