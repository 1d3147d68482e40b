"""Policies as strategies: they see what the environment shows, and a policy that learns plays better than chance."""

import sys
from pathlib import Path

import numpy as np
import pytest
from wordle_kit_plugins.environments import PolicyStrategy
from wordle_kit_plugins.environments.policy import mask_of, observation_of, shown_marks

import wordle_kit as wk
from wordle_kit.tournaments.runs import Outcome

EXAMPLE = Path(__file__).parents[2] / "examples" / "environments" / "train_policy.py"
TINY = wk.load_game({"name": "tiny", "alphabet": "abc", "length": 2, "answers": "all", "max_guesses": 3})
SEEN = []


class First(PolicyStrategy):
    """Acts with the first action that the mask allows."""

    def act(self, game, observation, mask):
        SEEN.append((observation, mask))
        return int(mask.argmax())


class Wild(PolicyStrategy):
    """Acts with an action that is given."""

    action: int = 0

    def act(self, game, observation, mask):
        return np.int64(self.action)


def test_a_policy_sees_the_guesses_with_their_marks_and_what_is_allowed():
    SEEN.clear()
    (play,) = wk.play(First(), TINY, ["ba"])
    assert play.guesses == ("aa", "ab", "ac", "ba")
    guesses, marks, turns = ([observation[name] for observation, _ in SEEN] for name in ("guesses", "marks", "turn"))
    assert turns == [0, 1, 2, 3]
    assert [each.tolist() for each in guesses] == [[0, 0, 0], [1, 0, 0], [1, 2, 0], [1, 2, 3]]
    assert marks[3][:, 0].tolist() == [[1, 3], [2, 2], [2, 1]]
    assert not marks[1][1:].any()
    assert [mask.tolist() for _, mask in SEEN] == [[0] * turn + [1] * (9 - turn) for turn in range(4)]
    assert {(each.dtype, mask.dtype) for each, (_, mask) in zip(guesses, SEEN, strict=True)} == {
        (np.dtype("int32"), np.dtype("int8"))
    }


def test_after_the_last_allowed_guess_a_policy_sees_the_latest_ones():
    SEEN.clear()
    wk.play(First(), TINY, ["cc"])
    last, _ = SEEN[-1]
    assert (last["turn"], last["guesses"].tolist()) == (8, [6, 7, 8])
    assert last["marks"][:, 0].tolist() == [[1, 3], [3, 1], [3, 1]]


def test_boards_that_are_solved_and_rules_without_marks_are_shown():
    position = wk.Position.start(TINY.replace(boards=2)).after("aa", ["22", "00"]).after("bb", ["", "22"])
    assert observation_of(position, 3)["marks"].tolist() == [[[3, 3], [1, 1]], [[0, 0], [3, 3]], [[0, 0], [0, 0]]]
    mastermind = wk.load_game("mastermind")
    assert shown_marks(mastermind).tolist() == [[code + 1] for code in range(mastermind.table.n_codes)]


def test_hard_mode_is_in_the_mask():
    position = wk.Position.start(TINY.replace(hard_mode=True)).after("ab", "20")
    assert [TINY.guesses[index] for index in np.flatnonzero(mask_of(position))] == ["aa", "ac"]


@pytest.mark.parametrize("action", [-1, 9])
def test_an_action_that_is_not_a_guess_is_a_fault_of_the_policy(action):
    (play,) = wk.play(Wild(action=action), TINY, ["ba"])
    assert play.outcome is Outcome.CRASHED


@pytest.fixture(scope="module")
def learnt(tmp_path_factory):
    """Return the example's plugin, its module's functions and the file of weights that it learns in a few seconds."""
    plugins = wk.Plugins.load([EXAMPLE])
    own = vars(sys.modules[type(plugins.strategies["learnt"].value).__module__])
    file = tmp_path_factory.mktemp("learnt") / "weights.npy"
    np.save(file, own["train"](wk.load_game("mastermind"), updates=25))
    return plugins, own, file


@pytest.mark.slow
def test_the_example_learns_to_play_better_than_chance_among_the_same_words(learnt):
    plugins, _, file = learnt
    board = wk.tournament("mastermind", [f"learnt(weights={file})", "random-consistent"], seed=1, plugins=plugins)
    means = {row.strategy.partition("(")[0]: row.mean for row in board.rows}
    assert means["learnt"] < means["random-consistent"] - 0.03
    assert {row.failed for row in board.rows} == {0}


@pytest.mark.slow
def test_other_weights_are_another_strategy(learnt, tmp_path):
    plugins, own, file = learnt
    store = tmp_path / "store.sqlite"
    mine = tmp_path / "mine.npy"
    calls = []
    for _ in range(2):
        mine.write_bytes(file.read_bytes())
        for change in (0.0, 1.0):
            np.save(mine, np.load(mine) * (1 - change))
            own["loaded"].cache_clear()
            spec = f"learnt(weights={mine})"
            played = wk.tournament("mastermind", [spec], ["1122", "3456"], plugins=plugins, store=store, workers=1)
            calls.append([play.guesses for play in played.plays(spec)])
    assert calls[:2] == calls[2:]
    assert calls[0] != calls[1]


@pytest.mark.slow
def test_weights_that_do_not_fit_are_named(learnt, tmp_path):
    plugins, _, file = learnt
    np.save(tmp_path / "other.npy", np.zeros((2, 2)))
    for game, parameters, said in (
        ("mastermind", "", r"it needs weights=FILE"),
        ("mastermind", f"(weights={tmp_path / 'other.npy'})", "is for another game"),
        ("wordle", f"(weights={file})", "it plays games such as mastermind"),
    ):
        with pytest.raises(wk.StrategyError, match=said):
            wk.tournament(game, [f"learnt{parameters}"], 1, plugins=plugins)
