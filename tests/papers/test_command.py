"""`wordle-kit reproduce`: published figures beside ours, and an exit code that says whether any differs."""

import pytest
import wordle_kit_data
import wordle_kit_plugins.games  # noqa: F401 - which looks for its games now, not in the folder of a test

TOYS = """
paper = "toys"
title = "Toys"
notes = "Three words."

[games.toys]
answers = ["toys.txt"]

[games.lost]
answers = ["lost.txt"]

[[rows]]
id = "right"
game = "toys"
strategy = "first-consistent"
printed = { mean = "2.0", max = "3" }
expect = "exact"

[[rows]]
id = "near"
game = "toys"
strategy = "first-consistent"
printed = { mean = "2.1" }
range = { mean = [1.9, 2.2] }
expect = "close"
note = "Somebody could not count."

[[rows]]
id = "lost"
game = "lost"
strategy = "first-consistent"
printed = { mean = "2.0" }
expect = "exact"
"""
WRONG = """
[[rows]]
id = "wrong"
game = "toys"
strategy = "first-consistent"
printed = { mean = "1.9", max = "3", opener = "cat" }
expect = "exact"
"""


@pytest.fixture
def reproduce(run):
    """Run `reproduce` in one worker."""

    def reproduce(*arguments):
        return run("reproduce", *arguments, "--workers", "1")

    return reproduce


@pytest.fixture
def publish(write, monkeypatch, tmp_path):
    """Put a paper in the place of the shipped ones."""

    def publish(text, name="toys"):
        write("words/toys.txt", "bat\ncat\nhat\n")
        write(f"published/{name}.toml", text)
        monkeypatch.setattr(wordle_kit_data, "FOLDER", tmp_path)

    return publish


# The shipped papers


def test_what_the_paper_printed_stands_beside_what_was_measured(reproduce):
    ran = reproduce("liu", "--row", "p5", "--row", "i6")
    assert (ran.code, ran.err) == (0, "")
    rows = {line.split()[0]: line.split() for line in ran.out.splitlines() if line}
    assert rows["i6"] == ["i6", "close", "mean", "3.750", "3.749", "3.748", "to", "3.754"]
    assert rows["p5"] == ["p5", "exact", "took", "3", "1099", "774", "774", "meant"]
    assert "Table VI" in " ".join(rows["p5:"])


def test_long_names_and_figures_take_several_lines_of_at_most_100_columns(reproduce):
    long = ("letter-position-frequency-standard-answers2315", "predefined-words-derivation")
    shown = reproduce("shkodi", "--row", long[0], "--row", long[1]).out
    assert max(map(len, shown.splitlines())) <= 100
    columns = ["".join(line[:19].strip() for line in shown.splitlines()), shown]
    assert all(name in columns[0] for name in long)
    assert "blimp fjord vagus" in shown


def test_in_json_a_row_has_every_figure_as_published_and_as_it_is_here(reproduce):
    figures = {row.pop("figure"): row for row in reproduce("liu", "--row", "i6", "--format", "json").json}
    assert figures["max"] == {
        "paper": "liu",
        "row": "i6",
        "status": "exact",
        "published": "9",
        "source": "published",
        "corrected": None,
        "here": "9",
        "least": None,
        "most": None,
    }
    assert (figures["mean"]["status"], figures["mean"]["here"]) == ("close", "3.749")
    assert (figures["mean"]["least"], figures["mean"]["most"]) == (3.748, 3.754)


def test_a_row_is_found_in_every_paper(reproduce):
    rows = reproduce("--row", "table-3-1", "--format", "json").json
    assert {row["paper"] for row in rows} == {"fetterman"}


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["lui"], "'lui'"),
        (["liu", "--row", "p55"], "'p55'"),
        (["--lists", "nowhere"], "nowhere"),
        (["liu", "--row", "p5", "--workers", "0"], "workers"),
    ],
)
def test_bad_input_is_named(refused, arguments, problem):
    assert problem in refused("reproduce", *arguments)


# Other papers


def test_if_every_figure_is_reproduced_the_exit_code_is_0(reproduce, publish):
    publish(TOYS)
    ran = reproduce()
    assert ran.code == 0
    assert "1 exact, 1 close, 1 skipped." in ran.out
    assert "Somebody could not count." in ran.out
    assert "lost.txt" in ran.out


def test_a_figure_that_differs_is_shown_and_the_exit_code_is_one(reproduce, publish):
    publish(TOYS + WRONG)
    ran = reproduce("toys")
    assert ran.code == 1
    assert "differs" in ran.out
    for figure in ("1.9", "2.0", "cat", "bat"):
        assert figure in ran.out
    assert reproduce("toys", "--row", "right").code == 0
    assert reproduce("toys", "--row", "wrong", "--format", "json").code == 1


def test_words_are_looked_for_in_the_folder_that_is_given_too(reproduce, publish, write):
    publish(TOYS)
    folder = write("mine/lost.txt", "bat\ncat\nhat\n").parent
    (row,) = reproduce("toys", "--row", "lost", "--lists", folder, "--format", "json").json
    assert row["status"] == "exact"
