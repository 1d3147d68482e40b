"""`wordle-kit leaderboard`: stored results, shown without playing."""

import csv
import io
import json

import pytest

import wordle_kit as wk


@pytest.fixture
def other(write):
    """Return the file of another game than the tiny one."""
    return write("other.toml", 'name = "other"\nalphabet = "ab"\nlength = 2\nanswers = "all"\n')


@pytest.fixture
def play(run):
    """Run a tournament in one worker."""

    def play(game, *arguments):
        return run("tournament", "--game", game, "--workers", "1", *arguments)

    return play


def test_it_shows_the_table_that_the_tournament_showed(run, play, tiny):
    table = play(tiny, "-s", "minimax", "-s", "random-consistent").out
    ran = run("leaderboard")
    assert (ran.code, ran.out, ran.err) == (0, table, "")


def test_in_json_it_is_a_list_of_the_tournaments_leaderboards(run, play, tiny, other):
    boards = [play(game, "-s", "minimax", "--format", "json").json for game in (tiny, other)]
    assert run("leaderboard", "--format", "json").json == boards


def test_nothing_is_played(run, play, tiny, counted):
    play(tiny, "-p", counted.plugin, "-s", "counted")
    asked = counted.asked
    assert "counted" in run("leaderboard").out
    assert counted.asked == asked


def test_it_no_longer_needs_a_plugin(run, play, tiny, strategy):
    plugin = strategy("Mine")
    play(tiny, "-p", plugin, "-s", "mine")
    plugin.unlink()
    tiny.unlink()
    assert "mine" in run("leaderboard").out


def test_strategies_that_played_the_same_puzzles_share_a_leaderboard(run, play, tiny):
    play(tiny, "-s", "minimax")
    play(tiny, "-s", "entropy")
    (board,) = run("leaderboard", "--format", "json").json
    assert [row["strategy"] for row in board["rows"]] == ["entropy", "minimax"]


def test_other_puzzles_and_hard_mode_have_leaderboards_of_their_own(run, play, tiny):
    for arguments in ([], ["--puzzles", "3"], ["--hard"]):
        play(tiny, "-s", "minimax", *arguments)
    boards = run("leaderboard", "--format", "json").json
    assert [(board["puzzles"], board["hard_mode"]) for board in boards] == [
        ("all 9 answers", False),
        ("3 of 9 answers, drawn with seed 0", False),
        ("all 9 answers", True),
    ]


def test_of_several_versions_of_a_strategy_the_latest_counts(run, play, tiny, strategy):
    for opener in ("ab", "bc"):
        play(tiny, "-p", strategy("Mine", f"if position.turn == 1: return {opener!r}"), "-s", "mine")
    (board,) = run("leaderboard", "--format", "json").json
    assert [row["opener"] for row in board["rows"]] == ["bc"]


def test_a_game_can_be_chosen(run, play, tiny, other):
    play(tiny, "-s", "minimax")
    play(other, "-s", "minimax")
    boards = run("leaderboard", "--game", "tiny", "--format", "json").json
    assert [board["game"] for board in boards] == ["tiny"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        (["--hard"], [("all 9 answers", True)]),
        (["--no-hard"], [("all 9 answers", False), ("3 of 9 answers, drawn with seed 1", False)]),
        (["-g", "tiny", "--boards", "1", "-s", "entropy"], [("3 of 9 answers, drawn with seed 1", False)]),
    ],
)
def test_leaderboards_are_chosen_as_for_a_report(run, play, tiny, choice, expected):
    play(tiny, "-s", "minimax")
    play(tiny, "-s", "minimax", "--hard")
    play(tiny, "-s", "minimax", "-s", "entropy", "--puzzles", "3", "--seed", "1")
    boards = run("leaderboard", *choice, "--json").json
    assert [(board["puzzles"], board["hard_mode"]) for board in boards] == expected


def test_no_game_is_loaded_to_show_tables(run, play, monkeypatch):
    table = play("mini-nerdle", "-s", "minimax").out

    def fail(*given):
        raise AssertionError("a game was loaded, which takes long in a store of many games")

    monkeypatch.setattr(wk.Plugins, "find_game", fail)
    assert run("leaderboard", "-g", "mini-nerdle", "-s", "minimax", "--no-hard").out == table


