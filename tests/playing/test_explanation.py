"""Why a strategy chose a guess."""

import re

from games import bundled

import wordle_kit as wk
from wordle_kit.playing.explanation import explanation

WORDLE = bundled("wordle")
TINY = wk.load_game({"name": "tiny", "alphabet": "abc", "length": 3, "answers": "all"})


def test_an_explanation_has_the_score_the_runner_up_and_the_parts():
    choice, parts = explanation(wk.Position.start(WORDLE), wk.load_strategy("entropy"), "soare")
    assert choice == "bits gained 5.886, the best of 12,972; runner-up roate with 5.883"
    assert parts == "splits 2,315 words into 127 parts of at most 183, 62.30 expected: 5.886 bits"


def test_a_guess_not_chosen_by_score_has_another_explanation():
    start, opened = wk.Position.start(WORDLE), wk.load_strategy("entropy(opener=crate)")
    assert explanation(start, opened, "crate")[0] == "the opener that entropy(opener=crate) was given"
    assert explanation(start, wk.load_strategy("first-consistent"), "aback")[0].endswith("does not score guesses")
    rank = explanation(start, wk.load_strategy("entropy"), "raise")[0]
    assert re.fullmatch(r"bits gained 5\.878, rank 3 of 12,972; the best is soare with 5\.886", rank)


def test_items_are_called_items():
    elements = wk.load_game("elements")
    entropy = wk.load_strategy("entropy")
    assert "splits 118 items into" in explanation(wk.Position.start(elements), entropy, "ruthenium")[1]


def test_the_only_word_left_needs_no_score():
    position = wk.Position.start(TINY).after("aaa", "200").after("bcb", "020").after("abb", "200")
    assert position.board.words == ("acc",)
    choice, parts = explanation(position, wk.load_strategy("entropy"), "acc")
    assert (choice, parts) == ("the only word left", "nothing is left to tell apart")


def test_scores_on_equal_boards_are_added_up_like_those_on_different_ones():
    two = WORDLE.replace(boards=2)
    one = explanation(wk.Position.start(WORDLE), wk.load_strategy("entropy"), "soare")
    both = explanation(wk.Position.start(two), wk.load_strategy("entropy"), "soare")
    assert (one[0][:17], both[0][:18]) == ("bits gained 5.886", "bits gained 11.772")
    assert both[1].endswith("11.772 bits")
