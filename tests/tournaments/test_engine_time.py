"""The engine's work does not count as a strategy's time, and a lack of memory or disk is not its fault."""

import os
import subprocess
import sys

import pytest

import wordle_kit as wk
from wordle_kit.errors import MachineError
from wordle_kit.isolation.isolation import Isolation
from wordle_kit.tournaments.runs import Outcome
from wordle_kit.tournaments.store import Store

RULE = """
import time
import wordle_kit as wk

class {kind}(wk.MarksRule):
    counts_copies = False

    def marks(self, guess, answer):
        return [2 if a == b else 1 if a in answer else 0 for a, b in zip(guess, answer)]

    def codes(self, answers, guesses, alphabet):
        {does}
        return super().codes(answers, guesses, alphabet)

@wk.hookimpl
def register_rules(register):
    register({kind}())
"""

STRATEGY = """
class {kind}Splitter(wk.PartitionStrategy):
    def part_cost(self, size):
        return size * size

@wk.hookimpl
def register_strategies(register):
    register({kind}Splitter())
"""

DEADLINE = 1.0
SLOW = f"time.sleep({DEADLINE} * len(answers) * len(guesses) / 200_000 if len(answers) > 100 else 0)"
"""A rule that needs longer than the deadline for many codes."""

GAME = 'name = "slow"\nalphabet = "abcdefgh"\nlength = 3\nanswers = "all"\nrule = "{rule}"\n'


@pytest.fixture
def written(tmp_path):
    """Return a function that writes a plugin with a rule, and a file with a game of 512 words that it answers."""

    def write(kind="slow", does=SLOW):
        plugin, game = tmp_path / f"{kind}.py", tmp_path / f"{kind}.toml"
        plugin.write_text((RULE + STRATEGY).format(kind=kind.capitalize(), does=does))
        game.write_text(GAME.format(rule=kind))
        return plugin, game

    return write


def in_blocks(path, plugins):
    """Return a game whose table of 262,144 codes is computed in blocks, since it is not kept."""
    game = wk.load_game(path, plugins).replace(memory=250_000)
    assert not game.table.is_dense
    return game


def outcomes(plays):
    return {play.outcome for play in plays} - {Outcome.OUT_OF_GUESSES}


def test_a_tournament_does_not_count_the_engines_own_work(written):
    plugin, path = written()
    plugins = wk.Plugins.load([plugin], strict=True)
    for game in (wk.load_game(path, plugins), in_blocks(path, plugins)):
        board = wk.tournament(game, ["slow-splitter"], 20, plugins=plugins, deadline=DEADLINE, workers=1)
        assert outcomes(board.plays("slow-splitter")) == {Outcome.SOLVED}
        assert board.rows[0].ms_per_decision < 1000 * DEADLINE


def test_in_a_play_in_this_process_the_engine_s_work_does_not_count(written):
    plugin, path = written()
    plugins = wk.Plugins.load([plugin], strict=True)
    strategy = wk.load_strategy("entropy", plugins)
    for game in (wk.load_game(path, plugins), in_blocks(path, plugins)):
        assert outcomes(wk.play(strategy, game, 3, deadline=DEADLINE)) == {Outcome.SOLVED}


@pytest.mark.slow
@pytest.mark.parametrize("command", ["solve", "check"])
def test_in_a_command_the_engine_s_work_does_not_count(written, command):
    plugin, game = written()
    more = [plugin] if command == "check" else ["-s", "slow-splitter", "-p", plugin, "--answer", "bad"]
    options = [command, "-g", game, "--deadline", DEADLINE, *more]
    done = subprocess.run(
        [sys.executable, "-m", "wordle_kit", *map(str, options)], capture_output=True, text=True, check=False
    )
    assert "timed out" not in done.stdout
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="isolation needs Linux")
def test_an_isolated_strategy_has_the_time_that_the_engine_needs_there():
    fields = {"name": "large", "alphabet": "abcdefghijkl", "length": 4, "answers": "all"}
    game = wk.load_game(fields).replace(memory=2**24)  # of 430 million codes, which take longer than the deadline
    board = wk.tournament(game, ["entropy"], 2, isolation=Isolation(sandbox="plain"), deadline=1.5, workers=1)
    assert outcomes(board.plays("entropy")) == {Outcome.SOLVED}


# Shortages of the machine


LACKS = {
    "raise MemoryError": "there is not enough memory",
    "raise OSError(28, 'No space left on device')": "the system has run short: ENOSPC",
}


@pytest.mark.parametrize("does", LACKS)
@pytest.mark.parametrize("whole", [True, False], ids=["whole", "in blocks"])
def test_a_lack_of_memory_in_the_engines_work_ends_a_tournament_and_is_not_stored(written, tmp_path, does, whole):
    plugin, path = written(does=f"if len(answers) * len(guesses) > 600: {does}")
    plugins = wk.Plugins.load([plugin], strict=True)
    game = wk.load_game(path, plugins) if whole else in_blocks(path, plugins)
    store = tmp_path / "store"
    with pytest.raises(MachineError, match=LACKS[does]):
        wk.tournament(game, ["slow-splitter"], 5, plugins=plugins, workers=1, store=store)
    with Store(store) as results:
        assert [played for _, _, played in results.runs()] == [0]


NO_ROOM = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))  # as where the disk is full
from wordle_kit.cli import main
main()
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of resources")
@pytest.mark.parametrize("command", [["solve", "-a", "crane"], ["openers"]], ids=str)
def test_a_full_folder_of_compiled_code_is_named(tmp_path, command):
    ran = subprocess.run(
        [sys.executable, "-c", NO_ROOM.replace("150_000", "20_000"), *command],
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith(f"wordle-kit: {tmp_path}/")
    assert ran.stderr.endswith("; make room for compiled code, or set NUMBA_CACHE_DIR to another folder\n")
    assert ran.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of resources")
def test_a_command_that_lacks_room_on_the_disk_ends_with_one_line_and_stores_no_fault(tmp_path):
    store = tmp_path / "store"
    options = ["tournament", "-g", "mastermind", "-s", "entropy", "--store", store, "--workers", "1"]
    done = subprocess.run(
        [sys.executable, "-c", NO_ROOM, *map(str, options)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("wordle-kit: ")
    assert done.stderr.count("\n") == 1
    with Store(store) as results:
        for run, _, _ in results.runs():
            assert {play.outcome for play in results.read(run).plays} <= {Outcome.SOLVED}
