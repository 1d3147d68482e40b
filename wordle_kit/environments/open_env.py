"""A server of games for OpenEnv, whose clients play over a network. Each connection plays separate games."""

from collections.abc import Callable
from typing import Any

from pydantic import Field

from wordle_kit.environments.text_game import TextGame
from wordle_kit.errors import WordleKitError
from wordle_kit.lazy import needed

needed("openenv.core", "wordle-kit environment serve", "openenv")

from fastapi import Request, WebSocket, WebSocketDisconnect  # noqa: E402 - the line above says what to install
from fastapi.responses import JSONResponse  # noqa: E402
from openenv.core.env_server import (  # noqa: E402
    Action,
    Environment,
    Observation,
    State,
    create_fastapi_app,
)

LONGEST_WORD = 1000
"""The most characters of a guess."""


class GameAction(Action):  # type: ignore[misc]  # types are checked without OpenEnv
    """A guess."""

    word: str = Field(max_length=LONGEST_WORD, description="The word to guess")


class GameObservation(Observation):  # type: ignore[misc]  # as above
    """The rules and the state after `reset`. After a guess, the feedback, or why the guess was refused."""

    text: str
    is_solved: bool = False
    by: str = ""
    """For rewards that compare with perfect play: how the reward is known."""


class GameState(State):  # type: ignore[misc]  # as above
    """What a client may know about its game."""

    game: str
    text: str = ""
    """The guesses so far with their feedback, and the number of guesses left."""
    mistakes: dict[str, int] = Field(default_factory=dict)


class OpenEnvGame(Environment):  # type: ignore[misc]  # as above
    """A text game as an environment of OpenEnv. There is one for each connection."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, text: TextGame) -> None:
        super().__init__()
        self.text = text
        self._episode: str | None = None
        self._steps = 0

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        puzzle: int | str | list[str] | None = None,
        **others: Any,
    ) -> GameObservation:
        """Start a game. `puzzle` is the number of a puzzle, or its hidden words.

        By default, one is drawn with `seed`.
        """
        if seed is not None:
            self.text.seed(seed)
        said = self.text.reset(puzzle)
        self._episode, self._steps = episode_id, 0
        return GameObservation(text=said)

    def step(self, action: GameAction, timeout_s: float | None = None, **others: Any) -> GameObservation:
        """Play a guess. Raises GameError if no game has begun or the game is over."""
        said = self.text.guess(action.word)
        self._steps += 1
        worth = self.text.scores[-1]
        return GameObservation(
            text=said,
            reward=worth.reward,
            by=worth.by,
            done=bool(self.text.is_over),
            is_solved=bool(self.text.is_over and self.text.is_solved),
        )

    @property
    def state(self) -> GameState:
        """The state of the game, without the hidden words."""
        state = GameState(game=self.text.game.name, episode_id=self._episode, step_count=self._steps)
        if hasattr(self.text, "session"):  # set when the first game begins
            state.text, state.mistakes = self.text.state, {str(kind): n for kind, n in self.text.mistakes.items()}
        return state


def app_of(new_game: Callable[[], TextGame], sessions: int) -> Any:
    """Return the ASGI application that serves games to at most `sessions` connections at a time."""
    app = create_fastapi_app(lambda: OpenEnvGame(new_game()), GameAction, GameObservation, max_concurrent_envs=sessions)
    # OpenEnv itself answers errors of a connection, but not those of a plain request, which has a separate game.
    app.add_exception_handler(WordleKitError, _refused)
    # OpenEnv answers even the message with which a client leaves. It is not an error if the client has gone by then.
    app.add_exception_handler(WebSocketDisconnect, _gone)
    return app


def _refused(request: Request, error: Exception) -> JSONResponse:
    """Return the answer to a request that a game refuses."""
    return JSONResponse({"detail": str(error)}, 400)


async def _gone(socket: WebSocket, error: Exception) -> None:
    """Do nothing if a client has gone."""
