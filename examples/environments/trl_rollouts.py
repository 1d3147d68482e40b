"""The environment that TRL's GRPOTrainer plays, and the rewards of a group of rollouts of one puzzle.

    python trl_rollouts.py

Here a strategy stands in for the model, so neither TRL nor a network is needed. With a model, the same factory and rows
go to the trainer:

    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    trainer = GRPOTrainer(
        model="a model that calls tools",
        args=GRPOConfig(output_dir="out", max_tool_calling_iterations=10),
        train_dataset=Dataset.from_list(rows()),
        environment_factory=factory,
    )
    trainer.train()
"""

from functools import partial
from typing import Any

from wordle_kit_plugins.environments import TextGame

import wordle_kit as wk


class ToolGame:
    """A text game whose guesses are calls of a tool: `GRPOTrainer` offers `guess`, the only other public method."""

    def __init__(self, game: str, **settings: Any) -> None:
        self._text = TextGame(game, **settings)

    def reset(self, puzzle: int | str | None = None, **row: Any) -> str:
        """Start a game with this puzzle and return the rules and the state, which TRL adds to the prompt."""
        return self._text.reset(puzzle)

    def guess(self, word: str) -> str:
        """
        Guess the hidden word.

        Args:
            word: The word to guess.

        Returns:
            The feedback on the guess, or why it was refused, and how many guesses are left.

        """
        return "The game is over." if self._text.is_over else self._text.guess(word)

    def get_reward(self) -> float:
        """Return what the game was worth. An unfinished game counts as unsolved."""
        return self._text.reward()


GROUP = 4
"""The number of rollouts of each puzzle, which GRPO compares with one another."""

factory = partial(ToolGame, "mini-nerdle", reward="regret")


def rows() -> list[dict[str, Any]]:
    """Return the dataset: the environment has the rules, so a row only says which puzzle to play."""
    puzzles = range(len(wk.load_game("mini-nerdle").answers))
    return [{"prompt": [{"role": "user", "content": ""}], "puzzle": puzzle} for puzzle in puzzles]


def rollout(environment: ToolGame, row: dict[str, Any], strategy: wk.Strategy) -> float:
    """Return the reward of a game in which a strategy calls the tool."""
    environment.reset(**row)
    game = wk.load_game("mini-nerdle")
    position = wk.Position.start(game)
    while position.open_boards:
        word = strategy.guess(position)
        seen = environment.guess(word).partition(": ")[2].partition(".")[0]
        position = position.after(word, seen)
    return environment.get_reward()


if __name__ == "__main__":
    row = rows()[0]
    specs = ["optimal", "entropy", "minimax", "first-consistent"]
    found = [rollout(factory(), row, wk.load_strategy(spec)) for spec in specs[:GROUP]]
    print(f"a group of {GROUP} on puzzle {row['puzzle']}: rewards {' '.join(f'{one:.3f}' for one in found)}")
