"""Run one program under limits, watch what it starts, and end all of it. Linux only.

docs/isolation.md says in which case a process can escape.

This file is run as a script, by `python -I -S supervisor.py FACTS PROGRAM...`, so it imports only the standard library.
"""

import contextlib
import ctypes
import json
import os
import resource
import runpy
import signal
import stat
import struct
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

POLL = 0.2
"""The seconds between two counts of processes and memory."""

REMOVAL = str(Path(__file__).parents[1] / "temporary.py")
"""The file that removes folders. This script cannot import it."""

TOO_MANY_FILES, TOO_MANY_PROCESSES, TOO_MUCH_MEMORY, TOO_MUCH_TIME, CANNOT_START = 120, 121, 122, 123, 127
"""Exit codes that say why the program was ended."""

MEBIBYTE = 2**20
ROOM = 2048 * MEBIBYTE
"""The address space that a program gets in addition to its memory, for what it reserves or shares but does not use."""

MOST_FILES = 20_000
"""The most files, folders and links in a sandbox. Each takes up to a kilobyte of the system's memory."""

SOCKET_BUFFER = 212_992
"""The bytes that a socket may buffer by the system's default."""

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP, PR_SET_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 4, 24, 36, 38
PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2
LAST_CAPABILITY = 63

KEYCTL = {"x86_64": 250, "aarch64": 219, "riscv64": 219, "armv7l": 311, "i686": 288, "ppc64le": 271, "s390x": 280}
"""The number of the system call `keyctl`, by type of machine."""

KEYCTL_JOIN_SESSION_KEYRING = 1


LANDLOCK_CREATE_RULESET, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT_SELF = 444, 445, 446
"""The numbers of these system calls, which are the same on all machines."""

LANDLOCK_VERSION, LANDLOCK_PATH_BENEATH = 1, 1
READ_FILE, READ_DIR, REFER = 1 << 2, 1 << 3, 1 << 13
"""Rights in Landlock: to open a file for reading, to list a folder, and (since version 2) to move files elsewhere."""


class FilterProgram(ctypes.Structure):
    """A `struct sock_fprog`: the number of instructions, of eight bytes each, and their address."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def descendants(ancestor: int, gone: str = "ZX") -> set[int]:
    """Return the living descendants of a process that /proc shows.

    `gone` are the letters for states of dead processes.
    """
    return set(_family(ancestor, gone))


def _family(ancestor: int, gone: str) -> dict[int, list[str]]:
    """Return the descendants of a process, with the facts in /proc about each."""
    facts = {process: known for process in _processes() if (known := _stat(process)) and known[0] not in gone}
    children: dict[int, list[int]] = {}
    for process, known in facts.items():
        children.setdefault(int(known[1]), []).append(process)
    found: dict[int, list[str]] = {}
    waiting = [ancestor]
    while waiting:
        new = set(children.get(waiting.pop(), ())) - found.keys()
        found |= {process: facts[process] for process in new}
        waiting += new
    return found


def marked(marker: str) -> set[int]:
    """Return the processes of this user with a marker in their environment, whatever their parents are."""
    found = set()
    for process in _processes() - {os.getpid()}:
        with contextlib.suppress(OSError):
            if marker.encode() in Path(f"/proc/{process}/environ").read_bytes():
                found.add(process)
    return found


def _processes() -> set[int]:
    """Return all processes that this process can see."""
    return {int(name) for name in os.listdir("/proc") if name.isdigit()}  # noqa: PTH208 - names are all it takes


def end_below(ancestor: int, marker: str = "") -> None:
    """End all descendants of a process, and all processes with a marker.

    They are stopped first, so that none of them starts another process.
    """
    stopped: set[int] = set()
    for _ in range(100):
        found = descendants(ancestor) | (marked(marker) if marker else set())
        if not found:
            return
        for signal_number, these in ((signal.SIGSTOP, found - stopped), (signal.SIGKILL, found & stopped)):
            for process in these:
                with contextlib.suppress(OSError):
                    os.kill(process, signal_number)
        if found <= stopped:
            time.sleep(0.005)
        stopped |= found


def supervise(facts: dict[str, Any], command: list[str]) -> int:
    """Run the program until it ends, end what it left running, and return its exit code, or 128 plus a signal.

    In a sandbox, this process is process 1. No signal from inside can end or stop it, and everything ends together with
    it.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD, signal.SIGTERM})
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(PR_SET_SUBREAPER, 1, 0, 0, 0)
    libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)  # so that the program cannot trace this process
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL if os.getpid() == 1 else signal.SIGTERM)
    if facts["parent"] not in (None, os.getppid()):
        return CANNOT_START
    user, limits = facts["user"], facts["limits"]
    for descriptor in (facts["report"], facts["claim"], facts["entrance"]):  # not for the program
        if descriptor is not None:
            os.set_inheritable(descriptor, False)
    box = Path(facts["box"])
    if not box.exists():
        box.mkdir(mode=0o700)
        if user is not None:
            os.chown(box, user, user)
    os.chdir(box)
    program = os.fork()
    if program == 0:
        if facts["entrance"] is not None:
            _join(facts["entrance"])
        _become(libc, command, facts)
    devnull = os.open(os.devnull, os.O_RDWR)
    os.dup2(devnull, 0)
    os.dup2(devnull, 1)
    for descriptor in facts["given"]:
        os.close(descriptor)
    try:
        code, seconds = _watch(program, limits, facts["folders"])
        os.write(facts["report"], b"%f" % seconds)
        return code
    finally:
        end_below(os.getpid())
        os.chdir("/")
        if facts["parent"] is not None:
            runpy.run_path(REMOVAL)["remove"](box)


