"""The levels of the sandbox: which one works on this machine, and the command line for running a program in it.

Root's programs run as users that are otherwise unused. No two programs on a machine have the same user.
"""

import ctypes
import fcntl
import itertools
import json
import math
import os
import pwd
import random
import shutil
import site
import struct
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeVar

from wordle_kit.errors import MachineError, WordleKitError
from wordle_kit.sandbox import supervisor
from wordle_kit.sandbox.limits import MEBIBYTE, Confinement
from wordle_kit.sandbox.system_calls import filter_warning, system_call_filter
from wordle_kit.temporary import new_folder_name

AnyConfinement = TypeVar("AnyConfinement", bound=Confinement)

BUBBLEWRAP, PLAIN = "bubblewrap", "plain"

ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",  # sets of words have the same order each time
    "PYDANTIC_DISABLE_PLUGINS": "__all__",  # else pydantic searches all packages
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
    "WORDLE_KIT_CACHE": "",
}
"""The whole environment of a program, apart from the variables that name its folder."""

PYTHON = os.path.abspath(sys.executable)  # noqa: PTH100 - without any `..`, but with the links of an environment
"""The path of the Python interpreter."""

SYSTEM = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
"""Folders that are links into /usr on newer systems."""

KERNELS = "/kernels"
"""The folder of a sandbox in which numba keeps compiled code. Its files do not count towards the program's limit."""

KERNELS_SIZE = 64 * MEBIBYTE

REVEALING = """
    buddyinfo diskstats interrupts key-users keys loadavg locks meminfo pagetypeinfo sched_debug schedstat slabinfo
    softirqs stat swaps timer_list uptime vmallocinfo vmstat zoneinfo cpuinfo
"""
"""Files of /proc that show the activity of the whole machine, and so of other sandboxes. They are empty in a sandbox.

On a system with Landlock, the program cannot open any file of /proc.
"""

DEVICES = ("null", "full", "random", "urandom")
"""The devices in a sandbox. /dev/zero is left out, since mapping it gives shared memory that nobody counts."""

REVEALING_FOLDERS = ("fs", "irq", "pressure", "sys/fs", "sys/kernel/pty")

FIRST_USER, USERS = 20_000, 40_000
"""The first number and the count of the users for programs."""

USER_LOCKS = "wordle-kit-users"
"""The name of the lock file. Its byte n is locked while any process uses the user FIRST_USER + n. It is always empty.
"""

FOLDERS_OF_LOCKS = (Path("/run"), Path("/var/lock"), Path(tempfile.gettempdir()))


@dataclass(frozen=True)
class Launch:
    """How to start a program: the full command line, its environment, and a folder to remove afterwards, if any."""

    command: list[str]
    environment: dict[str, str]
    box: Path | None
    claim: int | None
    """A descriptor that reserves the program's user until it is closed, or None if the program does not change its
    user.
    """


def level(confinement: Confinement) -> str:
    """Return the level that is used on this machine. Raises WordleKitError if a required level is not available."""
    if sys.platform != "linux":
        raise WordleKitError("isolation needs Linux; play without it")
    if confinement.sandbox == "plain":
        return PLAIN
    problem = bubblewrap_problem()
    if problem is None:
        return BUBBLEWRAP
    if confinement.sandbox == "required":
        raise WordleKitError(f"no sandbox: {problem}; the level plain needs none, and stops less", settings=["sandbox"])
    return PLAIN


def settled(confinement: AnyConfinement) -> AnyConfinement:
    """Return these settings with `sandbox` settled: `required` if this machine has a sandbox, otherwise `plain`."""
    return confinement.model_copy(update={"sandbox": "required" if level(confinement) == BUBBLEWRAP else "plain"})


def warning(confinement: Confinement) -> str | None:
    """Return a line that names what is missing, the sandbox or its filter, or None if both are there."""
    if confinement.sandbox == "plain":
        return None
    problem = bubblewrap_problem() if confinement.sandbox == "auto" else None
    return filter_warning() if problem is None else f"no sandbox, so less is stopped: {problem}"


