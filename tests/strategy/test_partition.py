"""Partition strategies: the fast code makes the same guesses as ten readable lines."""

import math
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from unittest import mock

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import positions, small_games
from wordle_kit_plugins.partition import Entropy, ExpectedSize, Minimax, MostParts

import wordle_kit as wk
from wordle_kit.strategy import partition

COST_OF_SIZES = {
    Entropy: lambda sizes: sum(size * math.log2(size) for size in sizes),
    ExpectedSize: lambda sizes: sum(size * size for size in sizes),
    Minimax: max,
    MostParts: lambda sizes: -len(sizes),
}


@cache
def code_by_hand(game, guess, answer):
    return game.feedback(guess, answer).code


def score_by_hand(kind, board, guess):
    sizes = Counter(code_by_hand(board.game, guess, answer) for answer in board.words).values()
    return COST_OF_SIZES[kind](sizes) / len(board)


def best_by_hand(strategy, boards, guesses):
    """Return the least sum over these boards that a guess scores, and the guess that is played for it."""
    scores = {guess: sum(score_by_hand(type(strategy), board, guess) for board in boards) for guess in guesses}
    best = [guess for guess in guesses if scores[guess] <= min(scores.values()) + 1e-9]
    possible = [guess for guess in best if any(guess in board.words for board in boards)]
    return min(scores.values()), (possible if possible and strategy.ties == "candidates-first" else best)[0]


def guess_by_hand(strategy, position):
    """Return the guess of a partition strategy, found by scoring every guess with `Counter` and `game.feedback`."""
    if strategy.opener is not None and position.turn == 1:
        return strategy.opener
    boards = position.open_boards
    allowed = [guess for guess in position.game.guesses if position.problem_with(guess) is None]
    certain = [board.words[0] for board in boards if len(board) == 1 and board.words[0] in allowed]
    if certain and strategy.combine == "min":
        return certain[0]
    if certain:
        solves_most = [guess for guess in allowed if certain.count(guess) == max(map(certain.count, certain))]
        return best_by_hand(strategy, [board for board in boards if len(board) > 1], solves_most)[1]
    candidates = {word for board in boards for word in board.words}
    considered = allowed
    if strategy.pool == "candidates" or sum(len(board) for board in boards) <= strategy.endgame:
        considered = [guess for guess in allowed if guess in candidates] or allowed
    best = combined_by_hand(strategy, boards, considered)
    if tells_by_hand(boards, best):
        return best
    in_order = considered, [guess for guess in allowed if guess in candidates], allowed
    telling = [[guess for guess in some if tells_by_hand(boards, guess)] for some in in_order]
    new = [guess for guess in allowed if guess not in position.guesses]
    return combined_by_hand(strategy, boards, next(filter(None, telling), new or allowed))


def combined_by_hand(strategy, boards, guesses):
    """Return the best of these guesses on all boards together, or on the board whose best guess scores least."""
    if strategy.combine == "sum":
        return best_by_hand(strategy, boards, guesses)[1]
    each = [best_by_hand(strategy, [board], guesses) for board in boards]
    return next(guess for least, guess in each if least <= min(each)[0] + 1e-9)


def tells_by_hand(boards, guess):
    """Return whether a guess may be right on a board or has more than one feedback there."""
    return any(guess in board.words or len(board.split(guess)) > 1 for board in boards)


@settings(deadline=None, max_examples=80)
@given(
    position=...,
    pool=st.sampled_from(["guesses", "candidates"]),
    ties=st.sampled_from(["candidates-first", "list-order"]),
    combine=st.sampled_from(["sum", "min"]),
    endgame=st.sampled_from([0, 0, 2, 10]),
)
def test_all_guess_like_brute_force(position: wk.Position, pool, ties, combine, endgame):
    assume(position.allowed is None or len(position.allowed))
    for kind in COST_OF_SIZES:
        strategy = kind(pool=pool, ties=ties, combine=combine, endgame=endgame)
        assert strategy.guess(position) == guess_by_hand(strategy, position), strategy


ALL_WORDS = wk.load_game({"name": "all", "alphabet": "abc", "length": 3, "answers": "all", "boards": 3})


# With weights


def masses_by_hand(board, guess):
    """Return the sum of the weights in each part."""
    masses = {}
    for answer, weight in zip(board.words, board.weights.tolist(), strict=True):
        code = code_by_hand(board.game, guess, answer)
        masses[code] = masses.get(code, 0) + weight
    return [mass for mass in masses.values() if mass]


