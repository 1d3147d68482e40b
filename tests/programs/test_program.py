"""Programs in any language: the examples play, files are served, and a mistake is one line."""

import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
from needs import needs_bubblewrap, needs_node

import wordle_kit as wk
from wordle_kit.programs.protocol import Guess, ProgramError, Ready
from wordle_kit.tournaments.runs import Outcome

EXAMPLES = Path(__file__).parents[2] / "examples"

SAY = """
import json, sys
def say(**message):
    print(json.dumps(message), flush=True)
def answer(message):
    if message["type"] == "game":
        say(type="ready", protocol=1)
    else:
        BODY
for line in sys.stdin:
    answer(json.loads(line))
"""

FIRST = """say(id=message["id"], guess=["aabb", "ccdd", "eeff", "abcd"][message["turn"] - 1])"""


@pytest.fixture
def program(tmp_path):
    """Return a function that writes a program with this answer to a position, and returns it."""

    def program(body, text=SAY):
        path = tmp_path / "program.py"
        path.write_text(text.replace("BODY", body), encoding="utf-8")
        return wk.Program(argv=[sys.executable, path])

    return program


def ending(program, game, word="abcd", deadline=5.0):
    (play,) = wk.play(program, game, [word], deadline=deadline)
    return play


def test_a_program_plays_and_its_guesses_are_checked(program, letters):
    play = ending(program(FIRST), letters)
    assert (play.guesses, play.outcome) == (("aabb", "ccdd", "eeff", "abcd"), Outcome.SOLVED)


@pytest.mark.parametrize(
    ("body", "outcome", "said"),
    [
        ('say(id=message["id"], error="no idea")', Outcome.CRASHED, "no idea"),
        ('say(id=message["id"], guess="zzzz")', Outcome.ILLEGAL, "zzzz"),
        ('say(id=message["id"], guess=[1])', Outcome.ILLEGAL, "[1]"),
        ("say(id=99, guess='abcd')", Outcome.CRASHED, "99 instead of 1"),
        ("print('hello', flush=True)", Outcome.CRASHED, "hello"),
        ("raise ValueError('oh no')", Outcome.CRASHED, "ValueError: oh no"),
        ("import time; time.sleep(60)", Outcome.TIMED_OUT, "1 s"),
    ],
)
def test_a_mistake_of_a_program_ends_the_play_with_one_line(program, letters, body, outcome, said):
    play = ending(program(body), letters, deadline=1.0)
    assert play.outcome is outcome
    assert said in play.message
    assert "\n" not in play.message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('import json; input(); print(json.dumps({"type": "unable", "problem": "five only"}))', "five only"),
        ("raise SystemExit('broken')", "broken"),
        ('import json; input(); print(json.dumps({"type": "ready", "protocol": 2}))', "version 1"),
        ('print("hello")', "hello"),
    ],
)
def test_a_program_that_cannot_play_says_so_before_a_tournament(program, letters, text, said):
    assert said in program("", text).problem_with(letters)


def test_a_program_that_does_not_exist_is_named(letters):
    assert "'nowhere'" in wk.Program(argv="nowhere x").problem_with(letters)
    assert "missing.py" in wk.Program(argv=f"{sys.executable} missing.py").problem_with(letters)


def test_a_program_that_has_been_changed_is_played_again(program, letters, tmp_path):
    store = tmp_path / "store.sqlite"

    def plays(body):
        board = wk.tournament(letters, [program(body)], ["abcd"], store=store, workers=1)
        return board.plays(board.rows[0].strategy)[0].guesses

    assert plays(FIRST)[-1] == "abcd"
    assert plays(FIRST.replace("aabb", "abcd")) == ("abcd",)


def test_a_program_is_told_the_seconds_for_a_guess(program, letters):
    text = SAY.replace('if message["type"] == "game":', 'if message["type"] == "game":\n        told.append(message)')
    made = program(
        'say(id=message["id"], error=str(told[0]["deadline"]))', text.replace("def say", "told = []\ndef say")
    )
    assert "7.5" in ending(made, letters, deadline=7.5).message
    assert "2.5" in ending(made, letters, deadline=2.5).message


