"""Channels between processes of strategies: what one could leave for another, or see another do.

Each attack is a program that is run at a level, by root and by an ordinary user, and reports the result. The filter
of system calls is tested if libseccomp is installed, at both levels.
"""

import ctypes
import errno
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from needs import needs_bubblewrap, needs_filter

from wordle_kit.isolation.process import Process
from wordle_kit.sandbox.supervisor import descendants
from wordle_kit.tournaments.player import NoGuess

LANDLOCK = ctypes.CDLL(None).syscall(444, None, 0, 1) if sys.platform == "linux" else -1
"""The version of Landlock that this machine has: at least 1, if it has any."""

PROGRAM = """
import ctypes, fcntl, json, mmap, os, socket, struct, sys, time
libc = ctypes.CDLL(None, use_errno=True)

def call(number, *arguments):
    ctypes.set_errno(0)
    result = libc.syscall(number, *map(ctypes.c_void_p, arguments))
    return result if result != -1 else -ctypes.get_errno()

def attempted(act):
    try:
        return act()
    except BaseException as error:
        return type(error).__name__

for line in sys.stdin:
    question = json.loads(line)
    namespace = dict(globals(), **question)
    exec(question["do"], namespace)
    print(json.dumps({"found": namespace.get("found")}), flush=True)
"""


@pytest.fixture
def started(tmp_path, isolation_at):
    """Return a function that starts a program at a level and returns a function that gives it commands."""
    processes = []

    def start(level, **limits):
        python = str(Path(sys.executable).absolute())
        process = Process([python, "-c", PROGRAM], [], isolation_at(level, **limits))
        processes.append(process)

        def do(text, **facts):
            return process.query(dict, {"do": textwrap.dedent(text), **facts}, 20)["found"]

        return do

    yield start
    for process in processes:
        process.close()


# Signals


@needs_filter
@pytest.mark.parametrize("level", ["plain", pytest.param("bubblewrap", marks=needs_bubblewrap)])
def test_no_signal_is_sent_to_all_processes_at_once(started, level):
    # Signal 0 reaches nobody: it only asks whether a signal may be sent.
    assert started(level)("found = attempted(lambda: os.kill(-1, 0))") == "PermissionError"


# Channels between processes


@needs_filter
@needs_bubblewrap
def test_locks_on_files_that_all_sandboxes_have_are_not_seen_by_others(started):
    take = "found = attempted(lambda: fcntl.flock(open(ctypes.__file__), fcntl.LOCK_EX | fcntl.LOCK_NB))"
    hold = f"import builtins\nbuiltins.held = open(ctypes.__file__)\n{take.replace('open(ctypes.__file__)', 'held')}"
    first, second = started("bubblewrap"), started("bubblewrap")
    first(hold)
    assert second(take) is None, "a lock that another sandbox has was seen"


@needs_filter
@pytest.mark.parametrize("command", ["F_SETLK", "F_SETLKW", "F_OFD_SETLK"])
def test_locks_by_fcntl_have_no_effect(level, started, command):
    lock = f"""
    import builtins
    builtins.held = open(ctypes.__file__)
    lock = struct.pack("hhqqi0q", fcntl.F_RDLCK, 0, 0, 1, 0)
    found = attempted(lambda: fcntl.fcntl(held, fcntl.{command}, lock) and 1)
    """
    look = """
    lock = fcntl.fcntl(open(ctypes.__file__), fcntl.F_GETLK, struct.pack("hhqqi0q", fcntl.F_WRLCK, 0, 0, 1, 0))
    found = struct.unpack("hhqqi0q", lock)[0] == fcntl.F_UNLCK
    """
    assert started(level)(lock) == 1
    assert started(level)(look) is True


@needs_filter
def test_leases_are_not_permitted(level, started):
    take = "found = attempted(lambda: fcntl.fcntl(open(ctypes.__file__), fcntl.F_SETLEASE, fcntl.F_RDLCK))"
    assert started(level)(take) == "PermissionError"


@needs_filter
@needs_bubblewrap
def test_times_of_devices_say_nothing(started):
    first, second = started("bubblewrap"), started("bubblewrap")
    time_of = "found = os.stat('/dev/null').st_mtime_ns"
    before = second(time_of)
    first("os.utime('/dev/null')")
    assert second(time_of) == before


@needs_bubblewrap
def test_a_sandbox_cannot_watch_the_machine(started):
    look = """
    def text(name):
        return open("/proc/" + name).read()
    names = ("meminfo", "stat", "loadavg", "vmstat", "locks", "keys", "pressure/cpu", "sys/fs/file-nr")
    names += ("sys/kernel/pty/nr", "irq/default_smp_affinity", "uptime", "cpuinfo")
    found = [text(name) for name in names if attempted(lambda: bool(text(name))) is True]
    """
    assert started("bubblewrap")(look) == []


