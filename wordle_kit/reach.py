"""Describes code in memory: a class that was typed into a notebook, its helpers, and the values that they use."""

import builtins
import dis
import functools
import hashlib
import inspect
import re
import sys
import types
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel

from wordle_kit.sources import module_source

GLOBALS = {"LOAD_GLOBAL", "LOAD_NAME"}
"""The instructions that look up a name in a module."""

PLAIN = (types.NoneType, types.EllipsisType, types.NotImplementedType, bool, int, float, complex, str, bytes, range)

FUNCTIONS = (types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType, np.ufunc)
"""Types of functions that are not written in Python."""

PYDANTIC = re.compile(r"_abc_impl|model_\w+|__(?!init__|call__|eq__|hash__|len__|iter__|getitem__|contains__)\w+__")
"""Attributes of a class that pydantic or Python adds, or that do not change its behaviour."""

WRAPPERS = ("__wrapped__", "py_func", "wrapped")
"""The attributes under which functools.cache, numba and pydantic keep the function that they wrap."""


class Reach:
    """Describes values by what they do, and follows functions to the names that they use.

    Values that behave alike have the same description in every process. `unknown` names the first value that could not
    be described; then the description as a whole means nothing.
    """

    def __init__(
        self, source_of: Callable[[str], str | None], known: Callable[[object], str | None] = lambda value: None
    ) -> None:
        """Follow code.

        `source_of` returns a text that stands for the source of a module in a file, or None. `known` returns a text for
        a value that need not be followed, or None.
        """
        self.unknown: str | None = None
        self._known = known
        self._source_of = source_of
        self._met: dict[int, int] = {}
        self._kept: list[object] = []  # kept alive, so that their ids are not reused

    def described(self, value: object, called: str) -> str:
        """Return a text for a value; `called` is its name in messages."""
        if isinstance(value, PLAIN):
            return f"{type(value).__name__} {value!r}"
        if id(value) in self._met:
            return f"met {self._met[id(value)]}"
        self._met[id(value)] = len(self._met)
        self._kept.append(value)
        return self._described(value, called)

    def hash_of(self, values: Mapping[str, object]) -> str:
        """Return a hash of values by name."""
        texts = [f"{name}={self.described(value, name)}" for name, value in sorted(values.items())]
        return hashlib.sha256("|".join(texts).encode("utf-8", "surrogatepass")).hexdigest()

    def class_facts(self, kind: type) -> str:
        """Return a text for the methods and attributes that a class defines, and for everything that they use."""
        parts = [kind.__qualname__, *(self.described(base, base.__name__) for base in kind.__bases__)]
        for name, value in sorted(vars(kind).items()):
            if not PYDANTIC.fullmatch(name):
                parts.append(f"{name}={self.described(value, f'{kind.__name__}.{name}')}")
        return f"class {parts}"

    def _described(self, value: Any, called: str) -> str:
        text = self._known(value)
        if text is not None:
            return text
        if isinstance(value, types.FunctionType):
            return self._function(value)
        if isinstance(value, type):
            return self._type(value)
        if isinstance(value, types.ModuleType):
            return f"module {value.__name__} {self._source_of(value.__name__)}"
        if isinstance(value, tuple | list):
            return f"{type(value).__name__} {[self.described(each, called) for each in value]}"
        if isinstance(value, set | frozenset):  # their order differs between processes
            return f"{type(value).__name__} {sorted(self._alone(each, called) for each in value)}"
        if isinstance(value, Mapping):
            pairs = [f"{self.described(key, called)}: {self.described(value[key], called)}" for key in value]
            return f"{type(value).__name__} {pairs}"
        if isinstance(value, np.ndarray | np.generic) and value.dtype != object:
            digest = hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
            return f"array {value.dtype} {value.shape} {digest}"
        return self._object(value, called)

    def _object(self, value: Any, called: str) -> str:
        if isinstance(value, Path):
            return f"path {value} {hashlib.sha256(value.read_bytes()).hexdigest() if value.is_file() else ''}"
        if isinstance(value, re.Pattern):
            return f"pattern {value.pattern!r} {value.flags}"
        if isinstance(value, Enum):
            return f"enum {self.described(type(value), called)} {value.name}"
        if isinstance(value, FUNCTIONS):
            return f"builtin {getattr(value, '__module__', '')}.{value.__name__}"
        inside = _wrapped(value)
        if inside is not None:
            return f"{type(value).__name__} {[self.described(each, called) for each in inside]}"
        if isinstance(value, BaseModel):
            fields = {name: getattr(value, name) for name in type(value).model_fields}
            return f"object {self.described(type(value), called)} {self.described(fields, called)}"
        attributes = getattr(value, "__dict__", None)
        kind: Any = type(value)
        is_plain = kind.__reduce__ is object.__reduce__ and kind.__reduce_ex__ is object.__reduce_ex__
        if attributes is not None and is_plain and not hasattr(kind, "__slots__"):
            return f"object {self.described(type(value), called)} {self.described(attributes, called)}"
        self.unknown = self.unknown or f"{called}, an object of {type(value).__qualname__}"
        return "unknown"

    def _alone(self, value: object, called: str) -> str:
        """Return a text for an element of a set, independent of the other elements, since their order varies."""
        apart = Reach(self._source_of, self._known)
        text = apart.described(value, called)
        self.unknown = self.unknown or apart.unknown
        return text

    def _type(self, kind: type) -> str:
        where = f"{kind.__module__}.{kind.__qualname__}"
        if kind.__module__ == "builtins":
            return f"type {where}"
        source = self._source_of(kind.__module__)
        if source is not None and (source == kind.__module__ or not is_interactive(kind)):
            return f"type {where} {source}"
        return f"type {where} {self.class_facts(kind)}"

    def _function(self, function: types.FunctionType) -> str:
        source = self._source_of(function.__module__) if function.__module__ else None
        name = f"{function.__module__}.{function.__qualname__}"
        in_its_file = _is_in_its_file(function) and not function.__closure__
        if source is not None and (source == function.__module__ or in_its_file):
            return f"function {name} {source}"
        used = {}
        for free, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            if free != "__class__":
                used[free] = _content(cell)
        texts = [f"{free}={self.described(value, free)}" for free, value in used.items()]
        for each in sorted(_global_names(function.__code__)):
            if each in function.__globals__:
                texts.append(f"{each}={self.described(function.__globals__[each], each)}")
            elif not hasattr(builtins, each):
                texts.append(f"{each} is not defined")
        defaults = self.described((function.__defaults__, function.__kwdefaults__), function.__qualname__)
        return f"function {self._code(function.__code__)} {defaults} {texts}"

    def _code(self, code: types.CodeType) -> str:
        constants = [
            self._code(each) if isinstance(each, types.CodeType) else self.described(each, code.co_name)
            for each in code.co_consts
        ]
        return f"code {code.co_code.hex()} {constants} {code.co_names} {code.co_varnames} {code.co_freevars}"


