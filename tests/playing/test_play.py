"""`wordle-kit play`: through a pipe, and on a real terminal."""

import os
from pathlib import Path

import pytest
from rich.cells import cell_len
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


def test_a_game_through_a_pipe_shows_each_guess_with_its_marks_and_a_text_to_share(typed, four, crane):
    ran = typed(["brave", "crane"], "play", "-g", four, "--puzzles", crane)
    assert (ran.code, ran.err) == (0, "")
    for line in (" 1  b [r][a] v [e]", " 2 [c][r][a][n][e]", "wordle-kit four 2/3", "⬜🟩🟩⬜🟩", "🟩🟩🟩🟩🟩"):
        assert line in ran.out.splitlines()


def test_commands_cost_no_guess(typed, four, crane):
    lines = typed(
        ["brave", "words", "?", "zebra", "undo", "undo", "help", "", "give up"],
        *("play", "-g", four, "--puzzles", crane, "-s", "first-consistent"),
    ).out.splitlines()
    assert any(line.endswith("crane, crate") for line in lines)
    assert "first-consistent would guess crane." in lines
    assert any("'zebra'" in line for line in lines)
    assert any("guess 1 of 3: undo" in line for line in lines)
    assert lines[-1].startswith("wordle-kit four X/3")


def test_a_hint_is_the_first_suggestion_of_assist_with_its_score(typed, run):
    (first, *_) = run("assist", "-g", "wordle", "--after", "crane=01100", "--format", "json").json["suggestions"]
    file_of_one = ("--seed", "5")  # hides a word with this feedback on crane
    lines = typed(["?"], "play", *file_of_one).out.splitlines()
    (start, *_) = run("assist", "-g", "wordle", "--format", "json").json["suggestions"]
    assert f"expected-guesses would guess {start['word']}, with a score of {start['score']:.4f}." in lines
    assert first["score"] < start["score"]


def test_a_word_that_is_a_command_too_is_guessed_with_an_equals_sign(typed):
    lines = typed(["=words"], "play", "--seed", "3").out.splitlines()
    assert "guess 2 of 6: " in lines[-1]


@pytest.mark.parametrize("end", [[], ["QUIT"]])
def test_the_end_of_the_input_or_a_command_ends_the_game_without_the_answer(typed, four, crane, end):
    ran = typed(["brave", *end], "play", "-g", four, "--puzzles", crane)
    assert ran.code == 0
    assert "crane" not in ran.out


def test_strategies_play_the_same_puzzle_at_the_end(typed, four, crane):
    arguments = ("--against", "first-consistent", "--against", "entropy(opener=slate)")
    ran = typed(["crate", "give up"], "play", "-g", four, "--puzzles", crane, *arguments)
    table = [line.split() for line in ran.out.splitlines()[-3:]]
    (first,) = wk.play("first-consistent", wk.load_game(four), ["crane"])
    assert (table[0][0], table[0][-1]) == ("you", "crate")
    assert table[1] == ["first-consistent", str(first.turns), *first.guesses]
    assert (table[2][0], table[2][2]) == ("entropy(opener=slate)", "slate")


def test_a_strategy_that_fails_is_explained_and_the_others_play(typed, four, crane, strategy):
    arguments = ("--against", "minimax", "--against", "broken", "-p", strategy("Broken", "raise ValueError('oh')"))
    lines = typed(["give up"], "play", "-g", four, "--puzzles", crane, *arguments).out.splitlines()
    assert any(line.startswith("minimax ") for line in lines)
    assert "ValueError: oh" in lines[-1]


def test_a_seed_hides_the_same_word_for_everybody(typed):
    def hidden(*seed):
        return typed(["give up"], "play", *seed).out.splitlines()[-3:]

    assert hidden("--seed", 5) == hidden("--seed", 5)
    assert len({hidden("--seed", seed)[0] for seed in range(4)}) > 1
    *_, shared = hidden()
    assert hidden(*shared.rpartition(", ")[2].split())[2] == shared


def test_puzzles_are_those_of_a_tournament_one_after_the_other(typed, four, write):
    lines = typed(
        ["crane", "slate", "quit"], "play", "-g", four, "--puzzles", write("three.txt", "crane\nslate\nbrave\n")
    )
    assert [line for line in lines.out.splitlines() if line.startswith("wordle-kit")] == [
        "wordle-kit four 1/3, puzzle 1 of 3",
        "wordle-kit four 1/3, puzzle 2 of 3",
    ]
    drawn = ("--boards", "2", "--puzzles", "2", "--repeats", "--seed", "7")
    ran = typed(["give up", "give up"], "play", "-g", four, *drawn)
    shared = "wordle-kit four-x2 X/4, puzzle 2 of 2, --puzzles 2 --repeats --seed 7"
    assert shared in ran.out
    puzzles = wk.load_puzzles(wk.load_game(four).replace(boards=2), 2, 7, repeats=True)
    for number in range(2):
        assert f"the words were {', '.join(puzzles.words(number))}" in ran.out


def test_a_game_against_the_adversary_starts_with_the_first_guess(typed, four):
    lines = typed(["give up"], "play", "-g", four, "--host", "adversary", "--first", "slate").out.splitlines()
    assert "guess 2: give up" in lines


def test_todays_puzzle_is_the_same_for_everyone(typed):
    first, second = (typed(["give up"], "play", "--daily").out for _ in range(2))
    assert first == second


