"""Files are written whole or not at all."""

import pytest

from wordle_kit.errors import WordleKitError
from wordle_kit.files import replacing, write_file


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


def test_folders_are_made_only_on_request(tmp_path):
    path = tmp_path / "grades" / "results" / "ann.json"
    with pytest.raises(WordleKitError, match=r"ann\.json"):
        write_file(path, "{}")
    write_file(path, "{}", make_folder=True)
    assert path.read_text() == "{}"
