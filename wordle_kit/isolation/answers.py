"""The answers of a program: every message from it is checked here before any other code sees it."""

import re
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from wordle_kit.arguments import problem_in
from wordle_kit.isolation.protocol import ProtocolError
from wordle_kit.strategy.strategy import LONGEST_NAME, SAYABLE, parameters_problem
from wordle_kit.texts import line

Read = TypeVar("Read", bound="Answer")

MOST = 1000
"""The most strategies that a plugin may register, and failures that it may report."""


def _kept(parameters: dict[str, Any]) -> dict[str, Any]:
    problem = parameters_problem(parameters)
    if problem is not None:
        raise ValueError(problem)
    return parameters


def _sayable(name: str) -> str:
    if re.fullmatch(SAYABLE, name) is None:
        raise ValueError("is not a name; use letters, digits and . : + -")
    return name


Name = Annotated[str, StringConstraints(max_length=LONGEST_NAME), AfterValidator(_sayable)]


class Answer(BaseModel):
    """The base of all answers: no value is converted, and unknown keys are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)


class StrategyFacts(Answer):
    """The facts about a strategy that the referee's side needs: see `facts_of` in the child program."""

    name: Name
    version: Name
    stochastic: bool
    by_name_only: bool
    parameters: Annotated[dict[str, Any], AfterValidator(_kept)]
    any_game: bool
    opened: Annotated[str, StringConstraints(max_length=LONGEST_NAME)] = ""
    """A hash of the files that plugins opened while they were loaded there."""


class RegisteredFacts(StrategyFacts):
    """The facts, with the names under which the strategy is registered."""

    registered: Name
    aliases: Annotated[list[Name], Field(max_length=MOST)] = []


class SetUp(Answer):
    """How a process was set up, before any code of the strategy runs."""

    type: Literal["set up"]
    problem: str | None = None
    """Why the trusted plugins could not be loaded."""
    unwritten: str | None = None
    """Why the files of the strategy's own plugin could not be written."""


class Contents(Answer):
    """What a plugin registers, or why it could not be loaded."""

    strategies: Annotated[list[RegisteredFacts], Field(max_length=MOST)] = []
    others: Annotated[list[Literal["rules", "games"]], Field(max_length=2)] = []
    failures: Annotated[list[str], Field(max_length=MOST)] = []


class Loaded(Answer):
    """A strategy that was loaded, or why it could not be."""

    strategy: StrategyFacts | None = None
    problem: str | None = None


class Readiness(Answer):
    """Whether a program can play a game."""

    type: Literal["ready", "unable"]
    protocol: int | None = None
    problem: str | None = None
    fingerprint: str | None = None


class Guess(Answer):
    """The answer to a position: a guess, which may be any value, or the reason why there is none."""

    id: int
    guess: Any = None
    error: str | None = None
    outcome: str | None = None
    traceback: str | None = None
    """Details of an error for the author, in any number of lines."""


def set_up_of(message: dict[str, Any]) -> SetUp:
    """Return how a process was set up. Raises ProtocolError for any other message."""
    return _read(SetUp, message, "did not say that it is set up")


def contents_of(message: dict[str, Any]) -> Contents:
    """Return what a plugin registers. Raises ProtocolError for any other message."""
    return _read(Contents, message, "does not say what its strategies are")


def loaded_of(message: dict[str, Any]) -> Loaded:
    """Return the result of loading a strategy. Raises ProtocolError for any other message."""
    return _read(Loaded, message, "does not say what its strategy is")


def readiness_of(message: dict[str, Any]) -> Readiness:
    """Return whether a program is ready. Raises ProtocolError if the message does not say."""
    return _read(Readiness, message, "did not say that it is ready")


def guess_of(message: dict[str, Any], number: int) -> Guess:
    """Return the answer to the question with this number. Raises ProtocolError for any other message."""
    if message.get("id") != number or isinstance(message.get("id"), bool):
        given = line(repr(message.get("id")), 60)
        raise ProtocolError(f"answered out of turn: its answer has the id {given}, the question {number}")
    if "error" in message and not isinstance(message["error"], str):
        raise ProtocolError(f"sent an error that is not text: {line(repr(message['error']), 60)}")
    if "guess" not in message and "error" not in message:
        raise ProtocolError("sent an answer with neither guess nor error")
    return _read(Guess, message, "sent an invalid answer")


def _read(kind: type[Read], message: dict[str, Any], otherwise: str) -> Read:
    try:
        return kind.model_validate(message)
    except ValidationError as error:
        raise ProtocolError(f"{otherwise}: {problem_in(error)}") from None