def weighted_guess_by_hand(strategy, board):
    """Return the guess of a partition strategy on one board of a game with weights."""
    weights = dict(zip(board.words, board.weights.tolist(), strict=True))
    if len(weights) == 1:
        return board.words[0]
    if strategy.weighted:
        scores = {
            guess: COST_OF_SIZES[type(strategy)](masses_by_hand(board, guess)) / sum(weights.values())
            for guess in board.game.guesses
        }
    else:
        scores = {guess: score_by_hand(type(strategy), board, guess) for guess in board.game.guesses}
    best = [guess for guess in scores if scores[guess] <= min(scores.values()) + 1e-9]
    parts = masses_by_hand(board, best[0]) if strategy.weighted else board.split(best[0])
    may_be_right = weights.get(best[0], 0) > 0 or (best[0] in weights and not strategy.weighted)
    if strategy.ties == "list-order" and (may_be_right or len(parts) > 1):
        return best[0]
    if strategy.ties == "likeliest-first":
        return max(best, key=lambda guess: round(weights.get(guess, 0), 9))
    possible = [guess for guess in best if guess in weights and (weights[guess] or not strategy.weighted)]
    return (possible or best)[0]


@settings(deadline=None, max_examples=50)
@given(
    position=positions(small_games(orders=["as-listed"], answers=(2, 40), guesses=(0, 40), weighted=True)),
    ties=st.sampled_from(["candidates-first", "likeliest-first", "list-order"]),
)
def test_with_weights_all_guess_like_brute_force(position, ties):
    for kind in COST_OF_SIZES:
        strategy = kind(ties=ties)
        assert strategy.guess(position) == weighted_guess_by_hand(strategy, position.board), strategy


PEGS = wk.load_game({"name": "pegs", "alphabet": "123", "length": 3, "answers": "all"})


@pytest.mark.parametrize("kind", COST_OF_SIZES)
def test_equal_weights_play_like_no_weights(kind):
    weighted = wk.play(kind(), PEGS.replace(weights=[0.1] * 27))
    assert [play.guesses for play in weighted] == [play.guesses for play in wk.play(kind(), PEGS)]


@pytest.mark.parametrize("spec", ["entropy", "expected-size", "statistical-estimator"])
def test_an_answer_with_all_the_weight_is_guessed_first_and_the_others_are_found_as_without_weights(spec):
    weights = [0.0] * 27
    weights[20] = 3.0
    plays = wk.play(spec, PEGS.replace(weights=weights))
    assert {play.guesses[0] for play in plays} == {PEGS.answers[20]}
    without = wk.play(wk.load_strategy(spec).with_parameters({"opener": PEGS.answers[20]}), PEGS)
    assert [play.guesses for play in plays] == [play.guesses for play in without]


@pytest.mark.parametrize("ties", ["candidates-first", "likeliest-first", "list-order"])
def test_a_guess_that_tells_nothing_is_not_made_if_one_answer_has_all_the_weight(ties):
    fields = {"name": "useless", "alphabet": "xab", "length": 2, "answers": ["ab", "ba", "bb"], "guesses": ["xx"]}
    game = wk.load_game(fields)
    assert game.guesses[0] == "xx"
    plays = wk.play(Entropy(ties=ties), game.replace(weights=[0, 1, 0]))
    assert [play.outcome for play in plays] == [wk.Outcome.SOLVED] * 3


@pytest.mark.parametrize("spec", ["entropy", "expected-size", "entropic-estimator", "letterwise-entropy", "minimax"])
def test_only_the_ratios_of_weights_matter(spec):
    weights = np.arange(27) ** 2.0
    plays = [wk.play(spec, PEGS.replace(weights=weights * factor)) for factor in (1, 1e-200, 1e200)]
    assert plays[0] == plays[1] == plays[2]


# Whole games of several boards, with what is remembered of them


CACHES = {
    "as it is": partition.cached_scores,
    "without one": lambda strategy, board: (strategy, strategy.scores(board, None)),
}


@st.composite
def begun(draw):
    """Draw a small game of two to four boards, not always in hard mode, and the words hidden on them."""
    games = small_games(
        rules=["wordle", "mastermind"],
        symbols=[3],
        lengths=[3],
        answers=(2, 16),
        guesses=(0, 10),
        boards=[2, 3, 4],
        hard_mode=[False, False, True],
    )
    game = draw(games)
    dice = random.Random(draw(st.integers(0, 2**32)))
    return game, dice.choices(game.answers, k=game.boards)


