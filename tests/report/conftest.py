"""What a page has packed, unpacked again by the slow twin of its script, and the page as a list of its tags."""

import base64
import json
import re
import zlib
from dataclasses import dataclass
from html.parser import HTMLParser

import pytest

import wordle_kit as wk


def read_varints(column):
    """Return the numbers of a column, one bit after the other."""
    numbers, bits = [], ""
    for byte in column:
        bits = f"{byte & 127:07b}{bits}"
        if byte < 128:
            numbers.append(int(bits, 2))
            bits = ""
    assert not bits
    return numbers


def unpack(text):
    """Return the header of a payload and its columns."""
    plain = zlib.decompress(base64.b64decode(text))
    end = 4 + int.from_bytes(plain[:4], "big")
    header = json.loads(plain[4:end])
    columns = []
    for length in header["columns"]:
        columns.append(plain[end : end + length])
        end += length
    assert end == len(plain)
    return header, columns


@dataclass(frozen=True)
class Turn:
    """A turn of a replay, with its words and feedback by number."""

    guess: int
    feedback: tuple[int, ...]
    left: tuple[int, ...]


def plays_of(columns, boards):
    """Return the turns of each play, by its place, from the columns of a strategy's replays."""
    depths, guesses, feedback, left, endings, ended = columns
    plays, path, before = {}, [], {}
    places = iter(ended)

    def end(count):
        plays.update({next(places): list(path) for _ in range(count)})

    end(endings[0])
    for turn, depth in enumerate(depths):
        del path[depth - 1 :]
        parent = tuple(path)
        guess = guesses[turn] - 1 if guesses[turn] else before[parent]
        before[parent] = guess
        at = slice(turn * boards, (turn + 1) * boards)
        path.append(Turn(guess, tuple(feedback[at]), tuple(left[at])))
        end(endings[turn + 1])
    return plays


class Tags(HTMLParser):
    """The tags of a page with their attributes, and the text inside of scripts, styles and everything else."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.tags, self.texts, self.inside = [], {}, []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.inside.append(tag)

    def handle_endtag(self, tag):
        while self.inside and self.inside.pop() != tag:
            pass

    def handle_data(self, data):
        self.texts.setdefault(self.inside[-1] if self.inside else "", []).append(data)


def payload_of(page):
    """Return the header and columns of a page."""
    return unpack(re.search(r'id="payload">([^<]*)<', page)[1])


@pytest.fixture(scope="session")
def twin():
    """Return the functions above."""
    return {"varints": read_varints, "unpack": unpack, "plays": plays_of, "tags": Tags, "payload": payload_of}


class Hostile(wk.Strategy):
    """Guess the first word there may be, under a name that a browser could take for something else."""

    name = "<script>alert('x')</script>\"&\u202egnirts"

    def guess(self, position):
        return position.board.words[0]


class Crashing(wk.Strategy):
    """Crash, with a message that a browser could take for something else."""

    def guess(self, position):
        if position.turn > 1:
            raise RuntimeError("<img src=x onerror=alert(1)>")
        return position.game.guesses[-1]


@pytest.fixture(scope="session")
def hostile_board():
    """Return a leaderboard with a strategy that has a hostile name, and one that crashes with a hostile message."""
    return wk.tournament("mastermind", [Hostile(), Crashing(), "random-consistent"], 40, seed=0, workers=1)


@pytest.fixture(scope="session")
def board():
    """Return a leaderboard of Wordle with two deterministic strategies and a random one."""
    return wk.tournament("wordle", ["entropy", "first-consistent", "random-consistent"], 60, seed=0, workers=1)
