"""Players decide for strategies, and only players know of processes."""

import pytest

import wordle_kit as wk
from wordle_kit.tournaments.entrants import enter
from wordle_kit.tournaments.player import LocalPlayer, Player, player_of

PROCESSES = sorted(name for name in vars(Player) if not name.startswith("_") and name != "strategy")
"""The members of a player that are about processes."""


@pytest.mark.parametrize("name", PROCESSES)
def test_a_strategy_knows_nothing_of_processes(name):
    assert not hasattr(wk.Strategy, name)


def test_a_local_player_decides_in_this_process_for_its_strategy():
    ((entrant,), _) = enter(["entropy"], wk.load_game("mastermind"))
    assert entrant.player == LocalPlayer(entrant.strategy)
    assert (entrant.player.strategy, entrant.player.is_isolated) == (entrant.strategy, False)
    assert entrant.player.with_deadline(1.0) is entrant.player


def test_a_strategy_in_another_process_is_its_own_player():
    strategy = wk.Command(argv="true")
    assert player_of(strategy) is strategy
    assert player_of(strategy).strategy is strategy
    assert (player_of(strategy).is_isolated, player_of(strategy).is_untrusted) == (True, True)
