"""The compiled search: all code of perfect play that numba compiles, its memory, and how numba compiles it.

numba optimises a function together with copies of all functions that it calls, directly or indirectly. In a chain of
calls, each function is therefore optimised again for every function above it. So a long chain takes long to compile.
numba also compiles a function once for each combination of argument types. A constant such as `False` has a separate
type.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

from wordle_kit.compiled_code import find_folder

find_folder(__file__)

Function = TypeVar("Function", bound=Callable[..., Any])

OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "no_cfunc_wrapper": True}
"""No wrappers for callers in C, since there are none and a wrapper would take the whole workspace apart."""


def compiled(function: Function) -> Function:
    """Compile a function separately. It may call itself, and Python may call it."""
    return cast(Function, njit(**OPTIONS)(function))


def inlined(function: Function) -> Function:
    """Compile a function as part of its callers. This suits long functions with one caller, and very short ones."""
    return cast(Function, njit(**OPTIONS, inline="always")(function))
