"""Look-alikes: pairs of submissions that make the same decision in all but a few positions."""

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

FEW = 3
"""The most different decisions that look-alikes may make."""

SHARED = 0.9
"""The share of positions that each must have in common with the other; after a different guess, none are common."""

ENOUGH = 10
"""The fewest positions in common that allow a comparison."""

Decisions = Mapping[int, str]
"""The guess in each position, by the position's number."""


@dataclass(frozen=True)
class Alike:
    """Two submissions that decide alike."""

    first: str
    second: str
    positions: int
    """The number of positions that both reached."""
    different: int
    """The number of these in which they guessed differently."""


def lookalikes(decisions: Mapping[str, Decisions], known: Iterable[Decisions]) -> list[Alike]:
    """Return the pairs of submissions that decide alike, without those that decide like one that is `known`.

    Only deterministic strategies can be compared; do not pass any others.
    """
    known = list(known)
    own = {name: made for name, made in decisions.items() if not any(_alike(made, other) for other in known)}
    pairs = itertools.combinations(own, 2)
    return [
        Alike(first, second, *found)
        for first, second in pairs
        if (found := _alike(own[first], own[second])) is not None
    ]


def _alike(first: Decisions, second: Decisions) -> tuple[int, int] | None:
    """Return the numbers of common positions and of different decisions, or None if the two are not alike."""
    if min(len(first), len(second)) < max(ENOUGH, SHARED * max(len(first), len(second))):
        return None
    common = first.keys() & second.keys()
    different = sum(first[position] != second[position] for position in common)
    if different > FEW or len(common) < max(ENOUGH, SHARED * max(len(first), len(second))):
        return None
    return len(common), different