def _watch(program: int, limits: dict[str, Any], folders: list[str]) -> tuple[int, float]:
    """Wait until the program ends or exceeds a limit. Return the exit code and the processor time of all processes."""
    counted = time.monotonic()
    ended_time = total = 0.0  # seconds of processor time: of ended processes, and of all
    while True:
        got = signal.sigtimedwait({signal.SIGCHLD, signal.SIGTERM}, POLL)
        if got is not None and got.si_signo == signal.SIGTERM:
            return 128 + signal.SIGTERM, total
        with contextlib.suppress(ChildProcessError):
            while True:
                ended, status, used = os.wait4(-1, os.WNOHANG)
                if ended == 0:
                    break
                ended_time += used.ru_utime + used.ru_stime
                if ended == program:
                    code, total = os.waitstatus_to_exitcode(status), max(total, ended_time)
                    code = code if code >= 0 else 128 - code
                    return (TOO_MUCH_TIME if total >= limits["cpu"] else code), total
        if time.monotonic() - counted >= POLL:
            counted = time.monotonic()
            family = _family(os.getpid(), "X")  # read once, since a busy machine has many processes
            below = {process: facts for process, facts in family.items() if facts[0] != "Z"}
            if sum(int(facts[17]) for facts in below.values()) > limits["processes"]:
                return TOO_MANY_PROCESSES, total
            if sum(map(_files_in, folders)) > MOST_FILES:
                return TOO_MANY_FILES, total
            most = limits["memory"] * MEBIBYTE
            most -= _socket_memory()
            if sum(map(_resident, below)) > most and sum(map(_own_share, below)) > most:
                return TOO_MUCH_MEMORY, total
            now = ended_time + _seconds(family.values())
            ended_time += max(0.0, total - now)  # of processes whose parents did not wait for them
            total = max(total, now)
            if total >= limits["cpu"]:
                return TOO_MUCH_TIME, total


def processor_time(processes: Iterable[int]) -> float:
    """Return the seconds of processor time of these processes, including children for which they have waited."""
    return _seconds(map(_stat, processes))


def _seconds(facts: Iterable[list[str]]) -> float:
    """Return the seconds of processor time in the facts about processes."""
    return sum(int(field) for known in facts for field in known[11:15]) / os.sysconf("SC_CLK_TCK")


def _stat(process: int) -> list[str]:
    """Return the facts in /proc about a process, beginning with its state, or an empty list if it has ended."""
    with contextlib.suppress(OSError):
        descriptor = os.open(f"/proc/{process}/stat", os.O_RDONLY)  # four times as fast as a Path
        try:
            return os.read(descriptor, 4096).rpartition(b")")[2].decode().split()
        finally:
            os.close(descriptor)
    return []


def _own_share(process: int) -> int:
    """Return the memory of a process, with shared memory divided among its users. This takes longer to count."""
    with contextlib.suppress(OSError):
        shares = _kilobytes(f"/proc/{process}/smaps_rollup", "Pss", "SwapPss")
        return shares + _kilobytes(f"/proc/{process}/status", "VmPTE")
    return _resident(process)


def _socket_memory() -> int:
    """Return how much memory the sockets of a sandbox may hold. No process is charged for it.

    It is 0 outside a sandbox.
    """
    if os.getpid() != 1:
        return 0  # outside a sandbox, all sockets of the machine are visible
    with contextlib.suppress(OSError):
        return max(0, Path("/proc/net/unix").read_bytes().count(b"\n") - 1) * SOCKET_BUFFER
    return 0


def _resident(process: int) -> int:
    """Return the memory of a process, with everything that it shares, with swapped memory and page tables."""
    with contextlib.suppress(OSError):
        return _kilobytes(f"/proc/{process}/status", "VmRSS", "VmSwap", "VmPTE")
    return 0


