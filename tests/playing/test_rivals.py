"""How strategies would have played the game of a person."""

from games import bundled

import wordle_kit as wk
from wordle_kit.playing.rivals import rival
from wordle_kit.tournaments.entrants import enter
from wordle_kit.tournaments.host import HiddenWords

WORDLE = bundled("wordle")


def entrant(strategy):
    """Return a strategy as an entrant."""
    return enter([strategy], WORDLE)[0][0]


def test_a_rival_plays_the_same_puzzle():
    host = HiddenWords((WORDLE.answer_ids["cigar"],))
    found = rival(entrant("entropy"), WORDLE, host, 6, 10.0, 0)
    (play,) = wk.play("entropy", WORDLE, ["cigar"])
    assert (found.guesses, found.is_solved) == (play.guesses, True)


def test_a_rival_that_fails_says_why():
    host = HiddenWords((WORDLE.answer_ids["cigar"],))
    short = rival(entrant("entropy"), WORDLE, host, 1, 10.0, 0)
    assert (short.guesses, short.is_solved, short.problem) == (("soare",), False, "")
    broken = type("Broken", (wk.Strategy,), {"__doc__": "Fail.", "guess": lambda self, position: 1 / 0})()
    assert "crashed: ZeroDivisionError" in rival(entrant(broken), WORDLE, host, 6, 10.0, 0).problem
