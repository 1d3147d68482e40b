"""The pictures of the documentation are small, they are shown, and they say what is drawn now."""

import itertools
import re
import runpy
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from rich.cells import cell_len
from terminals import CELL

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PROGRAM = runpy.run_path(str(DOCS / "pictures.py"))
PICTURES = PROGRAM["PICTURES"]

TEXT = "{http://www.w3.org/2000/svg}text"

OWN = ("picture.svg", "regret.svg")
"""Pictures that no other package draws."""

DRAWN = [name for name in PICTURES if name.endswith(".svg") and name != "convergence.svg"]  # which measures time


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    """Return where pictures are made."""
    with PROGRAM["Studio"](tmp_path_factory.mktemp("studio")) as studio:
        yield studio


def words_of(svg):
    """Return the texts of a picture, in order, which are the same whatever version of a package drew it."""
    texts = ["".join(element.itertext()) for element in ET.fromstring(svg).iter(TEXT)]
    return " ".join(" ".join(texts).split())


def stored(name):
    """Return a picture of the documentation."""
    return (DOCS / name).read_text(encoding="utf-8")


def test_every_picture_is_drawn_by_the_program_small_and_shown():
    sizes = {path.name: path.stat().st_size for path in DOCS.iterdir() if path.suffix in (".svg", ".png")}
    assert set(sizes) == set(PICTURES)
    assert {name: size for name, size in sizes.items() if size > PROGRAM["MOST_BYTES"]} == {}
    pages = "\n".join(path.read_text(encoding="utf-8") for path in DOCS.glob("*.md"))
    assert [name for name in PICTURES if f"]({name})" not in pages] == []
    assert "](docs/picture.svg)" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("name", DRAWN)
def test_a_picture_shows_what_is_drawn_now(studio, name):
    if name.startswith("plot-"):
        pytest.importorskip("altair")
    drawn = PICTURES[name](studio)
    same = str if name in OWN else words_of
    assert same(stored(name)) == same(drawn), f"run `python docs/pictures.py {name}`"
    assert name not in OWN or "prefers-color-scheme: dark" in drawn
    assert set(re.findall("https?://[^/]+", drawn)) <= {"http://www.w3.org"}


def test_the_page_about_plots_has_the_command_of_each_picture():
    page = (DOCS / "plots.md").read_text(encoding="utf-8")
    assert [command for command in PROGRAM["PLOTS"] if f"wordle-kit plot {command}\n" not in page] == []


@pytest.mark.parametrize("name", ["play.svg", "assist.svg"])
def test_no_text_of_a_terminal_overlaps_the_next_one(name):
    texts = [
        (float(text.get("y")), float(text.get("x")), float(text.get("textLength")), "".join(text.itertext()))
        for text in ET.fromstring(stored(name)).iter(TEXT)
        if text.get("textLength") is not None and "".join(text.itertext()) != "\n"
    ]
    assert sum(text in "⬜🟨🟩" for *_, text in texts) == (15 if name == "play.svg" else 0)
    for (y, x, width, text), (next_y, next_x, *_) in itertools.pairwise(texts):
        assert width == pytest.approx(CELL * cell_len(text)), text
        assert next_y > y or next_x >= x + width - 0.01
