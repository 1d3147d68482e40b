"""Strategies as models: their names, their parameters, and the texts that set them."""

import string

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

    def guess(self, position):
        return position.board.words[0]


# Names


def test_a_strategy_has_the_name_of_its_class_in_kebab_case():
    assert TakesMany.name == "takes-many"


def test_a_class_may_give_itself_another_name_which_its_subclasses_do_not_inherit():
    class Named(wk.Strategy):
        name = "the-best"

        def guess(self, position):
            return "x"

    class StillBetter(Named):
        pass

    assert (Named.name, StillBetter.name) == ("the-best", "still-better")


def test_a_strategy_without_a_guess_cannot_be_made():
    class Idle(wk.Strategy):
        pass

    with pytest.raises(wk.StrategyError, match="guess"):
        Idle()


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
    }


def test_texts_are_read_as_the_type_of_the_parameter():
    changed = TakesMany().with_parameters({"depth": "3", "greedy": "true", "share": "0.25", "opener": "abc"})
    assert changed == TakesMany(depth=3, greedy=True, share=0.25, opener="abc")


def test_parameters_that_are_not_set_stay_as_they_are():
    assert TakesMany(depth=7).with_parameters({"greedy": True}) == TakesMany(depth=7, greedy=True)


@pytest.mark.parametrize(
    ("strategy", "parameters", "complaint"),
    [
        (TakesMany(), {"deep": "3"}, "'deep'"),
        (TakesMany(), {"depth": "three"}, "'three'"),
        (Entropy(), {"pool": "words"}, "'words'"),
        (FirstConsistent(), {"depth": "3"}, "'depth'"),
    ],
)
def test_an_unknown_parameter_is_named_with_the_known_ones(strategy, parameters, complaint):
    with pytest.raises(wk.StrategyError, match=complaint):
        strategy.with_parameters(parameters)


# Specs


@pytest.mark.parametrize(
    ("spec", "name", "parameters"),
    [
        ("entropy", "entropy", {}),
        ("  entropy ( ) ", "entropy", {}),
        ("entropy(opener=crate)", "entropy", {"opener": "crate"}),
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


class Worded(wk.Strategy):
    """Has a parameter that may be any text."""

    word: str | None = None

    def guess(self, position):
        return position.board.words[0]


@given(
    st.none()
    | st.sampled_from(["none", "a,b", "(", "it's", " x ", "a b", "[1]"])
    | st.text("abc ,()[]=none'", max_size=8)
)
def test_the_spec_of_a_strategy_is_read_back(word):
    strategy = Worded(word=word)
    name, parameters = parse_spec(strategy.spec)
    assert (name, Worded().with_parameters(parameters)) == ("worded", strategy)
