"""The kernels of partition strategies against slow twins, whatever the codes, their type and the candidates."""

from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wordle_kit as wk
from wordle_kit.game.table import FeedbackTable
from wordle_kit.strategy import masses
from wordle_kit.strategy.costs import costs_by_size
from wordle_kit.strategy.kernels import KNOWN_SETS, TILE, partition_costs

RULE = wk.load_game({"name": "ab", "alphabet": "ab", "length": 2, "answers": "all"}).rule

often = settings(deadline=None, max_examples=100)
CANDIDATES = {"one": 1, "two": 2, "three": 3, "four": 4, "eight": 8, "more": 17}


def costs_by_hand(codes, rows, cost, largest):
    """Return the sum, or the largest, of the costs of the parts of each guess."""
    parts = [Counter(codes[row][guess] for row in rows).values() for guess in range(len(codes[0]))]
    return [(max if largest else sum)(cost[size] for size in sizes) for sizes in parts]


@pytest.mark.parametrize("largest", [False, True], ids=["sum", "largest"])
@pytest.mark.parametrize("n", CANDIDATES.values(), ids=CANDIDATES)
@often
@given(
    seed=st.integers(0, 2**32),
    n_guesses=st.sampled_from([1, 2, 7, TILE - 1, TILE, TILE + 1, 2 * TILE + 3]),
    codes_and_type=st.sampled_from([(1, np.uint8), (2, np.uint8), (3, np.uint8), (243, np.uint8), (729, np.uint16)]),
)
def test_the_cost_of_a_guess_is_that_of_its_parts(n, largest, seed, n_guesses, codes_and_type):
    n_codes, kind = codes_and_type
    dice = np.random.default_rng(seed)
    codes = dice.integers(n_codes, size=(n + 5, n_guesses)).astype(kind)
    rows = dice.choice(n + 5, n, replace=False).astype(np.int32)
    cost = np.concatenate([[0.0], dice.normal(size=n)])
    out = np.full(n_guesses, np.nan)
    partition_costs(codes, rows, np.ones(n, np.int32), cost, n_codes, largest, out)
    assert out.tolist() == pytest.approx(costs_by_hand(codes.tolist(), rows.tolist(), cost.tolist(), largest))


COSTS = {
    "rising": lambda sizes: sizes * np.log2(sizes),
    "falling": lambda sizes: -np.sqrt(sizes),
    "with a peak": lambda sizes: np.where(sizes == 2, 1e18, sizes),
    "infinite": lambda sizes: np.where(sizes > 3, np.inf, sizes),
    "the same": np.ones_like,
}


@pytest.mark.parametrize("largest", [False, True], ids=["sum", "largest"])
@pytest.mark.parametrize("of_size", COSTS.values(), ids=COSTS)
@settings(deadline=None, max_examples=40)
@given(
    seed=st.integers(0, 2**32),
    n=st.sampled_from([1, 3, 4, 5, 6, 7, 16, 255, 256, 300]),
    n_guesses=st.sampled_from([0, 1, 2, 7, TILE - 1, TILE, TILE + 1, 2 * TILE + 3]),
    length=st.sampled_from([1, 2, 5, 8]),
)
def test_costs_of_any_shape_are_added_without_loss(of_size, largest, seed, n, n_guesses, length):
    dice = np.random.default_rng(seed)
    game = SimpleNamespace(table=Drawn(dice, n + 5, n_guesses, length), guesses=range(n_guesses), is_weighted=False)
    candidates = dice.choice(n + 5, n, replace=False).astype(np.int32)
    candidates.flags.writeable = False
    found = costs_by_size(game, candidates, of_size, None, None, largest=largest)
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


