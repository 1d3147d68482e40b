"""Entrants: the strategies that take part, their labels, and which of them count as the same."""

import textwrap

import pytest
from wordle_kit_plugins.baselines import FirstConsistent
from wordle_kit_plugins.partition import Entropy, Minimax

import wordle_kit as wk
from wordle_kit.tournaments.entrants import enter

GAME = wk.load_game({"name": "abc", "alphabet": "abc", "length": 3, "answers": "all"})
PLUGIN = """
    import wordle_kit as wk

    class Steady(wk.Strategy):
        version = "{version}"
        depth: int = 2

        def guess(self, position):
            return position.board.words[{index}]

    class Outer(Steady):
        base: wk.Strategy = Steady()

    class ByName(Steady):
        by_name_only = True

    class OnlyLong(Steady):
        def problem_with(self, game):
            return None if game.length > 5 else "needs long words"

    class Careless(Steady):
        def problem_with(self, game):
            return 1 / 0

    @wk.hookimpl
    def register_strategies(register):
        register(Steady())
        register(Steady(depth=5), name="steady-deep")
        register(Outer())
        register(ByName())
        register(OnlyLong())
        register(Careless())
"""


@pytest.fixture
def plugin(tmp_path):
    """Return a function that loads the bundled plugins and one more, in this version and with this guess."""

    def load(version=1, index=0):
        path = tmp_path / "plugin.py"
        path.write_text(textwrap.dedent(PLUGIN).format(version=version, index=index))
        return wk.Plugins.load([path])

    return load


def labels(strategies, plugins=None):
    entrants, _ = enter(strategies, GAME, plugins)
    return [entrant.label for entrant in entrants]


# Who takes part


def test_without_strategies_every_registered_one_takes_part_but_those_that_cannot_or_do_by_name_only(plugin):
    plugins = plugin()
    entrants, left_out = enter(None, GAME.replace(boards=2), plugins)  # so that `optimal` searches nothing
    by_name_only = {name for name, entry in plugins.strategies.items() if entry.value.by_name_only}
    assert {entrant.label for entrant in entrants} | {line.split()[0] for line in left_out} == (
        set(plugins.strategies) - by_name_only
    )
    assert {"entropy", "first-consistent", "steady"} <= {entrant.label for entrant in entrants}
    assert {"only-long", "careless"} <= {line.split()[0] for line in left_out}
    assert "by-name" in by_name_only
    assert labels(["by-name"], plugins) == ["by-name"]


@pytest.mark.parametrize(
    ("strategies", "named"),
    [
        (["entropi"], "'entropy'"),
        ([], "abc"),
        (["entropy", type("Entropy", (FirstConsistent,), {})()], "'entropy'"),
        (["only-long"], "needs long words"),
        (["entropy(opener=crate)"], "'crate'"),
    ],
)
def test_strategies_that_cannot_take_part_are_refused_if_they_were_named(plugin, strategies, named):
    with pytest.raises(wk.StrategyError, match=named):
        enter(strategies, GAME, plugin())


# Labels


def test_a_label_is_the_name_with_the_parameters_that_are_not_as_registered(plugin):
    assert labels(["entropy", "entropy(pool=candidates, opener=abc)", "entropy(pool=guesses, opener=cba)"]) == [
        "entropy",
        "entropy(pool=candidates, opener=abc)",
        "entropy(opener=cba)",
    ]
    specs = ["steady", "steady-deep", "steady-deep(depth=6)"]
    assert labels(specs, plugin()) == specs


def test_an_object_has_the_label_that_its_text_would_have_or_the_name_of_its_class():
    class Homemade(FirstConsistent):
        depth: int = 1

    assert labels([Minimax(opener="abc"), FirstConsistent(), Homemade(), Homemade(depth=3)]) == [
        "minimax(opener=abc)",
        "first-consistent",
        "homemade",
        "homemade(depth=3)",
    ]


def test_a_strategy_that_is_named_twice_plays_once():
    assert labels(["entropy", Entropy(), "entropy"]) == ["entropy"]


def test_a_spec_for_several_enters_them_all():
    assert labels(["entropy(endgame=0..1, pool=guesses|candidates)", "minimax"]) == [
        "entropy",
        "entropy(pool=candidates)",
        "entropy(endgame=1)",
        "entropy(pool=candidates, endgame=1)",
        "minimax",
    ]


# Identity: what stored results belong to


def identity(strategy, plugins=None):
    (entrant,), _ = enter([strategy], GAME, plugins)
    return entrant.identity


@pytest.mark.parametrize("spec", ["{}", "outer(base={})", "outer(base=outer(base={}))"])
def test_version_source_and_parameters_change_the_identity_however_deep_they_are(plugin, spec):
    steady = spec.format("steady")
    made = [
        identity(steady, plugin()),
        identity(steady, plugin(version=2)),
        identity(steady, plugin(index=-1)),
        identity(spec.format("steady(depth=3)"), plugin()),
        identity(spec.format("steady-deep"), plugin()),
    ]
    assert len(set(made)) == len(made)
    assert identity(steady, plugin()) == made[0]


def test_a_digest_of_the_source_says_whether_code_is_the_same(plugin):
    def source(spec, **how):
        ((entrant,), _) = enter([spec], GAME, plugin(**how))
        return entrant.source

    assert source("steady") == source("steady(depth=3)") != source("steady", index=-1)
    assert source("outer(base=steady)") == source("outer(base=steady(depth=3))") != source("outer(base=entropy)")
    assert source(type("Typed", (FirstConsistent,), {"__module__": "__main__"})) == ""
