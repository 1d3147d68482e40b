"""Submissions: the file that counts is found, or the submission is refused, without running any of it."""

import contextlib
import io
import json
import os
import re
import sys
import tempfile
import unicodedata
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordle_kit.classroom.submissions import LARGEST, Unusable, code_of, collect, collect_one, ignored_in
from wordle_kit.errors import WordleKitError
from wordle_kit.files import write_file

GOOD = "import wordle_kit as wk\ndef register_strategies(register): ...\nraise SystemExit('it was run')\n"


def packed(files, **settings):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, **settings) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return made.getvalue()


def test_files_folders_and_zips_are_one_student_each(tmp_path):
    (tmp_path / "ada.py").write_text(GOOD)
    (tmp_path / "bob").mkdir()
    (tmp_path / "bob" / "deep").mkdir()
    (tmp_path / "bob" / "deep" / "solver.py").write_text(GOOD)
    (tmp_path / "bob" / "helper.py").write_text("x = 1")
    (tmp_path / "bob" / "test_solver.py").write_text("from solver import register_strategies")
    (tmp_path / "Eve O'Hara.zip").write_bytes(packed({"__MACOSX/._a.py": "junk", "a.py": GOOD, "notes.txt": "hi"}))
    (tmp_path / ".DS_Store").write_text("junk")
    (tmp_path / "grades.txt").write_text("nothing")
    found = {one.student: (one.file, one.problem) for one in collect(tmp_path)}
    assert found == {"ada": ("ada.py", ""), "bob": ("solver.py", ""), "Eve O_Hara": ("a.py", "")}


def test_a_single_file_and_a_folder_of_one_are_collected(tmp_path):
    (tmp_path / "ada.py").write_text(GOOD)
    assert collect(tmp_path / "ada.py")[0].text == GOOD.encode()
    assert collect_one(tmp_path).file == "ada.py"


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, ".py"),
        ({"a.py": "x = 1", "b.py": ""}, "register_strategies"),
        ({"../a.py": GOOD}, "'../a.py'"),
        ({"/etc/a.py": GOOD}, "'/etc/a.py'"),
        ({"x\\..\\..\\a.py": GOOD}, "outside its folder"),
        ({"a.py": b" " * (LARGEST + 1)}, "a.py"),
        ({"big.txt": b" " * (60 * 2**20)}, "more than"),
        ({f"{i}.txt": "" for i in range(2001)}, "more than"),
    ],
)
def test_a_zip_that_cannot_be_graded_says_why(tmp_path, files, said):
    path = tmp_path / "ada.zip"
    path.write_bytes(packed(files))
    (one,) = collect(tmp_path)
    assert said in one.problem
    assert one.text == b""


@pytest.mark.slow
@given(changes=st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), min_size=1, max_size=20))
@settings(max_examples=200)
def test_a_zip_with_any_bytes_changed_is_a_submission_or_says_why_not(changes):
    made = bytearray(packed({"a.py": GOOD, "b/c.py": "x = 1\n" * 20}))
    for place, value in changes:
        made[place % len(made)] = value
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ada.zip"
        path.write_bytes(bytes(made))
        one = collect_one(path)
    assert bool(one.problem) != bool(one.text or one.file)


@pytest.mark.parametrize("name", ["new\nline.py", "\x1b[31m.py", "y" * 200 + ".py"])
def test_a_name_that_cannot_be_shown_is_refused(tmp_path, name):
    (tmp_path / "ada.zip").write_bytes(packed({name: GOOD}))
    (tmp_path / name).write_text(GOOD)
    for one in collect(tmp_path):
        assert "cannot be displayed" in one.problem
        assert one.problem.isprintable()
        assert re.fullmatch(r"[\w .@+,-]{1,60}", one.student)


def test_links_are_refused(tmp_path):
    secret = tmp_path / "hidden.py"
    secret.write_text(GOOD)
    handed_in = tmp_path / "submissions"
    (handed_in / "bob").mkdir(parents=True)
    (handed_in / "bob" / "mine.py").symlink_to(secret)
    (handed_in / "ada.py").symlink_to(secret)
    assert ["is a link" in one.problem for one in collect(handed_in)] == [True, True]


def test_two_of_one_name_are_files_of_one_student(tmp_path):
    (tmp_path / "ADA.zip").write_bytes(packed({"a.py": GOOD}))
    (tmp_path / "ada.py").write_text(GOOD)
    (tmp_path / "bob.py").write_text(GOOD)
    os.utime(tmp_path / "ADA.zip", (2e9, 2e9))
    found = [(one.student, one.file, one.problem) for one in collect(tmp_path)]
    assert found == [("ADA", "ada.py", ""), ("ADA", "a.py", ""), ("bob", "bob.py", "")]


def test_the_last_of_several_files_is_that_of_the_latest_time_then_of_the_last_name(tmp_path):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, year in {
            "z.py": 2024,
            "mine-2.py": 2025,
            "mine-10.py": 2025,
            "mine.py": 2025,
            "test_a.py": 2026,
        }.items():
            archive.writestr(zipfile.ZipInfo(name, (year, 1, 1, 0, 0, 0)), f"{GOOD}# {name}")
    (tmp_path / "ada.zip").write_bytes(made.getvalue())
    assert [one.file for one in collect(tmp_path)] == ["z.py", "mine.py", "mine-2.py", "mine-10.py"]
    assert collect_one(tmp_path / "ada.zip").file == "mine-10.py"


