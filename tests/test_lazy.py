"""Public names are there; what a message says to install can be installed, and is what pyproject.toml asks for."""

import ast
import importlib
import re
import sys
import tomllib
from pathlib import Path

import pytest

import wordle_kit as wk
from wordle_kit.lazy import install_command, needed
from wordle_kit.sandbox import system_calls

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = {name: packages for name, packages in PROJECT["optional-dependencies"].items() if name != "dev"}


@pytest.mark.parametrize("package", ["wordle_kit", "wordle_kit.environments"])
def test_every_name_in_a_stub_is_there(package):
    module = importlib.import_module(package)
    assert [name for name in module.__all__ if not hasattr(module, name)] == []
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'nothing'"):
        module.nothing  # noqa: B018 - it raises


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
    unknown = re.compile(r"wordle-kit\[\w|\b(?:pip|pipx|uv)\b.* (?:install|add) (?:-\S+ )*['\"]?wordle-kit\b(?! @)")
    texts = {str(file): file.read_text(encoding="utf-8") for file in written()}
    assert [(file, found[0]) for file, text in texts.items() if (found := unknown.search(text))] == []


def written():
    """Return the pages, and the files with texts that people are shown."""
    files = [*ROOT.glob("*.md"), *(ROOT / "examples").rglob("*.*")]
    folders = {
        "docs": ("*.md", "*.ipynb", "*.py", "*.html"),
        "wordle_kit": ("*.py", "*.txt", "*.jinja", "*.html", "*.js"),
        "plugins": ("*.py",),
        "data": ("*.md", "*.py"),
        "leaderboard": ("*.md", "*.py"),
        "benchmarks": ("*.md", "*.py"),
    }
    files += [file for folder, kinds in folders.items() for kind in kinds for file in (ROOT / folder).rglob(kind)]
    return [file for file in files if file.parent.name != "__pycache__"]  # kernels may have been compiled there


def test_the_page_on_installation_has_every_extra_and_no_other():
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `pip install '\.\[(\w+)\]'` \| .* \| \d+ MB \|$", page, re.MULTILINE)
    assert sorted(rows) == sorted(EXTRAS)
    assert f"| Python | {PROJECT['requires-python'].removeprefix('>=')} or newer;" in page


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda page: page.stem)
def test_pages_install_known_extras_and_say_where_to_read_more(page):
    text = page.read_text(encoding="utf-8")
    named = {name for names in re.findall(r"pip install '\.\[([\w,]+)\]'", text) for name in names.split(",")}
    assert named <= set(EXTRAS)
    assert not named or page.stem == "install" or "(install.md#extras)" in text
