"""The kernels against slow twins, whatever the codes, their type and the candidates; and what calls them."""

from collections import Counter
from functools import reduce
from operator import add
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wordle_kit as wk
from wordle_kit.game.table import FeedbackTable
from wordle_kit.game.words import frozen
from wordle_kit.strategy import costs as cost_engine
from wordle_kit.strategy.costs import Parts
from wordle_kit.strategy.kernels import TILE, costs_of_parts

RULE = wk.load_game({"name": "ab", "alphabet": "ab", "length": 2, "answers": "all"}).rule


def costs_by_hand(codes, rows, cost, largest):
    """Return the sum, or the largest, of the costs of the parts of each guess."""
    parts = [Counter(codes[row][guess] for row in rows).values() for guess in range(len(codes[0]))]
    return [total([cost[size] for size in sizes], largest) for sizes in parts]


def total(costs, largest):
    """Return the largest of some costs, or their sum, added one after the other."""
    # Since Python 3.12, `sum` makes up for what is rounded away.
    return max(costs) if largest else reduce(add, costs)


def drawn(seed, n, n_guesses, n_codes, kind):
    """Return codes, some of their rows, and a cost for each size."""
    dice = np.random.default_rng(seed)
    codes = dice.integers(n_codes, size=(n + 5, n_guesses)).astype(kind)
    rows = dice.choice(n + 5, n, replace=False).astype(np.int32)
    return codes, rows, np.concatenate([[0.0], dice.normal(size=n)])


def costs_by_kernel(codes, rows, units, cost, n_codes, largest):
    """Return the costs of guesses by the kernel that adds up units."""
    out = np.full(codes.shape[1], np.nan)
    sums = np.zeros((TILE, n_codes), np.uint16 if len(cost) <= 2**16 else np.uint32)
    nothing = [-np.inf if largest else 0.0]
    costs_of_parts(codes, rows, units.astype(np.int32), np.concatenate([nothing, cost[1:]]), sums, largest, out)
    assert not sums.any()
    return out.tolist()


SEEDS = st.integers(0, 2**32)
CODES = st.sampled_from([(1, np.uint8), (2, np.uint8), (5, np.uint8), (243, np.uint8), (729, np.uint16)])
either = pytest.mark.parametrize("largest", [False, True], ids=["sum", "largest"])


@either
@settings(deadline=None, max_examples=20)
@given(
    seed=SEEDS,
    n=st.sampled_from([1, 2, 3, 5, 8, 16]),
    n_guesses=st.sampled_from([1, 2, 17, TILE, TILE + 3]),
    codes_and_type=CODES,
)
def test_each_set_of_few_candidates_has_a_cost_of_its_own(largest, seed, n, n_guesses, codes_and_type):
    codes, rows, _ = drawn(seed, n, n_guesses, *codes_and_type)
    cost = np.random.default_rng(seed).normal(size=2**n)
    by_hand = []
    for guess in range(n_guesses):
        sets = {}
        for i, row in enumerate(rows.tolist()):
            sets[codes[row, guess]] = sets.get(codes[row, guess], 0) + 2**i
        by_hand.append(total([cost[part] for part in sets.values()], largest))
    found = costs_by_kernel(codes, rows, 2 ** np.arange(n), cost, codes_and_type[0], largest)
    assert found == (by_hand if n <= codes_and_type[0] else pytest.approx(by_hand))


COSTS = {
    "rising": lambda sizes: sizes * np.log2(sizes),
    "falling": lambda sizes: -np.sqrt(sizes),
    "with a peak": lambda sizes: np.where(sizes == 2, 1e18, sizes),
    "infinite": lambda sizes: np.where(sizes > 3, np.inf, sizes),
}


