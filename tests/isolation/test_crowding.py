"""A strategy that was slow beside others is judged by what it does alone."""

import time
from concurrent.futures import Future
from dataclasses import replace
from typing import ClassVar

import pytest
from strategies import play_nothing_again

import wordle_kit as wk
from wordle_kit import testing
from wordle_kit.classroom import examine
from wordle_kit.classroom.draws import Draws, GradingPolicy, draws
from wordle_kit.classroom.examine import Examined, Examiner, examine_all
from wordle_kit.deadline import Allotment
from wordle_kit.isolation.command import Command
from wordle_kit.isolation.supervision import CUT_SHORT, Supervision, is_unplayed
from wordle_kit.tournaments import runner
from wordle_kit.tournaments.chance import Chance
from wordle_kit.tournaments.chunks import Chunk, Played, play_chunk
from wordle_kit.tournaments.entrants import enter
from wordle_kit.tournaments.runner import play_tournaments
from wordle_kit.tournaments.runs import Outcome, Play, Skipped
from wordle_kit.tournaments.store import Store
from wordle_kit.tournaments.tournament import Tournament

ONCE = """
import os, time
import wordle_kit as wk

class SlowOnce(wk.Strategy):
    def guess(self, position):
        try:
            os.close(os.open(FLAG, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return position.board.words[0]
        time.sleep(600)

class Prompt(wk.Strategy):
    def guess(self, position):
        return position.board.words[0]

@wk.hookimpl
def register_strategies(register):
    register(SlowOnce())
    register(Prompt())
"""


@pytest.mark.slow
@pytest.mark.parametrize(("workers", "outcomes"), [(2, {"solved"}), (1, {"timed out"})])
def test_a_group_that_timed_out_beside_others_is_played_again_alone(
    letters, open_folder, isolation_at, workers, outcomes, monkeypatch
):
    play_nothing_again(monkeypatch)
    path = open_folder / "once.py"
    path.write_text(ONCE.replace("FLAG", repr(str(open_folder / "flag"))))
    plugins = wk.Plugins.load([path], isolation=isolation_at("plain"), strict=True)
    board = wk.tournament(letters, ["slow-once", "prompt"], 4, plugins=plugins, deadline=1.0, workers=workers)
    assert {str(play.outcome) for play in board.plays("slow-once")} == outcomes
    assert {str(play.outcome) for play in board.plays("prompt")} == {"solved"}


@pytest.mark.slow
@pytest.mark.parametrize(("fault", "drawn_anew"), [("time.sleep(600)", False), ("os._exit(1)", True)])
def test_draws_are_kept_after_a_timeout_beside_others_but_drawn_anew_if_the_worker_died(
    letters, open_folder, isolation_at, monkeypatch, fault, drawn_anew
):
    play_nothing_again(monkeypatch)
    path = open_folder / "once.py"
    text = ONCE.replace("FLAG", repr(str(open_folder / "flag"))).replace("time.sleep(600)", fault)
    path.write_text(text.replace("class SlowOnce(wk.Strategy):", "class SlowOnce(wk.Strategy):\n    stochastic = True"))
    isolation = None if drawn_anew else isolation_at("plain")  # without isolation, it ends its worker
    plugins = wk.Plugins.load([path], isolation=isolation, strict=True)
    drawn = draws(letters, 4)
    words = [drawn.words(puzzle) for puzzle in range(4)]
    entrants, _ = enter(["slow-once", "prompt"], letters, plugins)
    contest = Tournament(letters, drawn, tuple(entrants), deadline=1.0, policy=GradingPolicy(one_process=True))
    with Store() as store:
        again, others = (store.read(run).plays for run in play_tournaments([contest], store, workers=2))
    assert {str(play.outcome) for play in again} == {"solved"}
    assert ([play.puzzle for play in again] != words) is drawn_anew
    if not drawn_anew:
        assert [play.puzzle for play in others] == words


@pytest.mark.slow
def test_one_that_timed_out_only_when_it_was_asked_again_is_not_inconsistent(letters, open_folder, isolation_at):
    path = open_folder / "again.py"
    waits = """
        if position.turn == 1:
            number = len(os.listdir(FOLDER))
            open(f"{FOLDER}/{number}", "x").close()
            if number in (1, 2):  # both times that it is asked again
                time.sleep(600)
        return position.board.words[0]
"""
    (open_folder / "asked").mkdir()
    (open_folder / "asked").chmod(0o777)
    begins, _, ends = ONCE.partition("        try:")
    ends = ends.partition("        time.sleep(600)\n")[2]
    path.write_text(
        begins
        + waits.lstrip("\n")
        .replace("FOLDER", repr(str(open_folder / "asked")), 1)
        .replace("{FOLDER}", str(open_folder / "asked"))
        + ends
    )
    plugins = wk.Plugins.load([path], isolation=isolation_at("plain"), strict=True)
    board = wk.tournament(letters, ["slow-once", "first-consistent"], 4, plugins=plugins, deadline=1.0, workers=2)
    assert {str(play.outcome) for play in board.plays("slow-once")} == {"solved"}


