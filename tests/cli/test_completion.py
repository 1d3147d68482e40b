"""Shell completion, in a real bash: what the Tab key offers after the words of a command line."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from needs import needs_bash

pytestmark = needs_bash

PROGRAM = Path(sys.executable).with_name("wordle-kit")

TAB = """
{completion}
rule=$(complete -p wordle-kit)
function=${{rule##*-F }}
COMP_WORDS=({words})
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
"${{function%% *}}" wordle-kit
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


ENVIRONMENT = {
    "PATH": f"{PROGRAM.parent}{os.pathsep}{os.environ['PATH']}",
    "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1",
}


@pytest.fixture(scope="module")
def completion():
    """Return the script that switches completion on."""
    command = [PROGRAM, "--show-completion", "bash"]
    return subprocess.run(command, capture_output=True, text=True, env=os.environ | ENVIRONMENT, check=True).stdout


@pytest.fixture
def offered(completion, tmp_path):
    """Return what bash offers after these words, the last of which is incomplete."""

    def offered(*words):
        script = TAB.format(completion=completion, words=shlex.join(["wordle-kit", *words]))
        done = subprocess.run(
            ["bash", "--norc", "-c", script],
            capture_output=True,
            encoding="utf-8",
            env=os.environ | ENVIRONMENT,
            cwd=tmp_path,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.split()

    return offered


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["tourn"], ["tournament"]),
        (["tree", "ch"], ["check"]),
        (["tournament", "--js"], ["--json"]),
        (["tournament", "-g", "quor"], ["quordle"]),
        (["tournament", "--strategy", "minim"], ["minimax"]),
        (["compare", "entropy", "minim"], ["minimax"]),
        (["strategies", "minim"], ["minimax"]),
        (["rules", "--format", "mark"], ["markdown"]),
        (["solve", "--sandbox", "req"], ["required"]),
    ],
    ids=lambda value: " ".join(value),
)
def test_tab_completes_the_last_word(offered, words, expected):
    assert offered(*words) == expected


def test_tab_offers_the_strategies_of_a_plugin_on_the_command_line(offered, strategy):
    assert offered("tournament", "-p", str(strategy("Mine")), "-s", "mi") == ["mine", "minimax"]


def test_a_plugin_that_fails_offers_the_others_and_no_message(offered, broken):
    assert offered("tournament", "-p", str(broken), "-s", "minim") == ["minimax"]


def test_tab_is_quiet_where_nothing_fits(offered):
    assert offered("tournament", "-g", "zzz") == []
