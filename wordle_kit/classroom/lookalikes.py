"""Look-alikes: submissions that decide alike in all but a few positions."""

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

FEW = 3
"""So many different decisions are still alike."""

SHARED = 0.9
"""The share of its positions that each must have in common with the other: after a different guess, nothing is."""

ENOUGH = 10
"""With fewer positions in common there is nothing to say."""

Decisions = Mapping[int, str]
"""The guess in each position, by the position's number."""


@dataclass(frozen=True)
class Alike:
    """Two submissions that decide alike."""

    first: str
    second: str
    positions: int
    """The positions that both were in."""
    different: int
    """Those in which they guessed differently."""


def lookalikes(decisions: Mapping[str, Decisions], known: Iterable[Decisions]) -> list[Alike]:
    """Return the pairs of submissions that decide alike, those left out that decide as the starter or a baseline does.

    Only deterministic ones can be compared; give no others.
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
    """Return how many positions two have in common and in how many they differ, or None where they are not alike."""
    if min(len(first), len(second)) < max(ENOUGH, SHARED * max(len(first), len(second))):
        return None
    common = first.keys() & second.keys()
    different = sum(first[position] != second[position] for position in common)
    if different > FEW or len(common) < max(ENOUGH, SHARED * max(len(first), len(second))):
        return None
    return len(common), different
