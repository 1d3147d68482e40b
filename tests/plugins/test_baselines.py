"""The strategies that only filter."""

import pytest
from wordle_kit_plugins.baselines import FirstConsistent, RandomConsistent

import wordle_kit as wk

FIELDS = {"name": "abc", "alphabet": "abcd", "length": 3, "answers": "all"}
GAME = wk.load_game(FIELDS | {"boards": 3})


@pytest.fixture(scope="module")
def position():
    """Return a position whose first board has 4 words left, the second one and the third three."""
    position = wk.Position.start(GAME, seed="7").after("abc", ["200", "000", "001"])
    assert [len(board) for board in position.boards] == [4, 1, 3]
    return position


# On one board


def test_the_first_candidate_is_guessed():
    position = wk.Position.start(GAME.replace(boards=1)).after("abc", "200")
    assert FirstConsistent().guess(position) == position.board.words[0] == "aaa"


def test_every_candidate_is_guessed_with_the_same_chance():
    words = [
        RandomConsistent().guess(wk.Position.start(GAME, seed=str(seed)).after("abc", ["200"] * 3))
        for seed in range(400)
    ]
    assert set(words) == {"aaa", "aad", "ada", "add"}
    assert min(map(words.count, set(words))) > 60


# On several boards


@pytest.mark.parametrize("strategy", [FirstConsistent(), RandomConsistent()])
def test_the_board_with_the_fewest_words_is_played(position, strategy):
    alone = wk.Position(GAME, [position.boards[1]], position.guess_ids, seed="7")
    assert strategy.guess(position) == strategy.guess(alone) == "ddd"
