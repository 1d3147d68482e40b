"""Aliases: other names of a strategy, accepted wherever one is named and never shown as strategies of their own."""

import pytest

import wordle_kit as wk
from wordle_kit.leaderboard.stored import finished_runs
from wordle_kit.plugins import default_plugins
from wordle_kit.tournaments.entrants import enter
from wordle_kit.tournaments.store import Store

GAME = {"name": "letters", "alphabet": "abc", "length": 3, "answers": "all"}
PLUGIN = """
import wordle_kit as wk

class Greeting(wk.Strategy):
    shout: bool = False

    def guess(self, position):
        return position.board.words[0]

@wk.hookimpl
def register_strategies(register):
    register(Greeting(), {arguments})
"""


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a plugin whose strategy is registered with these arguments."""

    def write(arguments):
        path = tmp_path / "mine.py"
        path.write_text(PLUGIN.format(arguments=arguments), encoding="utf-8")
        return path

    return write


def test_a_spec_with_an_alias_is_the_strategy_itself_parameters_included(write):
    plugins = wk.Plugins.load([write('name="greeting", aliases=["hello", "hi"]')], strict=True)
    for alias in ("hello", "hi"):
        assert wk.load_strategy(alias, plugins) == wk.load_strategy("greeting", plugins)
        assert wk.load_strategy(f"{alias}(shout=yes)", plugins) == wk.load_strategy("greeting(shout=yes)", plugins)


def test_an_alias_names_a_parameter_that_is_a_strategy():
    assert wk.load_strategy("lifted(base=hard-mode)") == wk.load_strategy("lifted(base=random-consistent)")


def test_a_strategy_named_twice_by_different_names_plays_once_under_its_current_one():
    board = wk.tournament(GAME, ["filter-first", "first-consistent", "liu-p1", "p1"], 5, workers=1)
    assert {row.strategy for row in board.rows} == {"first-consistent", "liu-p1"}
    assert board.plays("filter-first") == board.plays("first-consistent")
    assert board.plays("p1") == board.plays("liu-p1")


def test_without_names_each_distinct_strategy_takes_part_once():
    entrants, _ = enter(None, wk.load_game(GAME))
    labels = [entrant.label for entrant in entrants]
    assert len(labels) == len(set(labels))
    assert not set(labels) & default_plugins().aliases.keys()
    assert {"first-consistent", "random-consistent", "liu-iii-un-max"} <= set(labels)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ('name="x", aliases=["a b"]', "'a b'"),
        ('name="x", aliases=["x"]', "'x'"),
        ('name="x", aliases=["y", "y"]', "'y'"),
    ],
)
def test_aliases_that_cannot_be_used_are_refused(write, arguments, named):
    (failure,) = wk.Plugins.load([write(arguments)]).failures
    assert named in failure.error


# Stores


@pytest.fixture
def old_store(tmp_path):
    """Return a store in which four strategies played under names that are aliases now, one with a parameter."""
    path = tmp_path / "old.sqlite"
    with Store(path) as store:
        wk.tournament(GAME, ["liu-p1(ties=candidates-first)", "liu-i2", "first-consistent"], store=path, workers=1)
        names = {"liu-p1(ties=candidates-first)": "p1(ties=candidates-first)", "liu-i2": "i2"}
        names |= {"first-consistent": "filter-first"}
        for number, facts, _ in store.runs():
            run = store.read(number)
            label = names[facts.strategy]
            renamed = store.run(f"played before, as {label}", type(facts)(**vars(facts) | {"strategy": label}))
            store.add(renamed, 0, range(len(run.plays)), run.plays, run.calls, run.seconds)
    return path


def test_stored_runs_under_an_alias_are_read_by_the_current_name(old_store):
    board = wk.read_leaderboard(old_store)
    assert {row.strategy for row in board.rows} == {"liu-p1(ties=candidates-first)", "liu-i2", "first-consistent"}
    assert board.plays("i2") == board.plays("liu-i2")


def test_a_strategy_that_was_played_under_both_names_has_one_row(old_store):
    assert [len(board.rows) for board in wk.read_leaderboards(old_store)] == [3]
    with Store(old_store) as store:
        assert [len(runs) for runs in finished_runs(store)] == [6]
