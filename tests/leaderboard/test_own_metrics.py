"""Metrics of plugins: they are shown wherever the bundled ones are, and harm nothing if they fail."""

import csv
import io
import json

import numpy as np
import pytest
from games import bundled

import wordle_kit as wk
from wordle_kit import cli
from wordle_kit.leaderboard.metrics import METRICS

PLUGIN = """
import wordle_kit as wk

def lucky(run):
    return sum(taken <= 3 for taken in run.guess_counts) / len(run.guess_counts)

def firsts(run):
    return len({play.guesses[0] for play in run.plays})

def ends(run):
    return {"first": run.guess_counts.count(1), "last": run.guess_counts.count(max(run.guess_counts))}

@wk.hookimpl
def register_metrics(register):
    register(wk.Metric("lucky", lucky, "lucky ones", ".1%"))
    register(wk.Metric("first_words", firsts))
    register(wk.Metric("ends", ends, prefix="end_"))
"""
BROKEN = """
import wordle_kit as wk

@wk.hookimpl
def register_metrics(register):
    register(wk.Metric("zero", lambda run: 1 / 0))
    register(wk.Metric("thing", lambda run: object()))
    register(wk.Metric("nan", lambda run: float("nan")))
    register(wk.Metric("parts", lambda run: {"nan": float("nan")}, prefix="part_"))
    register(wk.Metric("format", lambda run: 0.5, format="%Q"))
    register(wk.Metric("some", lambda run: run.facts.strategy == "minimax" or None))
"""
STRATEGIES = ["minimax", "first-consistent"]
MASTERMIND = bundled("mastermind")


def shares_by_hand(board):
    """Return the share of each strategy's puzzles that took at most three guesses."""
    plays = {row.strategy: board.plays(row.strategy) for row in board.rows}
    return {name: sum(len(play.guesses) <= 3 for play in made) / len(made) for name, made in plays.items()}


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """Return a plugin's file with two metrics."""
    path = tmp_path_factory.mktemp("plugin") / "lucky.py"
    path.write_text(PLUGIN)
    return path


@pytest.fixture
def broken(tmp_path):
    """Return a plugin's file with metrics that fail."""
    path = tmp_path / "broken.py"
    path.write_text(BROKEN)
    return path


@pytest.fixture(scope="module")
def board(file):
    """Return a leaderboard that the API made with the plugin."""
    return wk.tournament(MASTERMIND, STRATEGIES, 60, workers=1, plugins=wk.Plugins.load(file))


@pytest.fixture(scope="module")
def plain():
    """Return the same leaderboard without the plugin."""
    return wk.tournament(MASTERMIND, STRATEGIES, 60, workers=1)


@pytest.fixture
def run(capsys):
    """Run a command and return what it printed."""

    def run(*arguments):
        capsys.readouterr()
        assert cli.run(list(map(str, arguments))) == 0
        return capsys.readouterr().out

    return run


def test_it_is_in_every_table_and_file_that_the_api_makes(board):
    by_hand = shares_by_hand(board)
    assert {row.strategy: row.lucky for row in board.rows} == by_hand
    assert {row["strategy"]: row["lucky"] for row in board.as_dict()["rows"]} == by_hand
    rows = csv.DictReader(io.StringIO(board.table("csv")))
    assert {row["strategy"]: float(row["lucky"]) for row in rows} == by_hand
    for table in (board.table(), board.table("github"), board.table("html"), board.table("latex"), str(board)):
        assert "lucky ones" in table
        assert all(f"{100 * share:.1f}" in table for share in by_hand.values())
    assert board.table(columns="lucky").split()[:3] == ["strategy", "lucky", "ones"]


def test_one_whose_figure_is_a_dictionary_has_a_column_for_each_value(board):
    rows = csv.DictReader(io.StringIO(board.table("csv")))
    for line, row in zip(rows, board.rows, strict=True):
        assert (int(line["end_first"]), int(line["end_last"])) == (row.ends["first"], row.ends["last"])
        assert f"first:{row.ends['first']} last:{row.ends['last']}" in board.table()


