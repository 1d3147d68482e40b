"""The page: one file that asks for nothing, runs nothing but its own script, and shows other people's text as text."""

import base64
import gzip
import hashlib
import json
import re
from dataclasses import replace
from functools import partial
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from wordle_kit_plugins.report.page import axis_of, command_of, headline, kept_puzzles, page_of, ranks_of

import wordle_kit as wk
from wordle_kit.leaderboard.compare import compare_pairs
from wordle_kit.leaderboard.stored import StoredRuns
from wordle_kit.tournaments.store import Store

FEW = {"name": "few", "alphabet": "abc", "length": 2, "answers": "all"}


def data_in(page):
    """Return the data of a page."""
    return json.loads(gzip.decompress(base64.b64decode(re.search(r'id="payload">([^<]*)<', page)[1])))


def plays_in(data, name):
    """Return the guesses, the feedback and the words left of each play of a strategy on a page."""
    (strategy,) = [one for one in data["strategies"] if one["name"] == name]
    for guesses, feedback, left in zip(strategy["guesses"], strategy["feedback"], strategy["left"], strict=True):
        yield (
            tuple(data["separator"].join(data["words"][guess]) for guess in guesses),
            tuple(tuple(data["texts"][text] for text in seen) for seen in feedback),
            left,
        )


@pytest.fixture(scope="module")
def page(board):
    return page_of(board)


@pytest.fixture(scope="module")
def hostile_page(hostile_board):
    return page_of(replace(hostile_board, left_out=("<i>none</i>",), not_kept=("<b>bold</b>",)))


def test_its_policy_allows_nothing_but_its_own_script_and_style(tags_of, page):
    tags = tags_of(page)
    (policy,) = [attributes["content"] for tag, attributes in tags.tags if "http-equiv" in attributes]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for tag in ("script", "style"):
        text = tags.texts[tag][-1]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


def test_texts_of_others_add_no_tags(tags_of, hostile_page):
    tags = [tag for tag, _ in tags_of(hostile_page).tags]
    assert (tags.count("script"), tags.count("b"), tags.count("i")) == (2, 0, 0)
    assert "<script>document" not in hostile_page
    assert "&lt;script&gt;document.title=&#39;x&#39;&lt;/script&gt;" in hostile_page
    assert "\u202e" not in hostile_page


@pytest.mark.parametrize(
    ("game", "puzzles", "strategy"),
    [("wordle", 30, "entropy"), ("mastermind", 30, "random-consistent"), ("quordle", 4, "entropy")],
)
def test_it_has_every_play_and_the_words_left_in_each_position(game, puzzles, strategy):
    board = wk.tournament(game, [strategy], puzzles, workers=1)
    data = data_in(page_of(board))
    plays = board.plays(strategy)
    assert data["strategies"][0]["taken"] == [data["cap"] + 1 if play.turns is None else play.turns for play in plays]
    for play, (guesses, feedback, left) in zip(plays, plays_in(data, strategy), strict=True):
        assert (guesses, feedback) == (play.guesses, play.feedback)
        position = wk.Position.start(board.game)
        for guess, seen, counts in zip(guesses, feedback, left, strict=True):
            position = position.after(guess, seen)
            assert counts == [0 if board.is_solved else len(board) for board in position.boards]


def test_it_says_how_plays_failed(hostile_board, hostile_page):
    data = data_in(hostile_page)
    (crashing,) = [row.strategy for row in hostile_board.rows if row.outcomes.get("crashed")]
    failures = next(one["failures"] for one in data["strategies"] if one["name"] == crashing)
    assert len(failures) == 40
    assert all(text.startswith("crashed: RuntimeError: ") for text in failures.values())


def test_it_is_the_same_if_plays_are_read_from_the_store(board, page, tmp_path):
    path = tmp_path / "results.sqlite"
    wk.tournament("wordle", [row.strategy for row in board.rows], 60, seed=0, workers=1, store=path)
    with Store(path) as store:
        runs = StoredRuns(path, [number for number, _, _ in store.runs()])
    stored = data_in(page_of(replace(board, runs=runs)))
    played = data_in(page)
    for one, other in zip(played["strategies"], stored["strategies"], strict=True):
        one["figures"], other["figures"] = (
            [pair for pair in x["figures"] if pair[0] != "ms each"] for x in (one, other)
        )
    assert stored == played


def test_without_its_game_there_is_no_page(board):
    with pytest.raises(wk.WordleKitError, match="wordle"):
        page_of(replace(board, game=None))


@pytest.mark.parametrize("host", ["adversary", "lies-once"])
def test_games_with_another_host_have_no_page_and_the_message_names_the_host(board, host):
    run = board.runs[0].with_facts(host=host)
    with pytest.raises(wk.WordleKitError, match=host):
        page_of(wk.Leaderboard([run]))


def test_a_page_that_would_be_too_large_says_which_replays_it_has(board, monkeypatch):
    monkeypatch.setattr("wordle_kit_plugins.report.page.kept_puzzles", partial(kept_puzzles, most=100))
    page = page_of(board)
    data = data_in(page)
    assert 0 < len(data["kept"]) < 60
    assert f"only the {len(data['kept'])} hardest of the 60 puzzles" in page
    answers = [data["puzzles"][puzzle][0] for puzzle in data["kept"]]
    assert [guesses[-1] for guesses in data["strategies"][0]["guesses"]] == answers


TAKEN = arrays.arrays(np.int64, st.tuples(st.integers(1, 4), st.integers(1, 30)), elements=st.integers(1, 31))


