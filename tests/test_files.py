"""Files are written whole or not at all."""

import os

import pytest

from wordle_kit.errors import WordleKitError
from wordle_kit.files import private_folder, replacing, write_file


def test_a_file_is_replaced_and_no_other_file_is_left(tmp_path):
    path = tmp_path / "page.html"
    for text in ("old", "new"):
        write_file(path, text)
        assert path.read_text() == text
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_half_way_leaves_the_old_file(tmp_path):
    path = tmp_path / "table.csv"
    write_file(path, "old")

    def write_half():
        with replacing(path) as file:
            file.write(b"half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write_half()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link_and_a_file_keeps_its_permissions(tmp_path):
    path, link = tmp_path / "secret.txt", tmp_path / "link"
    path.write_text("old")
    path.chmod(0o600)
    link.symlink_to(path)
    write_file(link, "new")
    assert link.is_symlink()
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == 0o600


def test_devices_and_pipes_are_written_to_directly(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_file(pipe, "text")
    assert os.read(reader, 10) == b"text"
    os.close(reader)
    assert pipe.is_fifo()


def test_folders_are_made_only_on_request(tmp_path):
    path = tmp_path / "grades" / "results" / "ann.json"
    with pytest.raises(WordleKitError, match=r"ann\.json: cannot be written: No such file or directory"):
        write_file(path, "{}")
    write_file(path, "{}", make_folder=True)
    assert path.read_text() == "{}"


def test_text_without_a_utf_8_form_is_escaped(tmp_path):
    write_file(tmp_path / "a", "half a pair: \ud800")
    assert (tmp_path / "a").read_text() == r"half a pair: \ud800"


def test_a_private_folder_is_for_its_owner_and_one_that_exists_stays_as_it_is(tmp_path):
    private_folder(tmp_path / "course" / "teacher")
    assert (tmp_path / "course" / "teacher").stat().st_mode & 0o777 == 0o700
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o755)
    private_folder(tmp_path / "shared")
    assert (tmp_path / "shared").stat().st_mode & 0o777 == 0o755
    (tmp_path / "file").touch()
    with pytest.raises(WordleKitError, match="file: cannot be made: File exists"):
        private_folder(tmp_path / "file")
