"""Moves as people type them: a guess and its feedback on each board, and the position to which moves lead."""

import re
from collections.abc import Callable, Sequence
from itertools import zip_longest

import numpy as np

from wordle_kit.errors import GameError
from wordle_kit.game.game import Game
from wordle_kit.strategy.board import Board
from wordle_kit.strategy.position import Position
from wordle_kit.texts import number_of

Move = tuple[str, tuple[str, ...]]
"""A guess, and the text of its feedback on each board."""

BETWEEN_BOARDS = "/"

EXAMPLES = 40
"""The number of answers that are tried when an example of feedback is made."""

SOLVED = "-"
"""Written in place of the feedback on a solved board."""


def read_move(game: Game, text: str, between: str = "=") -> Move:
    """Return the guess and the feedback in a text such as `crane=01100` or `crane BYYBB`; `/` separates boards.

    `Position.after` checks whether they are valid in the game. Raises GameError if the text does not have two parts, or
    does not have feedback for each board. The error shows an example, in which `between` separates the two parts.
    """
    text = text.strip()
    found = re.finditer(r"(?=(\s*=\s*)|)(?=(\s+)|)", text)
    gaps = [(gap.start(), gap.end(which)) for gap in found for which in (1, 2) if gap[which]]
    parts = [(text[:start], text[end:]) for start, end in gaps]
    parts = [(guess, seen) for guess, seen in parts if guess and seen]
    # A symbol may be an equals sign, so a text may have several. The guess is the part that reads as a word.
    read = [part for part in parts if _reads(game.word, part[0])]
    if not parts or (not read and _reads(game.word, text)):
        raise GameError(f"write a guess and its feedback, as in {example(game, between)}")
    guess, seen = next((part for part in read if _reads(game.read_feedback, part[1])), (read or parts)[0])
    if game.boards == 1:
        return guess, (seen,)
    each = seen.split(BETWEEN_BOARDS) if BETWEEN_BOARDS in seen else seen.split()
    if len(each) != game.boards:
        raise GameError(
            f"{game.name} has {game.boards} boards; write the feedback on each, as in {example(game, between)}, with - "
            "for a board that is solved"
        )
    return guess, tuple(one.strip() for one in each)


def example(game: Game, between: str = "=") -> str:
    """Return a move of a game for messages: a well-known word, and feedback that gives some information."""
    guess = "crane" if "crane" in game.guess_ids else game.guesses[len(game.guesses) // 2]
    seen = [str(game.feedback(guess, answer)) for answer in game.answers[:EXAMPLES]]
    other = next((one for one in seen if len(set(one)) > 1 and one != str(game.show(game.winning_code))), seen[0])
    return f"{guess}{between}{BETWEEN_BOARDS.join([other] * game.boards)}"


def answers_to(game: Game, text: str, guess: str) -> str:
    """Return a text as a move. A text that is only feedback, such as `01100`, gets `guess` put in front of it."""
    if text in game.guess_ids or not all(
        _reads(game.read_feedback, part.strip()) or part.strip() == SOLVED for part in text.split(BETWEEN_BOARDS)
    ):
        return text
    return f"{guess} {text}"


def _reads(read: Callable[[str], object], text: str) -> bool:
    try:
        read(text)
    except GameError:
        return False
    return True


def nearest_mend(board: Board, guesses: Sequence[int], codes: Sequence[int]) -> tuple[int, int, int]:
    """Return the smallest correction of the feedback on one guess after which some word fits a board.

    `guesses` and `codes` are those of the board. The result is the number of the guess, counted from 1, the corrected
    code, and how many words then fit. The smallest correction changes the fewest places. Ties go to the latest guess,
    then to the most words left, then to the lowest code. If some word fitted before the last feedback, changing only
    the last feedback is always possible.
    """
    game = board.game
    fits = np.array([game.table.column(guess) == code for guess, code in zip(guesses, codes, strict=True)])
    mends = []
    for turn, guess in enumerate(guesses):
        others = np.delete(fits, turn, axis=0).all(axis=0)
        seen = game.show(codes[turn]).tiles
        different, sizes = np.unique(game.table.column(guess)[others], return_counts=True)
        for code, size in zip(different.tolist(), sizes.tolist(), strict=True):
            distance = sum(one != other for one, other in zip_longest(seen, game.show(code).tiles))
            mends.append((distance, -turn - 1, -size, code))
    _, turn, size, code = min(mends)
    return -turn, code, -size


def explained_loss(position: Position, guess: int, codes: Sequence[int]) -> str | None:
    """Return why no word fits after a guess got these codes, one for each board, or None if each board has words."""
    game = position.game
    for number, (board, code) in enumerate(zip(position.boards, codes, strict=True), start=1):
        if board.is_solved or code in game.table.column(guess, board.candidates):
            continue
        guesses, seen = (*position.guess_ids, guess), (*board.codes, code)
        turn, better, left = nearest_mend(board, guesses, seen)
        where = f" on board {number}" if len(position.boards) > 1 else ""
        word = game.nouns[0]
        lost = f"{number_of(len(board), word)} were" if len(board) > 1 else f"{word}, {board.words[0]!r}, was"
        return (
            f"no {word} fits{where}: the last {lost} lost at guess {len(guesses)}, {game.guesses[guess]} "
            f"{game.show(code)}; the nearest feedback that fits is {game.guesses[guesses[turn - 1]]} "
            f"{game.show(better)} (guess {turn}, {number_of(left, word)})"
        )
    return None


def after_move(position: Position, move: Move) -> Position:
    """Return the position after a move.

    Raises GameError for a guess that the game refuses, and for feedback that fits no word. The error names the nearest
    feedback that fits.
    """
    game, (guess, seen) = position.game, move
    if not position.open_boards:
        raise GameError("the puzzle is solved")
    word = game.alphabet.join(game.word(guess))
    problem = position.allows(word)
    if problem is not None:
        raise GameError(problem)
    codes = [
        game.winning_code if board.is_solved else _code(game, number, one)
        for number, (board, one) in enumerate(zip(position.boards, seen, strict=True), start=1)
    ]
    lost = explained_loss(position, game.guess_ids[word], codes)
    if lost is not None:
        raise GameError(lost)
    return position.after(word, codes)


def history(position: Position) -> list[Position]:
    """Return the positions from the start of a game to this position, one before each guess and the last one."""
    positions = [Position.start(position.game)]
    for turn, guess in enumerate(position.guess_ids):
        codes = [0 if turn >= len(board.codes) else board.codes[turn] for board in position.boards]  # 0 is ignored
        positions.append(positions[-1].after(guess, codes))
    return positions


def taken_back(position: Position) -> Position:
    """Return the position before the last guess. Raises GameError if there is none."""
    if not position.guess_ids:
        raise GameError("there is no guess to take back")
    return history(position)[-2]


def _code(game: Game, number: int, text: str) -> int:
    """Return the code of the feedback on the open board with this number. Raises GameError for other text."""
    try:
        return game.read_feedback(text).code
    except GameError:
        if text == SOLVED and game.boards > 1:
            raise GameError(f"{text!r} is for a solved board; write the feedback on board {number}") from None
        raise
