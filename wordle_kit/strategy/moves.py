"""Moves as people type them: a guess, and the feedback that it got on each board."""

import re
from collections.abc import Iterable

from wordle_kit.errors import GameError
from wordle_kit.game.game import Game
from wordle_kit.strategy.position import Position

Move = tuple[str, tuple[str, ...]]
"""A guess, and the text of its feedback on each board."""

BETWEEN_BOARDS = "/"


def read_move(game: Game, text: str) -> Move:
    """Return the guess and the feedback of a text such as `crane=01100` or `crane BYYBB`, or with a `/` between boards.

    Whether the game has the guess and the feedback is left to `Position.after`. Raises GameError if the text does not
    have two parts, or does not have feedback for each board.
    """
    text = text.strip()
    found = re.finditer(r"(?=(\s*=\s*)|)(?=(\s+)|)", text)
    gaps = [(gap.start(), gap.end(which)) for gap in found for which in (1, 2) if gap[which]]
    parts = [(text[:start], text[end:]) for start, end in gaps]
    parts = [(guess, seen) for guess, seen in parts if guess and seen]
    if not parts:
        raise GameError(f"{text!r}: write GUESS=FEEDBACK, as in {example(game)}")
    # A symbol may be an equals sign, and one may stand between symbols: the guess is what reads as a word.
    read = [part for part in parts if _is_word(game, part[0])]
    guess, seen = next((part for part in read if _is_feedback(game, part[1])), (read or parts)[0])
    if game.boards == 1:
        return guess, (seen,)
    each = seen.split(BETWEEN_BOARDS) if BETWEEN_BOARDS in seen else seen.split()
    if len(each) != game.boards:
        raise GameError(
            f"{text!r}: {game.name} has {game.boards} boards; write the feedback on each, as in {example(game)}, "
            "with - for a board that is solved"
        )
    return guess, tuple(one.strip() for one in each)


def position_after(game: Game, moves: Iterable[str]) -> Position:
    """Return the position after these moves, such as crane=02100.

    Raises GameError for a move that cannot be read, is not a guess of the game, or leaves no answer, and if the puzzle
    is already solved.
    """
    position = Position.start(game)
    for text in moves:
        try:
            move = read_move(game, text)
        except GameError as error:
            raise GameError(f"move {error}") from error
        try:
            position = position.after(*move)
        except GameError as error:
            raise GameError(f"move {text!r}: {error}") from error
    if not position.open_boards:
        raise GameError("the puzzle is solved after these moves, so there is nothing left to guess")
    return position


def example(game: Game) -> str:
    """Return a move of a game, as messages show it."""
    return f"{game.guesses[0]}={BETWEEN_BOARDS.join([str(game.show(0))] * game.boards)}"


def _is_feedback(game: Game, text: str) -> bool:
    try:
        game.read_feedback(text)
    except GameError:
        return False
    return True


def _is_word(game: Game, text: str) -> bool:
    try:
        game.word(text)
    except GameError:
        return False
    return True
