"""`wordle-kit openers`: first guesses by a strategy's own score, played, and compared with known values."""

import csv
import io
from collections import Counter
from xml.etree import ElementTree as ET

import pytest

import wordle_kit as wk


def test_it_ranks_the_guesses_of_wordle_by_entropy_unless_told_otherwise(run):
    ran = run("openers", "--top", "3")
    assert (ran.code, ran.err) == (0, "")
    about, header, _, *rows = ran.out.splitlines()
    assert about == "Wordle, lists of 2021 (wordle; -g chooses another, such as wordle-nyt)."
    assert header.split() == ["rank", "word", "bits", "gained", "answer"]
    assert [row.split() for row in rows] == [
        ["1", "soare", "5.88596", "no"],
        ["2", "roate", "5.88278", "no"],
        ["3", "raise", "5.87791", "yes"],
    ]


def test_ten_are_shown_unless_told_otherwise(run, tiny):
    assert len(run("openers").out.splitlines()) == 13
    assert len(run("openers", "--game", tiny).out.splitlines()) == 11


def test_scores_are_shown_as_people_expect_them(run):
    (best,) = run("openers", "-s", "rounded-entropy", "--top", "1", "--format", "json").json["openers"]
    assert (best["word"], best["bits gained"]) == ("soare", 5.89)


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


def test_played_adds_the_first_two_guesses_with_their_share(run, tiny):
    found = run("openers", "-s", "minimax", "--game", tiny, "--played", "--top", "3", "--format", "json").json
    plays = wk.play(wk.load_strategy("minimax"), wk.load_game(tiny))
    counts = Counter(" ".join(play.guesses[:2]) for play in plays if len(play.guesses) > 1)
    assert found.keys() == {"openers", "pairs"}
    for row in found["pairs"]:
        assert row["plays"] == counts[row["first two"]]
        assert row["share"] == pytest.approx(row["plays"] / 9)
    assert [row["plays"] for row in found["pairs"]] == sorted(counts.values(), reverse=True)[:3]
    table = run("openers", "-s", "minimax", "--game", tiny, "--played", "--top", "3").out
    assert "first two" in table


def test_finished_plays_are_kept_and_shown_by_leaderboard(run, tiny):
    run("openers", "-s", "minimax", "--game", tiny, "--played")
    assert run("leaderboard", "--game", "tiny").out.split()[0] == "strategy"


def test_against_adds_the_mean_squared_errors_over_all_words_and_over_the_best(run, tiny, write):
    scores = {
        row["word"]: row["bits gained"]
        for row in run("openers", "--game", tiny, "--top", "99", "--format", "json").json["openers"]
    }
    values = write("values.txt", f"ab {scores['ab'] + 1}\naa {scores['aa'] + 2}\nba {scores['ba'] - 3}\n")
    arguments = ("openers", "--game", tiny, "--values", values, "--best", "1")
    every, best = run(*arguments, "--format", "json").json["errors"]
    assert every == {"over": "all 3", "mean squared error": pytest.approx(14 / 3)}
    assert best == {"over": "the best 1", "mean squared error": pytest.approx(9)}
    assert run(*arguments).out.splitlines()[-1].split() == ["the", "best", "1", "9"]


def test_every_format_has_a_row_for_each_guess(run, tiny):
    def ranked(form):
        ran = run("openers", "--game", tiny, "--top", "4", "--format", form)
        assert (ran.code, ran.err) == (0, "")
        return ran.out

    words = [row["word"] for row in run("openers", "--game", tiny, "--top", "4", "--format", "json").json["openers"]]
    assert [row["word"] for row in csv.DictReader(io.StringIO(ranked("csv")))] == words
    assert [line.split()[3] for line in ranked("markdown").splitlines()[2:]] == words
    assert [row[1].text.strip() for row in ET.fromstring(ranked("html"))[1]] == words
    assert all(f"& {word}" in ranked("latex") for word in words)


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


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["-s", "first-consistent"], "first-consistent does not score guesses; only partition strategies do"),
        (["-s", "entropi"], "no strategy is called 'entropi'; did you mean 'entropy'?"),
        (["-s", "entropy(pol=x)"], "entropy has no parameter 'pol'"),
        (["--game", "chess"], "no game is called 'chess'"),
        (["--top", "-1"], "Invalid value for '--top'"),
        (["--best", "0"], "Invalid value for '--best'"),
        (["--format", "yaml"], "there are: csv, html, json, latex, markdown, table"),
        (["--values", "nowhere.txt"], "nowhere.txt: cannot be read"),
    ],
)
def test_bad_input_is_refused_in_one_line(refused, arguments, problem):
    assert problem in refused("openers", *arguments)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("soare 3.4\nroate\n", "values.txt: line 2: 'roate' is not a word and a value"),
        ("qqqqq 3.4\n", "values.txt: line 1: 'qqqqq' is not among the guesses of wordle"),
        ("# only this\n", "values.txt: has no values"),
    ],
)
def test_a_file_of_values_with_other_content_is_refused_in_one_line(refused, write, text, problem):
    assert problem in refused("openers", "--values", write("values.txt", text))
