"""The HTML page of the class leaderboard. It shows everyone's plays, so it is only for the teacher."""

import shlex
from collections.abc import Mapping

from wordle_kit.classroom.assignment import Assignment
from wordle_kit.leaderboard.stored import StoredRuns
from wordle_kit.report.page import page_of
from wordle_kit.texts import plain
from wordle_kit.tournaments.store import Store

TEACHERS_PAGE = "teacher.html"

WARNING = "It is for the teacher: it shows how everyone plays every puzzle. Do not give it to students."


def teachers_page(assignment: Assignment, store: Store, runs: Mapping[str, int]) -> str:
    """Return the page of the runs with these numbers, given by name."""
    return plain(
        page_of(
            StoredRuns(store, list(runs.values()), list(runs)),
            assignment.game,
            title=assignment.definition.title,
            warning=WARNING,
            command=f"wordle-kit grade {shlex.quote(str(assignment.path))} SUBMISSIONS --out DIR",
        )
    )
