"""Public names are there; what a message says to install can be installed, and is what pyproject.toml asks for."""

import ast
import importlib
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

import wordle_kit as wk
from wordle_kit.lazy import homes_of

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = {*PROJECT["optional-dependencies"]} - {"dev"}


def test_every_name_in_the_stub_is_there_unless_its_feature_was_deleted():
    homes = homes_of(wk.__file__)
    assert [name for name in wk.__all__ if not hasattr(wk, name) and find_spec(homes[name].rpartition(".")[0])] == []
    with pytest.raises(AttributeError, match="nothing"):
        wk.nothing  # noqa: B018 - it raises


def test_features_import_public_names_from_wordle_kit():
    homes = homes_of(wk.__file__)
    for file in (ROOT / "plugins").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module.startswith("wordle_kit."):
                deep = [name.name for name in node.names if homes.get(name.name) == node.module]
                assert not deep, f"{file}, line {node.lineno}: write wk.{deep[0]}"


def extras_in_the_code():
    """Return the extra of each call of `needed` in the code of wordle-kit."""
    found = set()
    for file in [*(ROOT / "wordle_kit").rglob("*.py"), *(ROOT / "plugins").rglob("*.py")]:
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "needed":
                found |= {extra.value for extra in call.args[2:] if isinstance(extra, ast.Constant)}
    return found


def test_the_extras_of_the_code_are_those_of_the_project():
    assert extras_in_the_code() <= EXTRAS


def test_a_missing_package_is_named_with_the_command_that_installs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(wk.WordleKitError, match=r"pip install 'wordle-kit\[plots\]'"):
        importlib.import_module("wordle_kit.lazy").needed("altair", "plots", "plots")
