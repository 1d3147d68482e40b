"""Marks for tests that need what a machine may lack. The reasons say how to install it, and the summary counts them.

`.ci/run` hides programs, and then runs every test that was skipped.
"""

import shutil
import sys

import pytest

from wordle_kit.programs.sandbox import problem_here

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")


def unless(problem):
    """Return a mark that skips a test if there is a problem."""
    return pytest.mark.skipif(problem is not None, reason=str(problem))


def needs_program(name, package):
    """Return a mark that skips a test if a program is not installed."""
    return unless(None if shutil.which(name) else f"{name} is not installed (Debian: apt install {package})")


needs_linux = unless(None if sys.platform == "linux" else "it needs Linux")
needs_bubblewrap = unless(problem_here())
needs_chromium = unless(None if CHROMIUM else "Chromium is not installed (Debian: apt install chromium)")
needs_node = needs_program("node", "nodejs")
needs_bash = needs_program("bash", "bash")
