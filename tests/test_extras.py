"""Optional packages: what a message says to install can be installed, and is what pyproject.toml asks for."""

import ast
import sys
import tomllib
from pathlib import Path

import pytest

import wordle_kit as wk
from wordle_kit.extras import install_command, needed
from wordle_kit.sandbox import system_calls

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = {name: packages for name, packages in PROJECT["optional-dependencies"].items() if name != "dev"}


def extras_in_the_code():
    """Return the extra of each call of `needed` or `install_command` in the code of wordle-kit."""
    places = {"needed": 2, "install_command": 0}
    found = set()
    for file in (ROOT / "wordle_kit").rglob("*.py"):
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "id", None) in places:
                extra = call.args[places[call.func.id]]
                found |= {extra.value} if isinstance(extra, ast.Constant) else set()
    return found


@pytest.mark.parametrize("extra", EXTRAS)
def test_the_command_names_the_packages_with_their_lowest_versions(extra):
    packages = [f"'{package.partition(';')[0]}'" for package in EXTRAS[extra]]
    assert install_command(extra) == f"pip install {' '.join(packages)}"


def test_the_extras_of_the_code_are_those_of_the_project():
    assert extras_in_the_code() == set(EXTRAS)


def test_a_missing_module_is_named_with_the_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(wk.WordleKitError) as raised:
        needed("altair", "plots", "plots")
    command = "pip install 'altair>=5.4' 'vl-convert-python>=1.7'"
    assert str(raised.value) == f"plots: altair is not installed; install it with: {command}"


def test_without_a_filter_of_system_calls_the_line_names_what_it_needs(monkeypatch):
    monkeypatch.setattr(system_calls, "system_call_filter", lambda: None)
    said = system_calls.filter_warning()
    assert said.endswith("so less is stopped: install libseccomp, and pip install 'pyseccomp>=0.1.2'")


def test_nothing_says_to_install_wordle_kit_from_an_index_which_does_not_have_it():
    files = [*ROOT.glob("*.md"), *(ROOT / "examples").rglob("*.*")]
    for folder, kinds in (("docs", ("*.md", "*.ipynb")), ("wordle_kit", ("*.py", "*.txt")), ("plugins", ("*.py",))):
        files += [file for kind in kinds for file in (ROOT / folder).rglob(kind)]
    unknown = "wordle-kit[", "pip install wordle-kit"
    written = [file for file in files if file.parent.name != "__pycache__"]  # kernels may have been compiled there
    texts = {str(file): file.read_text(encoding="utf-8") for file in written}
    assert [file for file, text in texts.items() if any(words in text for words in unknown)] == []
