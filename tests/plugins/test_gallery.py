"""The gallery: its strategies are short, use only public names, and take as many guesses as its page says."""

import re
from pathlib import Path

import pytest

import wordle_kit as wk

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "examples" / "strategies").glob("*.py"))
PAGE = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
MEANS = {
    file: (strategy, mean, int(puzzles or 0), game or "wordle")
    for file, strategy, mean, puzzles, game in re.findall(
        r"^\| \[(\w+\.py)\]\S+ \| `([\w-]+)` \| .* \| ([\d.]+)(?: on (\d+) puzzles of `(\w+)`)? \|$", PAGE, re.MULTILINE
    )
}

each = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


@pytest.mark.slow
@each
def test_it_takes_the_guesses_that_the_page_says(file):
    strategy, mean, puzzles, game = MEANS[file.name]
    plugins = wk.Plugins.load([file])
    (row,) = wk.tournament(game, strategy, puzzles or "all", seed=0, workers=1, plugins=plugins, deadline=60).rows
    assert f"{row.mean:.4f}" == mean


@pytest.mark.slow
def test_what_they_are_compared_with_takes_the_guesses_that_the_page_says():
    said = dict(re.findall(r"`([\w-]+)`,? (?:takes )?(3\.\d{4})", PAGE))
    rows = wk.tournament("wordle", [*said], workers=1).rows
    assert {row.strategy: f"{row.mean:.4f}" for row in rows} == said
    assert len(said) == 2