@either
@settings(deadline=None, max_examples=60)
@given(
    of_size=st.sampled_from([*COSTS.values()]),
    seed=SEEDS,
    n=st.sampled_from([1, 3, 4, 5, 6, 7, 16, 255, 256, 300]),
    n_guesses=st.sampled_from([0, 1, 2, 7, TILE - 1, TILE, TILE + 1, 2 * TILE + 3]),
    length=st.sampled_from([1, 2, 5, 8]),
)
def test_costs_of_any_shape_are_added_without_loss(of_size, largest, seed, n, n_guesses, length):
    dice = np.random.default_rng(seed)
    game = SimpleNamespace(table=Drawn(dice, n + 5, n_guesses, length), guesses=range(n_guesses), is_weighted=False)
    candidates = dice.choice(n + 5, n, replace=False).astype(np.int32)
    candidates.flags.writeable = False
    found = Parts(game, candidates).costs_by_size(of_size, largest=largest)
    cost = [0.0, *of_size(np.arange(1.0, n + 1)).tolist()]
    by_hand = costs_by_hand(game.table.whole().tolist(), candidates.tolist(), cost, largest) if n_guesses else []
    assert found.tolist() == pytest.approx(by_hand, rel=1e-12)


class Drawn(FeedbackTable):
    """A table of random codes."""

    def __init__(self, dice, n_answers, n_guesses, length):
        words = np.zeros((max(n_answers, n_guesses), length), np.uint8)
        super().__init__(RULE, wk.Alphabet("ab"), words[:n_answers], words[:n_guesses])
        self._dense = dice.integers(self.n_codes, size=(n_answers, n_guesses)).astype(self.dtype)
        self._dense.flags.writeable = False


