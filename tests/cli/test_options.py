"""Options that commands share: a wrong one is named in one line, and nothing is played."""

import json
import os
import sqlite3
import subprocess
import sys

import platformdirs
import pytest

from wordle_kit.cli import values
from wordle_kit.plugins import Plugins


@pytest.fixture
def wrong(refused, tiny):
    """Refuse a tournament of the tiny game, and return the line that says why."""

    def wrong(*arguments):
        return refused("tournament", "--game", tiny, "--workers", "1", *arguments)

    return wrong


# Games


def test_an_unknown_game_is_named_with_a_suggestion(refused):
    assert "no game is called 'wordel'; did you mean 'wordle'?" in refused("tournament", "-g", "wordel")


def test_an_unknown_game_is_named_with_a_list_of_all_games(refused):
    line = refused("tournament", "-g", "chess")
    assert "no game is called 'chess'; there are: " in line
    assert "mastermind, " in line


def test_a_game_file_that_is_not_there_is_named(refused, tmp_path):
    path = tmp_path / "nowhere.toml"
    assert f"{path}: cannot be read: No such file" in refused("tournament", "-g", path)


GAMES = {
    "not TOML": ("answers = ", "is not TOML: "),
    "no answers": ("", "answers: is missing"),
    "empty answers": ("answers = []", "answers: there are none"),
    "a word too long": ("answers = ['ab', 'abc']", "answers: entry 2: 'abc' has 3 symbols; words of x have 2"),
    "a symbol too many": ("answers = ['ab', 'ax']", "answers: entry 2: 'ax' has 'x', which is not in the alphabet"),
    "a word twice": ("answers = ['ab', 'ba', 'ab']", "answers: entry 3: 'ab' is listed twice, first at"),
    "no board": ("answers = 'all'\nboards = 0", "boards: "),
    "half a board": ("answers = 'all'\nboards = 0.5", "boards: "),
    "no guesses": ("answers = 'all'\nmax_guesses = 0", "max_guesses: "),
    "a setting misspelt": ("answers = 'all'\nbords = 1", "no setting is called 'bords'; did you mean 'boards'?"),
    "a rule misspelt": ("answers = 'all'\nrule = 'wordel'", "no rule is called 'wordel'; did you mean 'wordle'?"),
    "weight of a stranger": ("answers = ['ab']\nweights = {ba = 2}", "weights: 'ba' is not among the answers"),
    "no weight": ("answers = ['ab']\nweights = {ab = 0}", "x: all weights are 0; give at least one answer more"),
}


@pytest.mark.parametrize(("lines", "problem"), GAMES.values(), ids=GAMES)
def test_a_wrong_game_file_is_named_with_its_mistake(refused, write, lines, problem):
    path = write("x.toml", f"name = 'x'\nalphabet = 'abc'\nlength = 2\n{lines}\n")
    assert f"wordle-kit: {path}: {problem}" in refused("tournament", "-g", path)


WORD_FILES = {
    "a word too long": ("ab\n\nabc\n", ": line 3: 'abc' has 3 symbols; words of x have 2"),
    "a symbol too many": ("# words\nab\nax\n", ": line 3: 'ax' has 'x', which is not in the alphabet"),
    "a word twice": ("ab\nba\nab\n", ": line 3: 'ab' is listed twice, first at "),
    "nothing": ("", " has no words"),
    "nothing but comments": ("# words\n\n", " has no words"),
}


@pytest.mark.parametrize("field", ["answers", "guesses"])
@pytest.mark.parametrize(("words", "problem"), WORD_FILES.values(), ids=WORD_FILES)
def test_a_word_file_that_is_wrong_is_named_with_its_line(refused, write, field, words, problem):
    listed = write("words.txt", words)
    others = "" if field == "answers" else "answers = ['cc']\n"
    game = write("x.toml", f"name = 'x'\nalphabet = 'abc'\nlength = 2\n{others}{field} = 'words.txt'\n")
    assert f"{listed}{problem}" in refused("tournament", "-g", game)


def test_a_word_file_that_is_not_there_is_named(refused, write, tmp_path):
    game = write("x.toml", "name = 'x'\nalphabet = 'abc'\nlength = 2\nanswers = 'nowhere.txt'\n")
    assert f"{tmp_path / 'nowhere.txt'}: cannot be read" in refused("tournament", "-g", game)


def test_a_word_file_that_is_not_text_is_named_with_its_line(refused, write, tmp_path):
    (tmp_path / "words.txt").write_bytes(b"ab\n\xff\xfe\n")
    game = write("x.toml", "name = 'x'\nalphabet = 'abc'\nlength = 2\nanswers = 'words.txt'\n")
    assert f"{tmp_path / 'words.txt'}: line 2: is not UTF-8" in refused("tournament", "-g", game)


