"""How a guess splits the remaining words, and where symbols stand in them, compared with counting by hand."""

import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import positions, small_games

import wordle_kit as wk
from wordle_kit.analysis.splits import BAR, bar, letter_rows, split_rows, split_summary

often = settings(deadline=None, max_examples=100)


BOARDS = positions(small_games(symbols=[4], lengths=[1, 2, 3])).map(lambda position: position.board)


@pytest.fixture(scope="module")
def wordle():
    """Return Wordle with the lists of 2021."""
    return wk.load_game("wordle")


# Splits


@often
@given(board=BOARDS, choice=st.integers(0, 100))
def test_every_candidate_is_in_the_part_of_its_feedback(board, choice):
    game = board.game
    guess = game.guesses[choice % len(game.guesses)]
    parts = {row["feedback"]: row["words"] for row in split_rows(board, guess)}
    by_hand = {}
    for word in board.words:
        by_hand.setdefault(str(game.feedback(guess, word)), []).append(word)
    assert parts == by_hand


@often
@given(board=BOARDS, choice=st.integers(0, 100))
def test_a_part_has_its_size_share_bits_and_tiles_and_the_largest_is_first(board, choice):
    rows = split_rows(board, board.game.guesses[choice % len(board.game.guesses)])
    assert [row["size"] for row in rows] == sorted((len(row["words"]) for row in rows), reverse=True)
    for row in rows:
        assert row["share"] == pytest.approx(len(row["words"]) / len(board))
        assert row["bits"] == pytest.approx(-math.log2(row["share"]), abs=1e-12)
        assert row["tiles"] == board.game.read_feedback(row["feedback"]).tiles


@often
@given(board=BOARDS, choice=st.integers(0, 100))
def test_the_summary_has_the_totals_of_the_parts(board, choice):
    guess = board.game.guesses[choice % len(board.game.guesses)]
    sizes = Counter(str(board.game.feedback(guess, word)) for word in board.words).values()
    n = len(board)
    assert split_summary(split_rows(board, guess)) == {
        "candidates": n,
        "parts": len(sizes),
        "largest": max(sizes),
        "expected_size": pytest.approx(sum(size * size for size in sizes) / n),
        "expected_bits": pytest.approx(sum(size / n * math.log2(n / size) for size in sizes), abs=1e-12),
    }


def test_all_grey_is_the_largest_part_of_soare_not_the_second(wordle):
    rows = split_rows(wk.Position.start(wordle).board, "soare")
    assert (rows[0]["feedback"], rows[0]["size"]) == ("00000", 183)
    assert rows[1]["size"] < 183


def test_fuzzy_leaves_more_than_half_of_the_answers_in_one_part(wordle):
    rows = split_rows(wk.Position.start(wordle).board, "fuzzy")
    assert rows[0]["feedback"] == "00000"
    assert rows[0]["share"] > 0.5
    (pizza,) = [row for row in rows if row["feedback"] == "00220"]
    assert pizza["words"] == ["pizza"]


def test_the_parts_of_focus_and_tares_among_all_words_are_known():
    """Shkodi et al. print 2,773 and 858 of 12,972 for all grey, and 124 for what they call C green and S yellow."""
    plugins = wk.Plugins.load()
    wordle = wk.load_game("wordle", plugins)
    words = [wordle.alphabet.split(word) for word in wordle.guesses]
    game = wordle.replace(answers=words, rule=plugins.rules["wordle-uncounted"].value)
    board = wk.Position.start(game).board
    focus = {row["feedback"]: row["size"] for row in split_rows(board, "focus")}
    assert (focus["00000"], focus["00200"]) == (2773, 124)
    assert focus["00201"] != 124
    tares = split_rows(board, "tares")
    assert (tares[0]["feedback"], tares[0]["size"], round(tares[0]["bits"], 2)) == ("00000", 858, 3.92)
    assert round(split_summary(tares)["expected_bits"], 2) == 6.19
    assert round(split_summary(split_rows(board, "focus"))["expected_bits"], 2) == 4.54


# Bars


@given(share=st.floats(0.001, 1), longest=st.floats(0.001, 1))
def test_a_bar_is_as_long_as_its_share_to_an_eighth_of_a_character(share, longest):
    share, longest = min(share, longest), max(share, longest)
    drawn = bar(share, longest)
    eighths = sum({"▏": 1, "▎": 2, "▍": 3, "▌": 4, "▋": 5, "▊": 6, "▉": 7, "█": 8}[sign] for sign in drawn)
    assert abs(eighths - 8 * BAR * share / longest) <= 0.5 + 1e-9
    assert bar(longest, longest) == "█" * BAR


# Letters


@often
@given(board=BOARDS)
def test_symbols_are_counted_at_each_place_at_all_places_and_in_words(board):
    rows = {row["symbol"]: row for row in letter_rows(board)}
    assert list(rows) == list(board.game.alphabet.symbols)
    for place in range(board.game.length):
        counts = Counter(word[place] for word in board.words)
        assert {symbol: row[str(place + 1)] for symbol, row in rows.items()} == {
            symbol: counts[symbol] for symbol in rows
        }
    everywhere = Counter("".join(board.words))
    assert {symbol: row["all"] for symbol, row in rows.items()} == {symbol: everywhere[symbol] for symbol in rows}
    within = Counter(symbol for word in board.words for symbol in set(word))
    assert {symbol: row["words"] for symbol, row in rows.items()} == {symbol: within[symbol] for symbol in rows}


@pytest.mark.parametrize(
    ("symbol", "places"),
    [
        ("a", [141, 304, 307, 163, 64]),
        ("e", [72, 242, 177, 318, 424]),
        ("j", [20, 2, 3, 2, 0]),
        ("s", [366, 16, 80, 171, 36]),
        ("z", [3, 2, 11, 20, 4]),
    ],
)
def test_letters_stand_where_sengupta_counted_them(wordle, symbol, places):
    (row,) = [row for row in letter_rows(wk.Position.start(wordle).board) if row["symbol"] == symbol]
    assert [row[str(place)] for place in range(1, 6)] == places
    assert row["all"] == sum(places)
