"""A teacher's additions to grades: the roster, late days, scores set by hand, changes and statistics."""

import csv
import io
import json
import sys
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordle_kit import cli
from wordle_kit.classroom.changes import changes
from wordle_kit.classroom.kinds import Legal, Loads
from wordle_kit.classroom.late import Times, policy, read_times
from wordle_kit.classroom.overrides import read_overrides, with_sum_set, with_tests_set
from wordle_kit.classroom.reports import Grade, feedback, grades_csv, gradescope
from wordle_kit.classroom.roster import compared, read_roster
from wordle_kit.classroom.scores import Score
from wordle_kit.classroom.summary import histogram, summary
from wordle_kit.errors import WordleKitError

TESTS = (Loads(kind="loads", points=10), Legal(kind="legal", points=30, sample="public"))


def grade(student="ada", *shares, outcome="graded"):
    """Return a grade with these shares of the points of two tests."""
    pairs = zip(TESTS, shares or (1, 1), strict=True)
    scores = tuple(Score(test, test.points * share, share == 1, "As it was.") for test, share in pairs)
    return Grade(student, outcome, scores, 0.5, None)


@pytest.fixture
def sheet(tmp_path):
    """Return a function that writes a table of the teacher's."""

    def sheet(text, name="sheet.csv"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return sheet


# The roster


def test_everyone_on_the_roster_has_a_row_and_who_is_not_on_it_is_marked(sheet):
    roster = read_roster(sheet("Email,Name\na@x.org,Ada\nb@x.org,Bob Ray\n,\n"))
    made = compared([grade("ada"), grade("zoe")], roster, TESTS)
    assert [(one.student, one.points, one.outcome, one.remarks) for one in made] == [
        ("Bob Ray", 0, "handed in nothing", ()),
        ("ada", 40, "graded", ()),
        ("zoe", 40, "graded", ("not on the roster",)),
    ]
    assert [score.output for score in made[0].scores] == ["Nothing was handed in."] * 2


def test_a_name_that_no_file_can_have_is_that_of_the_file_it_would_be(sheet):
    roster = read_roster(sheet("name\nO'Hara: Bob/Rob\n=1+1\n"))
    assert roster == ("O_Hara_ Bob_Rob", "_1+1")


@pytest.mark.parametrize(("delimiter", "mark"), [(",", ""), (";", "\ufeff"), ("\t", "")])
def test_tables_may_be_as_spreadsheets_write_them(sheet, delimiter, mark):
    text = mark + delimiter.join(["NAME ", "group"]) + "\r\n" + delimiter.join([" ada", "1"]) + "\r\n"
    assert read_roster(sheet(text)) == ("ada",)


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


def test_a_table_that_cannot_be_read_is_said_to_be_so(tmp_path):
    with pytest.raises(WordleKitError, match=r"gone\.csv: cannot be read"):
        read_roster(tmp_path / "gone.csv")
    (tmp_path / "latin.csv").write_bytes(b"name\nJ\xfcrgen\n")
    with pytest.raises(WordleKitError, match=r"latin\.csv: is not UTF-8"):
        read_roster(tmp_path / "latin.csv")


# Late days

DUE = datetime(2026, 3, 1, 23, 59, tzinfo=UTC)


@pytest.mark.parametrize(
    ("time", "points"),
    [
        ("2026-02-01", 40),
        ("2026-03-01 23:59:00", 40),
        ("2026-03-01 23:59:01", 30),
        ("2026-03-02 23:59:00+00:00", 30),
        ("2026-03-03T00:58:00+01:00", 30),
        ("2026-03-02 23:59:01+00:00", 20),
        ("2026-06-01", 0),
    ],
)
def test_each_day_that_has_begun_costs_points_but_no_grade_is_below_nothing(sheet, time, points):
    late = policy(DUE, 10, read_times(sheet(f"name,time\nAda,{time}\n")), "a.toml")
    made = late.applied(grade())
    assert made.points == points
    assert made.most == 40
    assert [score.points for score in made.scores] == [10, 30]
    assert bool(made.notes) == (points < 40)


def test_the_student_reads_what_being_late_cost(sheet):
    late = policy(DUE, 10, read_times(sheet("name,time\nada,2026-03-03 12:00\n")), "a.toml")
    made = late.applied(grade())
    said = "Handed in 2 days late, at 2026-03-03 12:00; it was due at 2026-03-01 23:59: 20 points less."
    assert made.notes == (said,)
    assert json.loads(gradescope(made))["score"] == 20
    assert said in json.loads(gradescope(made))["output"]
    assert "**20 of 40 points**" in feedback(made, "T")
    (row,) = csv.DictReader(io.StringIO(grades_csv([made])))
    assert (row["score"], row["adjustment"], row["remarks"]) == ("20.0", "-20.0", said)


def test_who_has_no_time_is_counted_as_in_time_and_marked(sheet):
    late = policy(DUE, 10, read_times(sheet("name,time\nbob,2026-03-03\n")), "a.toml")
    made = late.applied(grade())
    assert (made.points, made.remarks) == (40, ("the time of handing in is not known; counted as punctual",))


METADATA = {
    "id": 1,
    "created_at": "2026-03-02T10:00:00.5-07:00",
    "assignment": {"due_date": "2026-03-01T23:00:00-07:00"},
}


def test_gradescope_says_when_it_was_handed_in_and_when_it_was_due(sheet):
    times = read_times(sheet(json.dumps(METADATA), "submission_metadata.json"))
    assert policy(None, 5, times, "a.toml").applied(grade("submission")).points == 35
    assert policy(datetime.fromisoformat("2026-02-28T23:00:00-07:00"), 5, times, "a.toml").applied(grade()).points == 30


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("name,time\nada,yesterday\n", "t.csv", "t.csv: line 2: time: 'yesterday' is not a time; write it as in"),
        ("name\nada\n", "t.csv", "line 1: there is no column 'time'; it needs name, time"),
        ("{}", "t.json", "t.json: is not Gradescope's submission_metadata.json"),
        ("[1]", "t.json", "t.json: is not Gradescope's"),
        ('{"created_at": 3}', "t.json", "t.json: created_at: 3 is not a time"),
    ],
)
def test_mistakes_in_times_are_named(sheet, text, name, said):
    with pytest.raises(WordleKitError) as caught:
        read_times(sheet(text, name))
    assert said in str(caught.value)