@pytest.mark.slow
@needs_bubblewrap
def test_files_in_the_command_line_are_found_in_a_sandbox(program, letters, tmp_path, monkeypatch):
    program(FIRST)
    monkeypatch.chdir(tmp_path)
    made = wk.Program(argv=[sys.executable, "program.py"]).inside(wk.Sandbox())
    assert ending(made, letters).outcome is Outcome.SOLVED


def test_a_program_plays_the_same_with_any_number_of_workers(program, letters):
    made = program(FIRST)
    boards = [wk.tournament(letters, [made], ["abcd", "ccdd", "aabb"], workers=workers) for workers in (1, 2)]
    plays = [board.plays(board.rows[0].strategy) for board in boards]
    assert plays[0] == plays[1]


@pytest.mark.slow
@needs_node
def test_the_example_in_javascript_plays_like_most_parts():
    game = wk.load_game("wordle")
    made = wk.Program(argv=["node", EXAMPLES / "most_parts.js"])
    words = list(game.answers[::97])
    mine = [play.guesses for play in wk.play(made, game, words)]
    assert mine == [play.guesses for play in wk.play("most-parts(pool=candidates)", game, words)]


# Files in Python


SERVED = [
    pytest.param(None, id="plain"),
    pytest.param("bubblewrap", id="sandbox", marks=[pytest.mark.slow, needs_bubblewrap]),
]


@pytest.fixture(params=SERVED)
def sandbox(request):
    """Return no sandbox, or one."""
    return None if request.param is None else wk.Sandbox()


def test_a_file_with_one_class_is_served_with_or_without_a_hook(letters, written, sandbox):
    bare = written("")
    hooked = bare.with_name("hooked.py")
    hooked.write_text(bare.read_text() + "@wk.hookimpl\ndef register_strategies(register):\n    register(Mine())\n")
    wanted = [play.guesses for play in wk.play("first-consistent", letters, ["fade", "abcd"])]
    for file in (bare, hooked):
        program = wk.Program.serving(file, sandbox)
        assert [play.guesses for play in wk.play(program, letters, ["fade", "abcd"])] == wanted


def test_a_random_file_says_so_and_repeats_its_guesses_with_the_same_secret(letters, written, sandbox):
    file = written("return position.rng.choice(position.board.words)")
    file.write_text(
        file.read_text().replace("class Mine(wk.Strategy):", "class Mine(wk.Strategy):\n    stochastic = True\n")
    )
    program = wk.Program.serving(file, sandbox)
    one, other = (wk.play(program, letters, letters.answers[:6], secret="7" * 32) for _ in range(2))
    assert program.stochastic
    assert [play.guesses for play in one] == [play.guesses for play in other]
    assert len({play.guesses[0] for play in one}) > 1


def test_a_program_with_other_parameters_stays_in_its_sandbox(written):
    program = wk.Program.serving(written(""), sandbox := object())
    assert program.with_parameters({"reads": [__file__]})._sandbox is sandbox


def test_a_run_of_a_random_program_has_a_new_secret_with_which_it_goes_on(letters, written, tmp_path):
    file = written("return position.rng.choice(position.board.words)")
    file.write_text(
        file.read_text().replace("class Mine(wk.Strategy):", "class Mine(wk.Strategy):\n    stochastic = True\n")
    )

    def play(store, **options):
        program = wk.Program.serving(file, None)
        board = wk.tournament(letters, program, 12, store=tmp_path / store, workers=1, **options)
        ((label, secret),) = board.secrets.items()
        return secret, board.plays(label)

    first = play("one")
    assert play("one") == first
    assert play("other")[0] != first[0]
    assert play("given", secret=first[0]) == first
    with closing(sqlite3.connect(tmp_path / "one")) as connection, connection:
        for table in ("chunks", "plays"):  # as if it had been interrupted
            connection.execute(f"DELETE FROM {table}")
    assert play("one") == first
    assert play("one", fresh=True)[0] != first[0]


