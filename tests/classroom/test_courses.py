"""Course systems: fixtures reproduce the names, metadata and times of four of them."""

import csv
import io
import json
import os
import shutil
import subprocess
from datetime import datetime

import pytest
from needs import needs_linux

from wordle_kit import cli
from wordle_kit.classroom.courses import BOM, collect_from, exported, read_metadata
from wordle_kit.classroom.gradebook import compared
from wordle_kit.classroom.roster import read_roster

GOOD = "import wordle_kit as wk\ndef register_strategies(register): ...\n"


@pytest.fixture
def download(tmp_path):
    """Return a function that writes a folder as a course system makes it."""

    def download(files, name="download"):
        for path, text in files.items():
            (tmp_path / name / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name / path).write_text(text, encoding="utf-8")
        return tmp_path / name

    return download


def found(course, roster=None):
    """Return the student, the files and the problems of each submission."""
    return [(one.student, one.file or one.problem) for one in course.submissions(roster)]


# Canvas


def test_canvas_names_files_after_students_without_spaces_and_marks(download, sheet):
    folder = download(
        {
            "obrienzo\u00eb_LATE_501_9001_mine.py": GOOD,
            "obrienzo\u00eb_LATE_501_9002_mine-1.py": GOOD + "# second\n",
            "obrienzo\u00eb_LATE_501_9000_helper.py": "x = 1",
            "liada_502_9003_idea.py": GOOD,
            "LATE_anon_x7Gq2_9004_idea.py": GOOD,
            "raybob_504_text.html": "<p>hello</p>",
            "notes.txt": "mine",
        }
    )
    course = collect_from("canvas", folder)
    roster = read_roster(sheet('name\nZo\u00eb O\'Brien\n"Li, Ada"\nBob Ray\n'))
    assert found(course, roster) == [
        ("anon_x7Gq2", "idea.py"),
        ("Li, Ada", "idea.py"),
        ("Zo\u00eb O_Brien", "mine.py"),
        ("Zo\u00eb O_Brien", "mine-1.py"),
        ("Bob Ray", "text.html is not a .py file, a notebook, a folder or a .zip"),
    ]
    assert [one.name for one in course.ignored] == ["notes.txt"]
    assert course.times(roster).late == {"zo\u00eb o_brien", "anon_x7gq2"}
    assert [student for student, _ in found(course)][:2] == ["anon_x7Gq2", "liada"]


# Moodle


WORKSHEET = (
    "\ufeffIdentifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,"
    "Last modified (submission),Last modified (grade),Feedback comments\n"
    "Participant 1234567,Zo\u00eb O'Brien,z@x.org,Submitted for grading - ,,100.00,Yes,"
    '"Monday, 2 March 2026, 2:14 PM",-,\n'
    "Participant 1234568,Ada Li,a@x.org,No submission - ,,100.00,Yes,-,-,\n"
)


@pytest.mark.parametrize("ending", ["_assignsubmission_file_/mine.py", "_assignsubmission_file/mine.py"])
def test_moodle_names_folders_after_students_and_the_worksheet_has_the_times(download, sheet, ending):
    folder = download(
        {
            f"Zo\u00eb OBrien_1234567{ending}": GOOD,
            "Zo\u00eb OBrien_1234567_assignsubmission_onlinetext_/onlinetext.html": "<p>hello</p>",
            "Participant 99_99_assignsubmission_onlinetext_/onlinetext.html": "<p>only this</p>",
        }
    )
    course, roster = collect_from("moodle", folder), read_roster(sheet(WORKSHEET))
    assert found(course, roster) == [("Participant 99", "its files are missing"), ("Zo\u00eb O_Brien", "mine.py")]
    assert dict(course.times(roster).handed_in) == {"zo\u00eb o_brien": datetime(2026, 3, 2, 14, 14)}


# Gradescope


METADATA = """---
submission_8001:
  :submitters:
  - :name: Zo\u00eb O'Brien
    :sid: '0501'
    :email: z@x.org
  :created_at: 2026-03-01 23:59:01.861687000 Z
  :score: 2.0
  :status: processed
  :results:
    score: 2.0
    output: |-
      submission_9999:
        :submitters:
        - :name: Nobody
    tests:
    - name: 'It''s a test'
  :history:
  - :id: 7999
    :created_at: 2026-02-01 10:00:00.000000000 Z
submission_8002:
  :submitters:
  - :name: "Bob \\"B\\" Ray"
    :sid:
    :email: b@x.org
  - :name: 'D''Arcy: Eve'
    :sid: 503
    :email: e@x.org
  :created_at: 2026-03-02 09:00:00 -05:00
submission_8003:
  :submitters: []
"""


def test_gradescopes_metadata_has_names_numbers_and_times(download, sheet):
    folder = download(
        {
            "submission_metadata.yml": METADATA,
            "submission_8001/mine.py": GOOD,
            "submission_8002/mine.py": GOOD,
            "extra.txt": "",
        }
    )
    course, roster = collect_from("gradescope", folder), read_roster(sheet('name,sid\n"O\'Brien, Zo\u00eb",0501\n'))
    assert found(course, roster) == [
        ("O_Brien, Zo\u00eb", "mine.py"),
        ("Bob _B_ Ray", "mine.py"),
        ("D_Arcy_ Eve", "mine.py"),
        ("submission_8003", "its files are missing"),
    ]
    times = course.times(roster).handed_in
    assert times["o_brien, zo\u00eb"].isoformat() == "2026-03-01T23:59:01.861687+00:00"
    assert times["d_arcy_ eve"].isoformat() == "2026-03-02T09:00:00-05:00"
    assert [one.name for one in course.ignored] == ["extra.txt"]
    assert [dict(who) for who in read_metadata(folder / "submission_metadata.yml")["submission_8002"].submitters][
        1
    ] == {
        "name": "D'Arcy: Eve",
        "sid": "503",
        "email": "e@x.org",
    }


