"""Games in a chat: what asks a model for its next guess, and the word in its answer."""

import re
from contextlib import suppress

from wordle_kit.errors import GameError
from wordle_kit.game.game import Game

ASK = "Think as long as you like. Then write a last line with GUESS: and the {noun}."
"""A request to add to a prompt; `{noun}` is the game's word for a word. `word_in` reads the answer."""

ANSWER = re.compile(r"guess\W*?:\s*(\S.*)", re.IGNORECASE)
MARKUP = (" \t\r\n", " \t\r\n`'\".", " \t\r\n`'\".*_")
"""What may be around a word. The last characters are the likeliest to be symbols of a game themselves."""


def word_in(answer: str, game: Game) -> str:
    """Return the guess in an answer's last line with GUESS, or its text there if that is not a guess of the game.

    Without such a line, the whole answer is the guess.
    """
    found = ANSWER.findall(answer)
    said = found[-1] if found else answer
    for marks in MARKUP:
        with suppress(GameError):
            return game.guesses[game.index_of_guess(said.strip(marks))]
    return said.strip(MARKUP[-1])
