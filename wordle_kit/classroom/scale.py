"""What known strategies get: the expectation of those to beat, and the points of the starter and the baselines."""

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from wordle_kit.api import load_puzzles
from wordle_kit.classroom.assignment import Assignment, Beats, SampleName
from wordle_kit.classroom.draws import Draws
from wordle_kit.classroom.examine import Examined
from wordle_kit.classroom.scores import Runs, Work, rounded
from wordle_kit.tournaments.chance import Chance
from wordle_kit.tournaments.entrants import Entrant
from wordle_kit.tournaments.puzzles import Puzzles
from wordle_kit.tournaments.runner import play_tournaments
from wordle_kit.tournaments.runs import StoredRun
from wordle_kit.tournaments.store import Store
from wordle_kit.tournaments.tournament import Tournament

PLAYS = 5000
"""The least number of plays from which the expectation of a strategy to beat is known, if it depends on chance."""

SEED = 0
"""The seed of these plays: every grading of an assignment compares with the same figure."""

TOO_MUCH = 0.4
"""The share of all points that the unchanged starter should not exceed."""


def expectations(assignment: Assignment) -> dict[tuple[str, SampleName], Tournament]:
    """Return the tournaments that show what strategies to beat can expect, by strategy and sample.

    The others are not random and play what everyone plays, so their usual runs show it.
    """
    found = {}
    for test in assignment.tests:
        if isinstance(test, Beats):
            entrant, puzzles = assignment.others[test.strategy], assignment.samples[test.on]
            game = assignment.game
            if isinstance(puzzles, Draws):
                is_list = game.boards == 1 and not game.is_weighted
                count = min(PLAYS, len(game.answers)) if is_list else PLAYS
                puzzles = load_puzzles(game, count, SEED)
            elif entrant.strategy.stochastic:
                puzzles = repeated(puzzles)
            else:
                continue
            deadline = assignment.definition.deadline
            found[test.strategy, test.on] = Tournament(game, puzzles, (entrant,), Chance(SEED), deadline)
    return found


def repeated(puzzles: Puzzles) -> Puzzles:
    """Return puzzles as often as a random strategy has to play them, so that its mean is known."""
    times = math.ceil(PLAYS / len(puzzles))
    return replace(puzzles, ids=puzzles.ids * times, label=f"{puzzles.label}, {times} times")


def points_of(assignment: Assignment, runs: Runs, rivals: Mapping[str, Runs]) -> float:
    """Return the points that a strategy gets for these runs, if it loads and keeps its promises."""
    examined = Examined(registered="known")
    work = Work(assignment, examined, runs, rivals, "", assignment.definition.game, [])
    return rounded(sum(work.score(test).points for test in assignment.tests))


def measured_points(assignment: Assignment, entrants: Mapping[str, Entrant]) -> dict[str, float]:
    """Return the points that strategies get that are played in this process, by their names."""
    played = {**assignment.others, **entrants}.items()
    usual = {(name, each): assignment.tournament(each, one) for name, one in played for each in assignment.samples}
    wanted = usual | expectations(assignment)
    runs: dict[str, dict[SampleName, StoredRun]] = defaultdict(dict)
    with Store() as store:
        numbers = play_tournaments(list(wanted.values()), store, workers=1)
        for (name, sample), number in zip(wanted, numbers, strict=True):
            runs[name][sample] = store.read(number)
    return {name: points_of(assignment, runs[name], runs) for name in entrants}
