"""The compiled search: the part of perfect play that numba compiles, its memory, and the settings of numba.

numba optimises a function together with copies of all functions that it calls, directly or indirectly. So in a chain of
calls, each function is optimised again for every function above it, and a long chain takes long to compile. numba also
compiles a function once for each combination of argument types. A constant such as `False` has a type of its own.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

from wordle_kit.strategy.kernels import prepare_numba

prepare_numba()

Function = TypeVar("Function", bound=Callable[..., Any])

OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "no_cfunc_wrapper": True}
"""Build no wrappers for callers in C: there are none, and a wrapper would unpack the whole workspace."""


def compiled(function: Function) -> Function:
    """Compile a function separately. It may call itself, and Python may call it."""
    return cast(Function, njit(**OPTIONS)(function))


def inlined(function: Function) -> Function:
    """Compile a function as part of its callers, which suits long functions with one caller and very short ones."""
    return cast(Function, njit(**OPTIONS, inline="always")(function))
