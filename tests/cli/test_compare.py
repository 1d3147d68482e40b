"""`wordle-kit compare`: strategies, puzzle by puzzle."""

import csv
import io

import pytest


@pytest.fixture
def compare(run, tiny):
    """Compare two strategies on the tiny game."""

    def compare(first, second, *arguments):
        return run("compare", first, second, "--game", tiny, "--workers", "1", *arguments)

    return compare


def only(ran):
    """Return the one comparison in JSON."""
    (found,) = ran.json["comparisons"]
    return found


def table_of(ran):
    """Return the words of the header and of each row of a table."""
    header, _, *rows = ran.out.split("\n\n")[0].splitlines()
    return header.split(), [row.split() for row in rows]


def test_it_counts_wins_ties_and_losses_on_the_same_puzzles(compare):
    found = only(compare("entropy", "first-consistent", "--format", "json"))
    assert (found["first"], found["second"], found["puzzles"]) == ("entropy", "first-consistent", 9)
    assert found["wins"] + found["ties"] + found["losses"] == 9
    assert sum(int(difference) * count for difference, count in found["differences"].items()) == -3
    assert found["mean_difference"] == pytest.approx(-3 / 9)
    back = only(compare("first-consistent", "entropy", "--format", "json"))
    assert (back["wins"], back["losses"]) == (found["losses"], found["wins"])


def test_a_table_has_both_names_and_the_counts(compare):
    header, rows = table_of(compare("entropy", "minimax"))
    assert header == ["first", "second", "wins", "ties", "losses", "difference"]
    assert rows == [["entropy", "minimax", "0", "9", "0", "+0.0000"]]


def test_a_sample_has_an_interval_and_all_puzzles_have_an_exact_difference(compare):
    assert only(compare("entropy", "first-consistent", "--format", "json"))["interval"] is None
    sample = ("entropy", "first-consistent", "--puzzles", "6", "--seed", "1")
    found = only(compare(*sample, "--format", "json"))
    low, high = found["interval"]
    assert low < found["mean_difference"] < high
    wider = only(compare(*sample, "--format", "json", "--confidence", "0.999"))["interval"]
    assert wider[0] < low < high < wider[1]
    assert "99.9%" in compare(*sample, "--confidence", "0.999").out


def test_only_missing_runs_are_played_unless_they_are_to_be_played_again(compare, run, tiny, counted):
    run("tournament", "-g", tiny, "-p", counted.plugin, "-s", "counted", "--workers", "1")
    asked = counted.asked
    assert compare("minimax", "counted", "-p", counted.plugin).code == 0
    assert counted.asked == asked
    assert compare("minimax", "counted", "-p", counted.plugin, "--fresh").code == 0
    assert counted.asked == 2 * asked


# Several boards

THREE = ("--boards", "3", "--puzzles", "20")


def test_on_several_boards_each_has_a_row_and_the_last_decides(compare):
    header, rows = table_of(compare("first-consistent", "random-consistent", *THREE))
    assert header[:4] == ["first", "second", "solved", "wins"]
    assert [row[:3] for row in rows] == [["first-consistent", "random-consistent", number] for number in "123"]
    found = only(compare("first-consistent", "random-consistent", *THREE, "--format", "json"))
    means = [board["mean_second"] for board in found["boards"]]
    assert means == sorted(means)
    assert [board["wins"] + board["ties"] + board["losses"] for board in found["boards"]] == [20, 20, 20]
    assert found["boards"][-1].items() <= found.items()


def test_the_games_of_both_are_written_down(compare, tmp_path):
    path = tmp_path / "plays.tsv"
    assert compare("entropy", "minimax", *THREE, "--repeats", "--transcripts", path).code == 0
    with path.open(newline="") as file:
        lines = list(csv.DictReader(file, delimiter="\t"))
    assert [line["strategy"] for line in lines] == ["entropy"] * 20 + ["minimax"] * 20
    assert [line["answers"] for line in lines[:20]] == [line["answers"] for line in lines[20:]]
    assert any(len(set(line["answers"].split(","))) < 3 for line in lines)


# Several strategies

SAMPLE = ("-g", "mastermind", "--puzzles", "50", "--seed", "2", "--workers", "1")


def test_each_of_several_strategies_is_compared_with_each_and_p_is_adjusted(run):
    several = ("compare", "entropy", "minimax", "first-consistent", *SAMPLE)
    header, rows = table_of(run(*several))
    assert header == ["first", "second", "wins", "ties", "losses", "difference", "p"]
    assert len(rows) == 3
    found = run(*several, "--format", "json").json["comparisons"]
    assert all(each["p_value"] <= each["p_adjusted"] <= 1 for each in found)
    least = min(found, key=lambda each: each["p_value"])
    assert least["p_adjusted"] == pytest.approx(min(1, 3 * least["p_value"]))


def test_json_says_where_the_figures_are_from(run):
    asked = ("compare", "entropy(pool=candidates)", "minimax", *SAMPLE)
    (row,) = csv.DictReader(io.StringIO(run(*asked, "--format", "csv").out))
    found = run(*asked, "--format", "json").json
    (board,), (pair,) = found["leaderboards"], found["comparisons"]
    assert float(row["p_adjusted"]) == pair["p_adjusted"]
    assert sorted(each["param_pool"] for each in board["rows"]) == ["candidates", "guesses"]
    assert (board["game"], board["seed"], board["host"]) == ("mastermind", 2, "hidden")


# Two modes


def test_each_strategy_is_compared_with_itself_in_hard_mode(run, tiny):
    asked = ("compare", "entropy", "minimax", "--and-hard", "-g", tiny, "--workers", "1", "--format", "json")
    found = run(*asked).json
    assert [each["first"] for each in found["comparisons"]] == ["entropy, not hard", "minimax, not hard"]
    assert [board["hard_mode"] for board in found["leaderboards"]] == [False, True]
    easy, hard = (board["rows"][0]["mean"] for board in found["leaderboards"])
    assert found["comparisons"][0]["mean_difference"] == pytest.approx(easy - hard)


# What a tournament takes


def test_against_the_adversary_every_game_is_compared(run):
    asked = (
        "compare",
        "entropy",
        "minimax",
        "--host",
        "adversary",
        "--first",
        "aiery",
        "--workers",
        "1",
        "--format",
        "json",
    )
    found = only(run(*asked))
    assert (found["puzzles"], found["mean_first"], found["mean_second"]) == (1, 5, 4)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["minimax", "entropi"], "'entropi'"),
        (["entropy", "--and-hard", "--hard"], "--hard"),
        (["entropy", "--and-hard", "--host", "adversary"], "adversary"),
        (["entropy", "minimax", "--first", "aa"], "--first"),
        (["entropy"], "two"),
        (["entropy", "minimax", "--confidence", "1"], "confidence"),
    ],
)
def test_what_cannot_be_compared_is_named(refused, tiny, arguments, problem):
    assert problem in refused("compare", *arguments, "-g", tiny)
