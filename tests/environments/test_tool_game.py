"""Games as TRL's environments: what TRL 1.16 asks of them is checked here, without TRL."""

import inspect
import re
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import get_type_hints

import pytest

import wordle_kit as wk
from wordle_kit.environments import TextGame, ToolGame

TINY = wk.load_game({"name": "tiny", "alphabet": "abc", "length": 2, "answers": "all", "max_guesses": 3})


def tools_of(environment):
    """Return the tools of an environment as TRL 1.16 finds them: the functions of its class that are not hidden."""
    members = inspect.getmembers(type(environment), predicate=inspect.isfunction)
    names = {name for name, _ in members}
    assert "reset" in names, "TRL refuses an environment without reset"
    assert "get_reward" in names, "without it, TRL needs reward functions"
    return [getattr(environment, name) for name in names - {"reset", "get_reward"} if not name.startswith("_")]


def schema_of(tool):
    """Return the parameters of a tool as chat templates get them: their types, and their lines in the docstring.

    Transformers raises an exception for a tool without a docstring, and for a parameter without type or description.
    """
    text = inspect.getdoc(tool)
    described = dict(re.findall(r"^ {4}(\w+): (.+)$", text.partition("Args:\n")[2].partition("\n\n")[0], re.MULTILINE))
    hints = get_type_hints(tool)
    assert "return" in hints
    parameters = inspect.signature(tool).parameters
    return text.partition("\n\n")[0], {name: (hints[name], described[name]) for name in parameters}


def test_the_only_tool_is_a_guess_with_types_and_descriptions():
    environment = partial(ToolGame, "wordle", reward="regret")()
    (tool,) = tools_of(environment)
    assert tool.__name__ == "guess"
    assert schema_of(tool) == ("Guess the hidden word.", {"word": (str, "The word to guess.")})


def rollout(environment, row, guesses):
    """Play as TRL's trainer does: the text of reset is added to the prompt, and a tool's error becomes its answer."""
    prompt = [dict(message) for message in row["prompt"]]
    observation = environment.reset(**row)
    prompt[-1]["content"] += observation
    (tool,) = tools_of(environment)
    answers = []
    for guess in guesses:
        try:
            answers.append(tool(word=guess))
        except Exception as error:
            answers.append({"error": str(error)})
    return prompt, answers, environment.get_reward()


def test_a_rollout_is_a_text_game():
    environment, text = ToolGame(TINY, reward="guesses"), TextGame(TINY, reward="guesses")
    guesses = ["aa", "zz", "ab", "aa", "cc", "bb"]
    for puzzle in range(len(TINY.answers)):
        row = {"prompt": [{"role": "user", "content": "Play. "}], "puzzle": puzzle, "source": "x"}
        prompt, answers, reward = rollout(environment, row, guesses)
        assert prompt[-1]["content"] == f"Play. {text.reset(puzzle)}"
        wanted = ["The game is over." if text.is_over else text.guess(guess) for guess in guesses]
        assert answers == wanted
        assert reward == text.reward()
    assert row["prompt"][-1]["content"] == "Play. "


def test_a_puzzle_may_be_its_hidden_words():
    environment = ToolGame(TINY)
    environment.reset(puzzle="ab")
    assert environment.guess("ab") == "ab: GG. Solved with 1 guess."
    environment.reset(puzzle=None, prompt=[])
    with pytest.raises(wk.PuzzleError, match="puzzle 1: 'zz'"):
        environment.reset(puzzle="zz")


def test_a_model_that_says_nothing_gets_no_more_than_one_that_plays():
    for reward in ("solved", "guesses", "information", "regret"):
        silent, player = ToolGame(TINY, reward=reward), ToolGame(TINY, reward=reward)
        row = {"prompt": [{"role": "user", "content": ""}], "puzzle": 4}
        assert rollout(silent, row, [])[-1] <= rollout(player, row, ["aa", "bb", "ab"])[-1]


def test_the_example_plays_without_a_network():
    example = Path(__file__).parents[2] / "examples" / "environments" / "trl_rollouts.py"
    ran = subprocess.run([sys.executable, str(example)], capture_output=True, text=True, check=True)
    assert ran.stdout == "a group of 4 on puzzle 0: rewards 0.000 0.000 -0.010 -0.340\n"
