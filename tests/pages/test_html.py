"""Data of pages are read back unchanged."""

import base64
import gzip
import json

from hypothesis import given
from hypothesis import strategies as st
from wordle_kit_plugins.pages.html import compressed


def read(text):
    """Return compressed data."""
    return json.loads(gzip.decompress(base64.b64decode(text)))


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists))
def test_data_are_read_back(data):
    assert read(compressed(data)) == data


def test_a_lone_surrogate_is_written_too():
    assert read(compressed("a\ud800")) == "a\ud800"
