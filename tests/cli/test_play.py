"""`wordle-kit play`: through a pipe, and on a real terminal."""

import os
from pathlib import Path

import pytest
from terminals import Terminal

import wordle_kit as wk


@pytest.fixture
def four(write):
    """Return the file of a game of four words."""
    words = '["brave", "crane", "crate", "slate"]'
    return write(
        "four.toml",
        f'name = "four"\nalphabet = "abcdefghijklmnopqrstuvwxyz"\nlength = 5\nanswers = {words}\nmax_guesses = 3\n',
    )


@pytest.fixture
def crane(write):
    """Return a file with the word to hide."""
    return write("answer.txt", "crane\n")


# Through a pipe


def test_a_game_about_items_names_the_attributes_and_explains_the_marks(typed, write):
    write("animals.csv", "animal,legs,food\nCat,4,meat\nPolar bear,4,fish;meat\nAnt,6,\n")
    game = write("animals.toml", 'name = "animals"\nitems = "animals.csv"\n')
    ran = typed(
        ["hrse", "ct", "cat", "words", "give up"], "play", "-g", game, "--puzzles", write("one.txt", "polar-bear\n")
    )
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[2:11] == [
        "Marks for legs, food (in this order): = equal, ↑ or > the answer's is higher, ↓ or < the answer's is lower, "
        "✗ or x different, ≈ or ~ partly equal, ? unknown.",
        "guess 1 of 6: hrse",
        "'hrse' is not an item of animals.",
        "guess 1 of 6: ct",
        "'ct' is not an item of animals; did you mean 'cat'?",
        "guess 1 of 6: cat",
        " 1 cat",
        "   legs 4 =   food meat ≈",
        "guess 2 of 6: words",
    ]
    assert "1 item is left: polar-bear" in ran.out
    assert "not solved; the item was polar-bear" in ran.out


def test_a_game_through_a_pipe_shows_each_line_typed_and_its_reply(typed, four, crane):
    ran = typed(["brave", "crane"], "play", "-g", four, "--puzzles", crane)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "four.",
        "You have 3 guesses. Type ? for a hint, help for more.",
        "guess 1 of 3: brave",
        " 1  b [r][a] v [e]",
        "    q  w [e][r] t  y  u  i  o  p",
        "    [a] s  d  f  g  h  j  k  l",
        "      z  x  c  ·  ·  n  m",
        "[x] is in place, (x) is in the word, · is not in it",
        "guess 2 of 3: crane",
        " 2 [c][r][a][n][e]",
        "solved with 2 guesses. Good.",
        "",
        "wordle-kit four 2/3",
        "⬜🟩🟩⬜🟩",
        "🟩🟩🟩🟩🟩",
    ]


def test_commands_cost_no_guess(typed, four, crane):
    lines = typed(
        ["brave", "words", "?", "zebra", "undo", "undo", "help", "", "give up"],
        *("play", "-g", four, "--puzzles", crane, "--hint-by", "first-consistent"),
    ).out.splitlines()
    assert "2 words are left: crane, crate" in lines
    assert "first-consistent would guess crane." in lines
    assert "'zebra' is not among the guesses of four." in lines
    assert "there is no guess to take back." in lines
    assert "  undo     take the last guess back" in lines
    assert lines.count("guess 1 of 3: undo") == 1
    assert lines[-3:] == [
        "not solved; the word was crane",
        "",
        "wordle-kit four X/3, 1 hint, 1 look at the words, 1 undo",
    ]


def test_a_word_that_is_a_command_too_is_guessed_with_an_equals_sign(typed):
    lines = typed(["help", "=words"], "play", "--seed", "3").out.splitlines()
    assert "  =words   guess the word 'words'" in lines
    assert "guess 2 of 6: " in lines[-1]


def test_an_equals_sign_may_be_a_symbol(typed, write):
    game = 'name = "signs"\nalphabet = "=?x"\nlength = 1\nanswers = "all"\nmax_guesses = 3\n'
    lines = typed(["=", "=?", "x"], "play", "-g", write("signs.toml", game), "--puzzles", write("x.txt", "x\n"))
    assert [line[:6] for line in lines.out.splitlines() if line[:2] in (" 1", " 2", " 3")] == [
        " 1  = ",
        " 2  ? ",
        " 3 [x]",
    ]


