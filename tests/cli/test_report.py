"""`wordle-kit report`: the page of stored results, or of a tournament just played."""

import re

import pytest


@pytest.fixture
def play(run):
    """Run a tournament in one worker."""

    def play(game, *arguments):
        ran = run("tournament", "--game", game, "--workers", "1", *arguments)
        assert ran.code == 0, ran
        return ran

    return play


@pytest.fixture
def page(run, tmp_path):
    """Write a page and return its text, with the line that says what was written."""

    def page(*arguments):
        path = tmp_path / "page.html"
        ran = run("report", "-o", path, *arguments)
        assert (ran.code, ran.out) == (0, ""), ran
        return path.read_text(encoding="utf-8"), ran.err

    return page


def names_of(text):
    """Return the strategies of a page in the order of its rows."""
    return re.findall(r'<th scope="row" data-column="strategy"[^>]*><bdi>([^<]*)<', text)


def test_it_has_the_strategies_in_the_order_of_the_leaderboard(play, page):
    table = play("mastermind", "-s", "minimax", "-s", "first-consistent", "-s", "random-consistent").out
    text, line = page()
    assert names_of(text) == [row.split()[0] for row in table.splitlines()[2:5]]
    assert re.search(r"wrote .*page\.html: mastermind, all 1,296 answers, 3 strategies, 0\.\d+ MB", line)


def test_nothing_is_played(play, page, tiny, counted):
    play(tiny, "-p", counted.plugin, "-s", "counted")
    asked = counted.asked
    assert names_of(page("-g", tiny)[0]) == ["counted"]
    assert counted.asked == asked


@pytest.mark.slow
def test_the_latest_is_shown_unless_others_are_asked_for(play, page, tiny):
    for arguments in ([], ["--hard"], ["--puzzles", "3"]):
        play(tiny, "-s", "minimax", *arguments)
    play("mastermind", "-s", "first-consistent", "--puzzles", "2")
    assert "on <bdi>2 of 1,296 answers" in page()[0]
    for arguments, shown in (
        (["-g", tiny], "<bdi>3 of 9 answers, drawn with seed 0</bdi></p>"),
        (["-g", "tiny", "--hard"], "<bdi>all 9 answers</bdi>, hard mode</p>"),
        (["-g", tiny, "--hard", "--puzzles", "all"], "<bdi>all 9 answers</bdi>, hard mode</p>"),
        (["-g", tiny, "--no-hard", "--puzzles", "all"], "<bdi>all 9 answers</bdi></p>"),
        (["-g", "mastermind"], "<bdi>2 of 1,296 answers, drawn with seed 0</bdi></p>"),
    ):
        assert shown in page(*arguments)[0]


def test_strategies_can_be_chosen(play, page, refused):
    play("mastermind", "-s", "minimax", "-s", "first-consistent", "--puzzles", "5")
    assert names_of(page("-s", "minimax")[0]) == ["minimax"]
    assert "did you mean 'minimax'" in refused("report", "-s", "minimaxx")


def test_a_game_that_has_changed_since_is_not_taken_for_it(play, refused, tiny):
    play(tiny, "-s", "minimax")
    tiny.write_text(tiny.read_text().replace('"abc"', '"abd"'))
    assert "has no such tournament; its games are: tiny" in refused("report", "-g", tiny)


def test_a_tournament_writes_the_same_page(play, page, tmp_path):
    path = tmp_path / "played.html"
    ran = play("mastermind", "-s", "minimax", "-s", "random-consistent", "--puzzles", "20", "--report", path)
    assert f"wrote {path}" in ran.err
    assert path.read_text(encoding="utf-8") == page()[0]
