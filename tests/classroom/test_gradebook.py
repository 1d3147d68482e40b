"""The teacher's tables: the roster, lateness, and scores set by hand; the line of each mistake is named."""

import csv
import io
import json
import sys
from datetime import UTC, datetime

import pytest

from wordle_kit import cli
from wordle_kit.classroom.assignment import AssignmentDefinition
from wordle_kit.classroom.gradebook import (
    MARKED_LATE,
    Times,
    compared,
    late_policy,
    read_overrides,
    read_times,
    with_names_marked,
    with_sum_set,
    with_tests_set,
)
from wordle_kit.classroom.reports import feedback, grades_csv, gradescope, summary
from wordle_kit.classroom.roster import read_roster
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
    (person,) = read_roster(sheet(f"name\n{name}\n")).people
    assert person.student == student_of(tmp_path / f"{name}.py")


DUE = datetime(2026, 3, 1, 23, 59, tzinfo=UTC)


def policy(times, points=10.0, due=DUE, extensions=None, **settings):
    """Return the late policy of an assignment with these settings."""
    definition = AssignmentDefinition(
        title="T",
        game="wordle",
        public={"count": 1},
        tests=[{"kind": "loads", "points": 1.0}],
        due=due,
        late=points,
        **settings,
    )
    return late_policy(definition, times, extensions or {}, "a.toml")


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
def test_each_day_that_has_begun_costs_points_but_no_grade_is_below_0(grade, sheet, time, points):
    late = policy(read_times(sheet(f"name,time\nAda,{time}\n")))
    made = late.applied(grade())
    assert made.points == points
    assert made.most == 40
    assert [score.points for score in made.scores] == [10, 30]
    assert bool(made.notes) == (points < 40)


def test_the_student_reads_how_many_points_lateness_cost(grade, sheet):
    late = policy(read_times(sheet("name,time\nada,2026-03-03 12:00\n")))
    made = late.applied(grade())
    said = "Handed in 2 days late, at 2026-03-03 12:00:00; it was due at 2026-03-01 23:59:00: 20 points less."
    assert made.notes == (said,)
    assert json.loads(gradescope(made))["score"] == 20
    assert said in json.loads(gradescope(made))["output"]
    assert "**20 of 40 points**" in feedback(made, "T")
    (row,) = csv.DictReader(io.StringIO(grades_csv([made])))
    assert (row["score"], row["adjustment"], row["remarks"]) == ("20.0", "-20.0", said)


def test_a_student_without_a_time_is_counted_as_punctual_and_marked(grade, sheet):
    late = policy(read_times(sheet("name,time\nbob,2026-03-03\n")))
    made = late.applied(grade())
    assert (made.points, made.remarks) == (40, ("the hand-in time is not known; counted as punctual",))


METADATA = {
    "id": 1,
    "created_at": "2026-03-02T10:00:00.5-07:00",
    "assignment": {"due_date": "2026-03-01T23:00:00-07:00"},
}


def test_gradescope_says_when_it_was_handed_in_and_when_it_was_due(grade, sheet):
    times = read_times(sheet(json.dumps(METADATA), "submission_metadata.json"))
    assert policy(times, 5, None).applied(grade("submission")).points == 35
    assert policy(times, 5, datetime.fromisoformat("2026-02-28T23:00:00-07:00")).applied(grade()).points == 30


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
        policy(times, 5, datetime(2026, 3, 1))
    with pytest.raises(WordleKitError, match="late: there is no due date"):
        policy(times, 5, None)


