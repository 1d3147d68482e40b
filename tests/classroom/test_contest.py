"""The tournament of a class: who gets a place, what is hidden until the end, and what the audience never sees."""

import re
import shlex
import shutil
import stat
from dataclasses import replace
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordle_kit import cli, load_game, load_puzzles
from wordle_kit.classroom import commands
from wordle_kit.classroom.contest import ClassStanding, leaderboard_of, ranked, rounds_of, rows_of, submissions_in
from wordle_kit.errors import WordleKitError

STANDINGS = st.lists(
    st.builds(
        ClassStanding,
        st.just(""),
        st.integers(1, 6).map(float),
        st.sampled_from([0.0, 0.5, 1.0]),
        st.booleans(),
        st.sampled_from([False, False, True]),
    ),
    max_size=30,
).map(lambda many: [replace(one, name=f"s{number}") for number, one in enumerate(many)])


@given(STANDINGS)
def test_nobody_can_tell_who_is_last_or_whose_strategy_failed(standings):
    players = [one for one in standings if not one.is_baseline]
    placed = ranked(standings)
    named = {one.name for _, one in placed}
    unnamed = [one for one in players if one.name not in named]
    assert len(unnamed) != 1 or len(players) == 1
    assert not [one for _, one in placed if one.has_fault or not one.solved]
    if unnamed:
        best = min((one.mean for _, one in placed), default=0)
        assert len(placed) <= min(10, len(players) // 2) or {one.mean for _, one in placed} == {best}
    text = leaderboard_of("Class", standings, [one.name for one in unnamed], "10 hidden words")
    rows = [line.split("|")[2].strip() for line in text.splitlines() if line.startswith("|")][2:]
    assert {name for name in rows if not name.startswith("(")} == named


@given(STANDINGS)
def test_places_follow_the_means_and_equal_means_share_one(standings):
    placed = ranked(standings)
    assert [one.mean for _, one in placed] == sorted(one.mean for _, one in placed)
    for place, one in placed:
        assert place == 1 + sum(other.mean < one.mean for _, other in placed)


@given(STANDINGS, st.integers(0, 4))
def test_hidden_places_show_neither_name_nor_figures(standings, hidden):
    for row in rows_of(standings, hidden):
        if row["place"] and int(row["place"]) <= hidden:
            assert row == {"place": row["place"], "name": "?", "mean": "", "solved": ""}


def test_rounds_have_every_puzzle_once():
    puzzles = load_puzzles(load_game("mastermind"), 50)
    for number in (1, 3, 7, 50):
        rounds = rounds_of(puzzles, number)
        assert [ids for one in rounds for ids in one.ids] == list(puzzles.ids)
        assert max(map(len, rounds)) - min(map(len, rounds)) <= 1
    for number in (0, 51):
        with pytest.raises(WordleKitError, match=f"--rounds is {number}; choose from 1 to 50"):
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


ABLE = ("Ada Lovelace", "Bob Byte", "Cyd Code", "Dan Data")


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
def test_folders_are_open_to_the_teacher_only(played, folder):
    for private in (played, played / "teacher", folder / "teacher"):
        assert stat.S_IMODE(private.stat().st_mode) == 0o700


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


@pytest.mark.slow
def test_at_a_terminal_the_first_three_places_are_revealed_one_by_one(folder, copied, monkeypatch):
    out, pages = copied("steps"), {}
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True, close=lambda: None))
    monkeypatch.setattr(commands, "_wait", lambda place: pages.update({place: (out / "page.html").read_text()}))
    assert held(folder, out, "--reveal") == 0
    assert list(pages) == [3, 2, 1]
    final, _ = names_on((out / "page.html").read_text())
    for hidden, page in pages.items():
        rows, others = names_on(page)
        assert rows == [(place, "?" if place and int(place) <= hidden else name) for place, name in final]
        assert others == []


@pytest.mark.slow
def test_with_names_the_page_has_them_and_the_leaderboard_still_has_pseudonyms(folder, copied):
    out = copied("named")
    assert held(folder, out, "--names", "--freeze", "0") == 0
    rows, others = names_on((out / "page.html").read_text())
    assert {"Eve Error", "Fay Fault"} <= set(others)
    assert {name for _, name in rows if not name.startswith("(")} <= set(ABLE)
    assert not [name for name in STUDENTS if name in (out / "leaderboard.md").read_text()]


@pytest.mark.slow
def test_the_folder_that_grading_wrote_will_do(folder, graded):
    (folder / "roster.csv").write_text("name,status\nADA Lovelace,\nDan Data,withdrawn\n")
    written = graded(folder, "grades", "--roster", folder / "roster.csv")
    assert submissions_in(written.out) == written.out / "submissions"
    assert submissions_in(folder / "submissions") == folder / "submissions"
    command = ["class-tournament", folder, written.out, "-o", folder / "again", "--puzzles", 4, "--rounds", 1]
    options = ["--freeze", "0", "--names", "--sandbox", "plain", "--workers", "1"]
    assert cli.run([*map(str, command), *options]) == 0
    rows, others = names_on((folder / "again" / "page.html").read_text())
    shown = {*others, *(name for _, name in rows if not name.startswith("("))}
    assert shown == {"ADA Lovelace", "Bob Byte", "Cyd Code", "Eve Error", "Fay Fault"}  # as spelt on the roster


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--rounds", "13"], "--rounds is 13; choose from 1 to 12, the number of puzzles"),
        (["--freeze", "3"], "--freeze is 3; choose from 0 to 2, less than the rounds"),
        (["--workers", "0"], "--workers is 0; give 1 or more"),
    ],
)
def test_mistakes_are_one_line(folder, capfd, options, said):
    assert held(folder, folder / "mistaken", *options) == 2
    error = capfd.readouterr().err.splitlines()
    assert [line for line in error if said in line] == error[-1:]
