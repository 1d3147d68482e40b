"""`wordle-kit solve`: one game, guess by guess."""

import re
import time
from cProfile import Profile

import pytest
from needs import needs_linux

import wordle_kit as wk
from wordle_kit.cli import output
from wordle_kit.cli.solve import profile_rows, readable


@pytest.fixture
def four(write):
    """Return the file of a game of four words, whose feedback can be worked out by hand."""
    words = '["brave", "crane", "crate", "slate"]'
    return write(
        "four.toml", f'name = "four"\nalphabet = "abcdefghijklmnopqrstuvwxyz"\nlength = 5\nanswers = {words}\n'
    )


def test_every_guess_has_its_tiles_and_how_many_words_were_left(run, four):
    ran = run("solve", "-g", four, "-a", "crane", "-s", "first-consistent")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        " 1  brave  ⬜🟩🟩⬜🟩  2 left",
        " 2  crane  🟩🟩🟩🟩🟩",
        "solved",
    ]


def test_tiles_show_symbols_in_other_places_too(run, four):
    out = run("solve", "-g", four, "-a", "crate", "-s", "entropy(opener=slate)").out
    assert out.splitlines()[0] == " 1  slate  ⬜⬜🟩🟩🟩  1 left"
    out = run("solve", "-a", "crane", "-s", "entropy(opener=soare)").out
    assert out.splitlines()[1] == " 1  soare  ⬜⬜🟩🟨🟩  19 left"


def test_mastermind_shows_its_pegs(run):
    out = run("solve", "-g", "mastermind", "-a", "1234", "-s", "minimax(opener=1122)").out
    assert re.match(r" 1  1122  ⚫⚪··  \d+ left\n", out)
    assert out.endswith("  1234  ⚫⚫⚫⚫\nsolved\n")


def test_capitals_are_read_as_small_letters(run, four):
    assert run("solve", "-g", four, "-a", "CRANE").out.endswith("🟩🟩🟩🟩🟩\nsolved\n")


def test_entropy_plays_unless_another_is_named(run, four):
    assert run("solve", "-g", four, "-a", "slate") == run("solve", "-g", four, "-a", "slate", "-s", "entropy")


def test_a_strategy_of_a_file_can_be_watched(run, four, strategy):
    ran = run("solve", "-g", four, "-a", "slate", "-p", strategy("Mine"), "-s", "mine")
    assert ran.out.splitlines()[0].startswith(" 1  brave")


def test_the_seed_throws_the_dice(run, tiny):
    def game(seed):
        return run("solve", "-g", tiny, "-a", "cb", "-s", "random-consistent", "--seed", seed).out

    assert game(1) == game(1)
    assert len({game(seed) for seed in range(5)}) > 1


@pytest.mark.parametrize(
    ("body", "ending"),
    [
        ("return 'zebra'", "illegal guess: 'zebra' is not among the guesses"),
        ("raise ValueError('no idea')", "crashed: ValueError: no idea (mine.py, line 8), at guess 1"),
        ("while True: pass", "timed out: took more than 0.05 s for guess 1"),
    ],
)
def test_a_fault_of_the_strategy_is_said_in_the_last_line(run, four, strategy, body, ending):
    arguments = ("-g", four, "-a", "slate", "-p", strategy("Mine", body), "-s", "mine", "--deadline", "0.05")
    ran = run("solve", *arguments)
    assert ran.code == 1
    assert ran.out.startswith(ending)


def test_hard_mode_forbids_guesses_that_ignore_the_feedback(run, tiny, strategy):
    stubborn = strategy("Stubborn", "return position.game.guesses[position.turn - 1]")
    arguments = ("solve", "-g", tiny, "-a", "cc", "-p", stubborn, "-s", "stubborn")
    ran = run(*arguments)
    assert ran.code == 1
    assert ran.out.endswith("solved, but only after the 6 guesses allowed\n")
    assert "illegal guess" in run(*arguments, "--hard").out