def test_the_end_of_the_input_ends_the_game_without_the_answer(typed, four, crane):
    ran = typed(["brave"], "play", "-g", four, "--puzzles", crane)
    assert ran.code == 0
    assert ran.out.splitlines()[-1] == "guess 2 of 3: "
    assert "crane" not in ran.out


def test_strategies_play_the_same_puzzle_at_the_end(typed, four, crane):
    arguments = ("--against", "first-consistent", "--against", "entropy(opener=slate)")
    ran = typed(["crate", "give up"], "play", "-g", four, "--puzzles", crane, *arguments)
    table = [line.split() for line in ran.out.splitlines()[-3:]]
    (first,) = wk.play("first-consistent", wk.load_game(four), ["crane"])
    assert table[0] == ["you", "gave", "up", "crate"]
    assert table[1] == ["first-consistent", str(first.turns), *first.guesses]
    assert table[2][:3] == ["entropy(opener=slate)", "3" if table[2][1] == "3" else "2", "slate"]


def test_strategies_are_called_as_in_tournaments_and_failures_are_explained_below(typed, strategy):
    broken = strategy("Broken", "raise ValueError('oh')")
    arguments = ("--hint-by", "liu-i2", "--against", "liu-i1(opener=abhor)", "--against", "broken", "-p", broken)
    lines = typed(["?", "give up"], "play", "-g", "jotto", "--seed", 1, *arguments).out.splitlines()
    assert any(line.startswith("liu-i2 would guess") for line in lines)
    assert lines[-5].split()[:2] == ["you", "gave"]
    assert lines[-4].split()[0] == "liu-i1(opener=abhor)"
    assert lines[-3].split() == ["broken", "no", "guess"]
    assert lines[-1].startswith("broken has no guess: crashed: ValueError: oh")


def test_a_seed_hides_the_same_word_for_everybody(typed):
    def hidden(*seed):
        return typed(["give up"], "play", *seed).out.splitlines()[-3:]

    assert hidden("--seed", 5) == hidden("--seed", 5)
    assert len({hidden("--seed", seed)[0] for seed in range(4)}) > 1
    *_, shared = hidden()
    assert hidden(*shared.rpartition(", ")[2].split())[2] == shared


def test_every_alphabet_and_rule_can_be_played(typed, write):
    out = typed(["1122", "give up"], "play", "-g", "mastermind", "--puzzles", write("code.txt", "1134\n")).out
    assert " 1  1  1  2  2   ⚫⚫··" in out
    glyphs = wk.load_game("glyphs")
    out = typed([glyphs.answers[0]], "play", "-g", "glyphs", "--puzzles", write("word.txt", glyphs.answers[0])).out
    assert "solved with 1 guess. Pure luck, or second sight.\n" in out


def test_hard_mode_refuses_and_says_why(typed, four, crane):
    out = typed(["brave", "slate"], "play", "-g", four, "--puzzles", crane, "--hard").out
    assert "'slate' is not allowed in hard mode: place 2 must be 'r', since 'brave' got 02202." in out


def test_several_boards_are_played_at_a_time(typed, four, write):
    two = write("two.txt", "crane,slate\n")
    ran = typed(["crane", "words", "slate"], "play", "-g", four, "--boards", 2, "--puzzles", two)
    lines = ran.out.splitlines()
    assert lines[:2] == ["four.", "You have 4 guesses on 2 boards. Type ? for a hint, help for more."]
    assert "          (1)    2" in lines
    assert {"board 1: solved", "board 2: 1 word is left: slate"} <= set(lines)
    assert "solved with 2 guesses. Pure luck, or second sight." in lines


def test_the_adversary_has_no_hidden_word_and_stays_unsolved_as_long_as_it_can(typed, four):
    lines = typed(
        ["slate", "brave", "crate", "crane"], "play", "-g", four, "--host", "adversary", "--against", "entropy"
    ).out.splitlines()
    assert lines[1].startswith(
        "You have any number of guesses, against an adversary that keeps as many words as it can"
    )
    assert "guess 4: crane" in lines
    assert "wordle-kit four against the adversary 4" in lines
    assert lines[-1].split()[0] == "entropy"