def _kilobytes(path: str, *names: str) -> int:
    """Return the sum, in bytes, of lines such as `VmRSS: 4096 kB` in a file.

    It is 0 for a zombie, which has no such lines.
    """
    fields = (line.split() for line in Path(path).read_text(errors="replace").splitlines())
    return sum(int(field[1]) for field in fields if field and field[0].rstrip(":") in names) * 1024


def _files_in(folder: str) -> int:
    """Return the number of files, folders and links in a separate file system. Each link counts."""
    facts = os.statvfs(folder)
    return facts.f_files - facts.f_ffree


def _join(entrance: int) -> None:
    """Move this process into a control group, together with everything that it will start."""
    try:
        os.write(entrance, b"0")
    except OSError as error:
        os.write(2, f"cannot join its control group: {error.strerror}\n".encode())
        os._exit(CANNOT_START)


def _become(libc: Any, command: list[str], facts: dict[str, Any]) -> None:
    """Replace this process by the program: in a new session, under limits, without privileges."""
    user, limits, rules = facts["user"], facts["limits"], bytes.fromhex(facts["filter"] or "")
    try:
        os.setsid()
        if os.uname().machine in KEYCTL:  # it must not share the keys of the session that started it
            libc.syscall(KEYCTL[os.uname().machine], KEYCTL_JOIN_SESSION_KEYRING, None)
        mebibytes = {
            resource.RLIMIT_DATA: limits["memory"] * MEBIBYTE,
            resource.RLIMIT_AS: limits["memory"] * MEBIBYTE + ROOM,
            resource.RLIMIT_FSIZE: limits["written"] * MEBIBYTE,
        }
        for kind, most in mebibytes.items():
            resource.setrlimit(kind, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_NOFILE, (limits["files"], limits["files"]))
        resource.setrlimit(resource.RLIMIT_CPU, (limits["cpu"], limits["cpu"] + 1))
        most = limits["processes"] + _tasks_of(os.getuid() if user is None else user)
        resource.setrlimit(resource.RLIMIT_NPROC, (most, most))
        if os.getuid() == 0:
            for capability in range(LAST_CAPABILITY + 1):
                libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
        if user is not None:
            os.setgroups([])
            os.setresgid(user, user, user)
            os.setresuid(user, user, user)
        libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        if facts["parent"] is None:
            _close_proc(libc)
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # in case the program ends this supervisor
        for number in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD, signal.SIGTERM})
        if rules:
            program = FilterProgram(len(rules) // 8, rules)
            if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program)) != 0:
                raise OSError(ctypes.get_errno(), "the system does not accept a filter of system calls")
        os.execv(command[0], command)  # noqa: S606 - this is its purpose
    except (OSError, ValueError) as error:
        os.write(2, f"{command[0]} cannot be started: {getattr(error, 'strerror', None) or error}\n".encode())
    finally:
        os._exit(CANNOT_START)


def _close_proc(libc: Any) -> None:
    """Forbid this process, and what it starts, to read files and list folders in /proc.

    Links in /proc can still be read, since programs find their executable file through one. Without Landlock, nothing
    is forbidden.
    """
    version = libc.syscall(LANDLOCK_CREATE_RULESET, None, 0, LANDLOCK_VERSION)
    if version < 1:
        return
    rights = READ_FILE | READ_DIR | (REFER if version >= 2 else 0)
    rules = _landlock(libc, LANDLOCK_CREATE_RULESET, struct.pack("=Q", rights), 8, 0)
    for name in set(os.listdir("/")) - {"proc"}:  # noqa: PTH208 - names are all it takes
        path = os.open(f"/{name}", os.O_PATH)
        allowed = rights if stat.S_ISDIR(os.fstat(path).st_mode) else READ_FILE
        _landlock(libc, LANDLOCK_ADD_RULE, rules, LANDLOCK_PATH_BENEATH, struct.pack("=Qi", allowed, path), 0)
        os.close(path)
    _landlock(libc, LANDLOCK_RESTRICT_SELF, rules, 0)
    os.close(rules)


def _landlock(libc: Any, *arguments: Any) -> int:
    """Make a system call and return its result. Raises OSError if it fails."""
    result = int(libc.syscall(*arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), "the system does not accept a rule of Landlock")
    return result


def _tasks_of(user: int) -> int:
    """Return how many processes and threads a user has now. The system's limit applies to their total."""
    count = 0
    for process in _processes():
        with contextlib.suppress(OSError):
            folder = Path(f"/proc/{process}")
            if folder.stat().st_uid == user:
                count += len(list((folder / "task").iterdir()))
    return count


if __name__ == "__main__":
    os._exit(supervise(json.loads(sys.argv[1]), sys.argv[2:]))
