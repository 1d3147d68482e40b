"""`wordle-kit new game --items`: a folder with a game, made from a teacher's spreadsheet."""

import pytest

import wordle_kit as wk
from wordle_kit.cli import run as command

PLANETS = """planet,radius,rings,sort,all in,notes,größe cm
Venus,6052,no,rock,sun,hot,"1,5"
Earth,6371,no,rock,sun,home,2
Saturn,58232,yes,gas; ice,sun,large,3
Uranus,25362,yes,ice,sun,,4
"""


@pytest.fixture
def new(capsys, tmp_path, monkeypatch):
    """Return a function that makes a game from a file's text; it returns the exit code and what was printed."""
    monkeypatch.chdir(tmp_path)

    def new(content, *arguments, name="planets"):
        (tmp_path / "sheet.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
        code = command(["new", "game", name, "--items", "sheet.csv", *arguments])
        printed = capsys.readouterr()
        return code, printed.out.splitlines(), printed.err

    return new


def test_it_explains_each_column(new):
    code, out, err = new(PLANETS)
    assert (code, err) == (0, "")
    kinds = {column: said.split()[0].strip(",") for column, said in (line.split(": ", 1) for line in out[:6])}
    assert kinds == {
        "radius": "number",
        "rings": "category",
        "sort": "set",
        "all in": "ignored",
        "notes": "ignored",
        "größe cm": "category",
    }
    assert "'1,5'" in out[5], "which only looks like a number"


def test_the_game_can_be_played_and_its_kinds_changed(new, tmp_path):
    new(PLANETS)
    file = tmp_path / "planets" / "planets.toml"
    game = wk.load_game(file)
    assert (game.title, game.max_guesses, game.answers) == ("Planets", 6, ("venus", "earth", "saturn", "uranus"))
    assert game.feedback("Venus", "saturn").tiles == "radius↑  rings✗  sort✗  größe cm✗"
    file.write_text(
        file.read_text(encoding="utf-8").replace('notes = "ignore"', 'notes = "category"'), encoding="utf-8"
    )
    assert wk.load_game(file).feedback("Venus", "saturn").tiles == "radius↑  rings✗  sort✗  notes✗  größe cm✗"


@pytest.mark.slow
def test_an_assignment_on_the_game_has_its_files(new, tmp_path):
    new(PLANETS)
    assert command(["new", "assignment", "space", "--game", "planets/planets.toml"]) == 0
    made = tmp_path / "space"
    assert (made / "planets.csv").read_bytes() == PLANETS.encode()
    assert wk.load_game(made / "planets.toml").fingerprint == wk.load_game("planets/planets.toml").fingerprint


@pytest.mark.parametrize(
    ("content", "arguments", "message"),
    [
        (b"PK\x03\x04 and so on", [], "sheet.csv"),
        ("a,b\nGr\u00f6n,1\n".encode("cp1252"), [], "sheet.csv: line 2"),
        ("a,b\nx,1\n", [], "sheet.csv"),
        (PLANETS, ["--length", "5"], "--length"),
    ],
)
def test_a_mistake_is_one_line_and_nothing_is_written(new, tmp_path, content, arguments, message):
    code, out, err = new(content, *arguments)
    assert (code, out, err.count("\n")) == (2, [], 1)
    assert message in err.replace(f"{tmp_path}/", "")
    assert not (tmp_path / "planets").exists()
