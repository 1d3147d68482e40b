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


def test_a_strategy_is_shown_with_its_parameters_source_and_an_example_that_runs(run, documented):
    shown = run("strategies", "ours", "-p", documented)
    assert (shown.code, shown.err) == (0, "")
    head, *_ = lines = shown.out.splitlines()
    assert head == "ours, version 1, of plugin ideas"
    assert "\x1b" not in shown.out
    assert "From a paper." in lines
    assert lines[lines.index("Parameters:") + 1 :][:2] == ["  end=first", "      One of first, last. From which end."]
    assert f"Source: {documented}, line 10" in lines
    solve, tournament = (shlex.split(line) for line in lines[lines.index("Example:") + 1 :])
    own = ["-p", str(documented)]
    assert solve == ["wordle-kit", "solve", *own, "--answer", "crane", "-s", "ours"]
    assert tournament == ["wordle-kit", "tournament", *own, "--puzzles", "20", "-s", "ours(end=first)"]
    assert [run(*line[1:]).code for line in (solve, tournament)] == [0, 0]


NEEDY = ("command", "tree")
"""Strategies that need a file of the user."""


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(wk.Plugins.load().strategies.keys() - {*NEEDY}))
def test_the_examples_of_every_strategy_work_as_pasted(run, name):
    lines = run("strategies", name).out.splitlines()
    examples = [shlex.split(line) for line in lines[lines.index("Example:") + 1 :]]
    assert examples
    for line in examples:
        ran = run(*line[1:])
        assert ran.code in ((0, 1) if line[1] == "solve" else (0,)), ran  # 1 if the puzzle is not solved


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
        lines = run("strategies", "ours", *given).out.splitlines()
        for example in lines[lines.index("Example:") + 1 :]:
            ran = run(*shlex.split(example)[1:])
            assert ran.code == 0, (example, ran)


def test_in_other_formats_one_strategy_is_its_row(listed):
    assert listed("strategies", "entropy") == {"entropy": listed("strategies")["entropy"]}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("entropy", "In games with weights, it uses them."),
        ("minimax", "It does not use the weights of answers."),
        ("rollout", "With weights, the guesses for a candidate count by its weight."),
    ],
)
def test_a_strategy_says_whether_it_uses_weights(run, name, said):
    assert said in " ".join(run("strategies", name).out.split())
