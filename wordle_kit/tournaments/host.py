"""Hosts answer guesses. Either words are hidden, or an adversary has not chosen any yet."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np

from wordle_kit.errors import GameError
from wordle_kit.names import shown, unknown
from wordle_kit.strategy.board import Board
from wordle_kit.strategy.position import Position

HostName = Literal["hidden", "adversary"]
HOSTS: tuple[HostName, ...] = get_args(HostName)


class Host(ABC):
    """Answers guesses: a function from a position and a guess to feedback on each board."""

    name: ClassVar[HostName]

    @abstractmethod
    def answer(self, position: Position, guess: int) -> tuple[int, ...]:
        """Return the code that each board gives to the guess with this index; on a solved board, the winning code."""

    @abstractmethod
    def words(self, position: Position) -> tuple[str, ...]:
        """Return the word of each board, once the game is over."""


@dataclass(frozen=True)
class HiddenWords(Host):
    """The usual host: each board hides a word from the start."""

    name: ClassVar[HostName] = "hidden"

    answers: tuple[int, ...]
    """The index of the answer on each board."""

    def answer(self, position: Position, guess: int) -> tuple[int, ...]:
        """Return the feedback of the guess against each hidden word."""
        winning, code = position.game.winning_code, position.game.table.code
        pairs = zip(position.boards, self.answers, strict=True)
        return tuple([winning if board.is_solved else code(guess, answer) for board, answer in pairs])

    def words(self, position: Position) -> tuple[str, ...]:
        """Return the hidden words."""
        return tuple(position.game.answers[answer] for answer in self.answers)


@dataclass(frozen=True)
class Adversary(Host):
    """A host that hides no word: on each board it gives the feedback that keeps the most words.

    Of parts of the same size it keeps the one with the lowest code, and the winning code only if it has no other. So a
    board is solved when its only word is guessed. For Wordle, the lowest code is the first in the order of the digits.
    """

    name: ClassVar[HostName] = "adversary"

    def answer(self, position: Position, guess: int) -> tuple[int, ...]:
        """Return the feedback that keeps the most words on each board."""
        winning = position.game.winning_code
        return tuple(winning if board.is_solved else largest_part(board, guess) for board in position.boards)

    def words(self, position: Position) -> tuple[str, ...]:
        """Return the word that solved each board, or the first word that an unsolved one may still have."""
        return tuple(board.words[0] for board in position.boards)


def largest_part(board: Board, guess: int) -> int:
    """Return the code of the largest part of a guess: of equal ones the lowest, the winning code last."""
    game = board.game
    codes, sizes = np.unique(game.table.column(guess, board.candidates), return_counts=True)
    largest = codes[sizes == sizes.max()]
    others = largest[largest != game.winning_code]
    return int(others[0] if len(others) else game.winning_code)


def check_host(name: object) -> HostName:
    """Return the name of a host. Raises GameError, naming those there are."""
    for known in HOSTS:
        if name == known:
            return known
    raise GameError(unknown("host", name, HOSTS) if isinstance(name, str) else f"host is {shown(name)}; give a name")
