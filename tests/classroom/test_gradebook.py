"""A class that is graded with a roster, due times and overrides."""

import csv
import io
import json
import sys

import pytest

from wordle_kit import cli


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="isolation needs Linux")
def test_grading_again_with_a_roster_times_and_overrides_says_what_changed(make, text, graded, capfd):
    settings = 'roster = "roster.csv"\ndue = 2026-03-01T12:00:00+00:00\nlate = 3\ntimes = "times.csv"\n'
    folder = make(
        {"ada.py": text(), "zoe.py": text("return words[99]")},
        quick=True,
        replace={"deadline = 1.0": f"{settings}deadline = 1.0"},
    )
    (folder / "roster.csv").write_text("name\nada\nbob\n")
    (folder / "times.csv").write_text("name,time\nada,2026-03-02T11:00:00+00:00\n")
    first = graded(folder)
    said = capfd.readouterr()
    assert "wordle-kit: not on the roster: zoe" in said.err
    assert "Changed" not in said.out
    rows = {row["name"]: row for row in csv.DictReader(io.StringIO(first.table()))}
    assert set(rows) == {"ada", "bob", "zoe"}
    assert (rows["bob"]["score"], rows["bob"]["outcome"]) == ("0.0", "handed in nothing")
    assert "Nothing was handed in." in first.page("bob")
    assert rows["ada"]["adjustment"] == "-3.0"
    assert first.results("ada")["score"] == sum(first.scores("ada")) - 3
    assert "(not on the roster)" in rows["zoe"]["remarks"]
    assert "not on the roster" not in first.page("zoe")
    assert json.loads((first.out / "statistics.json").read_text())["students"] == 3

    (folder / "overrides.csv").write_text("name,points,reason\nada,100,appeal granted\nnobody,1,why\n")
    again = graded(folder, "out", "--overrides", folder / "overrides.csv")
    said = capfd.readouterr()
    assert f"{folder}/overrides.csv: line 3: there is no grade for this name" in said.err
    assert "Changed since the last grading:" in said.out
    (change,) = csv.DictReader(io.StringIO((again.out / "changes.csv").read_text()))
    assert (change["name"], change["after"]) == ("ada", "100.0")
    assert "appeal granted" in again.page("ada")


def test_mistakes_in_the_teachers_tables_end_the_command_before_anything_is_played(make, tmp_path, capfd):
    folder = make({"ada.py": "import wordle_kit"})
    (tmp_path / "roster.csv").write_text("who\nada\n")
    capfd.readouterr()
    command = ["grade", folder, folder / "submissions", "--out", tmp_path / "out", "--sandbox", "plain"]
    assert cli.run(list(map(str, [*command, "--roster", tmp_path / "roster.csv"]))) == 2
    assert "roster.csv: line 1: there is no column 'name'" in capfd.readouterr().err
    assert not (tmp_path / "out").exists()
