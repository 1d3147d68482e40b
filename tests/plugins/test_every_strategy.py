"""Every bundled strategy keeps the contract, plays other games too, and does not depend on the names of symbols."""

import random
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import small_games

import wordle_kit as wk
from wordle_kit import testing
from wordle_kit.plugins import default_plugins
from wordle_kit.testing import check_strategy

BUNDLED = {entry.name for entry in entry_points(group="wordle_kit") if entry.value.startswith("wordle_kit_plugins.")}
NEEDS_A_FILE = {"program", "tree"}
STRATEGIES = {
    name: entry.value
    for name, entry in default_plugins().strategies.items()
    if entry.plugin in BUNDLED and name not in NEEDS_A_FILE
}
EXAMPLES = [
    path
    for path in sorted((Path(__file__).parents[2] / "examples").rglob("*.py"))
    if "register_strategies" in (text := path.read_text(encoding="utf-8")) and "by_name_only" not in text
]
"""Examples that play as they are. Others need a file of weights or a server; tests/environments has their tests."""
DEADLINE = 60.0  # the tests are not about speed
SAMPLE = 3

TINY = {"name": "tiny", "alphabet": "abcd", "length": 3, "order": "as-listed"}
TINY["answers"] = ["aab", "abc", "bca", "cab", "dab", "dda", "cdb", "bbb", "acd"]

every_strategy = pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=STRATEGIES.keys())
each_example = pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: f"{path.parent.name}-{path.stem}")


@cache
def game_of(name):
    """Return a bundled game; wordle-hard is wordle in hard mode."""
    return wk.load_game("wordle").replace(hard_mode=True) if name == "wordle-hard" else wk.load_game(name)


def test_there_are_the_textbook_heuristics_the_baselines_and_the_strategies_of_the_papers():
    assert STRATEGIES.keys() >= {
        *("random-consistent", "first-consistent", "entropy", "expected-size", "minimax", "most-parts"),
        *("greedy-entropy", "letterwise-entropy", "statistical-estimator", "entropic-estimator", "rounded-entropy"),
        *("liu-p1", "liu-p8", "liu-i1", "liu-i8", "predefined-words", "letter-frequency"),
        *("lookahead", "rollout"),
    }


# Promises


def failures(findings):
    """Return what was found wrong."""
    return [f"{finding.check}: {finding.message}" for finding in findings if not finding.passed]


def strategy_of(example):
    """Return the strategy of the file of an example."""
    plugins = wk.Plugins.load([example])
    (strategy,) = [one.value for one in plugins.strategies.values() if plugins.origins[one.plugin] == str(example)]
    return strategy


@every_strategy
def test_it_keeps_every_promise_in_a_game_of_nine_words(strategy):
    assert failures(check_strategy(strategy, deadline=DEADLINE, games=[TINY])) == []


@each_example
def test_the_examples_keep_every_promise_in_a_game_of_nine_words(example):
    assert failures(check_strategy(strategy_of(example), deadline=DEADLINE, games=[TINY])) == []


@pytest.mark.slow
@every_strategy
def test_it_keeps_every_promise_of_the_contract(strategy, monkeypatch):
    monkeypatch.setattr(testing, "SAMPLE", SAMPLE)
    assert failures(check_strategy(strategy, deadline=DEADLINE)) == []


@pytest.mark.slow
@each_example
def test_the_examples_keep_every_promise_of_the_contract(example):
    assert failures(check_strategy(strategy_of(example), deadline=DEADLINE, games=testing.SMALL_GAMES)) == []


def test_each_has_a_description():
    assert [name for name, strategy in STRATEGIES.items() if not type(strategy).__doc__] == []


