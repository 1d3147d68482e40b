"""Submissions: which file is a student's, and what is refused, all without running any of it."""

import io
import re
import tempfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordle_kit.classroom.files import write
from wordle_kit.classroom.submissions import LARGEST, collect, collect_one
from wordle_kit.errors import WordleKitError

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


def test_one_by_itself(tmp_path):
    (tmp_path / "ada.py").write_text(GOOD)
    assert collect(tmp_path / "ada.py")[0].text == GOOD.encode()
    assert collect_one(tmp_path).file == "ada.py"


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "there is no .py file in it"),
        ({"a.py": "x = 1", "b.py": ""}, "none of its files has register_strategies: a.py, b.py"),
        ({"a.py": GOOD, "b/c.py": GOOD}, "several files have register_strategies: a.py, b/c.py"),
        ({"../a.py": GOOD}, "outside of its folder, '../a.py'"),
        ({"/etc/a.py": GOOD}, "outside of its folder"),
        ({"x\\..\\..\\a.py": GOOD}, "outside of its folder"),
        ({"a.py": b" " * (LARGEST + 1)}, "a.py has more than 1,048,576 bytes"),
        ({"big.txt": b" " * (60 * 2**20)}, "the zip holds more than"),
        ({f"{i}.txt": "" for i in range(2001)}, "the zip holds more than"),
    ],
)
def test_a_zip_that_cannot_be_graded_is_told_why(tmp_path, files, said):
    path = tmp_path / "ada.zip"
    path.write_bytes(packed(files))
    (one,) = collect(tmp_path)
    assert said in one.problem
    assert one.text == b""


def test_a_zip_whose_sizes_are_lies_is_refused(tmp_path):
    made = packed({"a.py": b" " * 5000})
    path = tmp_path / "ada.zip"
    path.write_bytes(made.replace((5000).to_bytes(4, "little"), (10).to_bytes(4, "little")))
    assert "cannot be unpacked" in collect_one(path).problem or len(collect_one(path).text) <= 10


@pytest.mark.parametrize("how", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_a_zip_that_is_packed_in_a_rare_way_is_refused(tmp_path, how):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", how) as archive:
        archive.writestr("a.py", GOOD)
    (tmp_path / "ada.zip").write_bytes(made.getvalue())
    assert "not packed in a usual way" in collect_one(tmp_path / "ada.zip").problem


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
        assert "cannot be shown" in one.problem
        assert one.problem.isprintable()
        assert re.fullmatch(r"[\w .@+,-]{1,60}", one.student)


def test_the_longest_name_of_a_student_can_be_the_name_of_a_file(tmp_path):
    (tmp_path / ("\N{MATHEMATICAL BOLD SMALL A}" * 62)).mkdir()
    (student,) = (one.student for one in collect(tmp_path))
    write(tmp_path / "feedback" / f"{student}.md", "page")
    assert (tmp_path / "feedback" / f"{student}.md").read_text() == "page"


def test_long_names_that_begin_alike_stay_apart(tmp_path):
    for last in "ab":
        (tmp_path / f"{'x' * 80}{last}.py").write_text(GOOD)
    first, second = (one.student for one in collect(tmp_path))
    assert first != second
    assert max(len(first), len(second)) <= 60


@pytest.mark.parametrize("text", ["x = 1", GOOD])
def test_no_name_in_a_zip_tells_a_terminal_what_to_do(tmp_path, text):
    (tmp_path / "ada.zip").write_bytes(packed({"\x1b]0;title\x07a.py": text, "b.py": text}))
    (one,) = collect(tmp_path)
    assert "title" in one.problem
    assert one.problem.isprintable()


def test_links_are_refused(tmp_path):
    secret = tmp_path / "hidden.py"
    secret.write_text(GOOD)
    handed_in = tmp_path / "submissions"
    (handed_in / "bob").mkdir(parents=True)
    (handed_in / "bob" / "mine.py").symlink_to(secret)
    (handed_in / "ada.py").symlink_to(secret)
    assert [one.problem for one in collect(handed_in)] == [
        "ada.py is a link; hand in the file itself",
        "mine.py is a link; hand in the file itself",
    ]


def test_names_can_mean_nothing_in_a_table(tmp_path):
    (tmp_path / "=cmd().py").write_text(GOOD)
    assert collect(tmp_path)[0].student == "_cmd__"


def test_two_of_one_name_are_refused(tmp_path):
    (tmp_path / "ada.py").write_text(GOOD)
    (tmp_path / "ada.zip").write_bytes(packed({"a.py": GOOD}))
    with pytest.raises(WordleKitError, match=r"ada\.py and ada\.zip have one student's name"):
        collect(tmp_path)


def test_none_at_all_is_refused(tmp_path):
    with pytest.raises(WordleKitError, match="no submissions are in it"):
        collect(tmp_path)
