"""The messages between the referee's side and a program that plays: JSON, a line each. See docs/protocol.md."""

import json
import math
import re
from typing import Any

from wordle_kit.game.game import Game
from wordle_kit.strategy.position import Position

VERSION = 1

LONGEST_ANSWER = 65_536
"""Bytes that an answer may have, and its last words."""

LONGEST_FACTS = 2**20
"""Bytes that a description of a plugin's strategies may have."""


SURROGATE = re.compile("[\ud800-\udfff]")

DEEPEST = 32
"""Lists and objects inside one another that a message may have."""


class ProtocolError(Exception):
    """What is not a message, or not the one that was asked for."""


def encode(message: dict[str, Any]) -> bytes:
    """Return a message as a line; half of a surrogate pair becomes the text of its escape."""
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    return SURROGATE.sub(lambda match: f"\\\\u{ord(match[0]):x}", text).encode() + b"\n"


def decode(line: bytes) -> dict[str, Any]:
    """Return the message of a line: text that is Unicode, numbers that are finite, nothing nested too deep.

    Raises ProtocolError for anything else.
    """
    try:
        message = json.loads(line.decode("utf-8"), parse_constant=_finite, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"sent what is no JSON: {shortened(line)}") from error
    if not isinstance(message, dict):
        raise ProtocolError(f"sent JSON that is no object: {shortened(line)}")
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
    """Return the beginning of a line, to be shown."""
    text = repr(line[:60].decode("utf-8", "replace"))
    return text if len(line) <= 60 else f"{text} and {len(line) - 60:,} bytes more"


def game_message(game: Game) -> dict[str, Any]:
    """Return the public facts of a game."""
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
    }


def position_message(position: Position, number: int, shown: dict[int, str]) -> dict[str, Any]:
    """Return a position as the question that has this number; `shown` keeps codes as text."""
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
    message: dict[str, Any] = {"type": "position", "id": number, "turn": position.turn, "history": history}
    if position._seed is not None:
        message["seed"] = position._seed
    return message
