"""Small random games and positions, for `@given(...)`: a test says `game: wk.Game` or `position: wk.Position`."""

import itertools

from hypothesis import strategies as st

import wordle_kit as wk

RULES = ("wordle", "wordle-uncounted", "mastermind", "case-aware")


@st.composite
def games(draw):
    """Draw a game of a few words over a few symbols, in any order, with any of several rules, on up to three boards."""
    alphabet = "abcd"[: draw(st.integers(2, 4))]
    length = draw(st.integers(1, 4))
    every_word = ["".join(word) for word in itertools.product(alphabet, repeat=length)]
    most = min(24, len(every_word))
    return wk.load_game(
        {
            "name": "small",
            "alphabet": alphabet,
            "length": length,
            "answers": draw(st.lists(st.sampled_from(every_word), unique=True, min_size=1, max_size=most)),
            "guesses": draw(st.lists(st.sampled_from(every_word), unique=True, max_size=most)),
            "rule": draw(st.sampled_from(RULES)),
            "boards": draw(st.integers(1, 3)),
            "order": draw(st.sampled_from(["alphabetical", "answers-first", "as-listed"])),
        }
    ).replace(hard_mode=draw(st.booleans()))


@st.composite
def positions(draw):
    """Draw a position with an open board, after up to three guesses that hard mode may forbid."""
    game = draw(st.from_type(wk.Game))
    hidden = draw(st.lists(st.sampled_from(game.answers), min_size=game.boards, max_size=game.boards))
    position = wk.Position.start(game)
    for guess in draw(st.lists(st.sampled_from(game.guesses), max_size=3)):
        after = position.after(guess, [game.feedback(guess, answer) for answer in hidden])
        position = after if after.open_boards else position
    return position


st.register_type_strategy(wk.Game, games())
st.register_type_strategy(wk.Position, positions())
