"""The guesses that a strategy suggests, with what each is expected to leave."""

import math

import pytest
from games import bundled

import wordle_kit as wk
from wordle_kit.playing.suggestions import suggestions
from wordle_kit.strategy.moves import Assistance
from wordle_kit.tournaments.entrants import enter

WORDLE = bundled("wordle")
DORDLE = bundled("dordle")


def position_after(game, moves):
    """Return the position after moves such as crane=01100."""
    state = Assistance.start(game)
    for move in moves:
        state = state.add(move)
    return state.position


def entrant(strategy, game=WORDLE):
    """Return a strategy as an entrant of a game."""
    return enter([strategy], game)[0][0]


def test_suggestions_show_the_expected_number_of_remaining_words():
    position = position_after(WORDLE, ["crane=01100"])
    rows = suggestions(position, entrant("entropy"), 4, 10.0)
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
    rows = suggestions(position, entrant(spec, game), 3, 10.0)
    assert rows[0]["word"] == wk.load_strategy(spec).guess(position)
    assert len(rows) == (1 if spec == "first-consistent" else 3)
    assert len({row["word"] for row in rows}) == len(rows)


def test_figures_of_several_boards_are_added_up():
    position = position_after(DORDLE, ["crane=01100/00010"])
    (row,) = suggestions(position, entrant("entropy"), 1, 10.0)
    parts = [[len(words) for words in board.split(row["word"]).values()] for board in position.boards]
    assert row["largest part"] == sum(map(max, parts))
    assert row["expected size"] == pytest.approx(sum(sum(n * n for n in sizes) / sum(sizes) for sizes in parts))


def test_where_one_word_is_left_on_each_board_nothing_else_is_suggested():
    one = position_after(WORDLE, ["crane=01100", "stair=01122"])
    assert [row["word"] for row in suggestions(one, entrant("entropy"), 5, 10.0)] == ["tapir"]
    two = wk.Position.start(DORDLE)
    for guess in ("crane", "stair"):
        two = two.after(guess, [DORDLE.feedback(guess, hidden) for hidden in ("tapir", "agent")])
    assert [len(board) for board in two.boards] == [1, 1]
    words = [row["word"] for row in suggestions(two, entrant("entropy"), 5, 10.0)]
    assert sorted(words) == ["agent", "tapir"]


def test_in_hard_mode_only_guesses_that_are_allowed_are_suggested():
    position = position_after(WORDLE.replace(hard_mode=True), ["crane=01100"])
    rows = suggestions(position, entrant("entropy"), 20, 10.0)
    assert all(position.allows(row["word"]) is None for row in rows)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (lambda self, position: 1 / 0, "has no guess: crashed: ZeroDivisionError"),
        (lambda self, position: "zzzzz", "has no guess: illegal guess: 'zzzzz' is not among the guesses"),
    ],
)
def test_a_strategy_without_a_guess_is_named(body, problem):
    broken = type("Broken", (wk.Strategy,), {"__doc__": "Fail.", "guess": body})()
    with pytest.raises(wk.StrategyError, match=problem):
        suggestions(wk.Position.start(WORDLE), entrant(broken), 3, 10.0)
