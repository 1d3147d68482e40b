"""What may students import and name, in class and at home, and what can they grade at home?"""

import json
import zipfile

import pytest
from needs import needs_linux

from wordle_kit import cli
from wordle_kit.classroom.assignment import read_assignment
from wordle_kit.classroom.grade import grade_self


def notebook(code):
    """Return a notebook with one cell of code."""
    cell = {"cell_type": "code", "source": code.splitlines(keepends=True), "outputs": []}
    return json.dumps({"cells": [cell], "nbformat": 4, "metadata": {}})


@pytest.mark.slow
@needs_linux
def test_what_an_assignment_does_not_allow_is_said_in_one_line_in_class_and_at_home(make, text, graded, capfd):
    submissions = {
        "ada.py": f"import pydantic\n{text()}",
        "bob.py": text("import numpy as np\nreturn words[int(np.argmin([0, 1]))]"),
        "eve.py": text("return wk.load_strategy('entropy').guess(position)"),
        "zoe.py": text("return getattr(wk, 'load_' + 'strategy')('entropy').guess(position)"),
    }
    folder = make(submissions, quick=True, replace={'title = "Tiny"': 'title = "Tiny"\nforbid = ["load_strategy"]'})
    written = graded(folder)
    said = {
        "ada": "ada.py, line 1 imports pydantic",
        "eve": "eve.py, line 14 uses load_strategy",
    }
    for student, problem in said.items():
        assert problem in written.output(student, 0)
    assert written.scores("bob")[:2] == [1, 4]
    assert "zoe.py, line 14" in written.output("zoe", 1)
    assert written.scores("zoe") == [1, *[0] * 5]
    for student in (*said, "zoe"):
        capfd.readouterr()
        command = ["grade", "--self", folder, folder / "submissions" / f"{student}.py", "--sandbox", "plain"]
        assert cli.run(list(map(str, command))) == 1
        assert written.output(student, student == "zoe").splitlines()[0] in capfd.readouterr().out


def test_the_same_rules_hold_without_isolation(make, text):
    submissions = {
        "ada.py": f"import pydantic\n{text()}",
        "eve.py": text("return wk.load_strategy('entropy').guess(position)"),
        "zoe.py": text("return getattr(wk, 'load_' + 'strategy')('entropy').guess(position)"),
    }
    folder = make(submissions, quick=True, replace={'title = "Tiny"': 'title = "T"\nforbid = ["load_strategy"]'})
    for student, number, said in (("ada", 0, "pydantic"), ("eve", 0, "load_strategy"), ("zoe", 1, "load_strategy")):
        made = grade_self(read_assignment(folder), folder / "submissions" / f"{student}.py", None)
        assert said in made.scores[number].output


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ('allow = ["no_such_module"]', "allow"),
        ('allow = ["scipy.stats"]', "'scipy.stats'"),
        ('forbid = ["position"]', "starter"),
    ],
)
def test_rules_that_cannot_be_kept_are_refused_before_anyone_is_graded(make, text, capfd, setting, said):
    folder = make({"ada.py": text()}, replace={'title = "Tiny"': f'title = "Tiny"\n{setting}'})
    command = ["grade", folder, folder / "submissions", "--output", folder / "out", "--sandbox", "plain"]
    assert cli.run(list(map(str, command))) == 2
    assert said in capfd.readouterr().err


@pytest.mark.slow
@needs_linux
def test_students_grade_a_notebook_a_zip_and_a_folder_at_home(make, text, capfd, tmp_path):
    folder = make({}, quick=True)
    code = text("return words[99]")
    (tmp_path / "mine.ipynb").write_text(notebook(code))
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "player.py").write_text(code)
    with zipfile.ZipFile(tmp_path / "work.zip", "w") as archive:
        archive.writestr("work/player.py", code)
    for name, file in (("mine.ipynb", "mine.py"), ("work", "work/player.py"), ("work.zip", "player.py")):
        capfd.readouterr()
        assert cli.run(["grade", "--self", str(folder), str(tmp_path / name), "--sandbox", "plain"]) == 1
        said = capfd.readouterr()
        assert f"-p {tmp_path / file} " in said.out
    assert cli.run(["grade", "--self", str(folder), str(tmp_path / "notes.txt"), "--sandbox", "plain"]) == 2
