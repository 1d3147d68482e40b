"""Control groups: where they are made, what is written to them, what ended a program, and what is left.

A folder stands in for the kernel's where a controller is needed. The kernel's own is used to test that
all processes are ended together.
"""

import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

import wordle_kit as wk
from wordle_kit import cli
from wordle_kit.isolation.process import Process
from wordle_kit.sandbox import cgroups
from wordle_kit.sandbox.cgroups import ControlGroup, Home, find_home, new_group, remove_leftovers
from wordle_kit.temporary import PREFIX, owner_name
from wordle_kit.tournaments.player import NoGuess

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="control groups are Linux's")

LIMITS = wk.Limits(memory=512, processes=24, written=4)
FILES = {
    "cgroup.procs": "",
    "cgroup.subtree_control": "",
    "cgroup.kill": "",
    "cgroup.events": "populated 0\n",
    "memory.events": "oom 0\noom_kill 0\n",
    "pids.events": "max 0\n",
    **dict.fromkeys(("memory.max", "memory.swap.max", "memory.oom.group", "pids.max", "cpu.weight"), "untouched"),
}


@pytest.fixture
def kernel(tmp_path, monkeypatch):
    """Give a folder in which every new folder is a control group, and can be removed like one."""
    make, remove = Path.mkdir, Path.rmdir

    def mkdir(folder, *arguments, **settings):
        make(folder, *arguments, **settings)
        for name, text in FILES.items():
            (folder / name).write_text(text)

    def rmdir(folder):
        for name in FILES:
            (folder / name).unlink()
        remove(folder)

    monkeypatch.setattr(Path, "mkdir", mkdir)
    monkeypatch.setattr(Path, "rmdir", rmdir)
    return tmp_path


def mounted(place, root="/"):
    text = str(place).replace(" ", "\\040")
    return f"22 1 0:21 / /proc rw - proc proc rw\n30 22 0:26 {root} {text} rw,nosuid shared:9 - cgroup2 cgroup2 rw\n"


def tree(place, *groups, controllers="cpu io memory pids"):
    """Make the groups below a place, each of which passes these controllers on."""
    for name in ("", *groups):
        (place / name).mkdir(parents=True, exist_ok=True)
        (place / name / "cgroup.controllers").write_text(controllers)
        (place / name / "cgroup.subtree_control").write_text(controllers)
        (place / name / "cgroup.procs").write_text("")


def as_other_user(monkeypatch, *closed):
    """Make these folders look as if this process could not write to them, whoever runs the tests."""
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) not in closed and access(path, mode))


def test_the_nearest_group_that_passes_on_the_controllers_is_taken(tmp_path):
    place = tmp_path / "with space"
    tree(place, "user", "user/app")
    (place / "user/app/cgroup.subtree_control").write_text("")  # it has processes
    found = find_home(mounted(place), "1:name=systemd:/other\n0::/user/app\n")
    assert found == Home(place / "user", frozenset({"cpu", "memory", "pids"}))


def test_a_group_without_controllers_is_better_than_none(tmp_path):
    tree(tmp_path, controllers="hugetlb")
    assert find_home(mounted(tmp_path), "4:memory:/\n0::/\n") == Home(tmp_path, frozenset())


@pytest.mark.parametrize("membership", ["4:memory:/\n", "0::/../elsewhere\n", ""])
def test_without_a_group_in_sight_there_is_none(tmp_path, membership):
    tree(tmp_path)
    assert find_home(mounted(tmp_path), membership) is None


def test_a_mount_of_another_part_of_the_tree_is_not_taken(tmp_path):
    tree(tmp_path, "mine")
    assert find_home(mounted(tmp_path, "/docker/other"), "0::/docker/mine\n") is None
    assert find_home(mounted(tmp_path, "/docker"), "0::/docker/mine\n").folder == tmp_path / "mine"


def test_groups_that_may_not_be_written_to_are_not_taken(tmp_path, monkeypatch):
    tree(tmp_path, "session")
    as_other_user(monkeypatch, tmp_path / "", tmp_path / "session")
    assert find_home(mounted(tmp_path), "0::/session\n") is None
    as_other_user(monkeypatch, tmp_path / "session/cgroup.subtree_control", tmp_path / "cgroup.procs")
    assert find_home(mounted(tmp_path), "0::/session\n") is None


def test_a_delegated_group_passes_controllers_on_once_its_processes_are_in_one_of_their_own(kernel, monkeypatch):
    tree(kernel, "run.scope")
    scope = kernel / "run.scope"
    scope.joinpath("cgroup.subtree_control").write_text("")
    scope.joinpath("cgroup.procs").write_text("123\n")
    write = Path.write_text

    def moved(file, text):
        if text and file == scope / cgroups.OWN / "cgroup.procs":
            write(scope / "cgroup.procs", "")
        return write(file, text.replace("+", ""))  # as the kernel shows it

    monkeypatch.setattr(Path, "write_text", moved)
    as_other_user(monkeypatch, kernel)
    assert find_home(mounted(kernel), "0::/run.scope\n") == Home(scope, frozenset())  # of somebody else
    monkeypatch.setattr(os, "getxattr", lambda path, name: b"1" if (path, name) == (scope, "user.delegate") else b"")
    assert find_home(mounted(kernel), "0::/run.scope\n") == Home(scope, frozenset({"cpu", "memory", "pids"}))
    assert (scope / cgroups.OWN / "cgroup.procs").read_text() == "123"


