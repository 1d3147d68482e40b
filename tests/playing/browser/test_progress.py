"""Progress survives a reload, and finished puzzles are counted."""

from datetime import date

import pytest
from wordle_kit_plugins.playing.daily import daily_puzzles
from wordle_kit_plugins.playing.puzzle_page import puzzle_page

import wordle_kit as wk
from wordle_kit.files import write_file

pytestmark = pytest.mark.slow


def reload(page):
    """Open the page again in the same browser."""
    page.reload()
    page.wait_for_selector("html[data-ready]")


def words(page):
    """Return the guesses that are shown."""
    return page.locator("#boards .guess[data-word]").evaluate_all("guesses => guesses.map(one => one.dataset.word)")


def test_a_reload_keeps_progress_and_starting_over_forgets_it(play, guess):
    with play("wordle") as page:
        page.on("dialog", lambda dialog: dialog.accept())
        guess(page, "slate", "caner")
        reload(page)
        assert words(page) == ["slate", "caner"]
        guess(page, "crane")
        reload(page)
        assert page.locator("#outcome").inner_text() == "Solved with 3 guesses. Hidden: crane"
        page.get_by_text("Help").click()
        page.get_by_role("button", name="Start over").click()
        assert words(page) == []
        reload(page)
        assert words(page) == []


def test_the_high_contrast_switch_is_remembered_and_colours_the_text_to_share(play, guess):
    with play("wordle") as page:
        page.get_by_text("Help").click()
        page.get_by_label("High-contrast tiles").click()
        guess(page, "caner", "crane")
        reload(page)
        assert page.locator("#share").input_value().splitlines()[2:] == ["🟧🟦🟦🟦🟦", "🟧🟧🟧🟧🟧"]
        colour = page.locator('#boards .tile[data-mark="2"]').first.evaluate(
            "one => getComputedStyle(one).backgroundColor"
        )
        assert colour == "rgb(245, 121, 58)"


def test_the_text_to_share_is_copied(play, guess):
    with play("wordle", permissions=["clipboard-read", "clipboard-write"]) as page:
        guess(page, "crane")
        page.get_by_role("button", name="Copy").click()
        page.get_by_text("Copied.").wait_for()
        assert page.evaluate("navigator.clipboard.readText()") == "Wordle, lists of 2021: 1/6\n\n🟩🟩🟩🟩🟩"


def test_a_series_shows_which_puzzles_are_finished(play, guess):
    with play("series") as page:
        guess(page, "crane")
        assert page.locator("#summary").inner_text() == "2 puzzles to go."
        page.get_by_role("button", name="Puzzle 2,").click()
        guess(page, "slate")
        shown = page.locator("#puzzles button").all_inner_texts()
        assert shown == ["1 ✓1", "2 …", "3"]
        assert page.locator("#puzzles [aria-current]").get_attribute("aria-label") == "Puzzle 2, 5 guesses left."


def test_a_browser_that_keeps_nothing_lets_people_play_and_says_so(browser, puzzles, guess):
    context = browser.new_context()
    context.add_init_script(
        "for (const name of ['getItem', 'setItem']) Storage.prototype[name] = () => { throw Error(); }"
    )
    page = context.new_page()
    page.goto(puzzles("wordle")[2].as_uri())
    page.wait_for_selector("html[data-ready]")
    guess(page, "slate", "crane")
    assert page.locator("#outcome").inner_text() == "Solved with 2 guesses. Hidden: crane"
    assert "does not let the page keep your progress" in page.locator("#forgetful").inner_text()
    context.close()


def figures(page):
    """Return the statistics that are shown, and the bar of the play that has just ended."""
    names, values = page.locator("#statistics dt").all_inner_texts(), page.locator("#statistics dd").all_inner_texts()
    lit = [row.split() for row in page.locator("#distribution .now").all_inner_texts()]
    return dict(zip(names, values, strict=True)), lit


def test_statistics_count_every_finished_puzzle_once(play, guess):
    with play("series") as page:
        page.on("dialog", lambda dialog: dialog.accept())
        guess(page, "slate", "crane")
        wanted = {"played": "1", "solved": "100%", "current streak": "1", "longest streak": "1"}
        assert figures(page) == (wanted, [["2", "1"]])
        page.get_by_role("button", name="Next puzzle").click()
        page.get_by_text("Help").click()
        page.get_by_role("button", name="Show the word").click()
        wanted = {"played": "2", "solved": "50%", "current streak": "0", "longest streak": "1"}
        assert figures(page) == (wanted, [])
        page.get_by_role("button", name="Start over").click()
        guess(page, "crane")  # known by now: the first time counts
        assert figures(page)[0] == wanted
        page.get_by_role("button", name="Puzzle 3,").click()
        guess(page, "slate")
        assert figures(page)[0]["played"] == "3"


def test_a_page_for_days_shows_the_puzzle_of_today(opened, guess, tmp_path):
    game = wk.load_game("wordle")
    first = date(2026, 11, 23)
    days = daily_puzzles(game, first, 3)
    write_file(tmp_path / "daily.html", puzzle_page(game, days, first=first))
    for now, shown, note in (
        ("2026-11-24T08:00:00", 1, ""),
        ("2026-12-24T23:59:00", 2, "This page has puzzles from November 23, 2026 to November 25, 2026."),
    ):
        with opened(tmp_path / "daily.html", clock=now) as page:
            assert page.locator("#heading").inner_text() == f"November {23 + shown}, 2026"
            assert page.locator("#forgetful").inner_text() == note
            assert not page.locator("#puzzles").is_visible()
            guess(page, *days.words(shown))
            assert page.locator("#share").input_value().startswith(f"Wordle, lists of 2021, 2026-11-{23 + shown}: 1/6")
            assert not page.get_by_role("button", name="Next puzzle").is_visible()


def write(path, words, **dated):
    """Write a page anew, and return its path."""
    game = wk.load_game("wordle")
    puzzles = words if dated else wk.load_puzzles(game, words)
    write_file(path, puzzle_page(game, puzzles, **dated))
    return path


def test_a_daily_page_written_anew_keeps_the_progress_of_today_and_counts_it_once(opened, guess, tmp_path):
    game, today = wk.load_game("wordle"), date(2026, 11, 28)
    series = {first: daily_puzzles(game, first, 5) for first in (date(2026, 11, 26), today)}
    path = tmp_path / "daily.html"
    write(path, series[date(2026, 11, 26)], first=date(2026, 11, 26))
    with opened(path, clock="2026-11-28T08:00:00") as page:
        guess(page, "slate")
        write(path, series[today], first=today)
        reload(page)
        assert page.locator("#heading").inner_text() == "November 28, 2026"
        assert words(page) == ["slate"]
        guess(page, *series[today].words(0))
        write(path, series[date(2026, 11, 26)], first=date(2026, 11, 26))
        reload(page)
        assert figures(page)[0]["played"] == "1"
        page.on("dialog", lambda dialog: dialog.accept())
        page.get_by_text("Help").click()
        page.get_by_role("button", name="Start over").click()
        assert page.locator("#heading").inner_text() == "November 28, 2026"
        guess(page, *series[today].words(0))
        assert figures(page)[0]["played"] == "1"


def test_finishing_one_puzzle_leaves_others(opened, guess, tmp_path):
    path = tmp_path / "puzzle.html"
    with opened(write(path, ["crane"])) as page:
        guess(page, "slate")
        write(path, ["abbey"])
        reload(page)
        assert words(page) == []
        guess(page, "abbey")
        write(path, ["crane"])
        reload(page)
        assert words(page) == ["slate"]
