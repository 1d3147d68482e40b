"""`wordle-kit openers`: first guesses by a strategy's own score, and that score compared with known values."""

from collections import Counter

import pytest

import wordle_kit as wk


def test_it_ranks_the_guesses_of_wordle_by_entropy_unless_told_otherwise(run):
    ran = run("openers", "--top", "3")
    assert (ran.code, ran.err) == (0, "")
    _, header, _, *rows = ran.out.splitlines()
    assert header.split() == ["rank", "word", "bits", "gained", "answer"]
    assert [row.split() for row in rows] == [
        ["1", "soare", "5.88596", "no"],
        ["2", "roate", "5.88278", "no"],
        ["3", "raise", "5.87791", "yes"],
    ]


def test_json_has_one_object_with_all_digits(run, tiny):
    found = run("openers", "-s", "expected-size", "--game", tiny, "--top", "2", "--format", "json").json
    assert found.keys() == {"openers"}
    game = wk.load_game(tiny)

    def expected_size(guess):
        sizes = Counter(str(game.feedback(guess, answer)) for answer in game.answers).values()
        return sum(size * size for size in sizes) / len(game.answers)

    best = sorted(game.guesses, key=expected_size)[:2]
    assert [row["word"] for row in found["openers"]] == best
    assert [row["score"] for row in found["openers"]] == pytest.approx([expected_size(word) for word in best])
    assert [row["rank"] for row in found["openers"]] == [1, 2]


def test_values_add_the_mean_squared_errors_over_all_words_and_over_the_best(run, tiny, write):
    scores = {
        row["word"]: row["bits gained"]
        for row in run("openers", "--game", tiny, "--top", "99", "--format", "json").json["openers"]
    }
    values = write("values.txt", f"ab {scores['ab'] + 1}\naa {scores['aa'] + 2}\nba {scores['ba'] - 3}\n")
    every, best = run("openers", "-g", tiny, "--values", values, "--format", "json").json["errors"]
    assert every["mean squared error"] == pytest.approx(14 / 3)
    assert (best["over"], best["mean squared error"]) == ("the best 3", every["mean squared error"])


def test_a_plugins_strategy_is_ranked_too(run, write, tiny):
    plugin = write(
        "mine.py",
        """
        import wordle_kit as wk

        class Mine(wk.PartitionStrategy):
            def part_cost(self, size):
                return size ** 3

        @wk.hookimpl
        def register_strategies(register):
            register(Mine())
        """,
    )
    (best,) = run("openers", "-p", plugin, "-s", "mine", "-g", tiny, "--top", "1", "--format", "json").json["openers"]
    sizes = [
        part["size"] for part in run("explain", best["word"], "-g", tiny, "--format", "json").json["parts_by_size"]
    ]
    assert best["score"] == pytest.approx(sum(size**3 for size in sizes) / 9)


@pytest.mark.parametrize("spec", ["entropy", "expected-size(pool=candidates)"])
def test_the_rank_and_score_are_those_that_openers_shows(run, tiny, spec):
    ranked = run("openers", "-g", tiny, "-s", spec, "--top", "9", "--format", "json").json["openers"]
    for row in (ranked[0], ranked[-1]):
        found = run("explain", row["word"], "-s", spec, "-g", tiny, "--format", "json").json["rating"]
        assert (found["rank"], found["considered"], found["choice"]) == (row["rank"], 9, ranked[0]["word"])
        assert found["score"] == pytest.approx(row.get("bits gained", row.get("score")))