@cache
def bubblewrap_problem() -> str | None:
    """Return why no sandbox works on this machine, or None if one does."""
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed (Debian: apt install bubblewrap)"
    return _try_bubblewrap(_walls(MEBIBYTE))


@cache
def _no_namespaces() -> tuple[str, ...]:
    """Return the option that forbids further namespaces inside the sandbox, if bubblewrap has it and it works.

    Versions before 0.8 do not have the option. Root's sandboxes cannot use it, since they have no user namespace.
    """
    forbidden = ("--unshare-user", "--disable-userns")
    works = os.getuid() != 0 and _try_bubblewrap([*forbidden, "--proc", "/proc"]) is None
    return forbidden[1:] if works else ()


def _try_bubblewrap(options: Sequence[str]) -> str | None:
    """Start a sandbox with these options. Return why it does not work, or None if it does."""
    command = [str(shutil.which("bwrap")), *options, "--ro-bind", "/", "/", "true"]
    try:
        tried = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)  # noqa: S603 - ours
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not start: {error}"
    if tried.returncode:
        return f"bubblewrap does not work here: {' '.join(tried.stderr.split())[:200]}"
    return None


def launch(
    program: Sequence[str],
    reads: Iterable[str | Path],
    confinement: Confinement,
    seconds: float,
    report: int,
    given: Sequence[int] = (),
    entrance: int | None = None,
    shows: Iterable[str | Path] = (),
) -> Launch:
    """Return how to run a program, given by its full path, for at most `seconds` of processor time.

    The program needs to read the files and folders `reads`. In a sandbox, it also gets those in `shows`. The supervisor
    writes the seconds of processor time to the descriptor `report`. The descriptors `given` are passed to the program,
    and the supervisor closes its copies. The program joins a control group through `entrance`.
    """
    in_sandbox = level(confinement) == BUBBLEWRAP
    rules = system_call_filter()
    paths = _without_covered([*python_paths(), *map(Path, reads)])
    # Root's programs become other users, whose processes the system counts. For other users, the sandbox counts.
    becomes = os.getuid() == 0 and (in_sandbox or _changes_user(paths))
    user, claim = claim_user() if becomes else (None, None)
    box = None if in_sandbox else Path(tempfile.gettempdir(), new_folder_name())
    folder, kernels = ("/tmp", KERNELS) if box is None else (str(box), f"{box}/numba")  # noqa: S108 - the sandbox's own
    facts = {
        "limits": confinement.limits.model_dump() | {"cpu": math.ceil(seconds)},
        "report": report,
        "given": list(given),
        "entrance": entrance,
        "filter": None if rules is None else rules.hex(),
        "user": user,
        "claim": claim,
        "parent": None if in_sandbox else os.getpid(),
        "box": folder,
        "folders": [folder, kernels] if in_sandbox else [],
    }
    environment = ENVIRONMENT | {"HOME": folder, "TMPDIR": folder, "NUMBA_CACHE_DIR": kernels}
    if site.ENABLE_USER_SITE:
        environment["PYTHONUSERBASE"] = site.getuserbase()
    interpreter = [PYTHON, "-I", "-S", os.path.abspath(supervisor.__file__)]  # noqa: PTH100 - without any `..`
    command = [*interpreter, json.dumps(facts), *program]
    if in_sandbox:
        paths = _without_covered([*paths, *map(Path, shows)])
        binds = [part for path in paths for part in ("--ro-bind", str(path), str(path))]
        walls = [*_system(), *_walls(confinement.limits.written * MEBIBYTE), *_above(paths), *binds]
        command = [str(shutil.which("bwrap")), *walls, "--remount-ro", "/", "--", *command]
    return Launch(command, environment, box, claim)


