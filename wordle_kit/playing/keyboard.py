"""The knowledge of each symbol on a board, as on-screen keyboards show it."""

from collections.abc import Sequence
from enum import IntEnum

import numpy as np

from wordle_kit.game.game import Game
from wordle_kit.game.rules import MarksRule
from wordle_kit.strategy.board import Board

MOST_KEYS = 40
"""Alphabets of more symbols than this have no keyboard."""

QWERTY = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
KEYS_IN_A_ROW = 10


class SymbolState(IntEnum):
    """The knowledge of a symbol on a board; of two values, the greater one counts."""

    OPEN = 0
    ABSENT = 1
    PRESENT = 2
    PLACED = 3


def has_keyboard(game: Game) -> bool:
    """Return whether a game has a keyboard: its alphabet is small, and its symbols are not whole items."""
    return len(game.alphabet.symbols) <= MOST_KEYS and game.rule.items is None


def known_symbols(board: Board, guesses: Sequence[str]) -> dict[str, SymbolState]:
    """Return a player's knowledge about each symbol of the alphabet.

    If the rule marks each symbol, it comes from the marks. Under other rules, such as Mastermind's, it comes from what
    the remaining words share.
    """
    alphabet = board.game.alphabet
    known = dict.fromkeys(alphabet.symbols, SymbolState.OPEN)
    if not guesses:
        return known
    found = _by_marks(board, guesses) if isinstance(board.game.rule, MarksRule) else _by_words_left(board)
    return known | found


def key_rows(symbols: Sequence[str]) -> list[list[str]]:
    """Return the rows of the keyboard: a typewriter's if a to z are all there, then ten other keys each, in order."""
    letters = set("".join(QWERTY))
    rows = [list(row) for row in QWERTY] if letters <= set(symbols) else []
    others = [symbol for symbol in symbols if not rows or symbol not in letters]
    return rows + [others[start : start + KEYS_IN_A_ROW] for start in range(0, len(others), KEYS_IN_A_ROW)]


def _by_marks(board: Board, guesses: Sequence[str]) -> dict[str, SymbolState]:
    game, rule = board.game, board.game.rule
    assert isinstance(rule, MarksRule)  # noqa: S101 - the caller asked
    known: dict[str, SymbolState] = {}
    for guess, code in zip(guesses, board.codes, strict=False):  # none after the board was solved
        for symbol, mark in zip(game.alphabet.split(guess), rule.digits(code, game.length), strict=True):
            needed = rule.needs(symbol, mark)
            which, what = (symbol, SymbolState.ABSENT) if mark == 0 else (symbol, SymbolState.OPEN)
            if needed is not None:
                which, what = needed[0], SymbolState.PLACED if needed[1] else SymbolState.PRESENT
            if which in game.alphabet.index:
                known[which] = max(known.get(which, SymbolState.OPEN), what)
    return known


def _by_words_left(board: Board) -> dict[str, SymbolState]:
    left = board.game.answer_symbols[board.candidates]
    known = {}
    for number, symbol in enumerate(board.game.alphabet.symbols):
        here = left == number
        if not here.any():
            known[symbol] = SymbolState.ABSENT
        elif here.all(axis=0).any():
            known[symbol] = SymbolState.PLACED
        elif np.any(here, axis=1).all():
            known[symbol] = SymbolState.PRESENT
    return known