def test_times_that_cannot_be_compared_are_refused():
    times = Times({"ada": datetime.fromisoformat("2026-03-01T12:00:00+01:00")})
    with pytest.raises(WordleKitError, match=r"a.toml: due: .* has no offset from UTC"):
        policy(datetime(2026, 3, 1), 5, times, "a.toml")
    with pytest.raises(WordleKitError, match="late: there is no due date"):
        policy(None, 5, times, "a.toml")


# Scores set by hand


def test_a_test_or_the_sum_is_set_with_a_reason_that_the_student_reads(sheet):
    path = sheet(
        'name,test,points,reason\nada,"every guess is legal, public puzzles",20,a bug of ours\nada,,35,oral exam\n'
    )
    overrides = read_overrides(path, [test.title for test in TESTS])
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
def test_mistakes_in_overrides_name_the_line(sheet, row, said):
    with pytest.raises(WordleKitError) as caught:
        read_overrides(sheet(f"name,test,points,reason\n{row}\n"), [test.title for test in TESTS])
    assert said in str(caught.value)


# What changed


def test_changes_name_the_score_and_the_tests_that_differ():
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
def test_whatever_is_in_a_table_from_before_changes_can_be_told(before, after):
    assert changes(before, before) == []
    for row in changes(before, after):
        assert set(row) == {"name", "before", "after", "what"}


# Statistics


