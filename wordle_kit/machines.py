"""Processes that carry out calls: on this machine, or on machines that an annex knows."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from types import TracebackType
from typing import Any, Self


class CallPool(ABC):
    """Processes that carry out calls. If one dies, its call raises WorkerDied."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close(kill=kind is not None)

    @abstractmethod
    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        """Have a process call a function, and return the future of the result."""

    @abstractmethod
    def close(self, *, kill: bool = False) -> None:
        """End the pool: once the calls that have begun are finished, or immediately with `kill`."""


class Machines(ABC):
    """Machines whose processes play chunks and carry out other calls, in place of processes on this one."""

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of calls that they carry out at a time."""

    @abstractmethod
    def pool(
        self, most: int, *, shared: Sequence[object] = (), initialize: Callable[[], object] | None = None
    ) -> CallPool:
        """Return a pool for at most this many calls at a time. A pool for one call at a time starts a new process.

        Each process calls `initialize` first. It gets the objects `shared` once, and not with each call that refers to
        them.
        """
