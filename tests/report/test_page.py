"""The page: one file that asks for nothing, runs nothing but its own script, and shows other people's text as text."""

import base64
import dataclasses
import hashlib
import re
import statistics
from functools import partial

import pytest

import wordle_kit as wk
from wordle_kit.leaderboard.stored import StoredRuns
from wordle_kit.pages.html import write_page
from wordle_kit.report.choice import kept_puzzles
from wordle_kit.report.page import page_of
from wordle_kit.tournaments.store import Store


@pytest.fixture(scope="module")
def page(board):
    return page_of(board.runs, wk.load_game("wordle"))


@pytest.fixture(scope="module")
def hostile_page(hostile_board):
    return page_of(hostile_board.runs, wk.load_game("mastermind"), warning="<b>bold</b>", left_out=["<i>none</i>"])


def test_its_policy_allows_nothing_but_its_own_script_and_style(twin, page):
    tags = twin["tags"](page)
    (policy,) = [attributes["content"] for tag, attributes in tags.tags if "http-equiv" in attributes]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for tag in ("script", "style"):
        text = tags.texts[tag][-1]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


def test_it_has_no_handlers_and_no_style_attributes_and_asks_for_no_file(twin, page, hostile_page):
    for text in (page, hostile_page):
        for tag, attributes in twin["tags"](text).tags:
            assert not [name for name in attributes if name.startswith("on") or name in ("style", "src", "srcset")], tag
            assert attributes.get("href", "#").startswith("#")
            assert tag not in ("link", "img", "iframe", "object", "base", "form")


def test_texts_of_others_add_no_tags(twin, hostile_page):
    tags = [tag for tag, _ in twin["tags"](hostile_page).tags]
    assert (tags.count("script"), tags.count("b"), tags.count("i")) == (2, 0, 0)
    assert "<script>document" not in hostile_page
    assert "&lt;script&gt;document.title=&#39;x&#39;&lt;/script&gt;" in hostile_page
    assert "\u202e" not in hostile_page


def test_it_has_every_play_as_it_was_stored(twin, replayed, board, page):
    header, columns = twin["payload"](page)
    columns = [twin["varints"](column) for column in columns]
    by_name = {run.facts.strategy: run for run in board.runs}
    assert [strategy["name"] for strategy in header["strategies"]] == [row.strategy for row in board.rows]
    for number, strategy in enumerate(header["strategies"]):
        plays = by_name[strategy["name"]].plays
        turns, endings, *replays = columns[1 + 8 * number : 9 + 8 * number]
        assert turns == [31 if play.turns is None else play.turns for play in plays]
        assert [strategy["endings"][ending][0] for ending in endings] == [play.outcome.value for play in plays]
        for place, read in replayed(replays, 1).items():
            assert tuple(header["words"][turn.guess] for turn in read) == plays[place].guesses
            assert tuple((header["feedback"][turn.feedback[0]],) for turn in read) == plays[place].feedback


def test_it_is_the_same_if_plays_are_read_from_the_store(board, page, tmp_path):
    path = tmp_path / "results.sqlite"
    wk.tournament("wordle", [row.strategy for row in board.rows], 60, seed=0, workers=1, store=path)
    with Store(path) as store:
        stored = page_of(StoredRuns(store, [number for number, _, _ in store.runs()]), wk.load_game("wordle"))

    def without_times(text):
        return re.sub(r'data-column="ms".*', "", text)

    assert without_times(stored) == without_times(page)


def test_without_its_game_it_says_what_is_missing(twin, board):
    page = page_of(board.runs)
    header, _ = twin["payload"](page)
    assert (header["left"], header["tiles"], header["marks"]) == (False, "", [])
    assert 'id="no-game"' in page


def test_another_game_is_refused(board):
    with pytest.raises(wk.WordleKitError, match="is not the game that was played"):
        page_of(board.runs, wk.load_game("mastermind"))


def test_a_leaderboard_without_runs_is_refused():
    with pytest.raises(wk.WordleKitError, match="at least one run"):
        page_of([])


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(wk.WordleKitError, match=r"missing/page\.html: cannot be written"):
        write_page(tmp_path / "missing" / "page.html", "")


