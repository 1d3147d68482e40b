"""The teacher's tables: the roster, lateness, and scores set by hand; the line of each mistake is named."""

import csv
import io
import json
from datetime import UTC, datetime

import pytest
from needs import needs_linux

from wordle_kit.classroom.assignment import AssignmentDefinition
from wordle_kit.classroom.gradebook import (
    compared,
    late_policy,
    read_overrides,
    read_times,
    with_sum_set,
    with_tests_set,
)
from wordle_kit.classroom.reports import feedback, grades_csv, gradescope, summary
from wordle_kit.classroom.roster import read_roster
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
    with pytest.raises(WordleKitError, match=r"3.*Ada"):
        read_overrides(sheet("name,due,reason\nada,2026-03-04,ill\nAda,2026-03-05,ill\n"), two_tests)


def test_whoever_has_withdrawn_is_in_the_table_but_not_in_the_statistics(grade, sheet, two_tests):
    roster = read_roster(sheet("name,status\nAda,\nBob,Withdrawn\nEve,withdrawn\n"))
    made = compared([grade("ada"), grade("bob", 0, 0)], roster, two_tests)
    assert {one.student: one.outcome for one in made} == {"ada": "graded", "bob": "graded", "Eve": "withdrawn"}
    assert json.loads(summary(made, "T")["statistics.json"])["students"] == 1
    assert len(list(csv.DictReader(io.StringIO(grades_csv(made))))) == 3


@pytest.mark.slow
@needs_linux
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