@pytest.mark.slow
@every_strategy
@pytest.mark.parametrize("name", ["mini-nerdle", "wordle-hard", "bulls-and-cows"])
def test_it_plays_other_games_legally_or_names_the_rule_that_it_cannot_play(strategy, name):
    game = game_of(name)
    problem = strategy.problem_with(game)
    if problem is not None:
        assert game.rule.name in problem or game.name in problem
        return
    step = len(game.answers) // SAMPLE
    for play in wk.play(strategy, game, game.answers[step // 2 :: step]):
        assert play.turns is not None, (play.outcome, play.message)


GAMES = [
    small_games(answers=(2, 25), boards=[1, 1, 2, 3], hard_mode=[False, False, True], weighted=weighted)
    for weighted in (False, True)
]


@pytest.mark.slow
@settings(deadline=None, max_examples=80)  # `optimal` can play half of these games
@given(game=st.one_of(GAMES), seed=st.integers(0, 2**32))
def test_no_strategy_ever_repeats_a_guess_and_so_each_solves_every_puzzle(game, seed):
    """Hard mode on several boards may forbid all other guesses, as docs/boards.md says."""
    hidden = random.Random(seed).choices(game.answers, k=game.boards)
    for name, strategy in STRATEGIES.items():
        if strategy.problem_with(game) is not None:
            continue
        position = wk.Position.start(game)
        while position.open_boards:
            if game.boards > 1 and position.allowed is not None and {*position.allowed} <= {*position.guess_ids}:
                break
            guess = strategy.guess(position)
            assert guess not in position.guesses, name
            position = position.after(guess, [game.feedback(guess, answer) for answer in hidden])


@pytest.mark.slow
def test_only_three_strategies_cannot_play_everything():
    unable = {
        (strategy, name)
        for strategy, made in STRATEGIES.items()
        for name in ("mini-nerdle", "mastermind", "glyphs", "wordle-hard", "bulls-and-cows", "wordle", "wordle-2022")
        if made.problem_with(game_of(name)) is not None
    }
    assert unable == {
        ("letterwise-entropy", "mastermind"),
        ("letterwise-entropy", "bulls-and-cows"),
        ("predefined-words", "wordle-hard"),
        *((name, game) for name in STRATEGIES.keys() & {"optimal"} for game in ("wordle-hard", "bulls-and-cows")),
    }


# Names of symbols

SYMBOLS = "abcdefgh"
ANSWERS = [
    *("abcd", "abce", "bacd", "hgfe", "hhgg", "cafe", "dead", "fade", "bead", "beef", "feed", "gaga", "head", "edge"),
    *("aged", "cage", "face", "deaf", "haha", "babe", "ebbe", "dada", "cede", "heed", "ache", "each", "hagg", "eggh"),
]
OTHERS = ["abgh", "cdef", "aceg", "bdfh", "aabb", "hhhh", "fghe"]


def named(symbols, rule):
    """Return a game of the same words in the same order, but with other symbols for a to h."""
    renamed = str.maketrans(SYMBOLS, symbols)
    return wk.load_game(
        {
            "name": "named",
            "alphabet": SYMBOLS,
            "length": 4,
            "answers": [word.translate(renamed) for word in ANSWERS],
            "guesses": [word.translate(renamed) for word in OTHERS],
            "order": "as-listed",
            "rule": rule,
        }
    )


def reached(game):
    """Yield the first position, and some after a guess or two."""
    start = wk.Position.start(game)
    yield start
    for guess, answer in ((0, 9), (3, 16), (30, 1), (34, 20)):
        position = start.after(guess, game.feedback(game.guesses[guess], game.answers[answer]))
        yield position
        position = position.after(29, game.feedback(game.guesses[29], game.answers[answer]))
        if position.open_boards:
            yield position


@pytest.mark.slow
@every_strategy
@pytest.mark.parametrize("rule", ["wordle", "mastermind"])
def test_names_of_symbols_do_not_matter_where_the_lists_keep_their_order(strategy, rule):
    plain, other = named(SYMBOLS, rule), named("cdaefhbg", rule)
    if strategy.problem_with(plain) is not None:
        return
    for one, another in zip(reached(plain), reached(other), strict=True):
        assert one.board.candidates.tolist() == another.board.candidates.tolist()
        if isinstance(strategy, wk.PartitionStrategy):
            scores, others = (strategy.scores(position.board, None) for position in (one, another))
            np.testing.assert_allclose(scores, others, rtol=1e-9, atol=1e-9)
        if not strategy.stochastic:
            guesses = [position.game.guess_index[strategy.guess(position)] for position in (one, another)]
            assert guesses[0] == guesses[1]
