"""The messages to and from a program, each a line of JSON. docs/protocol.md describes them.

The answers of programs are treated as hostile in this module, and only here.
"""

import json
import math
import re
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from wordle_kit.errors import WordleKitError, problem_in
from wordle_kit.game.game import Game
from wordle_kit.strategy.position import Position
from wordle_kit.texts import one_line

VERSION = 1

LONGEST_ANSWER = 65_536
"""The maximum length of an answer in bytes."""

LONGEST_TEXT = 600
"""The most characters of a program's own words to show."""

Message = dict[str, Any]

SURROGATE = re.compile("[\ud800-\udfff]")


class ProgramError(WordleKitError):
    """Raised if a program does not follow the protocol. The message says what it did instead."""

    def __init__(self, what: str, *, is_late: bool = False, is_illegal: bool = False, died: bool = False) -> None:
        super().__init__(one_line(what, 2 * LONGEST_TEXT))
        self.is_late = is_late
        """Whether there was no answer in time."""
        self.is_illegal = is_illegal
        """Whether the answer was not a word."""
        self.died = died
        """Whether the program has ended."""


class Answer(BaseModel):
    """An answer of a program. No value is converted to another type, and unknown keys are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)

    error: str | None = None
    outcome: str | None = None
    traceback: str | None = None
    """Details of an error for the author, as any number of lines."""

    @classmethod
    def read(cls, text: bytes) -> Self:
        """Return the answer in a line. Raises ProgramError if the line is not a valid answer."""
        try:
            message = json.loads(text.decode("utf-8"), parse_constant=_finite, parse_float=_finite)
            json.dumps(message, ensure_ascii=False).encode()
        except (ValueError, RecursionError) as error:  # an unpaired surrogate is a ValueError too
            raise ProgramError(f"sent a line that is not JSON: {shortened(text)}") from error
        if not isinstance(message, dict):
            raise ProgramError(f"sent JSON that is not an object: {shortened(text)}")
        try:
            return cls.model_validate(message)
        except ValidationError as error:
            raise ProgramError(f"sent an invalid answer: {problem_in(error)}") from None


class Ready(Answer):
    """Whether a program can play a game, and what it says about itself."""

    type: Literal["ready", "unable"]
    protocol: int | None = None
    problem: str | None = None
    version: Annotated[str, StringConstraints(max_length=100)] = ""
    stochastic: bool = False


class Guess(Answer):
    """The answer to a position: a guess, which may be any value, or an error."""

    id: int
    guess: Any = None


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is not finite")
    return number


def encode(message: Message) -> bytes:
    """Return a message as a line. An unpaired surrogate becomes the text of its escape sequence."""
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    return SURROGATE.sub(lambda match: f"\\\\u{ord(match[0]):x}", text).encode() + b"\n"


def shortened(text: bytes) -> str:
    """Return the beginning of a line, to be quoted in an error message."""
    shown = repr(text[:60].decode("utf-8", "replace"))
    return shown if len(text) <= 60 else f"{shown} and {len(text) - 60:,} more bytes"


def game_message(game: Game, deadline: float) -> Message:
    """Return the message with the public facts of a game, and the seconds for each guess."""
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
        "winning": str(game.feedback_of(game.winning_code)),
        "boards": game.boards,
        "max_guesses": game.max_guesses,
        "cap": game.cap,
        "hard_mode": game.hard_mode,
        "deadline": deadline,
        "memory": game.memory,
        "table": None,
    }


def position_message(position: Position, number: int) -> Message:
    """Return the message that asks for a guess in a position, with this number as its id."""
    game, boards = position.game, position.boards
    history = []
    for turn, guess in enumerate(position.guess_ids):
        codes = [board.codes[turn] if turn < len(board.codes) else None for board in boards]
        feedback = [None if code is None else str(game.feedback_of(code)) for code in codes]
        history.append({"guess": game.guesses[guess], "feedback": feedback, "codes": codes})
    message: Message = {"type": "position", "id": number, "turn": position.turn, "history": history}
    if position.seed is not None:
        message["seed"] = position.seed
    return message
