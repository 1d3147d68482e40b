"""Decision trees: their figures are those of playing them."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import RandomCandidate, one_board_games, tree_played_by

import wordle_kit as wk
from wordle_kit.trees import parse_tree, tree_text

SEEDS = st.integers(0, 2**32)


@given(game=one_board_games(), seed=SEEDS)
def test_its_figures_are_those_of_playing_it(game, seed):
    strategy = RandomCandidate(seed=seed)
    tree = tree_played_by(strategy, game)
    tree.check()
    plays = wk.play(strategy, game)
    turns = [play.turns for play in plays]
    assert (tree.total, tree.depth) == (sum(turns), max(turns))
    assert tree.distribution == {number: turns.count(number) for number in sorted(set(turns))}
    for play in plays:
        path = tree.paths[game.answer_index[play.puzzle[0]]]
        assert tuple(game.guesses[guess] for guess, _ in path) == play.guesses
        assert [str(game.feedback_of(code)) for _, code in path] == [seen for (seen,) in play.feedback]
        for length in range(len(path)):
            assert tree.after(path[:length]).guess == path[length][0]
        assert tree.after(path) is None


@given(game=one_board_games(), seed=SEEDS)
def test_a_tree_from_a_later_position_counts_from_its_first_guess(game, seed):
    strategy = RandomCandidate(seed=seed)
    whole = tree_played_by(strategy, game)
    for code, child in whole.root.children.items():
        part = wk.Tree(game, child, ((whole.root.guess, code),))
        part.check()
        assert part.paths.items() <= whole.paths.items()
        assert part.after(()) is None
        assert part.total == sum(len(path) - 1 for path in part.paths.values())
        assert part.depth == max(len(path) for path in part.paths.values()) - 1
        assert parse_tree(tree_text(part), game) == part


@given(game=one_board_games(), seed=SEEDS)
def test_the_weighted_mean_is_that_of_plays_by_the_weights_of_their_answers(game, seed):
    dice = random.Random(seed)
    game = game.replace(weights=[dice.randint(1, 4) for _ in game.answers])
    strategy = RandomCandidate(seed=seed)
    tree, plays = tree_played_by(strategy, game), wk.play(strategy, game)
    weighted = sum(weight * play.turns for weight, play in zip(game.weights, plays, strict=True)) / sum(game.weights)
    assert tree.weighted_mean == (pytest.approx(weighted) if game.is_weighted else None)
