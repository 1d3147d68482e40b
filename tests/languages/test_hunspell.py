"""Dictionaries of Hunspell: words without flags, in the encoding of the .aff file."""

import pytest

import wordle_kit as wk
from wordle_kit.languages.hunspell import read_spelling


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a .dic file and an .aff file, and returns the path of the first."""

    def write(entries, settings=None, encoding="utf-8"):
        (tmp_path / "xx.dic").write_text(entries, encoding=encoding)
        if settings is not None:
            (tmp_path / "xx.aff").write_text(settings, encoding=encoding)
        return tmp_path / "xx.dic"

    return write


def test_words_are_without_flags_fields_and_the_line_with_their_number(write):
    path = write("4\nHaus/EPS\nkm\\/h\n\tA comment\ngehen/IX\tpo:verb\nsein  st:sein\n\nad hoc\n", "SET UTF-8\n")
    assert read_spelling(path) == ["Haus", "km/h", "gehen", "sein", "ad hoc"]


@pytest.mark.parametrize(
    ("named", "encoding", "word"),
    [("ISO8859-1", "latin-1", "über"), ("microsoft-cp1251", "cp1251", "слово"), ("ISO8859-2", "iso8859-2", "őz")],
)
def test_the_encoding_is_the_one_that_the_aff_file_names(write, named, encoding, word):
    assert read_spelling(write(f"1\n{word}/A\n", f"SET {named}\n", encoding)) == [word]


@pytest.mark.parametrize(
    ("settings", "entries"),
    [
        ("NEEDAFFIX h\nONLYINCOMPOUND o\nFORBIDDENWORD d\n", "gut/A\nstamm/hA\nfuge/Ao\nfalsch/d\n"),
        ("FLAG long\nNEEDAFFIX Zh\nFORBIDDENWORD dd\n", "gut/hZdA\nstamm/AAZh\nfalsch/dd\n"),
        ("FLAG num\nNEEDAFFIX 12\n", "gut/1,2\nstamm/1,12\n"),
        ("NEEDAFFIX h\nAF 2\nAF A # 1\nAF Ah # 2\n", "gut/1\nstamm/2\n"),
    ],
)
def test_entries_that_are_not_words_by_themselves_are_left_out(write, settings, entries):
    assert read_spelling(write(entries, f"SET UTF-8\n{settings}")) == ["gut"]


def test_a_dictionary_without_settings_is_utf_8(write):
    assert read_spelling(write("über/A\n")) == ["über"]


def test_text_in_another_encoding_is_an_error_with_its_line(write):
    path = write("2\ngut\nüber\n", "SET UTF-8\n", "latin-1")
    with pytest.raises(wk.GameError) as caught:
        read_spelling(path)
    aff = path.with_suffix(".aff")
    assert str(caught.value) == f"{path}: line 3: is not UTF-8 text; correct SET in {aff}, or convert the file to UTF-8"


def test_text_in_another_encoding_without_an_aff_file_is_an_error_that_asks_for_it(write):
    with pytest.raises(wk.GameError, match=r"is not UTF-8 text; put xx\.aff beside it, or convert the file to UTF-8"):
        read_spelling(write("2\ngut\nüber\n", None, "latin-1"))


def test_an_unknown_encoding_is_an_error(write):
    with pytest.raises(
        wk.GameError, match=r"xx\.aff: SET: no encoding is called 'KLINGON'; convert both files to UTF-8"
    ):
        read_spelling(write("1\ngut\n", "SET KLINGON\n"))


def test_a_file_that_cannot_be_read_is_an_error(tmp_path):
    with pytest.raises(wk.GameError, match=r"none\.dic: cannot be read: No such file"):
        read_spelling(tmp_path / "none.dic")
