"""The checks for authors: good strategies pass them all, and each bad one fails the check meant for it."""

import functools
import random
import sys
import time
import types

import pytest
from wordle_kit_plugins.baselines import FirstConsistent, RandomConsistent

import wordle_kit as wk
from wordle_kit.plugins import default_plugins
from wordle_kit.testing import (
    SMALL_GAMES,
    RuleContract,
    StrategyContract,
    check_rule,
    check_strategy,
)

DEADLINE = 30.0

# Good strategies, as authors would check them


class TestRandomConsistent(StrategyContract):
    strategy = RandomConsistent()


class TestEntropyByNameInOtherGames(StrategyContract):
    strategy = "entropy(pool=candidates)"
    games = ("mini-nerdle", {"name": "abc", "alphabet": "abc", "length": 2, "answers": "all"})


def test_strategies_and_games_may_be_named():
    findings = check_strategy("entropy", games=["mini-nerdle"])
    assert [(finding.check, finding.passed) for finding in findings] == [
        ("pickling", True),
        ("legality", True),
        ("determinism", True),
    ]
    assert "1 game" in findings[1].message


def test_the_contract_fails_with_the_message_of_the_check():
    class Contract(StrategyContract):
        strategy = IllegalInOneGame()
        games = (SMALL["cases"],)

    with pytest.raises(AssertionError, match="nonsense"):
        Contract().test_it_keeps_its_promises()


# Strategies that are bad in one way each


class RollsDice(FirstConsistent):
    """Uses random numbers that are not those of the position, and does not say so."""

    def guess(self, position):
        return DICE.choice(position.board.words)


DICE = random.Random(1)


class RollsItsOwnDice(RollsDice):
    """Says that it uses random numbers, but not those of the position."""

    stochastic = True


class RemembersTheLastGame(FirstConsistent):
    """Makes guesses that depend on the positions it was asked about before."""

    def guess(self, position):
        words = position.board.words
        memory().append(words)
        return words[len(memory()) % len(words)]


@functools.cache
def memory():
    """A list where no check of state looks for it."""
    return []


class IllegalInOneGame(FirstConsistent):
    """Guesses nonsense in the game whose letters have cases."""

    def guess(self, position):
        if position.game.name == "cases" and position.turn == 2:
            return "nonsense"
        return position.board.words[0]


class CrashesOnOneWord(FirstConsistent):
    """Takes for granted that there are at least two candidates."""

    def guess(self, position):
        return (
            sorted(position.board.words, reverse=True)[1:][0] if len(position.board) == 1 else position.board.words[0]
        )


class CrashesOnThreeBoards(FirstConsistent):
    """Takes for granted that there are at most two boards."""

    def guess(self, position):
        _, *others = position.boards
        if others:
            (_,) = others
        return position.board.words[0]


class CountsWeights(FirstConsistent):
    """Takes for granted that every answer that is left has a weight above 0."""

    def guess(self, position):
        position.game.is_weighted and [1 / weight for weight in map(float, position.board.weights)]
        return position.board.words[0]


class ForgetsHardMode(FirstConsistent):
    """Guesses anything, hard mode or not."""

    def guess(self, position):
        if position.game.hard_mode and position.turn == 2:
            return next(guess for guess in position.game.guesses if position.problem_with(guess) is not None)
        return position.board.words[0]


class NeverSolves(FirstConsistent):
    """Guesses the first word of the list for ever."""

    def guess(self, position):
        return position.game.guesses[0]


class PlaysOneGame(FirstConsistent):
    """Says which game it can play, and is not bad at all."""

    def problem_with(self, game):
        return None if game.name == "repeats" else "plays only with repeats"

    def guess(self, position):
        return {"repeats": position.board.words[0]}[position.game.name]


class HoldsAFunction(FirstConsistent):
    """Has a function made on the spot for a parameter."""

    key: object = None


def unpicklable():
    return HoldsAFunction(key=lambda word: word)


BAD = {
    # the strategy, the small game that shows its fault, the check that it fails, and what is named
    "rolls dice": (RollsDice, "repeats", "determinism", "<Position in repeats"),
    "rolls dice of its own": (RollsItsOwnDice, "repeats", "determinism", "<Position in repeats"),
    "remembers": (RemembersTheLastGame, "repeats", "determinism", "<Position in repeats"),
    "illegal in one game": (IllegalInOneGame, "cases", "legality", "'nonsense'"),
    "crashes": (CrashesOnOneWord, "repeats", "legality", "IndexError"),
    "crashes on three boards": (CrashesOnThreeBoards, "three-boards", "legality", "<Position in three-boards"),
    "counts weights": (CountsWeights, "weights", "legality", "ZeroDivisionError"),
    "forgets hard mode": (ForgetsHardMode, "hard", "legality", "hard mode"),
    "never solves": (NeverSolves, "repeats", "legality", "out of guesses"),
    "holds a function": (unpicklable, "repeats", "pickling", ""),
}
SMALL = {fields["name"]: fields for fields in SMALL_GAMES}