DEADLINE = 10.0


def play(guess, outcome, message="", skipped=None):
    return Play(("aaaa",), (guess,), (), outcome, None, message, skipped)


LATE = tuple(play(str(position), Outcome.TIMED_OUT) for position in range(9))
UNPLAYED = (play("", Outcome.TIMED_OUT, "not played: its 300 s are spent", Skipped.NO_TIME),)
THROUGH = Played([play("abcd", Outcome.SOLVED)], 1, 0.1, 0, 0.1)
CUT = Played([play("", Outcome.TIMED_OUT, f"not played: {CUT_SHORT}", Skipped.NO_TIME)], 1, 0.1, 0, 0.1)


def task(*budget):
    return Chunk(0, 0, None, "", "x", (), None, DEADLINE, "", Supervision(*budget))  # of one puzzle


def settled(chunk, delayed, seconds, play_alone=None):
    return chunk.policy.settle(chunk, delayed, seconds, play_alone)


@pytest.mark.parametrize(
    ("lasted", "own", "left", "seconds"),
    [
        (100.0, None, 5.0, 5.0),
        (80.0, 95.0, 1000.0, 15.0),  # what remains of its budget
    ],
)
def test_a_chunk_played_alone_has_what_remains_of_its_time_and_of_that_for_all(lasted, own, left, seconds):
    given = []
    whole = [] if own is None else [own, "its time is spent"]
    beside = Played(LATE, 9, lasted, 9, lasted)
    alone = settled(task(*whole), beside, left, lambda one: given.append(one.policy.seconds) or THROUGH)
    assert alone.plays is THROUGH.plays
    assert given[0] == pytest.approx(seconds)


def test_a_chunk_that_has_spent_its_budget_is_not_played_again():
    beside = Played(UNPLAYED, 9, 300.0, 9, 300.0)
    assert settled(task(300.0, "its time is spent"), beside, 1000.0) is beside


def test_a_chunk_that_others_kept_waiting_has_time_left():
    beside = Played(UNPLAYED, 9, 20.0, 9, 300.0)  # a fifteenth of the wall time was its own
    chunk = task(300.0, "its time is spent")
    assert settled(chunk, beside, 1000.0, lambda _: THROUGH).plays is THROUGH.plays


class Recorder(wk.Strategy):
    """Guess at random, and keep a record of the positions."""

    stochastic = True
    asked: ClassVar[list[str]] = []

    def guess(self, position):
        self.asked.append(repr(position))
        return position.rng.choice(position.board.words)


class Steady(Recorder):
    stochastic = False

    def guess(self, position):
        self.asked.append(repr(position))
        return position.board.words[0]


@pytest.mark.parametrize("kind", [Recorder, Steady])
def test_a_strategy_that_was_late_is_asked_again_only_for_the_guesses_that_are_missing(letters, kind):
    # If everything were drawn and asked anew, a strategy could be late on purpose whenever it was unlucky.
    puzzles = draws(letters, 40)
    dice, policy = Chance(secret="0" * 32), GradingPolicy()
    chunk = Chunk(0, 0, kind(), kind.__name__, puzzles, range(40), dice, DEADLINE, "", policy)
    whole = play_chunk(chunk)
    late = next(play for play in whole.plays[5:] if len(play.guesses) > 1)
    cut = {"guesses": late.guesses[:1], "feedback": late.feedback[:1]}
    stuck = [play is late or (kind is Steady and play.feedback[:1] == late.feedback[:1]) for play in whole.plays]
    plays = [
        replace(play, **cut, outcome=Outcome.TIMED_OUT, turns=None) if is_stuck else play
        for play, is_stuck in zip(whole.plays, stuck, strict=True)
    ]
    Recorder.asked.clear()
    made = settled(replace(chunk, session="later"), replace(whole, plays=plays), 100.0, play_chunk)
    assert made.plays == whole.plays
    assert Recorder.asked
    assert not any("no guess yet" in position for position in Recorder.asked)
    assert made.calls == whole.calls + len(Recorder.asked)


class Asleep(Recorder):
    stochastic = False

    def guess(self, position):
        self.asked.append(repr(position))
        time.sleep(60 * (position.turn > 1))
        return position.board.words[0]


def test_a_strategy_that_is_late_twice_when_it_is_alone_is_asked_no_more(letters):
    chunk = Chunk(0, 0, Asleep(), "", draws(letters, 40), range(40), Chance(secret="0" * 32), 0.1, "", GradingPolicy())
    whole = play_chunk(chunk)
    assert Outcome.TIMED_OUT in {play.outcome for play in whole.plays}
    assert len(Recorder.asked) > 3
    Recorder.asked.clear()
    assert settled(replace(chunk, session="later"), whole, 100.0, play_chunk) is whole
    assert len(Recorder.asked) == 2


class Drowsy(Recorder):
    """Late at its second guess, three times out of four."""

    stochastic = False

    def guess(self, position):
        self.asked.append(repr(position))
        time.sleep(60 * (position.turn > 1 and len(self.asked) % 4 > 0))
        return position.board.words[0]


