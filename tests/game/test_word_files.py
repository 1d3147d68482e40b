"""Word files: one word per line, with line numbers in errors."""

import pytest

import wordle_kit as wk
from wordle_kit.game.word_files import read_word_file
from wordle_kit.game.words import Alphabet


def test_a_word_file_gives_its_words_with_their_line_numbers(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("# toys\nball\n\n  doll \n#cut\n#\nkite", encoding="utf-8")
    assert read_word_file(path) == [(2, "ball"), (4, "doll"), (7, "kite")]


@pytest.mark.parametrize("content", [b"\xef\xbb\xbfball\ndoll\n", b"ball\r\ndoll\r\n"], ids=["BOM", "CRLF"])
def test_a_word_file_may_come_from_windows(tmp_path, content):
    path = tmp_path / "words.txt"
    path.write_bytes(content)
    assert read_word_file(path) == [(1, "ball"), (2, "doll")]


def test_a_word_file_that_is_missing_is_an_error_with_its_path(tmp_path):
    with pytest.raises(wk.GameError, match=r"nowhere\.txt: cannot be read: No such file"):
        read_word_file(tmp_path / "nowhere.txt")


def test_a_word_file_that_is_a_folder_is_an_error(tmp_path):
    with pytest.raises(wk.GameError, match="cannot be read"):
        read_word_file(tmp_path)


def test_a_word_file_in_another_encoding_is_an_error_with_its_line(tmp_path):
    path = tmp_path / "words.txt"
    path.write_bytes("ball\npuppe\nbär\n".encode("latin-1"))
    with pytest.raises(wk.GameError, match=r"words\.txt: line 3: is not UTF-8"):
        read_word_file(path)


def test_lines_that_begin_with_a_hash_are_comments_unless_it_is_a_symbol(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("#no space\n# space\n#\n#a\nab\n")
    assert read_word_file(path) == [(5, "ab")]
    assert read_word_file(path, Alphabet("ab")) == [(5, "ab")]
    assert read_word_file(path, Alphabet("ab#")) == [(1, "#no space"), (4, "#a"), (5, "ab")]
