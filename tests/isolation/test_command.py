"""Programs in other languages: the examples play, and a program's mistake is reported in one line."""

import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
from needs import needs_node
from strategies import play_nothing_again

import wordle_kit as wk
from wordle_kit.isolation.remote import end_last
from wordle_kit.plugins import default_plugins

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(autouse=True)
def ended():
    """End the process that a test leaves."""
    yield
    end_last()


@pytest.fixture
def played_once(monkeypatch):
    """Have each puzzle played in one process: examples are honest."""
    play_nothing_again(monkeypatch)


@pytest.fixture
def program(tmp_path):
    """Return a function that writes a program in Python, its `answer(message)` given, and returns its command line."""

    def write(body):
        path = tmp_path / "program.py"
        path.write_text(f"import json, sys\n{body}\nfor line in sys.stdin:\n    answer(json.loads(line))\n")
        return f"{sys.executable} {path}"

    return write


SAY = """
def say(**message):
    print(json.dumps(message), flush=True)
"""

FIRST = f"""
{SAY}
def answer(message):
    if message["type"] == "game":
        say(type="ready", protocol=1)
    else:
        say(id=message["id"], guess=["aabb", "ccdd", "eeff", "abcd"][message["turn"] - 1])
"""


def plays_of(game, command, puzzles, isolation=None, plugins=None):
    """Return the plays of a program."""
    board = wk.tournament(
        game,
        [wk.load_strategy("command").with_parameters({"argv": command})],
        puzzles,
        workers=1,
        deadline=5,
        isolation=isolation,
        plugins=plugins,
    )
    return board.plays(board.rows[0].strategy)


@pytest.mark.slow
@needs_node
@pytest.mark.usefixtures("played_once")
def test_the_example_in_javascript_plays_like_the_same_strategy_in_python(level, letters, isolation_at):
    plugins = default_plugins().isolated(isolation_at(level))
    for game in (letters, wk.load_game(WORDS)):
        ours = wk.tournament(game, ["most-parts(pool=candidates)"], 40, workers=1).runs[0].plays
        spec = f"command(argv='node {EXAMPLES / 'most_parts.js'}')"
        theirs = wk.tournament(game, [spec], 40, workers=1, plugins=plugins).runs[0].plays
        assert theirs == ours


WORDS = {
    "name": "long-symbols",
    "alphabet": ["a", "sch", "tz", "ö"],
    "length": 3,
    "answers": "all",
}


def test_a_program_knows_the_deadline_of_its_decisions(letters, program):
    body = """
def answer(message):
    global deadline
    if message["type"] == "game":
        deadline = message["deadline"]
        say(type="ready", protocol=1)
    else:
        say(id=message["id"], error=f"it has {deadline} s")
"""
    (play,) = plays_of(letters, program(SAY + body), ["face"])
    assert "it has 5 s" in play.message


def test_a_program_gets_positions_and_its_last_output_is_in_the_message(letters, program):
    last = """
def answer(message, answer=answer):
    if message.get("turn") == 3:
        sys.exit(json.dumps(message))
    answer(message)
"""
    (play,) = plays_of(letters, program(FIRST + last), ["face"])
    assert json.loads(play.message.partition("; it printed: ")[2]) == {
        "type": "position",
        "id": 3,
        "turn": 3,
        "history": [
            {"guess": "aabb", "feedback": ["0200"], "codes": [18]},
            {"guess": "ccdd", "feedback": ["1000"], "codes": [27]},
        ],
    }


@pytest.mark.parametrize(
    ("body", "outcome", "fact"),
    [
        (FIRST.replace("else:", "else:\n        sys.exit(3)"), "crashed", "exit code 3"),
        (FIRST.replace("say(id", "print('hello', flush=True) or dict(id"), "crashed", "'hello'"),
        (FIRST.replace("guess=", "error='no idea' or "), "crashed", "no idea"),
        (FIRST.replace("guess=", "guess=1 or "), "illegal guess", "returned 1"),
        (FIRST.replace("id=message", "id=77 or message"), "crashed", "77"),
    ],
    ids=["exits", "not JSON", "gives up", "not a word", "another id"],
)
def test_a_fault_of_a_program_is_a_result(letters, program, body, outcome, fact):
    (play,) = plays_of(letters, program(body), ["face"])
    assert play.outcome == outcome
    assert fact in play.message


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("1/0", "ZeroDivisionError"),
        ("def answer(message): sys.exit(3)", "exit code 3"),
        ("def answer(message): print('hello', flush=True)", "'hello'"),
        ("def answer(message): say(type='ready', protocol=99)", "ready"),
    ],
)
def test_a_program_that_fails_before_it_is_ready_plays_nothing(letters, program, body, problem):
    command = program(body)
    with pytest.raises(wk.StrategyError, match=problem):
        plays_of(letters, command, ["face"])
    program(FIRST)  # it is mended
    assert plays_of(letters, command, ["aabb"])[0].outcome is wk.Outcome.SOLVED


def test_a_script_that_does_not_exist_is_found_before_anything_is_played(letters, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(wk.StrategyError, match=r"my\.js"):
        wk.tournament(letters, [f"command(argv=[{sys.executable}, my.js])"], ["face"], workers=1, store="store.sqlite")
    if Path("store.sqlite").exists():
        with closing(sqlite3.connect("store.sqlite")) as store:
            assert store.execute("SELECT count(*) FROM runs").fetchone() == (0,)


PLUGIN = """
from pathlib import Path
import wordle_kit as wk

@wk.hookimpl
def register_strategies(register):
    register(wk.Command(argv=[{program!r}, Path(__file__).with_name("program.py")]), name="my-program")
"""


@pytest.mark.usefixtures("played_once")
def test_a_plugin_of_three_lines_registers_a_program(letters, program, tmp_path):
    program(FIRST)
    (tmp_path / "mine.py").write_text(PLUGIN.format(program=sys.executable))
    plugins = wk.Plugins.load([tmp_path / "mine.py"], strict=True)
    board = wk.tournament(letters, ["my-program"], ["ccdd"], plugins=plugins, workers=1)
    assert board.plays("my-program")[0].guesses == ("aabb", "ccdd")
    with pytest.raises(wk.PluginError, match="programs"):
        wk.Plugins.load([tmp_path / "mine.py"], strict=True, isolation=wk.Isolation(sandbox="plain"))


@pytest.mark.slow
@pytest.mark.usefixtures("played_once")
def test_a_program_and_its_arguments_may_be_a_list(letters, program):
    executable, script = program(FIRST).split()
    by_list = wk.load_strategy(f"command(argv=[{executable}, {script}])")
    assert by_list == wk.Command(argv=[executable, Path(script)]) == wk.load_strategy(by_list.spec)
    for each in (by_list, wk.Command(argv=f"{executable} {script}")):
        assert wk.tournament(letters, [each], ["ccdd"], workers=1).rows[0].mean == 2
    with pytest.raises(wk.StrategyError, match="''"):
        wk.tournament(letters, [wk.Command(argv=[])], ["ccdd"], workers=1)


@pytest.mark.slow
def test_without_a_command_line_the_strategy_for_programs_does_not_take_part(letters):
    board = wk.tournament(letters, None, ["face"], workers=1)
    assert "command" not in [row.strategy for row in board.rows]
    assert [line for line in board.left_out if "command" in line] == []
