"""A player for a server of OpenEnv, which has the games.

    wordle-kit environment serve -g mini-nerdle --reward regret
    python openenv_player.py http://127.0.0.1:8000

It needs `pip install 'openenv-core>=0.3.0'`. Here a strategy stands in for a model, so no other network is needed.
"""

import sys

from openenv.core.generic_client import GenericEnvClient

import wordle_kit as wk

GAMES = 5

game, player = wk.load_game("mini-nerdle"), wk.load_strategy("entropy")


def play(env: GenericEnvClient, puzzle: int) -> float:
    """Play a puzzle and return the sum of the rewards."""
    position, worth, done = wk.Position.start(game), 0.0, False
    env.reset(puzzle=puzzle)
    while not done:
        word = player.guess(position)
        result = env.step({"word": word})
        seen = result.observation["text"].removeprefix(f"{word}: ").partition(".")[0]
        position, worth, done = position.after(word, seen), worth + result.reward, result.done
    return worth


if __name__ == "__main__":
    with GenericEnvClient(base_url=sys.argv[1]).sync() as env:
        print(f"{GAMES} games: rewards {' '.join(f'{play(env, puzzle):.3f}' for puzzle in range(GAMES))}")