@pytest.mark.parametrize("n", [2**16 - 1, 2**16])
def test_parts_of_many_thousands_are_counted(n):
    table = Drawn(np.random.default_rng(0), n, 2, 1)
    codes = np.zeros((n, 2), np.uint8)
    codes[: n // 3, 1] = 1
    codes.flags.writeable = False
    table._dense = codes
    everyone = np.arange(n, dtype=np.int32)
    everyone.flags.writeable = False
    game = SimpleNamespace(table=table, guesses=range(2), is_weighted=False)
    found = Parts(game, everyone).costs_by_size(np.square, largest=False)
    assert found.tolist() == [n**2, (n // 3) ** 2 + (n - n // 3) ** 2]


# With weights

ALL_WORDS = wk.load_game({"name": "all", "alphabet": "abc", "length": 4, "answers": "all"})
CODES_BY_HAND = {
    guess: {answer: ALL_WORDS.feedback(guess, answer).code for answer in ALL_WORDS.answers}
    for guess in ALL_WORDS.guesses
}
MASSES = {
    "entropy": lambda mass: mass * np.log2(mass),
    "with a jump": lambda mass: np.where(mass < 1, -7.5, mass),
    "negative": lambda mass: -mass,
    "infinite": lambda mass: np.where(mass > 3, np.inf, mass),
}
some_guesses = st.none() | st.just(np.array([3, 80, 0, 41], dtype=np.int32))


@st.composite
def weighted_boards(draw):
    """Draw a board of words of four symbols in a game with weights, some of them 0, and where few tables fit."""
    dice = np.random.default_rng(draw(SEEDS))
    weights = dice.random(81) ** 6 * dice.integers(0, 2, 81)
    weights[dice.integers(81)] = 1.5
    game = ALL_WORDS.replace(weights=weights, memory=draw(st.sampled_from([0, 1000, 2**20])))
    n = draw(st.sampled_from([1, 2, 3, 4, 5, 6, 8, 15, 28, 81]))
    return wk.Board(game, np.sort(dice.choice(81, n, replace=False)).astype(np.int32))


def parts_by_hand(board, guess, groups=None):
    """Return the weights of the candidates in each part of a guess."""
    parts = {}
    for word, weight in zip(board.words, board.weights.tolist(), strict=True):
        code = CODES_BY_HAND[guess][word]  # weights change no feedback
        parts.setdefault(code if groups is None else groups[code], []).append(weight)
    return list(parts.values())


def words_of(board, guesses):
    return board.game.guesses if guesses is None else [board.game.guesses[guess] for guess in guesses]


@pytest.mark.parametrize("over_parts", ["sum", "max"])
@settings(deadline=None, max_examples=40)
@given(
    board=weighted_boards(),
    guesses=some_guesses,
    part_cost=st.sampled_from([*MASSES.values()]),
    groups=st.none() | st.just(np.arange(81) % 5),
)
def test_with_weights_the_cost_of_a_guess_is_that_of_the_masses_of_its_parts(
    board, guesses, part_cost, over_parts, groups
):
    def cost_by_hand(guess):
        masses = [sum(part) for part in parts_by_hand(board, guess, groups) if sum(part)]
        return (max if over_parts == "max" else sum)(float(part_cost(np.array([mass]))[0]) for mass in masses)

    found = board.costs(part_cost, guesses, over_parts, groups)
    by_hand = [cost_by_hand(word) for word in words_of(board, guesses)]
    assert found.tolist() == pytest.approx(by_hand, rel=1e-12, abs=1e-12)


@settings(deadline=None, max_examples=25)
@given(board=weighted_boards(), guesses=some_guesses)
def test_the_heaviest_candidates_of_the_parts_are_added_up(board, guesses):
    by_hand = [sum(map(max, parts_by_hand(board, word))) for word in words_of(board, guesses)]
    assert board.sums_of_largest_weights(guesses).tolist() == pytest.approx(by_hand)


@pytest.mark.parametrize("over_parts", ["sum", "max"])
def test_costs_are_the_same_to_the_last_digit_by_subsets_and_by_masses(monkeypatch, over_parts):
    weights = np.random.default_rng(3).random(81)
    board = wk.Board(ALL_WORDS.replace(weights=weights), np.arange(30, 40, dtype=np.int32))
    found = []
    for codes in (0, 10**6):
        monkeypatch.setattr(cost_engine, "CODES_PER_SUBSET", codes)
        found.append(board.costs(MASSES["entropy"], over_parts=over_parts).tolist())
    assert found[0] == found[1]


# Games whose table is not kept


@pytest.fixture(scope="module", name="game")
def threes():
    """Return a game of 512 words, whose table has 262,144 codes and is kept."""
    return wk.load_game({"name": "threes", "alphabet": "abcdefgh", "length": 3, "answers": "all"})


CASES = [
    (10_000, "sum", False, False),
    (260_000, "max", True, False),
    (10_000, "sum", True, True),
    pytest.param(1, "sum", False, False, marks=pytest.mark.slow),
    pytest.param(1, "max", True, True, marks=pytest.mark.slow),
    pytest.param(260_000, "sum", False, True, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("memory", "over_parts", "chosen", "grouped"), CASES)
def test_parts_and_masses_are_added_up_while_codes_are_computed(game, memory, over_parts, chosen, grouped):
    dice = np.random.default_rng(5)
    candidates = np.sort(dice.choice(512, 333, replace=False)).astype(np.int32)
    guesses = dice.permutation(512)[:90].astype(np.int32) if chosen else None
    groups = dice.integers(4, size=game.table.n_codes) if grouped else None
    cost, weights = np.concatenate([[0.0], dice.normal(size=333)]), dice.random(333)
    codes = game.table.whole()[candidates][:, slice(None) if guesses is None else guesses]
    columns = [column if groups is None else groups[column] for column in codes.T]

    board = wk.Board(game.replace(memory=memory), candidates)
    found = board.costs(lambda sizes: cost[sizes.astype(int)], guesses, over_parts, groups)
    parts = [np.unique(column, return_counts=True)[1] for column in columns]
    assert found.tolist() == pytest.approx([(max if over_parts == "max" else sum)(cost[sizes]) for sizes in parts])

    masses = [np.trim_zeros(row, "b") for row in Parts(board.game, candidates, guesses, groups).sums(frozen(weights))]
    by_hand = [np.trim_zeros(np.bincount(column, weights), "b") for column in columns]
    assert all(np.array_equal(a, b) for a, b in zip(masses, by_hand, strict=True))


@pytest.mark.parametrize("over_parts", ["sum", "max"])
def test_a_board_with_weights_has_the_same_costs_whether_the_table_is_kept_or_not(game, monkeypatch, over_parts):
    monkeypatch.setattr(cost_engine, "MASSES_AT_A_TIME", 1000)  # so that masses are collected in several rounds
    weights = np.random.default_rng(7).random(512) * (np.arange(512) % 7 > 0)
    boards = [
        wk.Position.start(game.replace(weights=weights, **{} if kept else {"memory": 100_000})).board
        for kept in (True, False)
    ]
    found = [board.costs(lambda mass: mass * np.log2(mass), over_parts=over_parts).tolist() for board in boards]
    assert found[0] == pytest.approx(found[1])
