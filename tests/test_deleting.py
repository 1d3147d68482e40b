"""Deleting a feature is deleting its folder and its lines in pyproject.toml: everything else goes on working."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FEATURES = {
    "classroom": {"grade"},
    "environments": set(),
    "exact": {"optimal", "openers"},
    "languages": set(),
    "papers": {"reproduce"},
    "playing": {"assist", "play", "puzzle"},
    "report": {"plot"},
}
"""The commands of each feature."""
NEEDED = {"exact": ["environments"], "pages": ["playing", "report"]}
"""The features that build on another one, and go with it."""

pytestmark = pytest.mark.slow


def copy_without(features, folder):
    """Copy what is committed or about to be, without these features and their tests."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True)
    gone = re.compile(rf"(plugins|tests|tests/plugins)/(test_)?({'|'.join(features)})(\.py|/.*)")
    for name in listed.stdout.decode().splitlines():
        if not gone.fullmatch(name) and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    project = folder / "pyproject.toml"
    lines = project.read_text(encoding="utf-8").splitlines(keepends=True)
    entry = re.compile(rf'\S+ = "wordle_kit_plugins\.({"|".join(features)})\b.*\s')
    project.write_text("".join(line for line in lines if not entry.fullmatch(line)), encoding="utf-8")


@pytest.fixture
def installed(tmp_path):
    """Return a function that installs a copy without some features, and returns its folder and how to run Python."""

    def installed(features):
        copy_without(features, tmp_path / "copy")
        install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", tmp_path / "packages"]
        subprocess.run([*install, tmp_path / "copy"], check=True)

        def run(*arguments):
            settings = {"PYTHONPATH": str(tmp_path / "packages"), "WORDLE_KIT_STORE": str(tmp_path / "store.sqlite")}
            ran = subprocess.run(
                [sys.executable, "-P", *arguments],
                capture_output=True,
                text=True,
                env=os.environ | settings,
                cwd=tmp_path / "copy",
                check=False,
            )
            assert ran.returncode == 0, ran.stdout[-5000:] + ran.stderr
            return ran.stdout

        return run

    return installed


def commands(text):
    return set(re.findall(r"^  ([a-z]+)  ", text, re.MULTILINE))


@pytest.mark.parametrize("feature", [*FEATURES, "pages"])
def test_without_a_feature_the_rest_installs_and_plays(installed, feature):
    features = [feature, *NEEDED.get(feature, ())]
    run = installed(features)
    there = run(
        "-c", "import os, wordle_kit_plugins as plugins; print(plugins.__file__, os.listdir(*plugins.__path__))"
    )
    assert "packages" in there
    assert f"{feature}" not in there
    shown = commands(run("-m", "wordle_kit", "--help"))
    every = set().union(*FEATURES.values())
    gone = set().union(*(FEATURES.get(name, set()) for name in features))
    assert shown >= {"tournament", "leaderboard"}
    assert shown & every == every - gone
    played = run("-m", "wordle_kit", "tournament", "-g", "mastermind", "-s", "minimax", "--format", "csv")
    assert "minimax" in played


def test_without_any_feature_the_engine_passes_its_quick_tests(installed):
    run = installed([*FEATURES, "pages"])
    spanning = (
        "--ignore=tests/test_docs.py",
        "--ignore=tests/test_published_leaderboards.py",
    )  # they name every feature
    print(run("-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", "-p", "no:cacheprovider", *spanning))
