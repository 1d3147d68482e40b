"""Options that commands share: a mistake in one is named in one line, and nothing is played."""

import json
import os
import sqlite3
import subprocess

import pytest

GAME = "name = 'x'\nalphabet = 'abc'\nlength = 2\n"
EMPTY = "import wordle_kit as wk\n@wk.hookimpl\ndef register_rules(register): pass\n"
TINY = "tournament -g tiny.toml --workers 1 "
ADVERSARY = TINY + "-s minimax --host adversary "


WRONG = [
    # Files in the current folder beside tiny.toml, a command, and what its message must name.
    # Games
    ({}, "tournament -g wordel", "'wordle'"),
    ({}, "tournament -g chess", "mastermind"),
    ({}, "tournament -g nowhere.toml", "nowhere.toml"),
    ({"x.toml": GAME + "answers = 'words.txt'", "words.txt": "ab\n\nabc\n"}, "tournament -g x.toml", "line 3"),
    # Weights
    ({"w.txt": "aa 1\nzz 2\n"}, TINY + "--weights w.txt", "w.txt: line 2"),
    ({}, TINY + "--weights w.txt", "w.txt: cannot be read: No such file or directory (--weights)"),
    ({"w.txt": "aa 1\n"}, "check -s entropy --weights w.txt", "--game"),
    # Boards and puzzles
    ({}, TINY + "--boards 257", "257"),
    ({}, TINY + "--boards many", "--boards"),
    ({}, TINY + "--puzzles nonexistent", "'nonexistent'"),
    ({"p.txt": "ab\n\nzz\n"}, TINY + "--puzzles p.txt", "p.txt: line 3"),
    # Strategies
    ({}, TINY + "-s entropi", "'entropy'"),
    ({}, TINY + "-s zzz", "random-consistent"),
    ({}, TINY + "-s entropy(openr=ab)", "'openr'"),
    ({}, TINY + "-s entropy(pool=moon)", "'candidates'"),
    ({}, TINY + "-s entropy(", "'entropy('"),
    ({}, TINY + "-s entropy(opener=zz)", "'zz'"),
    ({}, "solve -a crane -s entropy(endgame=0..3)", "'endgame'"),
    # Plugins
    ({}, TINY + "-p nowhere.py", "nowhere.py"),
    ({}, TINY + "-p no_such_module", "no_such_module"),
    ({}, TINY + "-p no:partitoin", "'partition'"),
    ({}, "rules -p no:partitoin", "'partition'"),
    ({}, "check nowhere.py", "nowhere.py"),
    ({"bad.py": "\n\n1 / 0\n"}, TINY + "-p bad.py", "bad.py, line 3"),
    ({"bad.py": "\n\n1 / 0\n"}, "check bad.py", "bad.py, line 3"),
    ({"bad.py": "\n\n1 / 0\n"}, "rules -p bad.py", "bad.py, line 3"),
    ({"bad.py": "\n\n1 / 0\n"}, "plugins -p bad.py", "bad.py, line 3"),
    ({"nothing.py": EMPTY}, "check nothing.py", "nothing.py"),
    # Numbers, formats and files
    ({}, TINY + "--workers 0", "workers"),
    ({}, TINY + "--workers many", "--workers"),
    ({}, TINY + "--deadline nan", "deadline"),
    ({}, TINY + "--deadline soon", "--deadline"),
    ({}, "check -s entropy --deadline 0", "deadline"),
    ({}, TINY + "--memory 0", "--memory"),
    ({}, TINY + "--seed lucky", "--seed"),
    ({}, TINY + "--format yaml", "json"),
    ({}, "rules --format yaml", "json"),
    ({}, "rules --format page", "'page'"),
    ({}, TINY + "--store tiny.toml/store.sqlite", "tiny.toml"),
    ({}, TINY + "--store .", "--store"),
    ({}, TINY + "-s minimax -o tiny.toml/board.md", "tiny.toml"),
    ({}, TINY + "-s minimax -o board.xls", ".json"),
    ({}, "compare entropy minimax -o board.html", ".json"),
    ({}, TINY + "-s minimax --transcripts nowhere/plays.tsv", "nowhere/plays.tsv"),
    # The adversary
    ({}, TINY + "--host adversery", "'adversary'"),
    ({}, TINY + "--first ab", "--first"),
    ({}, ADVERSARY + "--first ab --puzzles p.txt", "--first"),
    ({}, ADVERSARY + "--puzzles 5", "adversary"),
    ({}, ADVERSARY + "--first zz", "'zz'"),
    # Commands
    ({}, "turnament", "'turnament'"),
    ({}, "--verison", "--verison"),
    ({}, "tournament --puzles 3", "--puzles"),
    ({}, "tournament extra", "extra"),
    ({}, "tournament --puzzles", "--puzzles"),
    ({}, "store", "wordle-kit store --help"),
    ({}, "solve", "--answer"),
    ({}, "check", "-s"),
    ({}, "compare", "A B"),
    ({}, "compare entropy", "two"),
    ({}, "new strategy", "NAME"),
    ({}, "new strategy class", "'class'"),
    ({}, "new strategy ../escape", "'../escape'"),
    ({}, "new strategy idea --dir tiny.toml/deep", "tiny.toml"),
    ({"idea.py": "precious"}, "new strategy idea", "idea.py"),
    ({}, "new rule mastermind", "'mastermind'"),
]


