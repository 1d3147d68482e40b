"""The roster: names as the teacher spells them, in tables of many kinds, and whose a submission is."""

import csv
import io

import pytest

from wordle_kit.classroom.gradebook import compared
from wordle_kit.classroom.reports import feedback, grades_csv
from wordle_kit.classroom.roster import read_roster
from wordle_kit.errors import WordleKitError


def names(path):
    """Return the names on a roster as submissions spell them."""
    return [person.student for person in read_roster(path).people]


@pytest.mark.parametrize(("delimiter", "mark"), [(",", ""), (";", "\ufeff"), ("\t", "")])
def test_tables_may_be_as_spreadsheets_write_them(sheet, delimiter, mark):
    text = mark + delimiter.join(["NAME ", "group"]) + "\r\n" + delimiter.join([" ada", "1"]) + "\r\n"
    assert names(sheet(text)) == ["ada"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "'name'"),
        ("who\nada\n", "'name'"),
        ("name,name\nada,ada\n", "line 1"),
        ("name\n", "there are no names in it"),
        ("name,group\nada,1\n,2\n", "'name'"),
        ("name\nada\nbob\nADA\n", "'ADA'"),
    ],
)
def test_mistakes_in_a_roster_name_the_line(sheet, text, said):
    with pytest.raises(WordleKitError) as caught:
        read_roster(sheet(text))
    assert said in str(caught.value)
    assert str(caught.value).startswith(str(sheet(text)))


def test_grades_have_the_names_and_the_columns_of_the_roster(grade, sheet, two_tests):
    roster = read_roster(sheet('Student,ID,Section\n"O\'Brien, Zo\u00eb",501,A\n'))
    made = compared([grade("O_Brien, Zo\u00eb"), grade("eve")], roster, two_tests)
    rows = list(csv.DictReader(io.StringIO(grades_csv(made))))
    assert [(row["name"], row["ID"], row["Section"]) for row in rows] == [
        ("O'Brien, Zo\u00eb", "501", "A"),
        ("eve", "", ""),
    ]
    assert "Student" not in rows[0], "it is the name again"
    assert "O'Brien" in feedback(made[0], "T").splitlines()[0]
