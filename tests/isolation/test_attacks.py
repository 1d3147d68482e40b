"""Attacks by broken or dishonest strategies, and the result of each in the sandbox.

Most attacks are strategies of one tournament, with honest ones beside them. An attack that only looks says what it
found by raising an exception. Attacks are small enough to do no harm where they are not stopped: a few hundred
processes, some megabytes of files, half a gigabyte of memory.
"""

import itertools
import json
import os
import re
import socket
import tempfile
import textwrap
import time
from types import SimpleNamespace

import pytest
from strategies import play_nothing_again

import wordle_kit as wk
from wordle_kit.isolation.supervision import Supervision

pytestmark = pytest.mark.slow

HIDDEN = ["fade"]
DEADLINE, SHORT_DEADLINE = 10.0, 0.5
"""Seconds for a decision: of attacks that come to an end by themselves, and of the others."""

LIMITS = {"memory": 512, "processes": 24, "files": 64, "written": 4, "printed": 100_000, "restarts": 1}
SECRET = "the-word-is-fade"
DAEMON = f"31337.{os.getpid()}"
"""How long a daemon sleeps, which is what it is known by."""

HONEST = """
import wordle_kit as wk

class Honest(wk.Strategy):
    def guess(self, position):
        return position.board.words[len(position.board.words) // 2]

class HonestByChance(wk.Strategy):
    stochastic = True
    def guess(self, position):
        return position.rng.choice(position.board.words)

@wk.hookimpl
def register_strategies(register):
    register(Honest())
    register(HonestByChance())
"""

HEAD = """
import ctypes, gc, mmap, os, resource, signal, socket, subprocess, sys, tempfile, threading, time
import numpy
import wordle_kit as wk

def tell(what):
    raise RuntimeError(f"FOUND {what}")

def attempted(act):
    try:
        return act()
    except BaseException as error:
        return type(error).__name__

def opened():  # a sandbox may not list the folder
    links = {number: f"/proc/self/fd/{number}" for number in range(3, 64)}
    return {number: os.readlink(link) for number, link in links.items() if os.path.lexists(link)}

def pipes():
    return [number for number, file in opened().items() if file.startswith("pipe:")]

def tables():
    return [file for file in opened().values() if "feedback-table" in file]

def write_to_pipes(text):
    for pipe in pipes():
        attempted(lambda: os.write(pipe, text))

class Attack(wk.Strategy):
    act: str
    def guess(self, position):
        made = globals()[self.act](position)
        return position.board.words[0] if made is None else made
"""

