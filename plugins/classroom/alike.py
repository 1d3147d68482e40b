"""Submissions that make the same guesses: pointed out to the teacher, but never affecting points."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

import wordle_kit as wk
from wordle_kit.plugins import default_plugins

ALIKE = 0.98
"""The share of answers on which two programs must make the same guesses to be reported."""

SLOW = "search"
"""The plugin whose strategies are not compared, since they are slow."""

Games = npt.NDArray[np.int64]
"""A hash of the guesses for each answer, int64[n_answers]."""


def games_of(plays: Sequence[wk.Play]) -> Games:
    """Return a hash of the guesses of each play, which is equal for equal guesses."""
    return np.array([hash(play.guesses) for play in plays], dtype=np.int64)


def bundled_games(game: wk.Game) -> dict[str, Games]:
    """Return the games of the bundled strategies that can play this game and are not random."""
    found = {}
    for name, entry in default_plugins().strategies.items():
        strategy = entry.value
        usual = not (strategy.stochastic or entry.plugin == SLOW or isinstance(strategy, wk.Program))
        if usual and strategy.problem_with(game) is None:
            found[name] = games_of(wk.play(wk.load_strategy(name), game))
    return found


def remarks_on(games: Mapping[str, Games], starter: Games | None, bundled: Mapping[str, Games]) -> dict[str, str]:
    """Return, by student, a remark for the teacher on each program that plays like another.

    `games` has the students whose programs have played every answer to its end. If a bundled strategy makes the same
    guesses, many may have had the same idea, so only that strategy is named.
    """
    remarks = {}
    for name, mine in games.items():
        if starter is not None and share(mine, starter) >= ALIKE:
            remarks[name] = "plays like the starter"
            continue
        near, spec = max(((share(mine, theirs), spec) for spec, theirs in bundled.items()), default=(0.0, "none"))
        if near >= ALIKE:
            remarks[name] = f"plays like {spec}, which is bundled"
            continue
        shares = {other: share(mine, theirs) for other, theirs in games.items() if other != name}
        like = [f"{other} ({same:.0%})" for other, same in shares.items() if same >= ALIKE]
        if like:
            remarks[name] = f"plays like {', '.join(like)}; nearest bundled: {spec}, {near:.0%}"
    return remarks


def share(one: Games, other: Games) -> float:
    """Return the share of answers for which the guesses are the same."""
    return float((one == other).mean())
