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


CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Letters (77)\n"
    "    Points Possible,,,,,100\n"
    '"O\'Brien, Zo\u00eb",501,u501,zoe,A,\n'
    '"Student, Test",999,,0a1b,A,\n'
)


def test_names_are_found_in_any_order_and_without_marks_but_not_with_other_letters(sheet):
    roster = read_roster(sheet("name,sid\nZo\u00eb Mary O'Brien,1\nAda Li,2\nLi Ada,3\n"))
    for name in ("O'Brien, Zo\u00eb Mary", "obrienzo\u00ebmary", "Zo\u00eb Mary OBrien"):
        assert roster.find(name, {}).name == "Zo\u00eb Mary O'Brien"
    assert roster.find("Zoe Mary O'Brien", {}) is None
    assert roster.find("adali", {}) is None, "it may be either"
    assert roster.find("adali", {"sid": "3"}).name == "Li Ada"
    assert roster.find("Ada Li", {}).name == "Ada Li"


def test_grades_have_the_names_and_the_columns_of_the_roster(grade, sheet, two_tests):
    made = compared([grade("O_Brien, Zo\u00eb"), grade("eve")], read_roster(sheet(CANVAS)), two_tests)
    rows = list(csv.DictReader(io.StringIO(grades_csv(made))))
    assert [(row["name"], row["ID"], row["Section"]) for row in rows] == [
        ("O'Brien, Zo\u00eb", "501", "A"),
        ("eve", "", ""),
    ]
    assert "Student" not in rows[0], "it is the name again"
    assert "O'Brien" in feedback(made[0], "T").splitlines()[0]
