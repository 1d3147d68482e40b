"""`wordle-kit puzzle`: a page of puzzles; its hidden words are those that were asked for."""

import csv
from datetime import date

import pytest
from wordle_kit_plugins.playing.daily import daily_puzzles

import wordle_kit as wk


@pytest.fixture
def page(run, tmp_path, page_data, hidden_words):
    """Write a page and return its data, its hidden words, its text and the line that says what was written."""

    def page(*arguments):
        path = tmp_path / "page.html"
        ran = run("puzzle", "-o", path, *arguments)
        assert (ran.code, ran.out) == (0, ""), ran
        text = path.read_text(encoding="utf-8")
        data = page_data(text)
        return data, hidden_words(data), text, ran.err

    return page


def test_an_answer_is_hidden_and_stands_nowhere_in_the_page(page):
    _, words, text, _ = page("--answer", "crane")
    assert words == [("crane",)]
    assert "crane" not in text.lower()


def test_a_list_is_hidden_in_its_order(page, write):
    assert page("--puzzles", write("words.txt", "crane\nslate\nabbey\n"))[1] == [("crane",), ("slate",), ("abbey",)]


def test_the_words_of_several_boards_are_hidden(page):
    data, words, _, _ = page("--boards", "2", "--answer", "crane slate")
    assert words == [("crane", "slate")]
    assert (data["boards"], data["maxGuesses"]) == (2, 7)


def test_a_seed_draws_the_puzzles_of_a_tournament(page, run, tmp_path):
    transcript = tmp_path / "plays.tsv"
    drawn = ("-g", "mastermind", "--puzzles", "3", "--seed", "7")
    assert run("tournament", "-s", "first-consistent", *drawn, "--workers", "1", "--transcripts", transcript).code == 0
    with transcript.open(encoding="utf-8") as file:
        played = [row["answers"] for row in csv.DictReader(file, delimiter="\t")]
    assert [word for (word,) in page(*drawn)[1]] == played


def test_the_words_of_days_are_hidden_from_today_on(page):
    days = daily_puzzles(wk.load_game("mastermind"), date.today(), 3)
    _, words, _, _ = page("-g", "mastermind", "--daily", "--puzzles", "3")
    assert words == [days.words(day) for day in range(3)]


def test_without_a_seed_one_is_chosen_and_named(page):
    _, words, _, line = page("-g", "mastermind")
    seed = line.split("seed ")[1].split(",")[0]
    assert page("-g", "mastermind", "--seed", seed)[1] == words


def test_a_title_is_text(page):
    _, _, text, _ = page("-g", "mastermind", "--title", "</title><script>alert(1)</script>")
    assert "&lt;/title&gt;&lt;script&gt;alert(1)" in text
    assert text.count("<script") == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--answer", "crane", "--puzzles", "3"], "--answer"),
        (["--daily", "--answer", "crane"], "--answer"),
        (["--daily", "--seed", "3"], "--seed"),
        (["--answer", "zzzzz"], "'zzzzz'"),
        (["--puzzles", "missing.txt"], "'missing.txt'"),
        (["--puzzles", "0"], "from 1 to 2,315"),
        (["--daily", "--puzzles", "0"], "number of days"),
        (["--puzzles", "all"], "10,000,000"),
        (["-g", "mastermind", "--hard"], "hard mode"),
    ],
)
def test_a_game_that_a_page_cannot_show_is_refused(refused, arguments, message):
    assert message in refused("puzzle", *arguments)