@needs_bubblewrap
@pytest.mark.skipif(LANDLOCK < 1, reason="NO LANDLOCK TESTED: the system has none")
def test_a_sandbox_reads_nothing_in_proc_but_links(started):
    look = """
    import subprocess
    names = ["pagemap", "smaps", "smaps_rollup", "maps", "stat", "statm", "status", "io", "mem", "net/unix"]
    names = [f"self/{name}" for name in names] + ["1/stat", "uptime", "version", "sys/fs/dentry-state"]
    ran = subprocess.run(["cat", *(f"/proc/{name}" for name in names)], capture_output=True)
    found = [[name for name in names if attempted(lambda: open(f"/proc/{name}").read()) not in
              ("PermissionError", "FileNotFoundError")], ran.stdout.decode(), attempted(lambda: os.listdir("/proc")),
             os.readlink("/proc/self/exe") == os.path.realpath(sys.executable)]
    """
    assert started("bubblewrap")(look) == [[], "", "PermissionError", True]


@needs_bubblewrap
def test_a_sandbox_moves_files_from_folder_to_folder(started):
    move = """
    os.mkdir("folder")
    open("file", "w").write("text")
    os.link("file", "folder/link")
    os.rename("file", "folder/file")
    found = [sorted(os.listdir("folder")), open("/dev/null").read(), len(open("/dev/urandom", "rb").read(8))]
    """
    assert started("bubblewrap")(move) == [["file", "link"], "", 8]


HOLDS = """
import builtins
builtins.kept = []
def held(make):
    got = 0
    for _ in range(30):
        descriptor, flags = make()
        mapped = libc.mmap(None, ctypes.c_size_t(SIZE), 3, flags, descriptor, ctypes.c_long(0))
        if mapped == 2**64 - 1:
            break
        step = 2**18
        for start in range(0, SIZE, step):
            ctypes.memset(mapped + start, 1, step)
            libc.munmap(ctypes.c_void_p(mapped + start + 4096), ctypes.c_size_t(step - 4096))
        got += SIZE // 2**20
    return got

SIZE = 2**23
libc.mmap.restype = ctypes.c_size_t
zero = lambda: os.open("/dev/zero", os.O_RDWR)
ways = [lambda: (-1, 0x21), lambda: (-1, 0x4021), lambda: (-1, 0x40022)]
ways += [lambda: (zero(), 1)] if ZERO else []
ways += [lambda: (os.memfd_create("x"), 1)]
found = sum(got for got in map(attempted, [lambda way=way: held(way) for way in ways]) if isinstance(got, int))
"""


@needs_filter
def test_shared_memory_that_is_mapped_no_more_is_not_held(level, started):
    # At the plain level, /dev/zero and /dev/shm remain.
    hold = HOLDS.replace("ZERO", str(level == "bubblewrap"))
    assert started(level, memory=100)(hold) == 0, "MB were held that nobody counts"


@needs_bubblewrap
def test_links_count_because_each_takes_the_systems_memory(started):
    with pytest.raises(NoGuess, match=r"made more than 20,000 files, folders and links"):
        started("bubblewrap")(
            """
            open("file", "w").close()
            made = 0
            while attempted(lambda: os.link("file", str(made))) is None:
                made += 1
            found = made
            """
        )


@needs_bubblewrap
def test_page_tables_count_as_memory(started):
    fill = """
    for _ in range(24):
        if os.fork() == 0:
            kept = mmap.mmap(-1, 2**31, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ)
            for start in range(0, 2**31, 2**21):
                kept[start]
            time.sleep(60)
    time.sleep(6)
    """
    with pytest.raises(NoGuess, match="used more than 100 MB of memory"):
        started("bubblewrap", memory=100)(fill)


@needs_filter
@needs_bubblewrap
def test_the_buffers_of_sockets_count_as_memory(started):
    fill = """
    import builtins
    pairs = [socket.socketpair() for _ in range(COUNT)]
    builtins.kept = pairs
    got = 0
    for one in [one for pair in pairs for one in pair]:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2**22)
        one.setblocking(False)
        while (sent := attempted(lambda: one.send(bytes(4096)))) != "BlockingIOError":
            got += sent
    found = got
    """
    assert started("bubblewrap")(fill.replace("COUNT", "5")) < 10 * 213_000
    many = started("bubblewrap", memory=50)
    with pytest.raises(NoGuess, match="used more than 50 MB of memory"):
        many(textwrap.dedent(fill).replace("COUNT", "120") + "time.sleep(10)")


@needs_bubblewrap
def test_there_are_no_terminals_because_all_sandboxes_would_share_their_number(started):
    assert started("bubblewrap")("found = attempted(os.openpty)") in ("FileNotFoundError", "OSError")


