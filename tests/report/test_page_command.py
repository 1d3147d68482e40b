"""`-o FILE.html`: the page of stored results, or of a tournament just played."""

import html
import re
import shlex

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
    """Write a page and return its text."""

    def page(*arguments):
        path = tmp_path / "page.html"
        ran = run("leaderboard", "-o", path, *arguments)
        assert (ran.code, ran.out) == (0, ""), ran
        return path.read_text(encoding="utf-8")

    return page


def names_of(text):
    """Return the strategies of a page in the order of its rows."""
    return re.findall(r'<a href="#strategy"[^>]*><bdi>([^<]*)<', text)


def test_it_has_the_strategies_in_the_order_of_the_leaderboard(play, page, tmp_path):
    path = tmp_path / "played.html"
    table = play("mastermind", "-s", "minimax", "-s", "random-consistent", "--puzzles", "20", "-o", path).out
    text = page()
    assert names_of(text) == [row.split()[0] for row in table.splitlines()[2:4]]
    assert path.read_text(encoding="utf-8") == text, "a tournament writes the same page"


def test_nothing_is_played(play, page, tiny, counted):
    play(tiny, "-p", counted.plugin, "-s", "counted")
    asked = counted.asked
    assert names_of(page("-g", tiny)) == ["counted"]
    assert counted.asked == asked


def test_the_leaderboard_to_show_is_chosen(play, page, refused, tiny, tmp_path):
    for arguments in ([], ["--hard"], ["--puzzles", "3"]):
        play(tiny, "-s", "minimax", "-s", "entropy", *arguments)
    assert "--puzzles" in refused("leaderboard", "-o", tmp_path / "page.html"), "there are several"
    for arguments, puzzles, hard, strategies in (
        (["-g", tiny, "--puzzles", "3"], "3 of 9 answers", False, 2),
        (["-g", tiny, "--hard"], "all 9 answers", True, 2),
        (["-g", tiny, "--no-hard", "--puzzles", "all", "-s", "minimax"], "all 9 answers", False, 1),
    ):
        text = page(*arguments)
        assert puzzles in text
        assert (", hard mode" in text) == hard
        assert len(names_of(text)) == strategies


def test_a_strategy_or_a_game_that_was_not_played_is_named(play, refused, tiny, tmp_path):
    play(tiny, "-s", "minimax")
    asked = ("leaderboard", "-o", tmp_path / "page.html")
    assert "'minimaxx'" in refused(*asked, "-s", "minimaxx")
    tiny.write_text(tiny.read_text().replace('"abc"', '"abd"'))
    assert "tiny" in refused(*asked, "-g", tiny), "it has changed since"
    assert "--game" in refused(*asked, "-g", "tiny"), "a page needs the game, and no plugin has one of this name"


def test_a_page_of_games_against_the_adversary_is_refused(run, refused, tiny, tmp_path):
    run("tournament", "-g", tiny, "--host", "adversary", "-s", "minimax", "--workers", "1")
    assert "--game" in refused("leaderboard", "-o", tmp_path / "page.html")
    assert not (tmp_path / "page.html").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["--game", "mastermind", "--hard", "--puzzles", "20", "--seed", "3"],
        ["--game", "mastermind", "--boards", "2", "--puzzles", "5", "--repeats", "--seed", "-2"],
    ],
)
def test_the_command_on_a_page_plays_the_same(run, arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    strategies = ["-s", "random-consistent", "-s", "minimax(opener=1234)"]
    first = run("tournament", *arguments, *strategies, "-o", "page.html", "--format", "json").json
    command = html.unescape(re.search(r'<code id="command">([^<]*)<', (tmp_path / "page.html").read_text())[1])
    again = run("tournament", *shlex.split(command)[2:], "--fresh", "--format", "json").json
    for row in (*first["rows"], *again["rows"]):
        row.pop("ms_per_decision")
    assert again == first
