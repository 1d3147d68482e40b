"""`wordle-kit strategies`: the list by plugin, and all about one strategy."""

import shlex

import pytest

import wordle_kit as wk
from wordle_kit.cli.listing import all_about

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


def test_the_list_of_strategies_fits_100_columns_and_has_each_below_its_plugin(run, documented):
    lines = run("strategies", "-p", documented).out.splitlines()
    assert max(map(len, lines)) <= 100
    plugin, found = None, {}
    for line in lines:
        if line and not line.startswith(" "):
            plugin = line.partition(":")[0] if ": " in line else plugin
        elif line and not line.startswith("    "):
            found[line.split()[0]] = plugin
    rows = run("strategies", "-p", documented, "--format", "json").json
    expected = {row["strategy"]: row["plugin"] for row in rows}
    assert found == expected
    assert len(found) > 40
    assert "ideas: Ideas of ours." in lines


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
    assert run(*solve[1:], "-p", documented).code == 0
    assert tournament == ["wordle-kit", "tournament", "-s", "ours(end=first)"]
    assert run(*tournament[1:], "-p", documented, "--game", "mastermind", "--puzzles", "2", "--workers", "1").code == 0


@pytest.mark.slow
def test_every_bundled_strategy_can_be_shown_in_100_columns():
    for entry in wk.Plugins.load().strategies.values():
        lines = list(all_about(entry))
        (source,) = [line for line in lines if line.startswith("Source: ")]
        assert max(len(line) for line in lines if line != source) <= 100
        assert not any("..." in line for line in lines[lines.index("Example:") :])
        assert all(f"  {parameter}=" in "\n".join(lines) for parameter in entry.value.parameters())


@pytest.mark.parametrize(
    ("name", "parameter"), [("lifted", "base=first-consistent"), ("tree", "path=PATH"), ("command", "argv=ARGV")]
)
def test_the_example_of_a_strategy_has_a_value_for_what_it_needs(run, name, parameter):
    assert f'-s "{name}({parameter})"' in run("strategies", name).out


def test_in_other_formats_one_strategy_is_its_row(listed):
    assert listed("strategies", "entropy") == {"entropy": listed("strategies")["entropy"]}


def test_a_strategy_that_is_not_there_is_named_with_the_nearest(refused):
    assert "no strategy is called 'entrpy'; did you mean 'entropy'?" in refused("strategies", "entrpy")


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
