"""A server of chat models on this machine, as the OpenAI API has them, whose models are functions of a conversation."""

import contextlib
import json
import re
import threading
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import wordle_kit as wk


class Chat(BaseHTTPRequestHandler):
    """Answers each question with what a function of the server makes of its messages."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert self.path == "/v1/chat/completions"
        with self.server.lock:
            self.server.asked.append(asked)
        usage = {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107}
        message = {"role": "assistant", "content": self.server.model(asked["messages"])}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        answer = {"id": "1", "object": "chat.completion", "created": 0, "model": asked["model"], "usage": usage}
        body = json.dumps(answer | {"choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *about):
        pass


class Server(ThreadingHTTPServer):
    """A server whose threads end with it."""

    daemon_threads = True

    def __init__(self, model):
        super().__init__(("127.0.0.1", 0), Chat)
        self.model = model
        self.asked = []
        self.lock = threading.Lock()


@contextlib.contextmanager
def serving(model, folder, monkeypatch):
    """Serve a model on the loopback interface in a `with` block, as the model `stub` of the library llm."""
    server = Server(model)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    address = f"http://127.0.0.1:{server.server_port}/v1"
    models = folder / "llm"
    models.mkdir(exist_ok=True)
    (models / "extra-openai-models.yaml").write_text(f"- model_id: stub\n  model_name: stub-1\n  api_base: {address}\n")
    monkeypatch.setenv("LLM_USER_PATH", str(models))
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class Player:
    """A model that plays a game as a strategy does, from the text that it is asked."""

    def __init__(self, game, strategy):
        self.game, self.strategy = game, strategy
        self.guess = cache(self.guess)

    def guess(self, seen):
        """Return the strategy's guess after these guesses and their feedback in letters."""
        position = wk.Position.start(self.game)
        for guess, letters in seen:
            position = position.after(guess, letters)
        return self.strategy.guess(position)

    def seen(self, messages):
        """Return the guesses that the first message shows, with their feedback."""
        return tuple(re.findall(r"^\d+\. (\S+) (\S+)$", messages[0]["content"], re.MULTILINE))

    def __call__(self, messages):
        """Return the answer to a conversation."""
        return f"I have thought.\n**GUESS:** `{self.guess(self.seen(messages)).upper()}`"
