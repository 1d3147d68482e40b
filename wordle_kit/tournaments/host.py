"""Hosts answer guesses: one hides words, one is an adversary that hides none, and plugins add others."""

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from operator import contains, index
from typing import ClassVar

import numpy as np

from wordle_kit.errors import GameError, MachineError, RuleError
from wordle_kit.faults import error_line
from wordle_kit.hookspecs import hookimpl
from wordle_kit.strategy.board import Board
from wordle_kit.strategy.position import Position
from wordle_kit.texts import short_repr


@dataclass(frozen=True)
class Host(ABC):
    """An object that answers guesses: it maps a position and a guess to the feedback on each board.

    A subclass is a frozen dataclass whose fields, except `answers`, are its parameters. A host keeps no state between
    guesses: it must always give the same answer to the same position and guess.
    """

    name: ClassVar[str]
    """The host's name on the command line."""

    hides_words: ClassVar[bool] = True
    """Whether each puzzle hides words. If not, a puzzle is a first guess, or empty."""

    answers: tuple[int, ...] = ()
    """The index of the hidden answer on each board. It is empty if no words are hidden."""

    @property
    def called(self) -> str:
        """The noun that stands for the host in sentences."""
        return f"the host {self.name}"

    @abstractmethod
    def answer(self, position: Position, guess: int) -> tuple[int, ...]:
        """Return the code that each board gives to the guess with this index.

        On a solved board, it must be the winning code; on others, a code that at least one candidate gives.
        """

    def words(self, position: Position) -> tuple[str, ...]:
        """Return the word of each board when the game is over."""
        return tuple(position.game.answers[answer] for answer in self.answers)

    def of(self, answers: tuple[int, ...]) -> "Host":
        """Return this host with the hidden answers of a puzzle."""
        return dataclasses.replace(self, answers=answers) if self.hides_words else self


@dataclass(frozen=True)
class HiddenWords(Host):
    """The usual host: each board hides a word from the start."""

    name: ClassVar[str] = "hidden"

    def answer(self, position: Position, guess: int) -> tuple[int, ...]:
        """Return the feedback of the guess against each hidden word."""
        winning, code = position.game.winning_code, position.game.table.code
        pairs = zip(position.boards, self.answers, strict=True)
        return tuple([winning if board.is_solved else code(guess, answer) for board, answer in pairs])


@dataclass(frozen=True)
class Adversary(Host):
    """A host that hides no word. On each board, it gives the feedback that leaves the most words possible.

    Ties go to the lowest code: in Wordle, 00120 comes before 00200. It gives the winning code only if no other code is
    possible, so a board is solved only when its last word is guessed.
    """

    name: ClassVar[str] = "adversary"
    hides_words: ClassVar[bool] = False
    called = "the adversary"

    def answer(self, position: Position, guess: int) -> tuple[int, ...]:
        """Return, for each board, the code that leaves the most words."""
        winning = position.game.winning_code
        return tuple(winning if board.is_solved else largest_part(board, guess) for board in position.boards)

    def words(self, position: Position) -> tuple[str, ...]:
        """Return the word that solved each board, or the first candidate of a board that is not solved."""
        return tuple(board.words[0] for board in position.boards)


HIDDEN = HiddenWords()
"""The usual host, before it gets the hidden words of a puzzle."""


def largest_part(board: Board, guess: int) -> int:
    """Return the code of the largest part of a guess. Ties go to the lowest code, but the winning code comes last."""
    game = board.game
    codes, sizes = np.unique(game.table.column(guess, board.candidates), return_counts=True)
    largest = codes[sizes == sizes.max()]
    others = largest[largest != game.winning_code]
    return int(others[0] if len(others) else game.winning_code)


def answer_of(host: Host, position: Position, guess: int) -> tuple[int, ...]:
    """Return a host's answer to a guess. Raises GameError, naming the host, if the answer is impossible."""
    if type(host) in (HiddenWords, Adversary):  # covered by wordle-kit's tests
        return host.answer(position, guess)
    with _blaming(host):
        codes = tuple(map(index, host.answer(position, guess)))
    winning = [position.game.winning_code]
    possible = [winning if board.is_solved else board.parts(guess) for board in position.boards]
    if len(codes) != len(possible) or not all(map(contains, possible, codes)):
        word = position.game.guesses[guess]
        raise GameError(f"host {host.name}: answered {word!r} with {codes}; return a code for each board that fits it")
    return codes


def words_of(host: Host, position: Position) -> tuple[str, ...]:
    """Return the words of a host at the end of a game.

    Raises GameError, naming the host, if they are not words.
    """
    with _blaming(host):
        words = tuple(host.words(position))
    if len(words) != len(position.boards) or not set(words) <= position.game.answer_index.keys():
        raise GameError(f"host {host.name}: says that {short_repr(words)} was hidden; return the answer of each board")
    return words


@contextmanager
def _blaming(host: Host) -> Iterator[None]:
    """Convert exceptions of a host to GameError, since no strategy is to blame for them."""
    try:
        yield
    except (MachineError, RuleError):
        raise
    except Exception as error:
        raise GameError(f"host {host.name}: failed with {error_line(error, type(host).__module__)}") from error


@hookimpl
def register_hosts(register: Callable[[Host], None]) -> None:
    """Register the hosts of `--host`."""
    register(HIDDEN)
    register(Adversary())
