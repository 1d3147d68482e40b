"""The leaderboard in a browser: sorted, filtered, with columns chosen, and linked."""

import itertools

import pytest

from wordle_kit.leaderboard.columns import columns_of
from wordle_kit.leaderboard.metrics import METRICS

pytestmark = pytest.mark.slow

GAMES = ("wordle", "likely")

KEYS = {
    "strategy": lambda row: None,  # by the browser's own order of texts, see below
    "mean": lambda row: row.mean,
    "games": lambda row: row.games,
    "solved": lambda row: row.solved,
    "failed": lambda row: row.failed,
    "std": lambda row: row.std,
    "min": lambda row: row.min,
    "median": lambda row: row.median,
    "max": lambda row: row.max,
    "total": lambda row: row.total_guesses,
    "boards": lambda row: sum(row.boards.values()),
    "over_perfect": lambda row: row.over_perfect,
    "excellent": lambda row: row.excellent,
    "failure": lambda row: row.failure,
    "distribution": lambda row: row.mean,
    "opener_share": lambda row: row.opener_share,
    "decisions": lambda row: row.decisions,
    "ms": lambda row: row.ms_per_decision,
    "outcomes": lambda row: sum(row.outcomes.values()),
    "weighted_mean": lambda row: row.weighted_mean,
    "weighted_failure": lambda row: row.weighted_failure,
}
"""What sorts a column. Columns of texts are not here: version, plugin, opener, slowest."""


SORT = """columns => columns.flatMap(column => ["ascending", "descending"].map(direction => {
    const usual = document.querySelector("#rows th[aria-sort]");
    const isSorted = usual.dataset.column === column && usual.ariaSort === direction;
    if (!isSorted) document.querySelector(`#rows th[data-column="${column}"] button`).click();
    const sorted = [...document.querySelectorAll("#rows th[aria-sort]")].map(h => [h.dataset.column, h.ariaSort]);
    const names = [...document.querySelectorAll("#rows tbody th")].filter(c => c.checkVisibility());
    return [...sorted.flat(), names.map(c => c.textContent)];
}))"""
"""Sort by each column, one way and then the other, and return each time the column, the direction and the strategies.

The first column is the one by which the page is sorted when it opens.
"""


def names_in(page):
    """Return the strategies whose rows are visible, from top to bottom."""
    return page.locator("#rows tbody th").evaluate_all(
        "cells => cells.filter(c => c.checkVisibility()).map(c => c.textContent)"
    )


def expected(rows, column, descending):
    """Return the strategies in the order of a column; rows without a value are last, and equal ones as they were."""
    key = KEYS[column]
    with_value = [row for row in rows if key(row) is not None]
    with_value.sort(key=lambda row: -key(row) if descending else key(row))
    return [row.strategy for row in (*with_value, *(row for row in rows if key(row) is None))]


@pytest.mark.parametrize("game", GAMES)
def test_sorting_by_a_column_orders_all_rows_by_its_numbers(open_page, shown, game):
    rows = shown(game).board.rows
    is_weighted = rows[0].weighted_mean is not None
    columns = [name for name in KEYS if name != "strategy" and (is_weighted or not name.startswith("weighted"))]
    by_default = "weighted_mean" if is_weighted else "mean"
    columns.sort(key=lambda name: name != by_default)
    with open_page(game, "#columns=" + "&columns=".join(columns)) as page:
        names = dict(zip((row.strategy for row in rows), names_in(page), strict=True))
        seen = page.evaluate(SORT, columns)
    for (column, direction, order), (wanted, descending) in zip(
        seen, itertools.product(columns, (False, True)), strict=True
    ):
        assert (column, direction) == (wanted, "descending" if descending else "ascending")
        assert order == [names[strategy] for strategy in expected(rows, column, descending)], (column, descending)


@pytest.mark.parametrize("column", ["strategy", "opener"])
def test_sorting_by_a_column_of_texts_orders_them_alphabetically(open_page, shown, column):
    values = {row.strategy: columns_of(METRICS)[column].cell(row) for row in shown("wordle").board.rows}
    with open_page("wordle", f"#sort={column}&columns={column}") as page:
        names = names_in(page)
    assert sorted(names) == sorted(values)
    shown_values = [values[name] for name in names]
    assert shown_values == sorted(shown_values)


def test_3_9_comes_after_3_4333(open_page):
    with open_page("wordle") as page:
        cells = page.locator('#rows tbody td[data-column="mean"]')
        for cell, value in zip(cells.all(), ("3.9", "10", "3.4333", "-2"), strict=True):
            cell.evaluate("(cell, value) => { cell.dataset.value = cell.textContent = value; }", value)
        button = page.locator('#rows th[data-column="mean"] button')
        button.click()
        assert cells.all_text_contents() == ["10", "3.9", "3.4333", "-2"]
        button.click()
        assert cells.all_text_contents() == ["-2", "3.4333", "3.9", "10"]


def test_a_filter_leaves_the_names_that_have_its_text(open_page, shown):
    with open_page("wordle") as page:
        page.get_by_label("Filter by name").fill("CONSIST")
        assert names_in(page) == [name for name in shown("wordle").names if "consist" in name]
        assert page.locator("#found").text_content() == "2 of 4 strategies"
        assert "find=CONSIST" in page.url
        page.get_by_label("Filter by name").fill("nobody")
        assert names_in(page) == []
        page.get_by_label("Filter by name").fill("")
        assert names_in(page) == shown("wordle").names


def test_intervals_are_there_only_for_a_sample(open_page, shown):
    for game, is_sample in (("wordle", True), ("mastermind", False)):
        with open_page(game) as page:
            means = page.locator('#rows td[data-column="mean"]').all_text_contents()
        assert all(("±" in mean) == is_sample for mean in means)
        assert means == [columns_of(METRICS)["mean"].cell(row) for row in shown(game).board.rows]


def test_a_link_shows_the_same_view_and_the_way_back_leads_to_the_one_before(open_page, shown):
    with open_page("wordle", "#sort=ms&order=descending&find=e&contrast=1") as page:
        first = names_in(page)
        assert page.locator("html.contrast").count() == 1
        page.get_by_role("link", name="Head to head").click()
        assert page.locator("#grid").is_visible()
        page.go_back()
        page.locator("#rows").wait_for()
        assert names_in(page) == first


def test_without_scripts_the_leaderboard_is_there(open_page, shown):
    with open_page("wordle", java_script_enabled=False) as page:
        assert page.locator("#rows tbody tr").count() == 4
        assert not page.locator("nav").is_visible()
