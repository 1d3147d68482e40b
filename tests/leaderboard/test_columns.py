"""The columns of a leaderboard's table: their headers and cells."""

import pytest
from hypothesis import given

import wordle_kit as wk
from wordle_kit.leaderboard.columns import (
    BARS,
    HEIGHTS,
    MOST_BARS,
    NONE,
    USUAL,
    bars_of,
    cells,
    check_columns,
    columns_of,
    drawn,
)
from wordle_kit.leaderboard.metrics import METRICS, row_of
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
    return row_of(run_with(plays, calls=4, seconds=0.01, **facts))


@pytest.mark.parametrize(
    ("column", "header", "cell"),
    [
        ("strategy", "strategy", "mine"),
        ("version", "version", "7"),
        ("plugin", "plugin", "my-plugin"),
        ("games", "games", 3),
        ("solved", "solved", 2),
        ("failed", "failed", 1),
        ("mean", "mean", "12.0000"),
        ("weighted_mean", "weighted mean", "16.8000"),
        ("std", "std", "13.441"),
        ("weighted_std", "weighted std", "14.204"),
        ("min", "min", 2),
        ("median", "median", "3"),
        ("max", "max", 31),
        ("total", "total", 36),
        ("boards", "boards solved at", "12.000"),
        ("over_perfect", "over perfect", ""),
        ("excellent", "≤ 2", "33.33%"),
        ("failure", "failure", "33.33%"),
        ("weighted_failure", "weighted failure", "50.00%"),
        ("distribution", "distribution", "2:1 3:1 unsolved:1"),
        ("opener", "opener", "aaa"),
        ("opener_share", "opener's share", "100.00%"),
        ("openers", "first two guesses", "aaa bbb 66.67%, aaa abc 33.33%"),
        ("slowest", "took most", "ccc"),
        ("decisions", "decisions", 5),
        ("ms", "ms each", "2.500"),
        ("outcomes", "outcomes", "crashed:1"),
    ],
)
def test_a_cell_is_written_so(row, column, header, cell):
    assert cells(row, [column]) == {header: cell}


def test_every_column_is_tried_above_and_no_two_have_the_same_header(row):
    (mark,) = [mark for mark in test_a_cell_is_written_so.pytestmark if mark.name == "parametrize"]
    assert [column for column, _, _ in mark.args[1]] == list(columns_of())
    assert len(cells(row, list(columns_of()))) == len(columns_of())


def test_every_figure_of_a_row_but_the_first_fault_has_a_column():
    assert {metric.name for metric in METRICS if metric.header is None} == {"problem", "interval"}
    assert {metric.name for metric in columns_of().values()} == {metric.name for metric in METRICS if metric.header}


def test_the_mean_of_a_sample_has_half_of_its_interval_and_that_of_all_puzzles_has_none(run_of):
    assert cells(row_of(run_of([2, 4], is_sample=False)), ["mean"]) == {"mean": "3.0000"}
    assert cells(row_of(run_of([2, 4], is_sample=True)), ["mean"]) == {"mean": "3.0000 ± 12.7062"}
    assert cells(row_of(run_of([2], is_sample=True)), ["mean"]) == {"mean": "2.0000"}


def test_a_table_explains_the_interval_only_if_it_has_one(run_of):
    sample, everything = (wk.Leaderboard((run_of([2, 4], is_sample=kind),)).table() for kind in (True, False))
    assert "± is the half-width of the 95% confidence interval of the mean over all puzzles." in sample
    assert "±" not in everything


def test_several_boards_are_shown_with_the_guess_that_solved_the_first_the_second_and_so_on(run_with):
    plays = [
        Play(("a", "b"), ("b", "a"), (("0", "2"), ("2", "")), Outcome.SOLVED, 2),
        Play(("a", "b"), ("c", "a", "b"), (("0", "0"), ("2", "0"), ("", "2")), Outcome.SOLVED, 3),
    ]
    assert cells(row_of(run_with(plays, boards=2)), ["boards"]) == {"boards solved at": "1.500 2.500"}


def test_a_median_between_two_numbers_has_a_half(run_of):
    assert cells(row_of(run_of([2, 3])), ["median"]) == {"median": "2.5"}


def test_the_column_of_strategies_is_always_the_first():
    assert check_columns(["mean", "max"]) == ("strategy", "mean", "max")
    assert check_columns(["mean", "strategy"]) == ("strategy", "mean")
    assert check_columns([]) == ("strategy",)


def test_the_usual_columns_are_columns():
    assert check_columns(USUAL) == USUAL


def test_an_unknown_column_is_named_with_the_nearest_there_is():
    with pytest.raises(wk.WordleKitError, match=r"no column is called 'medain'; did you mean 'median'\?"):
        check_columns(["mean", "medain"])
    with pytest.raises(wk.WordleKitError, match=r"no column is called 'zzz'; there are: .*mean, median, min"):
        check_columns(["zzz"])


