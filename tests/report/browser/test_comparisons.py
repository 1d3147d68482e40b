"""Head to head and the hardest puzzles in a browser: the figures are those of `wordle-kit compare` and of the plays."""

import itertools

import pytest

from wordle_kit.leaderboard.compare import compare_pairs
from wordle_kit.tournaments.runs import guess_count

pytestmark = pytest.mark.slow

CELLS = "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"


def number(text):
    """Return the number that a page shows, whatever marks it has."""
    return float(text.replace("−", "-").replace(",", "").strip("*"))


@pytest.mark.parametrize("game", ["mastermind", "quordle", "likely"])
def test_every_cell_is_the_mean_difference(open_page, shown, game):
    names = shown(game).names
    with open_page(game) as page:
        rows = page.locator("#grid tbody tr").evaluate_all(CELLS)
    assert [row[0] for row in rows] == names
    for (i, first), (j, second) in itertools.product(enumerate(names), repeat=2):
        made = shown(game).board.compare(first, second)
        weighted = made.weighted_difference
        wanted = made.mean_difference if weighted is None else weighted
        assert rows[i][j + 1] == "–" if i == j else number(rows[i][j + 1]) == pytest.approx(wanted, abs=0.0050001)


def test_the_grid_marks_the_significant_differences_of_a_sample(open_page, shown):
    board, names = shown("wordle").board, shown("wordle").names
    runs = {run.facts.strategy: run for run in board.runs}
    found = compare_pairs(itertools.combinations([runs[name] for name in names], 2))
    p_values = [each.p_adjusted for each in found]
    assert {p_value <= 0.05 for p_value in p_values} == {True, False}
    with open_page("wordle") as page:
        rows = page.locator("#grid tbody tr").evaluate_all(CELLS)
    for (first, second), p_value in zip(itertools.combinations(range(len(names)), 2), p_values, strict=True):
        assert rows[first][second + 1].endswith("*") == rows[second][first + 1].endswith("*") == (p_value <= 0.05)


def test_the_hardest_puzzles_come_first_with_the_guesses_of_all(open_page, shown):
    board, cap, allowed = shown("mastermind").board, shown("mastermind").game.cap, 10
    names = shown("mastermind").names
    taken = {play.puzzle[0]: [] for play in board.plays(names[0])}
    for name in names:
        for play in board.plays(name):
            taken[play.puzzle[0]].append(guess_count(play, cap))
    texts = {
        turns: "✗" if turns > cap else f"{turns}!" if turns > allowed else str(turns) for turns in range(1, cap + 2)
    }
    with open_page("mastermind") as page:
        rows = page.locator("#matrix tbody tr").evaluate_all(CELLS)
        page.locator("#matrix tbody th a").nth(7).click()
        assert page.get_by_label("Puzzle", exact=True).input_value() == rows[7][0]
    sums = [sum(turns) for turns in taken.values()]
    assert [sum(taken[row[0]]) for row in rows] == sorted(sums, reverse=True)[:50]
    assert len({row[0] for row in rows}) == 50
    for row in rows:
        assert row[2:] == [texts[turns] for turns in taken[row[0]]]
        assert float(row[1]) == pytest.approx(sum(taken[row[0]]) / len(names), abs=0.0050001)


# One strategy


def test_a_name_opens_the_view_of_its_strategy(open_page, shown):
    board = shown("wordle").board
    row = board.rows[1]
    with open_page("wordle") as page:
        page.locator("#rows").get_by_role("link", name=row.strategy, exact=True).click()
        assert page.locator("#about h3").text_content() == row.strategy
        assert page.locator("#about p").text_content() == row.facts.summary
        figures = dict(
            zip(
                page.locator("#about dt").all_text_contents(),
                page.locator("#about dd").all_text_contents(),
                strict=True,
            )
        )
        spread = page.locator("#spread tbody tr").evaluate_all(CELLS)
        page.locator("#one").select_option(board.rows[2].strategy)
        assert page.locator("#about h3").text_content() == board.rows[2].strategy
    assert (figures["version"], figures["plugin"], figures["std"]) == (row.version, row.plugin, f"{row.std:.3f}")
    assert all(f"{name}=" in figures["parameters"] for name in row.facts.parameters)
    assert {turns.strip("!"): number(count) for turns, count, _ in spread} == row.distribution
