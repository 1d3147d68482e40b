"""Accessibility: axe-core finds no problem, pages fit small screens, and nothing else runs or loads."""

import pytest

pytestmark = pytest.mark.slow

STATES = {
    "wordle": [["slate", "zzzzz"], ["crane"]],
    "mastermind": [["1122"]],
    "octordle": [["slate"]],
}
"""What is typed on each page, one state after the other."""


@pytest.mark.parametrize("name", STATES)
def test_axe_finds_no_violation_in_light_and_dark(play, guess, violations, name):
    with play(name) as page:
        page.get_by_text("Help").click()
        for words in STATES[name]:
            guess(page, *words)
            for contrast in (False, True) if page.locator(".switch").is_visible() else (None,):
                if contrast is not None:
                    page.get_by_label("High-contrast tiles").set_checked(contrast)
                assert violations(page) == "", (words, contrast)
            if page.locator("#form").is_visible():
                page.locator("#guess").fill("")


def test_axe_finds_no_violation_when_a_series_is_finished(play, guess, violations):
    with play("series") as page:
        guess(page, *["slate"] * 6)
        assert violations(page) == ""
        for answer in ("abbey", "slate"):
            page.get_by_role("button", name="Next puzzle").click()
            guess(page, answer)
        assert violations(page) == ""


def test_a_damaged_page_says_so(context, puzzles, tmp_path):
    whole = puzzles("wordle")[2].read_text(encoding="utf-8")
    start = whole.index('id="payload">') + len('id="payload">')
    damaged = tmp_path / "damaged.html"
    damaged.write_text(f"{whole[:start]}AAAA{whole[start + 4 :]}", encoding="utf-8")
    page = context.new_page()
    page.goto(damaged.as_uri())
    page.get_by_role("alert").wait_for()
    assert "This browser cannot show the puzzle" in page.get_by_role("alert").inner_text()
    page.close()


PLAYED = {
    "wordle": ["slate", "caner", "crane"],
    "octordle": ["slate", "crony", "dumpy"],
}
"""What is guessed on the pages that people look at."""


def test_on_a_telephone_eight_boards_show_only_the_rows_that_matter(play, puzzles, guess, violations):
    _, chosen, _ = puzzles("octordle")
    with play("octordle", width=360, height=640, has_touch=True) as page:
        guess(page, "slate", "crony", *chosen.words(0)[:4])
        rows = page.locator(".board").evaluate_all("boards => boards.map(board => board.querySelectorAll('li').length)")
        assert rows == [1] * 4 + [7] * 4
        assert page.locator(".board .tile").first.evaluate("tile => tile.clientWidth") >= 17
        assert violations(page) == ""


@pytest.mark.parametrize("name", PLAYED)
def test_pages_fit_every_window_in_the_middle_of_a_game_and_at_its_end(play, puzzles, guess, looked_at, name):
    game, chosen, _ = puzzles(name)
    with play(name, width=360, height=640, has_touch=True) as page:
        guess(page, *PLAYED[name][:2])
        for window, size in looked_at(page, f"puzzle-{name}"):
            assert size == window
        guess(page, *PLAYED[name][2:], *(word for word in chosen.words(0) if word not in PLAYED[name]))
        page.locator("#outcome:not(:empty)").wait_for()
        for (width, _), (wide, _) in looked_at(page, f"puzzle-{name}-end", full_page=True):
            assert wide == width
    assert game.boards == len(chosen.words(0))
