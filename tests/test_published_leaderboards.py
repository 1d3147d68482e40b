"""The published leaderboards are those of the code as it is; where one is not, run `tox -e leaderboards`."""

import json
from pathlib import Path

import pytest

import wordle_kit as wk

FOLDER = Path(__file__).parents[1] / "leaderboard"
PLUGINS = wk.Plugins.load(strict=True)
ONE_BOARD = [name for name in sorted(PLUGINS.games) if wk.load_game(name, PLUGINS).boards == 1]
STALE = "is stale: run `tox -e leaderboards` and commit what it writes"


def published(name):
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def game_of(name):
    game = wk.load_game(name.removesuffix("-hard"), PLUGINS)
    return game.replace(hard_mode=True) if name.endswith("-hard") else game


def test_every_game_of_one_board_is_published_and_no_other():
    assert sorted(path.stem for path in FOLDER.glob("*.json")) == sorted([*ONE_BOARD, "wordle-hard"]), STALE
    assert sorted(path.stem for path in FOLDER.glob("*.md")) == sorted([*ONE_BOARD, "wordle-hard", "README"]), STALE


@pytest.mark.parametrize("name", [*ONE_BOARD, "wordle-hard"])
def test_a_published_leaderboard_is_of_the_game_and_the_strategies_there_are(name):
    board, game = published(name), game_of(name)
    assert board["fingerprint"] == game.fingerprint, f"leaderboard/{name}.json {STALE}"
    can_play = {
        label: entry.value.version for label, entry in PLUGINS.strategies.items() if not entry.value.problem_with(game)
    }
    assert {row["strategy"]: row["version"] for row in board["rows"]} == can_play, f"leaderboard/{name}.json {STALE}"


@pytest.mark.parametrize("name", ["wordle", "mastermind", "glyphs"])
def test_a_published_leaderboard_comes_out_again(name):
    again = json.loads(wk.tournament(game_of(name), plugins=PLUGINS).table("json"))
    there = published(name)
    for board in (again, there):
        del board["versions"]
        for row in board["rows"]:
            del row["ms_per_decision"]
    assert again == there, f"leaderboard/{name}.json {STALE}"


def test_the_page_shows_the_rows_of_the_figures():
    for name in [*ONE_BOARD, "wordle-hard"]:
        page = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
        for row in published(name)["rows"]:
            assert f"| {row['strategy']} " in page
            assert f"| {row['total_guesses']} |" in " ".join(page.split())
