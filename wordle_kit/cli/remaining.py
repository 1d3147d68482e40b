"""The remaining words of a board in one sentence."""

from typing import TYPE_CHECKING

from wordle_kit.texts import number_of, percent

if TYPE_CHECKING:
    from wordle_kit.strategy.board import Board

BY_WEIGHT = "Chances and expected figures are by weight."
"""A note for games whose answers have weights."""


def words_left(board: "Board", few: int) -> str:
    """Return a sentence with the number of remaining words on a board and some of them.

    If answers have weights, these are the likeliest, with their chances.
    """
    from wordle_kit.analysis.guesses import likeliest
    from wordle_kit.playing.assistance import noun

    what, words = noun(board.game), list(board.words[:few])
    if board.game.is_weighted and len(board) > 1:
        words = [f"{word} {percent(chance)}" for word, chance in likeliest(board)[:few]]
    some = ", ".join(words) + (", ..." if len(board) > few else "")
    return f"{number_of(len(board), f'{what} is', f'{what}s are')} left: {some}"
