"""Rewards: each formula, computed again by hand, and what games get in sum."""

import math
import random

import pytest
from hypothesis import given, settings
from strategies import positions, small_games

import wordle_kit as wk
from wordle_kit.environments.rewards import REWARDS, Information, Potential, Step
from wordle_kit.environments.text_game import TextGame
from wordle_kit.environments.values import EXACT, values_of

TINY = wk.load_game({"name": "tiny", "alphabet": "abcd", "length": 2, "answers": "all", "max_guesses": 4})


def played(game, guesses, **arguments):
    """Return a text game after some guesses."""
    text = TextGame(game, **arguments)
    text.reset()
    for guess in guesses:
        if not text.is_over:
            text.guess(guess)
    return text


def random_games(reward, count, **arguments):
    """Yield games that were played at random until they ended."""
    dice = random.Random(3)
    text = TextGame(TINY, reward=reward, **arguments)
    for _ in range(count):
        text.reset()
        while not text.is_over:
            text.guess(dice.choice(TINY.guesses))
        yield text


def test_solved_gets_1_at_the_end_and_guesses_minus_1_each():
    answers = {"puzzles": ["cc"]}
    assert played(TINY, ["aa", "ab", "cc"], reward="solved", **answers).reward() == 1
    assert played(TINY, ["aa", "ab", "ac", "ad"], reward="solved", **answers).reward() == 0
    solved = played(TINY, ["aa", "ab", "cc"], reward="guesses", **answers)
    assert [score.reward for score in solved.scores] == [-1, -1, -1]
    assert played(TINY, ["aa", "ab", "ac", "ad"], reward="guesses", **answers).reward() == -5


@pytest.mark.parametrize("reward", REWARDS)
def test_a_game_that_is_left_gets_no_more_than_one_that_is_played_on(reward):
    dice = random.Random(5)
    text = TextGame(TINY, reward=reward, seed=4)
    for _ in range(40):
        text.reset()
        worth = [text.reward()]
        while not text.is_over:
            text.guess(dice.choice(TINY.guesses))
            worth.append(text.reward())
        assert worth[0] <= worth[-1] + 1e-9
        if reward != "potential":
            assert worth == pytest.approx(sorted(worth))


@pytest.mark.parametrize("reward", REWARDS)
def test_a_game_that_ends_by_refused_guesses_gets_what_one_that_is_left_gets(reward):
    text = played(TINY, ["ab", "aa"], puzzles=["cc"], reward=reward, most_refused=3)
    left = text.reward()
    for _ in range(3):
        text.guess("nonsense")
    assert text.is_over
    assert text.reward() == pytest.approx(left)
    assert sum(score.reward for score in text.scores) == pytest.approx(left)


def entropy_of(game, boards, guess):
    """Return the bits that a guess is expected to give on boards, given as lists of words, by the definition."""
    total = 0.0
    for words in boards:
        weights = {word: 1.0 if game.weights is None else game.weights[game.answers.index(word)] for word in words}
        if not sum(weights.values()):
            weights = dict.fromkeys(words, 1.0)
        parts = {}
        for word in words:
            code = game.feedback(guess, word).code
            parts[code] = parts.get(code, 0.0) + weights[word]
        whole = sum(parts.values())
        total -= sum(part / whole * math.log2(part / whole) for part in parts.values() if part)
    return total


@settings(max_examples=30, deadline=None)
@given(positions(small_games(lengths=(2, 3), boards=(1, 2), answers=(3, 15), guesses=(0, 8), weighted=True)))
def test_information_is_the_share_of_the_bits_of_the_best_guess(position):
    game = position.game
    boards = [board.words for board in position.open_boards]
    bits = [entropy_of(game, boards, guess) for guess in game.guesses]
    reward = Information()
    for guess in range(len(game.guesses)):
        share = reward.share(Step(position, guess, position))
        if max(bits) > 1e-9:
            assert share == pytest.approx(bits[guess] / max(bits), abs=1e-6)
        else:
            assert share == any(words == (game.guesses[guess],) for words in boards)


@settings(max_examples=30, deadline=None)
@given(positions(small_games(lengths=(2, 3), answers=(3, 15), guesses=(0, 8)), candidates=2))
def test_realised_bits_are_on_average_those_expected(position):
    game, board = position.game, position.board
    expected, realised = Information(), Information(realised=True)
    for guess in range(len(game.guesses)):
        mean = sum(
            len(part) / len(board) * realised.share(Step(position, guess, position.after(guess, [code])))
            for code, part in board.parts(guess).items()
        )
        if len(board.split(game.guesses[guess])) > 1:
            assert mean == pytest.approx(expected.share(Step(position, guess, position)), abs=1e-9)


def test_a_word_of_weight_0_that_is_hidden_after_all_gives_finite_bits():
    fields = {"name": "w", "alphabet": "ab", "length": 2, "answers": ["aa", "ab", "ba"]}
    game = wk.load_game(fields | {"weights": {"aa": 0, "ab": 1, "ba": 2}})
    for name in REWARDS:
        reward = Information(realised=True) if name == "information" else name
        text = played(game, ["ab", "aa"], puzzles=["aa"], reward=reward)
        assert math.isfinite(text.reward())


def test_potential_telescopes_in_every_game():
    values = values_of(TINY, "entropy", 2000, 300)
    start = values.mean(wk.Position.start(TINY))
    endings = set()
    for text in random_games("potential", 60):
        guesses = len(text.position.guess_ids)
        assert text.reward() == pytest.approx(start - (guesses if text.is_solved else TINY.max_guesses + 1))
        endings.add(text.is_solved)
    assert endings == {True, False}


def test_potential_is_on_average_minus_the_regret_of_the_guess():
    game, potential = wk.load_game("mini-nerdle"), Potential()
    values = potential.values(game)
    position = wk.Position.start(game)
    for guess in (0, 17, 100):
        parts = position.board.parts(guess)
        mean = sum(
            len(part) * potential.score(Step(position, guess, position.after(guess, [code]))).reward
            for code, part in parts.items()
        ) / len(position.board)
        assert mean == pytest.approx(-values.regret(position, guess).number)
        assert values.regret(position, guess).number > 0


@pytest.mark.slow
def test_regret_says_by_what_it_is_known():
    text = played("mini-nerdle", [wk.known_tree("mini-nerdle").game.answers[3]], reward="regret")
    assert text.scores[0].by == EXACT
    assert text.scores[0].reward < 0
    game = wk.load_game("jotto")
    unproved = played(game, ["crane"], puzzles=["quick"], reward=REWARDS["regret"](by="minimax", largest=20))
    assert unproved.scores[0].by == "minimax"
    shaped = played(game, ["crane"], puzzles=["quick"], reward=Potential(by="minimax", largest=20))
    assert shaped.scores[0].by == "minimax"
