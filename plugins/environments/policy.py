"""Policies as strategies: observations as in the Gymnasium environments, and a strategy that acts on them."""

from abc import abstractmethod
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

import wordle_kit as wk
from wordle_kit.game.words import frozen

Observation = dict[str, Any]
"""The arrays `guesses`, `marks` and `turn` for a position: see `observation_of`."""

Mask = npt.NDArray[np.int8]
"""An array, int8[n_guesses], that has 1 for each allowed guess and 0 for the others."""


@lru_cache(maxsize=16)
def shown_marks(game: wk.Game) -> npt.NDArray[np.int32]:
    """Return the marks of each code plus 1, int32[n_codes, length].

    If the rule has no marks, the code plus 1 replaces them.
    """
    codes = range(game.table.n_codes)
    if isinstance(game.rule, wk.MarksRule):
        return frozen(np.array([game.rule.digits(code, game.length) for code in codes], dtype=np.int32) + 1)
    return frozen(np.array(codes, dtype=np.int32)[:, None] + 1)


def observation_of(position: wk.Position, limit: int) -> Observation:
    """Return a position as arrays with room for `limit` guesses. If there are more, the latest are included.

    `guesses`, int32[limit], has the index of each guess plus 1, and 0 where there is no guess. `marks`, int32[limit,
    boards, length], has each mark plus 1, and 0 where there is none. A rule without marks has the code plus 1 instead,
    and a length of 1. `turn` is the number of guesses so far.
    """
    shown = shown_marks(position.game)
    turn = len(position.guess_ids)
    first = max(0, turn - limit)
    guesses = np.zeros(limit, dtype=np.int32)
    guesses[: turn - first] = np.array(position.guess_ids[first:], dtype=np.int32) + 1
    marks = np.zeros((limit, len(position.boards), shown.shape[1]), dtype=np.int32)
    for number, board in enumerate(position.boards):
        codes = list(board.codes[first:])
        marks[: len(codes), number] = shown[codes]
    return {"guesses": guesses, "marks": marks, "turn": turn}


def mask_of(position: wk.Position) -> Mask:
    """Return an array, int8[n_guesses], that has 1 for each guess that is allowed and new, and 0 for the others."""
    mask = np.zeros(len(position.game.guesses), dtype=np.int8)
    mask[slice(None) if position.allowed is None else position.allowed] = 1
    mask[list(position.guess_ids)] = 0
    return mask


class PolicyStrategy(wk.Strategy):
    """Choose the guess by a policy that maps observations to actions, as in the Gymnasium environment.

    A subclass implements `act`. Keep learnt weights in a file and name it in a parameter of type `Path`, so that
    results are stored separately for each version of the weights.
    """

    @abstractmethod
    def act(self, game: wk.Game, observation: Observation, mask: Mask) -> int:
        """Return the index of the guess to make. `observation` and `mask` are the same as in the environment."""

    def guess(self, position: wk.Position) -> str:
        """Return the guess that `act` chooses."""
        game = position.game
        action = self.act(game, observation_of(position, game.max_guesses), mask_of(position))
        return game.guesses[game.index_of_guess(action)]