# Name: the attack, and a pattern of the outcome of its plays.
ATTACKS = {
    # It looks for the answer.
    "Frames": (
        """
        kinds = {type(thing).__name__ for thing in gc.get_objects()}
        frame, names = sys._getframe(), set()
        while frame:
            names |= set(frame.f_locals)
            frame = frame.f_back
        kinds &= {"Puzzles", "Referee", "Play", "Chunk", "StoredRun"}
        tell(sorted(kinds) + sorted(names & {"puzzles", "members"}))
        """,
        r"FOUND \[\]",
    ),
    "Environment": (
        """tell(["SECRET" in os.environ, [key for key in os.environ if "WORDLE_KIT" in key and os.environ[key]]])""",
        r"FOUND \[False, \[\]\]",
    ),
    "Privileges": (
        """
        libc, sets = ctypes.CDLL(None), (ctypes.c_uint32 * 6)()  # effective, permitted and inheritable, in two halves
        header = (ctypes.c_uint32 * 2)(0x20080522, 0)
        tell([libc.capget(header, sets), [*sets[:2], *sets[3:5]], libc.prctl(39, 0, 0, 0, 0)])  # PR_GET_NO_NEW_PRIVS
        """,
        r"FOUND \[0, \[0, 0, 0, 0\], 1\]",
    ),
    "Descriptors": (
        """tell([file for file in opened().values() if not file.startswith(("pipe:", "/proc/"))])""",
        r"FOUND \[\]",
    ),
    "OtherProcesses": (
        """
        ours = {os.getpid(), os.getppid(), 1}
        listed = attempted(lambda: os.listdir("/proc"))
        names = [str(number) for number in range(1, 5000)] if isinstance(listed, str) else listed  # or try them
        tell([name for name in names if name.isdigit() and int(name) not in ours and os.path.exists(f"/proc/{name}")])
        """,
        r"FOUND \[\]",
    ),
    "OtherSubmission": (
        """tell(attempted(lambda: "read" if "HonestByChance" in open(OTHER).read() else "else"))""",
        "FOUND FileNotFoundError",
    ),
    # It harms the engine or the parent.
    "PatchesEngine": (
        """
        import wordle_kit.tournaments.referee as referee
        referee.Referee.ask = lambda *_: 0
        wk.Position.allows = lambda *_: None
        vars(position.game)["guess_ids"] = {"zzzz": 0}
        position.game.table._dense = position.game.table._dense * 0
        return "zzzz"
        """,
        "illegal guess: 'zzzz'",
    ),
    "KillsParent": (
        """
        found = attempted(lambda: os.kill(os.getppid(), signal.SIGKILL))
        time.sleep(0.1)
        tell(found)
        """,
        "crashed: ",
    ),
    # It uses up resources.
    "Forks": (
        """
        while True:
            try:
                if os.fork() == 0:
                    time.sleep(600)
            except OSError:
                time.sleep(0.01)
        """,
        "crashed: .*24 processes|timed out",
    ),
    "ForksAndExits": (
        """
        while True:
            try:
                if os.fork() == 0:
                    if os.fork() == 0:
                        time.sleep(600)
                    os._exit(0)
                os.wait()
            except OSError:
                time.sleep(0.01)
        """,
        "crashed: .*24 processes|timed out",
    ),
    "Allocates": (
        """
        kept = []
        while True: kept.append(bytearray(2**24))
        """,
        "crashed: (MemoryError|.*512 MB)|timed out",
    ),
    "AllocatesShared": (
        """
        kept = []
        while True:
            kept.append(mmap.mmap(-1, 2**24))
            kept[-1][:] = b"x" * 2**24
            time.sleep(0.002)
        """,
        "crashed: (.*512 MB|OSError|MemoryError|PermissionError)|timed out",
    ),
    "OpensFiles": (
        """
        kept = []
        try:
            while True: kept.append(open(os.devnull))
        except OSError: pass
        count = len(kept)
        kept.clear()
        tell(32 < count < 64)
        """,
        "FOUND True",
    ),
    "LoopsForGood": (
        """
        while True:
            try:
                while True: pass
            except BaseException: pass
        """,
        "timed out: ",
    ),
    "Sleeps": ("time.sleep(600)", "timed out: "),
    "SleepsWithoutSignals": (
        """
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        print("last words")
        sys.stdout.flush()
        time.sleep(600)
        """,
        "timed out: .*last words",
    ),
    "Prints": (
        """
        while True: print("x" * 10_000)
        """,
        "crashed: .*100,000 bytes",
    ),
    "PrintsOneLine": (
        """sys.stderr.write("\\x1b[31m" * 2_000_000)""",
        r"crashed: [^\x1b]+$",
    ),
    "WritesOneFile": (
        """
        with open(tempfile.mkstemp()[1], "wb") as file:
            for _ in range(6): file.write(bytes(2**20))
        """,
        "crashed: OSError",
    ),
    "WritesFiles": (
        """
        written = 0
        try:
            for _ in range(8):
                with open(tempfile.mkstemp()[1], "wb") as file: written += file.write(bytes(2**20 - 4096))
        except OSError: pass
        tell(written > 2**22)
        """,
        "FOUND False",
    ),
    "WritesElsewhere": (
        """
        def write(path):
            open(path, "x").close()
            os.remove(path)  # it was there for a moment, which is proof enough
            return "wrote"

        packages = (os.path.dirname(module.__file__) for module in (wk, numpy))
        compiled = os.path.join(os.path.dirname(wk.__file__), "strategy", "__pycache__")
        folders = ("/", "/dev", "/dev/shm", *packages, compiled, os.path.dirname(OTHER))
        tell([attempted(lambda: write(f"{folder}/wordle-kit-attack-{os.getpid()}")) for folder in folders])
        """,
        r"FOUND \[('(OS|Permission|FileNotFound)Error'(, )?){7}\]",
    ),
    "Sockets": (
        """tell(attempted(lambda: socket.create_connection(("127.0.0.1", PORT), 1) and "connected"))""",
        "FOUND (OSError|ConnectionRefusedError)",
    ),
    # It ends, or speaks out of turn.
    "Exits": ("os._exit(3)", "crashed: .*exit code 3"),
    "Segfaults": ("ctypes.string_at(0)", "crashed: .*SIGSEGV"),
    "KillsItself": ("os.kill(os.getpid(), signal.SIGKILL)", "crashed: .*SIGKILL"),
    "Junk": (
        r"""write_to_pipes(b"junk\n")""",
        "crashed: ",
    ),
    "OutOfTurn": (
        r"""
        write_to_pipes(b'{"id":77,"guess":"aaaa"}\n')
        """,
        "crashed: .*77",
    ),
    "TwoAnswers": (
        r"""
        write_to_pipes(b'{"id":%d,"guess":"aabb"}\n' % position.turn)
        """,
        "crashed: ",
    ),
    "HalfALine": (
        r"""
        write_to_pipes(b'{"id":1,"gue')
        time.sleep(600)
        """,
        "timed out: ",
    ),
    "HalfALineAndOut": (
        r"""
        write_to_pipes(b'{"id":1,"gue')
        os._exit(0)
        """,
        "crashed: .*exit code 0",
    ),
    "TenMegabytes": ("return 'x' * 10_000_000", "crashed: .*65,536"),
    "DeepJson": (r"""write_to_pipes(b"[" * 60_000 + b"\n")""", "crashed: "),
    "DeepFolders": (
        """
        for _ in range(300 if position.turn == 1 else 0):  # a path longer than the system allows
            os.mkdir("d" * 100)
            os.chdir("d" * 100)
        """,
        "solved|out of guesses",
    ),
    "NotText": ("return chr(0xd800)", "illegal guess"),
    "ClosesPipes": (
        """
        os.closerange(0, 64)
        time.sleep(600)
        """,
        "timed out: ",
    ),
    "Daemonises": (
        f"""
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.closerange(0, 64)
                os.execve("/usr/bin/sleep", ["[kworker/0:1]", "{DAEMON}"], {{}})
            os._exit(0)
        """,
        "solved|out of guesses",
    ),
    "DaemonisesAndKillsParent": (
        f"""
        if os.fork() == 0:
            os.setsid()
            os.execve("/usr/bin/env", ["env", "sleep", "{DAEMON}"], dict(os.environ))
        time.sleep(0.1)
        os.kill(os.getppid(), signal.SIGKILL)
        """,
        "crashed: |solved|out of guesses",
    ),
    "LocksItsFolder": (
        """
        folder = tempfile.mkdtemp()
        open(os.path.join(folder, "file"), "w").close()
        os.chmod(folder, 0)
        tell("locked")
        """,
        "FOUND locked",
    ),
}

