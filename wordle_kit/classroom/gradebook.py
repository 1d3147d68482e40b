"""The teacher's additions to grades: the roster, the cost of lateness, and scores set by hand."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wordle_kit.classroom.assignment import Assignment
from wordle_kit.classroom.kinds import AnyTest
from wordle_kit.classroom.late import Policy, policy, read_times
from wordle_kit.classroom.overrides import Override, read_overrides, unused, with_sum_set, with_tests_set
from wordle_kit.classroom.reports import Grade
from wordle_kit.classroom.roster import CONFUSABLE, NOTHING, UNKNOWN, compared, read_roster, with_names_marked


@dataclass(frozen=True)
class Gradebook:
    """A roster, a late policy and overrides, all optional."""

    tests: tuple[AnyTest, ...] = ()
    roster: tuple[str, ...] | None = None
    late: Policy | None = None
    overrides: tuple[Override, ...] = ()
    untimed: bool = False
    """Whether lateness costs points, but no hand-in times are known."""

    def entered(self, grades: Sequence[Grade]) -> list[Grade]:
        """Return final grades: points of tests as set by hand, less the cost of lateness, then sums as set by hand."""
        made = [with_tests_set(grade, self.overrides) for grade in self._compared(grades)]
        if self.late is not None:
            made = [self.late.applied(grade) if grade.outcome != NOTHING else grade for grade in made]
        return [with_sum_set(grade, self.overrides) for grade in made]

    def complaints(self, grades: Sequence[Grade]) -> list[str]:
        """Return a line for the teacher for each entry that does not match the grades."""
        strangers = [grade.student for grade in grades if UNKNOWN in grade.remarks]
        lines = [f"not on the roster: {', '.join(strangers)}"] if strangers else []
        lines += [
            f"{grade.student}: {said}" for grade in grades for said in grade.remarks if said.startswith(CONFUSABLE)
        ]
        if self.untimed:
            lines.append("no hand-in times were given, so nobody is late")
        return lines + unused(grades, self.overrides)

    def _compared(self, grades: Sequence[Grade]) -> list[Grade]:
        return with_names_marked(grades if self.roster is None else compared(grades, self.roster, self.tests))


def read_gradebook(
    assignment: Assignment,
    *,
    one: bool = False,
    roster: Path | None = None,
    times: Path | None = None,
    overrides: Path | None = None,
) -> Gradebook:
    """Return the gradebook of an assignment; these files replace those that it names. With `one`, there is no roster.

    Raises WordleKitError, naming the file and the line, for a mistake in a file.
    """
    definition = assignment.definition

    def chosen(given: Path | None, name: str | None) -> Path | None:
        return given or (None if name is None else assignment.folder / name)

    tests = tuple(assignment.tests)
    names, moments = chosen(roster, None if one else definition.roster), chosen(times, definition.times)
    by_hand = chosen(overrides, definition.overrides)
    known = None if moments is None else read_times(moments)
    return Gradebook(
        tests,
        None if names is None else read_roster(names),
        policy(definition.due, definition.late, known, str(assignment.path)),
        () if by_hand is None else read_overrides(by_hand, [test.title for test in tests]),
        untimed=bool(definition.late) and known is None,
    )
