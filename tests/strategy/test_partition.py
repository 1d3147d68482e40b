"""Partition strategies: the fast ones guess what ten readable lines guess."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from wordle_kit_plugins.partition import Entropy, ExpectedSize, Minimax, MostParts

import wordle_kit as wk

COST_OF_SIZES = {
    Entropy: lambda sizes: sum(size * math.log2(size) for size in sizes),
    ExpectedSize: lambda sizes: sum(size * size for size in sizes),
    Minimax: max,
    MostParts: lambda sizes: -len(sizes),
}


def score_by_hand(kind, board, guess):
    sizes = Counter(board.game.feedback(guess, answer) for answer in board.words).values()
    return COST_OF_SIZES[kind](sizes) / len(board)


def guess_by_hand(strategy, position):
    """Return the guess of a partition strategy, found by scoring every guess with `Counter` and `game.feedback`."""
    if strategy.opener is not None and position.turn == 1:
        return strategy.opener
    for board in position.open_boards:
        if len(board) == 1 and position.allows(board.words[0]) is None:
            return board.words[0]
    candidates = {word for board in position.open_boards for word in board.words}
    allowed = [guess for guess in position.game.guesses if position.allows(guess) is None]
    in_pool = [guess for guess in allowed if strategy.pool == "guesses" or guess in candidates] or allowed
    combined = sum if strategy.combine == "sum" else min
    scores = {
        guess: combined([score_by_hand(type(strategy), board, guess) for board in position.open_boards])
        for guess in in_pool
    }
    best = [guess for guess in in_pool if scores[guess] <= min(scores.values()) + 1e-9]
    first = [guess for guess in best if guess in candidates] if strategy.ties == "candidates-first" else []
    return (first or best)[0]


@pytest.mark.parametrize("kind", COST_OF_SIZES)
@settings(deadline=None, max_examples=150)
@given(
    position=...,
    pool=st.sampled_from(["guesses", "candidates"]),
    ties=st.sampled_from(["candidates-first", "list-order"]),
    combine=st.sampled_from(["sum", "min"]),
)
def test_it_guesses_what_the_brute_force_guesses(kind, position: wk.Position, pool, ties, combine):
    assume(position.allowed is None or len(position.allowed))
    strategy = kind(pool=pool, ties=ties, combine=combine)
    assert strategy.guess(position) == guess_by_hand(strategy, position)


ALL_WORDS = wk.load_game({"name": "all", "alphabet": "abc", "length": 3, "answers": "all", "boards": 3})


@pytest.mark.parametrize("kind", COST_OF_SIZES)
@pytest.mark.parametrize("combine", ["sum", "min"])
@settings(deadline=None, max_examples=30)
@given(left=st.lists(st.sets(st.integers(0, 26), min_size=2, max_size=12), min_size=2, max_size=3))
def test_boards_that_know_different_things_are_combined_as_the_brute_force_combines_them(kind, combine, left):
    boards = [wk.Board(ALL_WORDS, np.array(sorted(ids), dtype=np.int32)) for ids in left]
    position = wk.Position(ALL_WORDS, boards)
    assert kind(combine=combine).guess(position) == guess_by_hand(kind(combine=combine), position)


@settings(deadline=None, max_examples=60)
@given(position=..., opener=st.integers(0, 100), kind=st.sampled_from(list(COST_OF_SIZES)))
def test_an_opener_is_played_first_and_never_again(position: wk.Position, opener, kind):
    assume(position.allowed is None or len(position.allowed))
    words = position.game.guesses
    strategy = kind(opener=words[opener % len(words)])
    if position.turn == 1:
        assert strategy.guess(position) == strategy.opener
    else:
        assert strategy.guess(position) == kind().guess(position)


@settings(deadline=None, max_examples=60)
@given(position=..., kind=st.sampled_from(list(COST_OF_SIZES)))
def test_a_feedback_table_that_does_not_fit_memory_changes_no_guess(position: wk.Position, kind):
    assume(position.allowed is None or len(position.allowed))
    small = position.game.replace(memory=100)
    boards = [wk.Board(small, board.candidates, board.codes) for board in position.boards]
    there = wk.Position(small, boards, position.guess_ids)
    assert kind().guess(there) == kind().guess(position)


# What each choice means, where one can see it

RHYMES = {
    "name": "rhymes",
    "alphabet": "abcdx",
    "length": 2,
    "answers": ["ax", "bx", "cx", "dx"],
    "guesses": ["ab", "aa"],
}


@pytest.fixture(scope="module")
def game():
    """Return a game where the word that tells the answers apart is no answer itself."""
    return wk.load_game(RHYMES)


def test_it_guesses_what_cannot_be_the_answer_if_that_tells_more(game):
    assert MostParts().guess(wk.Position.start(game)) == "ab"


def test_from_the_pool_of_candidates_it_guesses_only_what_may_be_the_answer(game):
    assert MostParts(pool="candidates").guess(wk.Position.start(game)) == "ax"


def test_of_equal_guesses_one_that_may_be_the_answer_goes_first_unless_the_list_decides(game):
    two_left = wk.Position.start(game).after("ab", "00")
    assert two_left.board.words == ("cx", "dx")
    assert Entropy().guess(two_left) == "cx"
    with_another = wk.load_game(RHYMES | {"guesses": ["ab", "aa", "ca"]})
    two_left = wk.Position.start(with_another).after("ab", "00")
    assert Entropy().guess(two_left) == "cx"
    assert Entropy(ties="list-order").guess(two_left) == "ca"


def test_a_board_with_one_candidate_is_solved_although_another_guess_would_tell_more(game):
    position = wk.Position.start(game.replace(boards=2)).after("ab", ["20", "00"])
    assert [board.words for board in position.boards] == [("ax",), ("cx", "dx")]
    assert Entropy().guess(position) == "ax"


def test_hard_mode_on_one_board_does_not_keep_it_from_solving_another_that_has_one_candidate():
    fields = {"name": "two", "alphabet": "abcd", "length": 2, "answers": ["ad", "ba", "cc"], "guesses": ["ab"]}
    position = wk.Position.start(wk.load_game(fields).replace(boards=2, hard_mode=True)).after("ab", ["00", "20"])
    assert [board.words for board in position.boards] == [("cc",), ("ad",)]
    assert position.allows("cc") is not None
    assert Entropy(ties="list-order").guess(position) == "ad"


def test_it_never_loses_a_game_of_several_boards(game):
    quadruple = game.replace(boards=4)
    for combine in ("sum", "min"):
        position = wk.Position.start(quadruple)
        while position.open_boards:
            guess = ExpectedSize(combine=combine).guess(position)
            position = position.after(guess, [quadruple.feedback(guess, answer) for answer in game.answers])
        assert position.turn - 1 <= 5


@pytest.mark.parametrize(
    ("opener", "problem"),
    [
        ("ab", None),
        ("ba", "opener: 'ba' is not among the guesses of rhymes"),
        ("abc", "opener: 'abc' has 3 symbols; words of rhymes have 2"),
        ("zz", "opener: 'zz' has 'z', which is not in the alphabet"),
    ],
)
def test_an_opener_that_is_no_guess_of_the_game_is_a_problem(game, opener, problem):
    found = Entropy(opener=opener).problem_with(game)
    assert found == problem if problem is None else found.startswith(problem)


def test_every_bundled_partition_strategy_can_play_without_an_opener(game):
    assert [kind().problem_with(game) for kind in COST_OF_SIZES] == [None] * 4


# What an author may override


class InBundles(wk.PartitionStrategy):
    """Plays for the least sum of squares, in bundles of codes."""

    bundles: int = 2

    def part_cost(self, size):
        return size * size

    def groups(self, game):
        return np.arange(game.table.n_codes) % self.bundles


def test_codes_that_an_author_groups_are_counted_as_one_part(game):
    board = wk.Position.start(game).board
    sizes = [Counter(game.feedback(guess, answer).code % 2 for answer in game.answers) for guess in game.guesses]
    by_hand = [sum(size * size for size in each.values()) / 4 for each in sizes]
    assert InBundles().scores(board, None).tolist() == pytest.approx(by_hand)


class NeverTheAnswer(wk.PartitionStrategy):
    """Adds a penalty to every guess that may be the answer, however well it splits."""

    def part_cost(self, size):
        return size

    def finish(self, cost, board, guesses):
        return cost + 1000 * board.is_candidate(guesses)


def test_an_author_may_add_to_the_score_of_each_guess(game):
    assert NeverTheAnswer().guess(wk.Position.start(game)) == "aa"
    assert NeverTheAnswer(pool="candidates").guess(wk.Position.start(game)) == "ax"


@pytest.mark.parametrize(("apart", "guess"), [(1e-10, "aa"), (1e-8, "dx")])
def test_scores_that_differ_by_less_than_a_billionth_are_equal(game, apart, guess):
    class Later(wk.PartitionStrategy):
        """Finds every guess a little better than the one before it."""

        def part_cost(self, size):
            return size

        def finish(self, cost, board, guesses):
            return -apart * np.arange(len(cost))

    assert game.guesses == ("aa", "ab", "ax", "bx", "cx", "dx")
    assert Later(ties="list-order").guess(wk.Position.start(game)) == guess


def test_part_cost_is_asked_for_whole_sizes_from_one_up(game):
    asked = []

    class Curious(wk.PartitionStrategy):
        def part_cost(self, size):
            asked.append(size.tolist())
            return size

    Curious().guess(wk.Position.start(game))
    assert asked == [[1.0, 2.0, 3.0, 4.0]]
