"""`wordle-kit solve`: one game, guess by guess."""

import re

import pytest


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
        ("sláte", "'á'"),
        ("late", "'late'"),
        ("grape", "'grape'"),
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
        ("crane", "'crane'"),
        ("crane,slate,trace", "'crane,slate,trace'"),
        ("crane,zzzzz", "'zzzzz'"),
        ("crane,late", "'late'"),
        ("", "'' has 0 words; dordle has 2 boards"),
    ],
)
def test_answers_that_cannot_be_hidden_on_two_boards_are_named(refused, answer, problem):
    assert problem in refused("solve", "-g", "dordle", "-a", answer)


# What is wrong


# The profile


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
