"""Entrants: the strategies that take part, their labels, and which of them count as the same."""

import re
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

    @wk.hookimpl
    def register_strategies(register):
        register(Steady())
        register(Steady(depth=5), name="steady-deep")
"""


@pytest.fixture
def plugin(tmp_path):
    """Return a function that loads the bundled plugins and one more with this source."""

    def load(source, **values):
        path = tmp_path / "plugin.py"
        path.write_text(textwrap.dedent(source).format(**values))
        return wk.Plugins.load([path], strict=True)

    return load


def labels(strategies, plugins=None):
    entrants, _ = enter(strategies, GAME, plugins)
    return [entrant.label for entrant in entrants]


# Labels


def test_without_strategies_every_registered_one_takes_part_but_those_that_do_by_name_only():
    plugins = wk.Plugins.load()
    entrants, left_out = enter(None, GAME.replace(boards=2), plugins)  # so that `optimal` searches nothing
    by_name_only = {name for name, entry in plugins.strategies.items() if entry.value.by_name_only}
    assert by_name_only == {"collocation-as-printed", "command", "entropy-as-printed", "lifted", "tree"}
    assert {entrant.label for entrant in entrants} | {line.split()[0] for line in left_out} == (
        set(plugins.strategies) - by_name_only
    )
    assert all(entrant.plugin == plugins.strategies[entrant.label].plugin for entrant in entrants)


def test_a_strategy_of_a_plugin_may_take_part_by_name_only(plugin):
    source = PLUGIN.replace("depth: int = 2", "depth: int = 2\n        by_name_only = True")
    plugins = plugin(source, version=1, index=0)
    entrants, _ = enter(None, GAME, plugins)
    assert not {"steady", "steady-deep"} & {entrant.label for entrant in entrants}
    assert labels(["steady"], plugins) == ["steady"]


def test_a_label_is_the_name_with_the_parameters_that_are_not_as_registered():
    assert labels(["entropy", "entropy(pool=candidates, opener=abc)", "entropy(pool=guesses, opener=cba)"]) == [
        "entropy",
        "entropy(pool=candidates, opener=abc)",
        "entropy(opener=cba)",
    ]


def test_an_object_has_the_label_that_its_text_would_have():
    objects = [Entropy(), Minimax(opener="abc"), FirstConsistent()]
    assert labels(objects) == ["entropy", "minimax(opener=abc)", "first-consistent"]


def test_a_strategy_that_is_not_registered_has_the_name_of_its_class():
    class Homemade(FirstConsistent):
        depth: int = 1

    assert labels([Homemade(), Homemade(depth=3)]) == ["homemade", "homemade(depth=3)"]


def test_a_strategy_registered_under_a_name_has_that_name(plugin):
    plugins = plugin(PLUGIN, version=1, index=0)
    assert labels(["steady", "steady-deep", "steady-deep(depth=6)"], plugins) == [
        "steady",
        "steady-deep",
        "steady-deep(depth=6)",
    ]


def test_a_strategy_that_is_named_twice_plays_once():
    assert labels(["entropy", Entropy(), "entropy"]) == ["entropy"]


def test_two_strategies_of_one_label_are_refused():
    class Entropy(FirstConsistent):
        pass

    with pytest.raises(wk.StrategyError, match="two different strategies are called 'entropy'"):
        enter(["entropy", Entropy()], GAME)


def test_an_unknown_strategy_is_refused_with_the_nearest_name():
    with pytest.raises(wk.StrategyError, match="no strategy is called 'entropi'; did you mean 'entropy'"):
        enter(["entropi"], GAME)


def test_an_empty_list_of_strategies_is_an_error():
    with pytest.raises(wk.StrategyError, match="there is no strategy to play abc"):
        enter([], GAME)


# Strategies that cannot play the game


class Talkative(wk.Strategy):
    """Say what it does in a way that fails."""

    @property
    def summary(self):
        raise RuntimeError

    def guess(self, position):
        return position.board.words[0]


def test_an_entrant_says_what_its_strategy_does_unless_that_fails_or_it_runs_elsewhere():
    entrants, _ = enter([FirstConsistent(), Talkative()], GAME)
    sentence = "Guess the first word, in the game's order, that may still be the answer."
    assert [entrant.summary for entrant in entrants] == [sentence, ""]
    (run,) = wk.tournament(GAME, FirstConsistent(), workers=1).runs
    assert run.facts.summary == sentence


class OnlyLong(wk.Strategy):
    """Plays long words only."""

    def guess(self, position):
        return position.board.words[0]

    def problem_with(self, game):
        return None if game.length > 5 else "needs words of more than 5 letters"


def test_a_named_strategy_that_cannot_play_the_game_is_an_error():
    with pytest.raises(wk.StrategyError, match="only-long cannot play abc: needs words of more than 5 letters"):
        enter([OnlyLong()], GAME)
    with pytest.raises(wk.StrategyError, match="cannot play abc: opener: 'crate' has 'r', which is not in"):
        enter(["entropy(opener=crate)"], GAME)


def test_a_registered_strategy_that_cannot_play_the_game_is_left_out_with_a_line(plugin):
    plugins = plugin(
        """
        import wordle_kit as wk

        class OnlyLong(wk.Strategy):
            def guess(self, position):
                return position.board.words[0]

            def problem_with(self, game):
                return "needs long words"

        @wk.hookimpl
        def register_strategies(register):
            register(OnlyLong())
        """
    )
    entrants, left_out = enter(None, GAME, plugins)
    assert "only-long" not in [entrant.label for entrant in entrants]
    assert "only-long does not play abc: needs long words" in left_out


def test_if_a_strategys_check_of_the_game_raises_the_others_play(plugin):
    plugins = plugin(
        """
        import wordle_kit as wk

        class Careless(wk.Strategy):
            def guess(self, position):
                return position.board.words[0]

            def problem_with(self, game):
                return 1 / 0

        @wk.hookimpl
        def register_strategies(register):
            register(Careless())
        """
    )
    entrants, _ = enter(None, GAME, plugins)
    assert {"entropy", "first-consistent"} <= {entrant.label for entrant in entrants}


# Identity: what stored results belong to


def identity(strategy, plugins=None):
    (entrant,), _ = enter([strategy], GAME, plugins)
    return entrant.identity


def test_the_same_strategy_has_the_same_identity():
    assert identity("entropy") == identity(Entropy()) == identity("entropy(pool=guesses)")


def test_parameters_change_the_identity():
    assert identity("entropy") != identity("entropy(pool=candidates)")


def test_a_version_changes_the_identity_although_the_file_is_the_same(monkeypatch):
    before = identity("entropy")
    monkeypatch.setattr(Entropy, "version", "1.1")
    assert identity("entropy") != before


def test_a_changed_strategy_changes_the_identity_of_one_that_has_it_as_a_parameter(plugin):
    made = [
        identity("lifted(base=steady)", plugin(PLUGIN, version=1, index=0)),
        identity("lifted(base=steady)", plugin(PLUGIN, version=2, index=0)),
        identity("lifted(base=steady)", plugin(PLUGIN, version=1, index=-1)),
        identity("lifted(base=steady(depth=3))", plugin(PLUGIN, version=1, index=0)),
        identity("lifted(base=steady-deep)", plugin(PLUGIN, version=1, index=0)),
        identity("lifted(base=steady, board=most)", plugin(PLUGIN, version=1, index=0)),
        identity("lifted(base=lifted(base=steady))", plugin(PLUGIN, version=1, index=0)),
        identity("lifted(base=lifted(base=steady))", plugin(PLUGIN, version=1, index=-1)),
    ]
    assert len(set(made)) == len(made)
    assert identity("lifted(base=steady)", plugin(PLUGIN, version=1, index=0)) == made[0]


def test_version_and_source_change_the_identity(plugin):
    made = [identity("steady", plugin(PLUGIN, version=v, index=i)) for v, i in [(1, 0), (2, 0), (1, -1), (1, 0)]]
    assert made[0] == made[3]
    assert len(set(made)) == 3


def test_a_spec_for_several_enters_them_all():
    entrants, _ = enter(["entropy(endgame=0..2, pool=guesses|candidates)", "minimax"], GAME)
    assert [entrant.label for entrant in entrants] == [
        "entropy",
        "entropy(pool=candidates)",
        "entropy(endgame=1)",
        "entropy(pool=candidates, endgame=1)",
        "entropy(endgame=2)",
        "entropy(pool=candidates, endgame=2)",
        "minimax",
    ]


def test_a_digest_of_the_source_says_whether_code_is_the_same(tmp_path):
    def source(index, depth=2):
        path = tmp_path / "steady.py"
        path.write_text(textwrap.dedent(PLUGIN.format(version=1, index=index)))
        ((entrant,), _) = enter([f"steady(depth={depth})"], GAME, wk.Plugins.load(path))
        return entrant.source

    first = source("0")
    assert source("0", depth=3) == first
    assert source("-1") != first
    assert re.fullmatch("[0-9a-f]{16}", first)


def test_a_digest_of_the_source_covers_strategies_among_the_parameters():
    (one, other), _ = enter(["lifted(base=entropy)", "lifted(base=minimax)"], GAME)
    (again,), _ = enter(["lifted(base=entropy(endgame=3))"], GAME)
    assert one.source == again.source != other.source


def test_what_was_typed_in_no_file_has_no_digest():
    kind = type("Typed", (FirstConsistent,), {"__module__": "__main__"})
    ((entrant,), _) = enter([kind], GAME)
    assert entrant.source == ""
