"""What guesses cost in games with weights: the costs of their parts by mass, and the heaviest candidates of parts."""

import threading
from collections.abc import Callable

import numpy as np

from wordle_kit.game.game import Game, frozen
from wordle_kit.game.table import Floats, Ids
from wordle_kit.strategy.costs import (
    Codes,
    PartCost,
    checked_costs,
    for_blocks,
    from_table,
    in_form,
    load_kernels,
    number_of_codes,
    wrong_costs,
)
from wordle_kit.strategy.counting import Groups, can_count, counted_masses

CODES_PER_SUBSET = 8
"""The costs of all subsets of the candidates are computed beforehand if at least this many codes are added up for each.

Otherwise, that takes longer than to compute the costs of the parts.
"""

MOST_IN_SETS = 28
"""With at most this many candidates, a part is a set of bits, and the cost of each different set is computed once."""

PARTS = 2**16
"""How many parts are collected as sets before they get their costs: few enough for the cache."""

FITTING = 4096
"""With more candidates than this, the codes of a tile and its masses do not fit the cache, and tiles are narrower."""

MASSES = 2**14
"""At least this many masses are collected before their costs are computed: few enough for the cache."""

Ask = Callable[[Floats], Floats]
"""Returns the costs of masses, checked."""


def costs_by_mass(
    game: Game,
    candidates: Ids,
    weights: Floats,
    part_cost: PartCost,
    guesses: Ids | None,
    groups: Groups,
    *,
    largest: bool,
) -> Floats:
    """Return the sum, or the largest, of the costs of the parts of guesses, float64[n_guesses], from their masses.

    A part of mass 0 costs nothing. At least one of the candidates' weights, float64[n], must not be 0. If the table is
    kept, there are three ways to compute the costs. In each, weights are added in the order of the candidates, and
    costs in the order of the first candidates of the parts, so all give the same results to the last digit.
    """
    if not weights.all():
        candidates, weights = frozen(candidates[weights > 0]), frozen(weights[weights > 0])
    n, n_codes = len(candidates), number_of_codes(game, groups)
    n_guesses = len(game.guesses) if guesses is None else len(guesses)

    def ask(masses: Floats) -> Floats:
        return checked_costs(part_cost(masses.copy()), masses, "mass", part_cost)

    def fill(codes: Codes, rows: Ids, out: Floats) -> None:
        out[:] = -np.inf if largest else 0.0
        if n <= MOST_IN_SETS:
            _fill_from_sets(codes, rows, weights, n_codes, ask, largest, out)
        else:
            _fill_from_masses(codes, rows, weights, n_codes, part_cost, largest, out)

    if CODES_PER_SUBSET * 2**n <= n * n_guesses:
        cost = np.zeros(2**n)  # the empty set costs nothing
        cost[1:] = ask(masses_of_subsets(weights)[1:])
        return from_table(game, candidates, cost, guesses, groups, largest=largest, by_set=True)
    load_kernels(game)
    if can_count(game.table, n):
        return _counted(game, candidates, weights, part_cost, guesses, groups, largest)
    return for_blocks(game, candidates, guesses, groups, fill)


def masses_of_subsets(weights: Floats) -> Floats:
    """Return the mass of each subset of some candidates, float64[2 ** n]; candidate i adds 2 ** i to the index."""
    masses = np.zeros(2 ** len(weights))
    for i, weight in enumerate(weights.tolist()):
        np.add(masses[: 2**i], weight, out=masses[2**i : 2 ** (i + 1)])
    return masses


