"""The tournament of a class: who gets a place, what is hidden until the end, and what the audience never sees."""

import re
import shlex
import shutil

import pytest

from wordle_kit import cli, load_game, load_puzzles
from wordle_kit.classroom.contest import rounds_of
from wordle_kit.errors import WordleKitError


def test_rounds_have_every_puzzle_once():
    puzzles = load_puzzles(load_game("mastermind"), 50)
    for number in (1, 3, 7, 50):
        rounds = rounds_of(puzzles, number)
        assert [ids for one in rounds for ids in one.ids] == list(puzzles.ids)
        assert max(map(len, rounds)) - min(map(len, rounds)) <= 1
    for number in (0, 51):
        with pytest.raises(WordleKitError, match=f"{number}.*50"):
            rounds_of(puzzles, number)


# The command


@pytest.fixture(scope="module")
def folder(make, text):
    """Return a class in which everyone's class is called Mine; two of six cannot play well."""
    return make(
        {
            "Ada Lovelace.py": text("return words[-1]"),
            "Bob Byte.py": text("return words[0]"),
            "Cyd Code.py": text("return words[len(words) // 2]"),
            "Dan Data.py": text("return words[len(words) // 3]"),
            "Eve Error.py": text("return words[999]"),
            "Fay Fault.py": "this is not Python",
        },
        quick=True,
    )


def held(folder, out, *options):
    """Hold the tournament of a class."""
    command = ["class-tournament", folder, folder / "submissions", "-o", out, "--puzzles", 12, "--rounds", 3]
    return cli.run([*map(str, command), "--sandbox", "plain", "--workers", "1", *options])


@pytest.fixture(scope="module")
def played(folder):
    """Return the folder of a tournament whose last round is hidden."""
    out = folder / "live"
    assert held(folder, out) == 0
    return out


@pytest.fixture
def copied(played, folder):
    """Return a function that gives a new folder with what was played, which is not played again."""

    def copied(name):
        return shutil.copytree(played, folder / name)

    return copied


def names_on(page):
    """Return the places and names on a page, and the names without a place."""
    rows = re.findall(r"<td>(\d*)</td><th scope=\"row\"><bdi>([^<]*)<", page)
    return rows, re.findall(r"<li><bdi>([^<]*)<", page)


STUDENTS = ("Ada", "Bob", "Cyd", "Dan", "Eve", "Fay", "Lovelace")


@pytest.mark.slow
def test_the_page_has_pseudonyms_and_no_private_data_and_the_last_round_is_hidden(played, folder):
    page = (played / "page.html").read_text()
    rows, others = names_on(page)
    table = (folder / "teacher" / "pseudonyms.csv").read_text()
    known = dict(line.split(",") for line in table.splitlines()[1:])
    assert len(known) == 6
    shown = [name for _, name in rows if not name.startswith("(")]
    assert sorted([*shown, *others]) == sorted(known.values())
    assert 0 < len(shown) <= 3
    assert {known["Eve Error"], known["Fay Fault"]} <= set(others)
    assert "Results after round 2 are hidden." in page
    assert "The result comes soon." in page
    shown = page.partition("<body")[2].partition("<script")[0]
    assert not [word for word in (*STUDENTS, str(folder), "IndexError") if word in shown]
    assert not (played / "leaderboard.md").exists()


@pytest.mark.slow
def test_the_command_that_it_names_reveals_the_result_and_plays_nothing_again(folder, copied, capfd, monkeypatch):
    out = copied("revealed")
    assert held(folder, out) == 0
    said = capfd.readouterr().err
    command = shlex.split(said.partition("to reveal them: ")[2].partition("\n")[0])
    before = (out / "page.html").read_text()
    monkeypatch.setattr("wordle_kit.tournaments.runner._play_all", lambda chunks, *rest: no(chunks))
    assert cli.run(command[1:]) == 0
    page = (out / "page.html").read_text()
    assert 'data-refresh="0"' in page
    assert 'data-refresh="2"' in before
    board = (out / "leaderboard.md").read_text()
    rows, others = names_on(page)
    assert [name for _, name in rows] == re.findall(r"^\|[^|]*\| ([^|]*?) +\|", board, re.MULTILINE)[1:]
    assert all(name in board for name in others)
    assert not [name for name in STUDENTS if name in board]


def no(chunks):
    """Fail if there is anything to play."""
    assert list(chunks) == []
