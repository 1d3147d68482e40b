"""Replays and decision trees in a browser: what `wordle-kit solve` prints, and what the store has."""

import contextlib
import io

import pytest

import wordle_kit as wk
from wordle_kit import cli

pytestmark = pytest.mark.slow

SIGNS = {"0": "", "1": "○", "2": "●", "3": "◆", "4": "◇"}


def solved(game, strategy, answer):
    """Return the guesses that `wordle-kit solve` prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        assert cli.run(["solve", "--game", game, "--strategy", strategy, "--answer", answer]) == 0
    return [line for line in printed.getvalue().splitlines() if line[:2].strip().isdigit()]


ROWS = """section => [...section.querySelectorAll("table")].map(table => [...table.rows].map(row => {
    const text = selector => row.querySelector(selector)?.textContent;
    const guess = row.querySelector(".guess");
    return {
        turn: text("th"), left: text(".left"), word: guess.dataset.word, code: guess.dataset.feedback,
        tiles: [...guess.querySelectorAll(".tile")].map(tile => tile.textContent),
        shown: [text("bdi"), text("code")], pegs: text(".pegs"),
    };
}))"""
"""The rows of each board of a strategy, as they are shown."""


def replayed(page, game, number):
    """Return the lines that `wordle-kit solve` prints, read off the boards of a strategy."""
    tiles = getattr(game.rule, "tile_set", None)
    turns = {}
    for board, rows in enumerate(page.locator("#boards > section").nth(number).evaluate(ROWS)):
        for row in rows:
            word, code = row["word"], row["code"]
            if tiles:
                signs = [symbol + SIGNS[mark] for symbol, mark in zip(game.alphabet.split(word), code, strict=True)]
                assert row["tiles"] == signs
                feedback = "".join(tiles[int(mark)] for mark in code)
            else:
                assert row["shown"] == [word, code]
                feedback = row["pegs"]
                assert feedback == game.read_feedback(code).tiles
            left = row["left"]
            turns.setdefault(row["turn"], (word, {}))[1][board] = (
                feedback,
                "-" if left == "solved" else left.removesuffix(" left"),
            )
    winning = " " * 2 * game.length if tiles else " " * len(game.feedback_of(game.winning_code).tiles)
    lines = []
    for turn, (word, boards) in turns.items():
        seen = [boards.get(board, (winning, "-")) for board in range(game.boards)]
        left = f"  {', '.join(count for _, count in seen)} left" if any(count != "-" for _, count in seen) else ""
        lines.append(f"{turn:>2}  {word}  {'  '.join(text for text, _ in seen)}{left}".rstrip())
    return lines


@pytest.fixture
def replay(open_page, shown):
    """Return a context with an open page, and a function that shows a puzzle played by some strategies."""

    @contextlib.contextmanager
    def replay(name, strategies):
        with open_page(name) as page:
            selects = page.locator("#players select")
            for place in range(selects.count()):
                selects.nth(place).select_option(strategies[place] if place < len(strategies) else "none")

            def show(puzzle):
                page.get_by_label("Puzzle", exact=True).fill(puzzle)
                page.get_by_label("Puzzle", exact=True).blur()

            yield page, show

    return replay


@pytest.mark.parametrize(
    ("name", "strategies"),
    [
        ("wordle", ["entropy", "minimax", "first-consistent"]),
        ("mastermind", ["minimax", "expected-size", "first-consistent"]),
        ("glyphs", ["entropy", "first-consistent"]),
        ("elements", ["entropy", "first-consistent"]),
        ("quordle", ["entropy"]),
    ],
)
def test_a_replay_is_the_output_of_solve(replay, shown, name, strategies):
    game = shown(name).game
    plays = shown(name).board.plays(strategies[0])
    with replay(name, strategies) as (page, show):
        for place in (0, len(plays) // 2, len(plays) - 1):
            puzzle = ", ".join(plays[place].puzzle)
            show(puzzle)
            assert page.locator("#boards h3").all_text_contents() == strategies
            for number, strategy in enumerate(strategies):
                assert replayed(page, game, number) == solved(name, strategy, puzzle)


@pytest.mark.parametrize("name", ["wordle", "bulls-and-cows"])
def test_a_replay_of_a_random_or_failing_strategy_is_the_stored_play(replay, shown, name):
    game, board = shown(name).game, shown(name).board
    strategy = shown(name).names[-1]
    with replay(name, [strategy]) as (page, show):
        for play in board.plays(strategy)[:3]:
            show(", ".join(play.puzzle))
            lines = replayed(page, game, 0)
            ending = page.locator("#boards .ending").text_content()
            assert [line.split()[1] for line in lines] == list(play.guesses)
            assert ending.startswith("Solved with guess" if play.turns else f"Not solved: {play.outcome.value}")
            assert play.message in ending


def test_puzzles_are_chosen_by_hand(replay, shown):
    answers = [play.puzzle[0] for play in shown("wordle").board.plays("entropy")]
    with replay("wordle", shown("wordle").names) as (page, show):
        show(f" {answers[3].upper()}")
        assert page.locator("caption").all_text_contents() == [f"Hidden word: {answers[3]}"] * 4
        page.get_by_text("Next puzzle").click()
        assert page.locator("caption").first.text_content() == f"Hidden word: {answers[4]}"
        page.get_by_text("Previous puzzle").click()
        page.get_by_text("Previous puzzle").click()
        assert page.locator("caption").first.text_content() == f"Hidden word: {answers[2]}"
        show("qqqqq")
        assert page.get_by_text("There is no replay of a puzzle “qqqqq”.").is_visible()


def test_next_puzzle_reaches_every_puzzle_of_a_sample_that_repeats_a_word(opened, tmp_path):
    fields = {"name": "few", "alphabet": "abc", "length": 2, "answers": "all", "weights": {"ab": 50, "cc": 50}}
    board = wk.tournament(wk.load_game(fields), ["random-consistent"], 12, workers=1)
    plays = board.plays("random-consistent")
    assert len({play.puzzle for play in plays}) < len(plays)
    board.write(tmp_path / "page.html")
    seen = []
    with opened(tmp_path / "page.html") as page:
        for _ in plays:
            seen.append((page.locator("caption").inner_text(), page.locator("#boards .ending").inner_text()))
            page.get_by_text("Next puzzle").click()
    wanted = [(f"Hidden word: {play.puzzle[0]}", f"Solved with guess {play.turns}") for play in plays]
    start = next(at for at in range(len(plays)) if [*wanted[at:], *wanted[:at]] == seen)
    assert max(play.turns for play in plays) == plays[start].turns  # the page begins with the hardest


def test_the_steps_of_a_tree_are_those_of_the_stored_plays(open_page, shown):
    plays = shown("wordle").board.plays("first-consistent")
    with open_page("wordle") as page:
        page.locator("#one").select_option("first-consistent")
        root = page.locator("#branches > details")
        assert root.locator("> summary strong").text_content() == plays[0].guesses[0]
        root.locator("> summary").click()
        for play in plays[:: len(plays) // 8]:
            steps = [seen[0] for seen in play.feedback]
            branch = root
            for turn in range(1, len(steps)):
                guess = page.locator(f'[data-feedback="{steps[turn - 1]}"]')
                branch = branch.locator("> ul > li > details", has=page.locator("> summary").filter(has=guess))
                if not branch.evaluate("branch => branch.open"):
                    branch.locator("> summary").focus()
                    page.keyboard.press("Enter")
                same = sum(one.feedback[:turn] == play.feedback[:turn] for one in plays)
                count = branch.locator("> summary .count").text_content()
                assert count.split(",")[0] == f"{same} puzzle{'s' * (same > 1)}"
                assert branch.locator("> summary .then strong").text_content() == play.guesses[turn]
            leaf = branch.locator(f'> ul > li.leaf [data-word="{play.guesses[-1]}"]')
            assert leaf.get_attribute("data-feedback") == steps[-1]


def test_random_strategies_and_several_boards_have_no_tree(open_page):
    with open_page("wordle") as page:
        page.locator("#one").select_option("random-consistent")
        assert page.get_by_text("The strategy is random, so it has no tree.").is_visible()
    with open_page("quordle") as page:
        assert page.get_by_text("there is no tree to show").is_visible()
