"""`wordle-kit strategies`: the list by plugin, and all about one strategy."""

import pytest

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


def test_a_strategy_is_shown_with_its_parameters_and_source(run, documented):
    shown = run("strategies", "ours", "-p", documented)
    assert (shown.code, shown.err) == (0, "")
    assert "\x1b" not in shown.out
    for fact in ("From a paper.", "end=first", "From which end.", f"{documented}, line 10"):
        assert fact in shown.out


def test_in_other_formats_one_strategy_is_its_row(listed):
    assert listed("strategies", "entropy") == {"entropy": listed("strategies")["entropy"]}