@given(st.lists(st.floats(0, 100), max_size=50))
def test_the_histogram_has_everyone_once(points):
    bins = histogram(points, 100)
    assert len(bins) == 10
    assert sum(count for _, count in bins) == len(points)


def test_statistics_show_how_points_are_spread_and_the_tests_most_failed():
    grades = [grade("ada"), grade("bob", 1, 0), grade("eve", 1, 0.5), grade("zoe", 0, 0, outcome="does not load")]
    made = summary(grades, "Words <b>")
    facts = json.loads(made["statistics.json"])
    assert (facts["students"], facts["mean"], facts["median"], facts["min"], facts["max"]) == (4, 18.75, 17.5, 0, 40)
    assert [(row["test"], row["failed"], row["in part"], row["passed"]) for row in facts["tests"]] == [
        ("every guess is legal, public puzzles", 2, 1, 1),
        ("the submission loads", 1, 0, 3),
    ]
    counts = {row["points"]: row["students"] for row in facts["histogram"]}
    assert {label: count for label, count in counts.items() if count} == {
        "0 to 4": 1,
        "8 to 12": 1,
        "24 to 28": 1,
        "36 to 40": 1,
    }
    assert facts["outcomes"] == {"graded": 3, "does not load": 1}
    assert "<b>" not in made["statistics.md"]
    assert summary([], "Nobody")["statistics.json"]


# All together


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="isolation needs Linux")
def test_grading_with_a_roster_times_and_overrides_tells_what_changed(make, text, graded, capfd):
    settings = 'roster = "roster.csv"\ndue = 2026-03-01T12:00:00+00:00\nlate = 3\ntimes = "times.csv"\n'
    folder = make(
        {"ada.py": text(), "zoe.py": text("return words[99]")},
        quick=True,
        replace={"deadline = 1.0": f"{settings}deadline = 1.0"},
    )
    (folder / "roster.csv").write_text("name\nada\nbob\n")
    (folder / "times.csv").write_text("name,time\nada,2026-03-02T11:00:00+00:00\n")
    first = graded(folder)
    said = capfd.readouterr()
    assert "wordle-kit: not on the roster: zoe" in said.err
    assert "Changed" not in said.out
    rows = {row["name"]: row for row in csv.DictReader(io.StringIO(first.table()))}
    assert set(rows) == {"ada", "bob", "zoe"}
    assert (rows["bob"]["score"], rows["bob"]["outcome"]) == ("0.0", "handed in nothing")
    assert "Nothing was handed in." in first.page("bob")
    assert rows["ada"]["adjustment"] == "-3.0"
    assert first.results("ada")["score"] == sum(first.scores("ada")) - 3
    assert "(not on the roster)" in rows["zoe"]["remarks"]
    assert "not on the roster" not in first.page("zoe")
    assert json.loads((first.out / "statistics.json").read_text())["students"] == 3

    (folder / "overrides.csv").write_text("name,points,reason\nada,100,appeal granted\nnobody,1,why\n")
    again = graded(folder, "out", "--overrides", folder / "overrides.csv")
    said = capfd.readouterr()
    assert f"{folder}/overrides.csv: line 3: there is no grade for this name" in said.err
    assert "Changed since the last grading:" in said.out
    (change,) = csv.DictReader(io.StringIO((again.out / "changes.csv").read_text()))
    assert (change["name"], change["after"]) == ("ada", "100.0")
    assert "appeal granted" in again.page("ada")


def test_mistakes_in_the_teachers_tables_end_the_command_before_anything_is_played(make, tmp_path, capfd):
    folder = make({"ada.py": "import wordle_kit"})
    (tmp_path / "roster.csv").write_text("who\nada\n")
    capfd.readouterr()
    command = ["grade", folder, folder / "submissions", "--out", tmp_path / "out", "--roster", tmp_path / "roster.csv"]
    assert cli.run(list(map(str, command))) == 2
    assert "roster.csv: line 1: there is no column 'name'" in capfd.readouterr().err
    assert not (tmp_path / "out").exists()
