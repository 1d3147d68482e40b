"""A folder of plugins with odd files: each is left out with a reason, and the others play."""

import json
import os
import sys

import pytest

from wordle_kit import cli

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="odd names of files need Linux"),
]

PLUGIN = '''
import wordle_kit as wk

class {name}(wk.Strategy):
    """Plays <script>alert(1)</script> | \x1b[31mred\u202e."""

    half: str = "\\ud800\x1b[31m"

    def guess(self, position):
        return position.board.words[0]

{name}.__doc__ = {name}.__doc__{doc}

@wk.hookimpl
def register_strategies(register):
    register({name}(), {registered})
'''


@pytest.fixture
def folder(tmp_path):
    """Return a folder of plugins, two of which can be loaded."""
    folder = tmp_path / "plugins"
    folder.mkdir()

    def write(file, name, registered="None", doc=""):
        path = folder / os.fsdecode(file)
        path.write_text(PLUGIN.format(name=name, registered=registered, doc=doc), encoding="utf-8")

    write(b"good.py", "Good")
    write(b"m\xffine.py", "Odd", doc=" and 5")
    write(b"taken.py", "Entropy")
    write(b"long.py", "Long", "'x' * 300_000")
    write(b"escapes.py", "Escapes", "'\\x1b[31m'")
    (folder / "link.py").symlink_to("nothing")
    return folder


def test_the_others_play_and_nothing_odd_is_printed(folder, capfd):
    played = "tournament -g mastermind -s good -s odd --puzzles 2 --format json -p"
    assert cli.run([*played.split(), str(folder)]) == 0
    said = capfd.readouterr()
    assert {row["strategy"] for row in json.loads(said.out)["rows"]} == {"good", "odd"}
    assert [line.split()[4] for line in said.err.splitlines() if "left out" in line] == [
        *("escapes", "nothing", "long", "taken"),
    ]
    assert all(line.isprintable() and len(line) < 2000 for line in said.err.splitlines())
