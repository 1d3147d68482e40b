"""The page: one file that asks for nothing, runs nothing but its own script, and shows other people's text as text."""

import base64
import hashlib
import re
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from wordle_kit_plugins.pages.html import Numbering
from wordle_kit_plugins.report.page import (
    cell_of,
    hardest_first,
    headline,
    kept_puzzles,
    means_of,
    most_different,
    page_of,
    ranks_of,
    replays_of,
)

import wordle_kit as wk
from wordle_kit.leaderboard.columns import bars_of, columns_of
from wordle_kit.leaderboard.compare import adjusted, compare_all
from wordle_kit.leaderboard.metrics import METRICS
from wordle_kit.leaderboard.stored import StoredRuns
from wordle_kit.tournaments.runs import StoredRun
from wordle_kit.tournaments.store import Store


@pytest.fixture(scope="module")
def page(board):
    return page_of(board)


@pytest.fixture(scope="module")
def hostile_page(hostile_board):
    return page_of(replace(hostile_board, left_out=("<i>none</i>",), not_kept=("<b>bold</b>",)))


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
        runs = StoredRuns(path, [number for number, _, _ in store.runs()])
    stored = page_of(replace(board, runs=runs))

    def without_times(text):
        return re.sub(r'data-column="ms".*', "", text)

    assert without_times(stored) == without_times(page)


def test_without_its_game_it_says_what_is_missing(twin, board):
    page = page_of(replace(board, game=None))
    header, _ = twin["payload"](page)
    assert (header["left"], header["tiles"], header["marks"]) == (False, "", [])
    assert 'id="no-game"' in page


def test_another_game_is_refused(board):
    with pytest.raises(wk.WordleKitError, match="mastermind"):
        page_of(replace(board, game=wk.load_game("mastermind")))


@pytest.mark.parametrize("host", ["adversary", "lies-once"])
def test_games_with_another_host_have_no_page_and_the_message_names_the_host(board, host):
    run = board.runs[0].with_facts(host=host)
    with pytest.raises(wk.WordleKitError, match=host):
        page_of(wk.Leaderboard([run]))


def test_a_page_that_would_be_too_large_says_which_replays_it_has(board, monkeypatch, twin, replayed):
    monkeypatch.setattr("wordle_kit_plugins.report.page.kept_puzzles", partial(kept_puzzles, most=100))
    page = page_of(board)
    header, columns = twin["payload"](page)
    kept = header["kept"]
    assert 0 < len(kept) < 60
    assert f"{len(kept)} of the 60 puzzles" in page
    columns = [twin["varints"](column) for column in columns]
    for place, read in replayed(columns[3:9], 1).items():
        answer = header["words"][columns[0][kept[place]]]
        assert header["words"][read[-1].guess] == answer


@pytest.mark.slow
def test_plays_of_all_of_wordle_take_little_room():
    names = ["entropy", "minimax", "first-consistent"]  # as most are, deterministic
    board = wk.tournament("wordle", names, seed=0, workers=1)
    sizes = [len(page_of(some)) for some in (replace(board, runs=board.runs[:1]), board)]
    assert sizes[0] + 42 * (sizes[1] - sizes[0]) / 2 < 1_500_000  # all 43 bundled strategies


# Ranks, explanations and strategies


def test_strategies_with_the_same_mean_and_failures_share_a_rank(board):
    first, second, third = board.rows
    assert ranks_of([first, second, third]) == ["1", "2", "3"]
    assert ranks_of([first, first, second, third, third, third]) == ["1=", "1=", "3", "4=", "4=", "4="]


def test_a_strategy_has_its_sentence_and_its_parameters(twin, page):
    strategies = {one["name"]: one for one in twin["payload"](page)[0]["strategies"]}
    assert strategies["first-consistent"]["summary"]
    assert strategies["first-consistent"]["parameters"] == []
    assert "ties=candidates-first" in strategies["entropy"]["parameters"]


def test_distributions_show_failures_as_stripes(hostile_page, page):
    assert "url(#stripes)" in hostile_page.replace('"', "")
    assert 'class="late"' in hostile_page
    assert '<pattern id="stripes"' in page


# Significance