@pytest.mark.parametrize("command", [("tournament",), ("compare", "entropy", "minimax"), ("solve", "-a", "aa")])
@pytest.mark.parametrize("boards", ["0", "257", "-1"])
def test_an_impossible_number_of_boards_is_named_with_the_possible_ones(refused, tiny, command, boards):
    line = refused(*command, "-g", tiny, "--boards", boards)
    assert line == f"wordle-kit: tiny-x{boards}: boards is {boards}; choose from 1 to 256\n"


@pytest.mark.parametrize("boards", ["many", "1.5", ""])
def test_boards_that_are_not_a_number_are_named_with_the_option(refused, tiny, boards):
    assert "'--boards'" in refused("tournament", "-g", tiny, "--boards", boards)


@pytest.mark.parametrize(
    ("name", "boards", "made"),
    [
        ("wordle", None, ("wordle", 1, 6)),
        ("wordle", 1, ("wordle", 1, 6)),
        ("wordle", 4, ("wordle-x4", 4, 9)),
        ("wordle", 256, ("wordle-x256", 256, 261)),
        ("dordle", None, ("dordle", 2, 7)),
        ("dordle", 2, ("dordle", 2, 7)),
        ("dordle", 1, ("dordle-x1", 1, 6)),
        ("octordle", 2, ("octordle-x2", 2, 7)),
    ],
)
def test_as_many_guesses_are_added_or_taken_as_boards(name, boards, made):
    game = values.load_game(name, Plugins.load(), boards=boards)
    assert (game.name, game.boards, game.max_guesses) == made


def test_at_least_one_guess_is_left_of_few_boards(write):
    path = write(
        "few.toml", "name = 'few'\nalphabet = 'ab'\nlength = 2\nanswers = 'all'\nboards = 9\nmax_guesses = 3\n"
    )
    assert values.load_game(str(path), Plugins.load(), boards=1).max_guesses == 1


# The game of a command without --game

USUAL = "Wordle, lists of 2021 (wordle; -g chooses another, such as wordle-nyt)."
REAL = "Wordle of the New York Times (wordle-nyt; -g chooses another, such as wordle)."


