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


def test_it_counts_wins_ties_and_losses_on_the_same_puzzles(compare):
    found = only(compare("entropy", "first-consistent", "--format", "json"))
    assert (found["first"], found["second"], found["puzzles"]) == ("entropy", "first-consistent", 9)
    assert found["wins"] + found["ties"] + found["losses"] == 9
    assert sum(int(difference) * count for difference, count in found["differences"].items()) == -3
    assert found["mean_difference"] == pytest.approx(-3 / 9)


def test_figures_that_come_from_the_store_are_said_to_and_can_be_played_again(compare, own_store, counted):
    def said(*arguments):
        return compare("counted", "minimax", "-p", counted.plugin, *arguments).err

    assert said() == ""
    asked = counted.asked
    assert said() == f"wordle-kit: 18 of 18 plays from the store {own_store}; --fresh plays them again\n"
    assert (said("--fresh"), counted.asked) == ("", 2 * asked)


def test_the_other_way_round_wins_are_losses(compare):
    there = only(compare("entropy", "first-consistent", "--format", "json"))
    back = only(compare("first-consistent", "entropy", "--format", "json"))
    assert (back["wins"], back["losses"]) == (there["losses"], there["wins"])
    assert back["mean_difference"] == -there["mean_difference"]


def test_over_all_puzzles_the_difference_is_exact_and_said_so(compare):
    assert only(compare("entropy", "minimax", "--format", "json"))["interval"] is None
    out = compare("entropy", "minimax").out
    assert "the mean difference is exact" in out
    assert "interval" not in out


def test_over_a_sample_the_difference_has_an_interval(compare):
    sample = ("--puzzles", "6", "--seed", "1")
    found = only(compare("entropy", "first-consistent", *sample, "--format", "json"))
    low, high = found["interval"]
    assert low < found["mean_difference"] < high
    assert "95% confidence" in compare("entropy", "first-consistent", *sample).out


def test_a_table_has_both_names_and_the_counts(compare):
    header, _, row, *_ = compare("entropy", "minimax").out.splitlines()
    assert header.split() == ["first", "second", "wins", "ties", "losses", "difference"]
    assert row.split() == ["entropy", "minimax", "0", "9", "0", "+0.0000"]


def test_only_missing_runs_are_played(compare, run, tiny, counted):
    run("tournament", "-g", tiny, "-p", counted.plugin, "-s", "counted", "--workers", "1")
    asked = counted.asked
    assert compare("minimax", "counted", "-p", counted.plugin).code == 0
    assert counted.asked == asked


def test_strategies_with_other_parameters_can_be_compared(compare):
    found = only(compare("entropy(opener=aa)", "entropy", "--format", "json"))
    assert (found["first"], found["second"]) == ("entropy(opener=aa)", "entropy")


def test_an_unknown_strategy_is_named_with_a_suggestion(refused, tiny):
    assert "'entropi'; did you mean 'entropy'?" in refused("compare", "minimax", "entropi", "-g", tiny)


# Several boards

THREE = ("--boards", "3", "--puzzles", "20")


def test_on_several_boards_a_table_has_a_row_for_the_first_board_solved_to_the_last(compare):
    header, _, *rows = compare("first-consistent", "random-consistent", *THREE).out.split("\n\n")[0].splitlines()
    assert header.split()[:4] == ["first", "second", "solved", "wins"]
    assert [row.split()[:3] for row in rows] == [["first-consistent", "random-consistent", number] for number in "123"]
    assert max(map(len, rows)) <= 100


def test_on_several_boards_the_last_board_decides(compare):
    found = only(compare("first-consistent", "random-consistent", *THREE, "--format", "json"))
    names = ("first", "second", "puzzles", "boards", "p_adjusted")
    whole = {key: value for key, value in found.items() if key not in names}
    assert len(found["boards"]) == 3
    assert found["boards"][-1] == whole
    means = [board["mean_second"] for board in found["boards"]]
    assert means == sorted(means)
    assert [board["wins"] + board["ties"] + board["losses"] for board in found["boards"]] == [20, 20, 20]


def test_the_games_of_both_are_written_down(compare, tmp_path):
    path = tmp_path / "plays.tsv"
    assert compare("entropy", "minimax", *THREE, "--repeats", "--transcripts", path).code == 0
    with path.open(newline="") as file:
        lines = list(csv.DictReader(file, delimiter="\t"))
    assert [line["strategy"] for line in lines] == ["entropy"] * 20 + ["minimax"] * 20
    assert [line["answers"] for line in lines[:20]] == [line["answers"] for line in lines[20:]]
    assert any(len(set(line["answers"].split(","))) < 3 for line in lines)


# Several strategies

SAMPLE = ("-g", "mastermind", "--puzzles", "200", "--seed", "2", "--workers", "1")


def test_each_of_several_strategies_is_compared_with_each(run):
    ran = run("compare", "entropy", "minimax", "most-parts", "first-consistent", *SAMPLE)
    header, _, *rows = ran.out.split("\n\n")[0].splitlines()
    assert header.split() == ["first", "second", "wins", "ties", "losses", "difference", "p"]
    assert len(rows) == 6
    assert max(map(len, rows)) <= 100
    assert "p is that of the paired permutation test, adjusted by Holm's method." in ran.out


