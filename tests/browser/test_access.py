"""Accessibility: axe-core finds no problem in any state, pages fit small screens, and print without controls."""

import pytest

from wordle_kit.report import plots
from wordle_kit.report.plots import write_chart

STATES = {
    "wordle": [
        "",
        "#find=nobody",
        "#contrast=1&sort=strategy&columns=openers&columns=slowest",
        "#view=pairs",
        "#view=pairs&first=entropy&second=minimax",
        "#view=hardest",
        "#view=hardest&word=nothing",
        "#view=replays&s=entropy&s=minimax&s=first-consistent&s=random-consistent",
        "#view=replays&contrast=1",
        "#view=replays&puzzle=nothing",
        "#view=strategy&strategy=entropy&path=00000",
        "#view=again",
    ],
    "mastermind": ["", "#view=replays", "#view=hardest&page=26", "#view=strategy&strategy=minimax&path=0,1"],
    "glyphs": ["#view=replays", "#view=replays&contrast=1"],
    "quordle": ["#view=replays", "#view=strategy"],
    "bulls-and-cows": ["", "#view=pairs", "#view=hardest", "#view=replays", "#view=strategy"],
    "class": ["", "#view=strategy", "#view=replays", "#view=again"],
}


@pytest.mark.parametrize("game", STATES)
def test_axe_finds_no_violation_in_light_and_dark(open_page, go, violations, game):
    with open_page(game) as page:
        for state in STATES[game]:
            go(page, state)
            if state == "":
                page.get_by_text("Columns", exact=True).click()
            assert violations(page) == "", state


def test_a_plot_as_a_page_has_no_violation_and_loads_nothing(context, shown, violations, tmp_path):
    pytest.importorskip("altair")
    path = tmp_path / "plot.html"
    write_chart(plots.hardest(shown("bulls-and-cows").board), path)
    page, asked, complaints = context.new_page(), [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(path.as_uri())
    page.wait_for_selector("#chart summary[aria-label]")
    assert (violations(page), asked, complaints) == ("", [path.as_uri()], [])
    assert page.get_by_role("heading").text_content().startswith("Hardest puzzles of bulls-and-cows")
    page.close()


def test_the_page_scrolls_and_the_head_of_the_leaderboard_stays_in_view(open_page):
    with open_page("wordle", height=200) as page:
        assert page.locator("#leaderboard .scroll").evaluate("place => place.scrollHeight <= place.clientHeight")
        page.evaluate("scrollTo(0, document.querySelector('#rows tbody').getBoundingClientRect().top + scrollY + 20)")
        assert page.locator("#rows thead th").first.evaluate("head => head.getBoundingClientRect().top") == 0


def test_names_break_at_hyphens_only(open_page):
    with open_page("wordle", width=320) as page:
        style = page.locator("#rows tbody th").first.evaluate(
            "one => [getComputedStyle(one).overflowWrap, getComputedStyle(one).wordBreak]"
        )
        assert style == ["normal", "normal"]


@pytest.mark.parametrize("game", ["wordle", "quordle", "bulls-and-cows", "elements"])
def test_at_360_pixels_only_tables_scroll_sideways(open_page, go, game):
    with open_page(game, width=360) as page:
        for view in ("leaderboard", "pairs", "hardest", "replays", "strategy", "again"):
            go(page, f"#view={view}")
            assert page.locator(f"#{view}").is_visible()
            assert page.evaluate("document.documentElement.scrollWidth") <= 360, view


def test_in_print_there_are_tables_and_no_controls(open_page):
    with open_page("wordle", color_scheme="dark") as page:
        page.emulate_media(media="print", color_scheme="dark")
        assert page.locator("#rows").is_visible()
        for control in ("nav", "#leaderboard .tools", ".switch"):
            assert not page.locator(control).is_visible()
        assert page.locator("#means").is_visible()
        page.locator("#means").evaluate("means => { means.open = false; }")
        assert not page.locator("#means").is_visible()
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_between_its_margins_a_printed_leaderboard_fits_a_page(open_page):
    with open_page("wordle", width=680) as page:  # 18 cm, which A4 has between margins of 15 mm
        page.emulate_media(media="print")
        assert page.evaluate("document.documentElement.scrollWidth") == 680


def test_marks_have_signs_and_words_besides_their_colours(open_page):
    with open_page("wordle", "#view=replays") as page:
        guess = page.locator("#boards .guess").first
        marks = guess.get_attribute("data-feedback")
        names = {"0": "absent", "1": "present elsewhere", "2": "correct"}
        word = guess.get_attribute("data-word")
        said = ", ".join(f"{symbol} {names[mark]}" for symbol, mark in zip(word, marks, strict=True))
        assert guess.get_attribute("aria-label") == f"{word}: {said}"
        assert page.locator("#legend li").all_text_contents() == [" absent", "○ present elsewhere", "● correct"]


def test_without_tiles_there_is_no_switch_for_them(open_page):
    with open_page("elements") as page:
        assert not page.get_by_label("High-contrast tiles").is_visible()


def test_the_high_contrast_switch_changes_the_tiles(open_page):
    with open_page("wordle", "#view=replays") as page:
        tile = page.locator('#boards .tile[data-mark="2"]').first
        colours = []
        for _ in range(2):
            colours.append(tile.evaluate("tile => getComputedStyle(tile).backgroundColor"))
            page.get_by_label("High-contrast tiles").click()
        assert colours[1] == "rgb(245, 121, 58)" != colours[0]


def test_the_link_to_the_content_and_the_headers_work_by_keyboard(open_page):
    with open_page("wordle") as page:
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "main"
        page.locator('#rows th[data-column="max"] button').focus()
        page.keyboard.press("Enter")
        assert page.locator("#rows th[aria-sort]").get_attribute("data-column") == "max"
        assert page.evaluate("document.activeElement.textContent") == "max"


VIEWS = {
    "leaderboard": "",
    "pairs": "#view=pairs",
    "hardest": "#view=hardest",
    "replays": "#view=replays&s=entropy&s=minimax",
    "strategy": "#view=strategy&strategy=entropy&path=00000",
}


@pytest.mark.parametrize("view", VIEWS)
def test_the_report_fits_every_window(open_page, looked_at, view):
    with open_page("wordle", VIEWS[view]) as page:
        assert page.locator(f"#{view}").is_visible()
        for (width, _), (wide, _) in looked_at(page, f"report-{view}"):
            assert wide <= width
