"""Draws: nobody can know them before, and a run on them is found again, whatever the words."""

from dataclasses import replace

import pytest

import wordle_kit as wk
from wordle_kit.classroom.draws import GradingPolicy, draws
from wordle_kit.tournaments.entrants import enter
from wordle_kit.tournaments.runner import play_tournaments
from wordle_kit.tournaments.runs import Outcome, Play, Skipped
from wordle_kit.tournaments.store import Store
from wordle_kit.tournaments.tournament import Tournament

GAME = wk.load_game({"name": "abc", "alphabet": "abc", "length": 3, "answers": "all"})
LONG = 300
"""More draws than one chunk usually has."""


def tournament(player="ada", policy=None, strategy="random-consistent"):
    """Return a tournament of one strategy on draws."""
    (entrant,), _ = enter([strategy], GAME)
    policy = policy or GradingPolicy(one_process=True)
    return Tournament(GAME, draws(GAME, LONG, player), (replace(entrant, label=player),), policy=policy)


def test_draws_are_new_each_time_and_their_run_is_the_same():
    one, other, foreign = tournament(), tournament(), tournament("bob")
    assert one.puzzles.ids != other.puzzles.ids
    runs = [(run.key, run.facts) for each in (one, other) for run in each.planned_runs("0" * 32)]
    assert runs[0] == runs[1]
    assert one.puzzles.fingerprint != foreign.puzzles.fingerprint  # so the two are not compared puzzle by puzzle


def test_a_run_of_draws_is_stored_whole_or_not_at_all():
    with Store() as store:
        first = tournament()
        (planned,) = first.planned_runs(store.secret())
        run = store.run(planned.key, planned.facts)  # a grading that was interrupted before it had played
        later = tournament()
        assert play_tournaments([later], store, workers=1) == [run]
        assert store.finished_chunks(run) == {0}
        words = [play.puzzle for play in store.read(run).plays]
        assert words == [later.puzzles.words(number) for number in range(LONG)]
        assert play_tournaments([tournament()], store, workers=1) == [run]
        assert [play.puzzle for play in store.read(run).plays] == words


# Plays for which there was no time


def solved(message=""):
    return Play(("abc",), ("abc",), (("222",),), Outcome.SOLVED, 1, message)


LATE = Play(("abc",), (), (), Outcome.TIMED_OUT, None, "not played: its 300 s are spent", Skipped.NO_TIME)
ENDED = Play(("abc",), (), (), Outcome.CRASHED, None, "its process ended", Skipped.NO_RESTARTS)
UNREPEATED = solved("could not be played again: not played: its 300 s are spent")
SLOW = solved("could not be played again: took more than 1 s for guess 1")


@pytest.mark.parametrize("plays", [[LATE, ENDED, solved()], [UNREPEATED, SLOW, solved()]])
def test_plays_for_which_time_ran_out_are_played_again_with_another_budget(plays):
    (planned,) = tournament().planned_runs("0" * 32)
    with Store() as store:
        run = store.run("key", planned.facts)
        for chunk, play in enumerate(plays):
            store.add(run, chunk, [chunk], [play], 1, 0.1, 0)
        assert [play.skipped for play in store.read(run).plays] == [play.skipped for play in plays]
        for policy, left in [
            (GradingPolicy(1.0, "its 300 s are spent"), {0, 1, 2}),
            (GradingPolicy(2.0, "its 600 s are spent"), {1, 2}),
        ]:
            store.drop(run, policy.is_stale)
            assert store.finished_chunks(run) == left
