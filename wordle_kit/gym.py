"""Environments for Gymnasium. Importing this module registers `wordle-kit/Wordle-v0`."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from wordle_kit.api import GameLike, PuzzlesLike
from wordle_kit.arguments import whole
from wordle_kit.environments.policy import Observation, mask_of, observation_of, shown_marks
from wordle_kit.environments.text_game import TextGame
from wordle_kit.errors import GameError, WordleKitError
from wordle_kit.game.game import Game
from wordle_kit.lazy import needed
from wordle_kit.tournaments.host import HIDDEN
from wordle_kit.tournaments.puzzles import choose_puzzles

needed("gymnasium", "wordle_kit.gym", "gym")

import gymnasium  # noqa: E402 - the line above says what to install
from gymnasium import spaces  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402
from gymnasium.vector.utils import batch_space  # noqa: E402

FAST_REWARDS = ("solved", "guesses")
"""The rewards that are computed from feedback alone, without positions."""


def space_of(game: Game, limit: int) -> spaces.Dict:
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
    """A game as an environment. An action is the index of a guess, and `info["action_mask"]` has the allowed ones.

    The arguments are those of `TextGame`. An action that is not allowed changes nothing, but the game ends when
    `most_refused` of them have been refused. `reset(options={"answer": words})` hides these words.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - what Gymnasium asks for

    def __init__(
        self,
        game: GameLike = "wordle",
        puzzles: PuzzlesLike = None,
        *,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise WordleKitError(f"render_mode is {render_mode!r}; give 'ansi', which is text")
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
        self.text.reset(int(self.text.puzzles_at(share)) if answer is None else answer)
        return self._observation(), self._info()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play a guess. Return the observation, the reward, whether the game has ended, False, and the info."""
        self.text.guess(self.game.guesses[self.game.index_of_guess(action)])
        reward = self.text.scores[-1].reward
        return self._observation(), float(reward), bool(self.text.is_over), False, self._info()

    def render(self) -> str | None:
        """Return the guesses so far with their feedback, if the render mode is `ansi`."""
        return self.text.state if self.render_mode == "ansi" else None

    def _observation(self) -> Observation:
        return observation_of(self.text.position, self.limit)

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": mask_of(self.text.position)}
        if self.text.scores and self.text.scores[-1].by:
            info["by"] = self.text.scores[-1].by
        if self.text.is_over:
            info |= {"is_solved": self.text.is_solved, "answers": self.text.session.answers}
        return info


class WordleVectorEnv(gymnasium.vector.VectorEnv):  # type: ignore[misc]  # as above
    """Many games at a time, looked up in the feedback table. They are the games of `WordleEnv`, but much faster.

    Words are hidden, hard mode is off, and the reward is `solved` or `guesses`. A game that has ended starts again with
    the next step, whose action is ignored. `reset(options={"answers": puzzles})` hides the words of each game.
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 - what Gymnasium asks for

    def __init__(
        self,
        num_envs: int = 1,
        game: GameLike = "wordle",
        puzzles: PuzzlesLike = None,
        *,
        reward: str = "solved",
        seed: int = 0,
        most_refused: int = 10,
    ) -> None:
        text = TextGame(game, puzzles, reward=reward, seed=seed, most_refused=most_refused)
        self.game = text.game
        if reward not in FAST_REWARDS:
            raise WordleKitError(
                f"reward is {reward!r}; give {' or '.join(FAST_REWARDS)}, or vectorization_mode='sync'"
            )
        if self.game.hard_mode or not self.game.table.is_dense:
            what = "hard mode" if self.game.hard_mode else "a feedback table of this size"
            raise GameError(f"{self.game.name}: {what} is for single environments; give vectorization_mode='sync'")
        self.num_envs = whole("num_envs", num_envs, 1)
        self.limit = self.game.max_guesses
        self.most_refused = most_refused
        self.single_action_space = spaces.Discrete(len(self.game.guesses))
        self.single_observation_space = space_of(self.game, self.limit)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._costs_guesses = reward == "guesses"
        self._puzzles_at = text.puzzles_at
        self._puzzles = np.array(text.puzzles.ids, dtype=np.int64)
        self._codes = self.game.table.whole()
        self._shown = shown_marks(self.game)
        boards = self.game.boards
        self._answers = np.zeros((self.num_envs, boards), dtype=np.int64)
        self._guesses = np.zeros((self.num_envs, self.limit), dtype=np.int32)
        self._marks = np.zeros((self.num_envs, self.limit, boards, self._shown.shape[1]), dtype=np.int32)
        self._turns = np.zeros(self.num_envs, dtype=np.int64)
        self._refused = np.zeros(self.num_envs, dtype=np.int64)
        self._solved = np.zeros((self.num_envs, boards), dtype=np.bool_)
        self._over = np.ones(self.num_envs, dtype=np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start all games with the words of `options["answers"]`, or with puzzles drawn with `seed`."""
        super().reset(seed=seed)
        self._begin(np.arange(self.num_envs))
        answers: Sequence[Any] | None = (options or {}).get("answers")
        if answers is not None:
            given = choose_puzzles(self.game, list(answers), host=HIDDEN)
            if len(given) != self.num_envs:
                raise WordleKitError(f"answers: there are {len(given)} puzzles for {self.num_envs} environments")
            self._answers[:] = given.ids
        return self._observations(), {}

    def step(
        self, actions: npt.NDArray[np.integer]
    ) -> tuple[Observation, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        """Play a guess in each game.

        Return observations, rewards, which games have ended, False for each, and the info.
        """
        actions = np.asarray(actions)
        is_whole = actions.shape == (self.num_envs,) and actions.dtype.kind in "iu"
        if not is_whole or actions.min() < 0 or actions.max() >= len(self.game.guesses):
            raise WordleKitError(f"actions: give {self.num_envs} indices from 0 to {len(self.game.guesses) - 1}")
        live = ~self._over
        repeated = live & (self._guesses == actions[:, None] + 1).any(axis=1)
        rows = np.flatnonzero(live & ~repeated)
        guessed, turns, open_boards = actions[rows], self._turns[rows], ~self._solved[rows]
        codes = self._codes[self._answers[rows], guessed[:, None]]
        self._guesses[rows, turns] = guessed + 1
        self._marks[rows, turns] = self._shown[codes] * open_boards[:, :, None]
        self._solved[rows] |= codes == self.game.winning_code
        self._turns[rows] += 1
        self._refused += repeated
        solved = live & self._solved.all(axis=1)
        self._over = solved | (live & ((self._turns == self.limit) | (self._refused >= self.most_refused)))
        if self._costs_guesses:
            lost = self._over & ~solved
            rewards = -1.0 * (live & ~repeated) - lost * (self.limit - self._turns + 1.0)
        else:
            rewards = solved.astype(np.float64)
        self._begin(np.flatnonzero(~live))
        return self._observations(), rewards, self._over.copy(), np.zeros(self.num_envs, dtype=np.bool_), {}

    def action_masks(self) -> npt.NDArray[np.int8]:
        """Return which actions are allowed in each game, int8[num_envs, n_guesses]: all except earlier guesses."""
        masks = np.ones((self.num_envs, len(self.game.guesses) + 1), dtype=np.int8)
        np.put_along_axis(masks, self._guesses.astype(np.int64), 0, axis=1)
        return masks[:, 1:]

    def _begin(self, rows: npt.NDArray[np.integer]) -> None:
        """Start the games with these numbers."""
        self._answers[rows] = self._puzzles[self._puzzles_at(self.np_random.random(len(rows)))]
        self._guesses[rows] = 0
        self._marks[rows] = 0
        self._turns[rows] = 0
        self._refused[rows] = 0
        self._solved[rows] = False
        self._over[rows] = False

    def _observations(self) -> Observation:
        return {"guesses": self._guesses.copy(), "marks": self._marks.copy(), "turn": self._turns.copy()}


gymnasium.register(
    "wordle-kit/Wordle-v0",
    entry_point="wordle_kit.gym:WordleEnv",
    vector_entry_point="wordle_kit.gym:WordleVectorEnv",
)
