"""Plots: every mark is a figure of the plays, every axis has a title, and a file needs nothing beside it."""

import json
import re
import xml.etree.ElementTree as ET
from collections import Counter

import pytest
from games import bundled
from wordle_kit_plugins.report import plots
from wordle_kit_plugins.report.plots import write_chart

import wordle_kit as wk

pytestmark = pytest.mark.slow

PROGRESS = [
    {"seconds": 0.1, "lower": 7900, "upper": None},
    {"seconds": 0.2, "lower": 7910, "upper": 7940},
    {"seconds": 0.5, "lower": 7920, "upper": 7920},
]
MASTERMIND = bundled("mastermind")


@pytest.fixture(scope="module", autouse=True)
def altair():
    """Skip these tests without Altair, which takes too long to import in every process that collects them."""
    pytest.importorskip("altair")


def charts_of(board):
    """Return every plot by its name."""
    return {
        "means": plots.means(board),
        "distribution": plots.distribution(board),
        "convergence": plots.convergence({"bound": PROGRESS}),
    }


@pytest.fixture(scope="session")
def charts(hostile_board):
    """Return every plot of a leaderboard with a hostile name."""
    return charts_of(hostile_board)


def rows_of(chart):
    """Return the values of a chart."""
    spec = chart.to_dict()
    (layer, *_) = spec.get("layer", [spec])
    return (layer.get("data") or spec["data"])["values"]


