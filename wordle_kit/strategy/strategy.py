"""The strategy: a frozen model whose fields are its parameters, with a method that turns a position into a guess."""

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeVar, cast

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import PydanticSerializationError, to_jsonable_python

from wordle_kit.arguments import Checked, problem_in
from wordle_kit.errors import StrategyError
from wordle_kit.game.game import Game
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.specs import parse_spec
from wordle_kit.texts import kebab_case, plain, shown

T = TypeVar("T")

LONGEST_NAME = 100
"""The most characters of a strategy's name, and of its version."""

DEEPEST_PARAMETERS = 20
"""The deepest nesting of lists and tables in parameters."""

LARGEST_PARAMETERS = 65_536
"""The most bytes that all parameters of a strategy take as JSON."""

LARGEST_INTEGER = 10**300


def per_instance(function: Callable[[Any], T]) -> T:
    """Turn a method into the value of a class variable such as `stochastic`, computed for each instance.

    A property would do the same, but type checkers reject a property in place of a class variable.
    """
    return cast(T, property(function))


class Strategy(BaseModel, ABC, metaclass=Checked):
    """A function from position to guess, with parameters.

    A subclass implements `guess`. Its fields are its parameters, as in any pydantic model: they are checked, printed,
    stored, and set from the command line. A strategy holds no state between guesses: everything is in the position. If
    something has to be computed once per game, write a function of the game with `functools.cache`, and call it in
    `prepare`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: ClassVar[str]
    """The name on the command line. By default, it is the class's name in kebab case."""

    version: ClassVar[str] = "1"
    """The version of the strategy. Change it whenever guesses may have changed, so that old results are not reused."""

    stochastic: ClassVar[bool] = False
    """Whether the strategy uses `position.rng`. If so, each puzzle is played separately, with its own random numbers.
    """

    is_program: ClassVar[bool] = False
    """Whether its guesses come from outside of this process: see `Program`."""

    by_name_only: ClassVar[bool] = False
    """Whether the strategy plays only in tournaments that name it, because it needs parameters."""

    chunk: ClassVar[int] = 256
    """The number of puzzles that a worker plays at a time, and that are stored together.

    Set it lower for a slow strategy. Then all workers have something to do, and less is lost when a tournament is
    stopped.
    """

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Set the name of a class that does not set one."""
        super().__pydantic_init_subclass__(**kwargs)
        if "name" not in cls.__dict__:
            cls.name = kebab_case(cls.__name__)

    @classmethod
    def refusal(cls, problem: str) -> StrategyError:
        """Return the error for a parameter that is wrong."""
        known = f"; {described(cls.model_fields)}" if cls.model_fields else ""
        called = getattr(cls, "name", None) or kebab_case(cls.__name__)
        return StrategyError(f"{called}: {problem}{known}")

    def __setattr__(self, name: str, value: object) -> None:
        """Raise StrategyError, since parameters cannot be changed."""
        try:
            super().__setattr__(name, value)
        except ValueError:  # pydantic's error for a frozen field, or for a name that is not a field
            raise StrategyError(
                f"{self.name}: {name!r} cannot be set; a strategy keeps nothing between guesses, and with_parameters "
                "gives one with other parameters"
            ) from None

    @abstractmethod
    def guess(self, position: Position) -> str:
        """Return the word to guess, one of `position.game.guesses`."""

    def prepare(self, game: Game) -> None:
        """Do what takes long before the first guess in a game: compile kernels, fill caches, read files.

        It is called once per process and game. Its time does not count towards any decision, and it must not change
        guesses. By default, it prepares the strategies among the parameters.
        """
        for strategy in self.strategies.values():
            strategy.prepare(game)

    def problem_with(self, game: Game) -> str | None:
        """Return in a few words why this strategy cannot play a game, or None if it can."""
        return None

    @property
    def spec(self) -> str:
        """The text that names the strategy: its name, and the parameters that differ from the class's defaults."""
        usual = type(self).model_construct().parameters()
        return spec_of(self.name, {key: value for key, value in self.parameters().items() if usual.get(key) != value})

    @property
    def summary(self) -> str:
        """What the strategy does, in one sentence: by default the first line of its docstring."""
        return (type(self).__doc__ or "").strip().partition("\n")[0]

    @property
    def strategies(self) -> dict[str, "Strategy"]:
        """The parameters that are themselves strategies."""
        values = {name: getattr(self, name) for name in type(self).model_fields}
        return {name: value for name, value in values.items() if isinstance(value, Strategy)}

    def parameters(self) -> dict[str, Any]:
        """Return the parameters as values that JSON can write. Other values become the text of their `repr`."""
        try:
            dumped = self.model_dump(mode="json", exclude=set(self.strategies))
            dumped |= {name: _in_order(value) for name, value in self if _has_set(value)}
        except (PydanticSerializationError, ValueError, TypeError, RecursionError):
            dumped = {name: shown(getattr(self, name), None) for name in type(self).model_fields}
        specs = {name: strategy.spec for name, strategy in self.strategies.items()}
        return {name: storable(specs.get(name, dumped.get(name))) for name in type(self).model_fields}

    def with_parameters(self, parameters: dict[str, Any]) -> "Strategy":
        """Return this strategy with some parameters changed. A text is converted to the parameter's type.

        Raises StrategyError, which names the wrong parameter and lists the valid ones.
        """
        known = type(self).model_fields
        for parameter in parameters:
            if parameter not in known:
                raise StrategyError(f"{self.name} has no parameter {parameter!r}; {described(known)}")
        try:
            return type(self).model_validate({name: getattr(self, name) for name in known} | parameters)
        except ValidationError as error:
            raise type(self).refusal(problem_in(error)) from None


