"""Two agents in the environment for Gymnasium: one guesses at random, the other only words that may be the answer.

    python gymnasium_agent.py

It needs `pip install 'gymnasium>=1.1'`, and no network.
"""

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import wordle_kit_plugins.environments.gym

GAMES = 200

Agent = Callable[[dict[str, Any], np.ndarray], int]
"""A function from an observation and the mask of allowed actions to an action."""


def at_random(observation: dict[str, Any], mask: np.ndarray) -> int:
    """Return any allowed action."""
    return int(dice.choice(np.flatnonzero(mask)))


def consistent(observation: dict[str, Any], mask: np.ndarray) -> int:
    """Return an action that would have got the same marks for every guess so far, if it were the answer."""
    fits = mask.astype(bool)
    for turn in range(observation["turn"]):
        fits &= (marks_if_hidden(observation["guesses"][turn] - 1) == observation["marks"][turn, 0]).all(axis=1)
    return int(dice.choice(np.flatnonzero(fits)))


def marks_if_hidden(guess: int) -> np.ndarray:
    """Return the marks plus 1 that a guess gets for each word that may be hidden, int32[n_answers, length]."""
    game = env.unwrapped.game  # every guess of this game may be the answer
    return wordle_kit_plugins.environments.gym.shown_marks(game)[game.table.whole()[:, guess]]


def mean_of(agent: Agent) -> tuple[float, float]:
    """Return an agent's mean reward and the share of the games that it solves."""
    rewards, solved = [], 0
    for number in range(GAMES):
        observation, info = env.reset(seed=number)
        total, over = 0.0, False
        while not over:
            observation, reward, over, _, info = env.step(agent(observation, info["action_mask"]))
            total += float(reward)
        rewards.append(total)
        solved += info["is_solved"]
    return float(np.mean(rewards)), solved / GAMES


env = gymnasium.make("wordle-kit/Wordle-v0", game="mini-nerdle", reward="guesses")
dice = np.random.default_rng(0)

if __name__ == "__main__":
    for agent in (at_random, consistent):
        reward, share = mean_of(agent)
        print(f"{agent.__name__}: mean reward {reward:.2f}, solved {share:.0%}")
