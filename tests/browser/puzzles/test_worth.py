"""The page says what each guess was worth, exactly as `wordle-kit play` does, and stays quick meanwhile."""

import pytest

from wordle_kit.playing.assistance import review
from wordle_kit.playing.session import Session
from wordle_kit.tournaments.entrants import enter
from wordle_kit.tournaments.host import HIDDEN

pytestmark = pytest.mark.slow

GUESSES = {
    "wordle": ["zesty", "slate", "caner", "crane"],
    "hard": ["abide", "abbey"],
    "mastermind": ["1122"],
    "contradiction": ["ab"],
    "likely": ["bbb", "bca", "abc"],
}
"""First guesses of each page. The words that are left follow, in the game's order, until all boards are solved."""


def played(game, ids, first):
    """Return a game that is played with some guesses, and then with the first word that is left on an open board."""
    session = Session.start(game, HIDDEN.of(ids))
    for word in first:
        session = session.guess(word)
    while session.position.open_boards and not session.is_stuck:
        board = min(session.position.open_boards, key=len)
        words = [word for word in board.words if session.position.allows(word) is None]
        session = session.guess(words[0] if words else game.guesses[session.position.allowed[-1]])
    return session


@pytest.mark.parametrize("name", GUESSES)
def test_guesses_are_worth_as_much_on_the_page_as_in_the_terminal(open_inside, puzzles, guess, name):
    game, chosen, _ = puzzles(name)
    session = played(game, chosen.ids[0], GUESSES[name])
    wanted = review(session.position, enter(["entropy"], game)[0][0], 60)
    with open_inside(name) as page:
        page.on("dialog", lambda dialog: dialog.accept())
        guess(page, *session.position.guesses)
        if not session.is_solved:
            page.get_by_text("Help").click()
            page.locator("#reveal").click()
        page.locator("#averages:not(:empty)").wait_for()
        found = page.evaluate(
            "async () => { const all = []; for await (const row of inside.worthOf(inside.playOf(0))) all.push(row);"
            " return all; }"
        )
        shown = page.locator("#worths tbody tr").evaluate_all(
            "rows => rows.map(row => [...row.querySelectorAll('td')].map(cell => cell.textContent))"
        )
    assert [row["guess"] for row in found] == list(session.position.guesses)
    for mine, theirs, texts in zip(found, wanted, shown, strict=True):
        assert (mine["before"], mine["after"], mine["entropy"]) == (
            theirs["before"],
            theirs["after"],
            theirs["entropy"],
        )
        for figure in ("expected", "skill", "luck"):
            assert mine[figure] == pytest.approx(theirs[figure], abs=1e-9), (mine["guess"], figure)
        assert (texts[0], texts[2]) == (f"{theirs['before']:,}", f"{theirs['after']:,}")
        assert abs(float(texts[3].rstrip("%")) / 100 - theirs["skill"]) < 0.0051


def test_a_rule_that_the_page_does_not_know_has_no_figures(play, guess):
    with play("own rule") as page:
        guess(page, "goat")
        assert page.locator("#outcome").is_visible()
        assert not page.locator("#worth").is_visible()
