"""The due date, the hand-in times, and the points that each day of lateness costs."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from wordle_kit.classroom.reports import Grade
from wordle_kit.classroom.sheets import key_of, read_sheet
from wordle_kit.errors import WordleKitError
from wordle_kit.texts import number_of

ONE = ""
"""The key of the only submission in an autograder's times, since an autograder does not know the student's name."""

NO_TIME = "the hand-in time is not known; counted as punctual"


@dataclass(frozen=True)
class Times:
    """The hand-in times, by the students' names, and the due date if the file has one too."""

    handed_in: Mapping[str, datetime]
    due: datetime | None = None


@dataclass(frozen=True)
class Policy:
    """A due date, and the points that each day after it costs; part of a day counts as a whole one."""

    due: datetime
    points: float
    times: Times

    def applied(self, grade: Grade) -> Grade:
        """Return a grade less the cost of lateness, but at least 0 points."""
        handed_in = self.times.handed_in
        time = handed_in.get(key_of(grade.student)) or handed_in.get(ONE)
        if time is None:
            return replace(grade, remarks=(*grade.remarks, NO_TIME))
        late = time - self.due
        if late <= timedelta():
            return grade
        days = math.ceil(late / timedelta(days=1))
        costs = min(grade.points, days * self.points)
        said = (
            f"Handed in {number_of(days, 'day')} late, at {time:%Y-%m-%d %H:%M}; it was due at "
            f"{self.due:%Y-%m-%d %H:%M}: {costs:g} points less."
        )
        return replace(grade, adjustment=grade.adjustment - costs, notes=(*grade.notes, said))


def policy(due: datetime | None, points: float, times: Times | None, where: str) -> Policy | None:
    """Return the late policy of these settings, or None if there is none. Raises WordleKitError if it is incomplete."""
    due = due or (times.due if times is not None else None)
    if not points or times is None:
        return None
    if due is None:
        raise WordleKitError(f"{where}: late: there is no due date; add one, such as due = 2026-03-01T23:59:00+01:00")
    moments = {name: _like(time, due, where) for name, time in times.handed_in.items()}
    return Policy(due, points, Times(moments))


def read_times(path: Path) -> Times:
    """Read hand-in times from a CSV file with the columns `name` and `time`, or from Gradescope's metadata.

    Raises WordleKitError, naming the line, for any other file.
    """
    if path.suffix == ".json":
        return _of_gradescope(path)
    times: dict[str, datetime] = {}
    for entry in read_sheet(path, ["name", "time"]):
        time = _moment(entry.cells["time"], f"{entry.where}: time")
        name = key_of(entry.student)
        times[name] = max(time, times[name]) if name in times and _comparable(time, times[name]) else time
    return Times(times)


def _of_gradescope(path: Path) -> Times:
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
        created, due = facts["created_at"], facts.get("assignment", {}).get("due_date")
    except OSError as error:
        raise WordleKitError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise WordleKitError(f"{path}: is not Gradescope's submission_metadata.json: it has no created_at") from error
    moment = _moment(created, f"{path}: created_at")
    return Times({ONE: moment}, None if due is None else _moment(due, f"{path}: assignment.due_date"))


def _moment(text: object, where: str) -> datetime:
    try:
        return datetime.fromisoformat(str(text))
    except ValueError as error:
        raise WordleKitError(f"{where}: {text!r} is not a time; write it as in 2026-03-01 23:59:00+01:00") from error


def _comparable(one: datetime, other: datetime) -> bool:
    return (one.tzinfo is None) == (other.tzinfo is None)


def _like(time: datetime, due: datetime, where: str) -> datetime:
    """Return a time in the due date's offset from UTC, which it is assumed to have if it has none."""
    if time.tzinfo is None:
        return time.replace(tzinfo=due.tzinfo)
    if due.tzinfo is None:
        raise WordleKitError(f"{where}: due: {due} has no offset from UTC, but the times have; write {due}+00:00")
    return time.astimezone(due.tzinfo)
