"""Guesses: rankings, first guesses, and parts, compared with sums over the answers one by one."""

import math
from collections import Counter

import numpy as np
import pytest
from games import bundled
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import positions, small_games

import wordle_kit as wk
from wordle_kit.explain import explanation, first_scores, likeliest, split_figures, split_rows, split_summary, top_rows

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


@st.composite
def boards(draw):
    """Draw boards of games whose answers have whole weights, some of them 0."""
    position = draw(positions(small_games(symbols=[4], lengths=[1, 2, 3])))
    game, board = position.game, position.board
    n = len(game.answers)
    weights = draw(st.lists(st.integers(0, 5), min_size=n, max_size=n).filter(any))
    return wk.Board(game.replace(weights=weights), board.candidates, board.codes)


def chances_of(board):
    """Return the chance of each candidate by its weight, or equal ones if no candidate has a weight."""
    weights = dict(zip(board.game.answers, board.game.weights, strict=True))
    total = sum(weights[word] for word in board.words)
    return {word: weights[word] / total if total else 1 / len(board) for word in board.words}


def left_after(board, guess, answer):
    """Return the candidates that get the same feedback as this answer."""
    game = board.game
    return [word for word in board.words if game.feedback(guess, word) == game.feedback(guess, answer)]


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
    rows = top_rows(wk.Position.start(GAME), wk.load_strategy(f"{spec}(ties={ties})"), top)
    assert [row["word"] for row in rows] == by_hand
    assert [row["score"] for row in rows] == pytest.approx([score(guess) for guess in by_hand])
    assert [row["rank"] for row in rows] == list(range(1, len(by_hand) + 1))
    assert [row["answer"] for row in rows] == ["yes" if word in GAME.answers else "no" for word in by_hand]


@pytest.mark.parametrize("spec", ["entropy", "greedy-entropy", "entropy-as-printed", "rounded-entropy"])
def test_bits_are_shown_as_bits_gained_whichever_way_a_strategy_counts_them(spec):
    rows = top_rows(wk.Position.start(GAME), wk.load_strategy(spec), 99)
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
            (best,) = top_rows(wk.Position.start(game), strategy, 1)
            assert best["word"] == strategy.guess(wk.Position.start(game))


@settings(max_examples=20)
@given(board=boards(), spec=st.sampled_from(["entropy", "entropy(ties=likeliest-first)", "minimax", "expected-size"]))
def test_the_best_opener_is_the_guess_that_the_strategy_makes(board, spec):
    position, strategy = wk.Position(board.game, [board], ()), wk.load_strategy(spec)
    if len(board) > 1:
        assert top_rows(position, strategy, 1)[0]["word"] == strategy.guess(position)


def test_only_the_guesses_that_a_strategy_considers_are_ranked():
    words = [row["word"] for row in top_rows(wk.Position.start(GAME), wk.load_strategy("entropy(pool=candidates)"), 99)]
    assert sorted(words) == sorted(GAME.answers)


def test_a_strategy_that_scores_no_guesses_is_refused():
    with pytest.raises(wk.StrategyError, match="first-consistent"):
        first_scores(GAME, wk.load_strategy("first-consistent"))


# Splits


@given(board=boards(), choice=st.integers(0, 100))
def test_every_candidate_is_in_the_part_of_its_feedback_and_the_likeliest_parts_and_words_come_first(board, choice):
    game, chances = board.game, chances_of(board)
    guess = game.guesses[choice % len(game.guesses)]
    rows, by_hand = split_rows(board, guess), {}
    for word in board.words:
        by_hand.setdefault(str(game.feedback(guess, word)), set()).add(word)
    assert {row["feedback"]: set(row["words"]) for row in rows} == by_hand
    for row in rows:
        assert row["size"] == len(row["words"])
        assert row["share"] == pytest.approx(sum(chances[word] for word in row["words"]), abs=1e-12)
        assert row["bits"] == (pytest.approx(-math.log2(row["share"]), abs=1e-9) if row["share"] else None)
        assert row["tiles"] == game.read_feedback(row["feedback"]).tiles
        assert [chances[word] for word in row["words"]] == sorted((chances[w] for w in row["words"]), reverse=True)
    assert [row["share"] for row in rows] == sorted((row["share"] for row in rows), reverse=True)
    assert [chance for _, chance in likeliest(board)] == pytest.approx(sorted(chances.values(), reverse=True))


@given(board=boards(), choice=st.integers(0, 100))
def test_expected_figures_are_sums_over_the_answers_by_their_chances(board, choice):
    game, chances = board.game, chances_of(board)
    guess = game.guesses[choice % len(game.guesses)]
    size = sum(chance * len(left_after(board, guess, word)) for word, chance in chances.items())
    masses = {word: sum(chances[other] for other in left_after(board, guess, word)) for word in chances}
    bits = sum(chance * -math.log2(masses[word]) for word, chance in chances.items() if chance)
    summary = split_summary(split_rows(board, guess))
    (row,) = split_figures(wk.Position(game, [board], ()), np.array([game.guess_index[guess]], dtype=np.int32))
    assert (summary["expected_size"], summary["expected_bits"]) == pytest.approx((size, bits), abs=1e-9)
    parts = Counter(str(game.feedback(guess, word)) for word in board.words).values()
    assert (summary["candidates"], summary["parts"], summary["largest"]) == (len(board), len(parts), max(parts))
    assert row["largest part"] == max(parts)
    assert (row["expected size"], row["bits"]) == pytest.approx((size, bits), abs=1e-9)
    if game.is_weighted:
        assert row["chance"] == pytest.approx(chances.get(guess, 0))


def figures(game):
    """Return everything that is shown about the guess `abc` and about first guesses."""
    position, entropy = wk.Position.start(game), wk.load_strategy("entropy")
    guesses = np.arange(len(game.guesses), dtype=np.int32)
    shown = (split_rows(position.board, "abd"), split_figures(position, guesses))
    return *shown, top_rows(position, entropy, 5), explanation(position, entropy, "abd")


def test_equal_weights_change_nothing_that_is_shown():
    assert repr(figures(GAME.replace(weights=[3.0] * 8))) == repr(figures(GAME))


def test_if_one_answer_has_all_the_weight_no_guess_tells_anything():
    game = GAME.replace(weights=[0, 0, 1, 0, 0, 0, 0, 0])
    summary = split_summary(rows := split_rows(wk.Position.start(game).board, "abd"))
    assert (summary["expected_bits"], rows[0]["share"], rows[0]["words"][0]) == (0, 1, GAME.answers[2])
    assert summary["expected_size"] == rows[0]["size"]


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
    game = wordle.replace(answers=wordle.guesses, rule=plugins.rules["wordle-uncounted"].value)
    board = wk.Position.start(game).board
    focus = {row["feedback"]: row["size"] for row in split_rows(board, "focus")}
    assert (focus["00000"], focus["00200"]) == (2773, 124)
    assert focus["00201"] != 124
    tares = split_rows(board, "tares")
    assert (tares[0]["feedback"], tares[0]["size"], round(tares[0]["bits"], 2)) == ("00000", 858, 3.92)
    assert round(split_summary(tares)["expected_bits"], 2) == 6.19
    assert round(split_summary(split_rows(board, "focus"))["expected_bits"], 2) == 4.54
