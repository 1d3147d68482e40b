"""A fixture that reads what a page of puzzles contains."""

import base64
import gzip
import json
import re

import pytest


def data_of(html):
    """Return the data of a page of puzzles."""
    (payload,) = re.findall(r'id="payload">([^<]*)</script>', html)
    return json.loads(gzip.decompress(base64.b64decode(payload)))


def hidden_in(data):
    """Return the hidden words of each puzzle: on each board the word whose feedback is the winning one, number 0."""
    words, size = [data["words"][board.index(0)] for board in data["feedback"]], data["boards"]
    return [tuple(words[start : start + size]) for start in range(0, len(words), size)]


@pytest.fixture(scope="session")
def page_data():
    """Return the function that reads the data of a page."""
    return data_of


@pytest.fixture(scope="session")
def hidden_words():
    """Return the function that finds the hidden words in the data of a page."""
    return hidden_in