def test_a_test_or_the_sum_is_set_with_a_reason_that_the_student_reads(grade, sheet, two_tests):
    path = sheet(
        'name,test,points,reason\nada,"every guess is legal, public puzzles",20,a bug of ours\nada,,35,oral exam\n'
    )
    overrides = read_overrides(path, two_tests)
    made = with_tests_set(grade("Ada", 1, 0), overrides)
    assert (made.points, made.scores[1].passed) == (30, False)
    assert made.scores[1].output.startswith("Set by hand from 0 to 20 points: a bug of ours\n")
    whole = with_sum_set(made, overrides)
    assert (whole.points, whole.notes) == (35, ("Set by hand from 30 to 35 points in all: oral exam",))
    assert with_sum_set(with_tests_set(grade("bob"), overrides), overrides) == grade("bob")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("ada,,ten,why", "line 2: points: 'ten' is not a number of points from 0 to 40, the most for all tests"),
        ("ada,,40.5,why", "line 2: points: '40.5' is not a number of points from 0 to 40"),
        ("ada,loads,11,why", "line 2: points: '11' is not a number of points from 0 to 10, the most for loads"),
        ("ada,,,why", "line 2: points: '' is not a number"),
        ("ada,,-1,why", "line 2: points: '-1' is not"),
        ("ada,,nan,why", "line 2: points: 'nan' is not"),
        ("ada,,10,", "line 2: the column 'reason' is empty"),
        ("ada,laods,10,why", "did you mean 'loads'?"),
        ("ada,,10,why\nADA,,11,why", "line 3: 'ADA' already has this override in a line above"),
    ],
)
def test_mistakes_in_overrides_name_the_line(sheet, row, said, two_tests):
    with pytest.raises(WordleKitError) as caught:
        read_overrides(sheet(f"name,test,points,reason\n{row}\n"), two_tests)
    assert said in str(caught.value)


def test_an_override_by_a_short_label_is_a_remark_for_the_teacher(grade, sheet, two_tests):
    overrides = read_overrides(sheet("name,test,points,reason\nada,legal public,20,a bug of ours\n"), two_tests)
    made = with_tests_set(grade("Ada", 1, 0), overrides)
    (row,) = csv.DictReader(io.StringIO(grades_csv([made])))
    assert (row["legal public"], row["score"]) == ("20.0", "30.0")
    assert row["remarks"] == "(legal public set by hand from 0 to 20 points: a bug of ours)"


def test_an_extension_is_a_due_date_of_one_student_with_the_cutoff_later_by_as_much(grade, sheet, two_tests):
    overrides = read_overrides(sheet("name,due,reason\nada,2026-03-04 23:59,ill\n"), two_tests)
    assert overrides.points == {}
    cutoff = datetime(2026, 3, 3, 23, 59, tzinfo=UTC)
    for time, points in [
        ("2026-03-04 23:59:00", 40),
        ("2026-03-04 23:59:01", 30),
        ("2026-03-06 23:59:00", 20),
        ("2026-03-06 23:59:01", 0),
    ]:
        late = policy(
            read_times(sheet(f"name,time\nada,{time}\nbob,{time}\n")), extensions=overrides.due, cutoff=cutoff
        )
        assert late.applied(grade("Ada")).points == points
        assert late.applied(grade("Bob")).points == 0
    assert late.applied(grade()).notes == (
        "Handed in at 2026-03-06 23:59:01, after the cutoff at 2026-03-06 23:59:00: no points.",
    )
    with pytest.raises(WordleKitError, match="line 3: 'Ada' has another due date in a line above"):
        read_overrides(sheet("name,due,reason\nada,2026-03-04,ill\nAda,2026-03-05,ill\n"), two_tests)


def test_grace_makes_late_ones_punctual_and_late_max_limits_the_cost(grade, sheet):
    for time, points in [("2026-03-02 00:13:59", 40), ("2026-03-02 00:14:01", 30), ("2026-03-20", 25)]:
        times = read_times(sheet(f"name,time\nada,{time}\n"))
        assert policy(times, grace=15, late_max=15).applied(grade()).points == points


