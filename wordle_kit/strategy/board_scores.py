"""The scores of boards in games of several boards, where the same candidates occur again and again."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial

from wordle_kit.game.table import MEBIBYTE, Floats
from wordle_kit.strategy.board import Board
from wordle_kit.strategy.lru_cache import LRUCache
from wordle_kit.strategy.shared_cache import SharedCache
from wordle_kit.strategy.strategy import Strategy

SCORES = LRUCache(256 * MEBIBYTE)
"""The results that this process used last, by strategy and board."""

SHARED_MEMORY = 128 * MEBIBYTE
"""Bytes for results that all workers of a tournament share."""

CHEAP = 15
"""With at most this many candidates, scoring all guesses takes little longer than copying the scores."""

_shared: ContextVar[SharedCache | None] = ContextVar("shared", default=None)
_player: ContextVar[tuple[Strategy, str] | None] = ContextVar("player", default=None)
"""The strategy that plays, and its identity."""


@contextmanager
def sharing() -> Iterator[None]:
    """Have the processes that are forked in a `with` block share results, if the system has the means."""
    try:
        cache = SharedCache(SHARED_MEMORY)
    except (OSError, ImportError):
        cache = None
    before = _shared.set(cache)
    try:
        yield
    finally:
        _shared.reset(before)


@contextmanager
def playing(strategy: Strategy, identity: str) -> Iterator[None]:
    """In a `with` block, share results of this strategy, whose identity covers everything that can change them."""
    before = _player.set((strategy, identity))
    try:
        yield
    finally:
        _player.reset(before)


def recalled(
    strategy: Strategy, boards: Sequence[Board], make: Callable[[Board], Floats], *, small: bool
) -> list[Floats]:
    """Return what `make` returns for each board, or returned before for the same strategy and candidates.

    `small` says that the results are a few numbers only, which are worth sharing whatever they cost.
    """
    shared, player = _shared.get(), _player.get()
    identity = player[1] if player is not None and player[0] is strategy else None
    owner = type(strategy), str(vars(strategy)), identity

    def found(board: Board) -> Floats:
        if shared is None or identity is None or (len(board) <= CHEAP and not small):
            return make(board)
        fingerprint, candidates = board.key
        return shared.get(f"{identity}|{fingerprint}|".encode() + candidates, partial(make, board))

    return [SCORES.get((owner, board.key), partial(found, board)) for board in boards]
