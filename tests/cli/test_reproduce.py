"""`wordle-kit reproduce`: published figures beside ours, and an exit code that says whether any differs."""

import pytest
import wordle_kit_data
import wordle_kit_plugins.games  # noqa: F401 - which looks for its games now, not in the folder of a test

KEYS = ["paper", "row", "status", "figures", "why", "command"]
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


def test_a_reproduced_row_is_one_line_of_a_table(reproduce):
    ran = reproduce("standard", "--row", "plain-parts")
    assert (ran.code, ran.err) == (0, "")
    header, _, row, blank, note = ran.out.splitlines()
    assert header.split() == KEYS
    assert row.split()[:3] == ["standard", "plain-parts", "exact"]
    assert "all 4 the same" in row
    assert row.endswith("wordle-kit reproduce standard --row plain-parts")
    assert blank == ""
    assert note == "1 exact. Each row's command plays just that row."


def test_in_json_a_row_has_every_figure_as_published_and_as_it_is_here(reproduce):
    (row,) = reproduce("liu", "--row", "i6", "--format", "json").json
    assert list(row) == KEYS
    assert (row["paper"], row["row"], row["status"]) == ("liu", "i6", "close")
    assert row["why"].startswith("Broken by rounding noise in the paper")
    figures = {figure.pop("name"): figure for figure in row["figures"]}
    assert figures["max"] == {
        "published": "9",
        "source": "published",
        "measured": "9",
        "range": None,
        "status": "exact",
    }
    assert figures["mean"] == {
        "published": "3.750",
        "source": "published",
        "measured": "3.749",
        "range": [3.748, 3.754],
        "status": "close",
    }


@pytest.mark.slow
def test_several_rows_are_asked_for_and_the_total_counts_them(reproduce):
    ran = reproduce("liu", "--row", "i5", "--row", "i6", "--format", "markdown")
    rows = [line for line in ran.out.splitlines() if line.startswith("|")][2:]
    assert [row.split()[3] for row in rows] == ["i5", "i6"]
    assert "1 exact, 1 close." in ran.out


def test_a_row_is_found_in_every_paper(reproduce):
    (row,) = reproduce("--row", "table-3-1", "--format", "json").json
    assert row["paper"] == "fetterman"


def test_rows_whose_lists_are_not_shipped_are_skipped_and_say_which_and_how_to_give_them(reproduce):
    ran = reproduce("tyl")
    assert (ran.code, ran.err) == (0, "")
    rows = ran.out.splitlines()[2:6]
    for row in rows:
        assert row.split()[2] == "skipped"
        assert "needs nyt-2023-answers.txt, nyt-2023-guesses.txt; name the folder of word lists that has it" in row
        assert "the same" not in row
    assert "4 skipped." in ran.out


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["lui"], "'lui'"),
        (["chess"], "there are"),
        (["liu", "--row", "p55"], "'p55'"),
        (["liu", "--row", "plain-entropy"], "no row is called 'plain-entropy'"),
        (["--lists", "nowhere"], "--lists: nowhere is not a folder"),
        (["--format", "yaml"], "there are"),
        (["liu", "--row", "p5", "--workers", "0"], "workers is 0; give 1 or more"),
    ],
)
def test_bad_input_is_refused_in_one_line(refused, arguments, problem):
    assert problem in refused("reproduce", *arguments)


# Other papers


def test_if_every_figure_is_reproduced_the_exit_code_is_0(reproduce, publish):
    publish(TOYS)
    ran = reproduce()
    assert ran.code == 0
    assert "1 exact, 1 close, 1 skipped." in ran.out
    assert "Somebody could not count." in ran.out


def test_a_figure_that_differs_is_shown_and_the_exit_code_is_one(reproduce, publish):
    publish(TOYS + WRONG)
    ran = reproduce("toys")
    assert ran.code == 1
    (row,) = [line for line in ran.out.splitlines() if line.split()[1:2] == ["wrong"]]
    assert row.split()[2] == "differs"
    assert "mean: 1.9 published, 2.0 here; opener: cat published, bat here" in row
    assert "1 exact, 1 close, 1 differs, 1 skipped." in ran.out
    assert reproduce("toys", "--row", "right").code == 0
    assert reproduce("toys", "--row", "wrong", "--format", "json").code == 1


def test_words_are_looked_for_in_the_folder_that_is_given_too(reproduce, publish, write):
    publish(TOYS)
    folder = write("mine/lost.txt", "bat\ncat\nhat\n").parent
    (row,) = reproduce("toys", "--row", "lost", "--lists", folder, "--format", "json").json
    assert row["status"] == "exact"
