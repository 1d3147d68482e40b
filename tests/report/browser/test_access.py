"""Accessibility: axe-core finds no problem in any view, and pages fit small screens."""

import pytest
from wordle_kit_plugins.report import plots
from wordle_kit_plugins.report.plots import write_chart

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("game", ["wordle", "quordle", "bulls-and-cows"])
def test_axe_finds_no_violation_in_light_and_dark(open_page, violations, game):
    with open_page(game) as page:
        for summary in page.locator("#branches > details > summary").all():
            summary.click()
        assert violations(page) == ""
        if game == "wordle":
            page.get_by_label("High-contrast tiles").check()
            assert page.locator("html.contrast").count() == 1
            assert violations(page) == ""


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


CUT = """all => all.filter(one => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight)
    .map(one => one.textContent)"""
"""Return the texts of the elements that do not show all of their text."""


def test_names_are_whole_at_360_pixels(open_page, shown):
    for game in ("mastermind", "bulls-and-cows"):
        with open_page(game, width=360) as page:
            names = page.locator("tbody th, thead th span")
            assert names.count() > 3 * len(shown(game).names)
            assert names.evaluate_all(CUT) == []


def test_the_link_to_the_content_and_the_headers_work_by_keyboard(open_page):
    with open_page("wordle") as page:
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "main"
        page.locator("#rows").get_by_role("button", name="max", exact=True).focus()
        page.keyboard.press("Enter")
        assert page.locator("#rows th[aria-sort]").text_content() == "max"
        assert page.evaluate("document.activeElement.textContent") == "max"


@pytest.mark.parametrize("game", ["wordle", "quordle", "bulls-and-cows"])
def test_only_tables_scroll_sideways(open_page, looked_at, game):
    with open_page(game) as page:
        for (width, _), (wide, _) in looked_at(page, f"report-{game}", full_page=True):
            assert wide <= width