def test_an_exception_in_prepare_is_a_crash_of_the_plays_as_in_this_process(letters, written, sandbox):
    file = written("")
    file.write_text(f"{file.read_text()}\n    def prepare(self, game):\n        raise ValueError('no')\n")
    program = wk.Program.serving(file, sandbox)
    assert program.problem_with(letters) is None
    play = ending(program, letters)
    assert play.outcome is Outcome.CRASHED
    assert play.message.startswith("prepare: ValueError: no (mine.py, line ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1", "no strategy"),
        ("x = (", "SyntaxError"),
        ("raise SystemExit", "SystemExit"),
        ("import os; os._exit(3)", "exit code 3"),
        ("1 / 0", "mine.py, line 1"),
        ("import wordle_kit as wk\nfrom wordle_kit import load_strategy", "load_strategy, which is forbidden"),
        ("import requests", "imports requests"),
        ("from . import other", "another file"),
        ("x = 1\0", "null"),
    ],
)
def test_a_file_that_cannot_be_served_says_why_and_where(letters, tmp_path, text, said):
    path = tmp_path / "mine.py"
    path.write_text(text)
    program = wk.Program.serving(path, None, allow=["numpy"], forbid=["load_strategy"])
    assert said in program.problem_with(letters)


def test_names_are_found_wherever_they_are_used(letters, written):
    file = written("return wk.load_strategy('entropy').guess(position)")
    program = wk.Program.serving(file, None, allow=["numpy"], forbid=["load_strategy"], name="ada.py")
    line = file.read_text().splitlines().index("        return wk.load_strategy('entropy').guess(position)") + 1
    assert f"ada.py, line {line} uses load_strategy" in program.problem_with(letters)


@pytest.mark.slow
def test_a_notebook_is_served_and_errors_name_the_cell(letters, tmp_path):
    pytest.importorskip("IPython")
    cells = [
        "%matplotlib inline\nimport wordle_kit as wk",
        "display(1); input()\n!ls",
        "class N(wk.Strategy):\n    def guess(self, position):\n        return 1 / 0",
    ]
    path = tmp_path / "mine.ipynb"
    made = [{"cell_type": "code", "source": text.splitlines(keepends=True)} for text in cells]
    path.write_text(json.dumps({"cells": [{"cell_type": "markdown", "source": ["x"]}, *made]}))
    play = ending(wk.Program.serving(path, None), letters)
    assert "ZeroDivisionError: division by zero (cell 3, line 3)" in play.message


@pytest.fixture
def own_game(tmp_path):
    """Return the path of a game whose rule is in a plugin's file, which imports another file."""
    (tmp_path / "helper.py").write_text("RIGHT = 2")
    (tmp_path / "rule.py").write_text(
        "import wordle_kit as wk\nfrom helper import RIGHT\nclass Own(wk.MarksRule):\n"
        "    def marks(self, guess, answer): return [RIGHT if g == a else 0 for g, a in zip(guess, answer)]\n"
        "@wk.hookimpl\ndef register_rules(register): register(Own())\n"
    )
    path = tmp_path / "own.toml"
    path.write_text('name = "own"\nalphabet = "abc"\nlength = 3\nanswers = "all"\nrule = "own"\nplugin = "rule.py"\n')
    return path


@pytest.mark.parametrize(("cache", "kind"), [("cache", "memmap"), ("", "ndarray"), ("own.toml", "ndarray")])
def test_the_feedback_table_of_a_slow_rule_is_shared_if_the_cache_can_be_written(
    own_game, written, sandbox, monkeypatch, cache, kind
):
    monkeypatch.setenv("WORDLE_KIT_CACHE", str(own_game.parent / cache) if cache else "")
    monkeypatch.setattr("wordle_kit.game.table.LARGE", 0)
    tells = """
    codes = position.game.table.whole()
    kinds = []
    while codes is not None and len(kinds) < 9: kinds.append(type(codes).__name__); codes = getattr(codes, "base", None)
    tell(["memmap" in kinds, position.game.table.whole().flags.writeable])
    """
    said = ending(wk.Program.serving(written(tells), sandbox), wk.load_game(own_game), "abc").message
    assert f"FOUND [{kind == 'memmap'}, False]" in said