@pytest.mark.parametrize(
    ("command", "line"),
    [
        (["explain", "crane"], USUAL),
        (["letters"], USUAL),
        (["openers", "--top", "1"], USUAL),
        (["compare", "first-consistent", "letter-frequency", "--puzzles", "2", "--workers", "1"], USUAL),
        (["solve", "-a", "crane", "-s", "first-consistent"], USUAL),
        (["optimal", "--after", "crane=00210", "--after", "sloth=00000"], USUAL),
        (["play", "--seed", "1"], USUAL),
        (["suggest", "--top", "1", "-s", "first-consistent"], REAL),
        (["assist", "--top", "1", "-s", "first-consistent"], REAL),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_without_a_game_the_first_line_names_the_one_that_is_used(typed, own_store, command, line):
    assert typed([], *command).out.splitlines()[0] == line
    game = "wordle" if line == USUAL else "wordle-nyt"
    assert "-g chooses" not in typed([], *command, "-g", game).out


@pytest.mark.parametrize(
    "command",
    [["explain", "crane"], ["letters"], ["openers", "--top", "1"], ["suggest", "--top", "1", "-s", "first-consistent"]],
    ids=lambda command: command[0],
)
def test_programs_get_no_line_about_the_game(run, command):
    assert "-g chooses" not in "".join(run(*command, "--format", form).out for form in ("json", "csv", "markdown"))


# Strategies


def test_an_unknown_strategy_is_named_with_a_suggestion(wrong):
    assert "no strategy is called 'entropi'; did you mean 'entropy'?" in wrong("-s", "entropi")


def test_an_unknown_strategy_is_named_with_a_list_of_all_strategies(wrong):
    line = wrong("-s", "zzz")
    assert "no strategy is called 'zzz'; there are: " in line
    assert "random-consistent" in line


def test_an_unknown_parameter_is_named_with_those_there_are(wrong):
    line = wrong("-s", "entropy(openr=ab)")
    assert "entropy has no parameter 'openr'; " in line
    assert [name for name in ("pool=guesses", "ties=candidates-first", "opener=") if name not in line] == []


def test_a_parameter_of_a_strategy_without_any_is_named(wrong):
    assert "first-consistent has no parameter 'depth'" in wrong("-s", "first-consistent(depth=2)")


def test_a_wrong_value_is_named_with_the_right_ones(wrong):
    assert "entropy: pool: is 'moon'; give 'guesses' or 'candidates'" in wrong("-s", "entropy(pool=moon)")


@pytest.mark.parametrize(
    "spec", ["", "(", "entropy(", "entropy)", "two words", "entropy(pool)", "entropy(pool=a, pool=b)", "entropy(a='b)"]
)
def test_a_malformed_spec_is_quoted(wrong, spec):
    assert f"{spec!r}" in wrong("-s", spec)


@pytest.mark.parametrize(
    ("opener", "problem"),
    [
        ("zz", "'zz' has 'z', which is not in the alphabet"),
        ("abc", "'abc' has 3 letters; words of tiny have 2"),
    ],
)
def test_an_opener_that_is_not_a_word_of_the_game_is_named(wrong, opener, problem):
    assert f"entropy(opener={opener}) cannot play tiny: opener: {problem}" in wrong("-s", f"entropy(opener={opener})")


def test_an_opener_that_is_not_a_guess_of_the_game_is_named(refused):
    line = refused("tournament", "-s", "entropy(opener=zzzzz)")
    assert "entropy(opener=zzzzz) cannot play wordle: opener: 'zzzzz' is not among the guesses of wordle" in line


# Plugins


def test_a_plugin_file_that_is_not_there_is_named(wrong, tmp_path):
    assert f"plugin {tmp_path / 'nowhere.py'}: there is no such file" in wrong("-p", tmp_path / "nowhere.py")


def test_a_module_that_is_not_there_is_named(wrong):
    assert "plugin no_such_module: there is no such module" in wrong("-p", "no_such_module")


def test_an_unknown_plugin_to_switch_off_is_named_with_a_suggestion(wrong):
    assert "no plugin is called 'partitoin'; did you mean 'partition'?" in wrong("-p", "no:partitoin")


def test_a_folder_of_plugins_that_is_not_there_is_named(wrong, tmp_path):
    assert f"{tmp_path / 'nowhere'}: is not a folder of plugins" in wrong("--plugins-dir", tmp_path / "nowhere")


# Numbers and formats


def test_an_unknown_format_is_named_with_those_there_are(wrong):
    assert "'yaml'; there are: csv, html, json, latex, markdown, table" in wrong("--format", "yaml")


@pytest.mark.parametrize("count", ["0", "-5", "10", "99999999"])
def test_more_puzzles_than_answers_are_refused_with_the_number_of_answers(wrong, count):
    assert f"puzzles: {count} cannot be drawn from 9 answers; choose from 1 to 9" in wrong("--puzzles", count)


def test_puzzles_that_are_neither_number_nor_file_are_named(wrong):
    assert "puzzles: 'nonexistent' is not 'all', a number or a file" in wrong("--puzzles", "nonexistent")


@pytest.mark.parametrize(
    ("word", "problem"),
    [
        ("zz", "'zz' has 'z', which is not in the alphabet"),
        ("abc", "'abc' has 3 letters; words of tiny have 2"),
    ],
)
def test_a_puzzle_file_with_a_wrong_word_is_named_with_its_line(wrong, write, word, problem):
    path = write("puzzles.txt", f"ab\n\n{word}\n")
    assert f"{path}: line 3: {problem}" in wrong("--puzzles", path)


def test_a_puzzle_file_with_a_word_that_is_not_an_answer_is_named_with_its_line(refused, write):
    path = write("puzzles.txt", "crane\naahed\n")
    assert f"{path}: line 2: 'aahed' is not among the answers of wordle" in refused("tournament", "--puzzles", path)


def test_a_puzzle_file_without_puzzles_is_named(wrong, write):
    path = write("puzzles.txt", "# none yet\n")
    assert f"puzzles: there are none in {path}" in wrong("--puzzles", path)


@pytest.mark.parametrize(
    ("puzzles", "problem"),
    [
        ("all", "all of them are too many with 2 boards; give a number to draw, or a file"),
        ("0", "0 cannot be drawn; choose from 1 to 1,000,000"),
        ("1000001", "1000001 cannot be drawn; choose from 1 to 1,000,000"),
    ],
)
def test_impossible_puzzles_of_several_boards_are_named(wrong, puzzles, problem):
    assert wrong("--boards", "2", "--puzzles", puzzles) == f"wordle-kit: puzzles: {problem}\n"


def test_more_boards_than_words_are_refused_unless_words_may_repeat(wrong, run, tiny):
    assert "12 boards cannot have different words of 9 answers" in wrong("--boards", "12", "--puzzles", "2")
    arguments = ("--boards", "12", "--puzzles", "2", "--repeats", "-s", "entropy", "--workers", "1")
    assert run("tournament", "-g", tiny, *arguments).code == 0


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("ab", "'ab' has 1 word; tiny-x2 has 2 boards"),
        ("ab,ba cc", "'ab,ba cc' has 3 words"),
        ("ab zz", "'zz' has 'z'"),
    ],
)
def test_a_line_of_a_puzzle_file_that_does_not_fit_the_boards_is_named(wrong, write, line, problem):
    path = write("puzzles.txt", f"ab,ba\n{line}\n")
    assert f"{path}: line 2: {problem}" in wrong("--boards", "2", "--puzzles", path)


