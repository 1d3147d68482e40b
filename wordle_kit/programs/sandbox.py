"""The sandbox: bubblewrap around a program, with limits by prlimit, a filter of system calls and a systemd scope.

docs/isolation.md says what each of them prevents.
"""

import ctypes
import ctypes.util
import errno
import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from wordle_kit.errors import WordleKitError, problem_in

MEBIBYTE = 2**20

PYTHON = os.path.abspath(sys.executable)  # noqa: PTH100 - without any `..`, but with the links of an environment
"""The path of the Python interpreter."""

ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "HOME": "/tmp",  # noqa: S108 - the sandbox's own
    "TMPDIR": "/tmp",  # noqa: S108
    "NUMBA_CACHE_DIR": "/tmp/numba",  # noqa: S108
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",  # sets of words have the same order each time
    "PYDANTIC_DISABLE_PLUGINS": "__all__",  # otherwise, pydantic searches all packages
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
    "WORDLE_KIT_CACHE": "",
}
"""The whole environment of a program in a sandbox."""

SYSTEM = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
"""Folders that are links into /usr on newer systems."""

UNUSED_USERS = 0x7000_0000, 0x0FFF_0000
"""The first number and the count of user ids that no system assigns. Each of root's programs runs as one of them."""

Count = Annotated[int, Field(ge=1, le=10**9)]


class Limits(BaseModel):
    """The limits of a program. The deadline of guesses is not among them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise WordleKitError(f"Limits: {problem_in(error, type(self).model_fields)}") from None

    start: Annotated[float, Field(gt=0, le=1e6)] = 60.0
    """The seconds until a program must be ready."""
    memory: Count = 2048
    """The megabytes of memory for each process and, with systemd, for all together."""
    processes: Count = 64
    """The number of processes and threads."""
    files: Count = 256
    """The number of open files."""
    written: Count = 64
    """The megabytes of all files written."""


@dataclass(frozen=True)
class Sandbox:
    """A sandbox made by bubblewrap. Raises WordleKitError if none works on this machine."""

    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        problem = problem_here()
        if problem is not None:
            raise WordleKitError(f"no sandbox: {problem}; --no-sandbox runs programs as plain processes, as yourself")

    def launch(self, argv: Sequence[str], reads: Iterable[str]) -> tuple[list[str], tuple[int, ...]]:
        """Return the command line of a program that can see only the system, Python and `reads`.

        The program is given by its full path. The second value contains the descriptors that the command inherits.
        """
        paths = _outermost([*python_paths(), *map(Path, reads)])
        binds = [part for path in paths for part in ("--ro-bind", str(path), str(path))]
        rules = system_call_filter()
        inherited: tuple[int, ...] = ()
        if rules is not None:
            read, write = os.pipe()
            os.write(write, rules)
            os.close(write)
            inherited = (read,)
        command = [
            *scope(self.limits),
            str(shutil.which("bwrap")),
            *_confinement(self.limits.written),
            *_system_folders(),
            *_parent_folders(paths),
            *binds,
            *(part for descriptor in inherited for part in ("--seccomp", str(descriptor))),
            "--remount-ro",
            "/",
            "--",
            *_limiting_command(self.limits),
            *argv,
        ]
        return command, inherited

    def lacks(self) -> str | None:
        """Return a line that names what this machine's sandbox lacks, or None if it has everything."""
        missing = [
            *(["the filter of system calls (Debian: apt install libseccomp2)"] if system_call_filter() is None else []),
            *([] if scope(self.limits) else ["a systemd scope, which limits the memory of all processes together"]),
            *([] if os.getuid() == 0 or _disables_namespaces() else ["a ban on namespaces (bubblewrap 0.8)"]),
        ]
        return f"the sandbox works without {', and without '.join(missing)}" if missing else None


def _limiting_command(limits: Limits) -> list[str]:
    """Return the beginning of a command line that sets limits and, for root, switches to an unused user id."""
    memory = limits.memory * MEBIBYTE
    limited = [
        "prlimit",
        f"--data={memory}",
        f"--as={memory + 2048 * MEBIBYTE}",
        f"--nproc={limits.processes}",
        f"--nofile={limits.files}",
        f"--fsize={limits.written * MEBIBYTE}",
        "--core=0",
        "--",
    ]
    if os.getuid() != 0:
        return limited
    first, count = UNUSED_USERS
    user = str(first + secrets.randbelow(count))
    becomes = ["setpriv", "--reuid", user, "--regid", user, "--clear-groups", "--bounding-set=-all", "--inh-caps=-all"]
    return [*becomes, "--", *limited]


def _confinement(written: int) -> list[str]:
    """Return the options that confine a program: namespaces, no privileges, and an empty temporary folder."""
    root = os.getuid() == 0  # its program becomes another user, which needs no user namespace
    apart = [f"--unshare-{name}" for name in ("ipc", "pid", "net", "uts", "cgroup-try")] if root else ["--unshare-all"]
    options = [*apart, "--die-with-parent", "--new-session", "--hostname", "sandbox", "--cap-drop", "ALL"]
    for name in ("SETUID", "SETGID", "SETPCAP") if root else ():
        options += ["--cap-add", f"CAP_{name}"]
    if not root and _disables_namespaces():
        options += ["--unshare-user", "--disable-userns"]
    size = str(written * MEBIBYTE)
    options += ["--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--size", size, "--tmpfs", "/tmp"]  # noqa: S108
    return [*options, "--chdir", "/tmp"]  # noqa: S108 - the sandbox's own


