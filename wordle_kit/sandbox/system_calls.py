"""The system calls that a program may not make, as a seccomp filter built by libseccomp. Linux only."""

import errno
import fcntl
import importlib
import mmap
import signal
import tempfile
from functools import cache
from types import ModuleType

from wordle_kit.lazy import install_command

BINDINGS = ("seccomp", "pyseccomp")
"""The modules with libseccomp's Python interface: Debian's python3-seccomp, and the package in the extra `sandbox`."""

FORBIDDEN = """
    ptrace process_vm_readv process_vm_writev kcmp pidfd_getfd move_pages migrate_pages
    unshare setns mount umount2 pivot_root chroot open_tree move_mount fsopen fsconfig fsmount fspick
    open_by_handle_at name_to_handle_at swapon swapoff quotactl acct syslog
    bpf perf_event_open userfaultfd lookup_dcookie kexec_load init_module finit_module delete_module
"""
"""Calls that fail with `Operation not permitted`: for the memory of other processes, namespaces, file systems and
administration.
"""

MISSING = """
    keyctl add_key request_key
    shmget shmat shmctl shmdt msgget msgsnd msgrcv msgctl semget semop semctl semtimedop
    mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr
    inotify_init inotify_init1 inotify_add_watch fanotify_init fanotify_mark
    memfd_create io_uring_setup io_uring_enter io_uring_register clone3 preadv2 sysinfo
    mincore remap_file_pages vmsplice splice tee statfs fstatfs ustat
    io_setup io_destroy io_submit io_cancel io_getevents io_pgetevents
"""
"""Calls that fail with `Function not implemented`: programs could use them to communicate or to hold uncounted memory.

Programs expect this error on older systems and use other calls. For example, they use `clone` instead of `clone3`,
whose flags a filter cannot see.
"""

MISSING_NUMBERS = (440, 442, 443, 447, 448, 451, 467)
"""The numbers of newer calls, which older versions of libseccomp cannot name. They are the same on all architectures.

The calls are process_madvise, mount_setattr, quotactl_fd, memfd_secret, process_mrelease, cachestat and open_tree_attr.
"""

WITHOUT_EFFECT = "flock utime utimes futimesat utimensat fadvise64 readahead sync syncfs sync_file_range"
"""Calls that succeed without effect. Other sandboxes would see their effect on shared files or on the page cache."""

ADVICE = (1, 2, 3, 12, 20, 21)
"""Advice for `madvise` that also succeeds without effect: MADV_RANDOM, MADV_SEQUENTIAL, MADV_WILLNEED, MADV_MERGEABLE,
MADV_COLD and MADV_PAGEOUT. It would change what the page cache holds, which pages are merged, or what is swapped out.
"""

UNCOUNTED_MEMORY = (mmap.MAP_SHARED | mmap.MAP_ANONYMOUS, 0x40000)
"""Flags of `mmap`: shared memory without a file, and MAP_HUGETLB. The system counts neither as memory of a process. It
keeps the shared memory while any page of it is mapped.
"""

LOCKS = (fcntl.F_SETLK, fcntl.F_SETLKW, getattr(fcntl, "F_OFD_SETLK", 37), getattr(fcntl, "F_OFD_SETLKW", 38))
"""Lock commands of `fcntl`. They also succeed without effect."""

SOCKET_BUFFERS = (7, 8)
"""SO_SNDBUF and SO_RCVBUF of `setsockopt`. They also succeed without effect, since no process is charged for buffers.
"""

REFUSED_COMMANDS = (1024, 1025, 1026, 1031, 1032, 1035, 1036, 1037, 1038, 1039, 1040)
"""Other refused commands of `fcntl`: leases, notices, sizes of pipes, hints that stay with a file, and delegations."""

NAMESPACES = (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000)
"""The flags CLONE_NEW* of `clone`."""

TERMINAL = (0x5412, 0x541C)
"""TIOCSTI and TIOCLINUX of `ioctl`, which insert input into a terminal."""

AF_UNIX = SOL_SOCKET = 1

LOW_HALF = 0xFFFFFFFF
"""The bits that the system reads of an argument of type int."""


@cache
def system_call_filter() -> bytes | None:
    """Return the filter as a program for the kernel, or None if libseccomp is not available."""
    found = _binding()
    if found is None:
        return None
    rules = found.SyscallFilter(found.ALLOW)
    not_permitted, not_there, no_effect = (found.ERRNO(code) for code in (errno.EPERM, errno.ENOSYS, 0))
    for names, action in ((FORBIDDEN, not_permitted), (MISSING, not_there), (WITHOUT_EFFECT, no_effect)):
        for name in names.split():
            rules.add_rule(action, name)
    for number in MISSING_NUMBERS:
        rules.add_rule(not_there, number)
    for flag in NAMESPACES:
        rules.add_rule(not_permitted, "clone", found.Arg(0, found.MASKED_EQ, flag, flag))
    for action, commands in ((no_effect, LOCKS), (not_permitted, REFUSED_COMMANDS)):
        for command in commands:
            rules.add_rule(action, "fcntl", found.Arg(1, found.MASKED_EQ, LOW_HALF, command))
    for advice in ADVICE:
        rules.add_rule(no_effect, "madvise", found.Arg(2, found.MASKED_EQ, LOW_HALF, advice))
    for flags in UNCOUNTED_MEMORY:
        rules.add_rule(not_permitted, "mmap", found.Arg(3, found.MASKED_EQ, flags, flags))
    for option in SOCKET_BUFFERS:
        level, name = (
            found.Arg(place, found.MASKED_EQ, LOW_HALF, value) for place, value in ((1, SOL_SOCKET), (2, option))
        )
        rules.add_rule(no_effect, "setsockopt", level, name)
    # If a parent ignores this signal, the system forgets the processor time of its children when they end.
    rules.add_rule(no_effect, "rt_sigaction", found.Arg(0, found.MASKED_EQ, LOW_HALF, signal.SIGCHLD))
    # A signal to process -1 goes to every process: at the level `plain`, to everything of this user, possibly root.
    rules.add_rule(not_permitted, "kill", found.Arg(0, found.MASKED_EQ, LOW_HALF, LOW_HALF))
    for command in TERMINAL:
        rules.add_rule(not_permitted, "ioctl", found.Arg(1, found.MASKED_EQ, LOW_HALF, command))
    rules.add_rule(found.ERRNO(errno.EAFNOSUPPORT), "socket", found.Arg(0, found.NE, AF_UNIX))
    with tempfile.TemporaryFile() as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()


def filter_warning() -> str | None:
    """Return a line that says what to do if there is no filter, or None if there is one."""
    if system_call_filter() is not None:
        return None
    return f"no filter of system calls, so less is stopped: install libseccomp, and {install_command('sandbox')}"


def _binding() -> ModuleType | None:
    for name in BINDINGS:
        try:
            return importlib.import_module(name)
        except (ImportError, RuntimeError, OSError):  # libseccomp or its Python interface is not installed
            continue
    return None
