"""The bundled games that are not lists of English words: what may be hidden, and published figures of play."""

import itertools
import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
from wordle_kit_data import FOLDER
from wordle_kit_data.derive_words import equations, expressions, value_of, without_anagrams
from wordle_kit_plugins.partition import Entropy, ExpectedSize, Minimax

import wordle_kit as wk

ROOT = Path(__file__).parents[2]
LEADERBOARDS = ROOT / "leaderboard"


def published(game):
    """The rows of a published leaderboard, by strategy."""
    board = json.loads((LEADERBOARDS / f"{game}.json").read_text(encoding="utf-8"))
    return {row["strategy"]: row for row in board["rows"]}


def value_by_python(expression):
    """The value of an expression, by Python's own rules of precedence."""
    return eval(re.sub(r"(\d+)", r"Fraction(\1)", expression), {"Fraction": Fraction})


def test_expressions_are_all_texts_of_positive_numbers_with_operators_between_them():
    texts = map("".join, itertools.product("01259+-*/", repeat=5))
    by_hand = {text for text in texts if re.fullmatch(r"[1-9]\d*([-+*/][1-9]\d*)+", text)}
    assert {text for text in expressions(5) if set(text) <= set("01259+-*/")} == by_hand


@pytest.mark.parametrize("expression", ["1+2*3", "8-2-3", "8/2/2", "1/2*4", "7*8/3-1", "2-3*4/5+66/7", "5", "10/4*2"])
def test_expressions_have_the_values_of_arithmetic(expression):
    assert value_of(expression) == value_by_python(expression)


def test_mini_nerdle_has_the_206_equations_of_six_characters():
    assert [*wk.load_game("mini-nerdle").answers] == sorted(
        equations(6), key=lambda text: ["0123456789+-*/=".index(character) for character in text]
    )
    assert len(equations(6)) == 206


def test_nerdle_has_all_17723_equations_that_its_authors_count():
    """They differ, each is true and of the right form, and there are as many as the game's own page says."""
    answers = (FOLDER / "words" / "nerdle-answers.txt").read_text(encoding="ascii").split()
    assert len(set(answers)) == 17_723
    for left, right in (answer.split("=") for answer in answers):
        assert re.fullmatch(r"[1-9]\d*([-+*/][1-9]\d*)+", left)
        assert value_of(left) == int(right)
        assert right == str(int(right))


@pytest.mark.slow
@pytest.mark.parametrize(("objective", "worst", "total"), [("mean", 4, 544), ("worst", 3, 545)])
def test_mini_nerdle_takes_544_guesses_or_545_if_none_takes_more_than_three(objective, worst, total):
    solution = wk.optimal("mini-nerdle", objective=objective)
    assert (solution.total, solution.worst, solution.is_proved) == (total, worst, True)


def test_primel_has_every_prime_number_of_five_digits():
    numbers = [*map(int, wk.load_game("primel").answers)]
    assert len(numbers) == 8363
    by_trial = [n for n in range(10_000, 11_000) if all(n % divisor for divisor in range(2, 105))]
    assert [n for n in numbers if n < 11_000] == by_trial
    assert all(n % divisor for n in numbers for divisor in (2, 3, 5, 7, 11, 13))
    assert numbers[-1] == 99_991


PRIMEL = [("entropy", "12953", 29_071), ("most-parts", "74381", 29_077)]
PRIMEL += [("expected-size", "17923", 29_892), ("minimax", "32971", 30_304)]


@pytest.mark.parametrize(("strategy", "opener", "total"), PRIMEL)
def test_the_leaderboard_of_primel_has_the_figures_that_are_known(strategy, opener, total):
    row = published("primel")[strategy]
    assert (row["opener"], row["total_guesses"]) == (opener, total)


@pytest.mark.slow
@pytest.mark.parametrize(("strategy", "opener", "total"), PRIMEL[:1])
def test_primel_takes_entropy_29071_guesses(strategy, opener, total):
    (row,) = wk.tournament("primel", [strategy], workers=1).rows
    assert (row.opener, row.total_guesses) == (opener, total)


def test_jotto_has_a_word_of_each_set_of_anagrams_and_no_repeated_letters():
    game = wk.load_game("jotto")
    assert len(game.answers) == len({frozenset(word) for word in game.answers}) == 1391
    assert all(len(set(word)) == 5 for word in game.answers)
    assert without_anagrams(["ether", "earth", "bread", "heart", "beard"]) == ["beard", "heart"]


class AsNorvig:
    """Play by the rules of Norvig's Jotto.ipynb: only candidates if there are at most 3 or more than 125."""

    def considered(self, position):
        """Return all guesses with 4 to 125 candidates, otherwise the candidates."""
        return None if 3 < len(position.board) <= 125 else position.board.candidate_guesses


class NorvigMax(AsNorvig, Minimax):
    """The least maximum."""


class NorvigExpectation(AsNorvig, ExpectedSize):
    """The least expectation."""


class NorvigEntropy(AsNorvig, Entropy):
    """The least negative entropy."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "opener", "mean"),
    [(NorvigMax, "drape", "6.38"), (NorvigExpectation, "south", "6.13"), (NorvigEntropy, "stare", "6.18")],
)
def test_jotto_takes_the_guesses_that_norvig_reports(kind, opener, mean):
    """Norvig, pytudes, Jotto.ipynb: the means and maxima where inconsistent guesses are allowed."""
    (row,) = wk.tournament("jotto", [kind(ties="list-order")], workers=1).rows
    assert (row.opener, f"{row.mean:.2f}", row.max) == (opener, mean, 9)


def test_every_bundled_strategy_fails_in_nearly_half_of_the_chants():
    shares = {strategy: row["failed"] / row["games"] for strategy, row in published("chants").items()}
    assert min(shares.values()) == shares["most-parts"] == pytest.approx(0.4676, abs=1e-4)
    assert shares["entropy"] == shares["lookahead"] == shares["rollout"] == pytest.approx(0.5787, abs=1e-4)


def test_a_chant_tells_more_than_a_refrain_but_only_a_refrain_settles_a_syllable():
    game = wk.load_game("chants")
    start = wk.Position.start(game).board
    chant, refrain = (start.parts(game.guess_index[guess]) for guess in ("badargas", "pyiuoa"))
    assert (len(chant), len(refrain)) == (64, 12)
    assert max(map(len, chant.values())) == 125  # five endings of each syllable, whose beginnings are known
    assert {len(part) for part in refrain.values()} == {144}
    for part in refrain.values():
        assert len({game.word(game.answers[answer])[:2] for answer in part}) == 1


@pytest.mark.slow
def test_settling_places_solves_chants_in_four_guesses_as_perfect_play_does():
    plugins = wk.Plugins.load([ROOT / "examples" / "settle_places.py"])
    (row,) = wk.tournament("chants", ["settle-places"], 50, seed=1, workers=1, plugins=plugins).rows
    assert (row.mean, row.max) == (4, 4)
    solution = wk.optimal("chants", objective="worst")
    assert (solution.worst, solution.total, solution.is_proved) == (4, 4 * 1728, True)
