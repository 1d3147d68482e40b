"""Help for players: suggestions and their reasons, and feedback typed from elsewhere."""

import math
import re

import pytest
from games import bundled
from wordle_kit_plugins.playing.assistance import advice, after_typed, review

import wordle_kit as wk
from wordle_kit.explain import explanation
from wordle_kit.strategy.moves import after_move
from wordle_kit.tournaments.entrants import enter

WORDLE = bundled("wordle")
DORDLE = bundled("dordle")


def position_after(game, moves):
    """Return the position after moves such as crane=01100."""
    position = wk.Position.start(game)
    for move in moves:
        position = after_move(position, move)
    return position


def entrant(strategy, game=WORDLE):
    """Return a strategy as an entrant of a game."""
    return enter([strategy], game)[0][0]


def test_suggestions_show_the_expected_number_of_remaining_words():
    position = position_after(WORDLE, ["crane=01100"])
    rows = advice(position, entrant("entropy"), 4).rows
    assert [row["word"] for row in rows] == ["lorry", "rorty", "parol", "porty"]
    for row in rows:
        sizes = [len(words) for words in position.board.split(row["word"]).values()]
        assert row["largest part"] == max(sizes)
        assert row["expected size"] == pytest.approx(sum(size * size for size in sizes) / 65)
        assert row["bits"] == pytest.approx(-sum(size / 65 * math.log2(size / 65) for size in sizes))
        assert row["answer"] == ("yes" if row["word"] in position.board.words else "no")


@pytest.mark.parametrize(
    "spec", ["entropy", "minimax(ties=list-order)", "entropy(pool=candidates)", "first-consistent"]
)
@pytest.mark.parametrize(("game", "moves"), [(WORDLE, ["crane=01100"]), (DORDLE, ["crane=01100/00010"])])
def test_the_first_suggestion_is_the_guess_that_the_strategy_makes(game, moves, spec):
    position = position_after(game, moves)
    rows = advice(position, entrant(spec, game), 3).rows
    assert rows[0]["word"] == wk.load_strategy(spec).guess(position)
    assert len(rows) == (1 if spec == "first-consistent" else 3)
    assert len({row["word"] for row in rows}) == len(rows)


def test_figures_of_several_boards_are_added_up():
    position = position_after(DORDLE, ["crane=01100/00010"])
    (row,) = advice(position, entrant("entropy"), 1).rows
    parts = [[len(words) for words in board.split(row["word"]).values()] for board in position.boards]
    assert row["largest part"] == sum(map(max, parts))
    assert row["expected size"] == pytest.approx(sum(sum(n * n for n in sizes) / sum(sizes) for sizes in parts))


def test_where_one_word_is_left_on_each_board_nothing_else_is_suggested():
    one = position_after(WORDLE, ["crane=01100", "stair=01122"])
    assert [row["word"] for row in advice(one, entrant("entropy"), 5).rows] == ["tapir"]
    two = wk.Position.start(DORDLE)
    for guess in ("crane", "stair"):
        two = two.after(guess, [DORDLE.feedback(guess, hidden) for hidden in ("tapir", "agent")])
    assert [len(board) for board in two.boards] == [1, 1]
    words = [row["word"] for row in advice(two, entrant("entropy"), 5).rows]
    assert sorted(words) == ["agent", "tapir"]


def test_in_hard_mode_only_guesses_that_are_allowed_are_suggested():
    position = position_after(WORDLE.replace(hard_mode=True), ["crane=01100"])
    rows = advice(position, entrant("entropy"), 20).rows
    assert all(position.problem_with(row["word"]) is None for row in rows)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (lambda self, position: 1 / 0, "ZeroDivisionError"),
        (lambda self, position: "zzzzz", "'zzzzz'"),
    ],
)
def test_a_strategy_without_a_guess_is_named(body, problem):
    broken = type("Broken", (wk.Strategy,), {"__doc__": "Fail.", "guess": body})()
    with pytest.raises(wk.StrategyError, match=problem):
        advice(wk.Position.start(WORDLE), entrant(broken), 3)


TINY = wk.load_game({"name": "tiny", "alphabet": "abc", "length": 3, "answers": "all"})


