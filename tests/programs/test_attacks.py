"""Attacks by broken or dishonest strategies, and how each ends in the sandbox.

An attack that only looks says what it found by raising an exception. Attacks are small enough to do no harm where they
are not stopped: some hundred processes, some megabytes of files, half a gigabyte of memory.
"""

import os
import re
import socket
import subprocess
import time

import pytest
from needs import needs_bubblewrap

import wordle_kit as wk

pytestmark = [pytest.mark.slow, needs_bubblewrap]

LIMITS = wk.Limits(memory=512, processes=24, files=64, written=16)
DAEMON = f"31337.{os.getpid()}"
"""How long a daemon sleeps, which is what it is known by."""

LOOKS = {
    "answers": (
        """
        kinds = {type(thing).__name__ for thing in gc.get_objects()} & {"Puzzles", "Referee", "Play", "Chunk"}
        tell(sorted(kinds))
        """,
        r"FOUND \[\]",
    ),
    "environment": ("""tell("SECRET" in os.environ)""", "FOUND False"),
    "privileges": (
        """
        sets = (ctypes.c_uint32 * 6)()  # effective, permitted and inheritable, in two halves
        got = ctypes.CDLL(None).capget((ctypes.c_uint32 * 2)(0x20080522, 0), sets)
        tell([got, [*sets[:2], *sets[3:5]], ctypes.CDLL(None).prctl(39, 0, 0, 0, 0)])  # PR_GET_NO_NEW_PRIVS
        """,
        r"FOUND \[0, \[0, 0, 0, 0\], 1\]",
    ),
    "descriptors": (
        """
        links = [f"/proc/self/fd/{number}" for number in range(3, 64)]
        files = [os.readlink(link) for link in links if os.path.lexists(link)]
        tell([file for file in files if "pipe:" not in file and "codes" not in file])
        """,
        r"FOUND \[\]",
    ),
    "other processes": (
        """tell([name for name in os.listdir("/proc") if name.isdigit() and int(name) > 50])""",
        r"FOUND \[\]",
    ),
    "other submissions": ("""tell(attempted(lambda: open(OTHER).read()))""", "FOUND FileNotFoundError"),
    "personal files": (
        """tell([attempted(lambda: os.listdir(path)) for path in ("/home", "/var", "/srv")])""",
        r"FOUND \[('FileNotFoundError'(, )?){3}\]",
    ),
    "network": (
        """tell(attempted(lambda: socket.create_connection(("127.0.0.1", PORT), 1) and "connected"))""",
        "FOUND (OSError|ConnectionRefusedError)",
    ),
    "namespaces": ("""tell(ctypes.CDLL(None, use_errno=True).unshare(0x10000000))""", "FOUND -1"),
    "writes elsewhere": (
        """
        folders = ("/", "/usr", os.path.dirname(wk.__file__), os.path.dirname(os.__file__))
        tell([attempted(lambda: open(f"{folder}/attack", "x").close() or "wrote") for folder in folders])
        """,
        r"FOUND \[('(OS|Permission)Error'(, )?){4}\]",
    ),
    "open files": (
        """
        kept = []
        try:
            while True: kept.append(open(os.devnull))
        except OSError: pass
        count = len(kept)
        kept.clear()
        tell(16 < count < 64)
        """,
        "FOUND True",
    ),
    "half a character": ("return chr(0xd800)", "illegal guess"),
}
"""Attacks that only look, and a pattern of what they find."""

