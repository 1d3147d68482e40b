"""Guesses: rankings, first guesses, and parts, compared with plain counting."""

import math
from collections import Counter

import pytest
from games import bundled
from hypothesis import given
from hypothesis import strategies as st
from strategies import positions, small_games

import wordle_kit as wk
from wordle_kit.explain import first_scores, ranked, split_rows, split_summary

GAME = wk.load_game(
    {
        "name": "small",
        "alphabet": "abcd",
        "length": 3,
        "answers": ["abc", "acb", "bca", "cda", "dad", "add", "bbb", "cab"],
        "guesses": ["aaa", "abd", "dcb", "ccc"],
    }
)


def sizes_of(guess):
    return Counter(str(GAME.feedback(guess, answer)) for answer in GAME.answers).values()


def bits_gained(guess):
    """The bits expected to be gained by a guess."""
    missing = sum(size / len(GAME.answers) * math.log2(size) for size in sizes_of(guess))
    return math.log2(len(GAME.answers)) - missing


# Ranking


@pytest.mark.parametrize(
    ("spec", "score"),
    [
        ("expected-size", lambda guess: sum(size * size for size in sizes_of(guess)) / len(GAME.answers)),
        ("minimax", lambda guess: max(sizes_of(guess)) / len(GAME.answers)),
    ],
)
@pytest.mark.parametrize("top", [5, 99])
@pytest.mark.parametrize("ties", ["list-order", "candidates-first"])
def test_the_least_score_is_first_and_equals_stand_in_the_order_of_ties(spec, score, top, ties):
    answers = GAME.answers if ties == "candidates-first" else ()
    by_hand = sorted(GAME.guesses, key=lambda guess: (round(score(guess), 9), guess not in answers))[:top]
    rows = ranked(wk.Position.start(GAME), wk.load_strategy(f"{spec}(ties={ties})"), top)
    assert [row["word"] for row in rows] == by_hand
    assert [row["score"] for row in rows] == pytest.approx([score(guess) for guess in by_hand])
    assert [row["rank"] for row in rows] == list(range(1, len(by_hand) + 1))
    assert [row["answer"] for row in rows] == ["yes" if word in GAME.answers else "no" for word in by_hand]


@pytest.mark.parametrize("spec", ["entropy", "greedy-entropy", "entropy-as-printed", "rounded-entropy"])
def test_bits_are_shown_as_bits_gained_whichever_way_a_strategy_counts_them(spec):
    rows = ranked(wk.Position.start(GAME), wk.load_strategy(spec), 99)
    gained = [row["bits gained"] for row in rows]
    assert gained == sorted(gained, reverse=True)
    error = 0.005 if spec == "rounded-entropy" else 1e-9
    assert gained == pytest.approx([bits_gained(row["word"]) for row in rows], abs=error)


@pytest.mark.slow
def test_the_first_is_the_guess_that_the_strategy_makes():
    scoring = [
        name for name, one in wk.Plugins.load().strategies.items() if isinstance(one.value, wk.PartitionStrategy)
    ]
    for spec in [*scoring, "entropy(pool=candidates)", "minimax(ties=list-order)"]:
        strategy = wk.load_strategy(spec)
        for game in (GAME, wk.load_game("glyphs")):
            (best,) = ranked(wk.Position.start(game), strategy, 1)
            assert best["word"] == strategy.guess(wk.Position.start(game))


def test_only_the_guesses_that_a_strategy_considers_are_ranked():
    words = [row["word"] for row in ranked(wk.Position.start(GAME), wk.load_strategy("entropy(pool=candidates)"), 99)]
    assert sorted(words) == sorted(GAME.answers)


def test_a_strategy_that_scores_no_guesses_is_refused():
    with pytest.raises(wk.StrategyError, match="first-consistent"):
        first_scores(GAME, wk.load_strategy("first-consistent"))


# Splits

BOARDS = positions(small_games(symbols=[4], lengths=[1, 2, 3])).map(lambda position: position.board)


@given(board=BOARDS, choice=st.integers(0, 100))
def test_every_candidate_is_in_the_part_of_its_feedback_and_the_largest_is_first(board, choice):
    game = board.game
    guess = game.guesses[choice % len(game.guesses)]
    rows = split_rows(board, guess)
    by_hand = {}
    for word in board.words:
        by_hand.setdefault(str(game.feedback(guess, word)), []).append(word)
    assert {row["feedback"]: row["words"] for row in rows} == by_hand
    sizes = sorted(map(len, by_hand.values()), reverse=True)
    assert [row["size"] for row in rows] == sizes
    for row in rows:
        assert row["share"] == pytest.approx(len(row["words"]) / len(board))
        assert row["bits"] == pytest.approx(-math.log2(row["share"]), abs=1e-12)
        assert row["tiles"] == game.read_feedback(row["feedback"]).tiles
    n = len(board)
    assert split_summary(rows) == {
        "candidates": n,
        "parts": len(sizes),
        "largest": sizes[0],
        "expected_size": pytest.approx(sum(size * size for size in sizes) / n),
        "expected_bits": pytest.approx(sum(size / n * math.log2(n / size) for size in sizes), abs=1e-12),
    }


def test_fuzzy_leaves_more_than_half_of_the_answers_in_one_part():
    rows = split_rows(wk.Position.start(bundled("wordle")).board, "fuzzy")
    assert rows[0]["feedback"] == "00000"
    assert rows[0]["share"] > 0.5
    (pizza,) = [row for row in rows if row["feedback"] == "00220"]
    assert pizza["words"] == ["pizza"]


@pytest.mark.slow
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
