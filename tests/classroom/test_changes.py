"""What changed between two tables of grades."""

from hypothesis import given
from hypothesis import strategies as st

from wordle_kit.classroom.changes import changes
from wordle_kit.classroom.reports import grades_csv


def test_changes_name_the_score_and_the_tests_that_differ(grade):
    before = grades_csv([grade("ada", 1, 0.5), grade("bob"), grade("eve")])
    after = grades_csv([grade("ada"), grade("bob"), grade("zoe", 0, 0, outcome="does not load")])
    assert changes(before, after) == [
        {
            "name": "ada",
            "before": "25.0",
            "after": "40.0",
            "what": "every guess is legal, public puzzles: 15.0 -> 30.0",
        },
        {"name": "eve", "before": "40.0", "after": "", "what": "no longer graded"},
        {"name": "zoe", "before": "", "after": "0.0", "what": "new"},
    ]
    assert changes(before, before) == []


TABLE = st.lists(st.text(), max_size=5).map(lambda lines: "\n".join(["name,score", *lines]))


@given(TABLE, TABLE)
def test_changes_can_be_found_in_any_earlier_table(before, after):
    assert changes(before, before) == []
    for row in changes(before, after):
        assert set(row) == {"name", "before", "after", "what"}
