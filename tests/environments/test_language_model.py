"""The example of a language model as a strategy: its models are served on this machine, and no network is needed."""

import re
import sys
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

PUZZLES = 40
"""Puzzles of a model that makes no mistake. They take it three, four or five guesses, each of which costs 30 ms."""


@pytest.fixture(scope="module")
def plugins():
    return wk.Plugins.load([EXAMPLES / "language_model.py"], strict=True)


@pytest.fixture(scope="module")
def figures():
    return wk.Plugins.load([EXAMPLES / "language_model.py", EXAMPLES / "model_figures.py"], strict=True)


@pytest.fixture
def serve(tmp_path, monkeypatch, plugins, figures):
    """Return a function that serves a model in a `with` block, and have nobody wait between two calls."""
    for loaded in (plugins, figures):
        module = module_of(loaded, "strategies", "language-model")
        module.model_called.cache_clear()
        monkeypatch.setattr(module, "WAIT", 0.01)
    return lambda model: serving(model, tmp_path, monkeypatch)


def module_of(plugins, kind, name):
    """Return the module that registered something."""
    value = getattr(plugins, kind)[name].value
    return sys.modules[value.compute.__module__ if kind == "metrics" else type(value).__module__]


def row_of(board, strategy):
    (row,) = [row for row in board.rows if row.strategy == strategy]
    return row


def test_a_model_that_plays_entropy_has_the_figures_of_entropy(serve, figures, tmp_path):
    game, how = wk.load_game("wordle"), {"seed": 3, "workers": 2, "deadline": 120, "plugins": figures}
    how["store"] = tmp_path / "store.sqlite"
    with serve(Player(game, ENTROPY)) as server:
        board = wk.tournament(game, [MODEL, "entropy"], PUZZLES, **how)
        assert list(board.plays(MODEL)) == list(board.plays("entropy"))
        model, entropy = row_of(board, MODEL), row_of(board, "entropy")
        assert (model.mean, model.distribution, model.regret) == (entropy.mean, entropy.distribution, entropy.regret)
        n_guesses = sum(len(play.guesses) for play in board.plays("entropy"))
        assert len(server.asked) == n_guesses
        assert (model.calls, model.tokens, model.illegal) == (n_guesses / PUZZLES, 107 * n_guesses / PUZZLES, 0)
        assert (entropy.calls, entropy.tokens, entropy.illegal) == (None, None, None)
        again = wk.tournament(game, [MODEL, "entropy"], PUZZLES, **how)  # everything comes from the store
        assert len(server.asked) == n_guesses
        assert row_of(again, MODEL).figures == model.figures


def test_words_that_are_not_allowed_are_asked_for_again_and_counted(serve, plugins):
    player = Player(SMALL, ENTROPY)

    def careless(messages):
        if len(messages) == 1:
            return "I guess: XYZZY, or perhaps" if len(player.seen(messages)) % 2 else "GUE"  # half a line
        assert "is not among the guesses of mini-nerdle. Choose another equation, and" in messages[-1]["content"]
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
        assert "'Wordle is a game of words' is not among the guesses" in play.message
        assert play.notes == {"calls": 4, "illegal": 4, "input_tokens": 400, "output_tokens": 28}
    assert len(server.asked) == 12


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("language-model(model=no-such-model)", "UnknownModelError: .*no-such-model.*; `llm models` lists the models"),
        ("language-model(model=stub, options=[colour=red])", "ValidationError: .*colour.*"),
        ("language-model(model=gpt-4o-mini)", "NeedsKeyException: .*"),
    ],
)
def test_a_model_that_cannot_be_asked_is_refused_before_anything_is_played(serve, plugins, monkeypatch, spec, why):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with serve(str), pytest.raises(wk.StrategyError, match=re.compile(f"cannot play mini-nerdle: {why}", re.DOTALL)):
        wk.tournament(SMALL, [spec], 1, plugins=plugins)


def test_without_a_model_it_does_not_play(plugins):
    assert "language-model" not in [row.strategy for row in wk.tournament(SMALL, None, 1, plugins=plugins).rows]


class Script(wk.Strategy):
    """Guesses the words that it is given."""

    words: tuple[str, ...] = ()

    def guess(self, position):
        position.note(calls=1, input_tokens=1000, output_tokens=10 * position.turn)
        return self.words[position.turn - 1]


def test_mistakes_and_tokens_are_counted_for_each_game(figures, monkeypatch):
    monkeypatch.setitem(module_of(figures, "metrics", "cost").PRICES, "dear", (2.0, 50.0))
    scripts = [Script(words=("3456", "3456", "1113", "1122")), Script(words=("1122",))]
    one, other = (
        row_of(wk.tournament("mastermind", [script], ["1122"], workers=1, plugins=figures), script.spec)
        for script in scripts
    )
    assert (one.repeated, one.contradictory, one.calls, one.tokens, one.cost) == (1, 2, 4, 4100, None)
    assert (other.repeated, other.contradictory, other.calls, other.tokens) == (0, 0, 1, 1010)
    board = wk.tournament("mastermind", [Dear(words=scripts[0].words)], ["1122", "1122"], workers=1, plugins=figures)
    assert board.rows[0].cost == 2 * (4000 * 2.0 + 100 * 50.0) / 1e6


class Dear(Script):
    """Has a model with a price."""

    stochastic = True
    model: str = "dear"


def test_regret_is_the_distance_from_perfect_play(figures):
    board = wk.tournament(SMALL, ["entropy", "optimal", "random-consistent"], seed=1, plugins=figures)
    entropy, optimal = row_of(board, "entropy"), row_of(board, "optimal")
    assert optimal.regret == 0
    assert entropy.regret == pytest.approx(entropy.mean - optimal.mean, abs=1e-9)
    assert row_of(board, "random-consistent").regret > entropy.regret
    several = wk.tournament(SMALL.replace(boards=2), ["entropy"], 3, seed=1, plugins=figures)
    assert several.rows[0].regret is None
