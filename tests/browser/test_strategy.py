"""One strategy in a browser: its view has what is stored of it, columns are explained, and differences are marked."""

import itertools

import pytest
from wordle_kit_plugins.report.page import ranks_of

from wordle_kit.leaderboard.columns import columns_of
from wordle_kit.leaderboard.compare import adjusted, compare_all
from wordle_kit.leaderboard.metrics import METRICS
from wordle_kit.tournaments.runs import counted

pytestmark = pytest.mark.slow

CELLS = "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"


def number(text):
    """Return the number that a page shows, whatever marks it has."""
    return float(text.replace("−", "-").replace(",", "").strip("*"))


def figures(page):
    """Return the terms of the description of a strategy with their values."""
    terms, values = (page.locator(f"#about {tag}").all_text_contents() for tag in ("dt", "dd"))
    return dict(zip(terms, values, strict=True))


# The view of a strategy


def test_a_name_on_the_leaderboard_opens_the_view_of_its_strategy(open_page, shown):
    row = shown("wordle").board.rows[1]
    with open_page("wordle") as page:
        page.locator("#rows").get_by_role("link", name=row.strategy, exact=True).click()
        assert page.locator("#strategy").is_visible()
        assert page.locator("#about h3").text_content() == row.strategy
        assert page.evaluate("document.activeElement.textContent") == row.strategy
        assert page.locator("#one").input_value() == row.strategy
        assert page.locator("#about p").text_content() == row.facts.summary
        known = figures(page)
        page.go_back()
        assert page.locator("#rows").is_visible()
    assert (known["version"], known["plugin"], known["rank"]) == (row.version, row.plugin, "2")
    assert all(f"{name}=" in known["parameters"] for name in row.facts.parameters)
    for column in ("mean", "std", "opener", "decisions", "slowest"):
        metric = columns_of(METRICS)[column]
        assert known[metric.header] == str(metric.cell(row))


@pytest.mark.parametrize("game", ["bulls-and-cows", "quordle"])
def test_the_view_has_the_distribution_and_the_hardest_words_of_its_strategy(open_page, shown, game):
    board, facts = shown(game).board, shown(game).board.facts[0]
    for row in board.rows:
        plays = board.plays(row.strategy)
        with open_page(game, f"#view=strategy&strategy={row.strategy}") as page:
            spread = page.locator("#spread tbody tr").evaluate_all(CELLS)
            late = page.locator("#spread tbody tr", has=page.locator(".late")).locator("th").all_text_contents()
            longest = page.locator("#longest tbody tr").evaluate_all(CELLS)
            title = page.locator("#about h3").text_content()
        if title != row.strategy:
            continue  # a hostile name, which a link cannot have as it is
        counts = {turns.strip("!"): number(count) for turns, count, *_ in spread if count != "0"}
        assert counts == row.distribution
        assert [turns for turns, *_ in spread if turns == "unsolved" or turns.endswith("!")] == late
        taken = {", ".join(play.puzzle): counted(play, facts.cap) for play in plays}
        wanted = sorted(taken.values(), reverse=True)[:20]
        assert [taken[puzzle] for puzzle, *_ in longest] == wanted


def test_the_view_compares_its_strategy_with_each_other(open_page, shown):
    board, (first, *others) = shown("mastermind").board, shown("mastermind").names
    with open_page("mastermind", f"#view=strategy&strategy={first}") as page:
        rows = page.locator("#against tbody tr").evaluate_all(CELLS)
        page.locator("#against td a").first.click()
        assert page.locator("#pair h3").text_content() == f"{first} against {others[0]}"
    assert [row[0] for row in rows] == others
    for name, difference, *counts in rows:
        made = board.compare(first, name)
        assert number(difference) == pytest.approx(made.mean_difference, abs=0.0050001)
        assert [number(count) for count in counts] == [made.wins, made.ties, made.losses]


def test_another_strategy_is_chosen_by_hand_or_by_its_link(open_page, shown):
    names = shown("wordle").names
    with open_page("wordle", "#view=strategy") as page:
        assert page.locator("#about h3").text_content() == names[0]
        page.locator("#one").select_option(names[2])
        assert page.locator("#about h3").text_content() == names[2]
        page.locator("#against tbody th a").first.click()
        assert page.locator("#about h3").text_content() == names[0]
        page.go_back()
        page.wait_for_function("name => document.querySelector('#about h3').textContent === name", arg=names[2])


# Columns


def test_rows_have_ranks_that_sort_as_numbers(open_page, shown):
    with open_page("mastermind") as page:
        ranks = page.locator('#rows td[data-column="rank"]')
        assert ranks.all_text_contents() == ranks_of(shown("mastermind").board.rows)
        page.locator('#rows th[data-column="strategy"] button').click()
        page.locator('#rows th[data-column="rank"] button').click()
        assert ranks.all_text_contents() == ranks_of(shown("mastermind").board.rows)


# Differences


def test_the_grid_marks_the_significant_differences_of_a_sample(open_page, shown):
    board, names = shown("wordle").board, shown("wordle").names
    runs = {run.facts.strategy: run for run in board.runs}
    p_values = adjusted(compare_all([runs[name] for name in names]))
    pairs = dict(zip(itertools.combinations(range(len(names)), 2), p_values, strict=True))
    assert {p_value <= 0.05 for p_value in p_values} == {True, False}
    with open_page("wordle", "#view=pairs") as page:
        cells = page.locator("#grid tbody tr").evaluate_all(CELLS)
        for (first, second), p_value in pairs.items():
            for one, other in ((first, second), (second, first)):
                assert cells[one][other + 1].endswith("*") == (p_value <= 0.05)
                link = page.locator("#grid tbody tr").nth(one).locator("td").nth(other).locator("a")
                said = "significant" if p_value <= 0.05 else "not significant"
                assert link.get_attribute("aria-label").endswith(f", {said}")
            link.click()
            shown_p = dict(
                zip(
                    page.locator("#pair dt").all_text_contents(),
                    page.locator("#pair dd").all_text_contents(),
                    strict=True,
                )
            )["P-value, corrected"]
            wanted = "<0.0001" if p_value < 0.0001 else f"{p_value:.4f}"
            assert shown_p == f"{wanted}, {said} at 5%"
