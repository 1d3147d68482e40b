"""Submissions that make the same decisions are found; those that differ in several are not."""

import wordle_kit as wk
from wordle_kit.classroom.lookalikes import lookalikes
from wordle_kit.leaderboard.metrics import Positions


def test_a_few_different_decisions_are_alike_and_many_are_not():
    game = wk.load_game("mastermind")
    positions = Positions()
    decisions = positions.decisions(wk.play("first-consistent", game, 60))
    few = decisions | dict.fromkeys(list(decisions)[-3:], "6666")
    many = decisions | dict.fromkeys(list(decisions)[-4:], "6666")
    other = positions.decisions(wk.play("minimax", game, 60))
    pairs = lookalikes({"a": decisions, "b": few, "c": many, "d": other}, [])
    assert [(pair.first, pair.second, pair.different) for pair in pairs] == [("a", "b", 3), ("b", "c", 1)]
    assert lookalikes({"a": decisions, "b": few}, [decisions]) == []