@pytest.mark.skipif(sys.platform != "linux" or os.uname().machine != "x86_64", reason="the numbers are of x86_64")
@needs_filter
@pytest.mark.parametrize(
    ("name", "call", "error"),
    [
        ("keyctl", (250, 0, -3, 1), "ENOSYS"),
        ("add_key", (248, 0, 0, 0, 0, -3), "ENOSYS"),
        ("request_key", (249, 0, 0, 0, 0), "ENOSYS"),
        ("shmget", (29, 0, 4096, 0o1600), "ENOSYS"),
        ("msgget", (68, 0, 0o1600), "ENOSYS"),
        ("semget", (64, 0, 1, 0o1600), "ENOSYS"),
        ("mq_open", (240, 0, 0), "ENOSYS"),
        ("inotify_init1", (294, 0), "ENOSYS"),
        ("memfd_create", (319, 0, 0), "ENOSYS"),
        ("memfd_secret", (447, 0), "ENOSYS"),
        ("io_uring_setup", (425, 8, 0), "ENOSYS"),
        ("clone3", (435, 0, 0), "ENOSYS"),
        ("sysinfo", (99, 0), "ENOSYS"),
        ("mincore", (27, 0, 0, 0), "ENOSYS"),
        ("remap_file_pages", (216, 0, 0, 0, 0, 0), "ENOSYS"),
        ("splice", (275, 0, 0, 0, 0, 0, 0), "ENOSYS"),
        ("vmsplice", (278, 0, 0, 0, 0), "ENOSYS"),
        ("io_setup", (206, 1, 0), "ENOSYS"),
        ("statfs", (137, 0, 0), "ENOSYS"),
        ("fcntl F_SETPIPE_SZ", (72, 1, 1031, 2**20), "EPERM"),
        ("fcntl F_GETPIPE_SZ", (72, 1, 1032, 0), "EPERM"),
        ("fcntl F_GET_RW_HINT", (72, 0, 1035, 0), "EPERM"),
        ("fcntl F_SET_RW_HINT", (72, 0, 1036, 0), "EPERM"),
        ("fcntl F_GET_FILE_RW_HINT", (72, 0, 1037, 0), "EPERM"),
        ("fcntl F_SET_FILE_RW_HINT", (72, 0, 1038, 0), "EPERM"),
        ("mmap MAP_SHARED and MAP_ANONYMOUS", (9, 0, 4096, 3, 0x21, -1, 0), "EPERM"),
        ("mmap MAP_HUGETLB", (9, 0, 2**21, 3, 0x40022, -1, 0), "EPERM"),
        ("ptrace", (101, 0, 0, 0, 0), "EPERM"),
        ("process_vm_readv", (310, 1, 0, 0, 0, 0, 0), "EPERM"),
        ("unshare user", (272, 0x10000000), "EPERM"),
        ("clone user", (56, 0x10000000 | 17, 0, 0, 0, 0), "EPERM"),
        ("setns", (308, 0, 0), "EPERM"),
        ("mount", (165, 0, 0, 0, 0, 0), "EPERM"),
        ("fsopen", (430, 0, 0), "EPERM"),
        ("open_tree", (428, 0, 0, 0), "EPERM"),
        ("mount_setattr", (442, 0, 0, 0, 0, 0), "ENOSYS"),
        ("bpf", (321, 0, 0, 0), "EPERM"),
        ("perf_event_open", (298, 0, 0, -1, -1, 0), "EPERM"),
        ("userfaultfd", (323, 0), "EPERM"),
        ("socket of AF_VSOCK", (41, 40, 1, 0), "EAFNOSUPPORT"),
        ("socket of AF_ALG", (41, 38, 5, 0), "EAFNOSUPPORT"),
        ("socket of AF_VSOCK, as 64 bits", (41, 2**32 + 40, 1, 0), "EAFNOSUPPORT"),
        ("ioctl TIOCSTI", (16, 0, 0x5412, 0), "EPERM"),
        ("ioctl TIOCSTI, as 64 bits", (16, 0, 2**32 + 0x5412, 0), "EPERM"),
    ],
)
def test_system_calls_that_are_not_for_strategies(started, name, call, error):
    assert errno.errorcode[-started("plain")("found = call(*arguments)", arguments=call)] == error


@pytest.mark.skipif(sys.platform != "linux" or os.uname().machine != "x86_64", reason="the numbers are of x86_64")
@needs_filter
@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("fadvise64", (221, -1, 0, 0, 1)),
        ("readahead", (187, -1, 0, 4096)),
        ("syncfs", (306, -1)),
        ("sync_file_range", (277, -1, 0, 0, 0)),
        ("madvise MADV_RANDOM", (28, 1, 4096, 1)),
        ("madvise MADV_WILLNEED", (28, 1, 4096, 3)),
        ("madvise MADV_MERGEABLE", (28, 1, 4096, 12)),
        ("madvise MADV_PAGEOUT", (28, 1, 4096, 21)),
    ],
)
def test_advice_about_pages_and_files_has_no_effect(started, name, call):
    assert started("plain")("found = call(*arguments)", arguments=call) == 0  # an error for these arguments otherwise


