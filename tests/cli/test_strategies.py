"""`wordle-kit strategies`: the list by plugin, and all about one strategy."""

import shlex

import pytest

import wordle_kit as wk

DOCUMENTED = '''
    """Ideas of ours.

    And more.
    """
    from typing import Literal

    import wordle_kit as wk

    class Ours(wk.Strategy):
        """Guess a word \\x1b[31m of those that are left, whichever it is, as long as it is long enough to be wrapped.

        From a paper.
        """

        end: Literal["first", "last"] = "first"
        """From which end."""

        def guess(self, position):
            return position.board.words[0 if self.end == "first" else -1]

    @wk.hookimpl
    def register_strategies(register):
        register(Ours())
    '''


@pytest.fixture
def documented(write):
    """Return a plugin that says what it is, with a strategy whose parameter is documented."""
    return write("ideas.py", DOCUMENTED)


def examples_of(shown):
    """Return the examples of a strategy, as arguments."""
    lines = shown.out.splitlines()
    examples = [shlex.split(line) for line in lines[lines.index("Example:") + 1 :]]
    assert examples
    return examples


def test_a_strategy_is_shown_with_its_parameters_source_and_an_example_that_runs(run, documented):
    shown = run("strategies", "ours", "-p", documented)
    assert (shown.code, shown.err) == (0, "")
    assert "\x1b" not in shown.out
    for fact in ("From a paper.", "end=first", "From which end.", f"{documented}, line 10"):
        assert fact in shown.out
    assert [run(*example[1:]).code for example in examples_of(shown)] == [0, 0]


NEEDY = ("program", "tree")
"""Strategies that need a file of the user."""


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(wk.Plugins.load().strategies.keys() - {*NEEDY}))
def test_the_examples_of_every_strategy_work_as_pasted(run, name):
    for example in examples_of(run("strategies", name)):
        ran = run(*example[1:])
        assert ran.code in ((0, 1) if example[1] == "solve" else (0,)), ran  # 1 if the puzzle is not solved


def test_the_examples_of_a_strategy_are_of_a_game_that_it_can_play(run, write, tmp_path):
    text = DOCUMENTED.replace(
        "        def guess",
        """
        def problem_with(self, game):
            return None if game.name == "two words" else "it plays two words only"

        def guess""",
    )
    text += """
    @wk.hookimpl
    def register_games(register):
        register({"name": "two", "alphabet": ["ä", "$"], "length": 2, "answers": "all", "boards": 2})
    """
    folder = tmp_path / "my plugins"
    folder.mkdir()
    path = write("ideas.py", text.replace("two words", "two")).rename(folder / "ideas.py")
    for given in (("-p", path), ("--plugins-dir", folder)):
        for example in examples_of(run("strategies", "ours", *given)):
            ran = run(*example[1:])
            assert ran.code == 0, (example, ran)


def test_in_other_formats_one_strategy_is_its_row(listed):
    assert listed("strategies", "entropy") == {"entropy": listed("strategies")["entropy"]}
