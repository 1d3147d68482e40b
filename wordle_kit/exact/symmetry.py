"""Symmetries of a game: first guesses of equal cost, because renaming symbols or places turns one into the other.

Mastermind's 1,296 first guesses are of five kinds. A renaming is a symmetry if it maps candidates to candidates and
guesses to guesses, and leaves every code of the table unchanged. That is checked, whatever the rule.
"""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import numpy.typing as npt

from wordle_kit.exact.search import Search

Permutation = npt.NDArray[np.int64]


def first_of_equals(search: Search) -> list[int]:
    """Return the columns of all guesses, but only the first of guesses that a symmetry makes equal.

    With weights or in hard mode, where the rule may depend on more than codes, no guesses count as equal.
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
    """Yield the place of each guess after every exchange of two symbols or two places that changes no code."""
    game = search.game
    guesses = game.guess_symbols[search.guesses].astype(np.int64)
    answers = game.answer_symbols[search.candidates].astype(np.int64)
    n_symbols = len(game.alphabet.symbols)
    for a, b in combinations(range(n_symbols), 2):
        symbols = np.arange(n_symbols)
        symbols[[a, b]] = b, a
        moved_answers, moved_guesses = find_words(answers, symbols[answers]), find_words(guesses, symbols[guesses])
        if keeps_codes(search, moved_answers, moved_guesses):
            yield moved_guesses
    for a, b in combinations(range(game.length), 2):
        places = np.arange(game.length)
        places[[a, b]] = b, a
        moved_answers, moved_guesses = find_words(answers, answers[:, places]), find_words(guesses, guesses[:, places])
        if keeps_codes(search, moved_answers, moved_guesses):
            yield moved_guesses


def find_words(words: Permutation, renamed: Permutation) -> Permutation:
    """Return the index of each renamed word among the words, -1 if it is not there."""
    index = {word.tobytes(): i for i, word in enumerate(words)}
    return np.array([index.get(word.tobytes(), -1) for word in np.ascontiguousarray(renamed)])


def keeps_codes(search: Search, answers: Permutation, guesses: Permutation) -> bool:
    """Return whether a renaming maps candidates to candidates and guesses to guesses, and changes no code."""
    if (answers < 0).any() or (guesses < 0).any():
        return False
    codes = search.matrix
    return all((codes[answers[i]][guesses] == codes[i]).all() for i in range(len(codes)))