@pytest.mark.parametrize(("files", "line", "named"), WRONG, ids=[f"{line}, {named}" for _, line, named in WRONG])
def test_a_mistake_is_named_in_one_line_and_nothing_is_played(
    refused, tiny, write, monkeypatch, own_store, files, line, named
):
    monkeypatch.chdir(tiny.parent)
    for name, content in files.items():
        write(name, content)
    there = {path: path.read_bytes() for path in tiny.parent.rglob("*.*")}
    assert named in refused(*line.split())
    assert {path: path.read_bytes() for path in there} == there


@pytest.mark.parametrize(("boards", "given", "made"), [(9, 13, 5), (9, 3, 1)])
def test_as_many_guesses_are_added_or_taken_as_boards(run, write, boards, given, made):
    path = write("few.toml", GAME + f"answers = 'all'\nboards = {boards}\nmax_guesses = {given}\n")
    ran = run("tournament", "-g", path, "--boards", "1", "-s", "minimax", "--workers", "1", "--format", "json")
    assert (ran.json["boards"], ran.json["max_guesses"]) == (1, made)


# Stores


@pytest.mark.parametrize("content", [b"no database, but something precious\n" * 99, b"SQLite format 3\0" + b"?" * 4096])
def test_a_file_that_is_not_a_store_is_named_and_left_unchanged(refused, tiny, tmp_path, content):
    path = tmp_path / "precious"
    path.write_bytes(content)
    assert str(path) in refused("tournament", "-g", tiny, "--store", path)
    assert path.read_bytes() == content


