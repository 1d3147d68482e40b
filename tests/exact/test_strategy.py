"""The strategy `optimal`: it plays the proved tree, or searches a small game first."""

import pytest
from wordle_kit_plugins.exact import strategy

import wordle_kit as wk


@pytest.mark.parametrize(("name", "total"), [("mastermind", 5625), ("glyphs", 2178)])
def test_it_plays_the_proved_tree(name, total):
    assert sum(play.turns for play in wk.play("optimal", name)) == total


def test_off_the_tree_the_base_guesses():
    game = wk.load_game("glyphs")
    position = wk.Position.start(game).after("akak", game.feedback("akak", game.answers[7]))
    for base in ("rollout", "minimax"):
        strategy = wk.load_strategy(f"optimal(base={base})")
        assert strategy.guess(position) == wk.load_strategy(base).guess(position)


def test_a_game_of_few_answers_is_searched_before_it_is_played():
    wordle = wk.load_game("wordle")
    game = wordle.replace(answers=wordle.answers[:60], guesses=wordle.answers[:300], name="sixty")
    least = wk.optimal(game)
    assert least.is_proved
    board = wk.tournament(game, ["optimal", "minimax"], deadline=60, workers=1)
    totals = {row.strategy: row.total_guesses for row in board.rows}
    assert totals["optimal"] == least.total < totals["minimax"]


def test_without_a_known_tree_it_does_not_play():
    for name in ("dordle", "primel"):
        assert name in wk.load_strategy("optimal").problem_with(wk.load_game(name))


def test_a_tree_is_searched_before_the_first_guess_and_within_a_number_of_sets(monkeypatch):
    wordle = wk.load_game("wordle")
    game = wordle.replace(answers=wordle.answers[100:160], guesses=wordle.answers[:300], name="other-sixty")
    wk.load_strategy("optimal").prepare(game)
    monkeypatch.setattr(wk, "optimal", None)  # it would fail if anything were searched now
    assert wk.load_strategy("optimal").problem_with(game) is None
    monkeypatch.undo()
    monkeypatch.setattr(strategy, "MOST_SCORED", 0)
    other = game.replace(answers=wordle.answers[:300], name="300")
    assert "no proved tree" in wk.load_strategy("optimal").problem_with(other)


@pytest.mark.parametrize("hard", [[], ["--hard"]])
def test_the_header_of_a_tree_names_its_game(run, tmp_path, hard):
    tree = tmp_path / "tree.txt"
    assert run("optimal", "-g", "mini-nerdle", *hard, "--workers", "1", "-o", tree).code == 0
    assert "206 answers of mini-nerdle" in run("check", tree).out
    assert run("check", tree, "-g", "mastermind").code == 2