def check_out_of_sight(paths: Iterable[Path], confinement: Confinement, programs: str) -> None:
    """Raise WordleKitError if a program could read one of these files and folders.

    `programs` is the noun for the message. At the level `plain`, a program may read them if that level was requested,
    but not if it replaces a missing sandbox.
    """
    if confinement.sandbox == "plain":
        return
    if level(confinement) == BUBBLEWRAP:
        shown = [*_without_covered(python_paths()), *map(Path, ("/usr", *SYSTEM))]
        for path, other in itertools.product(paths, shown):
            places = (Path(os.path.abspath(path)), path.resolve())  # noqa: PTH100 - the path as given
            if any(place.is_relative_to(way) for place in places for way in (other, other.resolve())):
                raise WordleKitError(f"{path} is in {other}, which every sandbox shows; keep the two apart")
        return
    as_other_user = _changes_user(_without_covered(python_paths()))
    readable = next((path for path in paths if not as_other_user or _open_to_all(path)), None)
    if readable is not None:
        problem = f"no sandbox: {bubblewrap_problem()}; without one, {programs} can read {readable}"
        raise WordleKitError(f"{problem}; the level plain accepts that", settings=["sandbox"])


@cache
def shield() -> None:
    """Prevent other processes of this user from reading the memory of this one, which may contain secrets."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(supervisor.PR_SET_DUMPABLE, 0, 0, 0, 0)


@cache
def python_paths() -> tuple[Path, ...]:
    """Return the files and folders of Python and wordle-kit."""
    import wordle_kit_data
    import wordle_kit_plugins

    places = sysconfig.get_paths()
    paths = [sys.prefix, sys.base_prefix, *(places[key] for key in ("stdlib", "platstdlib", "purelib", "platlib"))]
    paths += site.getsitepackages() + ([site.getusersitepackages()] if site.ENABLE_USER_SITE else [])
    # The file of a module is a real file, and its folder contains only the package.
    packages = (sys.modules["wordle_kit"], wordle_kit_data, wordle_kit_plugins)
    paths += [str(Path(str(package.__file__)).parent) for package in packages]
    return tuple(path for path in dict.fromkeys(Path(os.path.abspath(path)) for path in paths) if path.exists())  # noqa: PTH100


def _walls(size: int) -> list[str]:
    """Return the options that confine a program: namespaces, no privileges, and an empty temporary folder."""
    alone = ["user", "ipc", "pid", "net", "uts", "cgroup-try"]
    if os.getuid() == 0:
        alone.remove("user")  # not needed by root, whose program becomes another user
    walls = [*(f"--unshare-{name}" for name in alone), *_no_namespaces()]
    walls += ["--die-with-parent", "--as-pid-1", "--new-session", "--hostname", "sandbox", "--cap-drop", "ALL"]
    if os.getuid() == 0:
        for name in ("SETUID", "SETGID", "SETPCAP", "KILL", "SYS_PTRACE"):  # for the supervisor, not for the program
            walls += ["--cap-add", f"CAP_{name}"]
    walls += ["--proc", "/proc", "--perms", "755", "--tmpfs", "/dev"]  # no terminals: the whole machine shares them
    for name in DEVICES:
        walls += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        walls += ["--symlink", f"/proc/self/fd/{number}", f"/dev/{name}"]
    walls += ["--symlink", "/proc/self/fd", "/dev/fd", "--remount-ro", "/dev"]
    for name in REVEALING.split():
        walls += ["--ro-bind", os.devnull, f"/proc/{name}"] * Path("/proc", name).exists()
    for name in REVEALING_FOLDERS:
        walls += ["--tmpfs", f"/proc/{name}", "--remount-ro", f"/proc/{name}"] * Path("/proc", name).exists()
    for folder, most in (("/tmp", size), (KERNELS, KERNELS_SIZE)):  # noqa: S108 - the sandbox's own
        walls += ["--perms", "1777", "--size", str(most), "--tmpfs", folder]
    return walls


def _system() -> list[str]:
    """Return the options that show the system's programs and libraries, but no personal files."""
    options = ["--ro-bind", "/usr", "/usr", "--perms", "755", "--dir", "/etc"]
    for folder in map(Path, SYSTEM):
        if folder.is_symlink():
            options += ["--symlink", str(folder.readlink()), str(folder)]
        elif folder.is_dir():
            options += ["--ro-bind", str(folder), str(folder)]
    for name in ("/etc/alternatives", "/etc/ld.so.cache"):
        options += ["--ro-bind-try", name, name]
    return options