def test_an_explanation_has_the_score_the_runner_up_and_the_parts():
    choice, parts = explanation(wk.Position.start(WORDLE), wk.load_strategy("entropy"), "soare")
    assert re.search(r"5\.886.*12,972.*roate.*5\.883", choice)
    assert re.search(r"2,315.*127.*183.*62\.30.*5\.886", parts)


def test_a_guess_not_chosen_by_score_has_another_explanation():
    start, opened = wk.Position.start(WORDLE), wk.load_strategy("entropy(opener=crate)")
    assert opened.spec in explanation(start, opened, "crate")[0]
    assert not re.search(r"\d", explanation(start, wk.load_strategy("first-consistent"), "aback")[0])
    assert re.search(r"5\.878.* 3 of.*soare.*5\.886", explanation(start, wk.load_strategy("entropy"), "raise")[0])


def test_the_only_word_left_needs_no_score():
    position = wk.Position.start(TINY).after("aaa", "200").after("bcb", "020").after("abb", "200")
    assert position.board.words == ("acc",)
    assert not re.search(r"\d", "".join(explanation(position, wk.load_strategy("entropy"), "acc")))


def test_scores_on_equal_boards_are_added_up_like_those_on_different_ones():
    two = WORDLE.replace(boards=2)
    one = explanation(wk.Position.start(WORDLE), wk.load_strategy("entropy"), "soare")
    both = explanation(wk.Position.start(two), wk.load_strategy("entropy"), "soare")
    assert "5.886" in one[0]
    assert "11.772" in both[0]
    assert "11.772" in both[1]


def test_feedback_that_fits_no_word_is_named():
    with pytest.raises(wk.GameError, match=r"65.*stair got 02222"):
        position_after(WORDLE, ["crane 01100", "stair 02222"])


# Moves


@pytest.mark.parametrize(
    ("game", "moves", "named"),
    [
        (WORDLE, ["crane"], "crane"),
        (WORDLE, ["crane 0110"], "'0110'"),
        (WORDLE, ["qqqqq 00000"], "'qqqqq'"),
        (WORDLE, ["crane 22222", "crate 00000"], "solved"),
        (WORDLE.replace(hard_mode=True), ["crane 20000", "moist 00000"], "moist"),
        (DORDLE, ["crane 22222/-"], "'-'"),
    ],
)
def test_an_impossible_move_is_refused(game, moves, named):
    with pytest.raises(wk.GameError, match=named):
        position_after(game, moves)


def test_a_guess_that_is_not_listed_is_used_with_a_remark():
    start = wk.Position.start(WORDLE)
    listed, _ = after_typed(start, "crane=01100")
    position, remark = after_typed(listed, "arrrg=11000")
    assert "'arrrg'" in remark
    fits = [word for word in listed.board.words if str(WORDLE.feedback("arrrg", word)) == "11000"]
    assert position.board.words == tuple(fits)
    assert position.guesses == ("crane", "arrrg")
    again, _ = after_typed(position, "stair=01122")
    assert advice(again, entrant("entropy"), 1).rows[0]["word"] == "tapir"
    with pytest.raises(wk.GameError, match="no word fits"):
        after_typed(start, "arrrg=22222")


@pytest.mark.parametrize(("spec", "first"), [("entropy", "highest"), ("expected-size", "lowest")])
def test_suggestions_are_in_the_order_of_the_score_that_is_shown(spec, first):
    found = advice(position_after(WORDLE, ["crane=01100"]), entrant(spec), 10)
    scores = [row[found.score] for row in found.rows]
    assert scores == sorted(scores, reverse=first == "highest")
    assert first in found.notes[0]


def test_a_choice_that_the_score_does_not_explain_has_a_reason():
    found = advice(wk.Position.start(WORDLE), entrant("entropy(opener=crate)"), 3)
    assert [row["word"] for row in found.rows] == ["crate", "soare", "roate"]
    assert "crate" in found.notes[1]
    assert "opener" in found.notes[1]


def test_a_review_has_what_a_strategy_would_have_guessed():
    positions = [position_after(WORDLE, moves) for moves in ([], ["crane=21100"], ["crane=21100", "cigar=22222"])]
    rows = [line.split() for line in review(positions, entrant("entropy")).splitlines()]
    assert rows[2][:2] + rows[2][-1:] == ["crane", "2315", "soare"]
    assert (rows[3][0], rows[3][2]) == ("cigar", "0")
