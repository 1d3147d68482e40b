"""PositionValues of positions: compared with brute force, with proved trees, and with the plays of strategies."""

from functools import cache

import pytest
from hypothesis import given, settings
from strategies import small_games
from wordle_kit_plugins.environments.values import EXACT, PositionValues, values_of

import wordle_kit as wk

ENTROPY = wk.load_strategy("entropy")


def brute_force(game):
    """Return a function that finds the least total of guesses for some answers, in the slow and readable way."""
    weights = {word: 1.0 if game.weights is None else game.weights[i] for i, word in enumerate(game.answers)}
    seen = cache(lambda guess, answer: game.feedback(guess, answer).code)

    def parts_of(words, guess):
        parts = {}
        for word in words:
            if word != guess:
                parts.setdefault(seen(guess, word), []).append(word)
        return [tuple(part) for part in parts.values() if sum(map(weights.get, part))]

    def after(words, guess):
        parts = parts_of(words, guess)
        if parts == [words]:
            return None
        return sum(map(weights.get, words)) + sum(map(least, parts))

    @cache
    def least(words):
        if len(words) == 1:
            return weights[words[0]]
        return min(total for total in (after(words, guess) for guess in game.guesses) if total is not None)

    def regret(words, guess):
        mass = sum(map(weights.get, words))
        return (mass + sum(map(least, parts_of(words, guess))) - least(words)) / mass

    return regret


@settings(max_examples=25, deadline=None)
@given(small_games(symbols=(2, 4), lengths=(2, 3), answers=(1, 9), guesses=(0, 6)))
def test_regret_is_that_of_brute_force_for_every_guess(game):
    regret, values = brute_force(game), PositionValues(game, ENTROPY, 10**6, 300)
    start = wk.Position.start(game)
    for guess, word in enumerate(game.guesses):
        found = values.regret(start, guess)
        assert found.is_exact
        assert found.number == pytest.approx(regret(game.answers, word), abs=1e-12)
        assert 0 <= found.number <= 1


@settings(max_examples=25, deadline=None)
@given(small_games(symbols=(2, 4), lengths=(2, 3), answers=(2, 8), guesses=(0, 5), weighted=True))
def test_regret_counts_answers_with_their_weights(game):
    regret, values = brute_force(game), PositionValues(game, ENTROPY, 10**6, 300)
    start = wk.Position.start(game)
    for guess, word in enumerate(game.guesses):
        found = values.regret(start, guess)
        assert found.number == pytest.approx(regret(game.answers, word), abs=1e-7)
    assert min(values.regret(start, guess).number for guess in range(len(game.guesses))) == 0


def positions_of(tree):
    """Yield each position of a tree, with the tree's guess there."""
    waiting = [(tree.position, tree.root)]
    while waiting:
        position, node = waiting.pop()
        yield position, node.guess
        for code, child in node.children.items():
            waiting.append((position.after(node.guess, [code]), child))


@pytest.mark.parametrize("name", ["mini-nerdle", "mastermind", pytest.param("wordle", marks=pytest.mark.slow)])
def test_perfect_play_has_no_regret_in_any_position(name):
    tree = wk.known_tree(name)
    values = values_of(tree.game, "entropy", 2000, 300)
    found = [values.regret(position, guess) for position, guess in positions_of(tree)]
    assert {(each.number, each.by) for each in found} == {(0.0, EXACT)}
    assert values.of(wk.Position.start(tree.game)).number == tree.total


@pytest.mark.parametrize("name", ["mini-nerdle", pytest.param("wordle", marks=pytest.mark.slow)])
def test_the_regrets_of_a_strategy_add_up_to_its_distance_from_perfect_play(name):
    game, tree = wk.load_game(name), wk.known_tree(name)
    values = values_of(game, "minimax", 2000, 400)
    plays = wk.play("entropy", game)
    total, exact = 0.0, set()
    for play in plays:
        position = wk.Position.start(game)
        for guess, (seen,) in zip(play.guesses, play.feedback, strict=True):
            regret = values.regret(position, game.guess_index[guess])
            total += regret.number
            exact.add(regret.by)
            position = position.after(guess, seen)
    assert exact == {EXACT}
    assert total == pytest.approx(sum(len(play.guesses) for play in plays) - tree.total, abs=1e-6)


def test_hard_mode_allows_fewer_guesses_and_its_regrets_are_of_those():
    game = wk.load_game("mini-nerdle").replace(hard_mode=True)
    values = values_of(game, "entropy", 2000, 300)
    moves = [(game.answers[0], str(game.feedback(game.answers[0], game.answers[40])))]
    position = wk.Position.start(game).after(*moves[0])
    perfect = wk.optimal(game, after=moves)
    assert values.of(position) == (perfect.total, EXACT)
    regrets = [values.regret(position, int(guess)).number for guess in position.allowed]
    assert min(regrets) == 0
    easy = wk.load_game("mini-nerdle")
    there = wk.Position.start(easy).after(*moves[0])
    assert values_of(easy, "entropy", 2000, 300).of(there).number <= perfect.total


@pytest.mark.parametrize("limits", [(1, 300), (2000, 5)])
def test_what_is_not_proved_is_by_a_strategy_and_says_so(limits):
    game = wk.load_game("jotto").replace(name="few", answers=[*wk.load_game("jotto").answers[:60]])
    values = values_of(game, "minimax", *limits)
    found = values.of(wk.Position.start(game))
    assert found == (sum(len(play.guesses) for play in wk.play("minimax", game)), "minimax")
    assert values.regret(wk.Position.start(game), 0).by == "minimax"
    assert values.of(wk.Position.start(game)) == PositionValues(game, wk.load_strategy("minimax"), *limits).of(
        wk.Position.start(game)
    )


@pytest.mark.parametrize(
    ("game", "by", "message"),
    [
        ("quordle", "entropy", "quordle"),
        ("wordle", "first-consistent", "first-consistent"),
        ("wordle", "entropy(opener=crane)", "opener"),
    ],
)
def test_a_game_or_a_strategy_without_values_is_refused(game, by, message):
    with pytest.raises(wk.WordleKitError, match=message):
        values_of(wk.load_game(game), by, 2000, 300)
