"""Strategies as models: their names, their parameters, and the texts that set them."""

import string
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wordle_kit_plugins.baselines import FirstConsistent
from wordle_kit_plugins.partition import Entropy

import wordle_kit as wk
from wordle_kit.strategy.specs import parse_spec


class TakesMany(wk.Strategy):
    """Has a parameter of each kind."""

    depth: int = 2
    greedy: bool = False
    share: float = 0.5
    opener: str | None = None
    words: tuple[str, ...] = ()
    letters: frozenset[str] = frozenset("cab")

    def guess(self, position):
        return position.board.words[0]


class Opens(wk.Strategy):
    """Has a parameter without a default."""

    opener: str

    def guess(self, position):
        return self.opener if position.turn == 1 else position.board.words[0]


# Names


def test_a_strategy_has_the_name_of_its_class_or_one_of_its_own_which_subclasses_do_not_inherit():
    class Named(wk.Strategy):
        name = "the-best"

        def guess(self, position):
            return "x"

    class StillBetter(Named):
        pass

    assert (TakesMany.name, Named.name, StillBetter.name) == ("takes-many", "the-best", "still-better")


# Parameters


def test_a_strategy_cannot_be_changed_once_made():
    with pytest.raises(wk.StrategyError, match="pool"):
        Entropy().pool = "candidates"


def test_strategies_are_equal_if_class_and_parameters_are():
    assert Entropy(opener="crate") == Entropy(opener="crate") != Entropy(opener="trace")
    assert Entropy() != FirstConsistent()


def test_parameters_are_values_that_json_can_write():
    assert TakesMany(words=("a", "b")).parameters() == {
        "depth": 2,
        "greedy": False,
        "share": 0.5,
        "opener": None,
        "words": ["a", "b"],
        "letters": ["a", "b", "c"],
    }


def test_a_parameter_that_json_cannot_write_is_refused():
    class Keyed(wk.Strategy):
        key: bytes = b"\xff\x00"

        def guess(self, position):
            return position.board.words[0]

    with pytest.raises(wk.StrategyError, match="keyed"):
        wk.tournament("mini-nerdle", [Keyed()], 1, workers=1)


def test_a_parameter_without_a_default_is_part_of_the_spec():
    assert Opens(opener="crane").spec == "opens(opener=crane)"
    board = wk.tournament("wordle", [Opens(opener="crane")], 2, workers=1)
    assert {play.guesses[0] for play in board.plays("opens(opener=crane)")} == {"crane"}


IN_A_PROCESS = """
import wordle_kit as wk
from wordle_kit.identity import value_text

class Lucky(wk.Strategy):
    stochastic = True
    letters: frozenset[str] = frozenset("abcdefgh")
    nested: dict[str, tuple[frozenset[str], ...]] = {"x": (frozenset("qwertz"),)}

    def guess(self, position):
        return position.rng.choice(position.board.words)

print(Lucky().parameters(), Lucky(letters=frozenset("xyz")).spec, value_text(dict(Lucky())))
"""


@pytest.mark.slow
def test_a_set_among_the_parameters_has_the_same_order_in_every_process():
    found = set()
    for seed in ("1", "2"):
        command = [sys.executable, "-c", IN_A_PROCESS]
        found.add(subprocess.run(command, env={"PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout)
    assert len(found) == 1, found


def test_texts_are_read_as_the_type_of_the_parameter():
    changed = TakesMany(words=("a",)).with_parameters(
        {"depth": "3", "greedy": "true", "share": "0.25", "opener": "abc"}
    )
    assert changed == TakesMany(depth=3, greedy=True, share=0.25, opener="abc", words=("a",))


# Specs


@pytest.mark.parametrize(
    ("spec", "name", "parameters"),
    [
        ("entropy", "entropy", {}),
        ("  entropy ( ) ", "entropy", {}),
        ("entropy( pool = candidates , opener = crate )", "entropy", {"pool": "candidates", "opener": "crate"}),
        ("entropy(opener=none)", "entropy", {"opener": None}),
        ("entropy(opener='none')", "entropy", {"opener": "none"}),
        ('s(text="a, b)")', "s", {"text": "a, b)"}),
        ("s(words=[crate, 'a, b', none])", "s", {"words": ["crate", "a, b", None]}),
        ("s(words=[])", "s", {"words": []}),
        ("s(words=[[a, b], [c]])", "s", {"words": [["a", "b"], ["c"]]}),
        ("s(then=entropy(opener=crate, pool=candidates), depth=2)", "s",
         {"then": "entropy(opener=crate, pool=candidates)", "depth": "2"}),
        ("s(text=a=b)", "s", {"text": "a=b"}),
        ("my_plugin.my-strategy:2", "my_plugin.my-strategy:2", {}),
    ],
)  # fmt: skip
def test_a_spec_is_a_name_and_parameters_between_brackets(spec, name, parameters):
    assert parse_spec(spec) == (name, parameters)


@settings(deadline=None)
@given(st.dictionaries(st.text(string.ascii_lowercase, min_size=1), st.text().filter(lambda text: "'" not in text)))
def test_a_quoted_value_may_be_any_text(parameters):
    spec = "s(" + ", ".join(f"{key}='{value}'" for key, value in parameters.items()) + ")"
    assert parse_spec(spec) == ("s", parameters)


@given(
    st.none()
    | st.sampled_from(["none", "a,b", "(", "it's", " x ", "a b", "[1]"])
    | st.text("abc ,()[]=none'", max_size=8)
)
def test_the_spec_of_a_strategy_is_read_back(word):
    strategy = TakesMany(opener=word)
    name, parameters = parse_spec(strategy.spec)
    assert (name, TakesMany().with_parameters(parameters)) == ("takes-many", strategy)


# Mistakes


@pytest.mark.parametrize(
    ("make", "fact"),
    [
        (lambda: TakesMany().with_parameters({"deep": "3"}), "'deep'"),
        (lambda: TakesMany().with_parameters({"depth": "three"}), "'three'"),
        (lambda: Entropy().with_parameters({"pool": "words"}), "'words'"),
        (lambda: FirstConsistent().with_parameters({"depth": "3"}), "'depth'"),
        (lambda: parse_spec(""), "''"),
        (lambda: parse_spec("two words"), "'two words'"),
        (lambda: parse_spec("entropy(crate)"), "'crate'"),
        (lambda: parse_spec("entropy(opener=a, opener=b)"), "'opener'"),
        (lambda: parse_spec("entropy(words=[a, b)"), r"\[a, b"),
        (lambda: parse_spec("entropy(a=b))"), r"a=b\)"),
    ],
    ids=range(10),
)
def test_a_mistake_in_parameters_is_named(make, fact):
    with pytest.raises(wk.StrategyError, match=fact):
        make()
