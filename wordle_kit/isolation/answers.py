"""The answers of a program. Every message from a program is checked here before other code uses it."""

import re
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from wordle_kit.arguments import problem_in
from wordle_kit.isolation.protocol import Message, ProtocolError
from wordle_kit.strategy.specs import SAYABLE
from wordle_kit.strategy.strategy import LONGEST_NAME, parameters_problem
from wordle_kit.texts import line

MOST = 1000
"""The most strategies that a plugin may register, and the most failures that it may report."""


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
    """The base of all answers. No value is converted to another type, and unknown keys are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)

    complaint: ClassVar[str]
    """The message about a program that sends something else."""

    @classmethod
    def read(cls, message: Message) -> Self:
        """Return a message as this kind of answer. Raises ProtocolError for any other message."""
        try:
            return cls.model_validate(message)
        except ValidationError as error:
            raise ProtocolError(f"{cls.complaint}: {problem_in(error)}") from None


class StrategyFacts(Answer):
    """The facts about a strategy that the referee's process needs: see `facts_of` in the child program."""

    name: Name
    version: Name
    stochastic: bool
    by_name_only: bool
    parameters: Annotated[dict[str, Any], AfterValidator(_kept)]
    any_game: bool
    opened: Annotated[str, StringConstraints(max_length=LONGEST_NAME)] = ""
    """A hash of the files that plugins opened while they were loaded in the other process."""


class RegisteredFacts(StrategyFacts):
    """The facts about a strategy, and the names under which it is registered."""

    registered: Name
    aliases: Annotated[list[Name], Field(max_length=MOST)] = []


class SetUp(Answer):
    """Whether a process was set up, before any code of the strategy runs."""

    complaint: ClassVar[str] = "did not say that it is set up"

    type: Literal["set up"]
    problem: str | None = None
    """Why the trusted plugins could not be loaded, or None."""
    unwritten: str | None = None
    """Why the files of the strategy's plugin could not be written, or None."""


class Contents(Answer):
    """What a plugin registers, or why it could not be loaded."""

    complaint: ClassVar[str] = "does not say what its strategies are"

    strategies: Annotated[list[RegisteredFacts], Field(max_length=MOST)] = []
    others: Annotated[list[Literal["rules", "games", "programs"]], Field(max_length=3)] = []
    failures: Annotated[list[str], Field(max_length=MOST)] = []


class Loaded(Answer):
    """A strategy that was loaded, or why it could not be loaded."""

    complaint: ClassVar[str] = "does not say what its strategy is"

    strategy: StrategyFacts | None = None
    problem: str | None = None


class Readiness(Answer):
    """Whether a program can play a game."""

    complaint: ClassVar[str] = "did not say that it is ready"

    type: Literal["ready", "unable"]
    protocol: int | None = None
    problem: str | None = None
    fingerprint: str | None = None
    error: str | None = None
    """Why the strategy could not prepare for the game, or None. The strategy may still be able to play it."""
    traceback: str | None = None


class Guess(Answer):
    """The answer to a position: a guess, which may be any value, or the reason why there is no guess."""

    complaint: ClassVar[str] = "sent an invalid answer"

    id: int
    guess: Any = None
    error: str | None = None
    outcome: str | None = None
    traceback: str | None = None
    """Details of an error for the author, as any number of lines."""

    @classmethod
    def answering(cls, number: int, message: Message) -> Self:
        """Return the answer to the question with this number. Raises ProtocolError for any other message."""
        if message.get("id") != number or isinstance(message.get("id"), bool):
            given = line(repr(message.get("id")), 60)
            raise ProtocolError(f"answered out of turn: its answer has the id {given}, the question {number}")
        if "error" in message and not isinstance(message["error"], str):
            raise ProtocolError(f"sent an error that is not text: {line(repr(message['error']), 60)}")
        if "guess" not in message and "error" not in message:
            raise ProtocolError("sent an answer with neither guess nor error")
        return cls.read(message)
