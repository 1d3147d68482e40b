"""Small random games of one board, for `@given(...)`: a test says `game: wk.Game`."""

import random

from hypothesis import strategies as st

import wordle_kit as wk

ALPHABETS = {"wordle": "abc", "mastermind": "abc", "case-aware": "aAbB"}


@st.composite
def one_board_games(draw):
    """Draw a game of a few words over a few symbols on one board, in hard mode or not."""
    dice = random.Random(draw(st.integers(0, 2**32)))
    rule = dice.choice(list(ALPHABETS))
    length = dice.choice([1, 2, 3])
    every_word = sorted({"".join(dice.choices(ALPHABETS[rule], k=length)) for _ in range(30)})
    return wk.load_game(
        {
            "name": "small",
            "alphabet": ALPHABETS[rule],
            "length": length,
            "answers": dice.sample(every_word, dice.randint(1, len(every_word))),
            "guesses": every_word,
            "rule": rule,
            "order": "as-listed",
        }
    ).replace(hard_mode=dice.random() < 0.3)


st.register_type_strategy(wk.Game, one_board_games())
