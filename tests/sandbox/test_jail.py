"""A jail runs any program: it passes on what the program says, says how it ended, and leaves nothing behind."""

import os
import time

import pytest
from needs import needs_bubblewrap

from wordle_kit.sandbox.jail import Exit, Jail
from wordle_kit.sandbox.limits import Confinement, Limits
from wordle_kit.sandbox.supervisor import descendants

pytestmark = [pytest.mark.slow, needs_bubblewrap]

UPPER_CASE = "while read line; do echo $line | tr a-z A-Z; done"


@pytest.fixture
def run():
    """Return a function that runs a line of shell in a jail."""
    jails = []

    def run(line, seconds=60.0, **limits):
        confinement = Confinement(sandbox="required", limits=Limits(**limits))
        jails.append(Jail(["/bin/sh", "-c", line], [], confinement, seconds))
        return jails[-1]

    yield run
    for jail in jails:
        jail.close()


def read(descriptor):
    """Return the next bytes from a pipe that does not block."""
    for _ in range(2000):
        try:
            return os.read(descriptor, 1000)
        except BlockingIOError:
            time.sleep(0.01)
    raise AssertionError("nothing came")


def test_a_program_is_asked_through_its_pipes_and_ends_with_its_jail(run):
    before = descendants(os.getpid())
    jail = run(UPPER_CASE)
    os.write(jail.input, b"fade\n")
    assert read(jail.output) == b"FADE\n"
    assert jail.is_open
    assert not jail.has_ended
    jail.close()
    assert not jail.is_open
    assert descendants(os.getpid()) <= before
    assert jail.close() == 0.0, "it was closed already"


@pytest.mark.parametrize(
    ("line", "exit_"),
    [
        ("exit 3", Exit("ended with exit code 3")),
        ("kill -SEGV $$", Exit("was ended by SIGSEGV")),
        ("while :; do :; done", Exit("used 1 s of processor time", past_limit=True, out_of_time=True)),
    ],
)
def test_the_end_of_a_program_has_a_reason(run, line, exit_):
    jail = run(line, seconds=1.0, cpu=1)
    for _ in range(1000):
        if jail.has_ended:
            break
        time.sleep(0.01)
    assert jail.exit() == exit_
