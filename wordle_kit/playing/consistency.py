"""Feedback that fits no word: where the last word was lost, and the nearest feedback that fits."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from wordle_kit.playing.wording import noun
from wordle_kit.strategy.board import Board
from wordle_kit.strategy.position import Position
from wordle_kit.texts import number_of


@dataclass(frozen=True)
class Mend:
    """A change to the feedback on one guess with which some words fit again."""

    turn: int
    """The guess, counted from 1."""
    code: int
    words: int
    """How many words fit then."""
    distance: int
    """The number of places in which the feedback differs from the feedback that was typed."""


def nearest_mend(board: Board, guesses: Sequence[int], codes: Sequence[int]) -> Mend:
    """Return the least change of the feedback on one guess that leaves a word, given all guesses and codes of a board.

    Of equal changes, that on the latest guess, then the one that leaves the most words, then the lowest code. Some
    change of the last feedback always does, if all before it left a word.
    """
    game = board.game
    answers = np.arange(len(game.answers), dtype=np.int32)
    fits = [game.table.column(guess, answers) == code for guess, code in zip(guesses, codes, strict=True)]
    mends = []
    for turn in range(len(guesses)):
        left = answers[
            np.logical_and.reduce([fit for other, fit in enumerate(fits) if other != turn] or [fits[0] | True])
        ]
        seen = game.show(codes[turn]).tiles
        different, sizes = np.unique(game.table.column(guesses[turn], left), return_counts=True)
        for code, size in zip(different.tolist(), sizes.tolist(), strict=True):
            distance = sum(one != other for one, other in zip_longest(seen, game.show(code).tiles))
            mends.append(Mend(turn + 1, code, size, distance))
    return min(mends, key=lambda mend: (mend.distance, -mend.turn, -mend.words, mend.code))


def explained_loss(position: Position, guess: int, codes: Sequence[int]) -> str | None:
    """Return why no word fits after a guess in a position got these codes, one a board; None if words fit."""
    game = position.game
    for number, (board, code) in enumerate(zip(position.boards, codes, strict=True), start=1):
        if board.is_solved or code in game.table.column(guess, board.candidates):
            continue
        guesses, seen = (*position.guess_ids, guess), (*board.codes, code)
        mend = nearest_mend(board, guesses, seen)
        where = f" on board {number}" if len(position.boards) > 1 else ""
        word = noun(game)
        lost = (
            f"the last {len(board):,} {word}s were" if len(board) > 1 else f"the last {word}, {board.words[0]!r}, was"
        )
        words = f"{number_of(mend.words, word)}"
        return (
            f"no {word} fits{where}: {lost} lost at guess {len(guesses)}, {game.guesses[guess]} {game.show(code)}; the "
            f"nearest feedback that fits is {game.guesses[guesses[mend.turn - 1]]} {game.show(mend.code)} "
            f"(guess {mend.turn}, {words})"
        )
    return None
