"""Public names are there; what a message says to install can be installed, and is what pyproject.toml asks for."""

import ast
import importlib
import sys
import tomllib
from pathlib import Path

import pytest

import wordle_kit as wk

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = {*PROJECT["optional-dependencies"]} - {"dev"}


@pytest.mark.parametrize("package", ["wordle_kit", "wordle_kit_plugins.environments"])
def test_every_name_in_a_stub_is_there(package):
    module = importlib.import_module(package)
    assert [name for name in module.__all__ if not hasattr(module, name)] == []
    with pytest.raises(AttributeError, match="nothing"):
        module.nothing  # noqa: B018 - it raises


def extras_in_the_code():
    """Return the extra of each call of `needed` or `install_command` in the code of wordle-kit."""
    places = {"needed": 2, "install_command": 0}
    found = set()
    for file in [*(ROOT / "wordle_kit").rglob("*.py"), *(ROOT / "plugins").rglob("*.py")]:
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and len(call.args) > places.get(getattr(call.func, "id", ""), 9):
                extra = call.args[places[call.func.id]]
                found |= {extra.value} if isinstance(extra, ast.Constant) else set()
    return found


def test_the_extras_of_the_code_are_those_of_the_project():
    assert extras_in_the_code() == EXTRAS


def test_a_missing_package_is_named_with_the_command_that_installs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "altair", None)
    packages = " ".join(f"'{package}'" for package in PROJECT["optional-dependencies"]["plots"])
    with pytest.raises(wk.WordleKitError, match=f"pip install {packages}"):
        importlib.import_module("wordle_kit.lazy").needed("altair", "plots", "plots")
