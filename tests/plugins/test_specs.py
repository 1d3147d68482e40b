"""Strategies and games are found by specs such as `entropy(opener=crate)` and by names."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wordle_kit as wk
from wordle_kit.strategy.specs import parse_spec, variants
from wordle_kit.strategy.strategy import in_spec

names = st.from_regex(re.compile(r"[a-z][a-z0-9.:+-]{0,8}"), fullmatch=True)
keys = st.from_regex(re.compile(r"[a-z_][a-z0-9_]{0,6}"), fullmatch=True)
bare = (
    st.text("abz019.-+=/ öß:*", max_size=6)
    .map(str.strip)
    .filter(lambda text: text != "none" and ".." not in text)  # 0..9 stands for several values
)
quoted = st.text(max_size=8).filter(lambda text: not {"'", '"'} <= set(text))
values = st.recursive(
    bare.map(lambda text: (text, text))
    | quoted.map(lambda text: (f'"{text}"' if "'" in text else f"'{text}'", text))
    | st.just(("none", None)),
    lambda inner: st.lists(inner.filter(lambda value: value[0] != ""), max_size=3).map(
        lambda items: (f"[{', '.join(written for written, _ in items)}]", [value for _, value in items])
    ),
    max_leaves=6,
)
"""How a value is written, and what it is."""


def spec(name, parameters, space=""):
    inside = f",{space}".join(f"{key}{space}={space}{written}" for key, (written, _) in parameters.items())
    return f"{space}{name}{space}({space}{inside}{space}){space}"


@given(names, st.dictionaries(keys, values, max_size=4), st.sampled_from(["", " ", "\n  "]))
def test_a_spec_reads_back_as_it_was_written(name, parameters, space):
    assert parse_spec(spec(name, parameters, space)) == (name, {key: value for key, (_, value) in parameters.items()})


@given(names, st.dictionaries(keys, values, max_size=3), names, keys)
def test_a_value_may_be_a_spec_itself(name, parameters, outer, key):
    inner = spec(name, parameters)
    assert parse_spec(f"{outer}({key}={inner}, other=1)") == (outer, {key: inner} | {"other": "1"})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("entropy", ("entropy", {})),
        ("entropy()", ("entropy", {})),
        ("entropy(opener=crate, pool=candidates)", ("entropy", {"opener": "crate", "pool": "candidates"})),
        ("entropy(opener=none)", ("entropy", {"opener": None})),
        ("entropy(opener='none')", ("entropy", {"opener": "none"})),
        ("x(a='b, c) =')", ("x", {"a": "b, c) ="})),
        ('x(a="it\'s")', ("x", {"a": "it's"})),
        ("x(a=[b, c], d=[])", ("x", {"a": ["b", "c"], "d": []})),
        ("x(a=[[b], 'c,d'])", ("x", {"a": [["b"], "c,d"]})),
        ("x(a=y(b=1, c=2), d=3)", ("x", {"a": "y(b=1, c=2)", "d": "3"})),
        ("x(a=b=c)", ("x", {"a": "b=c"})),
    ],
)
def test_specs_read_as_they_look(text, expected):
    assert parse_spec(text) == expected


def test_a_strategy_loaded_from_a_spec_has_its_parameters():
    assert wk.load_strategy("entropy(opener=crate, ties=list-order)").parameters()["opener"] == "crate"


@pytest.mark.parametrize(
    ("spec", "named"),
    [
        ("entropie", "entropy"),  # the nearest
        ("entropy(openr=crate)", "opener"),
        ("entropy(pool=everything)", "everything"),
        ("entropy(crate)", "'crate'"),
        ("entropy(a=1, a=2)", "'a'"),
        ("entropy(a=[1)", r"entropy\(a=\[1\)"),
        ("entropy(opener=a|b)", r"a\|b"),  # two strategies
        ("entropy(endgame=0..1000)", "1,001"),  # too many
    ],
)
def test_a_spec_that_is_not_one_strategy_is_an_error_that_names_what_is_wrong(spec, named):
    with pytest.raises(wk.StrategyError, match=named):
        wk.load_strategy(spec)


# Several strategies at once


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("entropy", ["entropy"]),
        ("entropy( pool = guesses )", ["entropy( pool = guesses )"]),
        ("entropy(endgame=0..3)", [f"entropy(endgame={number})" for number in range(4)]),
        ("s(a=0..20..5)", [f"s(a={number})" for number in (0, 5, 10, 15, 20)]),
        ("s(a=0..1..0.25)", [f"s(a={number})" for number in ("0", "0.25", "0.5", "0.75", "1")]),
        ("s(a=0.1..0.35..0.1)", ["s(a=0.1)", "s(a=0.2)", "s(a=0.3)"]),
        ("s(a=-1..1)", ["s(a=-1)", "s(a=0)", "s(a=1)"]),
        ("s(a=x|y)", ["s(a=x)", "s(a=y)"]),
        ("s(a=1..2|10|x)", ["s(a=1)", "s(a=2)", "s(a=10)", "s(a=x)"]),
        ("s(a='x|y'|'0..3')", ["s(a='x|y')", "s(a='0..3')"]),
        ("s(a=x|y, b=1..2)", ["s(a=x, b=1)", "s(a=x, b=2)", "s(a=y, b=1)", "s(a=y, b=2)"]),
        ("s(base=t(a=1..2)|u, b=3)", ["s(base=t(a=1..2), b=3)", "s(base=u, b=3)"]),
        ("s(list=[a|b, 0..3])", ["s(list=[a|b, 0..3])"]),
        ("s(path=../x)", ["s(path=../x)"]),
    ],
)
def test_a_spec_stands_for_each_combination_of_its_values(spec, expected):
    assert [one.replace(" ", "") for one in variants(spec)] == [one.replace(" ", "") for one in expected]


@given(text=st.text(alphabet="ab|.0123='\"()[], ", max_size=12))
def test_a_value_is_written_so_that_it_stands_for_itself(text):
    spec = f"s(a={in_spec(text)})"
    try:
        _, parameters = parse_spec(spec)
    except wk.StrategyError:
        assert {"'", '"'} <= set(text)
        return
    assert variants(spec) == [spec]
    assert parameters == {"a": text}