def _fill_from_sets(
    codes: Codes, rows: Ids, weights: Floats, n_codes: int, ask: Ask, largest: bool, out: Floats
) -> None:
    """Add the costs of parts to out[n_guesses], for few candidates: `ask` is asked once about each set."""
    from wordle_kit.strategy.kernels import KNOWN_SETS, SLOTS, TILE, add_costs_of_sets, collect_sets, masses_of_sets

    memory = _kept.__dict__.pop("for sets", None)
    if memory is None or memory[0].shape[1] != n_codes:
        most = KNOWN_SETS + TILE * MOST_IN_SETS
        parts = np.empty(PARTS + TILE * MOST_IN_SETS + 1, dtype=np.uint64)
        slots, known = np.empty(SLOTS, dtype=np.uint64), np.empty(most, dtype=np.uint32)
        memory = np.zeros((TILE, n_codes), dtype=np.uint32), parts, slots, known, np.empty(most)
    sets, parts, slots, known, costs = memory
    start, n_known = 0, KNOWN_SETS + 1
    while start < len(out):
        if n_known > KNOWN_SETS:
            slots[:] = 0
            n_known = 0
        start, found, total = collect_sets(codes, rows, start, sets, parts, slots, known, n_known)
        if total > n_known:
            costs[n_known:total] = ask(masses_of_sets(known[n_known:total], weights))
            n_known = total
        add_costs_of_sets(parts[:found], costs, largest, out)
    _kept.__dict__["for sets"] = memory


def _fill_from_masses(
    codes: Codes, rows: Ids, weights: Floats, n_codes: int, part_cost: PartCost, largest: bool, out: Floats
) -> None:
    """Add the costs of parts to out[n_guesses], for any number of candidates."""
    from wordle_kit.strategy.kernels import TILE, collect_masses

    most, width = min(len(rows), n_codes), TILE if len(rows) <= FITTING else TILE // 2
    size = width * most + MASSES
    memory = _kept.__dict__.pop("for masses", None)
    fits = memory is not None and memory[0].shape == (width, n_codes) and memory[1].dtype == codes.dtype
    if not fits or len(memory[2]) < size:
        firsts = np.zeros((most + 1, width), dtype=codes.dtype)
        memory = np.zeros((width, n_codes)), firsts, np.empty(size), np.empty(size, dtype=np.int32)
    sums, firsts, masses, owners = memory
    start = 0
    while start < len(out):
        start, found = collect_masses(codes, rows, weights, start, sums, firsts[: most + 1], masses, owners)
        _add(masses[:found], owners[:found], part_cost, largest, out)
    _kept.__dict__["for masses"] = memory


def _counted(
    game: Game,
    candidates: Ids,
    weights: Floats,
    part_cost: PartCost,
    guesses: Ids | None,
    groups: Groups,
    largest: bool,
) -> Floats:
    """Return the costs of guesses, float64[n_guesses], for many candidates if the table is not kept."""
    from wordle_kit.strategy.counting_kernels import collect_sums

    n_guesses = len(game.guesses) if guesses is None else len(guesses)
    total = np.full(n_guesses, -np.inf if largest else 0.0)
    size = MASSES + number_of_codes(game, groups) + 1
    masses, owners = np.empty(size), np.empty(size, dtype=np.int32)
    with game.table.computing(len(candidates), n_guesses):
        for block, sums in counted_masses(game.table, candidates, weights, guesses, groups):
            start = 0
            while start < len(sums):
                start, found = collect_sums(sums, start, masses, owners)
                _add(masses[:found], owners[:found], part_cost, largest, total[block])
    return total


def _add(masses: Floats, owners: Ids, part_cost: PartCost, largest: bool, out: Floats) -> None:
    """Add the costs of masses to out[n_guesses] at the guesses that own them, or replace smaller ones there."""
    from wordle_kit.strategy.kernels import add_costs

    given = part_cost(masses)
    costs = in_form(given, masses)
    if costs is None or add_costs(costs, owners, largest, out):
        raise wrong_costs(given, masses, "mass", part_cost)


_kept = threading.local()
"""The arrays of a thread while no call uses them; making them anew each time would take longer than filling them."""


def heaviest_by_mass(game: Game, candidates: Ids, weights: Floats, guesses: Ids | None) -> Floats:
    """Return the sum, over the parts of each guess, of the largest weight in the part, float64[n_guesses]."""
    load_kernels(game)
    from wordle_kit.strategy.kernels import sums_of_first

    order = np.argsort(-weights, kind="stable")
    falling = frozen(weights[order])
    n_codes = game.table.n_codes

    def fill(codes: Codes, rows: Ids, out: Floats) -> None:
        sums_of_first(codes, rows, falling, n_codes, out)

    return for_blocks(game, frozen(candidates[order]), guesses, None, fill)
