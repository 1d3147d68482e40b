"""The strategy: a frozen model whose fields are its parameters, with a method that turns a position into a guess."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self, TypeVar, cast

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import to_jsonable_python

from wordle_kit.errors import StrategyError, problem_in
from wordle_kit.game.game import Game
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.specs import parse_spec
from wordle_kit.texts import kebab_case

T = TypeVar("T")


def per_instance(function: Callable[[Any], T]) -> T:
    """Turn a method into the value of a class variable such as `stochastic`, computed for each instance.

    A property would do the same, but type checkers reject a property in place of a class variable.
    """
    return cast(T, property(function))


class Strategy(BaseModel, ABC):
    """A function from positions to guesses, with parameters.

    A subclass implements `guess`. Its fields are its parameters, as in any pydantic model: they are checked, printed,
    stored, and set from the command line. A strategy keeps no state between guesses: everything is in the position. Put
    what you compute once per game into a function of the game with `functools.cache`, and call it in `prepare`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    name: ClassVar[str]
    """The name on the command line, by default the class's name in kebab case."""

    version: ClassVar[str] = "1"
    """The version of the strategy. Change it whenever guesses may have changed, so that old results are not reused."""

    stochastic: ClassVar[bool] = False
    """Whether the strategy uses `position.rng`. If so, each puzzle is played separately, with its own random numbers.
    """

    by_name_only: ClassVar[bool] = False
    """Whether the strategy plays only when `-s` selects it, by name or by a pattern such as `'*'`."""

    chunk: ClassVar[int] = 256
    """The number of puzzles that a worker plays at a time, and that are stored together.

    Set it lower for a slow strategy, so that all workers are busy and less is lost when a tournament is stopped.
    """

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Set the name of a class that does not set one."""
        super().__pydantic_init_subclass__(**kwargs)
        if "name" not in cls.__dict__:
            cls.name = kebab_case(cls.__name__)

    def __new__(cls, **parameters: Any) -> Self:
        """Raise StrategyError if a method is missing."""
        if cls.__abstractmethods__:
            raise StrategyError(f"{cls.__name__} has no method {min(cls.__abstractmethods__)!r}; write one")
        return super().__new__(cls)

    def __init__(self, **parameters: Any) -> None:
        try:
            super().__init__(**parameters)
        except ValidationError as error:
            fields = type(self).model_fields
            raise StrategyError(f"{self.name}: {problem_in(error, fields)}; {described(fields)}") from None

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
        """Do slow work before the first guess in a game, such as compiling kernels or filling caches.

        This method is called once per process and game. A file that it reads must be a parameter of type Path, so that
        results are not reused after the file changes. Its time does not count towards any decision, and it must not
        change guesses. By default, it prepares the strategies among the parameters.
        """
        for strategy in self.strategies.values():
            strategy.prepare(game)

    def problem_with(self, game: Game) -> str | None:
        """Return a short reason why this strategy cannot play a game, or None if it can."""
        return None

    @property
    def spec(self) -> str:
        """The text that names the strategy: its name, and the parameters that differ from the class's defaults."""
        usual = type(self).model_construct().parameters()
        return spec_of(self.name, {key: value for key, value in self.parameters().items() if usual.get(key) != value})

    @property
    def summary(self) -> str:
        """A sentence about what the strategy does, by default the first line of its docstring."""
        return (type(self).__doc__ or "").strip().partition("\n")[0]

    @property
    def strategies(self) -> dict[str, "Strategy"]:
        """The parameters that are themselves strategies."""
        values = {name: getattr(self, name) for name in type(self).model_fields}
        return {name: value for name, value in values.items() if isinstance(value, Strategy)}

    def parameters(self) -> dict[str, Any]:
        """Return the parameters as JSON values. Raises StrategyError if JSON cannot express one of them."""
        try:
            return dict(json.loads(json.dumps(dict(self), default=_as_json), parse_constant=str))
        except (TypeError, ValueError, RecursionError) as error:
            raise StrategyError(f"{self.name}: JSON cannot write its parameters ({error}); use other types") from error

    def with_parameters(self, parameters: dict[str, Any]) -> "Strategy":
        """Return this strategy with some parameters changed. A text is converted to the parameter's type.

        Raises StrategyError, which names the wrong parameter and lists the valid ones.
        """
        return type(self)(**dict(self) | parameters)


def described(fields: dict[str, Any]) -> str:
    """Return the parameters of a strategy and their defaults, as one line."""
    if not fields:
        return "it has none"
    return "its parameters are " + ", ".join(f"{name}={in_spec(field.default)}" for name, field in fields.items())


def spec_of(name: str, parameters: Mapping[str, Any]) -> str:
    """Return a name with some parameters, as `Plugins.find_strategy` reads it."""
    inside = ", ".join(f"{key}={in_spec(value)}" for key, value in parameters.items())
    return f"{name}({inside})" if inside else name


def in_spec(value: object) -> str:
    """Return a parameter's value as it is written in a spec, in quotes if it would otherwise be misread."""
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


def _as_json(value: Any) -> Any:
    """Return a value for JSON: the spec of a strategy, the sorted elements of a set, or the `repr` of other objects."""
    if isinstance(value, Strategy):
        return value.spec
    return sorted(value) if isinstance(value, set | frozenset) else to_jsonable_python(value, fallback=repr)
