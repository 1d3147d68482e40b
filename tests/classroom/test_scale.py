"""Scales are fair: what is to be beaten is known from many plays, and the error of a grade is known."""

import statistics
from types import SimpleNamespace

import pytest

import wordle_kit as wk
from wordle_kit.classroom import scale
from wordle_kit.classroom.assignment import Beats, read_assignment
from wordle_kit.classroom.examine import Examined
from wordle_kit.classroom.scale import PLAYS, expectations, measured_points
from wordle_kit.classroom.scores import Work
from wordle_kit.tournaments.entrants import Entrant
from wordle_kit.tournaments.runner import play_tournaments
from wordle_kit.tournaments.store import Store

RANDOM = {'strategy = "first-consistent"': 'strategy = "random-consistent"\nmargin = 0.5'}


@pytest.fixture(scope="module")
def assignment(make):
    """Return an assignment in which a random strategy is to be beaten."""
    return read_assignment(make(replace=RANDOM))


def run_of(tournament):
    """Return the run of a tournament of one strategy."""
    with Store() as store:
        (number,) = play_tournaments([tournament], store, workers=1)
        return store.read(number)


@pytest.mark.slow
def test_a_random_strategy_to_beat_is_known_from_many_plays_that_are_the_same_in_every_grading(assignment):
    ((key, tournament),) = expectations(assignment).items()
    assert key == ("random-consistent", "all")
    first, second = (run_of(tournament) for _ in range(2))
    assert first.plays == second.plays
    assert len(first.plays) >= PLAYS
    each = {play.puzzle for play in first.plays}
    assert len(first.plays) == len(each) * (len(first.plays) // len(each))  # each answer equally often
    once = [
        statistics.fmean(play.turns for play in wk.play("random-consistent", assignment.game, seed=seed))
        for seed in range(20)
    ]
    assert abs(statistics.fmean(first.taken) - statistics.fmean(once)) < 4 * statistics.stdev(once) / 20**0.5 + 0.03
    assert statistics.stdev(once) > 5 * statistics.stdev(first.taken) / len(first.taken) ** 0.5


def work_on(game, mine, theirs=(), *, sample=False, stochastic=False):
    """Return a submission's work that took these numbers of guesses, and the other strategy those."""

    def run(taken, by_chance):
        plays = [play for play in wk.play("first-consistent", game, 1) for _ in taken]
        facts = SimpleNamespace(cap=9, is_sample=sample, stochastic=by_chance)
        return SimpleNamespace(plays=plays, taken=list(taken), facts=facts)

    runs = {"all": run(mine, stochastic), "public": run(mine, stochastic)}
    others = {"random-consistent": {"all": run(theirs, True)}}
    definition = SimpleNamespace(deadline=1.0)
    return Work(
        SimpleNamespace(game=game, definition=definition), Examined(registered="mine"), runs, others, "", "g", [], False
    )


@pytest.fixture
def means(monkeypatch):
    """Have the mean of a run be that of its guesses."""
    from wordle_kit.classroom import scores

    monkeypatch.setattr(scores, "row_of", lambda run: run)
    monkeypatch.setattr(scores, "mean_of", lambda run: statistics.fmean(run.taken))


@pytest.mark.parametrize(("mine", "points"), [(3.0, 0), (4.0, 0), (3.75, 0), (2.875, 5), (2.75, 10), (2.0, 10)])
def test_beating_a_strategy_is_a_scale(means, mine, points):
    game = wk.load_game("mastermind")
    test = Beats(kind="beats", points=10, strategy="random-consistent", margin=0.25)
    work = work_on(game, [mine] * 4, [3.0] * 100)
    score = work.score(test)
    assert score.points == points
    assert score.passed == (points == 10)
    assert "random-consistent 3.0000 (in 100 plays; standard error 0.0000)" in score.output
    assert "all points at 0.25, none at 0" in score.output
    assert score.error == 0  # it played every answer


@pytest.mark.slow
def test_a_random_strategy_gets_the_points_of_its_expectation(assignment, monkeypatch):
    monkeypatch.setattr(scale, "PLAYS", 3000)
    known = {"random-consistent": assignment.others["random-consistent"]}
    ((_, tournament),) = expectations(assignment).items()
    mean = statistics.fmean(run_of(tournament).taken)
    (points,) = measured_points(assignment, known).values()
    assert points == pytest.approx(1 + 2 + 4 + 8 + 16 * (4 - mean) / 2 + 64, abs=0.01)


def test_known_strategies_get_what_they_would_if_they_were_handed_in(assignment, monkeypatch):
    monkeypatch.setattr(scale, "PLAYS", 300)
    entrants = {name: Entrant(name, wk.load_strategy(name), "baseline") for name in ("first-consistent", "minimax")}
    points = measured_points(assignment, entrants)
    assert points["minimax"] > points["first-consistent"] > 1 + 2 + 4 + 8 + 64
