"""Hard mode as data says the same as the game, for rules with marks and for others."""

import numpy as np
import pytest
from games import AvoidAbsent

import wordle_kit as wk
from wordle_kit.playing.hard_mode import hard_mode_of


class Digits(wk.Rule):
    """Say the sum of the distances of all places; hard mode is the usual one of rules without marks."""

    def n_codes(self, length):
        return 2 * length + 1

    def code(self, guess, answer):
        return sum(abs(int(g) - int(a)) for g, a in zip(guess, answer, strict=True))

    def winning_code(self, length):
        return 0

    def show(self, code, length):
        return f"off by {code}"


DIGITS = wk.Game(
    name="digits", alphabet="012", answers=["012", "210", "111"], guesses=["012", "210", "111", "000"], rule=Digits()
)

AVOID = wk.Game(
    name="avoid-absent",
    alphabet="abc",
    answers=["aab", "abc", "cab"],
    guesses=["aab", "abc", "bbb", "cab"],
    rule=AvoidAbsent(),
)


def allowed_by(demand, hard, game):
    """Return which guesses a demand of hard mode allows, as the page's script finds it."""
    if not hard.demands:
        size = -(-len(game.guesses) // 8)
        bits = "".join(f"{byte:08b}" for byte in hard.masks[demand * size : (demand + 1) * size])
        return [bit == "1" for bit in bits[: len(game.guesses)]]
    placed, counts = hard.demands[demand]
    words = [game.alphabet.split(guess) for guess in game.guesses]
    return [
        all(word[place] == symbol for place, symbol in placed)
        and all(word.count(symbol) >= count for symbol, count in counts)
        for word in words
    ]


@pytest.mark.parametrize(
    "game", ["wordle", "glyphs", "mastermind", DIGITS, AVOID], ids=["wordle", "glyphs", "pegs", "digits", "strict"]
)
def test_a_page_allows_what_the_game_and_the_referee_allow(twin, game):
    game = wk.load_game(game).replace(hard_mode=True)
    answer = game.answers[len(game.answers) // 2]
    column = game.answer_ids[answer]
    codes = game.rule.codes(game.answer_symbols[column : column + 1], game.guess_symbols, game.alphabet)[0]
    hard = hard_mode_of(game, [codes])
    demands = twin["varints"](hard.columns[0])
    for guess in range(0, len(game.guesses), max(1, len(game.guesses) // 40)):
        allowed = allowed_by(demands[guess], hard, game)
        np.testing.assert_array_equal(allowed, game.allowed_after(guess, int(codes[guess])))
        position = wk.Position.start(game).after(guess, [int(codes[guess])])
        if position.open_boards:
            assert allowed == [position.allows(word) is None for word in game.guesses]


def test_more_pairs_of_guesses_than_a_page_can_hold_are_refused():
    game = wk.load_game("bulls-and-cows").replace(hard_mode=True)
    codes = game.rule.codes(game.answer_symbols[:2], game.guess_symbols, game.alphabet)
    with pytest.raises(wk.PuzzleError, match="depends on 50,803,200 pairs of guesses; a page can hold 50,000,000"):
        hard_mode_of(game, list(codes))
