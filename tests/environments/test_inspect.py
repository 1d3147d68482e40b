"""The example of a task for Inspect: its own model for tests plays it, without a network."""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import wordle_kit as wk

pytestmark = pytest.mark.slow

TESTS = Path(__file__).parents[1]
PLAYED = """
import json, re, sys
from inspect_ai import eval as evaluate
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from chat_server import Player
from inspect_task import wordle
import wordle_kit as wk

folder, game = sys.argv[1:]
player = Player(wk.load_game(game), wk.load_strategy("entropy"))

def answer(messages, tools, tool_choice, config):
    told = [message.text for message in messages if message.role == "user"][1:]
    seen = tuple(re.match(r"(\\S+): (\\w+)", text).groups() for text in told)
    made = ModelOutput.from_content("mockllm/model", f"I think.\\n**GUESS:** {player.guess(seen).upper()}")
    made.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # or Inspect downloads a tokenizer
    return made

model = get_model("mockllm/model", custom_outputs=answer)
(log,) = evaluate(wordle(game, puzzles=5, seed=2, reward="guesses"), model=model, log_dir=folder, display="none")
assert log.status == "success", log.error
(reward,) = [score.metrics["mean"].value for score in log.results.scores if score.name == "reward"]
print(json.dumps([reward, [sample.scores["worth"].metadata["guesses"] for sample in log.samples]]))
"""


@pytest.mark.skipif(find_spec("inspect_ai") is None, reason="needs inspect-ai, which brings 200 MB")
@pytest.mark.parametrize("game", ["wordle", "mini-nerdle"])
def test_a_model_that_plays_entropy_gets_what_entropy_gets(tmp_path, game):
    # Inspect leaves streams open, which only a process of its own forgives.
    path = f"import sys; sys.path += [{str(TESTS)!r}, {str(TESTS.parent / 'examples' / 'environments')!r}]\n"
    command = [sys.executable, "-P", "-c", path + PLAYED, str(tmp_path), game]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr[-2000:]
    reward, guesses = json.loads(ran.stdout)
    plays = wk.play("entropy", game, 5, seed=2)
    assert guesses == [play.turns for play in plays]
    assert reward == -sum(guesses) / 5