@needs_filter
def test_system_calls_of_another_architecture_end_the_program(started):
    # `int 0x80` with keyctl's number of 32 bits, which a filter of 64 bits alone would not know.
    code = "b8 20 01 00 00 31 db cd 80 c3"
    text = """
    prot = mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC
    page = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=prot)
    page.write(bytes.fromhex(code))
    found = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
    """
    if os.uname().machine != "x86_64":
        pytest.skip("the code is of x86_64")
    with pytest.raises(Exception, match="was ended by SIGSYS"):
        started("plain")(text, code=code)


@needs_filter
def test_programs_can_still_do_all_they_need(level, started):
    text = """
    import sqlite3, subprocess, tempfile, threading
    base = sqlite3.connect(tempfile.mkstemp()[1])
    base.execute("create table words (word text)")
    base.execute("insert into words values ('crane')")
    base.commit()
    thread = threading.Thread(target=time.sleep, args=(0.01,))
    thread.start()
    thread.join()
    ran = subprocess.run(["/bin/echo", "hello"], capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout
    pair = socket.socketpair()
    found = [base.execute("select word from words").fetchall(), ran, os.cpu_count() > 0]
    """
    assert started(level)(text) == [[["crane"]], "hello\n", True]


def test_the_session_keyring_is_a_new_one(level, started, monkeypatch):
    # Without the filter: joining is for where there is none.
    monkeypatch.setattr("wordle_kit.sandbox.levels.system_call_filter", lambda: None)
    if os.uname().machine != "x86_64":
        pytest.skip("the numbers are of x86_64")
    ours = "found = call(250, 0, -3, 0)"  # KEYCTL_GET_KEYRING_ID of the session's
    first, second = started(level)(ours), started(level)(ours)
    if first == -errno.ENOSYS:
        pytest.skip("the kernel has no keyrings")
    import ctypes

    mine = ctypes.CDLL(None).syscall(250, 0, -3, 0)
    assert min(first, second) > 0
    assert len({first, second, mine}) == 3


@needs_bubblewrap
def test_process_1_of_a_sandbox_is_its_supervisor_which_nobody_inside_can_look_into_stop_or_end(started):
    text = """
    import signal
    found = [attempted(lambda: open("/proc/1/mem", "rb+") and "open"), attempted(lambda: os.listdir("/proc/1/fd"))]
    for number in (signal.SIGSTOP, signal.SIGKILL, signal.SIGTERM):
        attempted(lambda: os.kill(1, number))
    time.sleep(0.3)
    """
    try:
        found = started("bubblewrap")(text)
    except Exception as error:  # SIGTERM is for the supervisor to obey: it ends all that it started
        assert "SIGTERM" in str(error)  # noqa: PT017 - either is right
    else:
        assert found == ["PermissionError", "PermissionError"]
        lines = {process: Path(f"/proc/{process}/cmdline").read_bytes() for process in descendants(os.getpid(), "ZXT")}
        first = [line for line in lines.values() if b"supervisor.py" in line and not line.startswith(b"bwrap")]
        assert first, "it was ended or stopped"


@needs_bubblewrap
def test_a_filter_is_not_all_there_is_against_namespaces(started, monkeypatch):
    if os.getuid() == 0:
        pytest.skip("root's sandboxes have no user namespace to forbid others in")
    monkeypatch.setattr("wordle_kit.sandbox.levels.system_call_filter", lambda: None)
    assert started("bubblewrap")("found = call(272, 0x10000000)") == -errno.ENOSPC


def test_threads_count(level, started):
    text = """
    import threading
    for _ in range(10):
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    time.sleep(2)
    """
    with pytest.raises(Exception, match=r"started more than 6 processes|can't start new thread|ended with exit code 1"):
        started(level, processes=6)(text)


# As an ordinary user


@needs_filter
@pytest.mark.skipif(sys.platform != "linux" or os.getuid() != 0, reason="it is one already")
def test_the_same_as_an_ordinary_user():
    user = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--"]
    tried = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import wordle_kit, pytest'], check=True)"
    try:
        usable = subprocess.run([*user, sys.executable, "-c", tried], capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("setpriv is not installed (Debian: apt install util-linux)")
    if usable.returncode:
        pytest.skip("other users cannot run this Python or read wordle-kit")
    environment = {"PATH": os.environ["PATH"], "HOME": "/", "PYTHONDONTWRITEBYTECODE": "1", "NUMBA_CACHE_DIR": "/tmp"}
    line = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__]
    ran = subprocess.run([*user, *line], capture_output=True, text=True, env=environment, cwd="/", check=False)
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-1000:]
