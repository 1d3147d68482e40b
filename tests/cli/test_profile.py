"""`solve --profile`: where the time of decisions goes, by function, and the engine's own work apart."""

import re
import time
from cProfile import Profile

import pytest
from needs import needs_linux

import wordle_kit as wk
from wordle_kit.cli.profile import profile_rows, readable

GAME = wk.load_game({"name": "abc", "alphabet": "abc", "length": 3, "answers": "all"})


class Sleeping(wk.Strategy):
    """Sleep, sort, and ask the engine."""

    def guess(self, position):
        sleep_twice()
        position.board.part_sizes()
        return max(sorted(position.board.words), key=len)


def sleep_twice():
    """Take 0.2 s, of which this function itself takes nothing."""
    for _ in range(2):
        time.sleep(0.1)


@pytest.fixture(scope="module")
def rows():
    """Return the rows of one decision of a strategy, by the names of the functions."""
    GAME.table.prepare()
    profiler = Profile()
    profiler.runcall(Sleeping().guess, wk.Position.start(GAME))
    return profile_rows(profiler, Sleeping())


def test_each_function_has_its_own_time_without_that_of_others(rows):
    found = {row["function"]: row for row in rows if row["of"] != "wordle-kit"}
    assert found["time.sleep"]["calls"] == 2
    assert found["time.sleep"]["ms"] >= 200
    assert found["sleep_twice"]["calls"] == found["guess"]["calls"] == 1
    assert found["sleep_twice"]["ms"] + found["guess"]["ms"] < 100
    assert re.fullmatch(r"test_profile.py, line \d+", found["sleep_twice"]["of"])
    assert {"sorted", "max"} <= set(found)
    assert rows[0]["function"] == "time.sleep"


def test_the_engines_own_work_is_one_row_at_the_end_with_what_it_calls(rows):
    assert [row["of"] for row in rows].index("wordle-kit") == len(rows) - 1
    assert not any("numpy" in row["of"] for row in rows)  # only the engine uses it here
    assert rows[-1]["calls"] > 3
    assert sum(row["share"] for row in rows) == pytest.approx(1)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("<built-in method builtins.sum>", "sum"),
        ("<built-in method time.sleep>", "time.sleep"),
        ("<method 'append' of 'list' objects>", "list.append"),
        ("<built-in method __new__ of type object at 0x7f2eb905ea00>", "__new__"),
    ],
)
def test_native_functions_have_the_names_that_python_code_uses(name, shown):
    assert readable(name) == shown


def test_solve_shows_the_table_below_the_guesses(run, strategy):
    path = strategy("Mine", "sorted(position.board.words)")
    ran = run("solve", "-a", "crane", "-g", "wordle", "-p", path, "-s", "mine", "--profile")
    assert ran.code == 0
    guesses, table, note = ran.out.split("\n\n")
    assert guesses.endswith("solved")
    lines = table.splitlines()
    assert lines[0].split() == ["function", "of", "calls", "ms", "share"]
    assert any(line.split()[:2] == ["sorted", "Python"] for line in lines)
    assert any(line.startswith("guess ") and "mine.py, line 7" in line for line in lines)
    assert lines[-1].split()[0] == "wordle-kit"
    decisions = guesses.count("\n")
    assert note.startswith(f"{decisions} decisions took ")


def test_a_profile_changes_no_guess(run):
    plain = run("solve", "-a", "crane", "-g", "wordle", "-s", "entropy")
    assert run("solve", "-a", "crane", "-g", "wordle", "-s", "entropy", "--profile").out.startswith(plain.out)


@needs_linux
def test_a_strategy_in_another_process_has_no_profile(run, strategy):
    ran = run("solve", "-a", "crane", "-p", strategy("Mine"), "-s", "mine", "--isolate", "--profile")
    assert ran.code == 2
    assert ran.err.endswith("--profile sees only this process; leave out --isolate, and use a strategy in Python\n")
