"""Values of first guesses: from a file or by exact search, and the errors of an estimate."""

import pytest
from games import bundled
from wordle_kit_plugins.exact.values import errors_against, perfect_values, read_values

import wordle_kit as wk
from wordle_kit.explain import first_scores

GAME = wk.load_game(
    {
        "name": "small",
        "alphabet": "abcd",
        "length": 3,
        "answers": ["abc", "acb", "bca", "cda", "dad", "add", "bbb", "cab"],
        "guesses": ["aaa", "abd", "dcb", "ccc"],
    }
)


def test_values_are_read_word_by_word_and_a_word_that_stands_twice_is_there_twice(tmp_path):
    path = tmp_path / "values.txt"
    path.write_text("# of perfect play\nABC 2.5\n\n aaa \t 3\ndcb 1e1\nabc 2.5\n", encoding="utf-8")
    assert read_values(path, GAME) == [("abc", 2.5), ("aaa", 3.0), ("dcb", 10.0), ("abc", 2.5)]


def test_errors_are_the_mean_squares_over_all_words_and_over_the_best():
    scores = first_scores(GAME, wk.load_strategy("entropy"))
    off = [("abc", 1.0), ("acb", -2.0), ("aaa", 3.0), ("abc", 1.0)]
    values = [(word, float(scores[GAME.guess_ids[word]]) + by) for word, by in off]
    assert errors_against(GAME, scores, values, 100) == [
        {"over": "all 4", "mean squared error": pytest.approx(15 / 4)},
        {"over": "the best 3", "mean squared error": pytest.approx(14 / 3)},
    ], "a repeated word counts each time over all and once among the best"
    best = min(values, key=lambda value: value[1])[0]
    assert errors_against(GAME, scores, values, 1)[1]["mean squared error"] == pytest.approx(dict(off)[best] ** 2)


def test_of_words_that_are_as_good_the_first_that_stand_there_are_the_best():
    scores = first_scores(GAME, wk.load_strategy("entropy"))
    values = [("abc", 4.0), ("aaa", 2.0), ("acb", 2.0), ("bca", 2.0), ("aaa", 2.0)]
    for best in (1, 2, 3, 4):
        first = ["aaa", "acb", "bca", "abc"][:best]
        squares = [(float(scores[GAME.guess_ids[word]]) - dict(values)[word]) ** 2 for word in first]
        (_, few) = errors_against(GAME, scores, values, best)
        assert few["mean squared error"] == pytest.approx(sum(squares) / best)


def check_perfect_values(game):
    """Check that the values of perfect play are those of exact search, and that estimators are judged by them."""
    values = perfect_values(game, lambda done, total: None)
    assert [word for word, _ in values] == list(game.guesses)
    assert min(value for _, value in values) == pytest.approx(wk.optimal(game).mean)
    for name in ("statistical-estimator", "entropic-estimator"):
        scores = first_scores(game, wk.load_strategy(name))
        every, few = errors_against(game, scores, values, 20)
        squares = [(scores[game.guess_ids[word]] - value) ** 2 for word, value in values]
        assert every["mean squared error"] == pytest.approx(sum(squares) / len(squares))
        assert 0 < few["mean squared error"] < 1


def test_perfect_values_are_those_of_exact_search_and_judge_every_estimator():
    check_perfect_values(GAME)


@pytest.mark.slow
def test_perfect_values_of_hundreds_of_words_are_those_of_exact_search():
    words = [tuple(word) for word in bundled("wordle").answers[::10]]
    check_perfect_values(bundled("wordle").replace(name="few", answers=words, guesses=words))
