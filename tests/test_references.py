"""The references of the documentation: every command, option and public name is there, and every example runs."""

import doctest
import importlib
import re
import sys
from pathlib import Path

import pytest

import wordle_kit as wk

DOCS = Path(__file__).parents[1] / "docs"
SECTION = re.compile(r"^### `(\w+)`$(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def commands():
    """Return the module that writes the reference of commands."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(DOCS)
        yield importlib.import_module("sitegen.commands")
    for name in [name for name in sys.modules if name.partition(".")[0] == "sitegen"]:
        del sys.modules[name]


def test_the_reference_has_every_command_with_its_sentence_options_and_examples(commands):
    text = commands.reference()
    parts = dict(re.findall(r"^## `wordle-kit ([^`]+)`\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
    known = commands.commands()
    assert list(parts) == list(known)
    assert len(known) > 30
    for name, command in known.items():
        assert commands.plain(command.help) in parts[name]
        for parameter in command.params:
            assert commands.names(parameter) in parts[name], (name, parameter.name)
            assert commands.in_a_cell(commands.plain(parameter.help or "")) in parts[name]
        assert all(f"\n{example}\n" in parts[name] for example in command.examples)


def test_in_the_reference_text_is_shown_as_it_is(commands):
    assert commands.plain("a <b> & $X [c] *d* `e_f` g_h") == ("a &lt;b&gt; &amp; \\$X \\[c\\] \\*d\\* `e_f` g\\_h")


def test_every_public_name_has_an_example():
    page = (DOCS / "api.md").read_text(encoding="utf-8")
    found = {name: EXAMPLE.findall(text) for name, text in SECTION.findall(page)}
    assert sorted([*found, "__version__"]) == wk.__all__
    assert [name for name, examples in found.items() if not examples] == []


@pytest.mark.slow
def test_every_example_of_a_public_name_runs_as_the_page_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (DOCS / "api.md").read_text(encoding="utf-8")
    examples = "\n".join(EXAMPLE.findall(page))
    test = doctest.DocTestParser().get_doctest(examples, {"__name__": "__main__"}, "api", "api.md", 0)
    assert len(test.examples) > 100
    printed = []
    doctest.DocTestRunner().run(test, out=printed.append)
    assert "".join(printed) == ""


def test_how_to_cite_names_the_version():
    assert f"version = {{{wk.__version__}}}" in (DOCS / "cite.md").read_text(encoding="utf-8")
    metadata = (DOCS.parent / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {wk.__version__}\n" in metadata