def test_a_database_of_another_program_is_named_and_left_as_it_is(refused, tiny, tmp_path):
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE precious (x)")
    connection.close()
    content = path.read_bytes()
    assert str(path) in refused("tournament", "-g", tiny, "--store", path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("damage", ["DROP TABLE plays", "UPDATE runs SET facts = '{'"])
def test_a_damaged_store_is_named_and_nothing_of_it_is_shown(run, refused, tiny, own_store, damage):
    played = ["tournament", "-g", tiny, "-s", "first-consistent", "--workers", "1"]
    run(*played)
    with sqlite3.connect(own_store) as connection:
        connection.execute(damage)
    connection.close()
    assert str(own_store) in refused(*played)
    assert str(own_store) in refused("leaderboard")


# Progress


@pytest.fixture
def on_terminal(process):
    """Run a command whose standard error is a terminal. Return what it did, and what the terminal showed."""
    pty = pytest.importorskip("pty", reason="Windows has no pseudo-terminals to show progress on")

    def on_terminal(*arguments):
        reading, terminal = pty.openpty()
        settings = {"stdout": subprocess.PIPE, "stderr": terminal, "capture_output": False}
        ran = process(*arguments, env=os.environ | {"TERM": "xterm"}, **settings)
        os.close(terminal)
        shown = os.read(reading, 10_000).decode()
        os.close(reading)
        return ran, shown

    return on_terminal


@pytest.mark.slow
def test_on_a_terminal_progress_is_shown_beside_clean_results(on_terminal, tiny):
    ran, shown = on_terminal("tournament", "-g", tiny, "-s", "minimax", "--workers", "1", "--format", "json")
    assert "9/9" in shown
    assert ran.rows["minimax"]["games"] == 9


SLOW_RULE = """
    import wordle_kit as wk

    class Hits(wk.Rule):
        def n_codes(self, length):
            return length + 1

        def code(self, guess, answer):
            return sum(map(str.__eq__, guess, answer))

        def winning_code(self, length):
            return length

        def show(self, code, length):
            return str(code)

    @wk.hookimpl
    def register_rules(register):
        register(Hits())
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        "tournament -s minimax --puzzles 1",
        "compare minimax entropy --puzzles 1",
        "solve -s minimax -a 123",
        "explain 123",
    ],
)
def test_on_a_terminal_alone_the_progress_of_a_feedback_table_that_takes_long_is_shown(
    command, process, on_terminal, write
):
    lines = "name = 'pins'", "plugin = 'hits.py'", "rule = 'hits'", "alphabet = '0123456789'", "length = 3"
    write("hits.py", SLOW_RULE)
    command = [*command.split(), "-g", write("pins.toml", "\n".join((*lines, "answers = 'all'")))]
    ran, shown = on_terminal(*command)
    assert ran.code == 0
    assert "computing feedback" in shown
    assert "1000/1000" in shown
    assert process(*command).err.count("computing") == 0


# Weights


def test_a_game_is_played_with_the_weights_of_a_file(run, write):
    game = write("three.toml", 'name = "three"\nalphabet = "abc"\nlength = 1\nanswers = "all"\n')
    line = ["-g", game, "--weights", write("likely.txt", "c 5\nb 3\na 1\n")]
    (row,) = run("tournament", *line, "-s", "expected-guesses", "--workers", "1", "--format", "json").json["rows"]
    assert row["weighted_mean"] == pytest.approx((1 * 5 + 2 * 3 + 3 * 1) / 9)
    assert "three+likely" in run("leaderboard", "-g", "three+likely").out
    assert run("leaderboard", "-g", "three").code == 2
    assert run("solve", *line, "-a", "a", "-s", "expected-guesses").out.split()[1] == "c"


def test_a_pattern_stands_for_the_strategies_that_it_matches_and_that_can_play(run, tiny):
    ran = run("tournament", "-g", tiny, "-s", "liu-p*", "-s", "minimax", "--format", "json")
    played = {row["strategy"] for row in json.loads(ran.out)["rows"]}
    assert {"liu-p1", "minimax"} < played
    assert all(name.startswith(("liu-p", "minimax")) for name in played)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["tournament", "my_idea.py"], "-p my_idea.py"),
        (["tournament", "-s", "my-idea"], "-p my_idea.py"),
        (["tournament", "-s", "nope*"], "nope*"),
        (["solve", "-s", "entropy", "-s", "minimax", "--answer", "crane"], "--strategy"),
        (["tournament", "-p", "my_idea.py"], "depth"),
    ],
)
def test_what_people_type_by_mistake_is_answered_in_one_line(refused, tmp_path, monkeypatch, arguments, named):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_idea.py").write_text("import wordle_kit as wk\n\nclass Mine(wk.Strategy):\n    depth = 2\n")
    assert named in refused(*arguments)