def p_values_in(twin, page):
    """Return the adjusted p-values of all pairs on a page, in ten-thousandths, and whether each is significant."""
    packed = twin["varints"](twin["payload"](page)[1][-1])
    return [None if one == 0 else ((one - 1) // 2, one % 2 == 0) for one in packed]


@pytest.mark.parametrize("confidence", [0.95, 0.999999])
def test_p_values_are_those_of_compare_corrected_for_all_pairs(twin, board, confidence):
    runs = [board.runs[[run.facts.strategy for run in board.runs].index(row.strategy)] for row in board.rows]
    wanted = adjusted(compare_all(runs))
    assert any(p_value <= 0.05 for p_value in wanted)
    assert any(p_value > 0.05 for p_value in wanted)
    found = p_values_in(twin, page_of(replace(board, confidence=confidence)))
    for (parts, is_significant), p_value in zip(found, wanted, strict=True):
        assert parts / 10_000 == pytest.approx(p_value, abs=0.0001)
        assert is_significant == (p_value <= 1 - confidence)


def test_a_strategy_that_cannot_play_has_no_p_value(twin, hostile_board):
    runs = {run.facts.strategy: run for run in hostile_board.runs}
    wanted = adjusted(compare_all([runs[row.strategy] for row in hostile_board.rows]))
    found = p_values_in(twin, page_of(hostile_board))
    assert [one is None for one in found] == [p_value is None for p_value in wanted]
    assert found.count(None) == 2


def test_only_samples_have_p_values(twin, page):
    game = wk.load_game({"name": "few", "alphabet": "ab", "length": 2, "answers": "all"})
    for puzzles in (None, ["aa", "ab"]):
        text = page_of(wk.tournament(game, ["first-consistent", "entropy"], puzzles, workers=1))
        assert p_values_in(twin, text) == []
        assert "Holm" not in text
    assert len(p_values_in(twin, page)) == 3
    assert "Holm" in page


# Weights


def test_with_weights_the_page_is_sorted_by_the_weighted_mean_and_its_script_has_the_weights(twin):
    game = wk.load_game({"name": "few", "alphabet": "abc", "length": 2, "answers": "all", "weights": {"cc": 50}})
    board = wk.tournament(game, ["first-consistent", "predefined-words"], workers=1)
    text = page_of(board)
    header, _ = twin["payload"](text)
    assert [strategy["name"] for strategy in header["strategies"]] == [row.strategy for row in board.rows]
    assert (header["rankedBy"], header["weights"]) == ("weighted_mean", list(board.facts[0].weights))
    columns = {attributes["data-column"]: attributes for tag, attributes in twin["tags"](text).tags if tag == "th"}
    assert "hidden" not in columns["weighted_mean"]
    assert columns["weighted_mean"]["aria-sort"] == "ascending"
    assert "aria-sort" not in columns["mean"]


TURNS = arrays.arrays(np.uint16, st.tuples(st.integers(1, 4), st.integers(1, 30)), elements=st.integers(1, 31))


@given(TURNS, st.integers(1, 8), st.integers(0, 10_000))
def test_no_more_is_kept_than_there_is_room_for_and_all_if_it_fits(turns, boards, most):
    kept = kept_puzzles(turns, boards, most)
    pieces = turns.astype(int).sum(axis=0) * boards
    assert kept == sorted(set(kept))
    if pieces.sum() <= most:
        assert kept == list(range(turns.shape[1]))
    else:
        assert pieces[kept].sum() <= most
        left_out = set(range(turns.shape[1])) - set(kept)
        assert all(pieces[kept].sum() + pieces[puzzle] > most for puzzle in left_out)


@given(TURNS)
def test_pairs_differ_most_where_a_slow_search_says(turns):
    signed = turns.astype(int)
    lists = [
        sorted(range(turns.shape[1]), key=lambda puzzle: -abs(signed[i][puzzle] - signed[j][puzzle]))[:20]
        for i in range(len(signed))
        for j in range(i)
    ]
    assert most_different(turns) == [puzzle for rank in zip(*lists, strict=True) for puzzle in rank]


@given(TURNS)
def test_the_hardest_puzzles_come_first(turns):
    totals = turns.astype(int).sum(axis=0)[hardest_first(turns)]
    assert (np.diff(totals) <= 0).all()


def test_the_puzzle_on_which_two_differ_most_is_kept_though_it_is_not_hard():
    turns = np.full((2, 100), 9, dtype=np.uint16)
    turns[:, 70] = 1, 5
    assert 70 in kept_puzzles(turns, 1, 300)
    assert most_different(turns)[0] == 70


FIELDS = {"mean": "mean", "std": "std", "failure": "failure", "ms": "ms_per_decision", "total": "total_guesses"}


@pytest.mark.parametrize("column", FIELDS)
def test_a_number_is_sorted_by_its_value_and_not_by_its_text(board, column):
    for row in board.rows:
        cell = cell_of(row, columns_of(METRICS)[column])
        assert float(cell.value) == pytest.approx(getattr(row, FIELDS[column]), abs=0)


def test_bars_add_up_to_the_puzzles_and_say_which_failed(board, hostile_board):
    for shown in (board, hostile_board):
        for row, bars in zip(shown.rows, bars_of(shown.rows), strict=True):
            assert sum(bar.count for bar in bars) == row.games
            assert sum(bar.count for bar in bars if bar.is_failure) == row.failed
            assert all(0 <= bar.height <= 100 for bar in bars)


@st.composite
def runs(draw):
    """Draw a run of a few plays on one or two boards, of few words, so that many begin alike."""
    boards = draw(st.integers(1, 2))
    seen = st.tuples(*[st.sampled_from(["0", "1", ""])] * boards)
    made = st.lists(st.tuples(st.sampled_from(["a", "b"]), seen), max_size=4)
    plays = tuple(
        wk.Play(
            ("a",) * boards, tuple(guess for guess, _ in turns), tuple(marks for _, marks in turns), "crashed", None
        )
        for turns in draw(st.lists(made, max_size=12))
    )
    return boards, StoredRun(1, None, plays, 0, 0.0)


def unpacked(twin, replayed, replays, boards, words, feedback):
    """Return the guesses, the feedback and the words left of each play, by its place."""
    columns = [twin["varints"](column) for column in replays.columns()]
    texts, codes = list(words), list(feedback)
    return {
        place: (
            tuple(texts[turn.guess] for turn in turns),
            tuple(tuple(codes[code] for code in turn.feedback) for turn in turns),
            tuple(turn.left for turn in turns),
        )
        for place, turns in replayed(columns, boards).items()
    }


@given(runs(), st.data())
def test_every_play_that_is_kept_is_read_back_turn_by_turn(twin, replayed, drawn, data):
    boards, run = drawn
    kept = [puzzle for puzzle in range(len(run.plays)) if data.draw(st.booleans())]
    words, feedback = Numbering(), Numbering()
    read = unpacked(twin, replayed, replays_of(run, kept, words, feedback), boards, words, feedback)
    assert sorted(read) == list(range(len(kept)))
    for place, puzzle in enumerate(kept):
        assert read[place][:2] == (run.plays[puzzle].guesses, run.plays[puzzle].feedback)


@pytest.mark.parametrize(
    ("game", "puzzles", "strategy"),
    [("wordle", 30, "entropy"), ("mastermind", 30, "random-consistent"), ("quordle", 4, "entropy")],
)
def test_the_words_left_are_those_of_the_position(twin, replayed, game, puzzles, strategy):
    game = wk.load_game(game)
    (run,) = wk.tournament(game, [strategy], puzzles, workers=1).runs
    words, feedback = Numbering(), Numbering()
    replays = replays_of(run, range(puzzles), words, feedback, game)
    for place, (guesses, seen, left) in unpacked(twin, replayed, replays, game.boards, words, feedback).items():
        assert (guesses, seen) == (run.plays[place].guesses, run.plays[place].feedback)
        position = wk.Position.start(game)
        for guess, marks, counts in zip(guesses, seen, left, strict=True):
            position = position.after(guess, marks)
            assert counts == tuple(0 if board.is_solved else len(board) for board in position.boards)


def test_the_headline_names_the_best_strategy_and_how_far_it_is_from_perfect_play(own_store):
    small = wk.load_game("mini-nerdle")
    board = wk.tournament(small, ["entropy", "first-consistent"], workers=1, store=own_store)
    rows, facts = board.rows, board.runs[0].facts
    perfect = wk.optimal(small).mean
    worse = rows[-1]
    said = headline([worse], facts)
    assert all(fact in said for fact in (worse.strategy, f"{worse.mean:.3f}", f"{worse.mean - perfect:.3f}"))
    means = means_of(rows, facts)
    span = float(means.last) - float(means.first)
    assert float(means.first) + means.perfect / 100 * span == pytest.approx(perfect, abs=2e-3)
    assert [dot.name for dot in means.dots] == [row.strategy for row in rows]
    for dot, row in zip(means.dots, rows, strict=True):
        low, high = float(means.first), float(means.last)
        assert low + dot.at / 100 * (high - low) == pytest.approx(row.mean, abs=2e-3)
        assert dot.low <= dot.at <= dot.high


def test_ties_and_failures_are_in_the_headline(board):
    rows, facts = list(board.rows), board.runs[0].facts
    assert headline([rows[0], rows[0], *rows[1:]], facts).count(rows[0].strategy) == 2
    failing = next(row for row in rows if row.failed)
    assert f" {failing.failed} puzzle" in headline([failing], facts)


def test_intervals_of_a_sample_are_on_the_axis(own_store):
    board = wk.tournament("mastermind", ["entropy", "first-consistent"], 40, seed=1, workers=1, store=own_store)
    means = means_of(board.rows, board.runs[0].facts)
    assert all(dot.low < dot.at < dot.high for dot in means.dots)
    assert (min(dot.low for dot in means.dots), max(dot.high for dot in means.dots)) == (0, 100)
