"""`wordle-kit plot`: the charts that it writes."""

import json

import pytest
from wordle_kit_plugins.report import plots

import wordle_kit as wk

pytestmark = pytest.mark.slow

PROGRESS = [
    {"seconds": 0.1, "lower": 7900, "upper": None},
    {"seconds": 0.2, "lower": 7910, "upper": 7940},
    {"seconds": 0.5, "lower": 7920, "upper": 7920},
]


@pytest.fixture(scope="module", autouse=True)
def altair():
    """Skip these tests without Altair, which takes too long to import in every process that collects them."""
    pytest.importorskip("altair")


@pytest.fixture
def plot(run, tmp_path):
    """Run `wordle-kit plot`, and return the chart that it wrote."""

    def plot(*arguments):
        path = tmp_path / "plot.json"
        ran = run("plot", *arguments, "-o", path)
        assert ran.code == 0, ran
        return json.loads(path.read_text())

    return plot


def test_the_command_draws_stored_results_and_searches(plot, own_store, tmp_path):
    wk.tournament("mastermind", ["minimax", "first-consistent", "entropy"], 10, workers=1, store=own_store)
    here = ["-s", "minimax", "-s", "entropy"]
    two = wk.read_leaderboard(own_store, strategies=["minimax", "entropy"])
    assert plot("means", *here, "-g", "mastermind") == plots.means(two).to_dict()
    assert plot("distribution", *here) == plots.distribution(two).to_dict()
    lines = tmp_path / "trace.jsonl"
    lines.write_text("".join(json.dumps({"opener": "trace", **row}) + "\n" for row in PROGRESS))
    assert plot("convergence", lines, "--below", 5) == plots.convergence({"trace": PROGRESS}, 5).to_dict()


def test_a_sweep_is_chosen_and_drawn_by_its_spec(plot, own_store):
    spec = "entropy(endgame=0..2)"
    wk.tournament("glyphs", [spec, "minimax"], 50, workers=1, store=own_store)
    board = wk.read_leaderboard(own_store, strategies=spec, confidence=0.99)
    assert sorted(facts.parameters["endgame"] for facts in board.facts) == [0, 1, 2]
    assert plot("sweep", "endgame", "-s", spec, "--confidence", "0.99") == plots.sweep(board, "endgame").to_dict()


def test_a_plot_shows_the_latest_of_the_runs_that_fit(run, tiny, own_store, tmp_path):
    game = wk.load_game(tiny)
    for each, puzzles in ((game, None), (game.replace(hard_mode=True), None), (game, 3)):
        wk.tournament(each, ["minimax", "first-consistent"], puzzles, workers=1, store=own_store)
    for choice, shown in (
        ([], "tiny: 3 of 9 answers, drawn with seed 0"),
        (["-g", tiny, "--puzzles", "all"], "tiny in hard mode: all 9 answers"),
        (["-g", "tiny", "--hard", "-s", "minimax"], "tiny in hard mode: all 9 answers"),
    ):
        assert (
            f"Guesses per puzzle in {shown}" in run("plot", "distribution", "-o", tmp_path / "chart.json", *choice).err
        )


def test_an_unknown_kind_and_a_missing_parameter_are_named(refused):
    assert "'mean'" in refused("plot", "mean")
    assert "parameter" in refused("plot", "sweep")