@cache
def problem_here() -> str | None:
    """Return why no sandbox works on this machine, or None if one does."""
    if sys.platform != "linux":
        return "it needs Linux"
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed (Debian: apt install bubblewrap)"
    return _problem_with([str(shutil.which("bwrap")), *_confinement(1), "--ro-bind", "/", "/", "true"])


@cache
def _disables_namespaces() -> bool:
    """Return whether bubblewrap can forbid further namespaces. Versions before 0.8 cannot."""
    options = ["--unshare-user", "--disable-userns", "--ro-bind", "/", "/", "--proc", "/proc"]
    return _problem_with([str(shutil.which("bwrap")), *options, "true"]) is None


@cache
def scope(limits: Limits) -> tuple[str, ...]:
    """Return the beginning of a command line that limits all processes of a program, or nothing if that fails."""
    if shutil.which("systemd-run") is None:
        return ()
    settings = [f"MemoryMax={limits.memory}M", f"TasksMax={limits.processes}", "CPUQuota=100%"]
    options = [part for setting in settings for part in ("-p", setting)]
    command = ("systemd-run", "--user", "--scope", "--quiet", "--collect", *options)
    return command if _problem_with([*command, "true"]) is None else ()


def _problem_with(command: Sequence[str]) -> str | None:
    """Run a command that does nothing. Return why it does not work, or None if it does."""
    try:
        tried = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)  # noqa: S603 - ours
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{command[0]} does not start: {error}"
    return f"{command[0]} does not work here: {' '.join(tried.stderr.split())[:200]}" if tried.returncode else None


@cache
def python_paths() -> tuple[Path, ...]:
    """Return the files and folders of Python and wordle-kit."""
    paths = [sys.prefix, sys.base_prefix]
    paths += [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    found = [find_spec(package) for package in ("wordle_kit", "wordle_kit_data", "wordle_kit_plugins")]
    paths += [str(Path(spec.origin).parent) for spec in found if spec is not None and spec.origin is not None]
    return tuple(path for path in dict.fromkeys(Path(os.path.abspath(path)) for path in paths) if path.exists())  # noqa: PTH100


def _system_folders() -> list[str]:
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


def _parent_folders(paths: Iterable[Path]) -> list[str]:
    """Return options that create the parent folders of these paths, which are empty and open to all users."""
    folders = dict.fromkeys(folder for path in paths for folder in reversed(path.parents))
    made = [str(folder) for folder in folders if str(folder) not in ("/", "/tmp")]  # noqa: S108 - these are there
    return [part for folder in made for part in ("--perms", "755", "--dir", folder)]


def _outermost(paths: Iterable[Path]) -> list[Path]:
    """Return the paths that are neither inside another of these paths nor in the visible part of the system."""
    real = dict.fromkeys(Path(os.path.abspath(path)) for path in paths)  # noqa: PTH100 - links stay links
    covers = [*real, Path("/usr")]
    return [path for path in real if not any(other in path.parents for other in covers) and path != Path("/usr")]


# The filter of system calls


NOT_PERMITTED = """
    syslog uselib acct quotactl add_key keyctl request_key move_pages mbind get_mempolicy set_mempolicy migrate_pages
    unshare setns mount umount umount2 pivot_root chroot perf_event_open ptrace
"""
MISSING = "clone3 open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr"
"""The other calls that Flatpak forbids its programs. These appear to be missing, as they are on older systems."""

CLONE_NEWUSER = 0x10000000
TERMINAL = (0x5412, 0x541C)
"""TIOCSTI and TIOCLINUX of `ioctl`, which insert input into a terminal."""
NETLINK = 16
"""The last kind of socket that Flatpak allows."""

ALLOW, ERRNO = 0x7FFF0000, 0x00050000
GREATER, MASKED_EQUAL = 6, 7


class _Argument(ctypes.Structure):
    """A condition of libseccomp on an argument of a call."""

    _fields_ = (("place", ctypes.c_uint), ("op", ctypes.c_int), ("a", ctypes.c_uint64), ("b", ctypes.c_uint64))


@cache
def system_call_filter() -> bytes | None:
    """Return the filter as a program for the kernel, or None if there is no libseccomp."""
    name = ctypes.util.find_library("seccomp")
    if name is None:
        return None
    library = ctypes.CDLL(name)
    library.seccomp_init.restype = ctypes.c_void_p
    rules = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(ALLOW)))

    def forbid(call: str, code: int, *conditions: _Argument) -> None:
        number = library.seccomp_syscall_resolve_name(call.encode())
        array = (_Argument * max(1, len(conditions)))(*conditions)
        library.seccomp_rule_add_array(rules, ctypes.c_uint32(ERRNO | code), number, len(conditions), array)

    for call in NOT_PERMITTED.split():
        forbid(call, errno.EPERM)
    for call in MISSING.split():
        forbid(call, errno.ENOSYS)
    forbid("clone", errno.EPERM, _Argument(0, MASKED_EQUAL, CLONE_NEWUSER, CLONE_NEWUSER))
    for command in TERMINAL:
        forbid("ioctl", errno.EPERM, _Argument(1, MASKED_EQUAL, 0xFFFFFFFF, command))
    forbid("socket", errno.EAFNOSUPPORT, _Argument(0, GREATER, NETLINK, 0))
    reading, writing = os.pipe()
    try:
        library.seccomp_export_bpf(rules, writing)
    finally:
        os.close(writing)
        library.seccomp_release(rules)
    with os.fdopen(reading, "rb") as file:
        return file.read()