@pytest.mark.parametrize("how", BAD)
def test_a_bad_strategy_fails_exactly_the_check_that_is_meant_for_it(how):
    make, game, check, named = BAD[how]
    games = [SMALL[name] for name in sorted({"repeats", game})]
    failed = [finding for finding in check_strategy(make(), deadline=DEADLINE, games=games) if not finding.passed]
    assert [finding.check for finding in failed] == [check]
    assert named in failed[0].message


@pytest.mark.parametrize(
    ("strategy", "outcome"),
    [(IllegalInOneGame(), wk.Outcome.ILLEGAL), (CrashesOnThreeBoards(), wk.Outcome.CRASHED)],
    ids=["one board", "three boards"],
)
def test_the_small_games_find_a_fault_that_can_be_seen_again_as_the_message_says(strategy, outcome):
    (message,) = [one.message for one in check_strategy(strategy, deadline=DEADLINE) if not one.passed]
    (play,) = eval(message.partition("to see it again: ")[2], {"wordle_kit": wk, "strategy": strategy})
    assert play.outcome is outcome


def test_games_that_a_strategy_does_not_play_are_not_held_against_it():
    findings = check_strategy(PlaysOneGame(), deadline=DEADLINE, games=[SMALL["repeats"], SMALL["hard"]])
    assert [finding.passed for finding in findings] == [True] * 3


def test_a_strategy_that_plays_none_of_the_games_does_not_pass():
    findings = check_strategy(PlaysOneGame(), deadline=DEADLINE, games=[SMALL["hard"]])
    assert [finding.check for finding in findings if not finding.passed] == ["legality"]


def test_a_strategy_that_is_late_does_not_pass():
    class Sleeps(FirstConsistent):
        def guess(self, position):
            time.sleep(60)

    (late,) = [
        one for one in check_strategy(Sleeps(), deadline=0.1, games=[SMALL["repeats"]]) if "timed" in one.message
    ]
    assert (late.check, late.passed) == ("legality", False)


# Rules


class Common(wk.Rule):
    """How many letters guess and answer have in common; one more code wins."""

    def n_codes(self, length):
        return length + 2

    def code(self, guess, answer):
        return len(answer) + 1 if guess == answer else len(set(guess) & set(answer))

    def winning_code(self, length):
        return length + 1

    def show(self, code, length):
        return str(code)


class WithAFunction(Common):
    """Cannot be pickled."""

    def __init__(self):
        self.key = lambda word: word


class Flipping(Common):
    """Gives another code when it is asked again."""

    def code(self, guess, answer):
        vars(self)["asked"] = vars(self).get("asked", 0) + 1
        return super().code(guess, answer) if guess == answer else vars(self)["asked"] % 2


class Mumbling(Common):
    """Shows two codes alike."""

    def show(self, code, length):
        return str(min(code, 1))


class Silent(Common):
    """Refuses to read what it shows."""

    def read(self, text, length):
        raise wk.GameError("no")


class Forbidding(Common):
    """Forbids the hidden word."""

    def hard_mode_problem(self, guess, earlier, code):
        return None if guess == earlier else "it is new"


BAD_RULES = {
    "cannot be pickled": (WithAFunction, "pickling", ""),
    "changes its mind": (Flipping, "codes", "code"),
    "shows two codes alike": (Mumbling, "reading", "which read takes for 1"),
    "does not read": (Silent, "reading", "read refuses it"),
    "forbids the hidden word": (Forbidding, "hard mode", "it is new"),
}


@pytest.mark.parametrize("how", BAD_RULES)
def test_a_bad_rule_fails_the_check_that_is_meant_for_it(how):
    make, check, named = BAD_RULES[how]
    failed = {finding.check: finding.message for finding in check_rule(make()) if not finding.passed}
    assert named in failed[check]
    assert failed.keys() == {check} or how == "changes its mind"


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in default_plugins().rules if name != "elements"])
def test_every_bundled_rule_keeps_its_promises(name):
    findings = check_rule(default_plugins().rules[name].value)
    assert [f"{finding.check}: {finding.message}" for finding in findings if not finding.passed] == []


class TestCommon(RuleContract):
    rule = Common()


def test_a_strategy_that_a_notebook_defines_can_be_checked(monkeypatch):
    notebook = types.ModuleType("__main__")  # which has no file
    monkeypatch.setitem(sys.modules, "__main__", notebook)
    code = "import wordle_kit as wk\nclass Mine(wk.Strategy):\n    def guess(self, position):\n"
    exec(f"{code}        return position.board.words[0]\nnumber = 1", vars(notebook))
    findings = check_strategy(notebook.Mine(), games=[wk.load_game("mastermind")])
    assert [finding.check for finding in findings if not finding.passed] == []
