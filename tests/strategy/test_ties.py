"""Ties against the rule read out loud, on one board and on several, with weights and without."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wordle_kit as wk
from wordle_kit.strategy.partition import PartitionStrategy

GAME = wk.load_game({"name": "pegs", "alphabet": "abc", "length": 3, "rule": "mastermind", "answers": "all"})


class Unweighted(PartitionStrategy):
    """Scores nothing, and ignores weights."""

    weighted = False

    def part_cost(self, size):
        return size


class Weighted(Unweighted):
    """Scores nothing, and uses weights."""

    weighted = True


def by_hand(words, boards, ties, weighted):
    """Return the word to play: the rule, one sentence at a time."""
    game = boards[0].game
    chance = {word: sum(board.chance_of()[word] for board in boards) for word in words}
    if ties == "list-order":
        return words[0]
    if not game.is_weighted or (ties != "likeliest-first" and not weighted):
        preferred = [word for word in words if any(word in board.candidate_guesses for board in boards)]
    else:
        preferred = [word for word in words if chance[word] > 0]
        if ties == "likeliest-first":
            preferred = [word for word in preferred if chance[word] >= max(chance.values()) - 1e-9]
    return min(preferred, default=words[0])


@pytest.mark.parametrize("ties", ["candidates-first", "likeliest-first", "list-order"])
@settings(deadline=None, max_examples=50)
@given(
    words=st.sets(st.integers(0, 26), min_size=1),
    candidates=st.lists(st.sets(st.integers(0, 26), min_size=1, max_size=9), min_size=1, max_size=3),
    weights=st.none() | st.lists(st.sampled_from([0.0, 1.0, 3.0]), min_size=27, max_size=27).filter(any),
    weighted=st.booleans(),
)
def test_the_first_of_equals_is_the_one_that_the_rule_names(ties, words, candidates, weights, weighted):
    game = GAME if weights is None else GAME.replace(weights=weights)
    boards = [wk.Board(game, np.array(sorted(each), dtype=np.int32)) for each in candidates]
    words = np.array(sorted(words), dtype=np.int32)
    strategy = (Weighted if weighted else Unweighted)(ties=ties)
    assert strategy.first_of_ties(words, boards) == by_hand(words.tolist(), boards, ties, weighted)
