"""Small random games and positions, for `@given(...)`: a test says `game: wk.Game` or `position: wk.Position`."""

import itertools
import random

from hypothesis import strategies as st

import wordle_kit as wk

RULES = ("wordle", "wordle-uncounted", "mastermind", "case-aware")


@st.composite
def games(draw):
    """Draw a game of a few words over a few symbols, in any order, with any of several rules, on up to three boards.

    The words are drawn by a generator of its own, since games of many words show more than hypothesis' favourites.
    """
    dice = random.Random(draw(st.integers(0, 2**32)))
    alphabet = "abcd"[: dice.choice([2, 3, 4, 4, 4])]
    length = dice.choice([1, 2, 3, 4, 4])
    every_word = ["".join(word) for word in itertools.product(alphabet, repeat=length)]
    most = min(40, len(every_word))
    return wk.load_game(
        {
            "name": "small",
            "alphabet": alphabet,
            "length": length,
            "answers": dice.sample(every_word, dice.randint(1, most)),
            "guesses": dice.sample(every_word, dice.randint(0, most)),
            "rule": dice.choice(RULES),
            "boards": dice.choice([1, 1, 2, 3]),
            "order": draw(st.sampled_from(["alphabetical", "answers-first", "as-listed"])),
        }
    ).replace(hard_mode=draw(st.booleans()))


@st.composite
def positions(draw):
    """Draw a position with an open board, after up to three guesses that hard mode may forbid."""
    game = draw(st.from_type(wk.Game))
    dice = random.Random(draw(st.integers(0, 2**32)))
    hidden = dice.choices(game.answers, k=game.boards)
    position = wk.Position.start(game)
    for guess in dice.choices(game.guesses, k=dice.choice([0, 1, 1, 1, 2, 3])):
        after = position.after(guess, [game.feedback(guess, answer) for answer in hidden])
        position = after if after.open_boards else position
    return position


st.register_type_strategy(wk.Game, games())
st.register_type_strategy(wk.Position, positions())
