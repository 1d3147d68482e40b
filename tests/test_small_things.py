"""Odd parameters, odd alphabets and odd numbers: each works, or a line says why it does not."""

import json
import math
import subprocess
import sys

import pytest

import wordle_kit as wk
from wordle_kit import testing
from wordle_kit.game.words import Alphabet, read_word_file
from wordle_kit.texts import json_text
from wordle_kit.tournaments.entrants import enter

GAME = wk.load_game({"name": "abc", "alphabet": "abc", "length": 2, "answers": "all"})

IN_A_PROCESS = """
import wordle_kit as wk
from wordle_kit.tournaments.identity import identity_of

class Lucky(wk.Strategy):
    stochastic = True
    letters: frozenset[str] = frozenset("abcdefgh")
    nested: dict[str, tuple[frozenset[str], ...]] = {"x": (frozenset("qwertz"),)}

    def guess(self, position):
        return position.rng.choice(position.board.words)

print(Lucky().parameters(), Lucky(letters=frozenset("xyz")).spec, identity_of(Lucky()))
"""


def test_a_set_among_the_parameters_has_the_same_order_in_every_process():
    found = set()
    for seed in ("1", "2"):
        command = [sys.executable, "-c", IN_A_PROCESS]
        found.add(subprocess.run(command, env={"PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout)
    assert len(found) == 1, found


class Unshown:
    """Something whose own methods all raise."""

    def __eq__(self, other):
        raise RuntimeError("no comparison")

    def __hash__(self):
        raise RuntimeError("no hash")

    def __repr__(self):
        raise RuntimeError("no text")


class Odd(wk.Strategy):
    """Guess the first word there may be."""

    model_config = {"arbitrary_types_allowed": True}  # noqa: RUF012 - as pydantic has it

    key: bytes = b"\xff\x00"
    thing: Unshown = Unshown()

    def guess(self, position):
        return position.board.words[0]


class Unequal(wk.Strategy):
    """Guess the first word there may be."""

    def guess(self, position):
        return position.board.words[0]

    def __eq__(self, other):
        raise RuntimeError("no comparison")

    def __hash__(self):
        raise RuntimeError("no hash")

    def __repr__(self):
        raise RuntimeError("no text")


@pytest.mark.parametrize("kind", [Odd, Unequal])
def test_a_strategy_whose_parts_raise_plays_and_is_checked(kind):
    assert wk.play(kind, GAME)[0].outcome is wk.Outcome.SOLVED
    json.dumps(kind().parameters(), allow_nan=False)
    entrants, _ = enter([kind, "minimax"], GAME)
    assert len(entrants) == 2
    findings = {finding.check: finding for finding in testing.check_strategy(kind(), games=[GAME])}
    assert not findings["pickling"].passed
    assert findings["legality"].passed
    board = wk.tournament(GAME, [kind(), "minimax"], workers=1)
    assert len(board.rows) == 2
    board.table("json")


def test_bytes_are_written_as_text():
    assert Odd().parameters()["key"] == r"b'\xff\x00'"


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_json_is_strict(number):
    def refuse(name):
        raise AssertionError(name)

    text = json_text({"rows": [{"mean": number, "list": (1, number)}]})
    assert json.loads(text, parse_constant=refuse) == {"rows": [{"mean": None, "list": [1, None]}]}


@pytest.mark.parametrize("seconds", ["nan", "0", "-1"])
def test_seconds_that_cannot_be_are_refused(seconds):
    with pytest.raises(wk.WordleKitError, match="seconds is"):
        wk.optimal(GAME, seconds=float(seconds))


ACUTE, GRAVE = "\N{COMBINING ACUTE ACCENT}", "\N{COMBINING GRAVE ACCENT}"
KIYEOK, NIEUN, A, EO = "\u1100", "\u1102", "\u1161", "\u1165"


@pytest.mark.parametrize(
    ("symbols", "words"),
    [
        (["a", "e", ACUTE, GRAVE], [f"a{ACUTE}", f"e{GRAVE}", f"a{GRAVE}"]),
        ([KIYEOK, NIEUN, A, EO], [KIYEOK + A, NIEUN + EO, KIYEOK + EO]),
        (KIYEOK + NIEUN + A + EO, [KIYEOK + A, NIEUN + EO]),
    ],
)
def test_marks_and_jamo_may_be_symbols(symbols, words):
    game = wk.load_game({"name": "marks", "alphabet": symbols, "length": 2, "answers": words})
    assert game.answers == tuple(sorted(words, key=lambda word: game.alphabet.sort_key(game.word(word))))
    for play in wk.play("first-consistent", game):
        assert play.outcome is wk.Outcome.SOLVED
    assert game.word("\u00e1" if ACUTE in symbols else "\uac00") == tuple(words[0])


def test_a_letter_with_its_accent_is_one_symbol_where_marks_are_none():
    assert Alphabet(f"a{ACUTE}b").symbols == ("\u00e1", "b")
    assert Alphabet("\u00e1b").split(f"a{ACUTE}b") == ("\u00e1", "b")


def test_lines_that_begin_with_a_hash_are_comments_unless_it_is_a_symbol(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("#no space\n# space\n#\n#a\nab\n")
    assert read_word_file(path) == [(5, "ab")]
    assert read_word_file(path, Alphabet("ab")) == [(5, "ab")]
    assert read_word_file(path, Alphabet("ab#")) == [(1, "#no space"), (4, "#a"), (5, "ab")]