def test_the_p_values_of_several_pairs_are_adjusted(run):
    found = run("compare", "entropy", "minimax", "first-consistent", *SAMPLE, "--json").json["comparisons"]
    assert all(each["p_value"] <= each["p_adjusted"] <= 1 for each in found)
    least = min(found, key=lambda each: each["p_value"])
    assert least["p_adjusted"] == pytest.approx(min(1, 3 * least["p_value"]))
    pair = only(run("compare", "entropy", "minimax", *SAMPLE, "--json"))
    assert pair["p_adjusted"] == pair["p_value"] == found[0]["p_value"]


def test_more_confidence_needs_a_wider_interval_and_the_note_says_so(run):
    usual, wide = (
        only(run("compare", "entropy", "minimax", *SAMPLE, "--json", "--confidence", share))
        for share in ("0.95", "0.999")
    )
    assert wide["interval"][0] < usual["interval"][0] < usual["interval"][1] < wide["interval"][1]
    assert "the 99.9% confidence interval" in run("compare", "entropy", "minimax", *SAMPLE, "--confidence", "0.999").out


def test_exports_say_where_the_figures_are_from(run):
    asked = ("compare", "entropy(pool=candidates)", "minimax", *SAMPLE)
    (row,) = csv.DictReader(io.StringIO(run(*asked, "--csv").out))
    (board,) = run(*asked, "--json").json["leaderboards"]
    rows = {each["strategy"]: each for each in board["rows"]}
    for side, name in (("first", "entropy(pool=candidates)"), ("second", "minimax")):
        assert row[f"{side}_fingerprint"] == board["fingerprint"]
        assert row[f"{side}_source"] == rows[name]["source"]
        assert row[f"{side}_param_pool"] == rows[name]["param_pool"]
        assert (row[f"{side}_seed"], row[f"{side}_host"], row[f"{side}_game"]) == ("2", "hidden", "mastermind")


# Two games or modes


def test_each_strategy_is_compared_with_itself_in_hard_mode(run, tiny):
    ran = run("compare", "entropy", "minimax", "--and-hard", "-g", tiny, "--workers", "1")
    rows = ran.out.split("\n\n")[0].splitlines()[2:]
    assert [row.split("  ")[0] for row in rows] == ["entropy, not hard", "minimax, not hard"]
    found = run("compare", "entropy", "--and-hard", "-g", tiny, "--json").json
    assert [board["hard_mode"] for board in found["leaderboards"]] == [False, True]
    means = [board["rows"][0]["mean"] for board in found["leaderboards"]]
    assert found["comparisons"][0]["mean_difference"] == pytest.approx(means[0] - means[1])


def test_a_strategy_is_compared_in_two_games_by_the_hidden_word(run, tiny, write):
    more = write("more.toml", 'name = "more"\nalphabet = "cab"\nlength = 2\nanswers = "all"\nmax_guesses = 9\n')
    asked = ("compare", "entropy", "-g", tiny, "--and-game", more, "--puzzles", "5", "--workers", "1")
    found = only(run(*asked, "--json"))
    assert (found["first"], found["second"], found["puzzles"]) == ("entropy, tiny", "entropy, more", 5)
    assert found["interval"] is not None
    path = tiny.with_suffix(".tsv")
    run(*asked, "--transcripts", path)
    answers = [line.split("\t")[1] for line in path.read_text().splitlines()[1:]]
    assert answers[:5] == answers[5:]


def test_a_game_that_lacks_a_hidden_word_is_refused(refused, tiny, write):
    other = write("other.toml", 'name = "other"\nalphabet = "ab"\nlength = 2\nanswers = "all"\n')
    said = refused("compare", "entropy", "-g", tiny, "--and-game", other)
    assert "puzzle 3: 'ac' has 'c', which is not in the alphabet; both games need the same hidden words" in said


# What a tournament takes


@pytest.mark.slow
def test_isolated_strategies_are_compared_with_the_same_result(run, tiny):
    asked = ("compare", "entropy", "first-consistent", "-g", tiny, "--workers", "1", "--memory", "64", "--json")
    isolated = run(*asked, "--isolate", "--sandbox", "plain").json["comparisons"]
    assert isolated == run(*asked).json["comparisons"]


def test_against_the_adversary_every_game_is_compared(run):
    found = only(run("compare", "entropy", "minimax", "--host", "adversary", "--first", "aiery", "--json"))
    assert (found["puzzles"], found["mean_first"], found["mean_second"]) == (1, 5, 4)
    out = run("compare", "entropy", "minimax", "--host", "adversary", "--first", "aiery").out
    assert "--sample" not in out


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["entropy", "--and-hard", "--hard"], "leave one of them out"),
        (["entropy", "--and-hard", "--host", "adversary"], "hides no words, by which the puzzles"),
        (["entropy", "minimax", "--first", "aa"], "--first"),
        (["entropy"], "name two or more strategies to compare"),
        (["entropy", "minimax", "--confidence", "1"], "confidence"),
        (["entropy", "minimax", "--confidence", "0"], "confidence"),
        (["entropy", "minimax", "--confidence", "nan"], "confidence"),
    ],
)
def test_what_cannot_be_compared_is_said_in_one_line(refused, tiny, arguments, problem):
    assert problem in refused("compare", *arguments, "-g", tiny)
