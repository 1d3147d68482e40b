"""A puzzle is played by keyboard and by keys on the screen, and every guess gets the feedback of the rule."""

import pytest
from rich.cells import cell_len

import wordle_kit as wk

pytestmark = pytest.mark.slow


def shown(page):
    """Return the guesses of each board with their feedback."""
    return page.locator(".board").evaluate_all(
        "boards => boards.map(board => [...board.querySelectorAll('li .guess[data-word]')]"
        ".map(guess => [guess.dataset.word, guess.dataset.feedback]))"
    )


def message(page):
    """Return the message that everyone sees."""
    return page.locator("#message").evaluate("place => place.lastChild.textContent")


def test_a_whole_puzzle_by_keyboard(play, guess):
    with play("wordle") as page:
        guess(page, "slate", "caner")
        assert shown(page) == [[["slate", "00202"], ["caner", "21111"]]]
        assert message(page) == "4 guesses left."
        guess(page, "crane")
        assert page.locator("#outcome").inner_text() == "Solved with 3 guesses. Hidden: crane"
        assert page.evaluate("document.activeElement.id") == "outcome"
        assert not page.locator("#form").is_visible()
        assert (
            page.locator("#share").input_value() == "Wordle, lists of 2021: 3/6\n\n⬜⬜🟩⬜🟩\n🟩🟨🟨🟨🟨\n🟩🟩🟩🟩🟩"
        )


def test_a_whole_puzzle_by_the_keys_on_the_screen(play):
    with play("wordle") as page:
        for word in ("slate", "crane"):
            for symbol in ("z", *word):
                page.locator(f'[data-symbol="{symbol}"]').click()
                if symbol == "z":
                    page.locator("#delete").click()
            page.locator("#enter").click()
        assert page.locator("#outcome").inner_text() == "Solved with 2 guesses. Hidden: crane"


def test_a_refused_guess_says_why_and_costs_nothing(play, guess):
    with play("wordle") as page:
        for typed, said in (
            ("", "Type a guess first."),
            ("zzzzz", "“zzzzz” is not one of the words of this game."),
            ("sla", "“sla” has 3 letters; words have 5."),
            ("slat1", "“1” is not one of the letters of this game."),
        ):
            page.locator("#guess").fill("")
            guess(page, typed)
            assert message(page) == said
        assert shown(page) == [[]]
        page.locator("#guess").fill("")
        guess(page, "SLATEXYZ")  # capitals stand for small letters, and a word has five of them
        assert shown(page) == [[["slate", "00202"]]]


@pytest.mark.parametrize("name", ["glyphs", "mastermind", "own rule"])
def test_every_guess_has_the_feedback_of_the_rule(open_inside, puzzles, name):
    game, chosen, _ = puzzles(name)
    with open_inside(name) as page:
        seen = page.evaluate(
            "inside.game.words.map((word, id) => [word, inside.game.texts[inside.feedbackOf(0, 0)[id]]])"
        )
    (answer,) = chosen.words(0)
    assert seen == [[word, str(game.feedback(word, answer))] for word in game.guesses]


def test_hard_mode_forbids_the_same_guesses_as_in_tournaments(open_inside, puzzles, guess):
    game, chosen, _ = puzzles("hard")
    (answer,) = chosen.words(0)
    position = wk.Position.start(game)
    with open_inside("hard") as page:
        for word in ("bobby", None):
            word = word or game.guesses[position.allowed[-1]]
            guess(page, word)
            position = position.after(word, game.feedback(word, answer))
            problems = page.evaluate("inside.game.words.map((word) => inside.hardModeProblem(inside.playOf(0), word))")
            allowed = [number for number, problem in enumerate(problems) if not problem]
            assert allowed == position.allowed.tolist()
        assert len(allowed) < len(game.guesses)
        guess(page, game.guesses[0 if 0 not in allowed else 1])
        assert message(page).startswith("Hard mode: ")


def test_if_hard_mode_leaves_no_guess_the_page_says_so(play, guess):
    with play("contradiction") as page:
        guess(page, "ab")
        assert "Hard mode allows no further guess on all boards." in message(page)
    with play("contradiction") as page:
        guess(page, "aa")
        assert message(page).endswith("6 guesses left.")