def test_a_file_that_cannot_be_graded_does_not_count_if_another_can(tmp_path):
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "a.py").write_text(GOOD)
    (tmp_path / "ada" / "b.ipynb").write_text("register_strategies")
    (one,) = collect(tmp_path)
    assert (one.file, one.problem) == ("a.py", "")


def test_a_zip_in_the_folder_of_a_student_is_unpacked_with_its_files_in_order(tmp_path):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, year in {"a/new.py": 2025, "b/old.py": 2024}.items():
            archive.writestr(zipfile.ZipInfo(name, (year, 1, 1, 0, 0, 0)), f"{GOOD}# {name}")
    write_file(tmp_path / "Zo\u00eb OBrien_7_assignsubmission_file_" / "work.zip", made.getvalue(), make_folder=True)
    assert [(one.file, one.problem) for one in collect(tmp_path)] == [("old.py", ""), ("new.py", "")]


def test_composed_and_decomposed_accents_are_the_same_name(tmp_path):
    for form in ("NFC", "NFD"):
        (tmp_path / (unicodedata.normalize(form, "Zoë") + {"NFC": ".py", "NFD": ".zip"}[form])).write_text(GOOD)
    (one,) = collect(tmp_path)
    assert (one.student, one.problem) == ("Zoë", "")


def test_other_files_are_a_result_if_they_belong_to_a_student_and_ignored_otherwise(tmp_path):
    (tmp_path / "ada.py").write_text(GOOD)
    for name in ("nia.txt", "Bob Smith.pdf", "eve", "ada.txt", "README.md", "grades.txt", "roster.csv", ".DS_Store"):
        (tmp_path / name).write_text("x")
    (tmp_path / "__MACOSX").mkdir()
    assert {one.student: bool(one.problem) for one in collect(tmp_path)} == {
        "ada": False,
        "nia": True,
        "Bob Smith": True,
        "eve": True,
    }
    ignored = {one.name for one in ignored_in(tmp_path)}
    assert ignored == {"ada.txt", "README.md", "grades.txt", "roster.csv", ".DS_Store", "__MACOSX"}


# Submissions that would delay or end the grading


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
@pytest.mark.parametrize("name", ["ada.zip", "ada.py", "ada.ipynb", "ada/solver.py"])
def test_a_pipe_is_refused_immediately(tmp_path, name):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    os.mkfifo(tmp_path / name)
    (one,) = collect(tmp_path)
    assert Path(name).name in one.problem


def test_a_folder_that_is_a_link_is_refused(tmp_path):
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "a.py").write_text(GOOD)
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "ada").symlink_to(tmp_path / "secret")
    (one,) = collect(tmp_path / "class")
    assert "is a link" in one.problem


def test_a_folder_of_many_files_is_refused(tmp_path):
    (tmp_path / "ada").mkdir()
    for number in range(2001):
        (tmp_path / "ada" / f"{number}.txt").touch()
    assert "2,000" in collect(tmp_path)[0].problem


def test_a_file_that_cannot_be_read_is_that_students_result(tmp_path, monkeypatch):
    (tmp_path / "ada.py").write_text(GOOD)
    (tmp_path / "bob.py").write_text(GOOD)
    usual = os.open

    def refuse(path, *arguments, **settings):
        if str(path).endswith("ada.py"):
            raise PermissionError(13, "Permission denied")
        return usual(path, *arguments, **settings)

    monkeypatch.setattr(os, "open", refuse)
    assert [bool(one.problem) for one in collect(tmp_path)] == [True, False]