@given(TAKEN, st.integers(1, 8), st.integers(0, 10_000))
def test_the_hardest_puzzles_are_kept_and_all_if_they_fit(taken, boards, most):
    kept = kept_puzzles(taken, boards, most)
    pieces = taken.sum(axis=0) * boards
    others = sorted(set(range(taken.shape[1])) - set(kept))
    assert pieces[kept].sum() <= most
    if others:
        hardest = pieces[others].max()
        assert pieces[kept].sum() + hardest > most
        assert all(pieces[kept] >= hardest)


# The table, the headline and the means


def test_the_columns_can_be_chosen(board, tags_of):
    heads = tags_of(page_of(board, ["max", "opener"])).texts["th"]
    assert heads[:4] == ["rank", "strategy", "max", "opener"]


def test_strategies_with_the_same_mean_and_failures_share_a_rank(board):
    first, second, third = board.rows
    assert ranks_of([first, second, third]) == ["1", "2", "3"]
    assert ranks_of([first, first, second, third, third, third]) == ["1=", "1=", "3", "4=", "4=", "4="]


def test_only_on_several_boards_is_it_said_at_which_turns_they_were_solved(page):
    def figures(page):
        return dict(data_in(page)["strategies"][0]["figures"])

    assert "boards solved at" not in figures(page)
    several = page_of(wk.tournament("quordle", ["entropy"], 3, workers=1))
    assert len(figures(several)["boards solved at"].split()) == 4


@pytest.fixture(scope="module")
def exact():
    """Return a leaderboard of a game whose perfect play is known, and the mean of perfect play."""
    game = wk.load_game("mini-nerdle")
    return wk.tournament(game, ["entropy", "first-consistent"], workers=1), wk.optimal(game).mean


def with_total(row, more):
    """Return a row with this many guesses more than perfect play in all."""
    return replace(row, figures={**row.figures, "over_perfect": more})


def test_the_headline_says_how_far_the_best_strategy_is_from_perfect_play(exact):
    board, perfect = exact
    row = board.rows[-1]
    more = round((row.mean - perfect) * row.games)
    said = headline(row)
    assert all(fact in said for fact in (row.strategy, f"{row.mean:.3f}", f", in all {more} guesses more than perfect"))


def test_one_guess_more_in_all_is_not_called_perfect(exact):
    row = exact[0].rows[0]
    assert "as many as perfect play" in headline(with_total(row, 0))
    said = headline(with_total(row, 1))  # such as 7,921 guesses against 7,920, which differ by less than 0.001 each
    assert "as many as" not in said
    assert "in all 1 guess more than perfect play" in said


def test_means_and_perfect_play_are_on_one_axis(exact):
    board, perfect = exact
    axis = axis_of(board.rows)
    low, high = float(axis.first), float(axis.last)
    places = [row.mean for row in board.rows] + [perfect]
    for at, value in zip([*axis.means, axis.perfect], places, strict=True):
        assert low + at / 100 * (high - low) == pytest.approx(value, abs=2e-3)


def test_intervals_of_a_sample_are_on_the_axis(board):
    axis = axis_of(board.rows)
    assert all(low < at < high for at, (low, high) in zip(axis.means, axis.intervals, strict=True))
    assert (min(low for low, _ in axis.intervals), max(high for _, high in axis.intervals)) == (0, 100)


def test_with_weights_the_weighted_mean_ranks():
    board = wk.tournament(
        wk.load_game(FEW | {"weights": {"cc": 50}}), ["first-consistent", "predefined-words"], workers=1
    )
    page = page_of(board)
    data = data_in(page)
    assert [strategy["name"] for strategy in data["strategies"]] == [row.strategy for row in board.rows]
    assert data["weights"] == list(board.facts[0].weights)
    assert f"{board.rows[0].weighted_mean:.3f}" in headline(board.rows[0])
    assert "The weighted mean difference" in page


# Significance


def pairs_in(page):
    """Return whether the difference of each pair is significant, in the order of the pairs."""
    matrix = data_in(page)["significant"]
    assert matrix == [list(column) for column in zip(*matrix, strict=True)]
    return [matrix[i][j] for i in range(len(matrix)) for j in range(i + 1, len(matrix))]


@pytest.mark.parametrize("confidence", [0.95, 0.999999])
def test_significance_is_that_of_compare_corrected_for_all_pairs(board, confidence):
    by_name = {run.facts.strategy: run for run in board.runs}
    found = compare_pairs(combinations([by_name[row.strategy] for row in board.rows], 2))
    p_values = [each.p_adjusted for each in found]
    assert {p_value <= 0.05 for p_value in p_values} == {True, False}
    found = pairs_in(page_of(replace(board, confidence=confidence)))
    assert found == [p_value <= 1 - confidence for p_value in p_values]


def test_a_strategy_that_cannot_play_is_not_compared(hostile_page):
    assert pairs_in(hostile_page).count(None) == 2


def test_only_samples_have_significance(page):
    game = wk.load_game(FEW)
    for puzzles in (None, ["aa", "ab"]):
        text = page_of(wk.tournament(game, ["first-consistent", "entropy"], puzzles, workers=1))
        assert pairs_in(text) == [None]
        assert "Holm" not in text
    assert "Holm" in page


def test_the_command_names_what_was_played(board):
    names = [word for row in board.rows for word in ("-s", row.strategy)]
    assert command_of(board.rows).split() == [
        *["wordle-kit", "tournament", "--game", "wordle", "--puzzles", "60", "--seed", "0"],
        *names,
    ]
