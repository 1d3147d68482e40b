"""The record of a player's games: statistics, and games to go on with."""

from hypothesis import given
from hypothesis import strategies as st

import wordle_kit as wk
from wordle_kit.playing.record import Finished, Record, read_record, write_record
from wordle_kit.playing.session import Session
from wordle_kit.tournaments.host import HiddenWords

GAME = wk.load_game({"name": "four", "alphabet": "abc", "length": 2, "answers": "all", "max_guesses": 6})


def over(*guesses, answer):
    """Return a game after guesses, given up unless it is solved."""
    session = Session.start(GAME, HiddenWords((GAME.answer_ids[answer],)))
    for guess in guesses:
        session = session.guess(guess)
    return session if session.is_over else session.give_up()


@given(st.lists(st.integers(0, 6)))
def test_statistics_are_those_of_a_plain_count(turns):
    record = Record(
        finished=tuple(
            Finished(game=GAME.fingerprint, puzzle=str(number), guesses=guesses) for number, guesses in enumerate(turns)
        )
    )
    found = record.statistics(GAME)
    streaks = "".join("x" if guesses else " " for guesses in turns).split(" ")
    assert (found.played, found.solved) == (len(turns), sum(map(bool, turns)))
    assert (found.current, found.longest) == (len(streaks[-1]), max(map(len, streaks)))
    assert all(found.counts[guesses] == turns.count(guesses) for guesses in range(1, 7))
    assert record.statistics(GAME.replace(boards=2)).played == 0


def test_a_puzzle_that_is_played_again_counts_as_it_ended_first():
    record = Record().after(over("ab", "bb", answer="ba")).after(over("ba", answer="ba")).after(over("ab", answer="ab"))
    assert [one.guesses for one in record.finished] == [0, 1]


def test_a_game_that_was_left_is_kept_until_it_is_over(tmp_path):
    left = Session.start(GAME, HiddenWords((0,))).guess("ab").helped("hint").helped("look at the words")
    record = Record().leaving(left, "--seed 3")
    write_record(tmp_path / "sub" / "games.json", record)
    assert read_record(tmp_path / "sub" / "games.json") == record
    kept = record.unfinished[GAME.fingerprint]
    assert (kept.guesses, kept.answers, kept.helps) == (("ab",), ("aa",), {"hint": 1, "look at the words": 1})
    assert record.after(left.give_up()).unfinished == {}