@pytest.mark.parametrize(("kind", "is_given_up"), [(Asleep, True), (Drowsy, False)])
def test_a_strategy_that_is_late_four_times_in_a_row_is_asked_no_more(letters, kind, is_given_up):
    kind.asked.clear()
    dice, name = Chance(secret="0" * 32), f"in a row: {kind.__name__}"
    task = Chunk(0, 0, kind(), name, draws(letters, 40), range(40), dice, 0.1, "", GradingPolicy())
    plays = play_chunk(task).plays
    left_out = [play for play in plays if is_unplayed(play)]
    assert bool(left_out) == is_given_up
    if is_given_up:
        assert len(kind.asked) == 5  # the first guess was in time
        assert {play.message for play in left_out} == {"not played: 4 decisions in a row took too long"}
    else:
        assert len(kind.asked) > 10
    stored_again = [GradingPolicy(spent="no time").is_stale(play) for play in plays]
    assert not any(stored_again)  # a grade stays as it is
    assert all(replace(GradingPolicy(), most_in_a_row=5).is_stale(play) for play in left_out)


def test_draws_are_drawn_anew_if_the_process_that_played_them_died(letters):
    chunk = replace(task(), puzzles=draws(letters, 40, "ada"))
    again = GradingPolicy().after_death(chunk)
    assert len(again.puzzles) == 40
    assert isinstance(again.puzzles, Draws)
    assert again.puzzles.ids != chunk.puzzles.ids
    assert again.puzzles.facts == chunk.puzzles.facts
    assert GradingPolicy().after_death(task()) == task()


def test_a_chunk_that_fails_alone_too_keeps_its_first_result():
    beside = Played(LATE, 9, 100.0, 9, 100.0)
    assert settled(task(), beside, 1000.0, lambda _: CUT) is beside
    assert settled(task(), beside, 0.0) is beside  # not even tried


@pytest.mark.parametrize(("plays", "lasted"), [(LATE, 300.0), (UNPLAYED, 300.0)])
def test_a_class_in_which_every_submission_times_out_takes_little_longer(monkeypatch, plays, lasted):
    class Clock:
        now = 0.0

    class Pool:
        """Workers that take the time of a class, and no more."""

        def __init__(self, count):
            self.count = count

        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def submit(self, play, one):
            spent = min(lasted, one.policy.seconds)
            Clock.now += spent / self.count
            future = Future()
            future.set_result(Played(plays, 1, spent, 1, spent))
            return future

    monkeypatch.setattr(runner.time, "monotonic", lambda: Clock.now)
    stored = []
    chunk = replace(task(300.0, "its 300 s are spent"), strategy=Command(argv="true"))
    tasks = [replace(chunk, run=number) for number in range(40)]
    runner.play_in_processes(tasks, 2, lambda one, played: stored.append(one.run), None, Pool)
    assert sorted(stored) == list(range(40))
    beside = 40 * lasted / 2
    assert Clock.now <= beside * (1 + runner.ALONE_SHARE) + 1e-6


@pytest.mark.slow
def test_a_submission_that_lacked_time_beside_others_is_examined_again_alone(
    letters, open_folder, isolation_at, monkeypatch
):
    monkeypatch.setattr(testing, "SAMPLE", 3)
    submissions = {}
    for name, left_out in (("once", "    register(Prompt())\n"), ("prompt", "    register(SlowOnce())\n")):
        path = open_folder / f"{name}.py"
        path.write_text(ONCE.replace("FLAG", repr(str(open_folder / "flag"))).replace(left_out, ""))
        submissions[name] = (path, name)
    examiner = Examiner(
        game=letters,
        trusted=(),
        deadline=2.0,
        checks=True,
        isolation=isolation_at("plain"),
        time=Allotment(300.0, "all was spent"),
    )
    for examined in examine_all(examiner, submissions, None, 2).values():
        assert (examined.problem, examined.unfinished) == ("", "")
        assert [finding.check for finding in examined.findings if not finding.passed] == []


def test_examining_a_class_again_alone_takes_half_as_long_at_most(letters, monkeypatch, isolation_at, tmp_path):
    now = 0.0

    def examined(examiner, students, paths, workers, keep, executor):
        nonlocal now
        for student in students:
            now += 300.0 / workers
            keep(student, Examined(seconds=300.0, unfinished="all was spent"))
        return []

    monkeypatch.setattr(examine, "_examine", examined)
    monkeypatch.setattr(examine.time, "monotonic", lambda: now)
    examiner = Examiner(letters, (), 2.0, True, isolation_at("plain"), Allotment(300.0, "all was spent"))
    submissions = {str(number): (tmp_path / str(number), str(number)) for number in range(40)}
    found = examine_all(examiner, submissions, None, 2)
    assert {one.unfinished for one in found.values()} == {"all was spent"}
    beside = 40 * 300.0 / 2
    assert beside < now <= beside * 1.5 + 300.0
