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


def test_a_table_that_cannot_be_read_is_an_error(tmp_path):
    with pytest.raises(WordleKitError, match=r"gone\.csv: cannot be read"):
        read_roster(tmp_path / "gone.csv")
    (tmp_path / "latin.csv").write_bytes(b"name\nJ\xfcrgen\n")
    with pytest.raises(WordleKitError, match=r"latin\.csv: line 2: is not UTF-8"):
        read_roster(tmp_path / "latin.csv")


def test_a_name_that_no_file_can_have_is_changed_as_in_file_names(sheet):
    assert names(sheet("name\nO'Hara: Bob/Rob\n=1+1\n")) == ["O_Hara_ Bob_Rob", "_1+1"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1: there is no column 'name'; it needs name"),
        ("who\nada\n", "line 1: there is no column 'name'"),
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


CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Letters (77)\n"
    "    Points Possible,,,,,100\n"
    '"O\'Brien, Zo\u00eb",501,u501,zoe,A,\n'
    '"Student, Test",999,,0a1b,A,\n'
)


@pytest.mark.parametrize(
    ("text", "name", "numbers"),
    [
        (CANVAS, "O'Brien, Zo\u00eb", {"canvas id": "501"}),
        (
            "\ufeffIdentifier,Full name,Email address,Last modified (submission)\n"
            "Participant 77,Zo\u00eb O'Brien,z@x,-\n",
            "Zo\u00eb O'Brien",
            {"moodle id": "77", "email": "z@x"},
        ),
        ("First Name,Last Name,SID,Email\nZo\u00eb,O'Brien,7,z@x\n", "Zo\u00eb O'Brien", {"sid": "7", "email": "z@x"}),
        (
            "identifier,github_username,github_id,name\nZo\u00eb O'Brien,zobo,1,\n",
            "Zo\u00eb O'Brien",
            {"github": "zobo", "moodle id": "O'Brien"},
        ),
    ],
)
def test_rosters_of_course_systems_are_read_as_they_are(sheet, text, name, numbers):
    (person,) = read_roster(sheet(text)).people
    assert (person.name, dict(person.numbers)) == (name, numbers)


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


def test_a_time_in_a_worksheet_that_cannot_be_read_names_the_line(sheet):
    text = 'Identifier,Full name,Last modified (submission)\nParticipant 7,Ada,"{}"\n'
    for time in ("Monday, 2 March 2026, 2:14 PM", "Monday, March 2, 2026, 2:14 PM", "2 March 2026, 14:14"):
        (person,) = read_roster(sheet(text.format(time))).people
        assert f"{person.handed_in}" == "2026-03-02 14:14:00"
    with pytest.raises(WordleKitError, match=r"line 2: last modified \(submission\): .* is not a time"):
        read_roster(sheet(text.format("lundi 2 mars 2026, 14:14")))
