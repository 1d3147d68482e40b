"""Bars: the same for all rows, none lost, as high as the share of puzzles."""

from hypothesis import given

import wordle_kit as wk
from wordle_kit.leaderboard.bars import HEIGHTS, MOST_BARS, NONE, bars_of, drawn
from wordle_kit.leaderboard.metrics import row_of
from wordle_kit.tournaments.runs import StoredRun

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
