"""Grading: every submission gets the points it earned, with helpful messages, and the same points every time."""

import csv
import io
import zipfile

import pytest
from needs import needs_linux

from wordle_kit import cli
from wordle_kit.classroom.assignment import read_assignment
from wordle_kit.classroom.grade import grade_self
from wordle_kit.leaderboard.metrics import row_of
from wordle_kit.tournaments.store import Store

pytestmark = [
    needs_linux,
    pytest.mark.slow,
]

CLEVER = """
sizes = position.board.part_sizes()
return position.game.guesses[int((sizes * sizes).sum(axis=1).argmin())] if len(words) > 2 else words[0]
"""


def zipped(**files):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in files.items():
            archive.writestr(name.replace("__", "/") + ".py", text)
    return packed.getvalue()


@pytest.fixture(scope="module")
def klass(make, text):
    """Return the folder of a class in which much goes wrong."""
    return make(
        {
            "clever.py": text(CLEVER),
            "copied/renamed.py": text("chosen = words[-1]\nreturn chosen") + "# all my own work\n",
            "copied/helper.py": "x = 1\n",
            "original.zip": zipped(deep__mine=text("return words[-1]"), deep__notes="pass"),
            "unchanged.py": text() + "# nothing changed\n",
            "syntax.py": "def guess(:\n",
            "raises.py": text("return words[99]"),
            "illegal.py": text("return words[0] if position.turn < 2 else 'zzz'"),
            "loops.py": text("time.sleep(60)"),
            "exits.py": text("os._exit(3)"),
            "bystander.py": text(after="os._exit(4)"),
            "none.py": "import wordle_kit as wk\n",
            "two.py": text(
                after="    class Other(Mine):\n        '''Another.'''\n        name = 'other'\n    register(Other())"
            ),
            "several.zip": zipped(one=text(), another=text()),
            "torn.zip": zipped(one=text())[:-30],
            "empty.zip": zipped(),
        },
        replace={"deadline = 1.0": "deadline = 2.0"},  # nobody is examined again, however busy the machine is
    )


@pytest.fixture(scope="module")
def written(klass, graded):
    return graded(klass)


def test_everyone_is_in_the_table_with_the_points_of_each_test_and_the_outcome(written):
    rows = {row["name"]: row for row in csv.DictReader(io.StringIO(written.table()))}
    assert {name: row["outcome"] for name, row in rows.items()} == {
        "bystander": "does not load",
        "clever": "graded",
        "copied": "graded",
        "empty": "does not load",
        "exits": "crashed",
        "illegal": "illegal guess",
        "loops": "timed out",
        "none": "does not load",
        "original": "graded",
        "raises": "crashed",
        "several": "graded",
        "syntax": "does not load",
        "torn": "does not load",
        "two": "does not load",
        "unchanged": "graded",
    }
    for name, row in rows.items():
        assert float(row["score"]) == pytest.approx(sum(written.scores(name)))
        assert row["of"] == "127.0"


def test_a_strategy_that_works_gets_its_points(written):
    loads, conforms, legal, solves, mean, beats, slow = written.scores("clever")
    assert (loads, conforms, legal, solves, beats, slow) == (1, 2, 4, 8, 32, 64)
    assert 0 < mean < 16
    assert written.scores("unchanged")[5] == 0  # it is first-consistent itself


def test_a_submission_that_crashes_keeps_the_points_earned_before(written):
    for student in ("raises", "exits", "loops", "illegal"):
        loads, *others = written.scores(student)
        assert loads == 1
        assert others == [0, 0, 0, 0, 0, 0], student
    for student in ("syntax", "bystander", "none", "two", "torn", "empty"):
        assert sum(written.scores(student)) == 0


@pytest.mark.parametrize(
    ("student", "said"),
    [
        ("syntax", "syntax.py, line 1"),
        ("bystander", "exit code 4"),
        ("none", "registers no strategy"),
        ("two", "mine, other"),
        ("torn", "zip"),
        ("empty", ".py"),
    ],
)
def test_a_submission_that_does_not_load_is_told_why(written, student, said):
    assert said in written.output(student, 0)


def shown(written, student):
    """Return the lines that show a student's fault, from the first test that met it."""
    _, *lines = written.output(student, 1).splitlines()
    end = next(number for number, line in enumerate(lines) if line.startswith("See it again: "))
    return lines[: end + 1]


@pytest.mark.parametrize(
    ("student", "ending"),
    [
        ("raises", "crashed: IndexError"),
        ("illegal", "illegal guess: 'zzz'"),
        ("loops", "timed out"),
        ("exits", "crashed: ended with exit code 3"),
    ],
)
def test_a_fault_is_shown_with_its_position_and_the_command_that_shows_it_again(written, student, ending):
    hidden, *guesses, fault, again = shown(written, student)
    assert hidden.startswith("hidden: ")
    assert len(guesses) == (student == "illegal")
    assert fault.startswith(ending)
    assert f"-p {student}.py -s mine --answer {hidden[-3:]}" in again
    assert fault in written.page(student)


@pytest.mark.parametrize("student", ["illegal", "exits"])
def test_that_command_does_show_it_again(written, klass, student, monkeypatch, capfd):
    *_, fault, again = shown(written, student)
    monkeypatch.chdir(klass)
    words = again.replace(f"-p {student}.py", f"-p submissions/{student}.py").split()
    if student == "exits":  # otherwise it would end this process
        words += written.output(student, 1).splitlines()[-1].rpartition(": ")[2].split()
    assert cli.run(words[words.index("solve") :]) == 1
    assert capfd.readouterr().out.splitlines()[-1] == fault


