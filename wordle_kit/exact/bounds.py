"""The least possible cost of a number of candidates, whatever they are."""

import numpy as np
import numpy.typing as npt


def ideal_costs(n: int, n_codes: int, within: int | None, late: int) -> npt.NDArray[np.int64]:
    """Return the least cost that sets of 0 to n candidates can have, int64[within + 2, n + 1].

    Guess d solves at most (n_codes - 1)^(d - 1) candidates. Row `left` is for that many guesses left, after which a
    candidate costs `late` more. The last row is for any number of guesses; if `within` is None, the only other row is
    row 0.
    """
    depth = np.empty(n, dtype=np.int64)
    filled, level, capacity = 0, 1, 1
    while filled < n:
        depth[filled : filled + capacity] = level
        filled += capacity
        level += 1
        capacity = min(n, capacity * max(1, n_codes - 1))
    costs = np.zeros(((within or 0) + 2, n + 1), dtype=np.int64)
    for left in range((within or 0) + 1):
        costs[left, 1:] = np.cumsum(depth + late * (depth > left))
    costs[-1, 1:] = np.cumsum(depth)
    return costs
