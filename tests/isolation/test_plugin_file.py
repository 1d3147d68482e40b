"""A plugin's file as its process gets it: with the data files that it names, and no others."""

import os

import pytest
from strategies import play_nothing_again

import wordle_kit as wk
from wordle_kit import cli
from wordle_kit.isolation import plugin_file
from wordle_kit.isolation.plugin_file import files_beside

READS = """
from pathlib import Path
import wordle_kit as wk

OPENERS = Path(__file__).with_name("words.txt").read_text().split()

class Reader(wk.Strategy):
    def guess(self, position):
        others = sorted(path.name for path in Path(__file__).parent.iterdir() if path.suffix not in (".pyc", ""))
        assert others == ["reader.py", "words.txt"], others
        return next(word for word in [*OPENERS, *position.board.words] if position.allows(word) is not False)

@wk.hookimpl
def register_strategies(register):
    register(Reader())
"""


@pytest.fixture
def folder(tmp_path):
    """Return a folder with a plugin, the file that it names, and some that it may not have."""
    (tmp_path / "reader.py").write_text(READS.replace(" if position.allows(word) is not False", ""))
    (tmp_path / "words.txt").write_text("fade deaf\n")
    for name in ("hidden.txt", "other.py", "assignment.toml"):
        (tmp_path / name).write_text("secret\n")
    return tmp_path


@pytest.mark.slow
def test_a_plugin_finds_its_file_under_isolation_as_it_does_without(level, letters, folder, isolation_at, monkeypatch):
    play_nothing_again(monkeypatch)
    plugins = wk.Plugins.load([folder / "reader.py"], isolation=isolation_at(level), strict=True)
    board = wk.tournament(letters, ["reader"], ["fade"], plugins=plugins, workers=1)
    (play,) = board.plays("reader")
    assert (play.guesses, str(play.outcome)) == (("fade",), "solved"), play.message


def test_only_data_files_of_its_folder_come_with_it(folder, monkeypatch):
    (folder / "link.txt").symlink_to(folder / "hidden.txt")
    os.mkfifo(folder / "pipe.txt")
    (folder / "inner").mkdir()
    (folder / "inner" / "deep.txt").write_text("deep")
    (folder / "folder.txt").mkdir()
    names = ("words.txt", "../words.txt", "other.py", "assignment.toml", "link.txt", "pipe.txt", "inner/deep.txt")
    text = "\n".join(map(repr, (*names, "folder.txt", "nowhere.txt", "a\0.txt", "/etc/passwd", "x" * 400 + ".txt")))
    assert files_beside(folder / "reader.py", text.encode()) == {"words.txt": b"fade deaf\n"}
    assert files_beside(folder / "reader.py", b"def f(:") == {}
    monkeypatch.setattr(plugin_file, "MOST", 5)
    with pytest.raises(wk.PluginError, match="data files"):
        files_beside(folder / "reader.py", text.encode())


@pytest.mark.slow
def test_the_hidden_puzzles_are_not_for_a_plugin_that_names_them(folder, capfd):
    line = ["tournament", "-g", "mastermind", "-p", folder / "reader.py", "-s", "reader", "--isolate"]
    assert cli.run([*map(str, line), "--puzzles", str(folder / "words.txt")]) == 2
    assert "reader.py" in capfd.readouterr().err