def test_one_worker_and_another_time_give_the_same_grades_unless_the_strategy_is_random(graded, make, text):
    submissions = {
        "raises.py": text("return words[99]"),
        "random.py": text("return position.rng.choice(words)", stochastic=True),
    }
    checked = 'points = 1\n[[tests]]\nkind = "conforms"\npoints = 2\n'
    replaced = {"count = 4": "count = 2", "points = 1\n": checked, "deadline = 1.0": "deadline = 20.0"}
    again = make(submissions, quick=True, replace=replaced)
    together, alone = (graded(again, f"out-{workers}", "--workers", str(workers)) for workers in (2, 1))
    first, second = (without_time(made.results("raises")) for made in (together, alone))
    first["tests"][1].pop("output")  # the checks are made in other positions each time
    second["tests"][1].pop("output")
    assert first == second
    assert alone.scores("random")[:3] == [1, 2, 4]
    assert alone.scores("raises")[:3] == [1, 0, 0]


def without_time(results):
    tests = [test for test in results["tests"] if "ms on average" not in test["name"]]
    return results | {"execution_time": 0, "tests": tests}


def test_a_student_sees_the_public_part_in_the_same_words(klass, written, capfd):
    command = ["grade", "--self", str(klass), str(klass / "submissions" / "illegal.py"), "--sandbox", "plain"]
    capfd.readouterr()
    assert cli.run(command) == 1
    said = capfd.readouterr().out.splitlines()
    assert said[-2].startswith("1 of 63 points")
    assert said[-1].startswith("64 more points")  # of the test that is hidden

    def told(lines):  # the positions of the checks follow from a secret, which a student does not have
        kept = (line.strip() for line in lines if "See it again" not in line and "time: " not in line)
        return {line.split(", at guess")[0] for line in kept}

    for number in range(1, 6):
        assert told(written.output("illegal", number).splitlines()) <= told(said)


def test_gradescope_shows_students_figures_of_public_puzzles_only(written):
    store, entries = written.out / "store.sqlite", written.results("clever")["leaderboard"]
    with Store(store) as played:
        runs = [played.read(number) for number, _, _ in played.runs()]
    public = next(run for run in runs if run.facts.strategy == "clever" and run.facts.n_puzzles == 4)
    assert entries[0]["value"] == round(row_of(public).mean, 4)
    assert written.results("clever")["execution_time"] == round(public.seconds, 3)


def test_of_several_files_the_last_counts_in_class_and_at_home(make, text, graded):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(zipfile.ZipInfo("b.py", (2024, 1, 1, 0, 0, 0)), text(CLEVER))
        archive.writestr(zipfile.ZipInfo("a.py", (2025, 1, 1, 0, 0, 0)), text("return words[99]"))
    folder = make({"bob.zip": made.getvalue()}, quick=True, replace={"deadline = 1.0": "deadline = 20.0"})
    said = "2 files define register_strategies; the last, a.py, counts."
    written = graded(folder)
    assert said in written.page("bob")
    assert written.table().splitlines()[1].endswith(",crashed")
    grade = grade_self(read_assignment(folder), folder / "submissions" / "bob.zip", None)
    assert said in grade.notes
    assert grade.outcome == "crashed"


def test_an_unchanged_starter_next_to_a_file_of_ones_own_does_not_count(make, text, graded):
    own = {"ada/mine.py": text(CLEVER), "ada/starter.py": text(), "bob.py": text()}
    folder = make(own, quick=True, replace={"deadline = 1.0": 'starter = "starter.py"\ndeadline = 20.0'})
    written = graded(folder)
    assert [path.name for path in (written.out / "submissions" / "ada").rglob("*.py")] == ["mine.py"]
    command = ["grade", folder, folder / "submissions" / "ada", "--one", "-o", folder / "one", "--sandbox", "plain"]
    assert cli.run(list(map(str, command))) == 0
    assert [path.name for path in (folder / "one" / "submissions" / "ada").rglob("*.py")] == ["mine.py"]
    assert sum(written.scores("ada")) > sum(written.scores("bob")) > 0
    assert "register_strategies" not in written.table()


def test_regrading_plays_again_what_is_named(make, text, graded, monkeypatch):
    folder = make({"ada.py": text(), "Bob Ray.py": text("return words[-1]")}, quick=True)
    graded(folder)
    everyone = {"ada", "Bob Ray", "random-consistent", "first-consistent"}
    removed, played = set(), set()
    remove, add = Store.remove, Store.add

    def removing(store, run):
        removed.add(store.read(run).facts.strategy)
        remove(store, run)

    def adding(store, run, *given):
        add(store, run, *given)
        played.add(store.read(run).facts.strategy)

    monkeypatch.setattr(Store, "remove", removing)
    monkeypatch.setattr(Store, "add", adding)
    kept = {path: path.stat().st_mtime_ns for path in (folder / "out" / "kept").glob("*.json")}
    graded(folder, "out", "--regrade", "bob ray")
    assert removed == {"Bob Ray"}
    assert "Bob Ray" in played
    assert "ada" not in played
    assert sum(path.stat().st_mtime_ns != time for path, time in kept.items()) == 1
    graded(folder, "out", "--regrade", "all")
    assert removed == everyone
    assert played >= everyone
    assert all(path.stat().st_mtime_ns != time for path, time in kept.items())