def positions_of(strategy, game, hidden, most=12):
    """Yield each position of a game with the guess in it; end the game if hard mode leaves no guess."""
    position = wk.Position.start(game)
    while position.open_boards and position.turn <= most and (position.allowed is None or len(position.allowed)):
        guess = strategy.guess(position)
        yield position, guess
        position = position.after(guess, [game.feedback(guess, word) for word in hidden])


@pytest.mark.parametrize("cache", CACHES)
@settings(deadline=None, max_examples=50)
@given(
    begun=begun(),
    kind=st.sampled_from(list(COST_OF_SIZES)),
    parameters=st.fixed_dictionaries(
        {
            "combine": st.sampled_from(["sum", "min"]),
            "pool": st.sampled_from(["guesses", "guesses", "candidates"]),
            "ties": st.sampled_from(["candidates-first", "list-order"]),
            "endgame": st.sampled_from([0, 4]),
        }
    ),
)
def test_with_a_cache_whole_games_are_played_like_brute_force(cache, begun, kind, parameters):
    strategy = kind(**parameters)
    with mock.patch.object(partition, "cached_scores", CACHES[cache]):
        for position, guess in positions_of(strategy, *begun):
            assert guess == guess_by_hand(strategy, position)


def test_scores_of_different_parameters_are_not_mixed():
    start = wk.Position.start(ALL_WORDS)
    made = [InBundles(bundles=bundles) for bundles in (2, 3, 4, 5, 2)]
    together = [strategy.guess(start) for strategy in made]
    for strategy, guess in zip(made, together, strict=True):
        with mock.patch.object(partition, "cached_scores", CACHES["without one"]):
            assert strategy.guess(start) == guess
    assert len(set(together)) > 1


def test_equal_certain_words_are_told_apart_by_the_other_boards():
    """aa and bb are certain; bb also tells the words of the third board apart."""
    fields = {"name": "abc", "alphabet": "abcde", "length": 2, "answers": ["aa", "bb", "bd", "cd"], "boards": 3}
    left = [[0], [1], [2, 3]]
    game = wk.load_game(fields)
    position = wk.Position(game, [wk.Board(game, np.array(ids, dtype=np.int32)) for ids in left])
    assert Entropy().guess(position) == "bb"
    assert Entropy(combine="min").guess(position) == "aa"


def test_a_word_that_is_certain_on_most_boards_goes_first():
    fields = {"name": "abc", "alphabet": "abcde", "length": 2, "answers": ["aa", "bb", "bd", "cd"], "boards": 4}
    game = wk.load_game(fields)
    left = [[1], [0], [0], [2, 3]]
    position = wk.Position(game, [wk.Board(game, np.array(ids, dtype=np.int32)) for ids in left])
    assert Entropy().guess(position) == "aa"
    assert Entropy(combine="min").guess(position) == "bb"


@settings(deadline=None, max_examples=30)
@given(position=..., opener=st.integers(0, 100), kind=st.sampled_from(list(COST_OF_SIZES)))
def test_an_opener_is_played_first_and_never_again(position: wk.Position, opener, kind):
    assume(position.allowed is None or len(position.allowed))
    words = position.game.guesses
    strategy = kind(opener=words[opener % len(words)])
    if position.turn == 1:
        assert strategy.guess(position) == strategy.opener
    else:
        assert strategy.guess(position) == kind().guess(position)


@settings(deadline=None, max_examples=30)
@given(position=..., kind=st.sampled_from(list(COST_OF_SIZES)))
def test_a_feedback_table_that_does_not_fit_memory_changes_no_guess(position: wk.Position, kind):
    assume(position.allowed is None or len(position.allowed))
    small = position.game.replace(memory=100)
    boards = [wk.Board(small, board.candidates, board.codes) for board in position.boards]
    there = wk.Position(small, boards, position.guess_ids)
    assert kind().guess(there) == kind().guess(position)


# What each choice means, by example

RHYMES = {
    "name": "rhymes",
    "alphabet": "abcdx",
    "length": 2,
    "answers": ["ax", "bx", "cx", "dx"],
    "guesses": ["ab", "aa"],
}


@pytest.fixture(scope="module")
def game():
    """Return a game where the word that tells the answers apart is not an answer itself."""
    return wk.load_game(RHYMES)


def test_of_equal_guesses_one_that_may_be_the_answer_goes_first_unless_the_list_decides(game):
    two_left = wk.Position.start(game).after("ab", "00")
    assert two_left.board.words == ("cx", "dx")
    assert Entropy().guess(two_left) == "cx"
    with_another = wk.load_game(RHYMES | {"guesses": ["ab", "aa", "ca"]})
    two_left = wk.Position.start(with_another).after("ab", "00")
    assert Entropy().guess(two_left) == "cx"
    assert Entropy(ties="list-order").guess(two_left) == "ca"


