"""The leaderboard in a browser: a table that sorts, and that is there without scripts."""

import pytest

import wordle_kit as wk

pytestmark = pytest.mark.slow

KEYS = {
    "mean": lambda row: row.mean,
    "weighted mean": lambda row: row.weighted_mean,
    "std": lambda row: round(row.std, 3),
    "max": lambda row: row.max,
    "failed": lambda row: row.failed,
    "opener": lambda row: row.opener,
    "ms each": lambda row: round(row.ms_per_decision, 3),
}
"""The value of a row in each column, as it is shown."""


def names_in(page):
    """Return the strategies from top to bottom."""
    return page.locator("#rows tbody th").all_text_contents()


@pytest.mark.parametrize("game", ["wordle", "likely", "mastermind"])
def test_each_column_sorts_both_ways_and_equal_rows_stay_ranked(open_page, shown, game):
    rows = shown(game).board.rows
    with open_page(game) as page:
        assert names_in(page) == [row.strategy for row in rows]
        heads = page.locator("#rows thead th").all_text_contents()
        for header in set(heads) & set(KEYS):
            button = page.locator("#rows").get_by_role("button", name=header, exact=True)
            for descending in (False, True):
                button.click()
                wanted = sorted(rows, key=KEYS[header], reverse=descending)  # leaves equal rows as they are
                assert names_in(page) == [row.strategy for row in wanted], header
                assert page.locator("#rows th[aria-sort]").all_text_contents() == [header]
    assert {"mean", "max", "opener", "ms each"} <= set(heads)


def test_3_9_comes_after_3_4333(open_page):
    with open_page("wordle") as page:
        column = page.locator("#rows thead th").all_text_contents().index("mean") + 1  # after it are the dots
        cells = page.locator(f"#rows tbody tr > :nth-child({column})")
        for cell, value in zip(cells.all(), ("3.9", "10 ± 2", "3.4333", ""), strict=True):
            cell.evaluate("(cell, value) => { cell.textContent = value; }", value)
        button = page.locator("#rows").get_by_role("button", name="mean", exact=True)
        button.click()
        assert cells.all_text_contents() == ["3.4333", "3.9", "10 ± 2", ""]
        button.click()
        assert cells.all_text_contents() == ["10 ± 2", "3.9", "3.4333", ""]


def test_intervals_are_there_only_for_a_sample(open_page):
    for game, is_sample in (("wordle", True), ("mastermind", False)):
        with open_page(game) as page:
            assert (page.locator("#rows td", has_text="±").count() > 0) == is_sample


def test_without_scripts_the_leaderboard_is_there(open_page):
    with open_page("wordle", java_script_enabled=False) as page:
        assert page.locator("#rows tbody tr").count() == 4
        assert not page.locator("nav").is_visible()


def test_42_strategies_on_all_of_wordle_take_at_most_2_mb_and_a_second_and_a_half_to_open(opened, tmp_path):
    known = wk.Plugins.load().strategies
    names = [name for name, one in known.items() if name.startswith("liu-") or not one.value.by_name_only]
    wk.tournament("wordle", names, seed=0).write(tmp_path / "page.html")
    assert (tmp_path / "page.html").stat().st_size <= 2_000_000
    with opened(tmp_path / "page.html", offline=True) as page:
        assert page.locator("#rows tbody tr").count() >= 42
        assert page.evaluate("performance.getEntriesByName('ready')[0].startTime") <= 1500
