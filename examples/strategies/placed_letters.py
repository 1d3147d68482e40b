"""Plain Python: count the letters of the words that are left.

Usage: wordle-kit tournament -p examples/strategies/placed_letters.py -s placed-letters -s most-parts
"""

from collections import Counter

import wordle_kit as wk


class PlacedLetters(wk.Strategy):
    """Guess the candidate whose letters are common among the candidates, above all in the same place."""

    def guess(self, position):
        """Return the candidate with the most points."""
        split = position.game.word  # a symbol may have several letters
        words = {text: split(text) for text in position.board.words}
        anywhere = Counter(letter for word in words.values() for letter in set(word))
        placed = Counter(pair for word in words.values() for pair in enumerate(word))

        def points(text):
            word = words[text]
            return sum(anywhere[letter] for letter in set(word)) + sum(placed[pair] for pair in enumerate(word))

        return max(words, key=points)


@wk.hookimpl
def register_strategies(register):
    """Register the strategy."""
    register(PlacedLetters())
