"""Symmetries of a game: first guesses that cost the same, because renaming symbols or places turns one into the other.

Mastermind's 1,296 first guesses are of five kinds. A renaming counts where it maps candidates to candidates and guesses
to guesses and leaves every code of the table as it is; that is checked, whatever the rule.
"""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import numpy.typing as npt

from wordle_kit.exact.search import Search

Permutation = npt.NDArray[np.int64]


def first_of_equals(search: Search) -> list[int]:
    """Return the columns of guesses, of those that a symmetry makes equal only the first.

    With weights or in hard mode, whose rules may know more than codes, none are taken to be equal.
    """
    leader = np.arange(len(search.guesses))
    if search.weighted or search.game.hard_mode:
        return leader.tolist()
    permutations = list(symmetries(search))
    changed = bool(permutations)
    while changed:
        before = leader.copy()
        for permutation in permutations:
            leader = np.minimum(leader, leader[permutation])
            np.minimum.at(leader, permutation, leader)
        changed = bool((leader != before).any())
    return np.flatnonzero(leader == np.arange(len(leader))).tolist()


def symmetries(search: Search) -> Iterator[Permutation]:
    """Yield where each guess goes under every exchange of two symbols or of two places that changes no code."""
    game = search.game
    guesses = game.guess_symbols[search.guesses].astype(np.int64)
    answers = game.answer_symbols[search.candidates].astype(np.int64)
    n_symbols = len(game.alphabet.symbols)
    for a, b in combinations(range(n_symbols), 2):
        exchange = np.arange(n_symbols)
        exchange[[a, b]] = b, a
        yield from checked(search, moved(answers, exchange[answers]), moved(guesses, exchange[guesses]))
    for a, b in combinations(range(game.length), 2):
        places = np.arange(game.length)
        places[[a, b]] = b, a
        yield from checked(search, moved(answers, answers[:, places]), moved(guesses, guesses[:, places]))


def moved(words: Permutation, renamed: Permutation) -> Permutation | None:
    """Return the index among words of each renamed word, or None where one is not there."""
    index = {word.tobytes(): i for i, word in enumerate(words)}
    found = [index.get(word.tobytes(), -1) for word in np.ascontiguousarray(renamed)]
    return None if -1 in found else np.array(found)


def checked(search: Search, answers: Permutation | None, guesses: Permutation | None) -> Iterator[Permutation]:
    """Yield the permutation of the guesses if both are there and change no code."""
    if answers is None or guesses is None:
        return
    codes = search.matrix
    if all((codes[answers[i]][guesses] == codes[i]).all() for i in range(len(codes))):
        yield guesses
