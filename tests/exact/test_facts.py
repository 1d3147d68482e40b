"""Published values of perfect play, the output of the command, and users' mistakes."""

import json

import pytest

import wordle_kit as wk
from wordle_kit import cli
from wordle_kit.exact import memory as memory_module


@pytest.fixture(scope="module")
def wordle():
    """Return Wordle with the lists of 2021."""
    return wk.load_game("wordle")


@pytest.mark.parametrize(
    ("opener", "total"),
    [("salet", 7920), ("reast", 7923), ("crate", 7926), ("trace", 7926), ("soare", 7997), ("crane", 7930)],
)
def test_openers_of_wordle_cost_as_much_as_published(wordle, opener, total):
    solution = wk.optimal(wordle, opener)
    assert (solution.total, solution.lower, solution.is_proved) == (total, total, True)
    assert sum(turn * count for turn, count in enumerate(solution.counts, start=1)) == total


def test_every_answer_of_wordle_is_solved_within_five_at_no_cost(wordle):
    solution = wk.optimal(wordle, "salet", objective="worst")
    assert (solution.total, solution.worst, solution.worst_lower, solution.is_proved) == (7920, 5, 5, True)


@pytest.mark.slow
def test_hard_mode_takes_six_more_guesses_where_all_must_be_solved_in_six(wordle):
    hard = wordle.replace(hard_mode=True)
    in_six = wk.optimal(hard, "salet", at_most=6)
    assert (in_six.total, in_six.worst, in_six.is_proved) == (8122, 6, True)
    in_any = wk.optimal(hard, "salet")
    assert (in_any.total, in_any.worst, in_any.is_proved) == (8116, 7, True)


@pytest.mark.slow
def test_mastermind_costs_as_much_as_koyama_and_lai_found():
    solution = wk.optimal(wk.load_game("mastermind"), "1123")
    assert (solution.total, solution.is_proved) == (5625, True)


def test_a_search_goes_on_with_a_table_that_is_too_small(monkeypatch, wordle):
    monkeypatch.setattr(memory_module, "FIRST_TABLE", 2**12)
    monkeypatch.setattr(memory_module.Memory, "grow", keep_table(memory_module.Memory.grow))
    assert wk.optimal(wordle, "salet").total == 7920


def keep_table(grow):
    """Return a method that makes everything but the table longer."""

    def grown(self, needs):
        self.most, most = (0 if needs == 4 else self.most), self.most
        grow(self, needs)
        self.most = most

    return grown


def run(capsys, *arguments):
    """Return exit code, standard output and standard error of a command line."""
    code = cli.run(["optimal", *arguments])
    return code, *capsys.readouterr()


def test_the_command_prints_a_line_for_each_opener(capsys):
    code, out, _ = run(capsys, "--after", "salet=00000", "--first", "courd", "--first", "crony", "--workers", "1")
    assert code == 0
    assert out.splitlines()[3].split()[:2] == ["courd", "609"]
    assert len(out.splitlines()) == 5


def test_the_command_writes_json_a_tree_and_progress(capsys, tmp_path):
    tree, progress = tmp_path / "tree.json", tmp_path / "progress.jsonl"
    code, out, err = run(
        capsys,
        "--first",
        "salet",
        "--format",
        "json",
        "--output",
        str(tree),
        "--progress",
        str(progress),
        "--workers",
        "1",
    )
    assert (code, err) == (0, "")
    (row,) = json.loads(out)
    assert (row["total"], row["proved"], row["counts"]) == (7920, "yes", [0, 90, 1239, 907, 79])
    assert wk.read_tree(tree, wk.load_game("wordle")).total == 7920
    lines = [json.loads(line) for line in progress.read_text().splitlines()]
    assert all(line["lower"] <= 7920 for line in lines)
    assert all(line["upper"] is None or line["upper"] >= 7920 for line in lines)
    assert (lines[-1]["lower"], lines[-1]["upper"]) == (7920, 7920)
