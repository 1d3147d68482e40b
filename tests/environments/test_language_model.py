"""The example of a language model as a strategy: its models are served on this machine, and no network is needed."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import wordle_kit as wk
from wordle_kit.tournaments.runs import Outcome

pytest.importorskip("llm", reason="needs llm, which `tox -e slow` installs")

from chat_server import Player, serving

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "examples"
MODEL = "language-model(model=stub)"
SMALL = wk.load_game("mini-nerdle")
ENTROPY = wk.load_strategy("entropy")


@pytest.fixture(scope="module")
def plugins():
    return wk.Plugins.load([EXAMPLES / "language_model.py"])


@pytest.fixture(scope="module")
def figures():
    return wk.Plugins.load([EXAMPLES / "language_model.py", EXAMPLES / "model_figures.py"])


@pytest.fixture
def serve(tmp_path, monkeypatch, plugins, figures):
    """Return a function that serves a model in a `with` block, and have nobody wait between two calls."""
    for loaded in (plugins, figures):
        module = sys.modules[type(loaded.strategies["language-model"].value).__module__]
        module.model_called.cache_clear()
        monkeypatch.setattr(module, "WAIT", 0.01)
    return lambda model: serving(model, tmp_path, monkeypatch)


def row_of(board, strategy):
    (row,) = [row for row in board.rows if row.strategy == strategy]
    return row


def test_a_model_that_plays_entropy_has_the_figures_of_entropy(serve, figures, tmp_path):
    game, how = wk.load_game("wordle"), {"seed": 3, "workers": 2, "deadline": 120, "plugins": figures}
    how["store"] = tmp_path / "store.sqlite"
    with serve(Player(game, ENTROPY)) as server:
        board = wk.tournament(game, [MODEL, "entropy"], 12, **how)
        assert list(board.plays(MODEL)) == list(board.plays("entropy"))
        model, entropy = row_of(board, MODEL), row_of(board, "entropy")
        assert (model.mean, model.distribution, model.regret) == (entropy.mean, entropy.distribution, entropy.regret)
        n_guesses = sum(len(play.guesses) for play in board.plays("entropy"))
        assert len(server.asked) == n_guesses
        assert (model.calls, model.tokens, model.illegal) == (n_guesses / 12, 107 * n_guesses / 12, 0)
        assert (entropy.calls, entropy.tokens, entropy.illegal) == (None, None, None)
        again = wk.tournament(game, [MODEL, "entropy"], 12, **how)  # everything comes from the store
        assert len(server.asked) == n_guesses
        assert row_of(again, MODEL).figures == model.figures


def test_words_that_are_not_allowed_are_asked_for_again_and_counted(serve, plugins):
    player = Player(SMALL, ENTROPY)

    def careless(messages):
        if len(messages) == 1:
            return "I guess: XYZZY, or perhaps" if len(player.seen(messages)) % 2 else "GUE"  # half a line
        return player(messages)

    with serve(careless) as server:
        board = wk.tournament(SMALL, [MODEL, "entropy"], 6, workers=1, plugins=plugins)
    assert list(board.plays(MODEL)) == list(board.plays("entropy"))
    for play in board.plays(MODEL):
        assert play.notes["illegal"] == len(play.guesses) == play.notes["calls"] / 2
    assert {len(asked["messages"]) for asked in server.asked} == {1, 3}


def test_nothing_but_nonsense_is_an_illegal_guess_within_the_calls_and_harms_nobody(serve, plugins):
    with serve(lambda messages: "Wordle is a game of words.") as server:
        board = wk.tournament(SMALL, [MODEL, "entropy"], 3, workers=1, plugins=plugins)
    assert row_of(board, "entropy").failed == 0
    for play in board.plays(MODEL):
        assert play.outcome is Outcome.ILLEGAL
        assert play.notes == {"calls": 4, "illegal": 4, "input_tokens": 400, "output_tokens": 28}
    assert len(server.asked) == 12


@pytest.mark.parametrize(
    ("spec", "named"),
    [
        ("language-model(model=no-such-model)", "no-such-model"),
        ("language-model(model=stub, options=[colour=red])", "colour"),
    ],
)
def test_a_model_that_cannot_be_asked_is_refused_before_anything_is_played(serve, plugins, spec, named):
    with serve(str), pytest.raises(wk.StrategyError, match=named):
        wk.tournament(SMALL, [spec], 1, plugins=plugins)


class Script(wk.Strategy):
    """Guesses the words that it is given."""

    words: tuple[str, ...] = ()

    def guess(self, position):
        position.note(calls=1, input_tokens=1000, output_tokens=10 * position.turn)
        return self.words[position.turn - 1]


def test_mistakes_and_tokens_are_counted_for_each_game(figures):
    scripts = [Script(words=("3456", "3456", "1113", "1122")), Script(words=("1122",))]
    with ThreadPoolExecutor(1) as here:  # a new process could not import this module
        one, other = (
            row_of(wk.tournament("mastermind", [script], ["1122"], executor=here, plugins=figures), script.spec)
            for script in scripts
        )
    assert (one.repeated, one.contradictory, one.calls, one.tokens) == (1, 2, 4, 4100)
    assert (other.repeated, other.contradictory, other.calls, other.tokens) == (0, 0, 1, 1010)


def test_regret_is_the_distance_from_perfect_play(figures):
    board = wk.tournament(SMALL, ["entropy", "optimal", "random-consistent"], seed=1, plugins=figures)
    entropy, optimal = row_of(board, "entropy"), row_of(board, "optimal")
    assert optimal.regret == 0
    assert entropy.regret == pytest.approx(entropy.mean - optimal.mean, abs=1e-9)
    assert row_of(board, "random-consistent").regret > entropy.regret
    several = wk.tournament(SMALL.replace(boards=2), ["entropy"], 3, seed=1, plugins=figures)
    assert several.rows[0].regret is None
