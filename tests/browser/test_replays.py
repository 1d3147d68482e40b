"""Replays and decision trees in a browser: what `wordle-kit solve` prints, and what the store has."""

import contextlib
import io

import pytest

from wordle_kit import cli

pytestmark = pytest.mark.slow

SIGNS = {"0": "", "1": "○", "2": "●", "3": "◆", "4": "◇"}


def solved(game, strategy, answer):
    """Return the output of `wordle-kit solve`, without the ending."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        assert cli.run(["solve", "--game", game, "--strategy", strategy, "--answer", answer]) == 0
    return printed.getvalue().splitlines()[:-1]


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
    winning = " " * 2 * game.length if tiles else " " * len(game.show(game.winning_code).tiles)
    lines = []
    for turn, (word, boards) in turns.items():
        seen = [boards.get(board, (winning, "-")) for board in range(game.boards)]
        left = f"  {', '.join(count for _, count in seen)} left" if any(count != "-" for _, count in seen) else ""
        lines.append(f"{turn:>2}  {word}  {'  '.join(text for text, _ in seen)}{left}".rstrip())
    return lines


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
def test_a_replay_is_the_output_of_solve(open_page, go, shown, name, strategies):
    game = shown(name).game
    plays = shown(name).board.plays(strategies[0])
    puzzles = [plays[place].puzzle for place in (0, len(plays) // 2, len(plays) - 1)]
    chosen = "".join(f"&s={strategy}" for strategy in strategies)
    with open_page(name) as page:
        for puzzle in puzzles:
            go(page, f"#view=replays&puzzle={', '.join(puzzle)}{chosen}")
            assert page.locator("#boards h3").all_text_contents() == strategies
            for number, strategy in enumerate(strategies):
                assert replayed(page, game, number) == solved(name, strategy, ", ".join(puzzle))


@pytest.mark.parametrize("name", ["wordle", "bulls-and-cows"])
def test_a_replay_of_a_random_or_failing_strategy_is_the_stored_play(open_page, go, shown, name):
    game, board = shown(name).game, shown(name).board
    strategy = shown(name).names[-1]
    with open_page(name) as page:
        for play in board.plays(strategy)[:3]:
            go(page, f"#view=replays&puzzle={', '.join(play.puzzle)}&s={strategy}")
            lines = replayed(page, game, 0)
            ending = page.locator("#boards .ending").text_content()
            assert [line.split()[1] for line in lines] == list(play.guesses)
            assert ending.startswith("Solved with guess" if play.turns else f"Not solved: {play.outcome.value}")
            assert play.message in ending


def test_puzzles_and_strategies_are_chosen_by_hand(open_page, shown):
    answers = [play.puzzle[0] for play in shown("wordle").board.plays("entropy")]
    with open_page("wordle", "#view=replays") as page:
        page.get_by_label("Puzzle", exact=True).fill(answers[3].upper())
        page.get_by_label("Puzzle", exact=True).blur()
        assert page.locator("caption").first.text_content() == f"Hidden word: {answers[3]}"
        assert f"puzzle={answers[3]}" in page.url
        page.get_by_text("Next puzzle").click()
        assert page.locator("caption").first.text_content() == f"Hidden word: {answers[4]}"
        for place, strategy in enumerate(shown("wordle").names):
            page.get_by_label(f"Strategy {place + 1}").select_option(strategy)
        assert page.locator("#boards h3").all_text_contents() == shown("wordle").names
        page.get_by_label("Strategy 2").select_option("none")
        assert page.locator("#boards h3").count() == 3
        page.get_by_label("Puzzle", exact=True).fill("qqqqq")
        page.get_by_label("Puzzle", exact=True).blur()
        assert page.get_by_text("“qqqqq” is not one of the puzzles.").is_visible()


def test_the_steps_of_a_tree_are_those_of_the_stored_plays(open_page, shown):
    plays = shown("wordle").board.plays("first-consistent")
    with open_page("wordle", "#view=strategy&strategy=first-consistent") as page:
        assert page.locator("#branches > p strong").text_content() == plays[0].guesses[0]
        for play in plays[:: len(plays) // 8]:
            steps = [seen[0] for seen in play.feedback]
            for turn in range(1, len(steps)):
                branch = page.locator(f'details[data-path="{" ".join(steps[:turn])}"]')
                if not branch.evaluate("branch => branch.open"):
                    branch.locator("> summary").click()
                same = sum(one.feedback[:turn] == play.feedback[:turn] for one in plays)
                assert (
                    branch.locator("> summary .count").text_content().split(",")[0]
                    == f"{same} puzzle{'s' * (same > 1)}"
                )
                assert branch.locator("> summary .then strong").text_content() == play.guesses[turn]
            if len(steps) > 1:
                leaves = page.locator(f'details[data-path="{" ".join(steps[:-1])}"] > ul > li.leaf')
                leaves.first.wait_for()
                assert play.guesses[-1] in "".join(leaves.first.locator(".tile, bdi").all_text_contents()).translate(
                    str.maketrans("", "", "○●")
                )


def test_a_branch_can_be_linked_and_opened_by_keyboard(open_page, shown):
    play = max(shown("mastermind").board.plays("minimax"), key=lambda play: len(play.guesses))
    steps = [seen[0] for seen in play.feedback]
    with open_page("mastermind", "#view=strategy&strategy=minimax") as page:
        for turn in range(1, len(steps)):
            page.locator(f'details[data-path="{" ".join(steps[:turn])}"] > summary').focus()
            page.keyboard.press("Enter")
        last = f'details[data-path="{" ".join(steps[:-1])}"][open]'
        page.wait_for_selector(last)
        page.wait_for_function(
            "count => new URLSearchParams(location.hash).getAll('path').length === count", arg=len(steps) - 1
        )
        page.reload()
        page.wait_for_selector(last)


def test_random_strategies_and_several_boards_have_no_tree(open_page):
    with open_page("wordle", "#view=strategy&strategy=random-consistent") as page:
        assert page.get_by_text("The strategy is random, so it has no tree.").is_visible()
    with open_page("quordle", "#view=strategy") as page:
        assert page.get_by_text("there is no tree to show").is_visible()