def test_nothing_is_stored(run, four, own_store):
    run("solve", "-g", four, "-a", "slate")
    assert not own_store.exists()


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ("sláte", "'á', which is not in the alphabet"),
        ("late", "'late' has 4 letters; words of four have 5"),
        ("grape", "'grape' is not among the answers of four"),
        ("", "'' has 0 letters"),
    ],
)
def test_an_answer_that_cannot_be_hidden_is_named(refused, four, answer, problem):
    assert problem in refused("solve", "-g", four, "-a", answer)


# Several boards


def test_every_board_has_its_tiles_and_a_board_that_is_solved_is_blank(run, four):
    ran = run("solve", "-g", four, "--boards", "2", "-a", "crate,brave", "-s", "first-consistent")
    assert (ran.code, ran.err) == (0, "")
    assert [line.rstrip() for line in ran.out.splitlines()] == [
        " 1  brave  ⬜🟩🟩⬜🟩  🟩🟩🟩🟩🟩  2, - left",
        " 2  crane  🟩🟩🟩⬜🟩              1, - left",
        " 3  crate  🟩🟩🟩🟩🟩",
        "solved",
    ]


@pytest.mark.parametrize("answer", ["crane,slate", "crane slate", "crane, slate", "CRANE,SLATE"])
def test_a_puzzle_of_two_boards_is_played_until_both_are_solved(run, answer):
    lines = run("solve", "-g", "dordle", "-a", answer, "-s", "entropy(opener=soare)").out.splitlines()
    assert lines[0] == " 1  soare  ⬜⬜🟩🟨🟩  🟩⬜🟩⬜🟩  19, 18 left"
    assert "  crane  🟩🟩🟩🟩🟩  ⬜⬜🟩⬜🟩  -, 1 left" in lines[-3]
    assert lines[-2].endswith("  slate              🟩🟩🟩🟩🟩")
    assert lines[-1] == "solved"


def test_boards_of_the_same_word_are_solved_together(run, four):
    out = run("solve", "-g", four, "--boards", "3", "-a", "crate,crate,crate", "-s", "entropy(opener=crate)").out
    assert out == f" 1  crate  {'  '.join(['🟩🟩🟩🟩🟩'] * 3)}\nsolved\n"


def test_a_strategy_may_be_lifted_to_look_at_another_board(run, four):
    def second_guess(board):
        spec = f"lifted(base=first-consistent, board={board})"
        return run("solve", "-g", four, "--boards", "3", "-a", "brave,crate,slate", "-s", spec).out.splitlines()[1][:9]

    assert [second_guess(board) for board in ("fewest", "most", "first")] == [" 2  slate", " 2  crane", " 2  crane"]


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ("crane", "'crane' has 1 word; dordle has 2 boards"),
        ("crane,slate,trace", "'crane,slate,trace' has 3 words; dordle has 2 boards"),
        ("crane,zzzzz", "'zzzzz' is not among the answers of dordle"),
        ("crane,late", "'late' has 4 letters; words of dordle have 5"),
        ("", "'' has 0 words; dordle has 2 boards"),
    ],
)
def test_answers_that_cannot_be_hidden_on_two_boards_are_named(refused, answer, problem):
    assert refused("solve", "-g", "dordle", "-a", answer) == f"wordle-kit: --answer: {problem}\n"


def test_two_answers_are_too_many_for_one_board(refused):
    assert "--answer: 'crane,slate' has ','" in refused("solve", "-a", "crane,slate")


# What is wrong


def test_an_unknown_strategy_is_named_with_a_suggestion(refused, four):
    assert "'entropi'; did you mean 'entropy'?" in refused("solve", "-g", four, "-a", "slate", "-s", "entropi")


@pytest.mark.parametrize("deadline", ["0", "-1", "nan"])
def test_an_impossible_deadline_is_named(refused, four, deadline):
    assert f"deadline is {deadline}" in refused("solve", "-g", four, "-a", "slate", "--deadline", deadline)