ENDS = {
    "forks": (
        """
        while True:
            try:
                if os.fork() == 0: time.sleep(600)
            except OSError: time.sleep(0.01)
        """,
        "timed out: ",
    ),
    "allocates": (
        """
        kept = []
        while True: kept.append(bytearray(2**24))
        """,
        "crashed: MemoryError",
    ),
    "writes one file": (
        """
        with open(tempfile.mkstemp()[1], "wb") as file:
            for _ in range(24): file.write(bytes(2**20))
        """,
        "crashed: ",
    ),
    "writes files": (
        """
        for _ in range(32):
            with open(tempfile.mkstemp()[1], "wb") as file: file.write(bytes(2**20 - 4096))
        """,
        "crashed: OSError",
    ),
    "loops for good": (
        """
        while True:
            try:
                while True: pass
            except BaseException: pass
        """,
        "timed out: ",
    ),
    "sleeps": ("time.sleep(600)", "timed out: "),
    "sleeps without signals": (
        """
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        print("last words")
        sys.stdout.flush()
        time.sleep(600)
        """,
        "timed out: .*last words",
    ),
    "prints without end": ("while True: print('x' * 10_000)", "timed out: "),
    "prints ESC": (r"""os.write(2, b"\x1b[31m" * 1000); os._exit(1)""", r"crashed: [^\x1b]+$"),
    "exits": ("os._exit(3)", "crashed: .*exit code 3"),
    "segfaults": ("ctypes.string_at(0)", "crashed: .*SIGSEGV"),
    "kills itself": ("os.kill(os.getpid(), signal.SIGKILL)", "crashed: .*SIGKILL"),
    "kills its parent": ("os.kill(os.getppid(), signal.SIGKILL); time.sleep(600)", "crashed: |timed out: "),
    "junk": (r"""write_to_pipes(b"junk\n")""", "crashed: "),
    "out of turn": (r"""write_to_pipes(b'{"id":77,"guess":"aaaa"}\n')""", "crashed: .*77"),
    "half a line": (r"""write_to_pipes(b'{"id":1,"gue'); time.sleep(600)""", "timed out: "),
    "half a line and out": (r"""write_to_pipes(b'{"id":1,"gue'); os._exit(0)""", "crashed: .*exit code 0"),
    "ten megabytes": ("return 'x' * 10_000_000", "crashed: .*65,536"),
    "deep JSON": (r"""write_to_pipes(b"[" * 60_000 + b"\n")""", "crashed: "),
    "not a number": (r"""write_to_pipes(b'{"id":1,"guess":NaN}\n')""", "crashed: "),
    "closes its pipes": ("os.closerange(0, 64); time.sleep(600)", "timed out: |crashed: "),
    "patches the engine": (
        """
        wk.Position.problem_with = lambda *_: None
        vars(position.game)["guess_index"] = {"zzzz": 0}
        return "zzzz"
        """,
        "illegal guess: 'zzzz'",
    ),
    "daemon": (
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
    "locks its folder": ("os.chmod(tempfile.mkdtemp(), 0)", "solved|out of guesses"),
}
"""Attacks that end a program, and a pattern of the outcome."""


def ending(program, game, deadline=60.0):
    """How a game ends. Only an attack that waits for its deadline gets a short one, since a machine may be busy."""
    (play,) = wk.play(program, game, ["fade"], deadline=deadline)
    return f"{play.outcome}: {play.message}"


@pytest.mark.parametrize("name", LOOKS)
def test_a_strategy_that_looks_around_finds_nothing(name, letters, written, tmp_path_factory, monkeypatch):
    other = tmp_path_factory.mktemp("other") / "honest.py"
    other.write_text("secret")
    monkeypatch.setenv("SECRET", "the-word-is-fade")
    body, wanted = LOOKS[name]
    with socket.create_server(("127.0.0.1", 0)) as server:
        body = f"OTHER, PORT = {str(other)!r}, {server.getsockname()[1]}\n{'        '}{body.strip()}"
        file = written(body.replace("\n        ", "\n"))
        assert re.search(wanted, ending(wk.Program.serving(file, wk.Sandbox(LIMITS)), letters))


@pytest.mark.parametrize("name", ENDS)
def test_an_attack_ends_as_promised_and_leaves_nothing_behind(name, letters, written):
    body, wanted = ENDS[name]
    program = wk.Program.serving(written(body), wk.Sandbox(LIMITS))
    assert re.search(wanted, ending(program, letters, 2.0 if "timed out" in wanted else 60.0))
    program.stop()
    time.sleep(0.1)
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert DAEMON not in listed
    assert str(program.files()[0]) not in listed


def test_an_honest_strategy_plays_beside_a_fork_bomb_as_it_plays_alone(letters, written):
    bomb = wk.Program.serving(written(ENDS["forks"][0], "bomb.py"), wk.Sandbox(LIMITS))
    honest = wk.Program.serving(written("", "honest.py"), wk.Sandbox(LIMITS))
    plugins = wk.Plugins.load()
    alone = wk.tournament(letters, [honest], 40, workers=1, plugins=plugins)
    both = wk.tournament(letters, [bomb, honest], 40, workers=2, deadline=5.0)
    mine = next(row.strategy for row in both.rows if not row.failed)
    assert both.plays(mine) == alone.plays(alone.rows[0].strategy)
