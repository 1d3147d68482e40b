"""Late days, and the times at which students hand in."""

import csv
import io
import json
from datetime import UTC, datetime

import pytest

from wordle_kit.classroom.late import Times, policy, read_times
from wordle_kit.classroom.reports import feedback, grades_csv, gradescope
from wordle_kit.errors import WordleKitError

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
def test_each_day_that_has_begun_costs_points_but_no_grade_is_below_0(grade, sheet, time, points):
    late = policy(DUE, 10, read_times(sheet(f"name,time\nAda,{time}\n")), "a.toml")
    made = late.applied(grade())
    assert made.points == points
    assert made.most == 40
    assert [score.points for score in made.scores] == [10, 30]
    assert bool(made.notes) == (points < 40)


def test_the_student_reads_how_many_points_lateness_cost(grade, sheet):
    late = policy(DUE, 10, read_times(sheet("name,time\nada,2026-03-03 12:00\n")), "a.toml")
    made = late.applied(grade())
    said = "Handed in 2 days late, at 2026-03-03 12:00; it was due at 2026-03-01 23:59: 20 points less."
    assert made.notes == (said,)
    assert json.loads(gradescope(made))["score"] == 20
    assert said in json.loads(gradescope(made))["output"]
    assert "**20 of 40 points**" in feedback(made, "T")
    (row,) = csv.DictReader(io.StringIO(grades_csv([made])))
    assert (row["score"], row["adjustment"], row["remarks"]) == ("20.0", "-20.0", said)


def test_a_student_without_a_time_is_counted_as_punctual_and_marked(grade, sheet):
    late = policy(DUE, 10, read_times(sheet("name,time\nbob,2026-03-03\n")), "a.toml")
    made = late.applied(grade())
    assert (made.points, made.remarks) == (40, ("the hand-in time is not known; counted as punctual",))


METADATA = {
    "id": 1,
    "created_at": "2026-03-02T10:00:00.5-07:00",
    "assignment": {"due_date": "2026-03-01T23:00:00-07:00"},
}


def test_gradescope_says_when_it_was_handed_in_and_when_it_was_due(grade, sheet):
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
