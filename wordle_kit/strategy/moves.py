"""Moves as people type them, and the position after one."""

import re
from collections.abc import Callable

from wordle_kit.errors import GameError
from wordle_kit.game.game import Game
from wordle_kit.strategy.position import Position

BETWEEN_BOARDS = "/"

EXAMPLES = 40
"""The number of answers to try for an example of feedback."""


def read_move(game: Game, text: str) -> tuple[str, tuple[str, ...]]:
    """Return the guess and its feedback on each board in a text such as `crane=01100` or `crane BYYBB/-`.

    `after_move` checks whether they are valid in the game. Raises GameError if the text does not have two parts, or
    does not have feedback for each board.
    """
    text = text.strip()
    splits = [(text[: gap.start()].strip(), text[gap.end() :].strip()) for gap in re.finditer(r"=|\s+", text)]
    parts = [(guess, seen) for guess, seen in splits if guess and seen]
    if not parts or _reads(game.word, text):
        raise GameError(f"write a guess and its feedback, as in {example(game)}")
    # A symbol may be an equals sign, so there may be several. The guess is the part that can be read as a word.
    read = [part for part in parts if _reads(game.word, part[0])]
    guess, seen = next((part for part in read if _reads(game.read_feedback, part[1])), (read or parts)[0])
    if game.boards == 1:
        return guess, (seen,)
    feedback = seen.split(BETWEEN_BOARDS) if BETWEEN_BOARDS in seen else seen.split()
    if len(feedback) != game.boards:
        raise GameError(
            f"{game.name} has {game.boards} boards; write the feedback on each, as in {example(game)}, with - "
            "for a board that is solved"
        )
    return guess, tuple(part.strip() for part in feedback)


def example(game: Game) -> str:
    """Return a move of a game for messages: a well-known word, and feedback that gives some information."""
    guess = "crane" if "crane" in game.guess_index else game.guesses[len(game.guesses) // 2]
    examples = [game.feedback(guess, answer) for answer in game.answers[:EXAMPLES]]
    telling = next((seen for seen in examples if len(set(str(seen))) > 1 and not seen.wins), examples[0])
    return f"{guess}={BETWEEN_BOARDS.join([str(telling)] * game.boards)}"


def _reads(read: Callable[[str], object], text: str) -> bool:
    try:
        read(text)
    except GameError:
        return False
    return True


def after_move(position: Position, text: str) -> Position:
    """Return the position after the move in a text.

    Raises GameError for a text that is not a move, a guess that is not allowed, and feedback that fits no word.
    """
    game = position.game
    guess, seen = read_move(game, text)
    if not position.open_boards:
        raise GameError("the puzzle is solved")
    word = game.spelling(guess)
    problem = position.problem_with(word)
    if problem is not None:
        raise GameError(problem)
    return position.after(word, seen)
