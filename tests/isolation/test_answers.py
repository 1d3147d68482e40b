"""Answers of programs: lies of every kind, from real processes or made up, are refused with a reason in one line."""

import json
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from needs import needs_linux
from strategies import play_nothing_again

import wordle_kit as wk
from wordle_kit.isolation.answers import Contents, Guess, Loaded, Readiness
from wordle_kit.isolation.isolation import _strategies
from wordle_kit.isolation.protocol import ProtocolError, decode, encode

HONEST = """
import wordle_kit as wk

class Honest(wk.Strategy):
    def guess(self, position):
        return position.board.words[0]

@wk.hookimpl
def register_strategies(register):
    register(Honest())
"""

LIAR = """
import os, time

for number in range(3, 100):
    try:
        if os.readlink(f"/proc/self/fd/{{number}}").startswith("pipe:"):
            os.write(number, {line!r} + b"\\n")
    except OSError:
        pass
time.sleep(60)
"""

FACTS_OF_ONE = {
    "registered": "liar",
    "name": "liar",
    "version": "1",
    "stochastic": False,
    "by_name_only": False,
    "parameters": {},
    "any_game": True,
}


def plugin(**changes):
    """Return the message of a plugin with one strategy, some of its facts changed."""
    return {"type": "plugin", "strategies": [FACTS_OF_ONE | changes], "others": [], "failures": []}


def deep(levels):
    """Return lists inside one another."""
    made = []
    for _ in range(levels):
        made = [made]
    return made


LIES = {
    "a failure that is a list": ({"failures": [[]]}, "failures.1"),
    "a number as strategies": ({"strategies": 5}, "strategies"),
    "nothing": ({}, "no strategy"),
    "parameters 400 deep": (plugin(parameters={"x": deep(400)}), "deep"),
    "half of a surrogate pair": (b'{"failures": ["\\ud800"]}', "Unicode"),
    "not a number": (plugin(parameters={"x": float("nan")}), "JSON"),
    "a large number": (plugin(parameters={"x": 10**301}), "parameters"),
    "much": (plugin(parameters={"x": "y" * 70_000}), "65,536"),
    "a long name": (plugin(name="x" * 101), "100"),
    "escape sequences as a name": (plugin(name="\x1b[31m"), "name"),
    "a text as yes or no": (plugin(stochastic="no"), "stochastic"),
    "many": ({"strategies": [FACTS_OF_ONE] * 1001}, "1000"),
    "escape sequences as failure": ({"failures": ["\x1b[31m" + "x" * 10_000]}, r"\x1b[31mxxx"),
}


def line_of(lie):
    return lie if isinstance(lie, bytes) else encode(lie).rstrip(b"\n")


@pytest.mark.parametrize(("lie", "said"), LIES.values(), ids=LIES)
def test_a_lie_is_refused_with_a_reason(lie, said):
    with pytest.raises((ProtocolError, wk.PluginError)) as caught:
        _strategies(Contents.read(decode(line_of(lie))))
    assert said in str(caught.value)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 1000


@pytest.mark.slow
@needs_linux
def test_a_tournament_goes_on_beside_plugins_that_lie(tmp_path, letters, isolation_at, monkeypatch):
    play_nothing_again(monkeypatch)
    chosen = ("a number as strategies", "half of a surrogate pair")
    (tmp_path / "honest.py").write_text(HONEST)
    for number, name in enumerate(chosen):
        (tmp_path / f"liar{number}.py").write_text(LIAR.format(line=line_of(LIES[name][0])))
    (tmp_path / "zz_entropy.py").write_text(HONEST.replace("Honest", "Entropy"))
    (tmp_path / "zz_second.py").write_text(HONEST)
    plugins = wk.Plugins.load([], [tmp_path], isolation=isolation_at("plain"))
    failures = {failure.plugin: failure.error for failure in plugins.failures}
    assert failures.keys() == {"zz_entropy", "zz_second", *(f"liar{number}" for number in range(len(chosen)))}
    for number, name in enumerate(chosen):
        assert LIES[name][1] in failures[f"liar{number}"]
    assert "'entropy'" in failures["zz_entropy"]
    assert "'honest'" in failures["zz_second"]
    board = wk.tournament(letters, ["honest"], 3, workers=1, plugins=plugins)
    assert board.rows[0].solved + board.rows[0].failed == 3


@pytest.mark.slow
@needs_linux
def test_one_that_lies_once_it_is_to_play_crashes(tmp_path, letters, isolation_at):
    lie = plugin() | {"strategy": 5}
    (tmp_path / "liar.py").write_text(LIAR.format(line=line_of(lie)))
    plugins = wk.Plugins.load([], [tmp_path], isolation=isolation_at("plain", restarts=0))
    (row,) = wk.tournament(letters, ["liar"], 2, workers=1, plugins=plugins).rows
    assert row.outcomes == {"crashed": 2}
    assert "strategy: is 5" in row.problem


# Made up

TEXTS = st.text(st.integers(0, 0x10FFFF).map(chr), max_size=6)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | TEXTS
    | st.sampled_from([10**400, "liar", "rules", "ready"]),
    lambda some: st.lists(some, max_size=3) | st.dictionaries(TEXTS | st.sampled_from(list(FACTS_OF_ONE)), some),
    max_leaves=10,
)
READERS = (Contents.read, Loaded.read, Readiness.read, partial(Guess.answering, 1))
KEYS = (
    "strategies",
    "strategy",
    "failures",
    "others",
    "problem",
    "type",
    "protocol",
    "id",
    "guess",
    "error",
    "outcome",
)


@given(st.binary(max_size=60) | VALUES.map(lambda value: json.dumps(value).encode()), st.sampled_from(READERS))
def test_any_line_is_an_answer_or_a_reason(line, read):
    try:
        read(decode(line))
    except ProtocolError as error:
        str(error).encode()


@given(st.dictionaries(st.sampled_from(KEYS), VALUES | st.lists(VALUES, max_size=2)), st.sampled_from(READERS))
def test_any_message_is_an_answer_or_a_reason(message, read):
    try:
        read(decode(json.dumps(message).encode()))
    except ProtocolError as error:
        str(error).encode()
