"""The puzzles of days: the same for everyone, and none comes again before all have been used."""

from datetime import date, timedelta

import pytest
from games import bundled
from wordle_kit_plugins.playing.daily import daily_puzzles

import wordle_kit as wk

LIKELY = wk.load_game(
    {"name": "likely", "alphabet": "ab", "length": 2, "answers": "all", "weights": {"aa": 97, "bb": 0}}
)
FIRST = date(2026, 11, 23)


def test_each_day_has_its_own_puzzle_and_none_comes_again_before_all_have():
    game = bundled("mastermind")
    days = daily_puzzles(game, FIRST, len(game.answers)).ids
    assert len({*days}) == len(game.answers)
    assert daily_puzzles(game.replace(hard_mode=True), FIRST + timedelta(1)).ids == days[1:2]
    octordle = daily_puzzles(wk.load_game("octordle"), FIRST, 2)
    assert len({*octordle.ids[0], *octordle.ids[1]}) == 16


def test_a_daily_puzzle_is_the_same_on_every_machine():
    assert daily_puzzles(wk.load_game("wordle"), FIRST).ids == ((109,),)


def test_days_with_weights_draw_by_weight():
    words = [word for (word,) in map(daily_puzzles(LIKELY, FIRST, 200).words, range(200))]
    assert words.count("aa") > 160
    assert "bb" not in words


def test_two_boards_of_a_day_never_hide_one_word():
    assert all(len({*answers}) == 2 for answers in daily_puzzles(LIKELY.replace(boards=2), FIRST, 60).ids)
    with pytest.raises(wk.PuzzleError, match="4 boards"):
        daily_puzzles(LIKELY.replace(boards=4), FIRST)
