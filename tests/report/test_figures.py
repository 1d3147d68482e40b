"""The figures of a row: each column has a value that sorts it, and bars add up to the puzzles."""

import pytest

from wordle_kit.leaderboard.bars import bars_of
from wordle_kit.leaderboard.columns import COLUMNS
from wordle_kit.report.figures import ORDER, cells_of

FIELDS = {"mean": "mean", "std": "std", "failure": "failure", "ms": "ms_per_decision", "total": "total_guesses"}


def test_every_column_is_there_once():
    assert sorted(ORDER) == sorted(COLUMNS)


@pytest.mark.parametrize("column", FIELDS)
def test_a_number_is_sorted_by_its_value_and_not_by_its_text(board, column):
    for row in board.rows:
        (cell,) = [cell for cell in cells_of(row) if cell.column == column]
        assert float(cell.value) == pytest.approx(getattr(row, FIELDS[column]), abs=0)


def test_bars_add_up_to_the_puzzles_and_say_which_failed(board, hostile_board):
    for shown in (board, hostile_board):
        facts = shown.runs[0].facts
        for row, bars in zip(shown.rows, bars_of(shown.rows, facts.max_guesses), strict=True):
            assert sum(bar.count for bar in bars) == row.games
            assert sum(bar.count for bar in bars if bar.is_failure) == row.failed
            assert all(0 <= bar.height <= 100 for bar in bars)


def test_all_rows_have_the_same_bars(hostile_board):
    labels = {tuple(bar.label for bar in bars) for bars in bars_of(hostile_board.rows, 10)}
    assert len(labels) == 1
    assert labels.pop()[-1] == "unsolved"
