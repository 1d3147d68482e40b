"""Games in a chat: the text that asks a model for its next guess, and the guess in its answer."""

import re
from contextlib import suppress

from wordle_kit.errors import GameError
from wordle_kit.game.game import Game

ASK = "Think as long as you like. Then write a last line with GUESS: and the {noun}."
"""A request to append to a prompt. `{noun}` is what the game calls a word. `word_in` reads the answer."""

ANSWER = re.compile(r"guess\W*?:\s*(\S.*)", re.IGNORECASE)
MARKUP = (" \t\r\n", " \t\r\n`'\".", " \t\r\n`'\".*_")
"""Sets of characters that are removed around a word. The later sets contain characters that may be symbols of a game.
"""


def word_in(answer: str, game: Game) -> str:
    """Return the guess in the last line of an answer that contains GUESS.

    If that line has no guess of the game, return the line's text. If there is no such line, return the whole answer.
    """
    found = ANSWER.findall(answer)
    said = found[-1] if found else answer
    for marks in MARKUP:
        with suppress(GameError):
            return game.guesses[game.index_of_guess(said.strip(marks))]
    return said.strip(MARKUP[-1])
