"""`wordle-kit leaderboard`: stored results, shown without playing."""

import csv
import io

import pytest


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


def test_nothing_is_played_and_neither_plugin_nor_game_is_needed(run, play, tiny, counted):
    play(tiny, "-p", counted.plugin, "-s", "counted")
    asked = counted.asked
    counted.plugin.unlink()
    tiny.unlink()
    assert "counted" in run("leaderboard").out
    assert counted.asked == asked


def test_strategies_that_played_the_same_puzzles_share_a_leaderboard(run, play, tiny):
    play(tiny, "-s", "minimax")
    play(tiny, "-s", "entropy")
    assert run("leaderboard", "--format", "json").json == [
        play(tiny, "-s", "entropy", "-s", "minimax", "--format", "json").json
    ]


def test_of_several_versions_of_a_strategy_the_latest_counts(run, play, tiny, strategy):
    for opener in ("ab", "bc"):
        play(tiny, "-p", strategy("Mine", f"if position.turn == 1: return {opener!r}"), "-s", "mine")
    (board,) = run("leaderboard", "--format", "json").json
    assert [row["opener"] for row in board["rows"]] == ["bc"]


def test_each_game_mode_and_choice_of_puzzles_has_a_leaderboard_that_can_be_chosen(run, play, tiny, write):
    other = write("other.toml", 'name = "other"\nalphabet = "ab"\nlength = 2\nanswers = "all"\n')
    play(tiny, "-s", "minimax")
    play(tiny, "-s", "minimax", "--hard")
    play(tiny, "-s", "minimax", "-s", "entropy", "--puzzles", "3", "--seed", "1")
    play(other, "-s", "minimax", "--boards", "2", "--puzzles", "2")
    usual, hard, drawn = ("all 9 answers", False), ("all 9 answers", True), ("3 of 9 answers, drawn with seed 1", False)
    two = ("2 puzzles of 2 boards, drawn with seed 0", False)
    for choice, expected in (
        ([], [usual, hard, drawn, two]),
        (["-g", "tiny"], [usual, hard, drawn]),
        (["--hard"], [hard]),
        (["--no-hard", "-g", tiny], [usual, drawn]),
        (["-g", tiny, "--puzzles", "3", "--seed", "1"], [drawn]),
        (["--boards", "2"], [two]),
        (["-s", "entropy"], [drawn]),
    ):
        boards = run("leaderboard", *choice, "--format", "json").json
        assert sorted((board["puzzles"], board["hard_mode"]) for board in boards) == sorted(expected), choice


def test_more_confidence_needs_wider_intervals(run, play, tiny):
    drawn = ("-s", "minimax", "-s", "entropy", "--puzzles", "5")
    played = play(tiny, *drawn, "--confidence", "0.999").out
    assert "99.9%" in played
    assert run("leaderboard", "--confidence", "0.999").out == played
    assert run("leaderboard").out != played


def test_csv_of_several_leaderboards_is_one_table_that_says_where_figures_are_from(run, play, tiny):
    for arguments in ([], ["--hard"]):
        play(tiny, "-s", "minimax", "-s", "random-consistent", *arguments, "--seed", "3")
    rows = list(csv.DictReader(io.StringIO(run("leaderboard", "--format", "csv").out)))
    assert [(row["strategy"], row["hard_mode"]) for row in rows] == [
        ("minimax", "False"),
        ("random-consistent", "False"),
        ("minimax", "True"),
        ("random-consistent", "True"),
    ]
    boards = run("leaderboard", "--format", "json").json
    for row, board in zip(rows, [board for board in boards for _ in range(2)], strict=True):
        assert (row["fingerprint"], row["puzzles_fingerprint"]) == (board["fingerprint"], board["puzzles_fingerprint"])
        assert (row["host"], row["seed"]) == ("hidden", "3")
        assert all(f"{name} {version}" in row["versions"] for name, version in board["versions"].items())
        assert row["source"] in [each["source"] for each in board["rows"]]


def test_columns_are_chosen_and_written_to_a_file(run, play, tiny, tmp_path):
    play(tiny, "-s", "minimax")
    file = tmp_path / "board.md"
    assert run("leaderboard", "--columns", "max,mean", "-o", file).out == ""
    header, _, row = (line.strip("| ").split(" | ") for line in file.read_text(encoding="utf-8").splitlines()[:3])
    assert [name.strip() for name in header] == ["strategy", "max", "mean"]
    assert row[0].strip() == "minimax"


def test_a_store_and_a_game_that_was_played_are_chosen_and_others_named(run, refused, play, tiny, tmp_path):
    given = tmp_path / "given.sqlite"
    play(tiny, "-s", "minimax", "--store", given)
    (board,) = run("leaderboard", "--store", given, "--format", "json").json
    assert board["game"] == "tiny"
    assert "did you mean 'tiny'" in refused("leaderboard", "-g", "tinny", "--store", given)
    assert "board" in refused("leaderboard", "--store", given, "-o", tmp_path / "none" / "board.md")


@pytest.mark.slow
def test_parquet_has_a_row_for_each_strategy_in_a_file_and_in_a_pipe(run, play, tiny, process, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    play(tiny, "-s", "minimax", "-s", "entropy")
    file, pipe = tmp_path / "board.parquet", tmp_path / "piped.parquet"

    def means(path):
        return [(row["strategy"], row["mean"]) for row in parquet.read_table(path).to_pylist()]

    assert run("leaderboard", "-o", file).code == 0
    (board,) = run("leaderboard", "--format", "json").json
    wanted = [(row["strategy"], row["mean"]) for row in board["rows"]]
    assert means(file) == wanted
    with pipe.open("wb") as stream:
        process("leaderboard", "--format", "parquet", capture_output=False, stdout=stream)
    assert means(pipe) == wanted
