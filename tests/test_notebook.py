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
from wordle_kit.game.game import few
from wordle_kit.tournaments.runs import in_tiles

NOTEBOOK = Path(__file__).parents[1] / "docs" / "research.ipynb"
EVIL = "<script>alert('x')</script>\"&"


def run_cell(source, names):
    """Run a cell as a notebook does, and return the value of its last expression, or None."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)


@pytest.fixture(scope="module")
def cells():
    """Return the cells of the notebook that are code."""
    return [cell for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"] if cell["cell_type"] == "code"]


@pytest.fixture
def in_folder(tmp_path, monkeypatch):
    """Run a notebook in a folder of its own, and leave Altair's renderer as it is."""
    altair = pytest.importorskip("altair")
    monkeypatch.chdir(tmp_path)
    with altair.renderers.enable("default"):
        yield


def test_the_notebook_runs_and_is_stored_with_what_its_cells_return(cells, in_folder, monkeypatch):
    assert len(cells) > 8
    module = ModuleType("cells")
    monkeypatch.setitem(sys.modules, "cells", module)  # workers find the strategy of the notebook there
    names, shown = vars(module), {}
    for cell in cells:
        value = run_cell("".join(cell["source"]), names)
        (output,) = cell["outputs"]
        stored = {kind: "".join(text) for kind, text in output["data"].items()}
        shown[type(value).__name__] = value
        if type(value).__module__.startswith("altair."):
            assert stored["image/svg+xml"].startswith("<svg"), "run the notebook again as CONTRIBUTING.md says"
        elif type(value).__module__.startswith("wordle_kit."):
            assert untimed(stored["text/html"]) == untimed(value._repr_html_()), "run the notebook again"
        elif type(value).__name__ == "DataFrame":
            assert "<table" in stored["text/html"]
        else:
            assert "".join(stored["text/plain"].split()) == "".join(repr(value).split())
    charts = {"LayerChart", "Chart"}
    assert shown.keys() >= {"Game", "Leaderboard", "Play", "Comparison", "DataFrame", "Position", "Tree"} | charts
    assert repr(shown["tuple"]).startswith("(7920, 5, ")


def untimed(html):
    """Return the text of some HTML, without spaces and without the time that the decisions of a leaderboard took."""
    return re.sub(r"<[^>]*>|\s", "", re.sub(r"<td[^>]*>\s*\d+\.\d{3}\s*</td>(?=\s*</tr>)", "", html))


def test_the_notebook_uses_public_names_only():
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    page = (NOTEBOOK.parent / "plots.md").read_text("utf-8")
    for node in ast.walk(ast.parse("\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code"))):
        if isinstance(node, ast.Import):
            assert [name.name for name in node.names if name.name.startswith("wordle_kit")] in ([], ["wordle_kit"])
        elif isinstance(node, ast.ImportFrom) and node.module.startswith("wordle_kit"):
            assert [f"{node.module}.{name.name}" for name in node.names] == ["wordle_kit.report.plots"]
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            assert node.value.id != "wk" or node.attr in wk.__all__
            assert node.value.id != "plots" or f"`{node.attr}`" in page


def test_games_boards_leaderboards_and_solutions_are_one_line_at_a_prompt():
    game = wk.load_game({"name": "pairs", "alphabet": "ab", "length": 2, "answers": "all"})
    board = wk.Position.start(game).board
    assert (repr(board), repr(board.after(0, 8))) == ("<Board of pairs: 4 left>", "<Board of pairs: solved>")
    played = wk.tournament(game, ["minimax", "first-consistent"], workers=1)
    assert repr(played) == "<Leaderboard of pairs: 2 strategies, all 4 answers>"
    assert repr(wk.tournament(game.replace(hard_mode=True), ["minimax"], ["aa"], workers=1)).startswith(
        "<Leaderboard of pairs, hard mode: 1 strategy, 1 "
    )
    assert repr(wk.optimal(game)) == "<Solution of pairs: aa first, mean 1.7500, worst 2, proved>"
    assert repr(wk.optimal(game).tree) == "<Tree of pairs: aa first>"


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
        self.text += data + "\n"


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
    position = wk.Position.start(game).after("<b> &", "20")
    things = [game, board, board.plays(EVIL)[1], board.compare(EVIL, "first-consistent"), position]
    return {type(thing).__name__: thing._repr_html_() for thing in [*things, wk.optimal(game).tree]}


@pytest.mark.parametrize("kind", ["Game", "Leaderboard", "Play", "Comparison", "Position", "Tree"])
def test_hostile_text_is_shown_as_text(shown, kind):
    page = Page(shown[kind])
    assert page.tags <= {"table", "thead", "tbody", "tr", "th", "td", "p"}
    assert "<script>alert('x')</script>" in page.text or "<b>" in page.text


def test_a_play_is_shown_with_tiles_and_how_it_ended():
    (play,) = wk.play(wk.load_strategy("minimax"), wk.load_game("wordle"), ["crane"])
    page = Page(play._repr_html_())
    assert re.findall(r"[⬜🟨🟩]{5}", page.text)[-1] == "🟩" * 5
    assert all(guess in page.text for guess in play.guesses)
    assert page.text.splitlines()[-1] == "solved"


def test_a_play_of_several_boards_has_a_column_for_each_even_of_the_same_word():
    game = wk.load_game("wordle").replace(name="two", boards=2)
    (play,) = wk.play(wk.load_strategy("minimax"), game, [("crane", "crane")])
    assert play._repr_html_().count("<th ") == 4


@pytest.mark.parametrize("hidden", ["guess", "turn"])
def test_a_play_shows_its_guesses_even_if_the_hidden_word_is_that_of_a_header(hidden):
    play = wk.Play((hidden,), ("crane", hidden), (("00000",), ("2" * len(hidden),)), wk.Outcome.SOLVED, 2)
    text = Page(play._repr_html_()).text.splitlines()
    assert text[:3] == ["turn", "guess", f"hidden: {hidden}"]
    assert text[3:9] == ["1", "crane", "⬜⬜⬜⬜⬜", "2", hidden, "🟩" * len(hidden)]


def test_without_guesses_there_is_no_table():
    assert wk.Position.start(wk.load_game("glyphs"))._repr_html_().startswith("<p>800 left: ")


def test_a_position_shows_its_guesses_and_the_words_left():
    position = wk.Position.start(wk.load_game("wordle")).after("soare", "00120")
    assert "⬜⬜🟨🟩⬜" in position._repr_html_()
    assert "11 left: angry, cairn, carry" in position._repr_html_()
    solved = position.after("carry", "22222")
    assert "solved" in solved._repr_html_()


def test_a_tree_shows_the_next_guess_for_each_feedback():
    game = wk.load_game("wordle")
    tree = wk.known_tree(game)
    page = tree._repr_html_()
    assert page.count("<tr>") == 1 + len(wk.Position.start(game).board.parts(tree.root.guess))
    assert "7,920 guesses for 2,315 answers, at most 5 each: 90 in 2" in page


@pytest.mark.parametrize(
    ("guess", "feedback", "tiles"),
    [("abc", "012", "⬜🟨🟩"), ("abc", "013", "013"), ("abcd", "1,2", "1,2"), ("a b", "01", "01"), ("abc", "", "")],
)
def test_only_digits_of_wordle_become_tiles(guess, feedback, tiles):
    assert in_tiles(guess, feedback) == tiles


def test_of_many_words_the_first_are_shown():
    assert few(["a", "b"]) == "a, b"
    assert few([str(number) for number in range(2000)]).endswith(", 11 and 1,988 more")
