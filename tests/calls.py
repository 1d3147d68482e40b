"""Tasks for workers. A new Python can import this module, but not a file of tests, which pytest loads by its path."""

import os
import signal
import time

from wordle_kit.tournaments.pool import watchdog_file


def press_ctrl_c():
    os.kill(os.getpid(), signal.SIGINT)
    return "went on"


def print_a_line(descriptor):
    print("through print")
    os.write(descriptor, b"through the descriptor\n")


def leave_a_traceback():
    watchdog_file().write_text(f"{os.getpid()} was here")
    os._exit(3)


def die_once(file):
    if not file.exists():
        file.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "survived"


def die_in_the_middle(size, place):
    """Return a large result, of which this many bytes are sent before the worker is killed."""
    from multiprocessing.connection import Connection

    left = place

    def send(connection, part):
        nonlocal left
        for start in range(0, min(left, len(part)), 65_536):
            os.write(connection.fileno(), part[start : min(start + 65_536, left)])
        left -= len(part)
        if left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)

    Connection._send = send  # in this worker alone
    return bytes(size)


def leave_a_child_and_die(children):
    number = os.fork()
    if number == 0:
        time.sleep(600)
    with children.open("a") as file:
        print(number, file=file)
    os.kill(os.getpid(), signal.SIGKILL)