STUBBORN = """
import wordle_kit as wk
from wordle_kit.tournaments.host import Adversary

class Stubborn(Adversary):
    \"\"\"An adversary with a name of its own.\"\"\"

    name = "stubborn"
    called = "a stubborn host"

@wk.hookimpl
def register_hosts(register):
    register(Stubborn())
"""


def test_a_host_of_a_plugin_is_called_by_its_own_name(typed, four, write):
    host = ["-p", write("stubborn.py", STUBBORN), "--host", "stubborn"]
    lines = typed(["slate", "brave", "crate", "crane"], "play", "-g", four, *host).out.splitlines()
    assert lines[1].startswith("You have any number of guesses, against a stubborn host. ")
    assert "wordle-kit four against a stubborn host 4" in lines


def test_a_host_that_lies_is_named_before_the_game_and_in_the_text_to_share(typed, four):
    liar = str(Path(__file__).parents[2] / "examples" / "lies_once.py")
    guesses = ["brave", "crane", "crate", "slate"]
    lines = typed(guesses, "play", "-g", four, "-p", liar, "--host", "lies-once", "--seed", "1").out.splitlines()
    assert lines[1].startswith("You have 3 guesses, against the host lies-once. ")
    assert any(line.startswith("wordle-kit four against the host lies-once ") for line in lines)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--host", "nobody"], "no host is called 'nobody'; there are: adversary, hidden"),
        (["--deadline", "0"], "deadline is 0.0; give more than 0"),
        (["--hint-by", "entropi"], "no strategy is called 'entropi'; did you mean 'entropy'?"),
        (["--against", "entropy(a=1)"], "entropy has no parameter 'a'"),
        (["--puzzles", "nowhere.txt"], "--puzzles: there is no file 'nowhere.txt'"),
        (["--host", "adversary", "--puzzles", "x.txt"], "--host adversary hides none; choose one of them"),
        (["--daily", "--seed", "3"], "--seed and --daily both choose the hidden words; give one of them"),
        (["--host", "adversary", "--daily"], "--daily chooses hidden words and --host adversary hides none"),
        (["--host", "adversary", "--seed", "3"], "--seed chooses hidden words and --host adversary hides none"),
    ],
)
def test_mistakes_are_reported_in_one_line(refused, arguments, problem):
    assert problem in refused("play", *arguments)


def test_input_that_is_not_text_is_refused_in_one_line(process, four):
    strict = os.environ | {"PYTHONIOENCODING": "utf-8"}
    ran = process("play", "-g", four, input=b"\xff\xfe\n", encoding=None, env=strict)
    assert (ran.code, ran.err.count(b"\n")) == (2, 1)
    assert b"wordle-kit: standard input: is not UTF-8 text" in ran.err


# On a terminal


@pytest.mark.slow
def test_a_person_plays_on_a_terminal_in_colour(four, crane):
    with Terminal("play", "-g", four, "--puzzles", crane, "--against", "entropy") as terminal:
        terminal.wait_for("guess 1 of 3: ")
        shown = terminal.type("brave", "guess 2 of 3: ")
        assert " 1  b [r][a] v [e]\n" in shown
        assert "\x1b[" in terminal.shown
        assert "crane" not in terminal.plain
        assert "entropy would guess" in terminal.type("?", "guess 2 of 3: ")
        shown = terminal.type("crane", "entropy  ")
        assert " 1  b [r][a] v [e]\n 2 [c][r][a][n][e]\n" in shown
        assert terminal.ended() == 0


@pytest.mark.slow
def test_with_no_color_nothing_is_in_colour_and_nothing_is_lost(four, crane):
    with Terminal("play", "-g", four, "--puzzles", crane, NO_COLOR="1") as terminal:
        terminal.wait_for("guess 1 of 3: ")
        shown = terminal.type("crate", "guess 2 of 3: ")
        assert " 1 [c][r][a] t [e]\n" in shown
        assert "[a] s  d  f" in shown
        colours = ("\x1b[3", "\x1b[4", "\x1b[9", "\x1b[10")
        assert not any(code in terminal.shown for code in colours)
        terminal.type("give up", "the word was crane")
        assert terminal.ended() == 0