def test_a_table_has_the_columns_that_are_asked_for(run_of):
    board = wk.Leaderboard((run_of([2, 4]),))
    header = board.table("markdown", check_columns(["total", "failure"])).splitlines()[0]
    assert [cell.strip() for cell in header.strip("|").split("|")] == ["strategy", "total", "failure"]


def test_a_row_in_which_every_play_ended_by_a_fault_has_no_interval_and_the_others_have_theirs(run_of, run_with):
    crashed = [Play((word,), (), (), Outcome.CRASHED, None, "broken") for word in ("abc", "abb")]
    broken, fine = run_with(crashed, is_sample=True), run_of([2, 4], is_sample=True)
    assert cells(row_of(broken), ["mean"]) == {"mean": "31.0000"}
    assert "±" not in wk.Leaderboard((broken,)).table()
    assert "3.0000 ± 12.7062" in wk.Leaderboard((broken, fine)).table()
    assert row_of(broken).as_dict()["interval"] is None
    assert "±" not in wk.Leaderboard((broken,)).table("markdown")


def test_all_asks_for_every_column():
    assert check_columns("all") == check_columns(["mean", "all"]) == (*columns_of(), BARS)


def test_latex_has_bars_only_if_it_is_asked_for_them(run_of):
    board = wk.Leaderboard((run_of([2, 4]),))
    assert "█" in board.table()
    assert "█" not in board.table("latex")
    assert "█" in board.table("latex", "bars")


@pytest.mark.parametrize("weights", [None, (2.0, *[0.5] * 1079)])
def test_the_usual_table_of_the_longest_bundled_names_fits_100_columns(run_with, weights):
    name = max(wk.Plugins.load().strategies, key=len)
    late = [Play(("octagons",), ("octagons",) * 37, (("0" * 8,),) * 37, Outcome.OUT_OF_GUESSES, 37)] * 50
    facts = {"max_guesses": 13, "cap": 37, "is_sample": weights is None, "strategy": name, "weights": weights}
    fine = [Play(("octagons",), ("octagons",) * n, (("2" * 8,),) * n, Outcome.SOLVED, n) for n in (8, 9, 10, 13)]
    table = wk.Leaderboard((run_with([*fine, *late] * 20, calls=1, seconds=9.9, **facts),)).table()
    header, rule, row = table.splitlines()[:3]
    assert ("±" in row, "weighted mean" in header) == (weights is None, weights is not None)
    assert "8-13+" in header
    assert len(rule) <= 100


@pytest.mark.parametrize(
    ("hides_words", "puzzles", "has_opener"), [(True, 2, True), (False, 1, True), (False, 2, False)]
)
def test_openers_are_shown_unless_they_were_given(run_of, hides_words, puzzles, has_opener):
    board = wk.Leaderboard((run_of([2] * puzzles, host="mine", hides_words=hides_words),))
    assert ("opener" in board.table().splitlines()[0]) == has_opener


MAX_GUESSES = 6


def test_a_bar_stands_for_each_number_of_guesses_and_the_last_for_failures(run_of):
    rows = [row_of(run_of([2] * 8 + [3] * 4 + [6])), row_of(run_of([2] + [7] + [None] * 3))]
    assert drawn(rows, MAX_GUESSES) == ("2-6+", ["█▅··▂·", "▄····█"])


def test_without_failures_there_is_no_bar_for_them(run_of):
    assert drawn([row_of(run_of([3, 4, 4]))], MAX_GUESSES) == ("3-6", ["▆█··"])


def test_if_all_puzzles_fail_there_are_only_failures(run_of):
    assert drawn([row_of(run_of([None, None]))], MAX_GUESSES) == ("7+", ["█"])
    assert drawn([], MAX_GUESSES) == ("", [])


def test_of_a_game_with_many_guesses_several_share_a_bar(run_of):
    plays = run_of([1, 2, 3, 30], max_guesses=30, cap=54)
    heading, (bars,) = drawn([row_of(plays)], 30)
    assert heading == "1-30"
    assert bars == "█" + NONE * 8 + "▄"
    assert len(bars) <= MOST_BARS


@given(first=..., second=...)
def test_each_eighth_of_a_bar_is_a_sixteenth_of_the_puzzles(first: StoredRun, second: StoredRun):
    rows = [row_of(first), row_of(second)]
    _, texts = drawn(rows, MAX_GUESSES)
    counts = []
    for bars in bars_of(rows, MAX_GUESSES):
        counts.append([bar.count for bar in bars if not bar.is_failure] + [sum(b.count for b in bars if b.is_failure)])
    for row, text, count in zip(rows, texts, counts, strict=True):
        assert sum(count) == row.games
        for shown, number in zip(text, count, strict=False):
            if number == 0 or shown == NONE:
                assert (number, shown) == (0, NONE)
            else:
                eighths = HEIGHTS.index(shown) + 1
                assert eighths - 1 < 16 * number / row.games
                assert eighths == 8 or 16 * number / row.games <= eighths


def test_a_table_has_the_bars_of_its_rows(run_of):
    table = wk.Leaderboard((run_of([2, 2, 3]),)).table()
    assert "2-6" in table.splitlines()[0]
    assert "█▆···" in table.splitlines()[2]
