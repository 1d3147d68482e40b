"""The page for the projector changes by itself as results come, and shows places and names as they are revealed."""

from types import SimpleNamespace

import pytest

import wordle_kit as wk
from wordle_kit.classroom.contest import PAGE, REFRESH, Contest, rounds_of

GAME = wk.load_game({"name": "tiny", "alphabet": "abc", "length": 3, "answers": "all"})

EVIL = "<img src=x onerror=alert(1)>"

SPECS = ("entropy", "first-consistent", "minimax", "random-consistent", "most-parts")
STRATEGIES = dict(zip(("ada", "bob", "cyd", "dan", "eve"), SPECS, strict=True))


@pytest.fixture
def contest(tmp_path):
    """Return a tournament with its page before the first round."""
    names = {student: f"{student}'s pseudonym" for student in STRATEGIES} | {"bob": EVIL}
    made = Contest(
        SimpleNamespace(game=GAME, definition=SimpleNamespace(title="Tiny words")),
        tmp_path,
        grader=None,
        files={},
        shown=names,
        pseudonyms=names,
        baselines=[SimpleNamespace(label="(baseline) minimax")],
        rounds=rounds_of(wk.load_puzzles(GAME), 3),
        freeze=1,
    )
    made.show("Round 1 of 3", done=4, total=45)
    return made


def play(contest):
    """Let everyone play all puzzles."""
    for student, spec in STRATEGIES.items():
        contest.plays[student] = wk.play(spec, GAME)
    contest.plays["(baseline) minimax"] = wk.play("minimax", GAME)


def test_it_shows_new_results_without_a_hand_and_reveals_them_at_the_end(contest, opened, tmp_path):
    with opened(tmp_path / PAGE) as page:
        assert page.get_by_role("heading", level=1).text_content() == "Tiny words"
        assert "Round 1 of 3" in page.locator("#status").text_content()
        assert page.locator("progress").get_attribute("value") == "4"
        assert page.locator("#others li").count() == len(STRATEGIES)
        assert page.locator("#standings").count() == 0
        play(contest)
        contest.show("All rounds are played.")
        page.wait_for_selector("#standings", timeout=5000 * REFRESH)
        assert page.locator("#frozen").text_content() == "Results after round 2 are hidden."
        contest.show("The result", hidden=3)
        page.locator("#standings th", has_text="?").first.wait_for()
        assert page.locator("#others").count() == 0
        contest.show("The result", refresh=0)
        page.wait_for_selector("body[data-refresh='0']", timeout=5000 * REFRESH)
        assert page.locator("#pause").count() == 0
        places = page.locator("#standings tbody tr:not(.baseline)")
        others = page.locator("#others li")
        assert places.count() >= 1
        assert others.count() >= 2
        assert places.count() + others.count() == len(STRATEGIES)
        assert "(minimax)" in page.locator("#standings .baseline th").text_content()


def test_names_are_text_and_the_page_can_be_paused_read_by_all_and_fits_a_phone(contest, opened, violations, tmp_path):
    play(contest)
    contest.show("Round 2 of 3", done=1, total=9)
    with opened(tmp_path / PAGE, width=360) as page:
        page.get_by_label("Pause").check()
        page.evaluate("document.title = 'not loaded again'")
        assert violations(page) == ""
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        page.wait_for_timeout(1500 * REFRESH)
        assert page.title() == "not loaded again"
        shown = [*page.locator("#standings th").all_text_contents(), *page.locator("#others li").all_text_contents()]
        assert EVIL in shown
        assert page.locator("img").count() == 0
        assert "ada" not in page.locator("main").text_content().replace("ada's pseudonym", "")