HANG = {
    "Forks",
    "ForksAndExits",
    "LoopsForGood",
    "Sleeps",
    "SleepsWithoutSignals",
    "HalfALine",
    "ClosesPipes",
}
"""Those that do not come to an end by themselves."""

LOOKS = {
    "Frames",
    "Environment",
    "Privileges",
    "Descriptors",
    "OtherProcesses",
    "OtherSubmission",
    "Sockets",
    "OpensFiles",
    "WritesElsewhere",
    "LocksItsFolder",
    "NotText",
}
"""Those that leave their process as it was: one process makes them all, each in a position after the opener."""

OPENER = "abcd"


TAIL = """
class Looks(wk.Strategy):
    def guess(self, position):
        return OPENER if position.turn == 1 else globals()[LOOKS[position.board.codes[0]]](position)

@wk.hookimpl
def register_strategies(register):
    register(Looks())
    for name in ATTACKS:
        register(Attack(act=name), name=name)
"""


def puzzles_of_looks(game):
    """Return a hidden word for each attack that leaves its process as it was; no two answer the opener alike."""
    words = {game.feedback(OPENER, word).code: word for word in game.answers if word != OPENER}
    return dict(zip(sorted(LOOKS), itertools.islice(words.values(), len(LOOKS)), strict=True))


