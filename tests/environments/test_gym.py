"""Environments for Gymnasium: its own checks, and games that are those of a text game."""

import runpy
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from wordle_kit_plugins.environments.text_game import TextGame

import wordle_kit as wk

gymnasium = pytest.importorskip("gymnasium", reason="needs gymnasium, which `tox -e slow` installs")

import wordle_kit_plugins.environments.gym  # noqa: E402, F401 - it registers the environment
from gymnasium.utils.env_checker import check_env  # noqa: E402 - after what is skipped without Gymnasium

pytestmark = pytest.mark.slow

ID = "wordle-kit/Wordle-v0"
EXAMPLES = Path(__file__).parents[2] / "examples" / "environments"
TINY = wk.load_game({"name": "tiny", "alphabet": "abc", "length": 2, "answers": "all", "max_guesses": 4})
CASES = {
    "wordle": {},
    "several boards": {"game": "dordle"},
    "marks of its own": {"game": "glyphs"},
    "no marks": {"game": "mastermind", "reward": "guesses"},
    "weights": {"game": "wordle-nyt", "reward": "information"},
    "exact rewards": {"game": "mini-nerdle", "reward": "regret"},
    "adversary": {"game": "mini-nerdle", "host": "adversary"},
    "hard mode": {"game": wk.load_game("mini-nerdle").replace(hard_mode=True)},
}


@pytest.mark.parametrize("arguments", CASES.values(), ids=CASES)
def test_the_checks_of_gymnasium_pass_without_a_warning(arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(ID, render_mode="ansi", **arguments)
        check_env(env.unwrapped)
        env.close()


def test_importing_the_module_registers_it_and_importing_wordle_kit_does_not():
    script = (
        "import gymnasium, wordle_kit\n"
        "from wordle_kit_plugins.environments import TextGame\n"
        f"assert {ID!r} not in gymnasium.registry\n"
        "import wordle_kit_plugins.environments.gym\n"
        f"assert {ID!r} in gymnasium.registry\n"
    )
    subprocess.run([sys.executable, "-P", "-c", script], check=True)
    script = f"import gymnasium; gymnasium.make('wordle_kit_plugins.environments.gym:{ID}')"
    subprocess.run([sys.executable, "-P", "-c", script], check=True)


def test_a_game_is_that_of_a_text_game():
    env = gymnasium.make(ID, game="mini-nerdle", reward="regret")
    text = TextGame("mini-nerdle", reward="regret")
    game, dice = text.game, np.random.default_rng(2)
    for answer in dice.choice(game.answers, 5).tolist():
        observation, info = env.reset(options={"answer": answer})
        text.reset(answer)
        over, turn = False, 0
        assert not observation["guesses"].any()
        while not over:
            action = int(dice.choice(np.flatnonzero(info["action_mask"])))
            observation, reward, over, truncated, info = env.step(action)
            text.guess(game.guesses[action])
            assert reward == text.scores[-1]
            assert (over, truncated) == (text.is_over, False)
            assert observation["guesses"][turn] == action + 1
            marks = [int(mark) + 1 for mark in str(game.feedback(game.guesses[action], answer))]
            assert observation["marks"][turn, 0].tolist() == marks
            turn += 1
            assert observation["turn"] == turn
            assert not observation["guesses"][turn:].any()
        assert info["answers"] == (answer,)
        assert info["is_solved"] == text.is_solved


def test_the_mask_has_what_the_game_allows_and_another_action_is_refused():
    env = gymnasium.make(ID, game=wk.load_game("wordle").replace(hard_mode=True)).unwrapped
    game = env.game
    _, info = env.reset(options={"answer": "crane"})
    assert info["action_mask"].dtype == np.int8
    assert info["action_mask"].all()
    *_, info = env.step(game.guess_index["slate"])
    position = env.text.position
    for guess in range(0, len(game.guesses), 50):
        allowed = position.problem_with(game.guesses[guess]) is None and guess not in position.guess_ids
        assert info["action_mask"][guess] == allowed
    before, *_ = env._observation(), None
    observation, reward, over, _, info = env.step(game.guess_index["moist"])
    assert reward == 0
    assert not over
    assert observation["turn"] == before["turn"] == 1


def test_several_boards_have_marks_each_until_they_are_solved():
    env = gymnasium.make(ID, game=TINY.replace(boards=2)).unwrapped
    env.reset(options={"answer": ["ab", "cc"]})
    env.step(TINY.guess_index["ab"])
    observation, *_ = env.step(TINY.guess_index["ca"])
    assert observation["marks"][:2].tolist() == [[[3, 3], [1, 1]], [[0, 0], [3, 1]]]


def test_the_seed_decides_the_puzzles():
    env = gymnasium.make(ID).unwrapped

    def words(seed):
        env.reset(seed=seed)
        first = env.text.session.answers
        env.reset()
        return first, env.text.session.answers

    assert words(3) == words(3)
    assert words(3) != words(4)


@pytest.mark.parametrize("game", [TINY, TINY.replace(boards=2), wk.load_game("mastermind").replace(max_guesses=3)])
def test_the_games_of_the_vector_example_are_those_of_single_environments(game):
    """The twin is an environment for each game, which starts again with the step after its end."""
    n, dice = 7, np.random.default_rng(1)
    many = runpy.run_path(str(EXAMPLES / "many_games.py"))["ManyGames"](n, game)
    singles = [gymnasium.make(ID, game=game, reward="guesses", most_refused=99).unwrapped for _ in range(n)]
    many.reset(seed=5)
    over, ends = np.zeros(n, dtype=bool), 0
    for turn in range(40):
        actions = dice.integers(0, len(game.guesses), n)
        observations, rewards, terminated, truncated, _ = many.step(actions)
        assert observations in many.observation_space
        for i, env in enumerate(singles):
            if turn == 0:
                env.reset(options={"answer": many.words_of(i)})
            if over[i]:
                expected, _ = env.reset(options={"answer": many.words_of(i)})
                reward, ended = 0.0, False
            else:
                expected, reward, ended, *_ = env.step(int(actions[i]))
            assert (rewards[i], terminated[i], truncated[i]) == (reward, ended, False)
            for key, value in expected.items():
                assert np.array_equal(observations[key][i], value)
        over, ends = terminated, ends + terminated.sum()
    assert ends > n


def test_the_example_plays_without_a_network():
    ran = subprocess.run(
        [sys.executable, str(EXAMPLES / "gymnasium_agent.py")], capture_output=True, text=True, check=True
    )
    assert ran.stdout == "at_random: mean reward -6.91, solved 4%\nconsistent: mean reward -2.87, solved 100%\n"
