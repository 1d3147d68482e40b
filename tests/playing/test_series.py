"""Puzzles for people: a series repeats no word, and a seed repeats the series."""

import pytest
from games import bundled

import wordle_kit as wk
from wordle_kit.playing.series import draw_series

LIKELY = wk.load_game(
    {"name": "likely", "alphabet": "ab", "length": 2, "answers": "all", "weights": {"aa": 97, "bb": 0}}
)
MASTERMIND = bundled("mastermind")


@pytest.mark.parametrize("seed", range(20))
def test_a_likely_word_comes_only_once(seed):
    words = [LIKELY.answers[answer] for (answer,) in draw_series(LIKELY, 3, seed).ids]
    assert sorted(words) == ["aa", "ab", "ba"]
    assert draw_series(LIKELY, 3, seed).ids == draw_series(LIKELY, 3, seed).ids


def test_a_series_without_repeats_is_not_a_random_sample():
    assert not draw_series(LIKELY, 3, 0).is_sample
    assert draw_series(MASTERMIND, 9, 4).is_sample


def test_likely_words_come_first_most_often():
    first = [draw_series(LIKELY, 1, seed).words(0) for seed in range(50)]
    assert first.count(("aa",)) > 40


def test_a_series_cannot_be_longer_than_the_list_of_possible_answers():
    with pytest.raises(wk.PuzzleError, match="likely has 3 answers with a weight above 0; draw at most that many"):
        draw_series(LIKELY, 4, 0)


def test_without_weights_a_series_has_the_puzzles_of_a_tournament():
    assert draw_series(MASTERMIND, 9, 4).ids == wk.load_puzzles(MASTERMIND, 9, 4).ids