@pytest.mark.parametrize("workers", ["0", "-1"])
def test_workers_must_be_at_least_one(wrong, workers):
    assert f"workers is {workers}; give 1 or more" in wrong("--workers", workers)


@pytest.mark.parametrize("deadline", ["0", "-1", "nan"])
def test_a_deadline_must_give_some_time(wrong, deadline):
    assert f"deadline is {float(deadline)}; give" in wrong("--deadline", deadline)


@pytest.mark.parametrize("deadline", ["inf", "1e12"])
def test_a_deadline_of_ages_is_played_or_refused(run, tiny, deadline):
    ran = run("tournament", "-g", tiny, "-s", "first-consistent", "--workers", "1", "--deadline", deadline)
    assert (ran.code, ran.err == "") in [(0, True), (2, False)]


@pytest.mark.parametrize("memory", ["0", "-1"])
def test_memory_must_be_at_least_a_megabyte(wrong, memory):
    assert f"--memory is {memory}; give the feedback table at least 1 MB" in wrong("--memory", memory)


def test_text_in_place_of_a_number_is_named_with_its_option(wrong):
    assert "--seed" in wrong("--seed", "lucky")


# Stores and folders


@pytest.mark.parametrize("inside", ["results.sqlite", "deep/results.sqlite"])
def test_a_store_below_a_file_is_named(wrong, write, inside):
    path = write("file", "") / inside
    line = wrong("--store", path)
    assert f"{path}: cannot be created: " in line
    assert "choose another file (--store)" in line


def test_a_store_that_is_a_folder_is_named(wrong, tmp_path):
    assert f"{tmp_path}: cannot be used as a store" in wrong("--store", tmp_path)


@pytest.mark.parametrize("content", [b"no database, but something precious\n" * 99, b"SQLite format 3\0" + b"?" * 4096])
def test_a_file_that_is_not_a_store_is_named_and_left_unchanged(wrong, tmp_path, content):
    path = tmp_path / "precious"
    path.write_bytes(content)
    assert f"{path}: is damaged or not a store of wordle-kit" in wrong("--store", path)
    assert path.read_bytes() == content


def test_a_database_of_another_program_is_named_and_left_as_it_is(wrong, tmp_path):
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE precious (x)")
    connection.close()
    content = path.read_bytes()
    assert f"{path}: is a database of another program" in wrong("--store", path)
    assert path.read_bytes() == content


@pytest.fixture
def damaged(run, tiny, own_store):
    """Return a function that damages a store of results by some SQL, or by other bytes for some."""
    run("tournament", "-g", tiny, "-s", "first-consistent", "--workers", "1")

    def damaged(sql="", old=b"", new=b""):
        connection = sqlite3.connect(own_store)
        connection.executescript(f"PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE; {sql}")
        connection.close()
        content = own_store.read_bytes()
        assert old in content
        own_store.write_bytes(content.replace(old, new, 1))
        return own_store

    return damaged


DAMAGE = {
    "its schema is not text": {"old": b"CREATE TABLE plays", "new": b"CREATE TABL\xff plays"},
    "a table is gone": {"sql": "DROP TABLE plays"},
    "facts are not JSON": {"sql": "UPDATE runs SET facts = '{'"},
    "facts are missing": {"sql": "UPDATE runs SET facts = '{}'"},
    "an outcome is unknown": {"sql": "UPDATE plays SET outcome = 'slved' WHERE puzzle = 3"},
    "a guess is lost": {"sql": "UPDATE plays SET guesses = 'aa' WHERE puzzle = 3"},
    "plays are lost": {"sql": "DELETE FROM plays WHERE puzzle = 3"},
}


@pytest.mark.parametrize("command", ["tournament", "leaderboard"])
@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_store_is_named_and_nothing_of_it_is_shown(refused, tiny, damaged, damage, command):
    path = damaged(**damage)
    arguments = ["-g", tiny, "-s", "first-consistent", "--workers", "1"] if command == "tournament" else []
    assert str(path) in refused(command, *arguments)


