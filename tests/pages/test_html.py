"""Packed values are unpacked unchanged."""

import base64
import gzip
import json

from hypothesis import given
from hypothesis import strategies as st
from wordle_kit_plugins.pages.html import compressed, packed, varints

import wordle_kit as wk
from wordle_kit.game.rules import mark_names

NUMBERS = st.lists(st.integers(0, 2**32 - 1))


@given(NUMBERS)
def test_varints_are_read_back(twin, numbers):
    assert twin["varints"](varints(numbers)) == numbers


@given(st.dictionaries(st.text(), st.text() | st.integers() | st.none()), st.lists(st.binary()))
def test_header_and_columns_are_read_back(twin, header, columns):
    header = json.loads(json.dumps(header)) | {"columns": None}
    text = packed(header, columns)
    assert text.isascii()
    assert twin["unpack"](text) == (header | {"columns": [len(column) for column in columns]}, columns)


def test_a_lone_surrogate_is_packed_too(twin):
    header, _ = twin["unpack"](packed({"name": "a\ud800"}, []))
    assert header["name"] == "a\ud800"


def test_a_rule_without_marks_has_no_names():
    assert mark_names(wk.load_game("mastermind").rule) == mark_names(None) == []


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists))
def test_compressed_data_is_read_back(data):
    assert json.loads(gzip.decompress(base64.b64decode(compressed(data)))) == data


def test_a_lone_surrogate_is_compressed_too():
    assert json.loads(gzip.decompress(base64.b64decode(compressed("a\ud800")))) == "a\ud800"
