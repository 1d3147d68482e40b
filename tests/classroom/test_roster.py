"""The roster: who is graded."""

import pytest

from wordle_kit.classroom.roster import compared, read_roster
from wordle_kit.errors import WordleKitError


def test_everyone_on_the_roster_has_a_row_and_others_are_marked(grade, sheet, two_tests):
    roster = read_roster(sheet("Email,Name\na@x.org,Ada\nb@x.org,Bob Ray\n,\n"))
    made = compared([grade("ada"), grade("zoe")], roster, two_tests)
    assert [(one.student, one.points, one.outcome, one.remarks) for one in made] == [
        ("Bob Ray", 0, "handed in nothing", ()),
        ("ada", 40, "graded", ()),
        ("zoe", 40, "graded", ("not on the roster",)),
    ]
    assert [score.output for score in made[0].scores] == ["Nothing was handed in."] * 2


def test_a_name_that_no_file_can_have_is_changed_as_in_file_names(sheet):
    roster = read_roster(sheet("name\nO'Hara: Bob/Rob\n=1+1\n"))
    assert roster == ("O_Hara_ Bob_Rob", "_1+1")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1: there is no column 'name'; it needs name"),
        ("student\nada\n", "line 1: there is no column 'name'"),
        ("name,name\nada,ada\n", "line 1: two columns have one name"),
        ("name\n", "there are no names in it"),
        ("name,group\nada,1\n,2\n", "line 3: the column 'name' is empty"),
        ("name\nada\nbob\nADA\n", "line 4: 'ADA' is on the roster already"),
    ],
)
def test_mistakes_in_a_roster_name_the_line(sheet, text, said):
    with pytest.raises(WordleKitError) as caught:
        read_roster(sheet(text))
    assert said in str(caught.value)
    assert str(caught.value).startswith(str(sheet(text)))