@pytest.mark.slow
def test_it_is_a_column_of_data_frames_in_which_others_may_be_missing(board, broken):
    pandas = pytest.importorskip("pandas")
    by_hand = shares_by_hand(board)
    frame = board.to_pandas()
    assert dict(zip(frame["strategy"], frame["lucky"], strict=True)) == by_hand
    assert (str(frame["lucky"].dtype), str(frame["first_words"].dtype)) == ("float64", "Int64")
    board = wk.tournament(MASTERMIND, STRATEGIES, 5, workers=1, plugins=wk.Plugins.load(broken))
    frame = board.to_pandas().set_index("strategy")
    assert frame.loc["minimax", "some"] == 1
    assert frame.loc["first-consistent", "some"] is pandas.NA
    assert frame["zero"].isna().all()


def test_it_is_a_column_of_the_commands_and_of_files(run, file, board, tmp_path):
    store, written = tmp_path / "store", tmp_path / "board.csv"
    played = ["-g", "mastermind", "--puzzles", 60, "-s", "minimax", "-p", file, "--store", store, "--workers", 1]
    table = run("tournament", *played, "--columns", "lucky,mean", "-o", written)
    assert table.splitlines()[0].split() == ["strategy", "lucky", "ones", "mean"]
    assert "lucky" in written.read_text()
    (shown,) = json.loads(run("leaderboard", "--store", store, "-p", file, "--format", "json"))
    assert shown["rows"][0]["lucky"] == shares_by_hand(board)["minimax"]
    assert "lucky ones" not in run("leaderboard", "--store", store)


def test_one_that_fails_is_reported_once_and_shown_as_empty(plain, broken, capsys):
    board = wk.tournament(MASTERMIND, STRATEGIES, 60, workers=1, plugins=wk.Plugins.load(broken))
    for form in ("table", "json", "csv", "latex"):
        assert "minimax" in board.table(form)
    assert "zero" in board.table(columns="all")
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 5
    for name in ("zero", "thing", "nan", "parts", "format"):
        assert any(f"metric {name}" in line for line in said)
    assert any("line 6)" in line for line in said)
    assert all(row.figures[name] is None for row in board.rows for name in ("zero", "thing", "nan", "parts"))
    assert [row.mean for row in board.rows] == [row.mean for row in plain.rows]


@pytest.mark.parametrize(
    ("figure", "plain"), [(np.int64(3), 3), (np.float64(3), 3.0), (np.float32(0.5), 0.5), (np.str_("aa"), "aa")]
)
def test_numbers_and_texts_of_numpy_become_plain_ones(run_of, figure, plain):
    found = wk.Metric("mine", lambda run: figure).of(run_of([2, 4]))
    assert (found, type(found)) == (plain, type(plain))


def test_one_may_have_a_header_that_is_taken(run_of):
    twin = wk.Metric("twin", lambda run: 7, "mean")
    board = wk.Leaderboard((run_of([2, 4]),), metrics=(*METRICS, twin))
    names = board.table("github").splitlines()[0].replace(" ", "").strip("|").split("|")
    assert {"mean", "mean(twin)"} < {*names}


def test_one_that_is_not_usual_is_shown_if_it_is_asked_for(run_of):
    rare = wk.Metric("rare", lambda run: 7, by_default=False)
    board = wk.Leaderboard((run_of([2, 4]),), metrics=(*METRICS, rare))
    assert "rare" not in board.table()
    assert "rare" in board.table(columns="all")


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"name": "Mean"}, "'Mean'"),
        ({"name": "seed"}, "'seed'"),
        ({"name": "took_3"}, "'took_3'"),
    ],
)
def test_what_cannot_be_a_metric_is_refused(fields, named):
    with pytest.raises(wk.WordleKitError, match=named):
        wk.Metric(**{"name": "mine", "compute": len} | fields)


def test_a_plugin_cannot_replace_a_figure(tmp_path):
    path = tmp_path / "taken.py"
    path.write_text(PLUGIN.replace('"lucky"', '"mean"'))
    with pytest.raises(wk.PluginError, match="'mean'"):
        wk.Plugins.load(path)
