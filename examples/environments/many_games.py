"""Many games at a time, looked up in the feedback table: the games of `WordleEnv`, but much faster.

    python many_games.py

The reward is -1 for each guess, and in addition -1 for each guess left and for a game that is not solved. A game that
has ended starts again with the next step, whose action is ignored. A word that was guessed before is refused.
"""

import time
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from wordle_kit_plugins.environments.gym import space_of
from wordle_kit_plugins.environments.policy import Observation, shown_marks

import wordle_kit as wk


class ManyGames(gymnasium.vector.VectorEnv):
    """Games with hidden answers of a game whose feedback table fits into memory, without hard mode."""

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 - what Gymnasium asks for

    def __init__(self, num_envs: int, game: wk.Game) -> None:
        self.num_envs, self.game, self.limit = num_envs, game, game.max_guesses
        self.single_action_space = spaces.Discrete(len(game.guesses))
        self.single_observation_space = space_of(game, self.limit)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._codes, self._shown = game.table.whole(), shown_marks(game)
        self._answers = np.zeros((num_envs, game.boards), dtype=np.int64)
        self._guesses = np.zeros((num_envs, self.limit), dtype=np.int32)
        self._marks = np.zeros((num_envs, self.limit, game.boards, self._shown.shape[1]), dtype=np.int32)
        self._turns = np.zeros(num_envs, dtype=np.int64)
        self._solved = np.zeros((num_envs, game.boards), dtype=np.bool_)
        self._over = np.zeros(num_envs, dtype=np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start all games with answers drawn with `seed`."""
        super().reset(seed=seed)
        self._begin(np.arange(self.num_envs))
        return self._observations(), {}

    def step(
        self, actions: npt.NDArray[np.integer]
    ) -> tuple[Observation, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        """Play a guess in each game. Return observations, rewards, which games have ended, False for each, and {}."""
        ended = self._over
        rows = np.flatnonzero(~ended & (self._guesses != actions[:, None] + 1).all(axis=1))
        guessed, turns, is_open = actions[rows], self._turns[rows], ~self._solved[rows]
        codes = self._codes[self._answers[rows], guessed[:, None]]
        self._guesses[rows, turns] = guessed + 1
        self._marks[rows, turns] = self._shown[codes] * is_open[:, :, None]
        self._solved[rows] |= codes == self.game.winning_code
        self._turns[rows] += 1
        solved = self._solved.all(axis=1)
        self._over = ~ended & (solved | (self._turns == self.limit))
        rewards = np.zeros(self.num_envs)
        rewards[rows] = -1.0
        rewards[self._over & ~solved] -= 1.0  # a game that is not solved has no guesses left
        self._begin(np.flatnonzero(ended))
        return self._observations(), rewards, self._over.copy(), np.zeros(self.num_envs, dtype=np.bool_), {}

    def words_of(self, number: int) -> list[str]:
        """Return the hidden words of a game."""
        return [self.game.answers[answer] for answer in self._answers[number]]

    def _begin(self, rows: npt.NDArray[np.integer]) -> None:
        weights = self.game.answer_weights
        size = len(rows), self.game.boards
        self._answers[rows] = self.np_random.choice(len(weights), size, p=weights / weights.sum())
        for state in (self._guesses, self._marks, self._turns, self._solved, self._over):
            state[rows] = 0

    def _observations(self) -> Observation:
        return {"guesses": self._guesses.copy(), "marks": self._marks.copy(), "turn": self._turns.copy()}


if __name__ == "__main__":
    games, steps = ManyGames(256, wk.load_game("wordle")), 1000
    games.reset(seed=1)
    actions = np.random.default_rng(1).integers(0, len(games.game.guesses), (steps, games.num_envs))
    start = time.perf_counter()
    ended = sum(games.step(chosen)[2].sum() for chosen in actions)
    seconds = time.perf_counter() - start
    played = steps * games.num_envs
    print(f"{played:,} steps of {ended:,} games; {played / seconds:,.0f} steps per second")
