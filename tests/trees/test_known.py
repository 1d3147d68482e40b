"""Known perfect play: the bundled trees, and figures measured against them."""

import pytest

import wordle_kit as wk
from wordle_kit.leaderboard.metrics import perfect_total

TOTALS = {
    "wordle": 7920,
    "mastermind": 5625,
    "glyphs": 2178,
    "english-9": 12815,
    "english-7": 14873,
    "english-8": 14482,
    "wordle-2022": 7897,
    "mini-nerdle": 544,
}


@pytest.mark.parametrize(("name", "total"), TOTALS.items())
def test_a_known_tree_solves_its_game_with_the_total_that_it_says(name, total):
    game = wk.load_game(name)
    tree = wk.known_tree(game)
    assert tree.total == perfect_total(game.fingerprint) == total
    assert len(tree.paths) == len(game.answers)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["wordle", "wordle-2022", "mastermind", "glyphs"])
def test_from_its_first_guess_search_finds_nothing_better(name):
    game = wk.load_game(name)
    solution = wk.optimal(game, game.guesses[wk.known_tree(game).root.guess])
    assert (solution.total, solution.is_proved) == (TOTALS[name], True)


def test_of_other_games_nothing_is_known():
    game = wk.load_game("wordle")
    for other in (game.replace(hard_mode=True), game.replace(boards=2), wk.load_game("english-4")):
        assert wk.known_tree(other) is None
        assert perfect_total(other.fingerprint) is None


@pytest.mark.slow
def test_rows_say_how_far_they_are_from_perfect_play_where_that_is_known():
    board = wk.tournament("glyphs", ["optimal", "minimax"], workers=1)
    perfect, minimax = board.rows
    assert (perfect.strategy, perfect.over_perfect, perfect.total_guesses) == ("optimal", 0, 2178)
    assert minimax.over_perfect == minimax.total_guesses - 2178 > 0
    assert {row.over_perfect for row in wk.tournament("glyphs", ["minimax"], 50, workers=1).rows} == {None}
    assert {row.over_perfect for row in wk.tournament("bulls-and-cows", ["first-consistent"], workers=1).rows} == {None}
