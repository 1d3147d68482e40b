"""Hosts: hidden words, an adversary that keeps as many words as it can, and those of plugins."""

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from games import bundled
from hypothesis import given
from hypothesis import strategies as st

import wordle_kit as wk
from wordle_kit.tournaments.host import HIDDEN, Adversary

WORDLE = bundled("wordle")
SMALL = wk.load_game({"name": "small", "alphabet": "abc", "length": 3, "answers": "all", "max_guesses": 9})
SPARSE = wk.load_game(
    {"name": "sparse", "alphabet": "abcd", "length": 2, "answers": ["ab", "ba", "cd", "ca", "dd"], "guesses": "all"}
)


def left_by(game, *guesses):
    """Return the position after these guesses against the adversary, and how many words it leaves after each."""
    position = wk.Position.start(game)
    sizes = []
    for guess in guesses:
        position = position.after(guess, Adversary().answer(position, game.guess_index[guess]))
        sizes.append(len(position.boards[0]))
    return position, sizes


def twin(game, words, guess):
    """Return the feedback of the adversary and the words it keeps, worked out word by word."""
    parts = {}
    for word in words:
        parts.setdefault(game.rule.code(game.word(guess), game.word(word)), []).append(word)
    code = min(parts, key=lambda code: (-len(parts[code]), code == game.winning_code, code))
    return code, parts[code]


# The adversary


@pytest.mark.parametrize("game", [SMALL, SPARSE], ids=lambda game: game.name)
@given(data=st.data())
def test_the_adversary_answers_as_its_twin(game, data):
    position, words = wk.Position.start(game), list(game.answers)
    for guess in data.draw(st.lists(st.sampled_from(game.guesses), min_size=1, max_size=4)):
        if not position.open_boards:
            break
        code, words = twin(game, words, guess)
        answered = Adversary().answer(position, game.guess_index[guess])
        assert answered == (code,)
        position = position.after(guess, answered)
        assert list(position.boards[0].words) == words


def test_the_guessed_word_itself_is_given_up_last():
    game = wk.load_game({"name": "two", "alphabet": "ab", "length": 1, "answers": "all", "max_guesses": 2})
    position, sizes = left_by(game, "a", "b")
    assert sizes == [1, 1]
    assert position.boards[0].is_solved


def test_each_board_is_answered_for_itself_and_a_solved_one_stays_solved():
    game = SMALL.replace(boards=2)
    position = wk.Position.start(game).after("aaa", ["222", "000"])
    winning, code = Adversary().answer(position, game.guess_index["bcb"])
    assert (winning, code) == (game.winning_code, twin(game, position.boards[1].words, "bcb")[0])


def test_four_guesses_are_enough_against_the_adversary_of_wordle_and_three_are_not():
    """As the author of Absurdle says at qntm.org/absurdle, about the lists of 2021."""
    position, sizes = left_by(WORDLE, "aiery", "canst", "dholl")
    assert sizes == [171, 11, 1]
    last = position.boards[0].words[0]
    assert left_by(WORDLE, "aiery", "canst", "dholl", last)[0].boards[0].is_solved
    # To win with the third guess, the second would have to tell apart all words that the first leaves.
    parts = wk.Position.start(WORDLE).boards[0].part_sizes()
    fewest_left, most_parts = parts.max(axis=1).min(), np.count_nonzero(parts, axis=1).max()
    assert (fewest_left, most_parts) == (168, 150)


# Games against it


def least_guesses(game):
    """Return the fewest guesses that are always enough against the adversary, by trying all."""

    @cache
    def least(words):
        after = [(guess, *twin(game, words, guess)) for guess in game.guesses]
        if any(code == game.winning_code for _, code, _ in after):
            return 1
        return 1 + min(least(tuple(kept)) for _, _, kept in after if len(kept) < len(words))

    return least(tuple(game.answers))


@pytest.mark.parametrize(("game", "least"), [(SPARSE, 2), (SMALL, 3)])
def test_no_strategy_beats_the_fewest_guesses_that_are_possible(game, least):
    assert least_guesses(game) == least
    games = wk.load_puzzles(game, host="adversary")
    plays = [wk.play(strategy, game, games)[0] for strategy in ("first-consistent", "entropy", "minimax", "most-parts")]
    assert min(play.turns for play in plays) >= least


