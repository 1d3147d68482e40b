"""The messages between the referee's process and a program that plays: one line of JSON each. See docs/protocol.md."""

import json
import math
import re
from typing import Any

from wordle_kit.game.game import Game
from wordle_kit.strategy.position import Position

VERSION = 1

Message = dict[str, Any]

LONGEST_ANSWER = 65_536
"""The most bytes of an answer."""

LONGEST_FACTS = 2**20
"""The most bytes of a description of a plugin's strategies."""


SURROGATE = re.compile("[\ud800-\udfff]")

DEEPEST = 32
"""The deepest nesting of lists and objects in a message."""


class ProtocolError(Exception):
    """Raised for a line that is not a valid message, or not the message that was expected."""


def encode(message: Message) -> bytes:
    """Return a message as a line. Half of a surrogate pair becomes the text of its escape sequence."""
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    return SURROGATE.sub(lambda match: f"\\\\u{ord(match[0]):x}", text).encode() + b"\n"


def decode(line: bytes) -> Message:
    """Return the message in a line.

    Raises ProtocolError for text that is not Unicode, numbers that are not finite, and deep nesting.
    """
    try:
        message = json.loads(line.decode("utf-8"), parse_constant=_finite, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"sent a line that is not JSON: {shortened(line)}") from error
    if not isinstance(message, dict):
        raise ProtocolError(f"sent JSON that is not an object: {shortened(line)}")
    waiting: list[tuple[object, int]] = [(message, DEEPEST)]
    while waiting:
        value, depth = waiting.pop()
        if isinstance(value, dict | list):
            if depth == 0:
                raise ProtocolError(f"sent JSON that is nested more than {DEEPEST} deep")
            waiting += [(one, depth - 1) for one in value]
            if isinstance(value, dict):
                waiting += [(one, depth - 1) for one in value.values()]
        elif isinstance(value, str) and not value.isascii():
            try:
                value.encode()
            except UnicodeEncodeError as error:
                raise ProtocolError("sent text that is not Unicode, with half of a surrogate pair") from error
    return message


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is not finite")
    return number


def shortened(line: bytes) -> str:
    """Return the beginning of a line, to be quoted in an error message."""
    text = repr(line[:60].decode("utf-8", "replace"))
    return text if len(line) <= 60 else f"{text} and {len(line) - 60:,} more bytes"


def game_message(game: Game, deadline: float | None = None) -> Message:
    """Return the message with the public facts of a game, and with the deadline if guesses will be asked for."""
    return {
        "type": "game",
        "protocol": VERSION,
        "name": game.name,
        "title": game.title,
        "alphabet": game.alphabet.symbols,
        "separator": game.alphabet.separator,
        "length": game.length,
        "answers": game.answers,
        "guesses": game.guesses,
        "weights": game.weights,
        "rule": game.rule.name,
        "winning": str(game.show(game.winning_code)),
        "boards": game.boards,
        "max_guesses": game.max_guesses,
        "cap": game.cap,
        "hard_mode": game.hard_mode,
        "deadline": deadline,
    }


def position_message(position: Position, number: int, shown: dict[int, str]) -> Message:
    """Return a position as the question with this number. `shown` caches the texts of codes."""
    boards = position.boards
    for board in boards:
        for code in board.codes:
            if code not in shown:
                shown[code] = str(position.game.show(code))
    history = []
    for turn, guess in enumerate(position.guess_ids):
        codes = [board.codes[turn] if turn < len(board.codes) else None for board in boards]
        feedback = [None if code is None else shown[code] for code in codes]
        history.append({"guess": position.game.guesses[guess], "feedback": feedback, "codes": codes})
    message: Message = {"type": "position", "id": number, "turn": position.turn, "history": history}
    if position._seed is not None:
        message["seed"] = position._seed
    return message
