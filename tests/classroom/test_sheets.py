"""The teacher's tables: what spreadsheets write, and tables that cannot be read."""

import pytest

from wordle_kit.classroom.roster import read_roster
from wordle_kit.errors import WordleKitError


@pytest.mark.parametrize(("delimiter", "mark"), [(",", ""), (";", "\ufeff"), ("\t", "")])
def test_tables_may_be_as_spreadsheets_write_them(sheet, delimiter, mark):
    text = mark + delimiter.join(["NAME ", "group"]) + "\r\n" + delimiter.join([" ada", "1"]) + "\r\n"
    assert read_roster(sheet(text)) == ("ada",)


def test_a_table_that_cannot_be_read_is_an_error(tmp_path):
    with pytest.raises(WordleKitError, match=r"gone\.csv: cannot be read"):
        read_roster(tmp_path / "gone.csv")
    (tmp_path / "latin.csv").write_bytes(b"name\nJ\xfcrgen\n")
    with pytest.raises(WordleKitError, match=r"latin\.csv: is not UTF-8"):
        read_roster(tmp_path / "latin.csv")
