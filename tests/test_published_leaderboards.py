"""The leaderboards in leaderboard/ are those of the games, strategies and rules as they are now."""

import json
import re
import runpy
from functools import cache
from pathlib import Path

import pytest

import wordle_kit as wk

FOLDER = Path(__file__).parents[1] / "leaderboard"
PLUGINS = wk.Plugins.load()
HARD = "-hard"
PUBLISH = runpy.run_path(str(FOLDER / "publish.py"))
PUBLISHED = [*sorted(PLUGINS.games), "wordle" + HARD]
STALE = "leaderboard/ is not what is played now; run `tox -e leaderboards` and commit what it writes"

NOT_A_FIGURE = {"ms_per_decision", "source"}
"""What depends on the machine, and on edits of the source that change no guess."""

QUICK = "elements"
REPLAYED = [QUICK, "wordle", "mastermind", "glyphs"]


def each(names):
    """Return a mark that runs a test with each leaderboard. All but one are slow."""
    return pytest.mark.parametrize(
        "name", [pytest.param(name, marks=() if name == QUICK else pytest.mark.slow) for name in names]
    )


every_board = each(PUBLISHED)


@cache
def game_of(name):
    """Return the game of a leaderboard's file."""
    game = wk.load_game(name.removesuffix(HARD), PLUGINS)
    return game.replace(hard_mode=True) if name.endswith(HARD) else game


@cache
def puzzles_of(game):
    """Return the published puzzles of a game."""
    return wk.load_puzzles(game, None if game.boards == 1 else PUBLISH["DRAWN"])


def read(name):
    """Return a published leaderboard."""
    path = FOLDER / f"{name}.json"
    assert path.is_file(), f"there is no {path.name}: {STALE}"
    return json.loads(path.read_text(encoding="utf-8"))


def cells(line):
    """Return the cells of a line of a Markdown table; a backslash before a sign shows the sign as it is."""
    return [re.sub(r"\\(.)", r"\1", cell.strip()) for cell in line.strip("|").split("|")]


def figures(row):
    """Return a row without the values that may differ although every guess is the same."""
    return {key: value for key, value in row.items() if key not in NOT_A_FIGURE}


def test_every_game_has_a_leaderboard_as_json_and_as_markdown_and_there_are_no_others():
    for kind in ("json", "md"):
        found = {path.stem for path in FOLDER.glob(f"*.{kind}")} - {"README"}
        assert found == set(PUBLISHED), STALE


@every_board
def test_it_is_of_the_game_as_it_is_now(name):
    board, game = read(name), game_of(name)
    facts = (board["game"], board["fingerprint"], board["boards"], board["max_guesses"], board["hard_mode"])
    assert facts == (game.name, game.fingerprint, game.boards, game.max_guesses, name.endswith(HARD)), STALE
    assert (board["puzzles"], board["puzzles_fingerprint"]) == (puzzles_of(game).label, puzzles_of(game).fingerprint)
    assert board["unsolved_counts_as"] == game.cap + 1


@every_board
def test_its_rows_are_the_strategies_that_can_play_the_game_now(name):
    game = game_of(name)
    chosen = PUBLISH["strategies_for"](game, PLUGINS)
    playing = {
        strategy: (entry.value.version, entry.plugin)
        for strategy, entry in PLUGINS.strategies.items()
        if entry.value.problem_with(game) is None and strategy in chosen
    }
    assert {row["strategy"]: (row["version"], row["plugin"]) for row in read(name)["rows"]} == playing, STALE


@every_board
def test_every_strategy_has_played_every_puzzle_without_a_fault(name):
    for row in read(name)["rows"]:
        assert row["games"] == len(puzzles_of(game_of(name))), STALE
        assert row["outcomes"].keys() <= {"out of guesses"}
        assert row["problem"] == ""


@every_board
def test_the_markdown_shows_the_rows_of_the_json(name):
    rows = read(name)["rows"]
    lines = [line for line in (FOLDER / f"{name}.md").read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    header, shown = cells(lines[0]), [dict(zip(cells(lines[0]), cells(line), strict=True)) for line in lines[2:]]
    assert header[:2] == ["strategy", "mean"]
    published = [(row["strategy"], f"{row['mean']:.4f}", row["opener"] or "") for row in rows]
    means = [(row["strategy"], row["mean"].partition(" ± ")[0], row["opener"]) for row in shown]
    assert means == published, STALE
    assert all(("±" in row["mean"]) == (game_of(name).boards > 1) for row in shown)


def test_the_page_of_all_leaderboards_names_the_best_of_each():
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    for name in PUBLISHED:
        best = read(name)["rows"][0]
        mean = best.get("weighted_mean", best["mean"])
        assert f"({name}.md) | {best['strategy']} | {mean:.4f} |" in page, STALE
    assert page.count(".md) |") == len(PUBLISHED), STALE


@pytest.mark.parametrize("name", ["dordle", "octordle"])
def test_of_a_sample_every_mean_has_its_interval(name):
    for row in read(name)["rows"]:
        assert row["interval_low"] < row["mean"] < row["interval_high"]
        means = list(row["boards"].values())
        assert means == sorted(means)
        assert means[-1] == pytest.approx(row["mean"])


@each(REPLAYED)
def test_playing_it_again_gives_the_same_figures(name):
    published = read(name)
    strategies = PUBLISH["strategies_for"](game_of(name), PLUGINS)
    played = wk.tournament(game_of(name), strategies, seed=published["seed"], workers=1, plugins=PLUGINS).as_dict()
    rows, again = ({row["strategy"]: figures(row) for row in board["rows"]} for board in (published, played))
    assert {strategy for strategy in rows | again if rows.get(strategy) != again.get(strategy)} == set(), STALE
    assert [row["strategy"] for row in published["rows"]] == [row["strategy"] for row in played["rows"]], STALE
    different = {key for key in published | played if published.get(key) != played.get(key)}
    assert different <= {"rows", "versions"}, STALE


@pytest.mark.slow
def test_pages_are_written_beside_the_leaderboards_and_listed(tmp_path):
    game = wk.load_game("glyphs", PLUGINS)
    for played in (game, game.replace(hard_mode=True)):
        board = wk.tournament(played, ["first-consistent"], workers=1)
        PUBLISH["write_leaderboard_page"](board, tmp_path / "site")
    index = PUBLISH["index_of"](tmp_path / "site")
    assert sorted(path.name for path in (tmp_path / "site").iterdir()) == ["glyphs-hard.html", "glyphs.html"]
    assert '<a href="glyphs-hard.html">' in index
    assert '<a href="glyphs.html">' in index


def test_a_row_that_is_not_as_published_is_named(tmp_path):
    board = wk.tournament("glyphs", ["first-consistent", "minimax"], workers=1)
    published = tmp_path / "glyphs.json"
    assert PUBLISH["write_leaderboard"](board, tmp_path / "glyphs").read_text().startswith("# glyphs\n\n| strategy")
    assert PUBLISH["changed"](board, published) == []
    published.write_text(published.read_text().replace('"total_guesses": ', '"total_guesses": 1', 1))
    assert PUBLISH["changed"](board, published) == [board.rows[0].strategy]
    names = {row["strategy"] for row in read("glyphs")["rows"]}
    assert PUBLISH["changed"](board, FOLDER / "glyphs.json") == sorted(names - {"first-consistent", "minimax"})
