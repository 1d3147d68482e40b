"""The pictures of pages in the documentation can be made anew, from pages as they are."""

import runpy
import struct
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PROGRAM = runpy.run_path(str(DOCS / "pictures.py"))


@pytest.fixture(scope="module")
def studio(tmp_path_factory, browser):
    """Return where pictures are made."""
    with PROGRAM["Studio"](tmp_path_factory.mktemp("studio"), browser) as studio:
        yield studio


def size_of(png):
    """Return the width and the height of a picture."""
    return struct.unpack(">II", png[16:24])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["puzzle.png", *PROGRAM["REPORTS"]])
def test_a_picture_of_a_page_is_made_anew(studio, name):
    drawn, stored = PROGRAM["PICTURES"][name](studio), (DOCS / name).read_bytes()
    assert size_of(drawn) == size_of(stored)
    assert 0.5 < len(drawn) / len(stored) < 2  # with other fonts it is not the same
