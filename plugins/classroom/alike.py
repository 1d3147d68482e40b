"""Submissions that make the same guesses: for the teacher to look at, never a matter of points."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from wordle_kit_plugins.classroom.assignment import Assignment
from wordle_kit_plugins.classroom.play import Played, Result

from wordle_kit.api import load_strategy, play
from wordle_kit.plugins import default_plugins
from wordle_kit.tournaments.runs import Play

ALIKE = 0.98
"""The share of answers on which two programs must make the same guesses to be named."""

SLOW = "search"
"""The plugin whose strategies are not compared, since they take long."""

Games = npt.NDArray[np.int64]
"""A hash of the guesses for each answer, int64[n_answers]."""


def whole_games(result: Result) -> Games | None:
    """Return the games of a submission that has played every answer to its end, else None."""
    ended = result.is_tree and not any(play.outcome.is_fault for play in result.plays)
    return games_of(result.plays) if ended else None


def games_of(plays: Sequence[Play | Played]) -> Games:
    """Return a number for the guesses of each play: the same for the same guesses."""
    return np.array([hash(play.guesses) for play in plays], dtype=np.int64)


def bundled_games(assignment: Assignment) -> dict[str, Games]:
    """Return the games of the bundled strategies that are not random and can play this game."""
    found = {}
    for name, entry in default_plugins().strategies.items():
        strategy = entry.value
        usual = not (strategy.stochastic or entry.plugin == SLOW or strategy.is_program)
        if usual and strategy.problem_with(assignment.game) is None:
            found[name] = games_of(play(load_strategy(name), assignment.game))
    return found


def remarks_on(games: Mapping[str, Games], starter: Games | None, bundled: Mapping[str, Games]) -> dict[str, list[str]]:
    """Return what the teacher is told about programs that play alike, by the names of the students.

    `games` are those of students who have played every answer to its end. If a bundled strategy makes the same guesses,
    so may many who had the same idea; then it is named, and nobody else.
    """
    names, every = list(games), np.array(list(games.values()))
    remarks: dict[str, list[str]] = {}
    known: dict[str, tuple[float, str]] = {}
    for name in names:
        shares = [(share(games[name], other), spec) for spec, other in bundled.items()]
        known[name] = max(shares, default=(0.0, "none"))
        if starter is not None and share(games[name], starter) >= ALIKE:
            remarks[name] = ["plays like the starter"]
        elif known[name][0] >= ALIKE:
            remarks[name] = [f"plays like {known[name][1]}, which is bundled"]
    explained = set(remarks)
    for number, name in enumerate(names):
        if name in explained:
            continue
        shares_of = (every == every[number]).mean(axis=1)
        for other in np.flatnonzero(shares_of >= ALIKE).tolist():
            if other != number:
                near, spec = known[name]
                said = f"plays like {names[other]} ({shares_of[other]:.0%}; nearest bundled: {spec}, {near:.0%})"
                remarks.setdefault(name, []).append(said)
    return remarks


def share(one: Games, other: Games) -> float:
    """Return the share of answers with the same guesses."""
    return float((one == other).mean())
