"""Points: a strategy that plays differently each time keeps what it played, and loses the test that asks for that."""

import statistics
from dataclasses import replace
from types import SimpleNamespace

import pytest
from needs import needs_linux

import wordle_kit as wk
from wordle_kit import cli
from wordle_kit.classroom.assignment import Conforms, Mean, Reproducible, read_assignment
from wordle_kit.classroom.examine import Examined
from wordle_kit.classroom.grade import grade_self
from wordle_kit.classroom.scores import NO_FILE, RANDOM, Score, Work, advice, first_fix, outcome_of
from wordle_kit.isolation import supervision
from wordle_kit.leaderboard.metrics import row_of
from wordle_kit.testing import Finding
from wordle_kit.tournaments.runs import REPEATED, Outcome, Play
from wordle_kit.tournaments.store import Store

pytestmark = needs_linux

BEHAVES = """
import random
return random.Random(f"{START} {position.guesses}").choice(words)
"""
"""Guesses the same for as long as its process lives, and the examination has only one."""

FEW = {'starter = "starter.py"\n': "", "deadline = 1.0": "deadline = 5.0"}

REPRODUCIBLE = '[[tests]]\nkind = "reproducible"\npoints = 128\nsample = "public"\n[[tests]]\nkind = "time"'


@pytest.fixture(scope="module")
def written(make, text, graded, short_checks):
    """Return what is written about strategies of which some play differently each time."""
    submissions = {
        "dice.py": text("import random\nreturn random.choice(words)"),
        "own.py": text("import random\nreturn random.choice(words)", stochastic=True),
        "honest.py": text(),
    }
    changed = {"count = 4\n": "count = 8\n", '[[tests]]\nkind = "time"': REPRODUCIBLE}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(supervision, "REPEATED_PUZZLES", 16)
        patch.setattr(supervision, "REPEATED_BY_CHANCE", 4)
        return graded(make(submissions, replace=changed | FEW))


@pytest.mark.slow
def test_a_strategy_that_imports_random_loses_only_what_asks_for_the_same_guesses(written):
    loads, conforms, legal, solves, mean, _, reproducible, slow = written.scores("dice")
    assert (loads, conforms, legal, solves, reproducible, slow) == (1, 0, 4, 8, 0, 64)
    assert mean > 0
    assert written.scores("honest")[1::5] == [2, 128]
    assert written.table().splitlines()[1].endswith(",inconsistent")
    assert written.scores("own")[2:4] == [4, 8]


@pytest.mark.slow
def test_the_advice_comes_first(written):
    for student in ("dice", "own"):
        page = written.page(student).splitlines()
        assert page[4].replace("\\", "") == f"What to fix first: {RANDOM}"
        assert written.results(student)["output"].splitlines()[0] == f"What to fix first: {RANDOM}"
        assert written.page(student).count("keep nothing between guesses") == 1
    assert "position.rng" not in written.page("honest")


@pytest.mark.slow
def test_a_replay_shows_what_the_mean_counts(written):
    with Store(written.out / "store.sqlite") as store:
        runs = [store.read(number) for number, _, _ in store.runs()]
    mine = [run for run in runs if run.facts.strategy == "dice"]
    assert any(play.is_inconsistent for run in mine for play in run.plays)
    for run in mine:
        assert row_of(run).mean == statistics.fmean(len(play.guesses) for play in run.plays)
        assert {play.outcome for play in run.plays} == {Outcome.SOLVED}
    said = written.output("dice", 6)
    *_, last_turn, ending, _ = said.splitlines()
    assert last_turn.endswith("🟩🟩🟩")
    assert ending.startswith(f"solved: {REPEATED}guessed ")


ONLY_PUBLIC = {f'kind = "{kind}"\n': f'kind = "{kind}"\nsample = "public"\n' for kind in ("solves", "mean", "beats")}
ONLY_PUBLIC['kind = "time"\n'] = 'kind = "time"\nsample = "public"\n'


@pytest.mark.slow
@pytest.mark.parametrize(("changed", "repeated"), [({}, 0), (ONLY_PUBLIC, 16)], ids=["among all puzzles", "repeated"])
def test_one_that_behaves_only_while_it_is_examined_is_found_in_its_plays(
    make, text, graded, monkeypatch, changed, repeated
):
    monkeypatch.setattr(supervision, "REPEATED_PUZZLES", repeated)  # plays among all puzzles show the same
    written = graded(make({"mine.py": text(BEHAVES, after="START = time.time_ns()")}, replace=FEW | changed))
    assert written.scores("mine")[1:3] == [0, 4]
    assert REPEATED in written.output("mine", 1)
    assert written.table().splitlines()[1].endswith(",inconsistent")


@pytest.mark.slow
def test_faults_among_all_puzzles_do_not_make_public_plays_inconsistent(make, text, graded):
    body = "ASKED.append(position.turn)\nreturn words[0] if len(ASKED) < 15 else words[99]"
    written = graded(make({"mine.py": text(body, after="ASKED = []")}, replace={"count = 4\n": "count = 8\n"} | FEW))
    assert "crashed" in written.table()
    assert REPEATED not in written.output("mine", 1)


def run_of(*plays):
    return SimpleNamespace(plays=plays, facts=SimpleNamespace(stochastic=False, is_sample=False))


SAME = Play(("abc",), ("abc",), (("222",),), Outcome.SOLVED, 1)
DIFFERENT = replace(SAME, message=f"{REPEATED}guessed 'abb' after guessing 'abc' before")


