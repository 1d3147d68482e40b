"""Environments for Gymnasium. Importing this module registers `wordle-kit/Wordle-v0`."""

from typing import Any

import numpy as np
from wordle_kit_plugins.environments.policy import Observation, mask_of, observation_of, shown_marks
from wordle_kit_plugins.environments.text_game import TextGame

import wordle_kit as wk
from wordle_kit.api import GameLike
from wordle_kit.lazy import needed
from wordle_kit.tournaments.sources import PuzzlesLike

needed("gymnasium", "wordle_kit_plugins.environments.gym", "gym")

import gymnasium  # noqa: E402 - the line above says what to install
from gymnasium import spaces  # noqa: E402 - as above


def space_of(game: wk.Game, limit: int) -> spaces.Dict:
    """Return the space of observations of a game with room for `limit` guesses, as `observation_of` describes them."""
    shown = shown_marks(game)
    return spaces.Dict(
        {
            "guesses": spaces.Box(0, len(game.guesses), (limit,), np.int32),
            "marks": spaces.Box(0, int(shown.max()), (limit, game.boards, shown.shape[1]), np.int32),
            "turn": spaces.Discrete(limit + 1),
        }
    )


class WordleEnv(gymnasium.Env):  # type: ignore[misc]  # types are checked without Gymnasium
    """A game as an environment. An action is the index of a guess, and `info["action_mask"]` marks the allowed ones.

    The arguments are those of `TextGame`. An action that is not allowed changes nothing, but the game ends when
    `most_refused` of them have been refused. `reset(options={"answer": words})` hides the given words.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - Gymnasium requires it

    def __init__(
        self,
        game: GameLike = "wordle",
        puzzles: PuzzlesLike = None,
        *,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        self.render_mode = render_mode
        self.text = TextGame(game, puzzles, **settings)
        self.game = self.text.game
        self.limit = self.text.limit
        self.action_space = spaces.Discrete(len(self.game.guesses))
        self.observation_space = space_of(self.game, self.limit)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a game with the words of `options["answer"]`, or with a puzzle drawn with `seed`."""
        super().reset(seed=seed)
        share = float(self.np_random.random())
        answer = (options or {}).get("answer")
        self.text.reset(self.text.puzzle_at(share) if answer is None else answer)
        return self._observation(), self._info()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play a guess. Return the observation, the reward, whether the game has ended, False, and the info."""
        self.text.guess(self.game.guesses[self.game.index_of_guess(action)])
        return self._observation(), float(self.text.scores[-1]), bool(self.text.is_over), False, self._info()

    def render(self) -> str | None:
        """Return the guesses so far with their feedback, if the render mode is `ansi`."""
        return self.text.state if self.render_mode == "ansi" else None

    def _observation(self) -> Observation:
        return observation_of(self.text.position, self.limit)

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": mask_of(self.text.position)}
        if self.text.is_over:
            info |= {"is_solved": self.text.is_solved, "answers": self.text.session.answers}
        return info


gymnasium.register("wordle-kit/Wordle-v0", entry_point="wordle_kit_plugins.environments.gym:WordleEnv")