# GitHub Classroom


@pytest.fixture
def clones(tmp_path):
    """Return a function that writes clones of repositories with one commit at a time, by their names."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")

    def clones(times, folder="hw-1-submissions"):
        for name, time in times.items():
            place = tmp_path / folder / name
            place.mkdir(parents=True)
            (place / "mine.py").write_text(GOOD)
            who = {f"GIT_{role}_{part}": f"{role}@x" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}
            dates = {"GIT_AUTHOR_DATE": time, "GIT_COMMITTER_DATE": time}
            for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
                subprocess.run(["git", *command], cwd=place, env={**os.environ, **who, **dates}, check=True)
        return tmp_path / folder

    return clones


@pytest.mark.slow
def test_clones_are_called_after_the_assignment_and_the_account(clones, sheet):
    folder = clones({"hw-1-zo-bo": "2026-03-01T23:59:01+01:00", "hw-1-ada": "2026-03-02T00:00:00-05:00"})
    roster = read_roster(sheet("identifier,github_username,github_id,name\nZo\u00eb O'Brien,Zo-Bo,1,\n"))
    course = collect_from("github", folder)
    assert found(course, roster) == [("ada", "mine.py"), ("Zo\u00eb O_Brien", "mine.py")]
    times = {name: time.isoformat() for name, time in course.times(roster).handed_in.items()}
    assert times == {"ada": "2026-03-02T00:00:00-05:00", "zo\u00eb o_brien": "2026-03-01T23:59:01+01:00"}


# Exports


def rows_of(text):
    assert text.startswith(BOM)
    return list(csv.reader(io.StringIO(text.removeprefix(BOM), newline="")))


def test_canvas_gets_its_own_numbers_back(grade, sheet, two_tests):
    roster = read_roster(
        sheet(
            "Student,ID,SIS User ID,SIS Login ID,Section,Letters (77)\n    Points Possible,,,,,40\n"
            '"O\'Brien, Zo\u00eb",501,u501,zoe,A,\n"Ray, Bob",502,u502,bob,A,\n'
        )
    )
    made = compared([grade("O_Brien, Zo\u00eb", 1, 0.5)], roster, two_tests)
    assert rows_of(exported("canvas", made, "Letters")) == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Letters (77)"],
        ["    Points Possible", "", "", "", "", "40"],
        ["O'Brien, Zo\u00eb", "501", "u501", "zoe", "A", "25"],
        ["Ray, Bob", "502", "u502", "bob", "A", "0"],
    ]


def test_moodles_worksheet_is_filled_in(grade, sheet, two_tests):
    made = compared([grade("Zo\u00eb O_Brien", 1, 0.5)], read_roster(sheet(WORKSHEET)), two_tests)
    header, *rows = rows_of(exported("moodle", made, "Letters"))
    assert header == WORKSHEET.removeprefix(BOM).splitlines()[0].split(",")
    assert [(row[0], row[4], row[8]) for row in rows] == [
        ("Participant 1234568", "0", "-"),
        ("Participant 1234567", "25", "-"),
    ]


@pytest.mark.slow
@needs_linux
def test_a_download_of_canvas_is_graded_and_exported(make, text, download, tmp_path):
    folder = make(quick=True, replace={"deadline = 1.0": "due = 2026-03-01T12:00:00\nlate = 3\ndeadline = 1.0"})
    handed_in = download(
        {
            "obrienzo\u00eb_LATE_501_9001_mine.py": text(),
            "liada_502_9003_idea.py": text(),
            "raybob_503_9004_left.py": text("return words[-1]"),
        }
    )
    (tmp_path / "roster.csv").write_text(
        'Student,ID,Section,status\n"O\'Brien, Zo\u00eb",501,A,\n"Li, Ada",502,A,\n"Ray, Bob",503,A,withdrawn\n'
    )
    command = ["grade", folder, handed_in, "--from", "canvas", "--export", "canvas", "--output", tmp_path / "out"]
    command += ["--roster", tmp_path / "roster.csv", "--sandbox", "plain", "--workers", 1]
    assert cli.run(list(map(str, command))) == 0
    rows = list(csv.DictReader((tmp_path / "out" / "grades.csv").read_text().splitlines()))
    assert [(row["name"], row["rank"]) for row in rows] == [
        ("Li, Ada", "1"),
        ("O'Brien, Zo\u00eb", "1"),
        ("Ray, Bob", ""),
    ]
    assert "marks it as late" in rows[1]["remarks"]
    board = json.loads((tmp_path / "out" / "leaderboard.json").read_text())["rows"]
    on_it = {row["strategy"] for row in board if not row["strategy"].startswith("(")}
    assert on_it == {"Li, Ada", "O'Brien, Zo\u00eb"}
    page = (tmp_path / "out" / "teacher.html").read_text(encoding="utf-8")
    assert "Zo\u00eb" in page
    assert "Ray, Bob" not in page
    assert "Ray, Bob" not in (tmp_path / "out" / "leaderboard.md").read_text()
    assert rows_of((tmp_path / "out" / "canvas.csv").read_text())[3][-1] == f"{float(rows[1]['score']):g}"
    assert cli.run([*map(str, command), "--export", "blackboard"]) == 2
