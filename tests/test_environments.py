"""The environments of tox and the program that CI runs: what one leaves out, another tests."""

import re
import shutil
import subprocess
import sys
import tomllib
from configparser import ConfigParser
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
ROOT = TESTS.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CI = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
TOX = ConfigParser(interpolation=None)
TOX.read(ROOT / "tox.ini", encoding="utf-8")

SKIPPING = """
import shutil
import pytest

@pytest.mark.parametrize("number", range(300))
def test_many(number):
    assert number >= 0

@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
@pytest.mark.parametrize("number", range(3))
def test_in_a_sandbox(number):
    assert number < {less_than}

def test_elsewhere():
    pytest.skip("this is not elsewhere")
"""


EXAMPLES = """
from collections import Counter
import pytest
from hypothesis import given, settings, strategies as st

counts = Counter()

@given(st.integers())
def test_usual(number):
    counts["usual"] += 1

@pytest.mark.parametrize("case", "ab")
@settings(max_examples=300)
@given(number=st.integers())
def test_many(case, number):
    counts["many " + case] += 1

@settings(max_examples=12)
@given(st.integers())
def test_some(number):
    counts["some"] += 1

def test_counts():
    assert counts == {counts}
"""


@pytest.fixture
def run(tmp_path):
    """Return a function that runs tests with the fixtures and settings of this folder, and returns what is printed."""
    (tmp_path / "tests").mkdir()
    for name in ("conftest.py", "test_mirror.py", "units.py"):
        shutil.copy(TESTS / name, tmp_path / "tests")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)

    def run(*options, path, less_than=3, tests=SKIPPING):
        file = tmp_path / "tests" / "test_skipping.py"
        file.write_text(tests.replace("{less_than}", str(less_than)))
        line = [sys.executable, "-m", "pytest", "-q", *options, str(file)]
        ran = subprocess.run(line, cwd=tmp_path, env={"PATH": path}, capture_output=True, text=True, check=False)
        return ran.stdout.splitlines()

    return run


@pytest.mark.slow
@pytest.mark.parametrize("processes", ["0", "2"])
def test_what_one_run_skips_for_want_of_a_program_the_next_runs_with_it(run, tmp_path, processes):
    path = str(tmp_path / "programs")
    first = run("-n", processes, path=path)
    assert {"3 tests skipped: bubblewrap is not installed", "1 test skipped: this is not elsewhere"} < set(first)
    assert first[-1].startswith("300 passed, 4 skipped in ")
    assert max(map(len, first)) <= 80
    assert len(first) < 8
    (tmp_path / "programs").mkdir()
    (tmp_path / "programs" / "bwrap").write_text("#!/bin/sh\n")
    (tmp_path / "programs" / "bwrap").chmod(0o755)
    then = run("-n", processes, "--skipped", path=path)
    assert "3 passed, 1 skipped" in then[-1]


@pytest.mark.slow
def test_a_test_that_fails_is_named_at_once_and_again_at_the_end(run, tmp_path):
    (tmp_path / "bwrap").touch(0o755)
    printed = run(path=str(tmp_path), less_than=2)
    name = "tests/test_skipping.py::test_in_a_sandbox[2]"
    assert any(f"FAILED {name} (call)" in line for line in printed)
    assert any(line.startswith(f"FAILED {name} - assert") for line in printed)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "counts"),
    [
        ([], {"usual": 50, "many a": 300, "many b": 300, "some": 12}),
        (["--hypothesis-profile=few"], {"usual": 10, "many a": 60, "some": 10}),
    ],
)
def test_few_examples_are_a_fifth_of_those_that_a_property_asks_for_but_ten_at_least_in_one_case(run, options, counts):
    printed = run(*options, path="", tests=EXAMPLES.replace("{counts}", repr(counts)))
    assert printed[-1].startswith(f"{len(counts) + 1} passed"), "\n".join(printed)


def test_ci_hides_every_program_of_the_sandbox_and_the_pages_and_then_runs_what_was_skipped():
    hidden = re.search(r'"\$programs"/\{(.*?)\}', CI)[1].split(",")
    looked_for = re.findall(r'which\("(.*?)"\)', (TESTS / "needs.py").read_text(encoding="utf-8"))
    assert {"bwrap", *looked_for} <= set(hidden)
    steps = [line for line in CI.splitlines() if not line.startswith(("echo", "#"))]
    readme = next(place for place, line in enumerate(steps) if 'eval "$command"' in line)
    assert "PATH=$programs" in steps[readme]
    assert steps[readme + 1 :] == [
        ".venv/bin/tox -qq -e tests -- --skipped",
        "PYENV_VERSION=$versions .venv/bin/tox -qq -p -o -e docs,lowest",
    ]


def test_tests_are_skipped_for_want_of_a_program_by_one_file_only():
    found = []
    for file in TESTS.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        if file.name not in ("needs.py", Path(__file__).name):
            found += [
                str(file) for line in text.splitlines() if "skip" in line and ("which(" in line or "bwrap" in line)
            ]
    assert found == []


def test_the_plain_command_of_tox_needs_no_other_python_and_leaves_out_no_test():
    plain = TOX["tox"]["env_list"].split(", ")
    assert plain == ["lint", "types", "package", "tests"]
    assert all("base_python" not in TOX[f"testenv:{name}"] for name in plain)
    assert TOX["testenv:tests"]["commands"] == "{[tests]run} {posargs}"
    fewer = '-m "not slow" --hypothesis-profile=few'  # no list of tests: `further_cases` leaves cases out by a rule
    assert TOX["testenv:lowest"]["commands"] == f"{{[tests]run}} {fewer} {{posargs}}"
    assert TOX["tests"]["run"] == "pytest -n 4 -q"


def test_the_lowest_versions_are_those_that_the_project_promises():
    promised = [*PROJECT["project"]["dependencies"]]
    # The packages that openenv-core brings do not work with the lowest version of pydantic.
    for extra, packages in PROJECT["project"]["optional-dependencies"].items():
        promised += packages if extra not in ("dev", "openenv") else []
    bounds = dict(package.partition(";")[0].split(">=") for package in promised)
    lines = (TESTS / "lowest.txt").read_text(encoding="utf-8").splitlines()
    pinned = dict(line.split("==") for line in lines if not line.startswith("#"))
    assert pinned.keys() == bounds.keys()
    for name, version in pinned.items():
        assert f"{version}.".startswith(f"{bounds[name]}."), name
        assert not version.removeprefix(bounds[name]).strip(".0"), name
    lowest = PROJECT["project"]["requires-python"].removeprefix(">=")
    assert TOX["testenv:lowest"]["base_python"] == f"python{lowest}"
    assert f"Python {lowest} or newer" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_what_people_install_with_the_first_command_suffices_for_pages():
    assert "extras" not in TOX["testenv:package"]
    commands = (TESTS / "installed.py").read_text(encoding="utf-8")
    assert all(command in commands for command in ('"report ', '"puzzle ', " --report "))
