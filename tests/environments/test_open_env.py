"""Games for OpenEnv: its own client plays them on a server of this machine."""

import json
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import wordle_kit as wk
from wordle_kit.environments import TextGame

core = pytest.importorskip(
    "openenv.core", reason="needs openenv-core, which brings 300 MB: pip install 'openenv-core>=0.3.0'"
)

from openenv.core.generic_client import GenericEnvClient  # noqa: E402

pytestmark = pytest.mark.slow

SERVE = [sys.executable, "-P", "-m", "wordle_kit", "environment", "serve"]
GAME = wk.load_game("mini-nerdle")


@pytest.fixture(scope="module")
def server():
    """Return the address of a server that this test started."""
    command = [*SERVE, "-g", "mini-nerdle", "--reward", "regret", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        yield re.search(r"http://127\.0\.0\.1:\d+", process.stderr.readline())[0]
        assert process.poll() is None
        process.terminate()
        process.communicate(timeout=60)


def client(server):
    return GenericEnvClient(base_url=server, message_timeout_s=300).sync()


def test_a_game_is_that_of_a_text_game(server):
    text = TextGame(GAME, reward="regret")
    with client(server) as env:
        games = (
            (5, [GAME.guesses[9], "zz", *GAME.guesses[7:10], GAME.answers[5]]),
            (GAME.answers[-1], [GAME.answers[-1]]),
        )
        for puzzle, guesses in games:
            begun = env.reset(puzzle=puzzle, episode_id="one")
            assert begun.observation["text"] == text.reset(puzzle)
            for guess in guesses:
                result = env.step({"word": guess})
                assert result.observation["text"] == text.guess(guess)
                assert (result.reward, result.done) == (text.scores[-1].reward, text.is_over)
                assert result.observation["by"] == text.scores[-1].by
            state = env.state()
            assert (state["text"], state["mistakes"]) == (text.state, {str(k): n for k, n in text.mistakes.items()})
            assert (state["episode_id"], state["step_count"]) == ("one", len(guesses))
            assert result.observation["is_solved"]


def test_clients_play_games_of_their_own_at_a_time(server):
    at_once, said = threading.Barrier(2), {}

    def play(number):
        with client(server) as env:
            env.reset(puzzle=number)
            at_once.wait(timeout=60)
            for guess in (GAME.guesses[20], GAME.answers[number]):
                result = env.step({"word": guess})
            said[number] = result.observation["text"]

    players = [threading.Thread(target=play, args=(number,)) for number in (3, 4)]
    for player in players:
        player.start()
    for player in players:
        player.join()
    assert said == {number: f"{GAME.answers[number]}: GGGGGG. Solved with 2 guesses." for number in (3, 4)}


def test_the_example_plays_over_the_loopback_interface_only(server):
    example = Path(__file__).parents[2] / "examples" / "environments" / "openenv_player.py"
    ran = subprocess.run([sys.executable, str(example), server], capture_output=True, text=True, check=True)
    games = []
    for play in wk.play("entropy", GAME, list(GAME.answers[:5])):
        text = TextGame(GAME, reward="regret")
        text.reset(play.guesses[-1])
        for guess in play.guesses:
            text.guess(guess)
        games.append(f"{text.reward():.3f}")
    assert ran.stdout == f"5 games: rewards {' '.join(games)}\n"


BAD = {
    "no JSON": "{",
    "no message": json.dumps({"type": "dance"}),
    "no word": json.dumps({"type": "step", "data": {}}),
    "no text": json.dumps({"type": "step", "data": {"word": 7}}),
    "too long": json.dumps({"type": "step", "data": {"word": "x" * 2000}}),
    "something else": json.dumps({"type": "step", "data": {"word": "a", "cheat": True}}),
    "no puzzle": json.dumps({"type": "reset", "data": {"puzzle": 10**9}}),
    "no words": json.dumps({"type": "reset", "data": {"puzzle": "zzzzzz"}}),
    "no seed": json.dumps({"type": "reset", "data": {"seed": "x"}}),
}


def test_bad_input_gets_an_error_and_harms_no_session(server):
    from websockets.sync.client import connect

    with client(server) as env, connect(server.replace("http", "ws") + "/ws") as rude:
        env.reset(puzzle=0)

        def answer(text):
            rude.send(text)
            return json.loads(rude.recv(timeout=60))

        assert answer(json.dumps({"type": "step", "data": {"word": GAME.answers[0]}}))["type"] == "error"  # no game
        for text in BAD.values():
            said = answer(text)
            assert said["type"] == "error", (text, said)
            assert said["data"]["message"]
        assert answer(json.dumps({"type": "reset", "data": {"puzzle": 1}}))["type"] == "observation"
        solved = answer(json.dumps({"type": "step", "data": {"word": GAME.answers[1]}}))
        assert solved["data"]["done"]
        assert answer(json.dumps({"type": "step", "data": {"word": GAME.answers[1]}}))["type"] == "error"  # it is over
        rude.send("[1]")  # which ends this connection, but no other
        assert env.step({"word": GAME.answers[0]}).done
    with client(server) as env:
        assert env.reset(puzzle=0).observation["text"]
