"""Submissions: which file is a student's, and what is refused, all without running any of it."""

import io
import zipfile

import pytest

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
