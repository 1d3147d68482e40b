"""Grading a class: points as counted by hand, what is kept, and what the teacher and the students read."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from classroom_texts import FIRST, RANDOM, source
from needs import needs_bubblewrap, needs_linux

import wordle_kit as wk
from wordle_kit import cli


def mean_by_hand(course, guess):
    """Return the mean number of guesses of a function of the words that are left, counted word by word."""
    game = wk.load_game(course / "class" / "tiny.toml")
    turns = []
    for answer in game.answers:
        position = wk.Position.start(game)
        while position.open_boards:
            word = guess(position)
            position = position.after(word, game.feedback(word, answer))
        turns.append(len(position.guess_ids))
    return sum(turns) / len(turns)


def test_points_are_those_of_a_count_by_hand(course, hand_in, grade):
    hand_in(bob=source())
    rows = grade()
    means = {
        "ada": mean_by_hand(
            course, lambda p: min(p.board.words, key=lambda w: max(map(len, p.board.split(w).values())))
        ),
        "bob": mean_by_hand(course, lambda p: p.board.words[0]),
    }
    for name, mean in means.items():
        assert float(rows[name]["guesses"]) == pytest.approx(mean, abs=1e-4)
        assert float(rows[name]["mean"]) == pytest.approx(16 * min(1, max(0, (4 - mean) / 2)), abs=0.01)
        assert [float(rows[name][kind]) for kind in ("loads", "conforms", "legal", "solves")] == [1, 2, 4, 8]
        assert float(rows[name]["points"]) == pytest.approx(15 + float(rows[name]["mean"]))
        assert rows[name]["of"] == "31.0"
    assert rows["bob"]["remark"] == "the starter, unchanged"


FAULTS = {
    "number": ("return 3", {"conforms", "legal", "solves", "mean"}, "returned 3"),
    "word": ("return 'zzz'", {"legal", "solves", "mean"}, "'zzz'"),
    "crash": ("1 / 0", {"legal", "solves", "mean"}, "zerodivisionerror: division by zero (crash.py, line 7)"),
    "loop": ("while True: pass", {"legal", "solves", "mean"}, "took more than 1 s"),
    "exit": ("import os; os._exit(3)", {"legal", "solves", "mean"}, "exit code 3"),
    "chance": ("import random; return random.choice(position.board.words)", {"conforms"}, "asked again"),
}


def test_a_fault_fails_the_tests_that_it_breaks_and_is_what_to_fix_first(course, hand_in, grade):
    hand_in(**{name: source(body) for name, (body, *_) in FAULTS.items()})
    rows = grade()
    for name, (_, failed, said) in FAULTS.items():
        kinds = ("loads", "conforms", "legal", "solves", "mean")
        assert {kind for kind in kinds if float(rows[name][kind]) == 0} == failed, name
        page = (course / "out" / "feedback" / f"{name}.md").read_text(encoding="utf-8")
        first = next(line for line in page.splitlines() if "What to fix first" in line)
        assert said in first.lower()


UNLOADABLE = {
    "nothing": ("x = 1", "no strategy"),
    "syntax": ("x = (", "SyntaxError"),
    "bundled": (
        source("return wk.load_strategy('entropy').guess(position)"),
        "load_strategy, which is forbidden",
    ),
    "imports": (source(head="import requests"), "imports requests"),
    "two": (source() + source().replace("Mine", "Other"), "2 strategies"),
    "exits": ("import os; os._exit(3)", "exit code 3"),
    "raises": ("raise KeyError('oh')", "raises.py, line 1"),
}


def test_what_does_not_load_gets_nothing_and_a_reason(hand_in, grade):
    hand_in(**{name: text for name, (text, _) in UNLOADABLE.items()})
    rows = grade()
    for name, (_, said) in UNLOADABLE.items():
        assert (rows[name]["points"], rows[name]["guesses"]) == ("0.0", "")
        assert said in rows[name]["remark"]


def test_an_exception_in_prepare_is_a_crash_of_each_play_with_a_reason(course, hand_in, grade):
    hand_in(bob=source() + "\n    def prepare(self, game):\n        raise ValueError('no')\n")
    row = grade()["bob"]
    assert (row["loads"], row["legal"]) == ("1.0", "0.0")
    page = (course / "out" / "feedback" / "bob.md").read_text(encoding="utf-8")
    assert "crashed: prepare: ValueError: no (bob.py, line " in page


def test_a_random_strategy_plays_draws_of_its_own(hand_in, grade, course):
    hand_in(bob=source(RANDOM, stochastic=True))
    row = grade()["bob"]
    assert row["conforms"] == "2.0"
    assert "random" in row["remark"]
    (kept,) = [
        result
        for path in (course / "out" / "cache").glob("*.json")
        if (result := json.loads(path.read_text()))["stochastic"]
    ]
    assert (len(kept["plays"]), kept["is_tree"]) == (2000, False)


def test_same_games_are_named_but_not_where_a_bundled_strategy_plays_so(hand_in, grade):
    own = "words = position.board.words; return words[len(words) // 2 if len(words) % 3 else -1]"
    hand_in(bob=source(own), eve=source(own + "  # mine"), zoe=source(FIRST + "  # changed"))
    rows = grade()
    assert "plays like eve (100%" in rows["bob"]["remark"]
    assert "nearest bundled: " in rows["bob"]["remark"]
    assert "plays like bob" in rows["eve"]["remark"]
    assert rows["zoe"]["remark"] == "plays like the starter"


def test_what_was_graded_is_not_played_again_unless_something_has_changed(course, hand_in, grade):
    log, path = course / "log.txt", course / "class" / "assignment.toml"
    for name in ("ada", "bob"):
        hand_in(**{name: f"open({str(log)!r}, 'a').write('{name} ')\n{source()}"})

    def played(*arguments):
        log.write_text("")
        return grade(*arguments), sorted(set(log.read_text().split()))

    assert played()[1] == ["ada", "bob"]
    assert played()[1] == []
    (course / "work" / "bob.py").write_text((course / "work" / "bob.py").read_text() + "# changed\n")
    assert played()[1] == ["bob"]
    assert played("--regrade", "ada")[1] == ["ada"]
    path.write_text(path.read_text().replace("points = 16", "points = 32"))
    rows, again = played()
    assert (rows["ada"]["of"], again) == ("47.0", [])
    path.write_text(path.read_text().replace("deadline = 1.0", "deadline = 2.0"))
    assert played()[1] == ["ada", "bob"]


def test_if_the_starter_cannot_be_played_nobody_is_graded(course, grade, capsys):
    (course / "class" / "starter.py").write_text("raise OSError('no disk')")
    grade(code=2)
    assert "nobody was graded, since the starter could not be played" in capsys.readouterr().err
    assert not (course / "out" / "grades.csv").exists()


def test_a_page_of_feedback_has_a_lost_game_and_how_to_see_it_again(course, hand_in, grade, monkeypatch, capsys):
    hand_in(bob=source("return 'aaa'"))
    grade()
    page = (course / "out" / "feedback" / "bob.md").read_text(encoding="utf-8")
    command = page.split("See it again: ")[1].splitlines()[0]
    monkeypatch.chdir(course / "class")
    (course / "class" / "bob.py").write_text(source("return 'aaa'"))
    capsys.readouterr()
    assert cli.run(command.split()[1:]) == 1
    assert "out of guesses" in capsys.readouterr().out


def test_one_prints_the_grade_of_ones_own_file_and_writes_nothing(course, monkeypatch, capsys):
    monkeypatch.chdir(course)
    before = sorted(course.rglob("*"))
    assert cli.run(["grade", "class", "work/ada.py"]) == 0
    out = capsys.readouterr().out
    assert "31 of 31 points" in out or "of 31 points" in out
    assert sorted(course.rglob("*")) == before
    (course / "work" / "ada.py").write_text(source("return 'zzz'"))
    assert cli.run(["grade", "class", "work/ada.py"]) == 1


def test_for_gradescope_one_folder_becomes_results_json(course, capsys):
    where = map(str, (course / "class", course / "work", "-o", course / "out"))
    assert cli.run(["grade", *where, "--gradescope", "--no-sandbox"]) == 0
    results = json.loads((course / "out" / "results.json").read_text())
    assert results["score"] == sum(test["score"] for test in results["tests"]) > 15
    assert {test["status"] for test in results["tests"]} <= {"passed", "failed"}


def test_without_bubblewrap_a_class_is_refused_and_ones_own_file_is_not(course, without_bubblewrap, capsys):
    work = course / "work"
    assert cli.run(["grade", str(course / "class"), str(work), "-o", str(course / "out")]) == 2
    assert "apt install bubblewrap" in capsys.readouterr().err
    assert cli.run(["grade", str(course / "class"), str(work / "ada.py")]) == 0


# Files of others


@pytest.mark.parametrize(
    ("work", "out"), [(".", "out"), ("work", "work"), ("work", "work/out"), ("work", "."), ("link", "work/out")]
)
def test_results_are_never_written_among_the_submissions_nor_around_them(course, monkeypatch, capsys, work, out):
    monkeypatch.chdir(course)
    (course / "link").symlink_to("work")
    before = {path: path.read_bytes() for path in course.rglob("*") if path.is_file()}
    assert cli.run(["grade", "class", work, "-o", out, "--no-sandbox"]) == 2
    assert "--output" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in course.rglob("*") if path.is_file()} == before


def test_the_results_are_these_files_and_others_stay_as_they_are(course, grade):
    own = [course / "out" / "notes.txt", course / "out" / "feedback" / "zoe.md", course / "out" / "cache" / "x.json"]
    for path in own:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("mine")
    handed_in = (course / "work" / "ada.py").read_bytes()
    grade()
    assert (course / "work" / "ada.py").read_bytes() == handed_in
    assert {path.read_text() for path in own} == {"mine"}
    names = {path.name for path in (course / "out").iterdir()}
    assert names == {"grades.csv", "leaderboard.md", "feedback", "cache", "notes.txt"}
    board = (course / "out" / "leaderboard.md").read_text(encoding="utf-8")
    assert [cell.strip() for cell in board.splitlines()[-1].split("|")][1:3] == ["1", "ada"]


LONG = "".join(f"elif len(position.board) == {i}: return position.board.words[0]\n" for i in range(400))[2:]
DEEP = f"if position.{'game.' * 900}answers: pass\n{FIRST}"


def test_a_class_gets_its_points_whatever_others_hand_in(course, hand_in, grade):
    hand_in(
        long=source(LONG + FIRST),
        deep=source(DEEP),
        nested=b"x = " + b"-" * 100_000 + b"1\n",
        brackets=b"x = " + b"(" * 3000 + b")" * 3000,
        wide=source().encode("utf-16"),
        nothing=b"\0",
        big=b"#" + b"x" * 10 * 2**20,
        tree=source().replace("Mine", "Tree"),
    )
    work = course / "work"
    (work / "link.py").symlink_to("/etc/passwd")
    os.mkfifo(work / "pipe.py")
    (work / "empty").mkdir()
    (work / "=cmd|calc.py").write_text(source())
    (work / "notes.txt").write_text("hello")
    rows = grade()
    assert rows["long"]["points"] == rows["tree"]["points"]
    assert "'=cmd|calc" in rows  # no spreadsheet takes it for a formula
    assert float(rows["long"]["points"]) > 15
    for name in ("nested", "brackets", "wide", "nothing", "big", "link", "pipe", "empty", "notes"):
        assert (rows[name]["points"], bool(rows[name]["remark"])) == ("0.0", True), name


# Interruptions, and real sandboxes


def processes_of(folder):
    """Return the commands of processes that name a folder."""
    commands = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            commands.append(path.read_bytes().replace(b"\0", b" ").decode(errors="replace"))
    return [command for command in commands if str(folder) in command]


@needs_linux
@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_interrupted_grading_goes_on_where_it_stopped(course, hand_in, grade, number):
    hand_in(
        **{
            f"s{i}": source(f"import time; time.sleep(0.05)\nreturn position.board.words[-{i % 2 + 1}:][0]")
            for i in range(8)
        }
    )
    command = [sys.executable, "-m", "wordle_kit", "grade", course / "class", course / "work", "-o", course / "out"]
    running = subprocess.Popen([*map(str, command), "--no-sandbox", "--workers", "2"], start_new_session=True)
    cache = course / "out" / "cache"
    for _ in range(600):
        if cache.is_dir() and len(list(cache.glob("*.json"))) > 2:
            break
        time.sleep(0.05)
    os.killpg(running.pid, number) if number == signal.SIGINT else running.kill()
    running.wait(20)
    for _ in range(200):
        if not processes_of(course):
            break
        time.sleep(0.05)
    assert not processes_of(course)
    kept = {path.name: path.stat().st_mtime_ns for path in cache.glob("*.json")}
    assert 2 < len(kept) < 10
    rows = grade()
    assert len(rows) == 9
    assert {name: (cache / name).stat().st_mtime_ns for name in kept if name in kept}.keys() == kept.keys()


@needs_bubblewrap
@pytest.mark.slow
def test_a_class_in_sandboxes_gets_the_same_grades_as_without(course, hand_in, grade):
    hand_in(
        bob=source(),
        bad=source("1 / 0"),
        exits="import os; os._exit(3)",
        eve=source("return open('/etc/passwd').read()"),
    )
    plain = grade()
    boxed = grade(sandbox=())
    for name in ("ada", "bob", "bad", "exits"):
        assert boxed[name] == plain[name]
    page = (course / "out" / "feedback" / "eve.md").read_text()
    assert "FileNotFoundError" in page


@needs_bubblewrap
@pytest.mark.slow
def test_a_class_of_hostile_files_ends_and_the_honest_one_gets_what_it_gets_alone(course, hand_in, grade):
    alone = grade(sandbox=())["ada"]
    bodies = {
        "forks": "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass",
        "fills": "kept = []\nwhile True: kept.append(bytearray(2**24))",
        "writes": "open('/tmp/x', 'wb').write(bytes(2**28))",
        "sleeps": "import time; time.sleep(600)",
        "prints": "while True: print('x' * 10000)",
        "kills": "import os; os.kill(-1, 9)",
        "segv": "import ctypes; ctypes.string_at(0)",
        "loops": "while True: pass",
    }
    hand_in(**{f"{name}{i}": source(body + f"\n# {i}") for i in range(5) for name, body in bodies.items()})
    rows = grade(sandbox=())
    assert len(rows) == 41
    assert {key: rows["ada"][key] for key in ("points", "guesses")} == {
        key: alone[key] for key in ("points", "guesses")
    }
    assert all(float(row["mean"]) == 0 for name, row in rows.items() if name != "ada")


@pytest.mark.slow
def test_notebooks_are_graded_and_errors_name_the_cell(course, grade):
    pytest.importorskip("IPython")
    cells = ["%matplotlib inline\nimport wordle_kit as wk", source("1 / 0").partition("\n\n")[2]]
    made = [{"cell_type": "code", "source": text} for text in cells]
    Path(course / "work" / "book.ipynb").write_text(json.dumps({"cells": made}))
    row = grade()["book"]
    assert row["loads"] == "1.0"
    assert "cell 2, line" in (course / "out" / "feedback" / "book.md").read_text()