def _above(paths: Iterable[Path]) -> list[str]:
    """Return options that create the parent folders of these paths, which are empty and open to all users."""
    folders = dict.fromkeys(folder for path in paths for folder in reversed(path.parents))
    made = [str(folder) for folder in folders if str(folder) not in ("/", "/tmp")]  # noqa: S108 - these are there
    return [part for folder in made for part in ("--perms", "755", "--dir", folder)]


def _without_covered(paths: Iterable[Path]) -> list[Path]:
    """Return the paths that are neither inside another of these paths nor in the visible part of the system."""
    real = dict.fromkeys(Path(os.path.abspath(path)) for path in paths)  # noqa: PTH100 - links stay links
    covers = [*real, Path("/usr")]
    return [path for path in real if not any(other in path.parents for other in covers) and path != Path("/usr")]


def _changes_user(paths: Iterable[Path]) -> bool:
    """Return whether a program that needs these paths runs as another user when there is no sandbox."""
    return os.getuid() == 0 and all(map(_readable_by_all, [*paths, Path(tempfile.gettempdir())]))


def _open_to_all(path: Path) -> bool:
    """Return whether every user can enter a folder or read a file. The path need not exist yet."""
    path = path.resolve()
    while not path.exists():
        path = path.parent
    return _can_be_reached(path) and bool(path.stat().st_mode & (0o005 if path.is_dir() else 0o004))


def _readable_by_all(path: Path) -> bool:
    """Return whether every user can read a file or folder, including through links."""
    return all(place.stat().st_mode & 0o004 and _can_be_reached(place) for place in (path, path.resolve()))


def _can_be_reached(path: Path) -> bool:
    """Return whether every user can pass through all folders above a path."""
    return all(folder.stat().st_mode & 0o001 for folder in path.parents)


# Users


def claim_user() -> tuple[int, int]:
    """Reserve a user without processes. Return its number, and a descriptor that keeps it reserved until it is closed.

    A process that inherits the descriptor also keeps the reservation, which ends when the last of these processes ends.
    """
    descriptor = _open_locks()
    try:
        busy = {entry.pw_uid for entry in pwd.getpwall()} | _users_with_processes()
        start = random.randrange(USERS)
        for number in range(USERS):
            place = (start + number) % USERS
            user = FIRST_USER + place
            # Checked again after locking, since another command may have started a process meanwhile.
            if user not in busy and _lock(descriptor, place) and user not in _users_with_processes():
                return user, descriptor
        raise MachineError(f"all users from {FIRST_USER} to {FIRST_USER + USERS - 1} have processes; end some")
    except BaseException:
        os.close(descriptor)
        raise


def _open_locks() -> int:
    """Open the lock file, which only root can open, and return a new descriptor."""
    problem = ""
    for folder in FOLDERS_OF_LOCKS:
        path = folder / USER_LOCKS
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        except OSError as error:
            problem = problem or f"{path}: {error.strerror}"
            continue
        if os.fstat(descriptor).st_uid == os.getuid() and not os.fstat(descriptor).st_mode & 0o077:
            return descriptor
        os.close(descriptor)
        problem = problem or f"{path}: other users can open it; remove it"
    raise MachineError(f"there is no file for reserving users: {problem}")


def _lock(descriptor: int, place: int) -> bool:
    """Lock a byte of a file until the descriptor is closed. Return False if another process has locked it."""
    lock = struct.pack("@hhqqi0q", fcntl.F_WRLCK, os.SEEK_SET, place, 1, 0)  # type, whence, start, length, process
    try:
        fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, lock)
    except (BlockingIOError, PermissionError):
        return False
    return True


def _users_with_processes() -> set[int]:
    """Return the real and effective users of all processes that this process can see."""
    found: set[int] = set()
    for name in os.listdir("/proc"):  # noqa: PTH208 - names are all it takes
        if name.isdigit():
            try:
                status = Path(f"/proc/{name}/status").read_text(errors="replace")
            except OSError:  # the process has just ended
                continue
            found |= set(map(int, status.partition("\nUid:")[2].partition("\n")[0].split()))
    return found