def test_a_program_s_group_has_its_limits_and_leaves_nothing(kernel):
    group = ControlGroup(Home(kernel, frozenset({"memory", "pids", "cpu"})), LIMITS)
    written = {name: (group.folder / name).read_text() for name in FILES}
    assert written["memory.max"] == str(516 * 2**20)
    assert (written["memory.swap.max"], written["memory.oom.group"], written["pids.max"]) == ("0", "1", "24")
    assert written["cpu.weight"] == "50"
    assert not group.used_up_memory
    assert not group.used_up_processes
    (group.folder / "memory.events").write_text("oom 2\noom_kill 1\n")
    (group.folder / "pids.events").write_text("max 7\n")
    assert group.used_up_memory
    assert group.used_up_processes
    group.end()
    assert (group.folder / "cgroup.kill").read_text() == "1"
    group.remove()
    group.remove()
    assert list(kernel.iterdir()) == []


def test_without_a_controller_its_files_are_left_alone(kernel):
    group = ControlGroup(Home(kernel, frozenset({"pids"})), LIMITS)
    assert (group.folder / "memory.max").read_text() == "untouched"
    assert (group.folder / "pids.max").read_text() == "24"
    group.remove()


def test_without_a_control_group_the_supervisor_counts_alone(tmp_path, monkeypatch, isolation_at):
    for home in (None, Home(tmp_path / "gone", frozenset({"memory"}))):
        monkeypatch.setattr(cgroups, "_home", lambda home=home: home)
        assert new_group(LIMITS) is None
    process = Process(["/bin/sh", "-c", 'read line; echo "{}"'], [], isolation_at("plain"))
    assert process.query(dict, {}, 20) == {}
    process.close()


class Counted:
    """A group in which the kernel has counted something, and no more."""

    entrance = None
    used_up_memory = used_up_processes = False

    def __init__(self, **counted):
        vars(self).update(counted)

    def end(self):
        """Do nothing, since it has no processes."""

    remove = end


@pytest.mark.parametrize(
    ("does", "counted", "message"),
    [
        ("kill -9 $$", {"used_up_memory": True}, "used more than 2048 MB of memory"),
        ("kill -9 $$", {}, "was ended by SIGKILL"),
        ("exit 2", {"used_up_processes": True}, "started more than 64 processes"),
        ("exit 2", {"used_up_memory": True}, "ended with exit code 2"),
    ],
)
def test_the_message_names_the_limit_that_ended_a_program(monkeypatch, isolation_at, does, counted, message):
    monkeypatch.setattr("wordle_kit.sandbox.jail.new_group", lambda limits: Counted(**counted))
    process = Process(["/bin/sh", "-c", f"read line; {does}"], [], isolation_at("plain"))
    with pytest.raises(NoGuess, match=message):
        process.query(dict, {}, 20)


@pytest.fixture
def real():
    """Give a group of the real kernel, or skip where none can be made."""
    group = new_group(LIMITS)
    if group is None or not (group.folder / "cgroup.kill").exists():
        pytest.skip("the system lets this process make no control groups, or cannot end them")
    yield group
    group.remove()


def joined(group, command):
    """Start a program in a group."""
    entrance = group.entrance
    return subprocess.Popen(command, preexec_fn=lambda: os.write(entrance, b"0"), pass_fds=[entrance])


def test_all_processes_of_a_group_end_together(real):
    text = "import os, time\nif os.fork() == 0:\n    os.setsid()\n    os.fork()\ntime.sleep(600)"
    process = joined(real, [sys.executable, "-c", text])
    while len((real.folder / "cgroup.procs").read_text().split()) < 3:
        time.sleep(0.01)
    real.end()
    assert process.wait(20) == -signal.SIGKILL
    real.remove()
    assert not real.folder.exists()


def test_processes_and_folders_of_a_dead_process_are_ended_and_removed(real, tmp_path):
    program = "from wordle_kit.temporary import owner_name; print(owner_name())"
    dead = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip()
    left = real.folder.parent / f"{PREFIX}{dead}-{uuid.uuid4().hex}"
    left.mkdir()
    process = subprocess.Popen(["sleep", "600"])
    (left / "cgroup.procs").write_text(str(process.pid))
    remove_leftovers(left.parent)
    assert process.wait(20) == -signal.SIGKILL
    assert not left.exists()
    assert real.folder.exists()  # of a living one


def test_a_program_is_in_its_group_and_the_group_goes_with_it(real, level, isolation_at):
    process = Process(["/bin/sh", "-c", "read line; sleep 600 & echo {}; wait"], [], isolation_at(level))
    group = process._jail._group.folder
    assert process.query(dict, {}, 20) == {}
    assert len((group / "cgroup.procs").read_text().split()) >= 2
    process.close()
    assert not group.exists()
    assert owner_name() in group.name


@pytest.mark.slow
@pytest.mark.parametrize(
    ("controllers", "sandbox", "said"), [((), "auto", 1), (("memory",), "auto", 0), ((), "plain", 0)]
)
def test_a_command_says_once_that_the_kernel_does_not_count_memory(monkeypatch, capfd, controllers, sandbox, said):
    monkeypatch.setattr(cgroups, "_home", lambda: Home(Path("/none"), frozenset(controllers)))
    options = ("-g", "mastermind", "-s", "first-consistent", "--puzzles", "1", "--isolate", "--sandbox", sandbox)
    assert cli.run(["tournament", *options]) == 0
    told = "wordle-kit: no control group for memory, so less is stopped: it is counted five times a second"
    assert capfd.readouterr().err.count(told) == said
