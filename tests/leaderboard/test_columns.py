"""The columns of a leaderboard's table: their headers and cells."""

import pytest
from hypothesis import given

import wordle_kit as wk
from wordle_kit.leaderboard.columns import HEIGHTS, NONE, bars_of, table_rows
from wordle_kit.leaderboard.metrics import METRICS
from wordle_kit.leaderboard.rows import measure
from wordle_kit.tournaments.runs import Outcome, Play, StoredRun


@pytest.fixture(scope="module")
def row(run_with):
    """Return the row of three plays: solved with two guesses, solved with three, and crashed at the third."""
    plays = [
        Play(("abc",), ("aaa", "abc"), (("200",), ("222",)), Outcome.SOLVED, 2),
        Play(("abb",), ("aaa", "bbb", "abb"), (("200",), ("022",), ("222",)), Outcome.SOLVED, 3),
        Play(("ccc",), ("aaa", "bbb"), (("000",), ("000",)), Outcome.CRASHED, None, "broken"),
    ]
    facts = {"strategy": "mine", "version": "7", "plugin": "my-plugin", "weights": (1.0, 1.5, 2.5)}
    return measure(run_with(plays, calls=4, seconds=0.01, **facts))


def test_every_column_has_its_figure(row):
    (cells,) = table_rows([row], "all")
    assert cells == {
        "strategy": "mine",
        "version": "7",
        "plugin": "my-plugin",
        "games": 3,
        "solved": 2,
        "failed": 1,
        "mean": "12.0000",
        "weighted mean": "16.8000",
        "std": "13.441",
        "min": 2,
        "median": "3",
        "max": 31,
        "total": 36,
        "boards solved at": "12.000",
        "over perfect": "",
        "≤ 2": "33.33%",
        "failure": "33.33%",
        "weighted failure": "50.00%",
        "distribution": "2:1 3:1 unsolved:1",
        "opener": "aaa",
        "opener's share": "100.00%",
        "took most": "ccc",
        "decisions": 5,
        "ms each": "2.500",
        "outcomes": "crashed:1",
        "2-6+": "▆▆···▆",
    }


def test_several_boards_are_shown_with_the_guess_that_solved_the_first_the_second_and_so_on(run_with):
    plays = [
        Play(("a", "b"), ("b", "a"), (("0", "2"), ("2", "")), Outcome.SOLVED, 2),
        Play(("a", "b"), ("c", "a", "b"), (("0", "0"), ("2", "0"), ("", "2")), Outcome.SOLVED, 3),
    ]
    assert table_rows([measure(run_with(plays, boards=2))], ["boards"])[0]["boards solved at"] == "1.500 2.500"


def test_the_mean_of_a_sample_has_half_of_its_interval_and_that_of_all_puzzles_has_none(run_of, run_with):
    crashed = [Play((word,), (), (), Outcome.CRASHED, None, "broken") for word in ("abc", "abb")]
    everything, sample = run_of([2, 4]), run_of([2, 4], is_sample=True)
    single, broken = run_of([2], is_sample=True), run_with(crashed, is_sample=True)
    assert [row["mean"] for row in table_rows(list(map(measure, (everything, sample, single, broken))), ["mean"])] == [
        "3.0000",
        "3.0000 ± 12.7062",
        "2.0000",
        "31.0000",
    ]
    assert "±" in wk.Leaderboard((sample,)).notes[-1]
    assert "±" not in wk.Leaderboard((everything,)).table()


def test_a_table_has_the_columns_that_are_asked_for_with_strategies_first(run_of):
    board = wk.Leaderboard((run_of([2, 4]),))
    header = board.table("github", ["total_guesses", "failure"]).splitlines()[0]
    assert [cell.strip() for cell in header.strip("|").split("|")] == ["strategy", "total", "failure"]
    headers = [each.header for each in METRICS if each.header is not None and not each.name.startswith("weighted")]
    for every in ("all", ["mean", "all"]):
        (row,) = table_rows(board.rows, every)
        assert list(row) == [*headers, "2-6"]
    with pytest.raises(wk.WordleKitError, match="'median'"):
        board.table(columns=["mean", "medain"])


@pytest.mark.parametrize("weights", [None, (2.0, *[0.5] * 1079)])
def test_the_usual_table_rows_the_longest_bundled_names_fits_100_columns(run_with, weights):
    name = max(wk.Plugins.load().strategies, key=len)
    late = [Play(("octagons",), ("octagons",) * 37, (("0" * 8,),) * 37, Outcome.OUT_OF_GUESSES, 37)] * 50
    facts = {"max_guesses": 13, "cap": 37, "is_sample": weights is None, "strategy": name, "weights": weights}
    fine = [Play(("octagons",), ("octagons",) * n, (("2" * 8,),) * n, Outcome.SOLVED, n) for n in (8, 9, 10, 13)]
    table = wk.Leaderboard((run_with([*fine, *late] * 20, calls=1, seconds=9.9, **facts),)).table()
    header, rule, row = table.splitlines()[:3]
    assert ("±" in row, "weighted mean" in header) == (weights is None, weights is not None)
    assert len(rule) <= 100


# Bars


def test_a_bar_stands_for_each_number_of_guesses_and_the_last_for_failures_if_there_are_any(run_of):
    rows = [measure(run_of([2] * 8 + [3] * 4 + [6])), measure(run_of([2] + [7] + [None] * 3))]
    assert bars_of(rows) == ("2-6+", ["█▅··▂·", "▄····█"])
    assert bars_of([measure(run_of([3, 4, 4]))]) == ("3-6", ["▆█··"])
    assert bars_of([measure(run_of([None, None]))]) == ("7+", ["█"])


@given(first=..., second=...)
def test_each_eighth_of_a_bar_is_a_sixteenth_of_the_puzzles(first: StoredRun, second: StoredRun):
    rows = [measure(first), measure(second)]
    _, texts = bars_of(rows)
    fewest = min(row.min for row in rows)
    for row, text in zip(rows, texts, strict=True):
        allowed = range(fewest, row.facts.max_guesses + 1)
        solved = [row.distribution.get(str(turns), 0) for turns in allowed]
        assert len(text) == len(allowed) + any(each.failed for each in rows)
        for shown, number in zip(text, [*solved, row.failed], strict=False):
            if number == 0 or shown == NONE:
                assert (number, shown) == (0, NONE)
            else:
                eighths = HEIGHTS.index(shown) + 1
                assert eighths - 1 < 16 * number / row.games
                assert eighths == 8 or 16 * number / row.games <= eighths


def test_a_table_has_bars_and_latex_has_them_if_it_is_asked_for_them(run_of):
    board = wk.Leaderboard((run_of([2, 2, 3]),))
    assert "2-6" in board.table().splitlines()[0]
    assert "█▆···" in board.table().splitlines()[2]
    assert "█" not in board.table("latex")
    assert "█" in board.table("latex", "bars")
