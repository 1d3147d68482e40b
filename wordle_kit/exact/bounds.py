"""What a number of candidates costs at best, whatever they are."""

import numpy as np
import numpy.typing as npt


def ideal_costs(n: int, n_codes: int, within: int | None, late: int) -> npt.NDArray[np.int64]:
    """Return the least cost that sets of 0 to n candidates can have, int64[within + 2, n + 1].

    At most (n_codes - 1)^(d - 1) candidates are solved by guess d. Row `left` is for so many guesses left, after which
    a candidate costs `late` more; the last row is for any number of guesses, and the only other one is row 0 where
    `within` is None.
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
