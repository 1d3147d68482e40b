"""Weighted figures: a puzzle of weight 3 counts as three puzzles of weight 1 would."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wordle_kit as wk
from wordle_kit.leaderboard.compare import compare
from wordle_kit.leaderboard.metrics import WEIGHTED, row_of
from wordle_kit.tournaments.runs import StoredRun

FIELDS = {"name": "weighted", "alphabet": "abc", "length": 2, "answers": "all"}
WEIGHTS = {"aa": 9.0, "cc": 4.5, "ab": 0.0}
GAME = wk.load_game(FIELDS | {"weights": WEIGHTS})
STRATEGIES = ["first-consistent", "predefined-words"]

turns = st.lists(
    st.tuples(st.none() | st.integers(1, 30), st.none() | st.integers(1, 30), st.integers(0, 5)), min_size=1
)
weighed = turns.filter(lambda puzzles: any(weight for *_, weight in puzzles))


@pytest.fixture(scope="module")
def board():
    """Return the leaderboard of two strategies on all puzzles of a game with weights."""
    return wk.tournament(GAME, STRATEGIES, workers=1)


def repeated(values, weights):
    """Return the values, each as often as its weight says."""
    return [value for value, weight in zip(values, weights, strict=True) for _ in range(weight)]


@given(puzzles=weighed)
def test_the_weighted_figures_of_a_row_are_the_others_with_each_puzzle_repeated(run_of, puzzles):
    taken, _, weights = zip(*puzzles, strict=True)
    row = row_of(run_of(taken, weights=weights))
    twin = row_of(run_of(repeated(taken, weights)))
    figures = (row.weighted_mean, row.weighted_std, row.weighted_failure)
    assert figures == pytest.approx((twin.mean, twin.std, twin.failure), abs=1e-6)


@given(puzzles=weighed)
def test_the_weighted_figures_of_a_comparison_are_the_others_with_each_puzzle_repeated(run_of, puzzles):
    *pair, weights = zip(*puzzles, strict=True)
    found = compare(*(run_of(taken, weights=weights) for taken in pair)).weighted
    twin = compare(*(run_of(repeated(taken, weights)) for taken in pair))
    for name in ("wins", "ties", "losses"):
        assert getattr(found, name) == pytest.approx(getattr(twin, name) / twin.puzzles)
    for name in ("mean_first", "mean_second", "mean_difference"):
        assert getattr(found, name) == pytest.approx(getattr(twin, name), abs=1e-9)


@given(...)
def test_puzzles_without_weights_have_no_weighted_figures(run: StoredRun):
    assert not row_of(run).as_dict().keys() & set(WEIGHTED)
    assert "weighted" not in compare(run, run).as_dict()


def test_with_all_the_weight_on_one_answer_the_weighted_mean_is_its_guesses():
    game = GAME.replace(weights=[float(word == "cb") for word in GAME.answers])
    (row,) = (board := wk.tournament(game, ["first-consistent"], workers=1)).rows
    (play,) = (play for play in board.plays("first-consistent") if play.puzzle == ("cb",))
    assert (row.weighted_mean, row.weighted_std, row.weighted_failure) == (play.turns, 0.0, 0.0)
    assert row.mean != row.weighted_mean


def test_equal_weights_change_nothing_on_a_leaderboard_but_the_fingerprint():
    def figures(weights):
        made = wk.tournament(GAME.replace(weights=weights), STRATEGIES, workers=1).as_dict()
        return [made.pop("fingerprint"), [row.pop("ms_per_decision") for row in made["rows"]], made][-1]

    assert figures([2.5] * 9) == figures(None)


def test_tables_have_the_weighted_mean_beside_the_other_and_files_the_failures_too(board, tmp_path):
    first = board.rows[0]
    assert board.table().split()[:4] == ["strategy", "mean", "weighted", "mean"]
    assert f"{first.mean:.4f}           {first.weighted_mean:.4f}" in board.table()
    assert "weighted std" in board.table(columns="all")
    written, _ = (path.read_text(encoding="utf-8") for path in board.write(tmp_path))
    assert "|   weighted mean |" in written
    assert "|   weighted failure |" in written
    rows = json.loads(board.table("json"))["rows"]
    assert [row["weighted_mean"] for row in rows] == [row.weighted_mean for row in board.rows]


def test_data_frames_have_the_weighted_figures(board):
    pytest.importorskip("pandas")
    frame = board.to_pandas()
    assert frame["weighted_mean"].tolist() == [row.weighted_mean for row in board.rows]
    compared = board.compare(*STRATEGIES)
    assert compared.to_pandas()["weighted_mean_difference"].tolist() == [compared.weighted.mean_difference]
    assert "weighted_mean" not in wk.tournament(GAME.replace(weights=None), STRATEGIES, workers=1).to_pandas()


def test_a_stored_leaderboard_needs_no_game_for_its_weighted_figures(board, tmp_path):
    path = tmp_path / "results.sqlite"
    wk.tournament(GAME, STRATEGIES, workers=1, store=path)
    stored = wk.read_leaderboard(path)
    assert stored.game is None
    assert [row.weighted_mean for row in stored.rows] == [row.weighted_mean for row in board.rows]


def test_the_mean_of_puzzles_drawn_by_weight_estimates_the_weighted_mean(board):
    (drawn,) = wk.tournament(GAME, ["first-consistent"], 2000, workers=1).rows
    (played,) = (row for row in board.rows if row.strategy == "first-consistent")
    low, high = drawn.interval
    assert drawn.mean - 2 * (drawn.mean - low) < played.weighted_mean < drawn.mean + 2 * (high - drawn.mean)
    assert drawn.weighted_mean is None
    assert abs(played.mean - drawn.mean) > 3 * (high - drawn.mean)
