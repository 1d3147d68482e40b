"""The command `optimal`: published values of perfect play, each option, the formats, and users' mistakes."""

import json

import pytest

import wordle_kit as wk
from wordle_kit import cli

slow = pytest.mark.slow


@pytest.fixture(scope="module")
def wordle():
    """Return Wordle with the lists of 2021."""
    return wk.load_game("wordle")


# Published values


@pytest.mark.parametrize(
    ("opener", "total"),
    [
        ("salet", 7920),
        ("crane", 7930),
        *(
            pytest.param(*row, marks=slow)
            for row in {"reast": 7923, "crate": 7926, "trace": 7926, "soare": 7997}.items()
        ),
    ],
)
def test_openers_of_wordle_cost_as_much_as_published(wordle, opener, total):
    solution = wk.optimal(wordle, opener)
    assert (solution.total, solution.lower, solution.is_proved) == (total, total, True)
    assert sum(turn * count for turn, count in enumerate(solution.counts, start=1)) == total


def test_every_answer_of_wordle_is_solved_within_five_at_no_cost(wordle):
    solution = wk.optimal(wordle, "salet", objective="worst")
    assert (solution.total, solution.worst, solution.worst_lower, solution.is_proved) == (7920, 5, 5, True)


@slow
def test_hard_mode_takes_six_more_guesses_where_all_must_be_solved_in_six(wordle):
    hard = wordle.replace(hard_mode=True)
    in_six = wk.optimal(hard, "salet", at_most=6)
    assert (in_six.total, in_six.worst, in_six.is_proved) == (8122, 6, True)
    in_any = wk.optimal(hard, "salet")
    assert (in_any.total, in_any.worst, in_any.is_proved) == (8116, 7, True)


@slow
def test_mastermind_costs_as_much_as_koyama_and_lai_found():
    solution = wk.optimal(wk.load_game("mastermind"), "1123")
    assert (solution.total, solution.is_proved) == (5625, True)


# The command

LATER = ["--after", "salet=00100", "--workers", "1"]


def run(capsys, *arguments):
    """Return exit code, standard output and standard error of a command line."""
    code = cli.run(["optimal", *arguments])
    return code, *capsys.readouterr()


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ([], (259, 4, "yes")),
        (["--objective", "worst"], (271, 3, "yes")),
        (["--at-most", "3"], (271, 3, "yes")),
        (["--hard"], (265, 4, "yes")),
        (["--breadth", "1"], (259, 4, "no")),
        (["--order", "entropic", "--memory", "64", "--seconds", "1000"], (259, 4, "yes")),
    ],
)
def test_options_say_what_to_minimise_and_how_to_search(capsys, options, found):
    code, out, _ = run(capsys, *LATER, *options, "--format", "json")
    (row,) = json.loads(out)
    assert (code, row["total"], row["worst"], row["proved"]) == (0, *found)


def test_the_command_prints_a_line_for_each_opener(capsys):
    code, out, _ = run(capsys, "--after", "salet=00000", "--first", "courd", "--first", "crony", "--workers", "1")
    assert code == 0
    openers = [line.split()[:2] for line in out.splitlines()]
    assert ["courd", "609"] in openers
    assert "crony" in [cells[0] for cells in openers if cells]


def test_the_command_prints_a_tree_as_text(capsys):
    _, out, _ = run(capsys, "--after", "salet=00000", "--after", "courd=00000", "--format", "text", "--workers", "1")
    assert "nymph" in out


def test_the_command_writes_json_a_tree_and_progress(capsys, tmp_path):
    tree, progress = tmp_path / "tree.txt", tmp_path / "progress.jsonl"
    files = ["--output", str(tree), "--progress", str(progress)]
    code, out, err = run(capsys, "--first", "salet", "--format", "json", *files, "--workers", "1")
    assert (code, err) == (0, "")
    (row,) = json.loads(out)
    assert (row["total"], row["proved"], row["counts"]) == (7920, "yes", [0, 90, 1239, 907, 79])
    assert wk.read_tree(tree, wk.load_game("wordle")).total == 7920
    lines = [json.loads(line) for line in progress.read_text().splitlines()]
    assert all(line["lower"] <= 7920 for line in lines)
    assert all(line["upper"] is None or line["upper"] >= 7920 for line in lines)
    assert (lines[-1]["lower"], lines[-1]["upper"]) == (7920, 7920)


@pytest.mark.parametrize(
    ("arguments", "fact"),
    [
        (["--first", "xxxxx"], "'xxxxx'"),
        (["--after", "crane=22222"], "solve"),
        (["--game", "dordle"], "2 boards"),
        (["--objective", "best"], "'best'"),
        (["--at-most", "4", "--objective", "worst"], "mean"),
        ([*LATER, "--at-most", "2"], "within 2"),
        (["--order", "size"], "'size'"),
        (["--seconds", "0"], "seconds"),
        (["--memory", "4"], "memory"),
        (["--format", "dot"], "'dot'"),
        (["--first", "salet", "--first", "crane", "--output", "x"], "--output"),
    ],
)
def test_a_mistake_is_named_in_a_line(capsys, arguments, fact):
    code, out, err = run(capsys, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert fact in err
