"""Parameters of any kind: every process writes them in the same way, and their own methods cannot end a run."""

import subprocess
import sys

import pytest

import wordle_kit as wk

IN_A_PROCESS = """
import wordle_kit as wk
from wordle_kit.sources import value_text

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


class Unshown:
    """Something whose own methods all raise."""

    def __eq__(self, other):
        raise RuntimeError("no comparison")

    def __hash__(self):
        raise RuntimeError("no hash")

    def __repr__(self):
        raise RuntimeError("no text")


class Odd(wk.Strategy):
    """Guess the first word that may be the answer."""

    model_config = {"arbitrary_types_allowed": True}  # noqa: RUF012 - as pydantic has it

    key: bytes = b"\xff\x00"
    thing: Unshown = Unshown()

    def guess(self, position):
        return position.board.words[0]


def test_bytes_are_written_as_text():
    assert Odd().parameters()["key"] == r"b'\xff\x00'"
