"""The table of all feedback: the same codes whether it is kept, computed in blocks, or found on disk."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wordle_kit as wk
from wordle_kit.game import table as module

FIELDS = {
    "name": "toy",
    "alphabet": "abcd",
    "length": 4,
    "answers": ["abcd", "aabb", "dcba", "bbbb", "cadb"],
    "guesses": "all",
}
ANSWERS, GUESSES = 5, 256
MEMORIES = {"one guess a block": 1, "blocks of 50": 1000, "whole": 2**20}
RULES = ["wordle", "wordle-uncounted", "wordle-left-to-right", "case-aware", "mastermind"]

subsets = st.tuples(
    st.lists(st.integers(0, ANSWERS - 1), min_size=1, unique=True),
    st.none() | st.lists(st.integers(0, GUESSES - 1), max_size=60),
)


def toy(rule="wordle", memory="whole"):
    return wk.load_game(FIELDS | {"rule": rule}).replace(memory=MEMORIES[memory])


def ids(numbers):
    return np.array(numbers, dtype=np.int32)


def pairwise(game, answers, guesses):
    """Return the rule's codes, with a row for each answer and a column for each guess."""
    return [
        [game.rule.code(tuple(game.guesses[guess]), tuple(game.answers[answer])) for guess in guesses]
        for answer in answers
    ]


def put_together(table, answers, guesses):
    """Return the codes of all blocks side by side, one row per answer."""
    columns = [codes[rows] for _, codes, rows in table.blocks(answers, guesses)]
    return np.hstack(columns).tolist() if columns else [[] for _ in answers]


@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("rule", RULES)
@settings(deadline=None, max_examples=5)
@given(some=subsets)
def test_blocks_columns_and_codes_are_those_of_the_rule(rule, memory, some):
    game = toy(rule, memory)
    answers, guesses = some
    wanted = pairwise(game, answers, range(GUESSES) if guesses is None else guesses)
    few = None if guesses is None else ids(guesses)
    codes = game.table.codes(ids(answers), few)
    assert (codes.tolist(), codes.dtype) == (wanted, game.table.dtype)
    assert codes.shape == (len(answers), GUESSES if guesses is None else len(guesses))
    assert put_together(game.table, ids(answers), few) == wanted
    for guess in (guesses or [0, 100, GUESSES - 1])[:3]:
        column = [row[0] for row in pairwise(game, answers, [guess])]
        assert game.table.column(guess, ids(answers)).tolist() == column
        assert [game.table.code(guess, answer) for answer in answers] == column


@pytest.mark.parametrize("memory", MEMORIES)
def test_without_indices_everything_is_meant(memory):
    game = toy(memory=memory)
    wanted = pairwise(game, range(ANSWERS), range(GUESSES))
    table = game.table
    assert table.shape == (ANSWERS, GUESSES)
    assert table.codes().tolist() == wanted
    assert np.transpose([table.column(guess) for guess in range(GUESSES)]).tolist() == wanted


@pytest.mark.parametrize(("length", "dtype"), [(6, "uint16"), (11, "uint32")])
@pytest.mark.parametrize("memory", [1, 2**20], ids=["in blocks", "whole"])
def test_long_words_have_codes_of_a_wider_type(length, dtype, memory):
    words = [("ab" * 6)[:length], ("aabbb" * 3)[:length], ("ba" * 6)[:length], "b" * length]
    game = wk.load_game({"name": "long", "alphabet": "ab", "length": length, "answers": words}).replace(memory=memory)
    codes = game.table.codes()
    assert (codes.tolist(), codes.dtype) == (pairwise(game, range(4), range(4)), dtype)


def test_a_table_beyond_its_memory_is_computed_in_blocks_of_a_quarter_of_it():
    table = toy(memory="blocks of 50").table
    table.prepare()
    sizes = [codes.nbytes for _, codes, _ in table.blocks(ids(range(ANSWERS)))]
    assert not table.is_dense
    assert len(sizes) > 1
    assert max(sizes) <= 1000 / 4
    with pytest.raises(wk.GameError):
        table.whole()