@pytest.mark.slow
def test_keys_edit_the_line_and_bring_back_earlier_ones_where_python_has_readline(four, crane):
    pytest.importorskip("readline")
    with Terminal("play", "-g", four, "--puzzles", crane) as terminal:
        terminal.wait_for("guess 1 of 3: ")
        assert " 1  b [r][a] v [e]" in terminal.type("rave\x01b", "guess 2 of 3: ")
        assert "'brave' was guessed before" in terminal.type("\x1b[A", "another word.")


@pytest.mark.slow
def test_the_end_of_input_and_ctrl_c_end_a_game(four, crane):
    with Terminal("play", "-g", four, "--puzzles", crane) as terminal:
        terminal.wait_for("guess 1 of 3: ")
        os.write(terminal.master, b"\x04")
        assert terminal.ended() == 0
    with Terminal("play", "-g", four, "--puzzles", crane) as terminal:
        terminal.wait_for("guess 1 of 3: ")
        terminal.press(b"\x03\n", "stopped; the game is not kept")
        assert terminal.ended() == 130
        assert "Traceback" not in terminal.plain


@pytest.mark.slow
def test_a_game_that_was_left_goes_on_and_its_end_is_counted(tmp_path):
    def opened(*arguments):
        return Terminal("play", "-g", "english-4", *arguments, XDG_DATA_HOME=str(tmp_path))

    with opened("--seed", "4") as terminal:
        terminal.wait_for("guess 1 of 6: ")
        terminal.type("brow", "guess 2 of 6: ")
        terminal.press(b"\x03\n", "stopped; play the same game again to go on with it")
        assert terminal.ended() == 130
    with opened() as terminal:
        assert "You go on" not in terminal.wait_for("guess 2 of 6: ")
        assert "b" in terminal.plain
        terminal.type("words", "guess 2 of 6: ")
        terminal.type("exit", "")
        assert terminal.ended() == 0
    with opened() as terminal:
        terminal.wait_for("guess 2 of 6: ")
        shown = terminal.type("give up", "another game? [y/N] ")
        assert "played 1, solved 0%, current streak 0, longest 0" in shown
        assert "X/6, 1 look at the words, --seed 4" in shown
        shown = terminal.type("y", "guess 1 of 6: ")
        terminal.type("quit", "")
        assert terminal.ended() == 0


@pytest.mark.slow
def test_a_record_of_games_that_cannot_be_read_is_named(tmp_path):
    (tmp_path / "wordle-kit").mkdir()
    (tmp_path / "wordle-kit" / "games.json").write_text("[]")
    with Terminal("play", XDG_DATA_HOME=str(tmp_path)) as terminal:
        terminal.wait_for("is not a record of games; move it away")
        assert terminal.ended() == 2


@pytest.mark.slow
def test_the_screen_is_drawn_anew_where_that_is_possible(four, crane):
    for kind, times in (("xterm-256color", 2), ("dumb", 0)):
        with Terminal("play", "-g", four, "--puzzles", crane, TERM=kind) as terminal:
            terminal.wait_for("guess 1 of 3: ")
            terminal.type("brave", "guess 2 of 3: ")
            assert terminal.shown.count("\x1b[2J") == times


def test_a_review_says_what_each_guess_was_worth(typed, four, crane):
    arguments = ("play", "-g", four, "--puzzles", crane, "--hint-by", "first-consistent")
    lines = typed(["slate", "crane"], *arguments, "--review").out.splitlines()
    assert "slate 4 1.2 2 75% 25% brave" in [" ".join(line.split()) for line in lines]
    assert lines[-1] == "skill 88%, luck 50% on average"
    assert "skill" not in typed(["slate", "crane"], *arguments).out


def test_todays_puzzle_is_the_same_for_everyone(typed):
    first, second = (typed(["give up"], "play", "--daily").out.splitlines() for _ in range(2))
    assert first == second
    assert "--daily of 20" in first[-1]


@pytest.mark.parametrize("leave", ["quit", "EXIT"])
def test_quit_and_exit_leave_a_game(typed, four, crane, leave):
    ran = typed(["brave", leave], "play", "-g", four, "--puzzles", crane)
    assert (ran.code, ran.out.splitlines()[-1]) == (0, f"guess 2 of 3: {leave}")


def test_hint_is_another_word_for_a_question_mark(typed, four, crane):
    out = typed(["hint", "quit"], "play", "-g", four, "--puzzles", crane, "--hint-by", "first-consistent").out
    assert "first-consistent would guess brave." in out