def test_of_many_different_messages_the_first_are_kept(twin, hostile_board):
    run = hostile_board.runs[1]
    plays = tuple(
        dataclasses.replace(play, message=f"{number}: {play.message}") for number, play in enumerate(run.plays * 8)
    )
    facts = dataclasses.replace(run.facts, n_puzzles=len(plays))
    header, columns = twin["payload"](page_of([dataclasses.replace(run, plays=plays, facts=facts)]))
    endings = header["strategies"][0]["endings"]
    assert 200 <= len(endings) <= 203
    assert ["crashed", ""] in endings
    assert {endings[number][0] for number in twin["varints"](columns[2])} == {play.outcome.value for play in plays}


def test_a_page_that_would_be_too_large_says_which_replays_it_has(board, monkeypatch, twin, replayed):
    monkeypatch.setattr("wordle_kit.report.page.kept_puzzles", partial(kept_puzzles, most=100))
    page = page_of(board.runs, wk.load_game("wordle"))
    header, columns = twin["payload"](page)
    kept = header["kept"]
    assert 0 < len(kept) < 60
    assert f"it has replays of only {len(kept)} of the 60 puzzles" in page
    columns = [twin["varints"](column) for column in columns]
    for place, read in replayed(columns[3:9], 1).items():
        answer = header["words"][columns[0][kept[place]]]
        assert header["words"][read[-1].guess] == answer


@pytest.mark.slow
def test_plays_of_all_of_wordle_take_little_room():
    names = ["entropy", "minimax", "first-consistent"]  # as most are, deterministic
    runs = wk.tournament("wordle", names, seed=0, workers=1).runs
    sizes = [len(page_of(some, wk.load_game("wordle"))) for some in (runs[:1], runs)]
    assert sizes[0] + 42 * (sizes[1] - sizes[0]) / 2 < 1_500_000  # all 43 bundled strategies


# Intervals


def test_its_script_gets_what_makes_the_intervals_of_differences(twin, board, page):
    header, _ = twin["payload"](page)
    first, second, *_ = board.rows
    made = board.compare(first.strategy, second.strategy)
    differences = [int(key) for key, count in made.differences.items() for _ in range(count)]
    half = header["halfWidth"] * max(statistics.stdev(differences), header["leastDeviation"])
    assert (made.interval[1] - made.interval[0]) / 2 == pytest.approx(half)
    assert (first.interval[1] - first.interval[0]) / 2 == pytest.approx(
        header["halfWidth"] * statistics.stdev(play.turns for play in board.plays(first.strategy))
    )


@pytest.mark.parametrize("puzzles", [None, ["aa", "ab"], 1])
def test_without_a_sample_of_several_puzzles_there_are_no_intervals(twin, puzzles):
    game = wk.load_game({"name": "few", "alphabet": "ab", "length": 2, "answers": "all"})
    text = page_of(wk.tournament(game, ["first-consistent", "entropy"], puzzles, workers=1).runs, game)
    assert twin["payload"](text)[0]["halfWidth"] is None
    assert "±" not in text


# Weights


def test_with_weights_the_page_is_sorted_by_the_weighted_mean_and_its_script_has_the_weights(twin):
    game = wk.load_game({"name": "few", "alphabet": "abc", "length": 2, "answers": "all", "weights": {"cc": 50}})
    board = wk.tournament(game, ["first-consistent", "predefined-words"], workers=1)
    text = page_of(board.runs, game)
    header, _ = twin["payload"](text)
    assert [strategy["name"] for strategy in header["strategies"]] == [row.strategy for row in board.rows]
    assert (header["rankedBy"], header["weights"]) == ("weighted_mean", list(board.facts[0].weights))
    columns = {attributes["data-column"]: attributes for tag, attributes in twin["tags"](text).tags if tag == "th"}
    assert "hidden" not in columns["weighted_mean"]
    assert columns["weighted_mean"]["aria-sort"] == "ascending"
    assert "aria-sort" not in columns["mean"]
    assert "Strategies are ranked by the weighted mean" in text


def test_without_weights_the_page_has_no_weighted_figures(page):
    assert 'data-column="weighted' not in page
