"""Small random games and positions, for `@given(...)`: a test says `game: wk.Game` or `position: wk.Position`."""

from hypothesis import strategies as st
from strategies import positions, small_games

import wordle_kit as wk

st.register_type_strategy(
    wk.Game,
    small_games(
        rules=("wordle", "wordle-uncounted", "mastermind", "case-aware"),
        orders=("alphabetical", "answers-first", "as-listed"),
        symbols=(2, 3, 4, 4, 4),
        lengths=(1, 2, 3, 4, 4),
        answers=(1, 40),
        guesses=(0, 40),
        boards=(1, 1, 2, 3),
        hard_mode=(False, True),
    ),
)
st.register_type_strategy(wk.Position, positions(st.from_type(wk.Game), turns=(0, 1, 1, 1, 2, 3)))