def test_every_alphabet_and_rule_can_be_played(typed, write):
    out = typed(["1122", "give up"], "play", "-g", "mastermind", "--puzzles", write("code.txt", "1134\n")).out
    assert " 1  1  1  2  2   ⚫⚫··" in out


def test_hard_mode_refuses_and_says_why(typed, four, crane):
    out = typed(["brave", "slate"], "play", "-g", four, "--puzzles", crane, "--hard").out
    assert "'slate'" in out
    assert "guess 2 of 3: \n" in out


def test_several_boards_are_played_at_a_time(typed, four, write):
    two = write("two.txt", "crane,slate\n")
    lines = typed(["crane", "words", "slate"], "play", "-g", four, "--boards", 2, "--puzzles", two).out.splitlines()
    assert {"board 1: solved", "board 2: 1 word is left: slate"} <= {*lines}


def test_the_adversary_has_no_hidden_word_and_stays_unsolved_as_long_as_it_can(typed, four):
    lines = typed(
        ["slate", "brave", "crate", "crane"], "play", "-g", four, "--host", "adversary", "--against", "entropy"
    ).out.splitlines()
    assert "guess 4: crane" in lines
    assert "wordle-kit four against the adversary 4" in lines
    assert lines[-1].split()[0] == "entropy"


def test_a_host_of_a_plugin_is_named_before_the_game_and_in_the_text_to_share(typed, four):
    liar = Path(__file__).parents[2] / "examples" / "lies_once.py"
    guesses = ["brave", "crane", "crate", "slate"]
    lines = typed(guesses, "play", "-g", four, "-p", liar, "--host", "lies-once", "--seed", "1").out.splitlines()
    assert "lies-once" in lines[1]
    assert any(line.startswith("wordle-kit four against the host lies-once ") for line in lines)


def test_a_review_says_how_many_words_each_guess_left(typed, four, crane):
    arguments = ("play", "-g", four, "--puzzles", crane, "-s", "first-consistent")
    assert "left before" in typed(["slate", "crane"], *arguments).out


# On a terminal


@pytest.mark.slow
def test_a_person_plays_on_a_terminal_in_colour(four, crane):
    with Terminal("play", "-g", four, "--puzzles", crane, "--against", "entropy") as terminal:
        terminal.wait_for("guess 1 of 3: ")
        shown = terminal.type("brave", "guess 2 of 3: ")
        assert " 1  b [r][a] v [e]\n" in shown
        assert "\x1b[" in terminal.shown
        assert "crane" not in terminal.plain
        assert "would guess crane" in terminal.type("?", "guess 2 of 3: ")
        shown = terminal.type("crane", "entropy  ")
        assert " 1  b [r][a] v [e]\n 2 [c][r][a][n][e]\n" in shown
        assert terminal.ended() == 0


@pytest.mark.slow
def test_with_no_color_nothing_is_in_colour_and_nothing_is_lost(four, crane):
    with Terminal("play", "-g", four, "--puzzles", crane, NO_COLOR="1") as terminal:
        terminal.wait_for("guess 1 of 3: ")
        assert " 1 [c][r][a] t [e]\n" in terminal.type("crate", "guess 2 of 3: ")
        assert not any(code in terminal.shown for code in ("\x1b[3", "\x1b[4", "\x1b[9", "\x1b[10"))
        terminal.type("give up", "the word was crane")
        assert terminal.ended() == 0


@pytest.mark.slow
def test_keys_edit_the_line_and_bring_back_earlier_ones_where_python_has_readline(four, crane):
    pytest.importorskip("readline")
    with Terminal("play", "-g", four, "--puzzles", crane) as terminal:
        terminal.wait_for("guess 1 of 3: ")
        assert " 1  b [r][a] v [e]" in terminal.type("rave\x01b", "guess 2 of 3: ")
        assert "'brave'" in terminal.type("\x1b[A", "another word")


@pytest.mark.slow
def test_the_end_of_input_and_ctrl_c_end_a_game(four, crane):
    with Terminal("play", "-g", four, "--puzzles", crane) as terminal:
        terminal.wait_for("guess 1 of 3: ")
        os.write(terminal.master, b"\x04")
        assert terminal.ended() == 0
    with Terminal("play", "-g", four, "--puzzles", crane) as terminal:
        terminal.wait_for("guess 1 of 3: ")
        terminal.press(b"\x03\n", "stopped")
        assert terminal.ended() == 130
        assert "Traceback" not in terminal.plain


@pytest.mark.slow
def test_a_home_that_cannot_be_written_costs_nothing(four, crane):
    with Terminal("play", "-g", four, "--puzzles", crane, HOME="/dev/null", XDG_DATA_HOME="/dev/null/x") as terminal:
        terminal.wait_for("guess 1 of 3: ")
        assert "wordle-kit four 1/3" in terminal.type("crane", "left before")
        assert terminal.ended() == 0


@pytest.mark.slow
def test_eight_boards_are_in_colour_within_80_columns():
    with Terminal("play", "-g", "octordle", "--seed", "3") as terminal:
        terminal.wait_for("guess 1 of 13: ")
        shown = terminal.type("slate", "guess 2 of 13: ")
        assert " 1 slate  01000  00100" in shown
        assert "\x1b[30;43m" in terminal.shown
        assert max(map(cell_len, shown.rpartition("    1  ")[2].splitlines())) <= 80
        terminal.type("give up", "--seed 3\n")
        assert terminal.ended() == 0
        shared = terminal.plain.rpartition("wordle-kit octordle")[2].partition("guess  ")[0]
        assert "🟩" in shared
        assert max(map(cell_len, shared.splitlines())) <= 40
