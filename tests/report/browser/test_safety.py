"""The page shows names and messages as text, whatever they contain, and runs and loads nothing but itself."""

import pytest

pytestmark = pytest.mark.slow


def test_hostile_names_and_messages_are_text_everywhere(open_page, shown):
    board = shown("bulls-and-cows").board
    (hostile,) = [row.strategy for row in board.rows if row.strategy.startswith("<")]
    name = hostile.replace("\u202e", "\\u202e").replace("\u200f", "\\u200f")
    with open_page("bulls-and-cows") as page:
        page.locator("#rows").get_by_role("link", name=name, exact=True).click()
        assert page.locator("#about h3").inner_text() == name
        assert (page.locator("script").count(), page.locator("img").count()) == (2, 0)
        assert page.title() == "Bulls and Cows, 4 different digits: leaderboard"
        for part in ("leaderboard", "pairs", "hardest", "replays", "strategy"):
            assert name in page.locator(f"#{part}").inner_text() or name in page.locator("option").all_text_contents()
        assert not {"\u202e", "\u200f"} & set(page.content())
        assert "RuntimeError: <img src=x onerror=" in page.locator("#leaderboard > .note").inner_text()


def test_no_other_script_runs_and_no_style_attribute_works(shown, context):
    page = context.new_page()
    page.goto(shown("wordle").path.as_uri())
    page.evaluate("""() => {
        const script = document.createElement("script");
        script.textContent = "document.title = 'run'";
        document.body.append(script);
        document.body.setAttribute("style", "padding: 77px");
        document.body.setAttribute("onclick", "document.title = 'clicked'");
        document.body.click();
        const image = new Image();
        image.src = "file:///nowhere.png";
        document.body.append(image);
    }""")
    assert "leaderboard" in page.title()
    assert page.evaluate("getComputedStyle(document.body).paddingTop") != "77px"
    assert page.evaluate("fetch('data:,x').then(() => 'loaded', () => 'refused')") == "refused"
    page.close()


def test_a_damaged_page_says_so_and_keeps_its_leaderboard(context, shown, tmp_path):
    whole = shown("wordle").path.read_text(encoding="utf-8")
    start = whole.index('id="payload">') + len('id="payload">')
    damaged = tmp_path / "damaged.html"
    damaged.write_text(f"{whole[:start]}AAAA{whole[start + 4 :]}", encoding="utf-8")
    page = context.new_page()
    page.goto(damaged.as_uri())
    page.get_by_role("alert").wait_for()
    assert "cannot show more than the leaderboard" in page.get_by_role("alert").inner_text()
    assert page.locator("#rows tbody tr").count() == 4
    page.close()
