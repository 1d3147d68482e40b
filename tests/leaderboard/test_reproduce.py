"""Published figures come out again: every row that needs no list from elsewhere, on every run."""

from pathlib import Path

import pytest
from wordle_kit_data import FOLDER

from wordle_kit.errors import WordleKitError
from wordle_kit.leaderboard.published import read_paper
from wordle_kit.leaderboard.reproduce import Figure, Reproduction, reproduce

LISTS = Path(__file__).parents[3] / "shared" / "words"
PAPERS = sorted(path.stem for path in (FOLDER / "published").glob("*.toml"))


def paper_called(name):
    return read_paper(FOLDER / "published" / f"{name}.toml")


def played(name, *folders):
    return {result.row.id: result for result in reproduce(paper_called(name), [FOLDER / "words", *folders])}


@pytest.mark.parametrize("name", PAPERS)
def test_every_row_whose_lists_are_shipped_comes_out(name):
    results = played(name)
    assert set(results) == set(paper_called(name).names)
    for row, result in results.items():
        expected = {"exact"} if result.row.expect == "exact" and not result.row.scores else {"exact", "close"}
        told = [figure for figure in result.figures if figure.status != "exact"]
        assert result.status in expected | {"skipped"}, f"{result.command}: {row}: {told}"
        assert (result.status == "skipped") == bool(result.skipped)


@pytest.mark.skipif(not LISTS.is_dir(), reason="needs the word lists in shared/words beside the checkout")
@pytest.mark.parametrize("name", ["sengupta", "tyl"])
def test_rows_whose_lists_are_not_shipped_come_out_with_them(name):
    for result in played(name, LISTS).values():
        assert result.status == result.row.expect, result.figures


def test_a_row_without_its_lists_is_skipped_and_says_which_it_needs():
    (result,) = reproduce(paper_called("tyl"), [FOLDER / "words"], ["entropic"])
    assert result.status == "skipped"
    assert (
        result.skipped == "needs nyt-2023-answers.txt, nyt-2023-guesses.txt; give the folder that has it with --words"
    )
    assert result.command == "wordle-kit reproduce tyl --row entropic"


def test_a_figure_that_is_not_as_printed_differs():
    paper = paper_called("standard")
    row = next(row for row in paper.rows if row.id == "std-max-parts")
    wrong = row.model_copy(update={"printed": row.printed | {"total": "7948"}})
    (result,) = reproduce(paper.model_copy(update={"rows": [wrong]}), [FOLDER / "words"])
    assert result.status == "differs"
    assert [figure for figure in result.figures if figure.status != "exact"] == [Figure("total", "7948", "7949")]


@pytest.mark.parametrize(
    ("figure", "status"),
    [
        (Figure("mean", "3.85", "3.85"), "exact"),
        (Figure("mean", "3.85", "3.86"), "differs"),
        (Figure("mean", "3.85", "3.86", (3.8, 3.9)), "close"),
        (Figure("failure", "1.77%", "1.90%", (1.0, 1.8)), "differs"),
    ],
)
def test_a_figure_is_exact_or_in_its_range_or_differs(figure, status):
    assert figure.status == status
    row = paper_called("liu").rows[0]
    assert Reproduction("liu", row, [Figure("max", "8", "8"), figure]).status == status


def test_a_paper_that_cannot_be_read_is_named(tmp_path):
    (tmp_path / "mine.toml").write_text("paper = 'mine'")
    with pytest.raises(WordleKitError, match=r"mine\.toml: title: field required"):
        read_paper(tmp_path / "mine.toml")
