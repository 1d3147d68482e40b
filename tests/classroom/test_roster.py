"""The roster: who is graded."""

import pytest

from wordle_kit.classroom.roster import compared, read_roster, with_names_marked
from wordle_kit.classroom.submissions import student_of
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


CYRILLIC = "\u0410da"  # the first letter is not a Latin A


def test_names_that_look_like_another_are_marked_and_are_not_on_the_roster(grade, sheet, two_tests):
    roster = read_roster(sheet("name\nAda\nGro\u00df\nBob\n"))
    made = with_names_marked(compared([grade(CYRILLIC), grade("Gross"), grade("bob")], roster, two_tests))
    assert {one.student: one.remarks for one in made} == {
        "Ada": (f"its name looks like {CYRILLIC}, in other letters",),
        CYRILLIC: (
            "not on the roster",
            "its name looks like Ada, in other letters",
            "its name has Latin and Cyrillic letters",
        ),
        "Gro\u00df": ("its name looks like Gross, in other letters",),
        "Gross": ("not on the roster", "its name looks like Gro\u00df, in other letters"),
        "bob": (),
    }


@pytest.mark.parametrize("name", ["\u0410\u043d\u043d\u0430", "\u0391\u03bd\u03bd\u03b1", "\u5f20\u4f1f", "Zo\u00eb"])
def test_names_in_one_alphabet_are_not_marked(grade, name):
    assert [one.remarks for one in with_names_marked([grade(name), grade("Ada")])] == [(), ()]


@pytest.mark.parametrize("name", ["Ada ", "ada  "])
def test_a_name_with_spaces_that_nobody_sees_is_marked(grade, tmp_path, name):
    made = with_names_marked([grade(student_of(tmp_path / f"{name}.py")), grade("Ada")])
    assert ["looks like" in remark for one in made for remark in one.remarks] == [True, True]


@pytest.mark.parametrize("name", ["Ada\u200b", "A\u3164da", "Ada\ufe0f", "\u2060Ada", "A\U000e0041da"])
def test_a_name_with_letters_that_nobody_sees_is_another_name(grade, sheet, two_tests, tmp_path, name):
    roster = read_roster(sheet("name\nAda\nA_da\nAda_\n_Ada\n"))
    made = compared([grade(student_of(tmp_path / f"{name}.py"))], roster, two_tests)
    assert [one.remarks for one in made if one.outcome == "graded"] == [("not on the roster",)]
    assert read_roster(sheet(f"name\n{name}\n")) == (student_of(tmp_path / f"{name}.py"),)
