"""Runs commands of wordle-kit as it is installed, in the current folder, which is not the checkout.

Nothing but wordle-kit and its dependencies is installed. What a command prints is shown only if it fails.
"""

import os
import subprocess
import sys
from pathlib import Path

import wordle_kit

COMMANDS = (
    "plugins",
    "games",
    "tournament --game mastermind",
    "tournament --puzzles 50 -s entropy -s random-consistent --format json",
    "leaderboard -g wordle -o report.html",
    "tournament --game mastermind -s minimax --puzzles 5 -o played.html -o played.md",
    "puzzle --answer crane -o puzzle.html",
    "new strategy idea",
    "check idea.py",
)

if __name__ == "__main__":
    home = Path(wordle_kit.__file__)
    assert "site-packages" in home.parts, home
    program = str(Path(sys.executable).with_name("wordle-kit"))
    os.environ["WORDLE_KIT_STORE"] = str(Path("results.sqlite").absolute())
    for command in COMMANDS:
        ran = subprocess.run([program, *command.split()], capture_output=True, text=True, check=False)
        if ran.returncode:
            sys.exit(f"wordle-kit {command}: exit code {ran.returncode}\n{ran.stdout}{ran.stderr}")
    print(f"{len(COMMANDS)} commands of the installed wheel succeeded")