@pytest.mark.parametrize("inside", ["", "deep"])
def test_a_leaderboard_folder_that_cannot_be_written_is_named(wrong, write, inside):
    path = write("file", "") / inside
    assert f"{path / 'tiny.md'}: cannot be written: " in wrong("-s", "first-consistent", "--leaderboard", path)


@pytest.mark.parametrize("command", [("tournament", "-s", "minimax"), ("compare", "entropy", "minimax")])
@pytest.mark.parametrize("place", ["", "nowhere/plays.tsv"])
def test_a_file_of_transcripts_that_cannot_be_written_is_named(refused, tiny, tmp_path, command, place):
    path = tmp_path / place
    line = refused(*command, "-g", tiny, "--workers", "1", "--transcripts", path)
    assert f"wordle-kit: {path}: cannot be written: " in line


def test_the_store_is_in_the_users_data_folder_unless_told_otherwise(monkeypatch, tmp_path):
    monkeypatch.delenv("WORDLE_KIT_STORE")
    assert values.store_path(None) == platformdirs.user_data_path("wordle-kit", appauthor=False) / "results.sqlite"
    monkeypatch.setenv("WORDLE_KIT_STORE", str(tmp_path / "of-the-environment"))
    assert values.store_path(None) == tmp_path / "of-the-environment"
    assert values.store_path(tmp_path / "given") == tmp_path / "given"


# Progress


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals to show progress on")
def test_on_a_terminal_progress_is_shown_beside_clean_results(process, tiny):
    import pty

    reading, terminal = pty.openpty()
    settings = {
        "stdout": subprocess.PIPE,
        "stderr": terminal,
        "capture_output": False,
        "env": os.environ | {"TERM": "xterm"},
    }
    ran = process("tournament", "-g", tiny, "-s", "minimax", "--workers", "1", "--format", "json", **settings)
    os.close(terminal)
    shown = os.read(reading, 10_000).decode()
    os.close(reading)
    assert "playing" in shown
    assert "9/9" in shown
    assert ran.rows["minimax"]["games"] == 9


@pytest.mark.parametrize(
    "command",
    [["solve", "--answer", "crane"], ["openers"], ["suggest"], ["plot", "openers"]],
)
def test_a_command_of_one_strategy_refuses_a_spec_for_several(refused, command):
    assert "'0..3' stands for several values; give one here" in refused(*command, "-s", "entropy(endgame=0..3)")


# Weights


@pytest.fixture
def weighted(tmp_path):
    """Return the options of a game of three words with a file of weights, and that file."""
    (tmp_path / "three.toml").write_text('name = "three"\nalphabet = "abc"\nlength = 1\nanswers = "all"\n')
    (tmp_path / "likely.txt").write_text("c 5\nb 3\na 1\n")
    return ["-g", tmp_path / "three.toml", "--weights", tmp_path / "likely.txt"], tmp_path / "likely.txt"


def test_a_game_is_played_with_the_weights_of_a_file(run, weighted):
    line, _ = weighted
    shown = json.loads(run("tournament", *line, "-s", "expected-guesses", "--format", "json").out)["rows"]
    assert shown[0]["weighted_mean"] == pytest.approx((1 * 5 + 2 * 3 + 3 * 1) / 9)
    assert "three+likely" in run("leaderboard", "-g", "three+likely").out
    assert run("leaderboard", "-g", "three").code == 2
    assert run("solve", *line, "-a", "a", "-s", "expected-guesses").out.split()[1] == "c"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a 1\nb 2\n", "has no weight for the answer 'c'; add a line for it"),
        ("a 1\nb 2\nc 3\nd 4\n", "line 4: 'd' has 'd', which is not in the alphabet"),
        ("a 1\nb -2\nc 3\n", "line 2: the weight of 'b' is -2; give a number from 0 up"),
        ("a\n", "line 1: 'a' has no weight; write a number after the word"),
        (None, "cannot be read: No such file or directory"),
    ],
)
def test_a_mistake_in_a_file_of_weights_is_named(refused, weighted, text, problem):
    line, path = weighted
    if text is None:
        path.unlink()
    else:
        path.write_text(text)
    assert f"--weights: {path}: {problem}" in refused("solve", *line, "-a", "a")


def test_weights_of_no_game_are_refused(refused, weighted):
    assert "--weights are those of a game; name it with --game" in refused("check", "-s", "entropy", *weighted[0][2:])