def source(other, port, looks):
    """Return the text of the plugin with all attacks. It must not mention kernels: they take long to load."""
    parts = [HEAD, f"OTHER, PORT, OPENER, LOOKS = {str(other)!r}, {port}, {OPENER!r}, {looks}"]
    parts.append(f"ATTACKS = {sorted(ATTACKS.keys() - LOOKS)}")
    for name, (body, _) in ATTACKS.items():
        parts.append(f"def {name}(position):")
        parts.append(textwrap.indent(textwrap.dedent(body).strip(), " " * 4))
    text = "\n".join([*parts, TAIL])
    assert "kernels" not in text
    return text


@pytest.fixture(scope="module")
def played(level, letters, isolation_at, left_behind, tmp_path_factory):
    """Return the tournament of the honest strategies, those with the attacks, and what the attacks left behind."""
    folder = tmp_path_factory.mktemp(level)
    honest, attacks, temporary = folder / "honest.py", folder / "attacks.py", folder / "temporary"
    temporary.mkdir()
    honest.write_text(HONEST)
    isolation = isolation_at(level, **LIMITS)
    ours = ("wordle_kit.isolation.child", "supervisor.py")
    others = left_behind(*ours, ours=True)  # of strategies that other tests still use
    with pytest.MonkeyPatch.context() as patch, socket.create_server(("127.0.0.1", 0)) as server:
        words = puzzles_of_looks(letters)
        looks = {letters.feedback(OPENER, word).code: name for name, word in words.items()}
        attacks.write_text(source(honest, server.getsockname()[1], looks))
        patch.setattr(tempfile, "tempdir", str(temporary))
        patch.setenv("SECRET", SECRET)
        play_nothing_again(patch)  # one process for each attack
        patch.setattr(Supervision, "settle", settle_honest)
        plugins = wk.Plugins.load([honest, attacks], isolation=isolation, strict=True)
        honest_ones = [name for name, entry in plugins.strategies.items() if entry.plugin == "honest"]

        def tournament(strategies, deadline, puzzles=HIDDEN):
            settings = {"deadline": deadline, "workers": 2, "secret": "7" * 32}  # the same chance for all
            return wk.tournament(letters, strategies, puzzles, plugins=plugins, **settings)

        stuck, ending = ATTACKS.keys() & HANG, ATTACKS.keys() - HANG - LOOKS
        alone = tournament(honest_ones, DEADLINE)
        boards = [tournament([*honest_ones, *ending], DEADLINE), tournament([*honest_ones, *stuck], SHORT_DEADLINE)]
        quiet = tournament(["looks"], DEADLINE, list(words.values())).plays("looks")
        made = {name: boards[name in HANG].plays(name) for name in ending | stuck}
        made |= {name: [play for play in quiet if play.puzzle == (word,)] for name, word in words.items()}
        time.sleep(0.1)
        left = left_behind(DAEMON) + [line for line in left_behind(*ours, ours=True) if line not in others]
        files = [path.name for path in temporary.iterdir()]
        return SimpleNamespace(alone=alone, beside=boards, attacks=made, files=files, left=left)


settle = Supervision.settle


def settle_honest(policy, chunk, beside, *others):
    """Play a chunk again alone if an honest strategy timed out; the first result of the attacks counts."""
    return settle(policy, chunk, beside, *others) if chunk.strategy.registered.startswith("honest") else beside


def as_bytes(plays):
    """Return plays as they are written down."""
    return json.dumps([[getattr(play, name) for name in play.__slots__] for play in plays]).encode()


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_ends_as_promised(played, name):
    (play,) = played.attacks[name]
    assert re.search(ATTACKS[name][1], f"{play.outcome}: {play.message}")


def test_no_attack_harms_another_strategy_or_leaves_anything_behind(played):
    for name, board in itertools.product(("honest", "honest-by-chance"), played.beside):
        assert as_bytes(board.plays(name)) == as_bytes(played.alone.plays(name))
        assert {play.outcome for play in board.plays(name)} <= {wk.Outcome.SOLVED, wk.Outcome.OUT_OF_GUESSES}
    assert played.left == []
    assert played.files == []