def source_of(kind: type, known: Callable[[object], str | None] = lambda value: None) -> tuple[str, str | None]:
    """Return a hash of the code of a class, and the part of it that could not be described, or None.

    The code of a class in a file is the file, with the author's modules that it imports. For a class that was typed
    into a prompt or made by a function, everything that its methods reach counts too. `known` is that of Reach.
    """
    facts = "" if is_interactive(kind) else module_source(kind.__module__) or ""
    reach = Reach(module_source, known)
    if not facts:
        facts = reach.class_facts(kind)
    else:
        made_with = [
            function for function in functions_of(kind) if function.__code__.co_freevars not in ((), ("__class__",))
        ]
        facts += "".join(reach.described(function, function.__qualname__) for function in made_with)
    return hashlib.sha256(facts.encode("utf-8", "surrogatepass")).hexdigest(), reach.unknown


def is_interactive(kind: type) -> bool:
    """Return whether a class was defined outside its module's file, for example at a prompt."""
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    if file is None or not Path(file).is_file():
        return True
    written = [function for function in functions_of(kind) if not _is_generated(function)]
    if written:
        return not all(map(_is_in_its_file, written))
    return f"class {kind.__name__}".encode() not in Path(file).read_bytes()


def functions_of(kind: type) -> list[types.FunctionType]:
    """Return the functions that the body of a class defines."""
    values = [value for value in vars(kind).values() if not isinstance(value, type)]
    found = [each for value in values for each in (value, *(_wrapped(value) or ()))]
    return [each for each in found if isinstance(each, types.FunctionType) and each.__module__ == kind.__module__]


def _is_generated(function: types.FunctionType) -> bool:
    """Return whether a function may have been generated by a decorator, such as the `__init__` of a data class."""
    return function.__name__.startswith("__") and function.__code__.co_filename == "<string>"


def _is_in_its_file(function: types.FunctionType) -> bool:
    module = sys.modules.get(function.__module__)
    file = getattr(module, "__file__", None)
    if file is None:
        return False
    return Path(function.__code__.co_filename).resolve() == Path(file).resolve()


def _wrapped(value: Any) -> Iterable[object] | None:
    """Return the functions that a method, a property or another wrapper calls, or None if it is not a wrapper."""
    if isinstance(value, staticmethod | classmethod):
        return [value.__func__]
    if isinstance(value, types.MethodType):
        return [value.__func__, value.__self__]
    if isinstance(value, property):
        return [each for each in (value.fget, value.fset) if each is not None]
    if isinstance(value, functools.cached_property):
        return [value.func]
    if isinstance(value, functools.partial | functools.partialmethod):
        return [value.func, value.args, value.keywords]
    for name in WRAPPERS:
        inside = inspect.getattr_static(value, name, None)
        if isinstance(inside, types.MemberDescriptorType):  # an attribute that is kept in a slot
            inside = getattr(value, name, None)
        if callable(inside):
            return [inside]
    return None


def _content(cell: types.CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # not filled yet
        return None


def _global_names(code: types.CodeType) -> set[str]:
    """Return the names that code, including functions inside it, looks up in its module."""
    names = {one.argval for one in dis.get_instructions(code) if one.opname in GLOBALS}
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            names |= _global_names(each)
    return names
