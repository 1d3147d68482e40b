"""The engine's work does not count as a strategy's time, and a lack of memory or disk is not its fault."""

import subprocess
import sys

import pytest
from needs import needs_linux

import wordle_kit as wk
from wordle_kit.errors import MachineError
from wordle_kit.tournaments.runs import Outcome
from wordle_kit.tournaments.store import Store

PLUGIN = """
import time
import wordle_kit as wk

class Slow(wk.MarksRule):
    counts_copies = False

    def marks(self, guess, answer):
        return [2 if a == b else 1 if a in answer else 0 for a, b in zip(guess, answer)]

    def codes(self, answers, guesses, alphabet):
        {does}
        return super().codes(answers, guesses, alphabet)

class Splitter(wk.PartitionStrategy):
    def part_cost(self, size):
        return size * size

@wk.hookimpl
def register_rules(register):
    register(Slow())

@wk.hookimpl
def register_strategies(register):
    register(Splitter())
"""
GAME = {"name": "slow", "alphabet": "abcdefgh", "length": 3, "answers": "all", "rule": "slow"}


@pytest.fixture
def plugins(tmp_path, request):
    """Return a plugin whose rule does this, before it works out codes."""
    path = tmp_path / "slow.py"
    path.write_text(PLUGIN.format(does=request.param))
    return wk.Plugins.load([path])


def outcomes(plays):
    return {play.outcome for play in plays} - {Outcome.OUT_OF_GUESSES}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("plugins", "deadline", "memory"),
    [
        ("time.sleep(len(answers) * len(guesses) / 24_000)", 10, 2**20),  # 11 s for the table
        ("time.sleep(len(answers) * len(guesses) / 200_000)", 1, 250_000),  # 1.3 s at each first guess
    ],
    indirect=["plugins"],
    ids=["kept", "in blocks"],
)
def test_a_tournament_does_not_count_the_engines_own_work(plugins, deadline, memory):
    game = wk.load_game(GAME, plugins).replace(memory=memory)
    assert game.table.is_dense == (memory == 2**20)
    board = wk.tournament(game, ["splitter"], 20, plugins=plugins, deadline=deadline, workers=1)
    assert outcomes(board.plays("splitter")) == {Outcome.SOLVED}


@pytest.mark.parametrize("plugins", ["raise MemoryError", "raise OSError(28, 'No space left')"], indirect=True)
def test_a_lack_of_memory_or_disk_in_the_engines_work_ends_a_tournament_and_is_not_stored(plugins, path):
    with pytest.raises(MachineError):
        wk.tournament(GAME, ["splitter"], 5, plugins=plugins, workers=1, store=path)
    with Store(path) as results:
        assert [played for _, _, played in results.runs()] == [0]


NO_ROOM = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))  # as where the disk is full
from wordle_kit.cli import main
main()
"""


@pytest.mark.slow
@needs_linux
def test_a_command_that_lacks_room_on_the_disk_ends_with_one_line_and_stores_no_fault(path):
    options = ["tournament", "-g", "mastermind", "-s", "entropy", "--store", str(path), "--workers", "1"]
    done = subprocess.run([sys.executable, "-c", NO_ROOM, *options], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    with Store(path) as results:
        for run, _, _ in results.runs():
            assert {play.outcome for play in results.read(run).plays} <= {Outcome.SOLVED}