def test_a_test_that_students_see_at_once_does_not_depend_on_hidden_puzzles():
    runs = {"public": run_of(SAME), "hidden": run_of(DIFFERENT)}
    game = wk.load_game({"name": "tiny", "alphabet": "abc", "length": 3, "answers": "all"})
    assignment = SimpleNamespace(game=game, definition=SimpleNamespace(deadline=1.0))
    work = Work(assignment, Examined(registered="mine"), runs, {}, "mine.py", "tiny.toml", [])
    assert work.score(Conforms(kind="conforms", points=5)).passed
    assert work.score(Reproducible(kind="reproducible", points=5, sample="public")).passed
    missed = work.score(Reproducible(kind="reproducible", points=5, sample="hidden"))
    assert (missed.passed, missed.test.seen) == (False, "after_published")
    crashed = replace(work, runs={"hidden": run_of(replace(SAME, outcome=Outcome.CRASHED, turns=None))})
    assert not crashed.score(Reproducible(kind="reproducible", points=5, sample="hidden")).passed
    assert outcome_of(Examined(), runs) == "inconsistent"
    assert advice(Examined(), {"public": runs["public"]}) == []
    assert advice(Examined(), {"hidden": runs["hidden"]}) == [RANDOM]


LATE = Play(("abc",), (), (), Outcome.TIMED_OUT, None, "took more than 1 s for guess 1")


def test_one_that_is_late_whenever_it_is_asked_again_is_not_reproducible(monkeypatch):
    monkeypatch.setattr(supervision, "REPEATED_PUZZLES", 16)
    # Otherwise it could draw its own random numbers, and be late on purpose when it notices that it is asked again.
    plays = supervision.confirm([SAME], lambda some: [LATE for _ in some], False, "key")
    runs = {"public": run_of(*plays)}
    game = wk.load_game({"name": "tiny", "alphabet": "abc", "length": 3, "answers": "all"})
    assignment = SimpleNamespace(game=game, definition=SimpleNamespace(deadline=1.0))
    work = Work(assignment, Examined(registered="mine"), runs, {}, "mine.py", "tiny.toml", [])
    score = work.score(Reproducible(kind="reproducible", points=5, sample="public"))
    assert not score.passed
    assert work.score(Conforms(kind="conforms", points=5)).passed  # a busy machine may be the cause
    assert outcome_of(Examined(), runs) == "graded"
    once = iter([LATE, SAME])
    (play,) = supervision.confirm([SAME], lambda some: [next(once)], False, "key")
    assert play == SAME


# A student's own grade

READS = "here = __import__('pathlib').Path(__file__)\nreturn here.with_name('answers.txt').read_text().split()[0]"


@pytest.mark.slow
def test_a_student_sees_the_folder_that_the_class_has(make, text, graded, capfd):
    folder = make({"ada.py": text(READS), "bob.py": text("return open('answers.txt').read().split()[0]")}, quick=True)
    (folder / "submissions" / "answers.txt").write_text("abc\n")
    written = graded(folder)
    for student in ("ada", "bob"):
        public = written.scores(student)
        capfd.readouterr()
        command = ["grade", "--self", folder, folder / "submissions" / f"{student}.py", "--sandbox", "plain"]
        assert cli.run(list(map(str, command))) == 1
        said = capfd.readouterr().out
        assert public[:2] == [1, 0]
        assert "FAIL  0 of 4  every guess is legal" in said
        for text_of in (said.splitlines()[0], written.page(student).replace("\\", "")):
            assert "`position.game.answers` has the words" in text_of


def test_without_isolation_too(make, text, monkeypatch):
    folder = make({"bob.py": text("return open('answers.txt').read().split()[0]"), "ada.py": text(READS)}, quick=True)
    (folder / "submissions" / "answers.txt").write_text("abc\n")
    monkeypatch.chdir(folder / "submissions")
    for student in ("ada", "bob"):
        assignment = read_assignment(folder)
        made = grade_self(assignment, folder / "submissions" / f"{student}.py", None)
        assert [score.points for score in made.scores][:2] == [1, 0]
        assert "FileNotFoundError" in made.scores[1].output


# What to fix first, and each fault once

CRASH = Play(("abc",), (), (), Outcome.CRASHED, None, "IndexError: out of range (mine.py, line 9), at guess 1")
LATER = replace(CRASH, puzzle=("bca",), guesses=("abc",), feedback=(("111",),), message=CRASH.message[:-1] + "2")
NO_WORDS = replace(CRASH, message="FileNotFoundError: no such file: 'words.txt' (mine.py, line 3), at guess 1")
MEAN = Mean(kind="mean", points=10, full=2.0, none=4.0)


def fix(*plays, scores=(), **examined):
    """Return what to fix first, given the plays of all puzzles."""
    return first_fix(Examined(**examined), {"all": run_of(*plays)}, scores)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (fix(SAME), ""),
        (fix(SAME, LATE, CRASH, LATER), CRASH.message),
        (fix(LATE, LATE, CRASH), LATE.message),
        (fix(LATE, NO_WORDS), NO_FILE),
        (fix(SAME, DIFFERENT), RANDOM),
        (fix(problem="SyntaxError: invalid syntax (mine.py, line 3)"), "mine.py, line 3"),
        (fix(problem="it has no hooks; mark a function with @wordle_kit.hookimpl"), "registers no strategy"),
        (fix(SAME, findings=(Finding("no state", False, "playing changed self.count"),)), "playing changed self.count"),
        (
            fix(SAME, scores=[Score(MEAN, 4, False, ""), Score(MEAN.model_copy(update={"name": "b"}), 3, False, "")]),
            "7 points: b",
        ),
        (fix(SAME, scores=[Score(MEAN.model_copy(update={"visibility": "hidden"}), 4, False, "")]), ""),
    ],
)
def test_what_to_fix_first_is_the_most_frequent_fault(told, said):
    assert said in told
    assert bool(said) == bool(told)
