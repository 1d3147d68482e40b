"""The command on a page plays the same game and puzzles."""

import html
import json
import re
import shlex
from dataclasses import replace

import pytest

from wordle_kit import cli
from wordle_kit.leaderboard.stored import finished_runs
from wordle_kit.report.again import command_of
from wordle_kit.tournaments.store import Store


@pytest.fixture
def play(capsys):
    """Play a tournament and return its leaderboard as JSON."""

    def play(*arguments):
        capsys.readouterr()
        assert cli.run(["tournament", *arguments, "--workers", "1", "--format", "json"]) == 0
        return json.loads(capsys.readouterr().out)

    return play


@pytest.mark.parametrize(
    "arguments",
    [
        ["--game", "mastermind"],
        ["--game", "mastermind", "--seed", "0"],
        ["--game", "wordle", "--hard", "--puzzles", "20", "--seed", "3"],
        ["--game", "mastermind", "--boards", "2", "--puzzles", "5"],
        ["--game", "dordle", "--puzzles", "5", "--repeats", "--seed", "-2"],
    ],
)
def test_the_command_plays_the_same(play, capsys, arguments, tmp_path):
    page = tmp_path / "report.html"
    first = play(*arguments, "-s", "random-consistent", "-s", "first-consistent", "--report", str(page))
    command = html.unescape(re.search(r'<code id="command">([^<]*)<', page.read_text())[1])
    again = play(*shlex.split(command)[2:], "--fresh")
    for row in (*first["rows"], *again["rows"]):
        row.pop("ms_per_decision")
    assert again == first


def test_names_are_quoted_and_a_file_is_asked_for_if_puzzles_were_listed(play, own_store, tmp_path):
    listed = tmp_path / "mine.txt"
    listed.write_text("1122\n3456\n")
    play("--game", "mastermind", "--puzzles", str(listed), "-s", "minimax(opener=1122)")
    with Store(own_store) as store:
        (runs,) = finished_runs(store)
    (facts,) = runs.values()
    assert command_of(facts, ["minimax(opener=1122)", "it's"], game="my game.toml") == (
        "wordle-kit tournament --game 'my game.toml' --puzzles FILE -s 'minimax(opener=1122)' -s 'it'\"'\"'s'"
    )
    drawn = replace(facts, puzzles="drawn somehow", drawn_with=3)
    assert "--puzzles 2 --seed 3 -s entropy" in command_of(drawn, ["entropy"])