def test_an_output_that_cannot_show_tiles_has_the_digits(run, monkeypatch):
    monkeypatch.setattr(output, "can_show", lambda text: False)
    lines = run("solve", "-g", "dordle", "-s", "first-consistent", "--answer", "crane,aback").out.splitlines()
    assert lines[0].split()[:4] == ["1", "aback", str(wk.load_game("dordle").feedback("aback", "crane")), "22222"]
    assert lines[1].startswith(" 2  ")
    assert all(map(str.isascii, lines))


# The profile

GAME = wk.load_game({"name": "abc", "alphabet": "abc", "length": 3, "answers": "all"})


class Sleeping(wk.Strategy):
    """Sleep, sort, and ask the engine."""

    def guess(self, position):
        sleep_twice()
        position.board.part_sizes()
        return max(sorted(position.board.words), key=len)


def sleep_twice():
    """Take 0.2 s, of which this function itself takes nothing."""
    for _ in range(2):
        time.sleep(0.1)


@pytest.fixture(scope="module")
def rows():
    """Return the rows of one decision of a strategy, by the names of the functions."""
    GAME.table.prepare()
    profiler = Profile()
    profiler.runcall(Sleeping().guess, wk.Position.start(GAME))
    return profile_rows(profiler, Sleeping())


def test_each_function_has_its_own_time_without_that_of_others(rows):
    found = {row["function"]: row for row in rows if row["of"] != "wordle-kit"}
    assert found["time.sleep"]["calls"] == 2
    assert found["time.sleep"]["ms"] >= 200
    assert found["sleep_twice"]["calls"] == found["guess"]["calls"] == 1
    assert found["sleep_twice"]["ms"] + found["guess"]["ms"] < 100
    assert re.fullmatch(r"test_solve.py, line \d+", found["sleep_twice"]["of"])
    assert {"sorted", "max"} <= set(found)
    assert rows[0]["function"] == "time.sleep"


def test_the_engines_own_work_is_one_row_at_the_end_with_what_it_calls(rows):
    assert [row["of"] for row in rows].index("wordle-kit") == len(rows) - 1
    assert not any("numpy" in row["of"] for row in rows)  # only the engine uses it here
    assert rows[-1]["calls"] > 3
    assert sum(row["share"] for row in rows) == pytest.approx(1)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("<built-in method builtins.sum>", "sum"),
        ("<built-in method time.sleep>", "time.sleep"),
        ("<method 'append' of 'list' objects>", "list.append"),
        ("<built-in method __new__ of type object at 0x7f2eb905ea00>", "__new__"),
    ],
)
def test_native_functions_have_the_names_that_python_code_uses(name, shown):
    assert readable(name) == shown


def test_solve_shows_the_table_below_the_guesses(run, strategy):
    path = strategy("Mine", "sorted(position.board.words)")
    ran = run("solve", "-a", "crane", "-g", "wordle", "-p", path, "-s", "mine", "--profile")
    assert ran.code == 0
    guesses, table, note = ran.out.split("\n\n")
    assert guesses.endswith("solved")
    lines = table.splitlines()
    assert lines[0].split() == ["function", "of", "calls", "ms", "share"]
    assert any(line.split()[:2] == ["sorted", "Python"] for line in lines)
    assert any(line.startswith("guess ") and "mine.py, line 7" in line for line in lines)
    assert lines[-1].split()[0] == "wordle-kit"
    decisions = guesses.count("\n")
    assert note.startswith(f"{decisions} decisions took ")


def test_a_profile_changes_no_guess(run):
    plain = run("solve", "-a", "crane", "-g", "wordle", "-s", "entropy")
    assert run("solve", "-a", "crane", "-g", "wordle", "-s", "entropy", "--profile").out.startswith(plain.out)


@needs_linux
def test_a_strategy_in_another_process_has_no_profile(run, strategy):
    ran = run("solve", "-a", "crane", "-p", strategy("Mine"), "-s", "mine", "--isolate", "--profile")
    assert ran.code == 2
    assert ran.err.endswith("--profile sees only this process; leave out --isolate, and use a strategy in Python\n")