def described(fields: dict[str, Any]) -> str:
    """Return the parameters of a strategy and their defaults, as one line."""
    if not fields:
        return "it has none"
    return "its parameters are " + ", ".join(f"{name}={written(field.default)}" for name, field in fields.items())


def spec_of(name: str, parameters: Mapping[str, Any]) -> str:
    """Return a name with some parameters, as `Plugins.find_strategy` reads it."""
    shown = ", ".join(f"{key}={written(value)}" for key, value in parameters.items())
    return f"{name}({shown})" if shown else name


def written(value: object) -> str:
    """Return a parameter's value as it is typed on the command line, in quotes if it would otherwise be misread."""
    if value is None or isinstance(value, Strategy):
        return "none" if value is None else value.spec
    if not isinstance(value, str) or _reads_back(value):
        return str(value)
    return f'"{value}"' if "'" in value else f"'{value}'"


def _reads_back(text: str) -> bool:
    try:
        return parse_spec(f"name(parameter={text})") == ("name", {"parameter": text})
    except StrategyError:
        return False


def _has_set(value: Any) -> bool:
    """Return whether a value contains a set. The elements of a set have a different order in every process."""
    if isinstance(value, dict):
        return any(map(_has_set, value.values()))
    return isinstance(value, set | frozenset) or (isinstance(value, list | tuple) and any(map(_has_set, value)))


def _in_order(value: Any) -> Any:
    """Return a value in the form that JSON can write, with the elements of sets sorted by their texts."""
    if isinstance(value, dict):
        return {str(key): _in_order(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_in_order(one) for one in value]
    if isinstance(value, set | frozenset):
        return sorted((_in_order(one) for one in value), key=lambda one: json.dumps(one, sort_keys=True))
    return to_jsonable_python(value)


def storable(value: Any, depth: int = DEEPEST_PARAMETERS) -> Any:
    """Return a value in a form that every reader of JSON can read. Values that have no such form become text."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) < LARGEST_INTEGER else hex(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, str):
        return plain(value)
    if depth == 0:
        return "…"
    if isinstance(value, dict):
        return {plain(str(key)): storable(one, depth - 1) for key, one in value.items()}
    return [storable(one, depth - 1) for one in value] if isinstance(value, list | tuple) else plain(repr(value))


def parameters_problem(parameters: object) -> str | None:
    """Return why a value cannot be stored as the parameters of a strategy, or None if it can."""
    if not isinstance(parameters, dict):
        return "are not a table"
    waiting: list[tuple[object, int]] = [(parameters, DEEPEST_PARAMETERS + 1)]
    while waiting:
        value, depth = waiting.pop()
        if not isinstance(value, dict | list):
            if value is not None and not isinstance(value, str | bool | int | float):
                return "have a value that JSON cannot write"
            if isinstance(value, int) and abs(value) >= LARGEST_INTEGER:
                return "have a number that is too large"
            continue
        if depth == 0:
            return f"are nested more than {DEEPEST_PARAMETERS} deep"
        if isinstance(value, dict) and not all(isinstance(key, str) for key in value):
            return "have a name that is not text"
        waiting += [(one, depth - 1) for one in (value.values() if isinstance(value, dict) else value)]
    try:
        size = len(json.dumps(parameters, ensure_ascii=False, allow_nan=False).encode())
    except UnicodeError:
        return "have text that is not Unicode"
    except ValueError:
        return "have a number that is not finite"
    return f"take more than {LARGEST_PARAMETERS:,} bytes" if size > LARGEST_PARAMETERS else None
