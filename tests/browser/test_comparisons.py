"""Head to head and the hardest puzzles in a browser: the figures are those of `wordle-kit compare` and of the plays."""

import itertools

import pytest

from wordle_kit.tournaments.runs import counted

pytestmark = pytest.mark.slow


def number(text):
    """Return the number that a page shows."""
    return float(text.replace("−", "-").strip("*"))


@pytest.mark.parametrize("game", ["mastermind", "quordle"])
def test_every_cell_is_the_mean_difference(open_page, shown, game):
    names = shown(game).names
    with open_page(game, "#view=pairs") as page:
        cells = page.locator("#grid tbody tr").evaluate_all(
            "rows => rows.map(r => [...r.cells].map(c => c.textContent))"
        )
    assert [row[0] for row in cells] == names
    for (i, first), (j, second) in itertools.product(enumerate(names), repeat=2):
        if i == j:
            assert cells[i][j + 1] == "–"
        else:
            wanted = shown(game).board.compare(first, second).mean_difference
            assert number(cells[i][j + 1]) == pytest.approx(wanted, abs=0.0050001)


@pytest.mark.parametrize("game", ["wordle", "mastermind"])
def test_a_cell_leads_to_the_comparison_and_to_the_puzzles_on_which_they_differ_most(open_page, shown, game):
    first, second = shown(game).names[0], shown(game).names[2]
    made = shown(game).board.compare(first, second)
    with open_page(game, "#view=pairs") as page:
        page.locator("#grid tbody tr").first.locator("td").nth(2).locator("a").click()
        texts = page.locator("#pair dd").all_text_contents()
        rows = page.locator("#apart tbody tr").evaluate_all(
            "rows => rows.map(r => [...r.cells].map(c => c.textContent))"
        )
        page.locator("#apart a").first.click()
        assert page.locator("#boards h3").all_text_contents() == [first, second]
        assert page.get_by_label("Puzzle", exact=True).input_value() == rows[0][0]
    assert number(texts[0].removesuffix(" guesses")) == pytest.approx(made.mean_difference, abs=0.00005001)
    assert texts[-2] == f"{made.wins:,} won, {made.ties:,} tied, {made.losses:,} lost"
    counts = (part.replace("−", "-").replace(",", "").split(": ") for part in texts[-1].split(", "))
    said = {difference: int(count) for difference, count in counts}
    assert said == made.differences
    if made.interval is None:
        assert len(texts) == 3
    else:
        assert [number(text) for text in texts[1].split(" to ")] == pytest.approx(made.interval, abs=0.00005001)
    plays = zip(shown(game).board.plays(first), shown(game).board.plays(second), strict=True)
    cap = shown(game).game.cap
    apart = [(counted(a, cap) - counted(b, cap), a.puzzle[0]) for a, b in plays]
    most = sorted((abs(size) for size, _ in apart if size), reverse=True)[:20]
    assert [abs(number(row[3])) for row in rows] == most
    assert all((number(row[3]), row[0]) in apart for row in rows)


def test_the_hardest_puzzles_come_first_with_the_guesses_of_all(open_page, shown):
    board, cap, allowed = shown("mastermind").board, shown("mastermind").game.cap, 10
    names = shown("mastermind").names
    taken = {play.puzzle[0]: [] for play in board.plays(names[0])}
    for name in names:
        for play in board.plays(name):
            taken[play.puzzle[0]].append(counted(play, cap))
    texts = {
        turns: "✗" if turns > cap else f"{turns}!" if turns > allowed else str(turns) for turns in range(1, cap + 2)
    }
    seen = []
    with open_page("mastermind", "#view=hardest") as page:
        for _ in range(3):
            seen += page.locator("#matrix tbody tr").evaluate_all(
                "rows => rows.map(r => [...r.cells].map(c => c.textContent))"
            )
            page.get_by_text("Next page").click()
        assert page.locator("#page").text_content() == "Page 4 of 26, 1,296 puzzles"
    sums = [sum(turns) for turns in taken.values()]
    assert [sum(taken[row[0]]) for row in seen] == sorted(sums, reverse=True)[:150]
    assert len({row[0] for row in seen}) == 150
    for row in seen:
        assert row[2:] == [texts[turns] for turns in taken[row[0]]]
        assert float(row[1]) == pytest.approx(sum(taken[row[0]]) / len(names), abs=0.0050001)


def test_a_puzzle_can_be_found(open_page):
    with open_page("mastermind", "#view=hardest") as page:
        page.get_by_label("Find a puzzle").fill("1122")
        assert page.locator("#matrix tbody th").all_text_contents() == ["1122"]
        page.locator("#matrix tbody th a").click()
        assert page.get_by_label("Puzzle", exact=True).input_value() == "1122"


# Weights


def test_if_the_weighted_mean_ranks_cells_are_weighted_differences_and_pairs_have_both(open_page, shown):
    names, board = shown("likely").names, shown("likely").board
    with open_page("likely") as page:
        assert page.locator("#rows tbody th").all_text_contents() == names
        assert page.locator("[data-column=weighted_mean]").first.get_attribute("aria-sort") == "ascending"
        page.goto(page.url + "#view=pairs")
        rows = page.locator("#grid tbody tr").evaluate_all(
            "rows => rows.map(r => [...r.cells].map(c => c.textContent))"
        )
        page.locator("#grid tbody tr").first.locator("td").nth(2).locator("a").click()
        texts = dict(
            zip(page.locator("#pair dt").all_text_contents(), page.locator("#pair dd").all_text_contents(), strict=True)
        )
    for i, j in itertools.permutations(range(len(names)), 2):
        wanted = board.compare(names[i], names[j]).weighted.mean_difference
        assert number(rows[i][j + 1]) == pytest.approx(wanted, abs=0.0050001)
    made = board.compare(names[0], names[2])
    mean, weighted = (number(texts[key].removesuffix(" guesses")) for key in list(texts)[:2])
    assert (mean, weighted) == pytest.approx((made.mean_difference, made.weighted.mean_difference), abs=0.00005001)
    shares = [f"{100 * share:.2f}%" for share in (made.weighted.wins, made.weighted.ties, made.weighted.losses)]
    assert texts["By weight"] == f"{shares[0]} won, {shares[1]} tied, {shares[2]} lost"