def test_hard_mode_on_one_board_does_not_keep_it_from_solving_another_that_has_one_candidate():
    fields = {"name": "two", "alphabet": "abcd", "length": 2, "answers": ["ad", "ba", "cc"], "guesses": ["ab"]}
    position = wk.Position.start(wk.load_game(fields).replace(boards=2, hard_mode=True)).after("ab", ["00", "20"])
    assert [board.words for board in position.boards] == [("cc",), ("ad",)]
    assert position.problem_with("cc") is not None
    assert Entropy(ties="list-order").guess(position) == "ad"


@pytest.mark.parametrize(("opener", "fact"), [("ba", "'ba'"), ("abc", "'abc'"), ("zz", "'zz'")])
def test_an_opener_that_is_not_a_guess_of_the_game_is_a_problem(game, opener, fact):
    assert fact in Entropy(opener=opener).problem_with(game)
    assert [kind(opener="ab").problem_with(game) for kind in COST_OF_SIZES] == [None] * 4


# What an author may override


class InBundles(wk.PartitionStrategy):
    """Plays for the least sum of squares, in bundles of codes."""

    bundles: int = 2

    def part_cost(self, size):
        return size * size

    def groups(self, game):
        return np.arange(game.table.n_codes) % self.bundles


def test_codes_that_an_author_groups_are_counted_as_one_part(game):
    board = wk.Position.start(game).board
    sizes = [Counter(game.feedback(guess, answer).code % 2 for answer in game.answers) for guess in game.guesses]
    by_hand = [sum(size * size for size in each.values()) / 4 for each in sizes]
    assert InBundles().scores(board, None).tolist() == pytest.approx(by_hand)


@pytest.mark.parametrize(("apart", "guess"), [(1e-10, "aa"), (1e-8, "dx")])
def test_scores_that_differ_by_less_than_a_billionth_are_equal(game, apart, guess):
    class Later(wk.PartitionStrategy):
        """Scores every guess a little better than the one before it."""

        def part_cost(self, size):
            return size

        def finish(self, cost, board, guesses):
            return -apart * np.arange(len(cost))

    assert game.guesses == ("aa", "ab", "ax", "bx", "cx", "dx")
    assert Later(ties="list-order").guess(wk.Position.start(game)) == guess


def test_part_cost_is_asked_for_whole_sizes_from_one_up(game):
    asked = []

    class Curious(wk.PartitionStrategy):
        def part_cost(self, size):
            asked.append(size.tolist())
            return size

    Curious().guess(wk.Position.start(game))
    assert asked == [[1.0, 2.0, 3.0, 4.0]]


def test_where_hard_mode_leaves_no_guess_it_guesses_as_if_it_were_off():
    fields = {"name": "h", "alphabet": "abc", "length": 2, "answers": "all", "rule": "mastermind", "boards": 2}
    game = wk.load_game(fields).replace(hard_mode=True)
    for spec in ("entropy", "entropy(combine=min)", "entropy(pool=candidates)"):
        outcomes = {play.outcome.value for play in wk.play(spec, game, 50)}
        assert outcomes <= {"solved", "illegal guess"}
        assert "illegal guess" in outcomes


class Infinite(wk.PartitionStrategy):
    """Score guesses infinitely well on the board with the fewest candidates, and infinitely badly on the others."""

    def part_cost(self, size):
        return size

    def scores(self, board, guesses):
        scores = np.zeros(len(board.game.guesses) if guesses is None else len(guesses))
        return scores - math.inf if len(board) < 3 else scores + math.inf


def test_scores_that_cannot_be_added_are_an_error_that_says_so():
    game = wk.load_game({"name": "ab", "alphabet": "abc", "length": 2, "answers": "all", "boards": 2})
    position = wk.Position.start(game).after("aa", ["00", "02"])
    assert [len(board) for board in position.boards] == [4, 2]
    with pytest.raises(wk.StrategyError, match="infinity"):
        Infinite().guess(position)


def test_strategies_that_play_in_threads_share_their_scores_without_mixing_them_up():
    specs = [f"entropy(endgame={n})" for n in range(4)]
    alone = [wk.tournament("dordle", spec, 10, workers=1).rows[0].total_guesses for spec in specs]
    with ThreadPoolExecutor(4) as executor:
        board = wk.tournament("dordle", specs, 10, executor=executor)
    names = [wk.load_strategy(spec).spec for spec in specs]
    assert {row.strategy: row.total_guesses for row in board.rows} == dict(zip(names, alone, strict=True))
