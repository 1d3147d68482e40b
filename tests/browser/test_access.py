"""Accessibility: axe-core finds no problem in any view, and pages fit small screens."""

import pytest
from wordle_kit_plugins.report import plots
from wordle_kit_plugins.report.plots import write_chart

pytestmark = pytest.mark.slow

STATES = {
    "wordle": [
        "",
        "#view=pairs&first=entropy&second=minimax",
        "#view=hardest",
        "#view=replays&s=entropy&s=minimax&contrast=1",
        "#view=strategy&strategy=entropy&path=00000",
        "#view=again",
    ],
    "quordle": ["#view=replays"],
    "bulls-and-cows": ["", "#view=replays"],
}


@pytest.mark.parametrize("game", STATES)
def test_axe_finds_no_violation_in_light_and_dark(open_page, go, violations, game):
    with open_page(game) as page:
        for state in STATES[game]:
            go(page, state)
            if state == "":
                page.get_by_text("Columns", exact=True).click()
            assert violations(page) == "", state


def test_a_plot_as_a_page_loads_nothing(context, shown, tmp_path):
    pytest.importorskip("altair")
    path = tmp_path / "plot.html"
    write_chart(plots.distribution(shown("bulls-and-cows").board), path)
    page, asked, complaints = context.new_page(), [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(path.as_uri())
    page.locator("#vis canvas, #vis svg").first.wait_for()
    assert (asked, complaints) == ([path.as_uri()], [])
    page.close()


@pytest.mark.parametrize("game", ["quordle", "bulls-and-cows"])
def test_at_360_pixels_only_tables_scroll_sideways(open_page, go, game):
    with open_page(game, width=360) as page:
        for view in ("leaderboard", "pairs", "hardest", "replays", "strategy", "again"):
            go(page, f"#view={view}")
            assert page.locator(f"#{view}").is_visible()
            assert page.evaluate("document.documentElement.scrollWidth") <= 360, view


def test_the_link_to_the_content_and_the_headers_work_by_keyboard(open_page):
    with open_page("wordle") as page:
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "main"
        page.locator('#rows th[data-column="max"] button').focus()
        page.keyboard.press("Enter")
        assert page.locator("#rows th[aria-sort]").get_attribute("data-column") == "max"
        assert page.evaluate("document.activeElement.textContent") == "max"


VIEWS = {"leaderboard": "", "replays": "#view=replays&s=entropy&s=minimax"}


@pytest.mark.parametrize("view", VIEWS)
def test_the_report_fits_every_window(open_page, looked_at, view):
    with open_page("wordle", VIEWS[view]) as page:
        assert page.locator(f"#{view}").is_visible()
        for (width, _), (wide, _) in looked_at(page, f"report-{view}"):
            assert wide <= width
