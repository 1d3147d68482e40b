"""Games for OpenEnv: its own client plays them on a server of this machine."""

import json
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

import wordle_kit as wk
from wordle_kit.environments import TextGame

core = pytest.importorskip(
    "openenv.core", reason="needs openenv-core, which brings 300 MB: pip install 'openenv-core>=0.3.0'"
)

from openenv.core.generic_client import GenericEnvClient  # noqa: E402
from websockets.exceptions import ConnectionClosed  # noqa: E402

pytestmark = pytest.mark.slow

SERVE = [sys.executable, "-P", "-m", "wordle_kit", "environment", "serve"]
GAME = wk.load_game("mini-nerdle")


@pytest.fixture(scope="module")
def server():
    """Return the address of a server that this test started."""
    command = [*SERVE, "-g", "mini-nerdle", "--reward", "regret", "--port", "0", "--sessions", "3"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        said = process.stderr.readline()
        address = re.fullmatch(r"wordle-kit: serving mini-nerdle at (http://127\.0\.0\.1:\d+); Ctrl-C ends it\n", said)
        assert address, said
        yield address[1]
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


@pytest.mark.parametrize(
    ("path", "data", "said"),
    [
        ("step", {"action": {"word": GAME.answers[0]}}, "no game has begun; call reset first"),
        ("reset", {"puzzle": 10**9}, "puzzle is 1000000000; the puzzles have the numbers 0 to 205"),
    ],
)
def test_a_plain_request_that_a_game_refuses_is_answered_in_a_sentence(server, path, data, said):
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{server}/{path}", json.dumps(data).encode(), headers)
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=60)
    with refused.value as answer:
        assert (answer.code, json.load(answer)) == (400, {"detail": said})


def test_a_client_that_is_gone_makes_room_for_another(server):
    for _ in range(5):  # of which no more than three may play at a time
        gone = socket.create_connection(("127.0.0.1", int(server.rpartition(":")[2])))
        gone.sendall(
            b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        assert gone.recv(1000).startswith(b"HTTP/1.1 101 ")
        gone.close()
    until = time.monotonic() + 60
    while True:
        try:
            with client(server) as env:
                assert env.reset().observation["text"]
                break
        except (ConnectionClosed, RuntimeError):  # the server has not noticed yet
            assert time.monotonic() < until
            time.sleep(0.1)


def test_ctrl_c_ends_it_without_a_complaint():
    with subprocess.Popen([*SERVE, "-g", "mini-nerdle", "--port", "0"], stderr=subprocess.PIPE, text=True) as process:
        address = re.search(r"http://\S+(?=;)", process.stderr.readline())[0]
        with client(address) as env:
            env.reset()
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60) == (None, "")
    assert process.returncode == 0


def test_more_clients_than_it_may_have_are_refused(server):
    with client(server) as one, client(server) as two, client(server) as three:
        for env in (one, two, three):
            env.reset()
        with pytest.raises((ConnectionClosed, RuntimeError)), client(server) as four:
            four.reset()
        assert three.step({"word": GAME.guesses[0]}).observation["text"]


def test_a_port_that_is_taken_and_a_wrong_reward_are_named(server, tmp_path):
    port = server.rpartition(":")[2]
    for options, said in (
        (["--port", port], f"wordle-kit: cannot listen on 127.0.0.1, port {port}: "),
        (["--reward", "points"], "wordle-kit: no reward is called 'points'"),
    ):
        ran = subprocess.run([*SERVE, *options], capture_output=True, text=True, check=False, timeout=120)
        assert ran.returncode == 2
        assert said in ran.stderr
        assert "Traceback" not in ran.stderr