@pytest.mark.parametrize("n", [2**16 - 1, 2**16, 2**16 + 1])
def test_parts_of_many_thousands_are_counted(n):
    table = Drawn(np.random.default_rng(0), n, 2, 1)
    codes = np.zeros((n, 2), np.uint8)
    codes[: n // 3, 1] = 1
    codes.flags.writeable = False
    table._dense = codes
    everyone = np.arange(n, dtype=np.int32)
    everyone.flags.writeable = False
    game = SimpleNamespace(table=table, guesses=range(2), is_weighted=False)
    found = costs_by_size(game, everyone, np.square, None, None, largest=False)
    assert found.tolist() == [n**2, (n // 3) ** 2 + (n - n // 3) ** 2]


@pytest.mark.parametrize("over_parts", ["sum", "max"])
@pytest.mark.parametrize("length", [3, 6], ids=["uint8", "uint16"])
@pytest.mark.parametrize("n", CANDIDATES.values(), ids=CANDIDATES)
@settings(deadline=None, max_examples=15)
@given(seed=st.integers(0, 2**32), n_groups=st.integers(1, 4))
def test_codes_of_one_group_are_one_part(n, length, over_parts, seed, n_groups):
    game = wk.load_game({"name": "pairs", "alphabet": "ab", "length": length, "answers": "all"})
    dice = np.random.default_rng(seed)
    groups = dice.integers(n_groups, size=game.table.n_codes)
    candidates = np.sort(dice.choice(len(game.answers), min(n, len(game.answers)), replace=False)).astype(np.int32)
    board = wk.Board(game, candidates)
    cost = dice.normal(size=len(board) + 1)
    found = board.costs(lambda sizes: cost[sizes.astype(int)], over_parts=over_parts, groups=groups)
    codes = [[groups[game.feedback(guess, word).code] for guess in game.guesses] for word in board.words]
    assert found.tolist() == pytest.approx(costs_by_hand(codes, range(len(board)), cost, over_parts == "max"))


# With weights


def parts_by_hand(board, guess, groups=None):
    """Return the weights of the candidates in each part of a guess."""
    parts = {}
    for word, weight in zip(board.words, board.weights.tolist(), strict=True):
        code = board.game.feedback(guess, word).code
        parts.setdefault(code if groups is None else groups[code], []).append(weight)
    return list(parts.values())


MASSES = {
    "entropy": lambda mass: mass * np.log2(mass),
    "with a jump": lambda mass: np.where(mass < 1, -7.5, mass),
    "negative": lambda mass: -mass,
    "infinite": lambda mass: np.where(mass > 3, np.inf, mass),
}


@st.composite
def weighted_boards(draw):
    """Draw a board of words of four symbols in a game with weights, some of them 0, and where few tables fit."""
    dice = np.random.default_rng(draw(st.integers(0, 2**32)))
    weights = dice.random(81) ** 6 * dice.integers(0, 2, 81)
    weights[dice.integers(81)] = 1.5
    game = ALL_WORDS.replace(weights=weights, memory=draw(st.sampled_from([0, 1000, 2**20])))
    n = draw(st.sampled_from([1, 2, 3, 4, 5, 7, 8, 15, masses.MOST_IN_SETS, masses.MOST_IN_SETS + 1, 81]))
    return wk.Board(game, np.sort(dice.choice(81, n, replace=False)).astype(np.int32))


ALL_WORDS = wk.load_game({"name": "all", "alphabet": "abc", "length": 4, "answers": "all"})
GROUPS = {"codes": None, "groups": np.arange(81) % 5}
some_guesses = st.none() | st.just(np.array([3, 80, 0, 41], dtype=np.int32))


@pytest.mark.parametrize("groups", GROUPS.values(), ids=GROUPS)
@pytest.mark.parametrize("over_parts", ["sum", "max"])
@pytest.mark.parametrize("part_cost", MASSES.values(), ids=MASSES)
@settings(deadline=None, max_examples=12)
@given(board=weighted_boards(), guesses=some_guesses)
def test_with_weights_the_cost_of_a_guess_is_that_of_the_masses_of_its_parts(
    board, guesses, part_cost, over_parts, groups
):
    def cost_by_hand(guess):
        masses = [sum(part) for part in parts_by_hand(board, guess, groups) if sum(part)]
        return (max if over_parts == "max" else sum)(float(part_cost(np.array([mass]))[0]) for mass in masses)

    words = board.game.guesses if guesses is None else [board.game.guesses[guess] for guess in guesses]
    found = board.costs(part_cost, guesses, over_parts, groups)
    assert found.tolist() == pytest.approx([cost_by_hand(word) for word in words], rel=1e-12, abs=1e-12)


@settings(deadline=None, max_examples=25)
@given(board=weighted_boards(), guesses=some_guesses)
def test_the_heaviest_candidates_of_the_parts_are_added_up(board, guesses):
    words = board.game.guesses if guesses is None else [board.game.guesses[guess] for guess in guesses]
    by_hand = [sum(map(max, parts_by_hand(board, word))) for word in words]
    assert board.heaviest(guesses).tolist() == pytest.approx(by_hand)


@pytest.mark.parametrize("n", [20, 81], ids=["sets", "masses"])
def test_parts_are_collected_in_several_rounds(monkeypatch, n):
    board = wk.Board(ALL_WORDS.replace(weights=range(1, 82)), np.arange(n, dtype=np.int32))
    many = np.tile(np.arange(81, dtype=np.int32), 20)
    together = board.costs(MASSES["entropy"], many)
    monkeypatch.setattr(masses, "MASSES", 1)
    monkeypatch.setattr(masses, "PARTS", 1)
    vars(masses._kept).clear()  # the arrays of other tests may be larger
    rounds = []
    assert board.costs(lambda mass: rounds.append(1) or MASSES["entropy"](mass), many).tolist() == together.tolist()
    assert len(rounds) > 1


@pytest.mark.parametrize("over_parts", ["sum", "max"])
def test_costs_are_the_same_to_the_last_digit_by_subsets_by_sets_and_by_masses(monkeypatch, over_parts):
    weights = np.random.default_rng(3).random(81)
    board = wk.Board(ALL_WORDS.replace(weights=weights), np.arange(30, 40, dtype=np.int32))
    found = []
    for codes, most in [(0, 28), (10**6, 28), (10**6, 0)]:
        monkeypatch.setattr(masses, "CODES_PER_SUBSET", codes)
        monkeypatch.setattr(masses, "MOST_IN_SETS", most)
        found.append(board.costs(MASSES["entropy"], over_parts=over_parts).tolist())
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("largest", [False, True], ids=["sum", "largest"])
def test_more_sets_than_the_hash_table_keeps(monkeypatch, largest):
    """Almost every part is a set of its own: 12,000 sets, and the table is cleared at 8,192."""
    dice = np.random.default_rng(8)
    codes = dice.integers(3, size=(28, 4000)).astype(np.uint8)
    rows, weights = np.arange(28, dtype=np.int32), dice.random(28)
    for array in (codes, rows, weights):
        array.flags.writeable = False
    sizes, by_sets, by_masses = [], *np.full((2, 4000), -np.inf if largest else 0.0)

    def ask(mass):
        sizes.append(len(mass))
        return np.square(mass)

    masses._fill_from_sets(codes, rows, weights, 3, ask, largest, by_sets)
    masses._fill_from_masses(codes, rows, weights, 3, np.square, largest, by_masses)
    monkeypatch.setattr(masses, "FITTING", 27)
    in_narrow_tiles = np.full(4000, -np.inf if largest else 0.0)
    masses._fill_from_masses(codes, rows, weights, 3, np.square, largest, in_narrow_tiles)
    assert in_narrow_tiles.tolist() == by_masses.tolist()
    assert sum(sizes) > KNOWN_SETS
    assert len(sizes) > 1
    assert by_sets.tolist() == by_masses.tolist()


def test_each_set_of_few_candidates_is_asked_about_once():
    board = wk.Board(ALL_WORDS.replace(weights=2.0 ** np.arange(81)), np.arange(1, 21, dtype=np.int32))
    asked = []
    board.costs(lambda mass: asked.extend(mass.tolist()) or mass)
    parts = {sum(part) for word in ALL_WORDS.guesses for part in parts_by_hand(board, word)}
    assert sorted(asked) == sorted(parts)


def test_a_part_cost_may_ask_for_other_costs():
    board = wk.Board(ALL_WORDS.replace(weights=range(81)), np.arange(1, 40, dtype=np.int32))

    def asking(mass):
        board.costs(np.sqrt)
        return MASSES["entropy"](mass)

    assert board.costs(asking).tolist() == board.costs(MASSES["entropy"]).tolist()


@pytest.mark.parametrize("n", [2, 20, 40])
def test_a_part_cost_may_change_its_argument_and_return_any_kind_of_array(n):
    board = wk.Board(ALL_WORDS.replace(weights=range(81)), np.arange(1, n + 1, dtype=np.int32))

    def odd(mass):
        mass *= mass
        kept = np.repeat(mass.astype(np.float32), 2)[::2]
        kept.flags.writeable = False
        return kept

    assert board.costs(odd).tolist() == pytest.approx(board.costs(np.square).tolist())
