"""Notebooks: the one in docs/ runs, and objects are shown in notebooks with every text as text."""

import ast
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType

import pytest

import wordle_kit as wk

NOTEBOOK = Path(__file__).parents[1] / "docs" / "research.ipynb"
EVIL = "<script>alert('x')</script>\"&"


def run_cell(source, names):
    """Run a cell as a notebook does, and return the value of its last expression, or None."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)


def untimed(html):
    """Return the text of some HTML, without spaces and without the time that the decisions of a leaderboard took."""
    return re.sub(r"<[^>]*>|\s", "", re.sub(r"<td[^>]*>\s*\d+\.\d{3}\s*</td>(?=\s*</tr>)", "", html))


@pytest.mark.slow
def test_the_notebook_runs_and_is_stored_with_what_its_cells_return(tmp_path, monkeypatch):
    altair = pytest.importorskip("altair")
    pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    cells = [cell for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"] if cell["cell_type"] == "code"]
    module = ModuleType("cells")
    monkeypatch.setitem(sys.modules, "cells", module)  # workers find the strategy of the notebook there
    with altair.renderers.enable("default"):
        for cell in cells:
            value = run_cell("".join(cell["source"]), vars(module))
            (output,) = cell["outputs"]
            stored = {kind: "".join(text) for kind, text in output["data"].items()}
            if type(value).__module__.startswith("altair."):
                assert stored["image/svg+xml"].startswith("<svg"), "run the notebook again as CONTRIBUTING.md says"
            elif type(value).__module__.startswith("wordle_kit.") and hasattr(value, "_repr_html_"):
                assert untimed(stored["text/html"]) == untimed(value._repr_html_()), "run the notebook again"
            elif type(value).__name__ == "DataFrame":
                assert "<table" in stored["text/html"]
            else:
                assert "".join(stored["text/plain"].split()) == "".join(repr(value).split())


class Page(HTMLParser):
    """The tags of some HTML and its text; raises where tags do not match."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.text = [], set(), ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.tags.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if data.strip():
            self.text += data.strip() + "\n"


class Evil(wk.Strategy):
    """Guess the first word that may be the answer, and then crash with a message of tags."""

    name = EVIL

    def guess(self, position):
        if position.turn == 2:
            raise ValueError(EVIL)
        return position.board.words[0]


FIELDS = {"alphabet": ["<b>", "&", "'"], "separator": " ", "length": 2, "answers": "all", "title": EVIL}


@pytest.fixture(scope="module")
def shown():
    """Return the HTML of objects with hostile names, by their kinds."""
    game = wk.load_game({"name": "evil"} | FIELDS)
    board = wk.tournament(game, [Evil(), "first-consistent"], workers=1)
    things = [board, board.plays(EVIL)[1], board.compare(EVIL, "first-consistent")]
    return {type(thing).__name__: thing._repr_html_() for thing in things}


@pytest.mark.parametrize("kind", ["Leaderboard", "Play", "Comparison"])
def test_hostile_text_is_shown_as_text(shown, kind):
    page = Page(shown[kind])
    assert page.tags <= {"table", "thead", "tbody", "tr", "th", "td", "p"}
    assert "<script>alert('x')</script>" in page.text or "<b>" in page.text


@pytest.mark.parametrize("hidden", ["crane", "guess", "turn"])
def test_a_play_is_shown_with_its_feedback_and_how_it_ended(hidden):
    play = wk.Play((hidden,), ("soare", hidden), (("00000",), ("2" * len(hidden),)), wk.Outcome.SOLVED, 2)
    text = Page(play._repr_html_()).text.splitlines()
    feedback = "2" * len(hidden)
    shown = [line for line in text if line in {"soare", hidden, "00000", feedback}]
    assert shown[-4:] == ["soare", "00000", hidden, feedback]
    assert text[-1] == "solved"
