"""Moves as people type them: a guess, and the feedback that it got on each board."""

import re

from wordle_kit.errors import GameError
from wordle_kit.game.game import Game

Move = tuple[str, tuple[str, ...]]
"""A guess, and the text of its feedback on each board."""

BETWEEN_BOARDS = "/"


def read_move(game: Game, text: str, between: str = "=") -> Move:
    """Return the guess and the feedback of a text such as `crane=01100` or `crane BYYBB`, or with a `/` between boards.

    Whether the game has the guess and the feedback is left to `Position.after`. Raises GameError if the text does not
    have two parts, or does not have feedback for each board; the example in its message has `between` between them.
    """
    text = text.strip()
    found = re.finditer(r"(?=(\s*=\s*)|)(?=(\s+)|)", text)
    gaps = [(gap.start(), gap.end(which)) for gap in found for which in (1, 2) if gap[which]]
    parts = [(text[:start], text[end:]) for start, end in gaps]
    parts = [(guess, seen) for guess, seen in parts if guess and seen]
    # A symbol may be an equals sign, and one may stand between symbols: the guess is what reads as a word.
    read = [part for part in parts if _is_word(game, part[0])]
    if not parts or (not read and _is_word(game, text)):
        raise GameError(f"write a guess and its feedback, as in {example(game, between)}")
    guess, seen = next((part for part in read if _is_feedback(game, part[1])), (read or parts)[0])
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
    """Return a move of a game, as messages show it."""
    return f"{game.guesses[0]}{between}{BETWEEN_BOARDS.join([str(game.show(0))] * game.boards)}"


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