KINDS = ["means", "distribution", "convergence"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_plot_has_a_title_a_description_and_titles_of_axes_with_numbers(charts, kind):
    spec = charts[kind].to_dict()
    assert spec["title"]
    assert len(spec["description"]) > 40
    for layer in spec.get("layer", [spec]):
        axes = [layer["encoding"][axis] for axis in ("x", "y")]
        assert all(axis["title"] for axis in axes if axis.get("type") != "nominal")


def test_a_distribution_has_a_mark_for_each_number_of_guesses_of_each_strategy(board):
    rows = rows_of(plots.distribution(board))
    for row in board.rows:
        shown = {r["guesses"].removesuffix(", failed"): r["puzzles"] for r in rows if r["strategy"] == row.strategy}
        assert shown == row.distribution


def test_means_have_the_figures_that_rank_the_best_first(board):
    chart = plots.means(board)
    points = [(one["strategy"], one["mean"], one["low"], one["high"]) for one in rows_of(chart)]
    assert points == [(row.strategy, row.mean, *row.interval) for row in board.rows]
    assert chart.to_dict()["layer"][0]["encoding"]["y"]["sort"] == [row.strategy for row in board.rows]


def test_bounds_are_shown_from_when_they_are_known_and_the_plot_can_be_cut():
    chart = plots.convergence({"bound": PROGRESS}, below=5)
    assert Counter(row["bound"] for row in rows_of(chart)) == {"lower": 3, "upper": 2}
    assert chart.to_dict()["encoding"]["y"]["scale"]["domain"] == [7915, 7940]


@pytest.fixture(scope="module")
def swept():
    """Return a leaderboard of two sweeps and a strategy that is not swept."""
    strategies = ["entropy(endgame=0..2)", "entropy(endgame=0|2, pool=candidates)", "first-consistent"]
    return wk.tournament(MASTERMIND, strategies, 40, workers=1)


def test_a_sweep_has_the_mean_and_the_interval_of_each_value(swept):
    chart = plots.sweep(swept, "endgame")
    rows = {row.strategy: row for row in swept.rows}
    by_hand = {("entropy", number): rows[f"entropy(endgame={number})" if number else "entropy"] for number in range(3)}
    by_hand[("entropy(pool=candidates)", 0)] = rows["entropy(pool=candidates)"]
    by_hand[("entropy(pool=candidates)", 2)] = rows["entropy(pool=candidates, endgame=2)"]
    points = {(each["strategy"], each["value"]): each for each in rows_of(chart)}
    assert points.keys() == by_hand.keys()
    for key, row in by_hand.items():
        assert (points[key]["mean"], points[key]["low"], points[key]["high"]) == (row.mean, *row.interval)
    spec = chart.to_dict()
    assert spec["layer"][0]["encoding"]["x"]["type"] == "quantitative"
    assert all(layer["encoding"][axis]["title"] for layer in spec["layer"] for axis in ("x", "y"))


def test_a_sweep_of_texts_has_a_place_for_each(swept):
    chart = plots.sweep(swept, "pool")
    assert {(each["strategy"], each["value"]) for each in rows_of(chart)} == {
        (strategy, pool) for strategy in ("entropy", "entropy(endgame=2)") for pool in ("guesses", "candidates")
    }
    assert chart.to_dict()["layer"][0]["encoding"]["x"]["type"] == "nominal"


def test_a_parameter_that_was_not_swept_is_named(swept, board):
    with pytest.raises(wk.WordleKitError, match="endgam"):
        plots.sweep(swept, "endgam")
    with pytest.raises(wk.WordleKitError, match="endgame"):
        plots.sweep(board, "endgame")


def test_of_all_puzzles_a_sweep_has_no_intervals():
    board = wk.tournament("glyphs", "entropy(endgame=0|1)", workers=1)
    chart = plots.sweep(board, "endgame").to_dict()
    assert len(chart["layer"]) == 1


def test_a_pdf_file_is_one(charts, tmp_path):
    write_chart(charts["convergence"], tmp_path / "plot.pdf")
    assert (tmp_path / "plot.pdf").read_bytes().startswith(b"%PDF")


def test_an_svg_file_has_names_as_text_and_no_script(charts, tmp_path):
    write_chart(charts["distribution"], tmp_path / "plot.svg")
    root = ET.fromstring((tmp_path / "plot.svg").read_text("utf-8"))
    assert charts["distribution"].title in [text.text for text in root.iter()]
    assert not [tag for tag in root.iter() if tag.tag.endswith("script")]


def test_no_name_ends_the_script_of_a_page(charts, tmp_path):
    write_chart(charts["distribution"], tmp_path / "plot.html")
    page = (tmp_path / "plot.html").read_text("utf-8")
    outside = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    assert "document.title" not in outside
    assert not re.search(r"https?:|src=|href=|<script", outside)


def test_a_png_file_is_one_and_json_is_the_chart(charts, tmp_path):
    write_chart(charts["convergence"], tmp_path / "plot.png")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")
    write_chart(charts["convergence"], tmp_path / "plot.json")
    assert json.loads((tmp_path / "plot.json").read_text()) == charts["convergence"].to_dict()


def test_another_kind_of_file_or_a_missing_folder_is_named(charts, tmp_path):
    with pytest.raises(wk.WordleKitError, match=r"x\.gif"):
        write_chart(charts["convergence"], tmp_path / "x.gif")
    with pytest.raises(wk.WordleKitError, match="none"):
        write_chart(charts["convergence"], tmp_path / "none" / "x.json")


def test_plots_show_the_means_that_rank():
    game = wk.load_game({"name": "few", "alphabet": "abc", "length": 2, "answers": "all", "weights": {"cc": 50}})
    board = wk.tournament(game, ["first-consistent", "predefined-words"], workers=1)
    chart = plots.means(board)
    assert [one["mean"] for one in rows_of(chart)] == [row.weighted_mean for row in board.rows]
    assert chart.to_dict()["layer"][0]["encoding"]["x"]["title"] == "weighted mean of guesses"


class Stubborn(wk.Strategy):
    """Guess the first nine words of the game, one after the other."""

    def guess(self, position):
        return position.game.guesses[min(position.turn - 1, 8)]


@pytest.fixture(scope="module")
def failing():
    """Return a leaderboard in which a strategy solves some puzzles too late and others never."""

    game = wk.load_game({"name": "long", "alphabet": "abc", "length": 3, "answers": "all", "max_guesses": 4})
    return wk.tournament(game, [Stubborn(), "minimax"], workers=1)


def test_failures_are_marked_with_more_than_a_colour(failing):
    drawn = plots.distribution(failing).to_dict()
    bars, numbers = drawn["layer"]
    assert any(row.failed for row in failing.rows)
    assert {row["strategy"]: row["failed"] for row in numbers["data"]["values"]} == {
        row.strategy: f"{row.failed} failed" for row in failing.rows if row.failed
    }
    taken = bars["encoding"]["color"]["sort"]
    assert {text.partition(", ")[2] or text for text in taken if not text.isdecimal()} == {"failed", "unsolved"}