def test_puzzles_and_the_file_of_a_game_choose_a_leaderboard(run, play, tiny):
    play(tiny, "-s", "minimax", "--puzzles", "3", "--seed", "1")
    play(tiny, "-s", "minimax")
    (board,) = run("leaderboard", "-g", tiny, "--puzzles", "3", "--seed", "1", "--json").json
    assert board["puzzles"] == "3 of 9 answers, drawn with seed 1"


def test_more_confidence_needs_wider_intervals(run, play, tiny):
    drawn = ("-s", "minimax", "-s", "entropy", "--puzzles", "5")
    played = play(tiny, *drawn, "--confidence", "0.999").out
    assert "± is the half-width of the 99.9% confidence interval of the mean" in played
    assert run("leaderboard", "--confidence", "0.999").out == played
    assert run("leaderboard").out != played
    page = tiny.with_suffix(".html")
    run("report", "--confidence", "0.999", "-o", page)
    assert "the 99.9% confidence interval" in page.read_text()


def test_csv_of_several_leaderboards_is_one_table_that_says_where_figures_are_from(run, play, tiny):
    for arguments in ([], ["--hard"]):
        play(tiny, "-s", "minimax", "-s", "random-consistent", *arguments, "--seed", "3")
    rows = list(csv.DictReader(io.StringIO(run("leaderboard", "--csv").out)))
    assert [(row["strategy"], row["hard_mode"]) for row in rows] == [
        ("minimax", "False"),
        ("random-consistent", "False"),
        ("minimax", "True"),
        ("random-consistent", "True"),
    ]
    boards = run("leaderboard", "--json").json
    for row, board in zip(rows, [board for board in boards for _ in range(2)], strict=True):
        assert (row["fingerprint"], row["puzzles_fingerprint"]) == (board["fingerprint"], board["puzzles_fingerprint"])
        assert (row["host"], row["seed"], row["secret"]) == ("hidden", "3", "")
        assert all(f"{name} {version}" in row["versions"] for name, version in board["versions"].items())
        assert row["source"] in [each["source"] for each in board["rows"]]


def test_a_store_can_be_chosen(run, play, tiny, tmp_path):
    given = tmp_path / "given.sqlite"
    play(tiny, "-s", "minimax", "--store", given)
    assert [board["game"] for board in json.loads(run("leaderboard", "--store", given, "--format", "json").out)] == [
        "tiny"
    ]


def test_a_game_that_was_not_played_is_named(refused, play, tiny):
    play(tiny, "-s", "minimax")
    assert "chess" in refused("leaderboard", "-g", "chess")


@pytest.mark.slow
def test_a_parquet_file_has_a_row_for_each_strategy_of_each_leaderboard(run, play, tiny, other, tmp_path):
    polars = pytest.importorskip("polars")
    for game in (tiny, other):
        play(game, "-s", "minimax", "-s", "entropy")
    file = tmp_path / "board.parquet"
    assert run("leaderboard", "--format", "parquet", "-o", file).code == 0
    boards = run("leaderboard", "--format", "json").json
    wanted = [(board["game"], row["strategy"], row["mean"]) for board in boards for row in board["rows"]]
    assert polars.read_parquet(file)["game", "strategy", "mean"].rows() == wanted


@pytest.mark.slow
def test_parquet_goes_to_a_pipe_as_it_is(play, tiny, process, tmp_path):
    polars = pytest.importorskip("polars")
    play(tiny, "-s", "minimax")
    file = tmp_path / "piped.parquet"
    with file.open("wb") as pipe:
        process("leaderboard", "--format", "parquet", capture_output=False, stdout=pipe)
    assert polars.read_parquet(file)["strategy"].to_list() == ["minimax"]


@pytest.mark.slow
@pytest.mark.parametrize("form", ["table", "json", "csv", "parquet"])
def test_a_leaderboard_is_written_to_a_file_or_the_folder_that_is_missing_is_named(run, play, tiny, tmp_path, form):
    play(tiny, "-s", "minimax")
    file = tmp_path / "board"
    assert run("leaderboard", "--format", form, "-o", file).out == ""
    if form != "parquet":
        assert file.read_text(encoding="utf-8") == run("leaderboard", "--format", form).out
    ran = run("leaderboard", "--format", form, "-o", tmp_path / "none" / "board")
    assert ran.code == 2
    assert str(tmp_path / "none" / "board") in ran.err