# Tables that take long to compute are kept on disk


class Sums(wk.Rule):
    """The sum of the letters of both words."""

    def __init__(self, step=1):
        self.step = step

    def n_codes(self, length):
        return 40

    def code(self, guess, answer):
        return 39 if guess == answer else sum(map(ord, guess + answer)) * self.step % 39

    def winning_code(self, length):
        return 39

    def show(self, code, length):
        return str(code)


class FastSums(Sums):
    """The same in numpy."""

    def codes(self, answers, guesses, alphabet):
        numbers = np.array([ord(symbol) for symbol in alphabet.symbols])
        sums = numbers[answers].sum(axis=1)[:, None] + numbers[guesses].sum(axis=1)
        return np.where((answers[:, None] == guesses).all(axis=2), 39, sums * self.step % 39)


def game_of(rule):
    return wk.load_game({"name": "pairs", "alphabet": "abcdefghij", "length": 2, "answers": "all", "rule": rule})


@pytest.fixture(scope="module")
def expected():
    game = game_of(Sums())
    words = [game.word(word) for word in game.answers]
    return [[game.rule.code(guess, answer) for guess in words] for answer in words]


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """Keep all tables of slow rules in an empty folder, and return it."""
    monkeypatch.setenv(module.CACHE_VARIABLE, str(tmp_path / "cache"))
    for name, value in {"LARGE": 0, "AT_A_TIME": 1000}.items():
        monkeypatch.setattr(module, name, value)
    return tmp_path / "cache"


@pytest.mark.parametrize("rule", [Sums(), FastSums()], ids=["one by one", "numpy"])
def test_a_table_has_the_codes_of_the_rule(expected, cache, rule):
    assert game_of(rule).table.whole().tolist() == expected


def test_a_table_is_kept_and_found_again_without_computing_every_pair(expected, cache, monkeypatch):
    game_of(Sums()).table.prepare()
    asked = []
    code = Sums.code

    def counted(self, guess, answer):
        asked.append(guess)
        return code(self, guess, answer)

    monkeypatch.setattr(Sums, "code", counted)
    game = game_of(Sums())
    asked.clear()
    assert game.table.whole().tolist() == expected
    assert len(asked) < 1000  # of 10,000: the samples


def test_a_damaged_table_is_computed_again(expected, cache):
    game_of(Sums()).table.prepare()
    (path,) = cache.iterdir()
    path.write_bytes(path.read_bytes()[:1000])
    assert game_of(Sums()).table.whole().tolist() == expected
    assert path.stat().st_size > 100 * 100


RULE = """
import wordle_kit as wk

class Slow(wk.Rule):
    def n_codes(self, length):
        return 40

    def code(self, guess, answer):
        return 39 if guess == answer else len(guess) * {step}

    def winning_code(self, length):
        return 39

    def show(self, code, length):
        return str(code)

@wk.hookimpl
def register_rules(register):
    register(Slow())
"""


def edited_rules(folder):
    """Yield the rule of a file before and after it was edited."""
    for step in (1, 2):
        path = folder / str(step) / "slow.py"
        path.parent.mkdir()
        path.write_text(RULE.format(step=step))
        yield wk.Plugins.load([path]).rules["slow"].value


def test_another_rule_parameter_or_word_is_another_table(tmp_path, cache):
    game = game_of(Sums())
    games = [game_of(rule) for rule in (Sums(), Sums(2), *edited_rules(tmp_path))]
    games += [game.replace(answers=game.answers[:-1]), game.replace(answers=game.answers[::-1])]
    for count, each in enumerate(games, start=1):
        each.table.prepare()
        assert len([*cache.iterdir()]) == count
    game.replace(name="other", boards=2).table.prepare()
    assert len([*cache.iterdir()]) == len(games)
