"""`wordle-kit solve`: one game, guess by guess."""

import csv
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
    ran = run("solve", "-g", four, "-a", "CRANE", "-s", "first-consistent")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        " 1  brave  ⬜🟩🟩⬜🟩  2 left",
        " 2  crane  🟩🟩🟩🟩🟩",
        "solved",
    ]


def test_entropy_plays_wordle_unless_another_is_named(run):
    out = run("solve", "-a", "crane").out
    assert out.splitlines()[1] == " 1  soare  ⬜⬜🟩🟨🟩  19 left"


def test_mastermind_shows_its_pegs(run):
    out = run("solve", "-g", "mastermind", "-a", "1234", "-s", "minimax(opener=1122)").out
    assert re.match(r" 1  1122  ⚫⚪··  \d+ left\n", out)
    assert out.endswith("  1234  ⚫⚫⚫⚫\nsolved\n")


def test_the_seed_and_the_number_are_those_of_a_puzzle_of_a_tournament(run, tiny, tmp_path):
    plays = tmp_path / "plays.tsv"
    dice = ("-g", tiny, "-s", "random-consistent", "--seed", "3")
    run("tournament", *dice, "--workers", "1", "--transcripts", plays)
    with plays.open(encoding="utf-8") as file:
        played = list(csv.DictReader(file, delimiter="\t"))
    for number, play in enumerate(played[:5], 1):
        out = run("solve", *dice, "--number", number, "-a", play["answers"]).out
        assert [line.split()[1] for line in out.splitlines()[:-1]] == play["guesses"].split(",")


def test_explain_has_the_score_of_each_guess_and_its_parts(run, four):
    lines = run("solve", "-g", four, "-a", "crane", "-s", "entropy", "--explain").out.splitlines()
    assert "bits gained 2.000" in lines[1]
    assert "splits" in lines[2]


@pytest.mark.parametrize(
    ("body", "how", "named"),
    [
        ("return 'zebra'", "illegal guess", "'zebra'"),
        ("raise ValueError('no idea')", "crashed", "mine.py, line 8"),
        ("while True: pass", "timed out", "guess 1"),
    ],
)
def test_a_fault_of_the_strategy_is_named(run, four, strategy, body, how, named):
    deadline = ("--deadline", "0.05") if "while" in body else ()
    ran = run("solve", "-g", four, "-a", "slate", "-p", strategy("Mine", body), "-s", "mine", *deadline)
    assert ran.code == 1
    assert ran.out.startswith(how)
    assert named in ran.out


def test_hard_mode_forbids_guesses_that_ignore_the_feedback(run, tiny, strategy):
    stubborn = strategy("Stubborn", "return position.game.guesses[position.turn - 1]")
    arguments = ("solve", "-g", tiny, "-a", "cc", "-p", stubborn, "-s", "stubborn")
    ran = run(*arguments)
    assert ran.code == 1
    assert "after the 6 guesses allowed" in ran.out
    assert "illegal guess" in run(*arguments, "--hard").out


def test_nothing_is_stored(run, four, own_store):
    run("solve", "-g", four, "-a", "slate")
    assert not own_store.exists()


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
    assert run("solve", "-g", four, "--boards", "2", "-a", "crate brave", "-s", "first-consistent") == ran


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ("crane", "'crane'"),
        ("crane,slate,trace", "'crane,slate,trace'"),
        ("crane,zzzzz", "'zzzzz'"),
        ("crane,late", "'late'"),
        ("crane,sláte", "'á'"),
        ("", "''"),
    ],
)
def test_answers_that_cannot_be_hidden_are_named(refused, answer, problem):
    said = refused("solve", "-g", "dordle", "-a", answer)
    assert problem in said
    assert said.endswith("(--answer)\n")
