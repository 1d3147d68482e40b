"""The record of a player's games: statistics of the puzzles that were finished."""

from hypothesis import given
from hypothesis import strategies as st
from wordle_kit_plugins.playing.record import keep, read_record, statistics_of

import wordle_kit as wk
from wordle_kit.session import Session
from wordle_kit.tournaments.host import HiddenWords

GAME = wk.load_game({"name": "four", "alphabet": "abc", "length": 2, "answers": "all", "max_guesses": 6})


def over(*guesses, answer):
    """Return a game after guesses, given up unless it is solved."""
    session = Session.start(GAME, HiddenWords((GAME.answer_ids[answer],)))
    for guess in guesses:
        session = session.guess(guess)
    return session if session.is_over else session.give_up()


@given(st.lists(st.integers(0, 6), min_size=1))
def test_statistics_are_those_of_a_plain_count(turns):
    record = {GAME.fingerprint: {str(number): guesses for number, guesses in enumerate(turns)}, "another": {"0": 1}}
    first, *rows = statistics_of(record, over("ab", answer="ab"), "#").splitlines()
    current = longest = solved = 0
    for guesses in turns:
        current = current + 1 if guesses else 0
        longest, solved = max(longest, current), solved + bool(guesses)
    share = f"{solved / len(turns):.0%}"
    assert first == f"played {len(turns)}, solved {share}, current streak {current}, longest {longest}"
    assert [int(row.split()[0]) for row in rows] == list(range(1, 7))
    counts = [int(row.removesuffix(" <").split()[-1]) for row in rows]
    assert counts == [turns.count(guesses) for guesses in range(1, 7)]


def test_a_puzzle_that_is_played_again_counts_as_it_ended_first(tmp_path):
    path = tmp_path / "new" / "games.json"
    for game in (over("ab", "bb", answer="ba"), over("ba", answer="ba"), over("ab", answer="ab")):
        record = keep(path, game)
    assert [*record[GAME.fingerprint].values()] == [0, 1]
    assert read_record(path) == record