def test_each_first_guess_is_a_game_and_without_one_each_strategy_has_its_own():
    board = wk.tournament(SMALL, ["entropy", "minimax"], ["abc", "aaa"], host="adversary", workers=1)
    assert [row.games for row in board.rows] == [2, 2]
    for play, first in zip(board.plays("minimax"), ["abc", "aaa"], strict=True):
        words = list(SMALL.answers)
        for guess, (seen,) in zip(play.guesses, play.feedback, strict=True):
            code, words = twin(SMALL, words, guess)
            assert str(SMALL.feedback_of(code)) == seen
        assert (play.guesses[0], play.puzzle, play.board_turns) == (first, (play.guesses[-1],), (play.turns,))
    board = wk.tournament(SMALL, ["first-consistent", "entropy(opener=abc)"], host="adversary", workers=1)
    assert {row.strategy: row.opener for row in board.rows} == {"first-consistent": "aaa", "entropy(opener=abc)": "abc"}


def test_a_game_that_is_not_solved_names_a_word_that_is_left():
    stubborn = type("Stubborn", (wk.Strategy,), {"guess": lambda self, position: "aaa"})
    (play,) = wk.play(stubborn(), SMALL, wk.load_puzzles(SMALL, host="adversary"))
    assert (play.outcome, play.turns, play.board_turns) == (wk.Outcome.OUT_OF_GUESSES, None, (None,))
    assert play.puzzle[0] in set(SMALL.answers) - {"aaa"}


def test_games_against_the_adversary_are_stored_apart_from_hidden_words(path):
    hidden = wk.tournament(SMALL, ["first-consistent"], ["abc"], store=path, workers=1)
    played = wk.tournament(SMALL, ["first-consistent"], ["abc"], host="adversary", store=path, workers=1)
    again = wk.read_leaderboard(path)
    assert (hidden.as_dict()["host"], played.as_dict()["host"]) == ("hidden", "adversary")
    assert again.plays("first-consistent") == played.plays("first-consistent") != hidden.plays("first-consistent")


@pytest.mark.parametrize(
    ("source", "named"),
    [(["zzz"], "'zzz'"), (["ab"], "'ab'"), ([("aaa",)], "aaa"), ("all", "first guess"), (5, "first guess")],
)
def test_a_wrong_first_guess_is_named(source, named):
    with pytest.raises(wk.PuzzleError, match=named):
        wk.load_puzzles(SMALL, source, host="adversary")


# Hosts of plugins


def answers_of(play):
    """Return for each guess of a play the feedback that its word, hidden from the start, would have given."""
    return [str(SMALL.feedback(guess, play.puzzle[0])) for guess in play.guesses]


def test_a_host_of_a_plugin_plays_a_tournament(path):
    liar = wk.Plugins.load([Path(__file__).parents[2] / "examples" / "lies_once.py"])
    board = wk.tournament(SMALL, "first-consistent", host="lies-once", plugins=liar, workers=1, store=path)
    plays = board.plays("first-consistent")
    assert board.as_dict()["host"] == "lies-once"
    assert {play.outcome for play in plays} == {wk.Outcome.SOLVED}
    for hidden, play in zip(SMALL.answers, plays, strict=True):
        truth = [str(SMALL.feedback(guess, hidden)) for guess in play.guesses]
        assert [seen for (seen,) in play.feedback] == answers_of(play)  # of the word that it sticks to
        assert truth[:1] == answers_of(play)[:1]
        assert (play.puzzle == (hidden,)) == (truth == answers_of(play))
    assert any(play.puzzle != (hidden,) for hidden, play in zip(SMALL.answers, plays, strict=True))


@dataclass(frozen=True)
class Wrong(wk.Host):
    """A host that answers with anything, or raises it."""

    name: ClassVar[str] = "wrong"

    what: object = None

    def answer(self, position, guess):
        if isinstance(self.what, Exception):
            raise self.what
        return self.what

    def words(self, position):
        return ("abc", "abc")


def test_a_host_that_is_edited_or_has_other_parameters_is_played_again():
    hidden = wk.load_puzzles(SMALL)
    different = [replace(hidden, host=host) for host in (HIDDEN, Adversary(), Wrong((), 1), Wrong((), 2))]
    assert len({puzzles.key for puzzles in different}) == 4
    assert len({puzzles.fingerprint for puzzles in different}) == 4  # so they are not compared with each other
    typed = type("Typed", (Wrong,), {"__module__": "__main__"})
    assert replace(hidden, host=typed()).key != replace(hidden, host=typed()).key


@pytest.mark.parametrize("what", [KeyError("lost"), wk.StrategyError("I"), None, (1, 2), (999,), (SMALL.winning_code,)])
def test_a_host_that_misbehaves_is_blamed_and_no_strategy(what):
    with pytest.raises(wk.GameError, match="host wrong"):
        wk.play("first-consistent", SMALL, wk.load_puzzles(SMALL, ["abc"], host=Wrong((), what)))
