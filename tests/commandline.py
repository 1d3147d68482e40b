"""Fixtures that run the command line, in this process or another one, with small games and plugins."""

import json
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

import pytest

from wordle_kit import cli

STRATEGY = '''
import wordle_kit as wk

class {name}(wk.Strategy):
    """{doc}"""

    def guess(self, position):
        {body}
        return position.board.words[0]

@wk.hookimpl
def register_strategies(register):
    register({name}())
'''


@dataclass(frozen=True)
class Ran:
    """The result of a command: its exit code and output."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        """The one JSON document on standard output; anything beside it is an error."""
        return json.loads(self.out)

    @property
    def rows(self):
        """The rows of a leaderboard in JSON, by strategy."""
        return {row["strategy"]: row for row in self.json["rows"]}


@pytest.fixture
def run(capfd):
    """Run a command in this process, and catch the output of its workers too."""

    def run(*arguments):
        capfd.readouterr()
        code = cli.run([str(argument) for argument in arguments])
        return Ran(code, *capfd.readouterr())

    return run


@pytest.fixture
def listed(run):
    """List things as rows in JSON, by their first column."""

    def listed(*arguments):
        ran = run(*arguments, "--format", "json")
        assert ran.code == 0
        return {next(iter(row.values())): row for row in ran.json}

    return listed


@pytest.fixture
def refused(run):
    """Run a command with a user's mistake, and return its one line of output."""

    def refused(*arguments):
        ran = run(*arguments)
        assert (ran.code, ran.out) == (2, ""), ran
        assert ran.err.count("\n") == 1, ran.err
        assert ran.err.startswith("wordle-kit: "), ran.err
        return ran.err

    return refused


@pytest.fixture
def process():
    """Run a command in another process."""

    def process(*arguments, **settings):
        command = [sys.executable, "-m", "wordle_kit", *map(str, arguments)]
        ran = subprocess.run(command, **{"capture_output": True, "encoding": "utf-8", "timeout": 60} | settings)
        return Ran(ran.returncode, ran.stdout, ran.stderr)

    return process


@pytest.fixture
def write(tmp_path):
    """Write a text file for this test, and return its path."""

    def write(name, text):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    return write


@pytest.fixture
def tiny(write):
    """Return the file of a game of nine words."""
    return write("tiny.toml", 'name = "tiny"\nalphabet = "abc"\nlength = 2\nanswers = "all"\n')


@pytest.fixture
def strategy(write):
    """Write a plugin with a strategy that runs these lines and guesses the first candidate."""

    def strategy(name="Mine", body="pass", doc="Guess the first word.", file=None):
        body = textwrap.dedent(body).strip().replace("\n", "\n        ")
        return write(file or f"{name.lower()}.py", STRATEGY.format(name=name, body=body, doc=doc))

    return strategy


@pytest.fixture
def broken(write):
    """Return a plugin that fails in its third line."""
    return write("broken.py", "import wordle_kit as wk\n\nraise RuntimeError('no luck today')\n")


@dataclass(frozen=True)
class Counted:
    """A plugin whose strategy, `counted`, notes every time that it is asked."""

    plugin: Path
    notes: Path

    @property
    def asked(self):
        """The number of times that it was asked."""
        return len(self.notes.read_text()) if self.notes.exists() else 0


@pytest.fixture
def counted(strategy, tmp_path):
    """Return a plugin whose strategy notes every time that it is asked."""
    notes = tmp_path / "asked"
    return Counted(strategy("Counted", f"with open({str(notes)!r}, 'a') as notes: notes.write('.')"), notes)


@pytest.fixture
def typed(monkeypatch, tmp_path, run):
    """Run a command with these lines as its input."""

    def typed(lines, *arguments):
        path = tmp_path / "typed.txt"
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        with path.open(encoding="utf-8") as file:
            monkeypatch.setattr(sys, "stdin", file)
            return run(*arguments)

    return typed
