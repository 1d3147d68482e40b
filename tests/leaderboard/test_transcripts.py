"""Transcripts: every play is a line that another program reads as it was."""

import csv

import pytest

import wordle_kit as wk
from wordle_kit import texts
from wordle_kit.leaderboard.transcripts import HEADER, write_transcripts
from wordle_kit.tournaments.outcome import Outcome, Play


@pytest.fixture
def written(tmp_path):
    """Return a function that writes the transcripts of runs and reads them with the csv module."""

    def written(*runs):
        path = tmp_path / "plays.tsv"
        write_transcripts(path, runs)
        with path.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file, delimiter="\t"))

    return written


@pytest.fixture(scope="module")
def leaderboard():
    """Return the leaderboard of two strategies on two boards."""
    game = wk.load_game({"name": "abc", "alphabet": "abc", "length": 3, "answers": "all", "boards": 2})
    return wk.tournament(game, ["entropy", "random-consistent"], 10, workers=1)


def test_every_play_of_every_run_is_a_line(written, leaderboard):
    lines = iter(written(*leaderboard.runs))
    for run in leaderboard.runs:
        for play in run.plays:
            assert next(lines) == {
                "strategy": run.facts.strategy,
                "answers": ",".join(play.puzzle),
                "turns": ",".join(str(play.guesses.index(word) + 1) for word in play.puzzle),
                "guesses": ",".join(play.guesses),
                "outcome": "solved",
            }
    assert next(lines, None) is None


def test_tabs_stand_between_the_columns(tmp_path, leaderboard):
    path = tmp_path / "plays.tsv"
    write_transcripts(path, leaderboard.runs)
    lines = path.read_bytes().decode().split("\n")
    assert lines[0].split("\t") == list(HEADER)
    assert (len(lines), lines[-1]) == (22, "")


def test_a_board_that_was_not_solved_has_a_dash(written, run_with):
    plays = [
        Play(("ab", "ba"), ("cc", "ba", "aa"), (("00", "00"), ("11", "22"), ("20", "")), Outcome.CRASHED, None, "no"),
        Play(("ab", "ba"), (), (), Outcome.TIMED_OUT, None, "slow"),
    ]
    assert [(line["turns"], line["guesses"], line["outcome"]) for line in written(run_with(plays, boards=2))] == [
        ("-,2", "cc,ba,aa", "crashed"),
        ("-,-", "", "timed out"),
    ]


def test_a_puzzle_that_was_solved_late_has_the_turn_that_solved_it(written, run_with):
    play = Play(("ab",), ("cc", "ab"), (("00",), ("22",)), Outcome.OUT_OF_GUESSES, 2)
    assert [(line["turns"], line["outcome"]) for line in written(run_with([play]))] == [("2", "out of guesses")]


@pytest.mark.parametrize("odd", ['"', "\u2028", "ö", "🟩", "'"])
def test_odd_symbols_are_read_as_they_were_written(written, run_with, odd):
    play = Play((odd, "a" + odd), (odd, "a" + odd), (("2", "0"), ("", "2")), Outcome.SOLVED, 2)
    (line,) = written(run_with([play], boards=2, strategy=f"mine(symbol={odd})"))
    assert line["strategy"] == texts.line(f"mine(symbol={odd})")
    assert line["answers"].split(",") == line["guesses"].split(",") == [odd, "a" + odd]


@pytest.mark.parametrize("place", ["", "no/such/folder/plays.tsv", "file/plays.tsv"])
def test_a_file_that_cannot_be_written_is_named(tmp_path, run_of, place):
    (tmp_path / "file").write_text("")
    path = tmp_path / place
    with pytest.raises(wk.WordleKitError) as error:
        write_transcripts(path, [run_of([2])])
    assert str(error.value).startswith(f"{path}: cannot be written: ")
