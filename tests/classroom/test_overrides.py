"""Scores set by hand."""

import pytest

from wordle_kit.classroom.overrides import read_overrides, with_sum_set, with_tests_set
from wordle_kit.errors import WordleKitError


def test_a_test_or_the_sum_is_set_with_a_reason_that_the_student_reads(grade, sheet, two_tests):
    path = sheet(
        'name,test,points,reason\nada,"every guess is legal, public puzzles",20,a bug of ours\nada,,35,oral exam\n'
    )
    overrides = read_overrides(path, [test.title for test in two_tests])
    made = with_tests_set(grade("Ada", 1, 0), overrides)
    assert (made.points, made.scores[1].passed) == (30, False)
    assert made.scores[1].output.startswith("Set by hand from 0 to 20 points: a bug of ours\n")
    whole = with_sum_set(made, overrides)
    assert (whole.points, whole.notes) == (35, ("Set by hand from 30 to 35 points in all: oral exam",))
    assert with_sum_set(with_tests_set(grade("bob"), overrides), overrides) == grade("bob")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("ada,,ten,why", "line 2: points: 'ten' is not a number of points from 0"),
        ("ada,,-1,why", "line 2: points: '-1' is not"),
        ("ada,,nan,why", "line 2: points: 'nan' is not"),
        ("ada,,10,", "line 2: the column 'reason' is empty"),
        ("ada,the submission laods,10,why", "did you mean 'the submission loads'?"),
        ("ada,,10,why\nADA,,11,why", "line 3: 'ADA' already has this override in a line above"),
    ],
)
def test_mistakes_in_overrides_name_the_line(sheet, row, said, two_tests):
    with pytest.raises(WordleKitError) as caught:
        read_overrides(sheet(f"name,test,points,reason\n{row}\n"), [test.title for test in two_tests])
    assert said in str(caught.value)
