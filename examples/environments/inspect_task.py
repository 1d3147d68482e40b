"""Games as a task of Inspect: a model plays puzzles in a conversation, and is scored by a reward.

    inspect eval inspect_task.py --model PROVIDER/MODEL -T game=wordle -T puzzles=50

It needs `pip install inspect-ai`, and was tried with version 0.3.285.
"""

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageUser
from inspect_ai.scorer import Score, mean, scorer, stderr
from inspect_ai.solver import solver

import wordle_kit as wk
from wordle_kit.environments import ASK, TextGame, word_in


@solver
def play(game: str, reward: str):
    """Return a solver that plays the puzzle of a sample."""

    async def solve(state, generate):
        text = TextGame(game, reward=reward)
        asked = f"{text.reset(state.metadata['puzzle'])}\n\n{ASK.format(noun=text.game.nouns[0])}"
        state.messages = [ChatMessageUser(content=asked)]
        while not text.is_over:
            state = await generate(state)
            said = text.guess(word_in(state.output.completion, text.game))
            state.messages.append(ChatMessageUser(content=said))
        solved, guesses = text.is_solved, len(text.position.guesses)
        state.metadata |= {
            "reward": text.reward(),
            "solved": solved,
            "guesses": guesses,
            "mistakes": dict(text.mistakes),
        }
        return state

    return solve


@scorer(metrics={"reward": [mean(), stderr()], "solved": [mean(), stderr()]})
def worth():
    """Return a scorer that gives the reward of the game, and whether it was solved."""

    async def score(state, target):
        played = state.metadata
        return Score(value={"reward": played["reward"], "solved": float(played["solved"])}, metadata=dict(played))

    return score


@task
def wordle(game: str = "wordle", puzzles: int = 50, seed: int = 0, reward: str = "potential") -> Task:
    """Return the task: these puzzles of a game, drawn with the seed as in a tournament."""
    drawn = wk.load_puzzles(game, puzzles, seed)
    samples = [Sample(input=f"puzzle {n}", metadata={"puzzle": list(drawn.words(n))}) for n in range(len(drawn))]
    return Task(dataset=samples, solver=play(game, reward), scorer=worth())
