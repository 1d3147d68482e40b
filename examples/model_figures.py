"""Figures of a language model's plays as columns of a leaderboard: mistakes, regret, calls and tokens.

    wordle-kit leaderboard -p model_figures.py

They are in a file of their own because an edit of a strategy's file makes another strategy, which is played again.
"""

from collections.abc import Iterator
from functools import lru_cache

from wordle_kit_plugins.environments import Regret, is_contradictory

import wordle_kit as wk

Moves = list[tuple[wk.Position, int]]
"""Positions, each with the guess that was made in it."""


@lru_cache(maxsize=4)
def game_of(name: str, fingerprint: str, boards: int, hard_mode: bool) -> wk.Game | None:
    """Return the game of a run if it is installed, or None."""
    try:
        game = wk.load_game(name).replace(boards=boards, hard_mode=hard_mode)
    except wk.WordleKitError:
        return None
    return game if game.fingerprint == fingerprint else None


def moves_of(run: wk.StoredRun) -> Iterator[Moves] | None:
    """Return the moves of each play, or None if the game is not known."""
    facts = run.facts
    game = game_of(facts.game, facts.fingerprint, facts.boards, facts.hard_mode)
    return None if game is None else (moves(play, game) for play in run.plays)


def moves(play: wk.Play, game: wk.Game) -> Moves:
    """Return the moves of a play."""
    position, made = wk.Position.start(game), []
    for guess, seen in zip(play.guesses, play.feedback, strict=True):
        made.append((position, game.guess_index[guess]))
        position = position.after(guess, [text or 0 for text in seen])
    return made


def regret(run: wk.StoredRun) -> float | None:
    """Return the mean over plays of the sum of the regrets of a play's guesses."""
    every = moves_of(run)
    if every is None or run.facts.boards > 1 or not run.facts.hides_words:
        return None
    lost = 0.0
    for made in every:
        for position, guess in made:
            lost += Regret().values(position.game).regret(position, guess).number
    return lost / len(run.plays)


def contradictory(run: wk.StoredRun) -> float | None:
    """Return how many guesses of a play could not be the answer, on average."""
    every = moves_of(run)
    if every is None:
        return None
    return sum(is_contradictory(*move) for made in every for move in made) / len(run.plays)


def repeated(run: wk.StoredRun) -> float:
    """Return how many guesses of a play had been made before, on average."""
    return sum(len(play.guesses) - len(set(play.guesses)) for play in run.plays) / len(run.plays)


def noted(name: str, run: wk.StoredRun) -> float | None:
    """Return the mean of a note over the plays, or None if no play has any notes."""
    if not any(play.notes for play in run.plays):
        return None
    return sum(play.notes.get(name, 0) for play in run.plays) / len(run.plays)


def tokens(run: wk.StoredRun) -> float | None:
    """Return the tokens of a play on average, those of questions and answers."""
    asked, answered = noted("input_tokens", run), noted("output_tokens", run)
    return None if asked is None or answered is None else asked + answered


def metric(name: str, compute, shown: str = ".2f") -> wk.Metric:
    """Return a metric whose column is left out if no run has it."""
    return wk.Metric(name, compute, format=shown, is_optional=True)


@wk.hookimpl
def register_metrics(register):
    """Register the metrics."""
    register(metric("regret", regret, ".3f"))
    register(metric("contradictory", contradictory))
    register(metric("repeated", repeated))
    register(metric("illegal", lambda run: noted("illegal", run)))
    register(metric("calls", lambda run: noted("calls", run)))
    register(metric("tokens", tokens, ",.0f"))