def test_a_cutoff_counts_without_a_cost_of_each_day(grade, sheet):
    times = read_times(sheet("name,time\nada,2026-03-02\nbob,2026-03-05\n"))
    late = policy(times, 0.0, cutoff=datetime(2026, 3, 4, tzinfo=UTC))
    assert [late.applied(grade(name)).points for name in ("ada", "bob")] == [40, 0]
    with pytest.raises(WordleKitError, match=r"cutoff: .* is before the due date"):
        policy(times, cutoff=datetime(2026, 2, 1, tzinfo=UTC))


@pytest.mark.parametrize("cutoff", [None, datetime(2026, 3, 9, tzinfo=UTC)])
def test_lateness_without_a_cost_is_a_remark_for_the_teacher(grade, sheet, cutoff):
    times = read_times(sheet("name,time\nada,2026-03-02 00:00:00\nbob,2026-03-01 23:59:00\n"))
    late = policy(times, 0.0, cutoff=cutoff)
    made = late.applied(grade())
    assert (made.points, made.notes) == (40, ())
    assert made.remarks == ("handed in late, at 2026-03-02 00:00:00; it was due at 2026-03-01 23:59:00",)
    assert late.applied(grade("bob")).remarks == ()
    assert bool(late.applied(grade("eve")).remarks) == (cutoff is not None)  # her time is not known


def test_whoever_is_marked_as_late_without_a_time_is_named(grade):
    made = policy(Times({}, late=frozenset({"ada"}))).applied(grade())
    assert (made.points, made.remarks) == (40, (MARKED_LATE,))


def test_whoever_has_withdrawn_is_in_the_table_but_not_in_the_statistics(grade, sheet, two_tests):
    roster = read_roster(sheet("name,status\nAda,\nBob,Withdrawn\nEve,withdrawn\n"))
    made = compared([grade("ada"), grade("bob", 0, 0)], roster, two_tests)
    assert {one.student: one.outcome for one in made} == {"ada": "graded", "bob": "graded", "Eve": "withdrawn"}
    assert json.loads(summary(made, "T")["statistics.json"])["students"] == 1
    assert len(list(csv.DictReader(io.StringIO(grades_csv(made))))) == 3


def test_whoever_has_withdrawn_takes_no_rank_from_others(grade, sheet, two_tests):
    roster = read_roster(sheet("name,status\nAda,\nBob,withdrawn\nEve,withdrawn\nZoe,\n"))
    made = compared([grade("ada", 1, 0.5), grade("bob"), grade("zoe", 1, 0)], roster, two_tests)
    rows = csv.DictReader(io.StringIO(grades_csv(made)))
    assert [(row["name"], row["rank"]) for row in rows] == [("Eve", ""), ("Ada", "1"), ("Bob", ""), ("Zoe", "2")]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="isolation needs Linux")
def test_grading_again_with_a_roster_times_and_overrides_says_what_changed(make, text, graded, capfd):
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

    (folder / "overrides.csv").write_text("name,points,reason\nada,88,appeal granted\nnobody,1,why\n")
    again = graded(folder, "out", "--overrides", folder / "overrides.csv")
    said = capfd.readouterr()
    assert f"{folder}/overrides.csv: line 3: there is no grade for this name" in said.err
    assert "Changed since the last grading:" in said.out
    (change,) = csv.DictReader(io.StringIO((again.out / "changes.csv").read_text()))
    assert (change["name"], change["now"]) == ("ada", "88.0")
    assert "appeal granted" in again.page("ada")


def test_mistakes_in_the_teachers_tables_end_the_command_before_anything_is_played(make, tmp_path, capfd):
    folder = make({"ada.py": "import wordle_kit"})
    (tmp_path / "roster.csv").write_text("who\nada\n")
    capfd.readouterr()
    command = ["grade", folder, folder / "submissions", "--output", tmp_path / "out", "--sandbox", "plain"]
    assert cli.run(list(map(str, [*command, "--roster", tmp_path / "roster.csv"]))) == 2
    assert "roster.csv: line 1: there is no column 'name'" in capfd.readouterr().err
    assert not (tmp_path / "out").exists()
