"""Shell completion: what the Tab key offers after the words of a command line."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from needs import needs_bash

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


@pytest.fixture
def offered(run, monkeypatch):
    """Return what is offered after these words, the last of which is incomplete."""

    def offered(*words):
        monkeypatch.setenv("_WORDLE_KIT_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", shlex.join(["wordle-kit", *words]))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        ran = run("--help")
        assert ran.err == ""
        return ran.out.split()

    return offered


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["tourn"], ["tournament"]),
        (["tournament", "--colu"], ["--columns"]),
        (["tournament", "-g", "quor"], ["quordle"]),
        (["tournament", "-g", "zzz"], []),
        (["tournament", "--strategy", "minim"], ["minimax"]),
        (["compare", "entropy", "minim"], ["minimax"]),
        (["rules", "--format", "gith"], ["github"]),
    ],
    ids=lambda value: " ".join(value),
)
def test_tab_completes_the_last_word(offered, words, expected):
    assert offered(*words) == expected


def test_tab_offers_the_strategies_of_a_plugin_on_the_command_line(offered, strategy):
    assert offered("tournament", "-p", str(strategy("Mine")), "-s", "mi") == ["mine", "minimax"]


def test_no_isolated_file_is_run_to_complete_a_name(offered, strategy, tmp_path):
    path = strategy("Mine")
    path.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n{path.read_text()}")
    assert offered("tournament", "--isolate", "-p", str(path), "-s", "mi") == ["minimax"]
    assert not (tmp_path / "ran").exists()


def test_a_plugin_that_fails_offers_the_others_and_no_message(offered, broken):
    assert offered("tournament", "-p", str(broken), "-s", "minim") == ["minimax"]


@pytest.mark.slow
@needs_bash
def test_bash_completes_a_strategy(tmp_path):
    environment = os.environ | {
        "PATH": f"{PROGRAM.parent}{os.pathsep}{os.environ['PATH']}",
        "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1",
    }
    settings = {"capture_output": True, "encoding": "utf-8", "env": environment, "cwd": tmp_path}
    completion = subprocess.run([PROGRAM, "--show-completion", "bash"], check=True, **settings).stdout
    script = TAB.format(completion=completion, words="wordle-kit tournament -s minim")
    done = subprocess.run(["bash", "--norc", "-c", script], check=False, **settings)
    assert (done.returncode, done.stdout, done.stderr) == (0, "minimax\n", "")
