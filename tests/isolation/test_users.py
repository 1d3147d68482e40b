"""The users that root's programs run as: no two living processes share one, whichever worker started them."""

import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from wordle_kit.isolation.process import Process
from wordle_kit.sandbox import levels
from wordle_kit.tournaments.player import NoGuess

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or os.getuid() != 0, reason="only root gives programs other users"
)

TELLS_USER = ["/bin/sh", "-c", 'while read line; do echo "{\\"user\\": $(id -u)}"; done']

KILLS_ALL = """
import json, os, signal, sys, time
for line in sys.stdin:
    try:
        os.kill(-1, signal.SIGKILL)  # all of this user, except itself
    except OSError:
        pass
    print(json.dumps({"user": os.getuid()}), flush=True)
"""


@pytest.fixture
def few_users(monkeypatch):
    """Leave three users to choose from, which no other test has."""
    monkeypatch.setattr(levels, "FIRST_USER", 61_000)
    monkeypatch.setattr(levels, "USERS", 3)
    monkeypatch.setattr(levels, "USER_LOCKS", f"wordle-kit-users-of-test-{os.getpid()}")
    yield
    for folder in levels.FOLDERS_OF_LOCKS:
        (folder / levels.USER_LOCKS).unlink(missing_ok=True)


def claims(count):
    return [levels.claim_user() for _ in range(count)]


def test_a_user_is_claimed_until_the_last_descriptor_is_closed(few_users):
    claimed = claims(3)
    assert {user for user, _ in claimed} == {61_000, 61_001, 61_002}
    with pytest.raises(levels.MachineError, match="all users from 61000 to 61002 have processes"):
        levels.claim_user()
    user, descriptor = claimed.pop()
    copy = os.dup(descriptor)  # as in a process that inherits it
    os.close(descriptor)
    with pytest.raises(levels.MachineError):
        levels.claim_user()
    os.close(copy)
    again, descriptor = levels.claim_user()
    assert again == user
    for _, held in [*claimed, (again, descriptor)]:
        os.close(held)


def test_a_process_that_is_killed_claims_nothing(few_users):
    program = f"""
import os, signal
from wordle_kit.sandbox import levels
levels.FIRST_USER, levels.USERS, levels.USER_LOCKS = 61_000, 3, {levels.USER_LOCKS!r}
for _ in range(3): levels.claim_user()
os.kill(os.getpid(), signal.SIGKILL)
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == -9
    for _, descriptor in claims(3):
        os.close(descriptor)


def test_an_unclaimed_user_number_with_a_process_is_not_used(few_users):
    left = [subprocess.Popen(["sleep", "60"], user=user) for user in (61_000, 61_002)]
    try:
        user, descriptor = levels.claim_user()
        os.close(descriptor)
        assert user == 61_001
    finally:
        for process in left:
            process.kill()
            process.wait()


def test_a_file_of_another_user_is_not_trusted(few_users, tmp_path, monkeypatch):
    monkeypatch.setattr(levels, "FOLDERS_OF_LOCKS", (tmp_path,))
    path = tmp_path / levels.USER_LOCKS
    path.write_text("")
    os.chown(path, 65534, 65534)
    with pytest.raises(levels.MachineError, match="other users can open it; remove it"):
        levels.claim_user()
    path.unlink()
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(levels.MachineError, match="there is no file for reserving users"):
        levels.claim_user()


def users_of_two(isolation):
    """Return the users of two programs that live at the same time."""
    processes = [Process(TELLS_USER, [], isolation) for _ in range(2)]
    try:
        return [process.query(dict, {}, 20)["user"] for process in processes]
    finally:
        for process in processes:
            process.close()


def test_workers_give_no_user_twice(level, isolation_at):
    with ProcessPoolExecutor(3, get_context("fork")) as pool:
        found = list(pool.map(users_of_two, [isolation_at(level)] * 6))
    if level == "plain" and 0 in found[0]:
        pytest.skip("others cannot read this Python, so the plain level keeps root")
    assert all(len(set(two)) == 2 and 0 not in two for two in found)


def test_processes_that_live_together_have_users_of_their_own_and_cannot_end_each_other(level, isolation_at):
    killer = Process([sys.executable, "-c", KILLS_ALL], [], isolation_at(level))
    victims = [Process(TELLS_USER, [], isolation_at(level)) for _ in range(4)]
    try:
        before = [victim.query(dict, {}, 20)["user"] for victim in victims]
        if 0 in before:
            pytest.skip("others cannot read this Python, so the plain level keeps root")
        assert len(set(before)) == 4
        try:
            assert killer.query(dict, {}, 20)["user"] not in before
        except NoGuess as none:
            pytest.fail(f"the attack itself failed: {none}")
        assert [victim.query(dict, {}, 20)["user"] for victim in victims] == before
    finally:
        for process in (killer, *victims):
            process.close()
