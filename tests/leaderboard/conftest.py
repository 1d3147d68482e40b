"""Runs as a store would return them, made by hand."""

import pytest
from hypothesis import strategies as st

from wordle_kit.tournaments.runs import Outcome, Play, RunFacts, StoredRun

MAX_GUESSES = 6
CAP = 30


def run_of(turns, **facts):
    """Return a run whose plays took these numbers of turns; None is a puzzle that was never solved."""
    plays = tuple(
        Play(
            puzzle=(f"word {number}",),
            guesses=tuple(f"guess {turn}" for turn in range(taken or CAP)),
            feedback=tuple((f"answer {turn}",) for turn in range(taken or CAP)),
            outcome=Outcome.SOLVED if taken is not None and taken <= MAX_GUESSES else Outcome.OUT_OF_GUESSES,
            turns=taken,
        )
        for number, taken in enumerate(turns)
    )
    return run_with(plays, **facts)


def run_with(plays, calls=0, seconds=0.0, **facts):
    """Return a run with these plays; facts that are not given are made up."""
    made_up = {
        "game": "abc",
        "fingerprint": "0123456789abcdef",
        "boards": 1,
        "max_guesses": MAX_GUESSES,
        "cap": CAP,
        "hard_mode": False,
        "puzzles": f"all {len(plays)} answers",
        "puzzles_fingerprint": f"{len(plays):016}",
        "n_puzzles": len(plays),
        "is_sample": False,
        "seed": 0,
        "strategy": "first",
        "version": "1",
        "plugin": "plugin",
        "stochastic": False,
        "parameters": {},
        "versions": {"wordle-kit": "0.1"},
    }
    return StoredRun(1, RunFacts(**made_up | facts), tuple(plays), calls, seconds)


@pytest.fixture(scope="session", name="run_of")
def run_of_these_turns():
    """Return the function above."""
    return run_of


@pytest.fixture(scope="session", name="run_with")
def run_with_these_plays():
    """Return the function above."""
    return run_with


@st.composite
def runs(draw):
    """Draw a run of up to a dozen plays that end in every way, of a game of few words, so that positions are shared."""
    plays = []
    for number in range(draw(st.integers(1, 12))):
        outcome = draw(st.sampled_from(Outcome))
        turns = {
            Outcome.SOLVED: st.integers(1, MAX_GUESSES),
            Outcome.OUT_OF_GUESSES: st.none() | st.integers(MAX_GUESSES + 1, CAP),
        }.get(outcome, st.none())
        taken = draw(turns)
        length = taken or (CAP if outcome is Outcome.OUT_OF_GUESSES else draw(st.integers(0, 3)))
        guesses = tuple((draw(st.sampled_from(["a", "b", "ab"])) * CAP)[:length])
        feedback = tuple((seen,) for seen in (draw(st.sampled_from(["0", "01"])) * CAP)[:length])
        plays.append(Play((f"word {number}",), guesses, feedback, outcome, taken, f"message {number}"))
    calls = draw(st.integers(0, 100))
    return run_with(
        plays,
        calls=calls,
        seconds=draw(st.floats(0, 1e4)),
        stochastic=draw(st.booleans()),
        is_sample=draw(st.booleans()),
    )


st.register_type_strategy(StoredRun, runs())