NAMES = st.one_of(
    st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=12).map(
        os.fsencode
    ),
    st.binary(min_size=1, max_size=12).filter(lambda name: b"/" not in name and b"\0" not in name),
    st.sampled_from(
        [b"ada", b"Ada", b"ADA", "Zo\u00eb".encode(), "Zoe\u0308".encode(), b"a:b", b"a;b", b"=1", b"-x", b"\xff"]
    ),
).filter(lambda name: name not in (b".", b".."))
ENDINGS = st.sampled_from([b"", b".py", b".PY", b".zip", b".ipynb", b".txt", b".csv", b".tar.gz"])
MAKERS = {
    "file": lambda path: path.write_text(GOOD),
    "empty": lambda path: path.touch(),
    "zip": lambda path: path.write_bytes(packed({"a.py": GOOD})),
    "folder": lambda path: (path.mkdir(), (path / "a.py").write_text(GOOD)),
    "empty folder": lambda path: path.mkdir(),
    "pipe": lambda path: os.mkfifo(path),
    "link": lambda path: path.symlink_to("nothing"),
    "loop": lambda path: path.symlink_to(path.name),
}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="names of files that are not Unicode are Linux's")
@given(st.lists(st.tuples(NAMES, ENDINGS, st.sampled_from(list(MAKERS))), min_size=1, max_size=8))
@settings(max_examples=60, deadline=None)
def test_any_folder_of_submissions_is_collected_and_no_student_is_missing(entries):
    with tempfile.TemporaryDirectory() as folder:
        for name, ending, kind in entries:
            path = Path(folder) / os.fsdecode(name + ending)
            if not os.path.lexists(path):
                MAKERS[kind](path)
        there = sorted(Path(folder).iterdir())
        ignored = ignored_in(Path(folder))
        try:
            found = collect(Path(folder))
        except WordleKitError:
            found = []
        assert bool(found) or len(ignored) == len(there)
        assert len(found) + len(ignored) <= len(there)
        names = [path.name if path.is_dir() else path.stem for path in there]
        several = len(names) - len({unicodedata.normalize("NFC", name).casefold() for name in names})
        assert len({one.student for one in found}) + len(ignored) + several >= len(there)
        assert len({one.student.casefold() for one in found}) == len({one.student for one in found})
        for one in found:
            assert re.fullmatch(r"[\w .@+,-]{1,60}", one.student)
            assert one.student[0] not in "-+=@. "
            assert one.problem.isprintable()
            assert bool(one.problem) != bool(one.file)
            assert not one.file or re.fullmatch(r"[^/]+\.py", one.file)
            write_file(Path(folder) / ".out" / one.student / (one.file or "x"), one.text, make_folder=True)


# Notebooks


def notebook(*cells, **changes):
    """Return a notebook of code cells; a text beginning with # is Markdown."""
    made = [
        {
            "cell_type": "markdown" if cell.startswith("#") else "code",
            "source": cell.splitlines(keepends=True),
            "outputs": [],
        }
        for cell in cells
    ]
    return json.dumps({"cells": made, "nbformat": 4, "metadata": {}} | changes)


REGISTERING = "@wk.hookimpl\ndef register_strategies(register):\n    register(Mine())"


def test_a_notebook_is_the_code_of_the_cell_that_registers(tmp_path):
    whole = f"import wordle_kit as wk\n%matplotlib inline\n!pip install x\nif x:\n    %time f()\n{REGISTERING}"
    (tmp_path / "zoe.ipynb").write_text(notebook("# register_strategies", "1 / 0", whole, "wk.tournament()"))
    (one,) = collect(tmp_path)
    assert (one.student, one.file, one.problem) == ("zoe", "zoe.py", "")
    code = one.text.decode()
    assert "1 / 0" not in code
    assert "wk.tournament" not in code
    assert "\npass  # %matplotlib inline\npass  # !pip install x\nif x:\n    pass  # %time f()\n@wk" in code
    compile(code, "zoe.py", "exec")


def test_the_cells_before_come_first_if_the_one_that_registers_needs_them(tmp_path):
    cells = ("import wordle_kit as wk", "%%bash\nrm -rf /", "%%time\nx = 10 % 3", "wk.Strategy?", REGISTERING, "1 / 0")
    (tmp_path / "zoe.ipynb").write_text(notebook(*cells))
    (one,) = collect(tmp_path)
    assert one.text.decode() == (
        "import wordle_kit as wk\n\npass  # %%time\nx = 10 % 3\n\npass  # wk.Strategy?\n\n" + REGISTERING + "\n"
    )


def test_notebooks_are_found_in_folders_and_zips_too(tmp_path):
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "mine.ipynb").write_text(notebook(REGISTERING))
    (tmp_path / "ada" / "helper.py").write_text("x = 1")
    (tmp_path / "bob.zip").write_bytes(packed({"mine.ipynb": notebook(REGISTERING), ".ipynb_checkpoints/m.ipynb": "x"}))
    assert [(one.file, one.problem) for one in collect(tmp_path)] == [("mine.py", "")] * 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (notebook("x = 1"), "register_strategies"),
        (notebook(REGISTERING, REGISTERING), "2"),
        ("not JSON", "not a notebook"),
        ("[" * 100_000, "not a notebook"),
        (json.dumps({"worksheets": []}), "version 4"),
        (json.dumps({"cells": [{"cell_type": "code", "source": [1]}]}), "version 4"),
        (notebook(REGISTERING + " " * 2**20), "1,048,576"),
    ],
)
def test_a_notebook_without_a_strategy_says_why(tmp_path, text, said):
    (tmp_path / "zoe.ipynb").write_text(text)
    (one,) = collect(tmp_path)
    assert one.problem.startswith("zoe.ipynb")
    assert said in one.problem


CELLS = st.recursive(
    st.none() | st.integers() | st.text(max_size=5) | st.just(REGISTERING),
    lambda some: st.lists(some) | st.dictionaries(st.sampled_from(["cells", "cell_type", "source"]), some),
)


@given(CELLS)
def test_any_json_is_a_notebook_or_says_why_not(value):
    with contextlib.suppress(Unusable):
        code_of(json.dumps({"cells": value} if isinstance(value, list) else value).encode()).decode()


def test_none_at_all_is_refused(tmp_path):
    with pytest.raises(WordleKitError, match=re.escape(str(tmp_path))):
        collect(tmp_path)