# Messages


@pytest.mark.parametrize(
    "text",
    [
        b"junk",
        b"[1]",
        b'{"id": "1"}',
        b'{"id": 1, "guess": NaN}',
        b'{"id": 1, "guess": 1e999}',
        b"[" * 60000,
        b'{"id": 1.0}',
        b'{"id": 1, "guess": "\xff"}',
        b'{"id": 1, "guess": "\\ud800"}',
        b'{"id": 1, "error": 3}',
    ],
)
def test_an_answer_that_is_not_one_is_refused(text):
    with pytest.raises(ProgramError):
        Guess.read(text)


def test_unknown_keys_are_ignored():
    assert Ready.read(b'{"type": "ready", "protocol": 1, "new": [1]}').type == "ready"


# The command line


@pytest.mark.parametrize("name", ["my_idea.py", "MyIdea.py", "my idea.py"])
@pytest.mark.parametrize("given", ["file", "folder", "both"])
def test_isolate_names_programs_after_their_files(tmp_path, written, capsys, monkeypatch, given, name):
    from wordle_kit import cli

    monkeypatch.setenv("WORDLE_KIT_STORE", str(tmp_path / "store.sqlite"))
    file = written("", name)
    given_plugins = {"file": [file], "folder": [file.parent], "both": [file.parent, file]}[given]
    plugins = [word for plugin in given_plugins for word in ("-p", str(plugin))]
    arguments = ["tournament", "-g", "mastermind", *plugins, "--isolate", "--no-sandbox", "-s", "my-idea"]
    assert cli.run([*arguments, "--puzzles", "3", "--format", "json"]) == 0
    out = capsys.readouterr()
    assert json.loads(out.out)["rows"][0]["strategy"] == "my-idea"
    assert "as yourself" in out.err


@pytest.mark.parametrize(
    ("first", "second"), [("a/my.py", "b/my.py"), ("my_idea.py", "MyIdea.py"), ("entropy.py", None)]
)
def test_isolate_refuses_two_strategies_of_the_same_name(tmp_path, written, capsys, first, second):
    from wordle_kit import cli

    for folder in "ab":
        (tmp_path / folder).mkdir()
    files = [str(written("", name)) for name in (first, second) if name is not None]
    given = [word for file in [*files, *files] for word in ("-p", file)]
    assert cli.run(["tournament", "-g", "mastermind", *given, "--isolate", "--no-sandbox", "-s", "my"]) == 2
    said = capsys.readouterr().err
    assert all(file in said for file in files)
    assert second is not None or "plugin partition" in said


@pytest.mark.parametrize("boxed", SERVED)
def test_isolate_plays_a_game_whose_rule_is_in_a_file(own_game, written, capsys, boxed):
    from wordle_kit import cli

    arguments = [
        "tournament",
        "-g",
        str(own_game),
        "-p",
        str(written("")),
        "--isolate",
        "-s",
        "mine",
        "--format",
        "json",
    ]
    assert cli.run([*arguments, *([] if boxed else ["--no-sandbox"])]) == 0
    assert json.loads(capsys.readouterr().out)["rows"][0]["failed"] == 0


def test_isolate_refuses_without_bubblewrap_and_says_how_to_install_it(written, capsys, without_bubblewrap):
    from wordle_kit import cli

    assert cli.run(["tournament", "-g", "mastermind", "-p", str(written("")), "--isolate", "-s", "mine"]) == 2
    assert "apt install bubblewrap" in capsys.readouterr().err
