"""The scores of first guesses in large games, kept in memory and on disk: they take longest and always recur."""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from wordle_kit import disk_cache
from wordle_kit.engine import engine_work
from wordle_kit.game.computing import WholeTable
from wordle_kit.game.game import Game
from wordle_kit.game.table import MEBIBYTE, Floats, Ids
from wordle_kit.strategy.board import Board
from wordle_kit.strategy.lru_cache import LRUCache
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.tournaments.identity import identity_of

LARGE = 10**8
"""A game with at least this many pairs of answer and guess is large."""

SAMPLE = 3
"""The number of guesses that are scored again to check scores that were kept on disk."""

_scores = LRUCache(64 * MEBIBYTE)
"""The scores by the key of strategy and game."""

Score = Callable[[Ids | None], Floats]
"""Returns the scores of some guesses, or of all, on the first board."""


def is_large(game: Game) -> bool:
    """Return whether the scores of first guesses are kept."""
    return len(game.answers) * len(game.guesses) >= LARGE


def is_first_of_large(board: Board) -> bool:
    """Return whether a board is the first one of a large game."""
    return not board.codes and len(board) == len(board.game.answers) and is_large(board.game)


def first_scores(strategy: Strategy, game: Game, score: Score) -> Floats:
    """Return a strategy's scores of all guesses on the first board of a large game."""
    with engine_work():
        key = key_of(strategy, game)
    return score(None) if key is None else _scores.get(key, partial(_recalled, key, len(game.guesses), score))


def known_scores() -> dict[str, Floats]:
    """Return the scores that this process has, by the key of strategy and game."""
    return {str(key): scores for key, scores in _scores.items()}


def learn_scores(scores: Mapping[str, Floats]) -> None:
    """Take over the scores of another process."""
    for key, each in scores.items():
        _scores.get(key, partial(np.asarray, each))


def key_of(strategy: Strategy, game: Game) -> str | None:
    """Return a text that differs if the scores can differ, or None if part of the code cannot be compared."""
    identity, unknown = identity_of(strategy)
    table = WholeTable(game.rule, game.alphabet, game.answer_symbols, game.guess_symbols).key()
    return None if unknown is not None or table is None else f"{identity}|{game.fingerprint}|{table}"


def _recalled(key: str, n_guesses: int, score: Score) -> Floats:
    """Return the scores that were kept on disk, if a sample agrees; otherwise compute and keep them."""
    with engine_work():
        content = disk_cache.recall("scores", key)
    if content is not None and content.nbytes == 8 * n_guesses:
        scores = np.frombuffer(content, dtype=np.float64)
        sample = np.linspace(0, n_guesses - 1, SAMPLE).astype(np.int32)
        if np.allclose(scores[sample], score(sample), rtol=1e-9, atol=1e-9):
            return scores
    scores = score(None)
    if scores.dtype == np.float64:
        with engine_work():
            disk_cache.keep("scores", key, np.ascontiguousarray(scores).data.cast("B"))
    return scores
