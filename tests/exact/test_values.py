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


def test_values_are_read_word_by_word(tmp_path):
    path = tmp_path / "values.txt"
    path.write_text("# of perfect play\nABC 2.5\n\n aaa \t 3\ndcb 1e1\n", encoding="utf-8")
    assert read_values(path, GAME) == {"abc": 2.5, "aaa": 3.0, "dcb": 10.0}


@pytest.mark.parametrize("text", ["abc 1\nxyz 2\n", "abc 1\nacb\n", "abc nan\n", "3\n", "# nothing\n"])
def test_anything_else_in_a_file_of_values_is_refused(tmp_path, text):
    path = tmp_path / "values.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(wk.WordleKitError, match=r"values\.txt"):
        read_values(path, GAME)


def test_errors_are_the_mean_squares_over_all_words_and_over_the_first_of_the_best():
    scores = first_scores(GAME, wk.load_strategy("entropy"))
    values = {"abc": 4.0, "aaa": 2.0, "acb": 2.0, "bca": 2.0}
    squares = {word: (float(scores[GAME.guess_index[word]]) - value) ** 2 for word, value in values.items()}
    for best in (1, 2, 3, 100):
        first = [squares[word] for word in ("aaa", "acb", "bca", "abc")][:best]
        assert errors_against(GAME, scores, values, best) == [
            {"over": "all 4", "mean squared error": pytest.approx(sum(squares.values()) / 4)},
            {"over": f"the best {len(first)}", "mean squared error": pytest.approx(sum(first) / len(first))},
        ]


def check_perfect_values(game):
    """Check that the values of perfect play are those of exact search, and that estimators are judged by them."""
    values = perfect_values(game, lambda done, total: None)
    assert list(values) == list(game.guesses)
    assert min(values.values()) == pytest.approx(wk.optimal(game).mean)
    for name in ("statistical-estimator", "entropic-estimator"):
        scores = first_scores(game, wk.load_strategy(name))
        every, few = errors_against(game, scores, values, 20)
        squares = [(scores[game.guess_index[word]] - value) ** 2 for word, value in values.items()]
        assert every["mean squared error"] == pytest.approx(sum(squares) / len(squares))
        assert 0 < few["mean squared error"] < 1


def test_perfect_values_are_those_of_exact_search_and_judge_every_estimator():
    check_perfect_values(GAME)


@pytest.mark.slow
def test_perfect_values_of_hundreds_of_words_are_those_of_exact_search():
    words = bundled("wordle").answers[::10]
    check_perfect_values(bundled("wordle").replace(name="few", answers=words, guesses=words))