def test_several_boards_are_played_together(play, puzzles, guess):
    game, chosen, _ = puzzles("quordle")
    (wanted,) = wk.play("first-consistent", game, chosen)
    with play("quordle") as page:
        guess(page, *wanted.guesses)
        for board, turn in enumerate(wanted.board_turns):
            rows = shown(page)[board]
            assert rows == [
                [word, seen[board]] for word, seen in zip(wanted.guesses[:turn], wanted.feedback, strict=False)
            ]
            title = f"Board {board + 1}, solved with guess {turn}"
            assert page.locator(".board h3").nth(board).inner_text() == title
        assert page.locator("#outcome").inner_text().endswith(f"Hidden: {', '.join(wanted.puzzle)}")
        share = page.locator("#share").input_value()
    assert not any(word in share for word in wanted.guesses)
    assert max(map(cell_len, share.splitlines())) <= 40
    assert share.count("🟩🟩🟩🟩🟩") == 4


def test_a_rule_without_marks_shows_its_feedback_and_the_symbols_guessed(play, guess):
    with play("mastermind") as page:
        guess(page, "1122")
        assert page.locator("#boards li").first.inner_text().split() == ["1", "1", "2", "2", "⚫⚫⚫·", "3,0"]
        assert page.locator('.board [aria-label="1122"] .bare').count() == 4
        assert shown(page) == [[["1122", "3,0"]]]
        assert page.locator('[data-symbol="1"]').get_attribute("aria-label") == "1, guessed"
        assert page.locator('[data-symbol="3"]').get_attribute("aria-label") == "3"


def test_symbols_of_several_characters_get_their_separator(play):
    with play("clock") as page:
        for symbol in ("50", "10"):
            page.locator(f'[data-symbol="{symbol}"]').click()
        assert page.locator("#guess").input_value() == "50-10"
        page.locator("#delete").click()
        page.locator("#delete").click()
        page.keyboard.type("5-10")
        page.keyboard.press("Enter")
        assert page.locator("#outcome").inner_text() == "Solved with 1 guess. Hidden: 5-10"


def test_the_last_allowed_guess_ends_a_puzzle_and_so_does_giving_up(play, guess):
    with play("wordle") as page:
        guess(page, *["slate"] * 6)
        assert page.locator("#outcome").inner_text() == "Not solved with 6 guesses. Hidden: crane"
        assert page.locator("#share").input_value().startswith("Wordle, lists of 2021: X/6")
    with play("wordle") as page:
        page.on("dialog", lambda dialog: dialog.accept())
        page.get_by_text("Help").click()
        page.get_by_role("button", name="Show the word").click()
        assert page.locator("#outcome").inner_text() == "Not solved: given up. Hidden: crane"


def test_capitals_are_those_of_the_language(play, guess):
    with play("turkish") as page:
        guess(page, "ILIK", "KISA", "İLİK")
        assert [word for word, _ in shown(page)[0]] == ["ılık", "kısa", "ilik"]


def test_hebrew_is_written_from_right_to_left(play, guess):
    with play("hebrew") as page:
        for symbol in "שלום":
            page.locator(f'[data-symbol="{symbol}"]').click()
        page.locator("#enter").click()
        places = (
            page.locator("#boards li")
            .first.locator(".tile")
            .evaluate_all("tiles => tiles.map(tile => [tile.firstChild.textContent, tile.getBoundingClientRect().x])")
        )
        assert "".join(letter for letter, _ in sorted(places, key=lambda place: -place[1])) == "שלום"
        page.locator("#guess").fill("מילה")
        page.locator("#enter").click()
        assert page.locator("#outcome").inner_text() == "Solved with 2 guesses. Hidden: מילה"


def test_words_that_nobody_knows_are_listed(play, puzzles):
    game, _, _ = puzzles("glyphs")
    with play("glyphs") as page:
        page.get_by_text("Help").click()
        page.get_by_text("that may be guessed").click()
        page.locator("#words:not(:empty)").wait_for()
        assert page.locator("#words").inner_text().split() == list(game.guesses)


@pytest.mark.parametrize("name", ["wordle", "series", "long series"])
def test_every_key_is_visible_on_a_small_screen(play, guess, name):
    with play(name, width=360, height=640) as page:
        for guesses in ((), ("slate", "crony")):
            guess(page, *guesses)
            for key in ("#enter", "#delete", '[data-symbol="q"]'):
                box = page.locator(key).bounding_box()
                assert box["x"] >= 0
                assert box["x"] + box["width"] <= 360
                assert box["y"] + box["height"] <= 640
            assert page.evaluate("document.documentElement.scrollHeight") == 640
