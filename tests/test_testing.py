"""The checks for authors: good strategies pass them all, and each bad one fails the check meant for it."""

import functools
import random
import sys
import time
import types
from typing import ClassVar

import numpy as np
import pytest
from pydantic import PrivateAttr
from wordle_kit_plugins.baselines import FirstConsistent, RandomConsistent
from wordle_kit_plugins.partition import Entropy, ExpectedSize, Minimax, MostParts

import wordle_kit as wk
from wordle_kit.plugins import default_plugins
from wordle_kit.testing import (
    CHECKS,
    SMALL_GAMES,
    RuleContract,
    StrategyContract,
    Trial,
    check_rule,
    check_strategy,
    each_finding,
)

DEADLINE = 30.0

# The bundled strategies, each by inheriting from the contract as an author would


class TestEntropy(StrategyContract):
    strategy = Entropy()


class TestExpectedSize(StrategyContract):
    strategy = ExpectedSize()


class TestMinimax(StrategyContract):
    strategy = Minimax()


class TestMostParts(StrategyContract):
    strategy = MostParts(ties="list-order", pool="candidates")


class TestRandomConsistent(StrategyContract):
    strategy = RandomConsistent()


class TestFirstConsistent(StrategyContract):
    strategy = FirstConsistent()


def test_strategies_and_games_may_be_named():
    class Contract(StrategyContract):
        strategy = "entropy(pool=candidates)"
        games = ("mini-nerdle", {"name": "abc", "alphabet": "abc", "length": 2, "answers": "all"})

    Contract().test_it_is_always_legal()
    findings = check_strategy("entropy", games=["mini-nerdle"])
    assert [finding.passed for finding in findings] == [True] * len(CHECKS)
    assert "of 1 game," in findings[1].message


def test_the_contract_fails_with_the_message_of_the_check():
    class Contract(StrategyContract):
        strategy = IllegalInOneGame()
        deadline = DEADLINE

    with pytest.raises(AssertionError, match="nonsense"):
        Contract().test_it_is_always_legal()


# Strategies that are bad in one way each


class KeepsAList(FirstConsistent):
    """Remembers its guesses in its class."""

    seen: ClassVar[list[str]] = []

    def guess(self, position):
        self.seen.append(position.board.words[0])
        return position.board.words[0]


class KeepsANumber(FirstConsistent):
    """Counts its guesses in a private attribute."""

    _asked: int = PrivateAttr(default=0)

    def guess(self, position):
        self._asked += 1
        return position.board.words[0]


SEEN = []


class KeepsAGlobal(FirstConsistent):
    """Remembers its guesses beside its class."""

    def guess(self, position):
        SEEN.append(position.turn)
        return super().guess(position)


BOOK = []


class KeepsAGlobalInPrepare(FirstConsistent):
    """Puts what it computes beside its class, for one game at a time."""

    def prepare(self, game):
        BOOK[:] = game.answers


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


class ForgetsBoards(FirstConsistent):
    """Guesses for the first board for ever, also when it is solved."""

    def guess(self, position):
        return position.boards[0].words[0]


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


class SplitsDigraphs(FirstConsistent):
    """Takes two letters next to each other for the two symbols that they would be by themselves."""

    def guess(self, position):
        word = position.board.words[0]
        symbols = position.game.alphabet.symbols
        at, read = 0, []
        while at < len(word) and not position.game.alphabet.separator:
            read.append(next(one for one in sorted(symbols) if word.startswith(one, at)))
            at += len(read[-1])
        if len(read) > position.game.length:
            raise ValueError(f"{word} has {len(read)} symbols")
        return word


class ForgetsHardMode(FirstConsistent):
    """Guesses anything, hard mode or not."""

    def guess(self, position):
        if position.game.hard_mode and position.turn == 2:
            return next(guess for guess in position.game.guesses if position.allows(guess) is not None)
        return position.board.words[0]


class NeverSolves(FirstConsistent):
    """Guesses the first word of the list for ever."""

    def guess(self, position):
        return position.game.guesses[0]


class IsSlow(FirstConsistent):
    """Thinks for a long time if there is only one word."""

    def guess(self, position):
        if position.game.name == "one-word":
            time.sleep(0.6)
        return position.board.words[0]


class HoldsAFunction(FirstConsistent):
    """Has a function made on the spot for a parameter."""

    key: object = None


def unpicklable():
    return HoldsAFunction(key=lambda word: word)


def made_on_the_spot():
    class Local(FirstConsistent):
        pass

    return Local()


BAD = {
    "keeps a list": (KeepsAList, "no state", "playing changed KeepsAList.seen"),
    "keeps a number": (KeepsANumber, "no state", "playing changed self._asked"),
    "keeps a global in prepare": (KeepsAGlobalInPrepare, "no state", "playing changed BOOK of test_testing.py"),
    "keeps a global": (KeepsAGlobal, "no state", "playing changed SEEN of test_testing.py; everything it needs"),
    "rolls dice": (RollsDice, "determinism", "set `stochastic = True` and use position.rng"),
    "rolls dice of its own": (RollsItsOwnDice, "determinism", "when asked again"),
    "remembers": (RemembersTheLastGame, "determinism", "when asked again"),
    "illegal in one game": (IllegalInOneGame, "legality", "'nonsense' is not among the guesses of cases, at guess 2"),
    "crashes": (CrashesOnOneWord, "legality", "crashed: IndexError"),
    "forgets boards": (ForgetsBoards, "legality", "out of guesses: not solved in 31 guesses; <Position in two-boards"),
    "crashes on three boards": (CrashesOnThreeBoards, "legality", "too many values to unpack"),
    "counts weights": (CountsWeights, "legality", "ZeroDivisionError"),
    "splits digraphs": (SplitsDigraphs, "legality", "symbols"),
    "forgets hard mode": (ForgetsHardMode, "legality", "is not allowed in hard mode"),
    "never solves": (NeverSolves, "legality", "out of guesses: not solved in 30 guesses"),
    "is slow": (IsSlow, "time", "the deadline is 1 s"),
    "holds a function": (unpicklable, "pickling", "no copy can be made: "),
    "is made on the spot": (made_on_the_spot, "pickling", "made_on_the_spot.<locals>.Local"),
}


@pytest.fixture(scope="module", params=BAD)
def bad(request):
    """Return a bad strategy, the check it should fail, what should be said, and all findings."""
    make, check, message = BAD[request.param]
    return check, message, check_strategy(make(), deadline=1.0 if request.param == "is slow" else DEADLINE)


@pytest.mark.slow
def test_a_bad_strategy_fails_exactly_the_check_that_is_meant_for_it(bad):
    check, _, findings = bad
    assert [finding.check for finding in findings if not finding.passed] == [check]


@pytest.mark.parametrize("how", ["rolls dice", "remembers", "illegal in one game", "crashes", "is slow"])
def test_a_failure_shows_the_position(how):
    make, check, _ = BAD[how]
    finding = Trial(make(), 1.0).finding(check)
    assert not finding.passed
    assert "<Position in " in finding.message


def test_an_illegal_guess_can_be_seen_again_as_the_message_says():
    finding = Trial(IllegalInOneGame(), DEADLINE).finding("legality")
    fields = next(game for game in SMALL_GAMES if game["name"] == "cases")
    expression = finding.message.partition("to see it again: ")[2]
    (play,) = eval(expression, {"wordle_kit": wk, "strategy": IllegalInOneGame()})
    assert play.puzzle[0] in wk.load_game(fields).answers
    assert play.outcome is wk.Outcome.ILLEGAL


def test_a_fault_on_several_boards_can_be_seen_again_as_the_message_says():
    finding = Trial(CrashesOnThreeBoards(), DEADLINE).finding("legality")
    expression = finding.message.partition("to see it again: ")[2]
    (play,) = eval(expression, {"wordle_kit": wk, "strategy": CrashesOnThreeBoards()})
    assert (play.outcome, len(play.puzzle)) == (wk.Outcome.CRASHED, 3)


@pytest.mark.parametrize("game", ["dordle", "quordle"])
def test_games_of_several_boards_can_be_checked(game):
    findings = check_strategy(FirstConsistent(), deadline=DEADLINE, games=[wk.load_game(game)])
    assert [finding.check for finding in findings if not finding.passed] == []
    assert findings[1].message == "40 plays of 1 game, all solved, without a fault"


def test_a_good_strategy_passes_every_check_and_the_findings_say_what_was_tried():
    findings = check_strategy(FirstConsistent(), deadline=DEADLINE)
    assert [finding.check for finding in findings] == list(CHECKS)
    assert all(finding.passed for finding in findings)
    said = {finding.check: finding.message for finding in findings}
    assert "all solved, without a fault" in said["legality"]
    assert "the same guess in" in said["determinism"]
    assert "the slowest decision took" in said["time"]


def test_games_that_a_strategy_does_not_play_are_not_held_against_it():
    class OnlyWordle(FirstConsistent):
        def problem_with(self, game):
            return None if game.name == "wordle" else "plays wordle only"

        def guess(self, position):
            assert position.game.name == "wordle"
            return position.board.words[0]

    finding = Trial(OnlyWordle(), DEADLINE).finding("legality")
    assert (finding.passed, finding.message) == (True, "40 plays of 1 game, all solved, without a fault")


def test_the_games_of_the_checks_can_all_be_loaded_and_differ():
    games = [wk.load_game(fields) for fields in SMALL_GAMES]
    assert len(set(games)) == len(games)
    assert any(game.hard_mode for game in games)
    assert len({game.rule for game in games}) >= 3
    assert {game.boards for game in games} == {1, 2, 3}
    assert any(game.is_weighted for game in games)
    assert any({"c", "s", "cs"} <= set(game.alphabet.symbols) for game in games)


def test_a_strategy_that_says_that_it_cannot_play_passes_no_check_of_its_plays():
    class Evasive(FirstConsistent):
        asked: ClassVar[list[str]] = []

        def problem_with(self, game):
            self.asked.append(game.name)
            return None if len(self.asked) == 2 else "not now"  # the check of determinism asks for the second time

        def guess(self, position):
            return "illegal" if position.turn > 1 else super().guess(position)

    findings = {one.check: one for one in each_finding(Evasive(), games=[wk.load_game(SMALL_GAMES[4])])}
    assert not findings["legality"].passed
    assert findings["legality"].message == "it says that it can play none of the games"
    assert not findings["time"].passed


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


class WithAnotherRow(Common):
    """Has a row that differs from its code in one pair that a table does not show, since `codes` is right."""

    def codes(self, answers, guesses, alphabet):
        words = [[alphabet.symbols[symbol] for symbol in word] for word in guesses.tolist()]
        hidden = [[alphabet.symbols[symbol] for symbol in word] for word in answers.tolist()]
        return np.array([[self.code(word, one) for word in words] for one in hidden], dtype=np.uint8)

    def codes_row(self, answer, guesses, alphabet):
        row = self.codes(answer[None], guesses, alphabet)[0]
        return row + (row == 1)


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


class Contradicting(Common):
    """Its two methods for hard mode differ."""

    def hard_mode_mask(self, guesses, earlier, code, alphabet):
        return np.ones(len(guesses), dtype=bool)


BAD_RULES = {
    "cannot be pickled": (WithAFunction, "pickling", "no copy can be made: "),
    "has another row": (WithAnotherRow, "codes", "by codes_row"),
    "changes its mind": (Flipping, "codes", " and then "),
    "shows two codes alike": (Mumbling, "reading", "show(2, 3) is '1', which read takes for 1"),
    "does not read": (Silent, "reading", "show(0, 3) is '0', and read refuses it: no"),
    "forbids the hidden word": (Forbidding, "hard mode", "hard mode forbids the hidden word: it is new"),
    "contradicts itself": (
        Contradicting,
        "hard mode",
        "hard_mode_problem forbids it, and hard_mode_mask does not agree",
    ),
}


@pytest.mark.parametrize("how", BAD_RULES)
def test_a_bad_rule_fails_the_check_that_is_meant_for_it(how):
    make, check, message = BAD_RULES[how]
    failed = {finding.check: finding.message for finding in check_rule(make()) if not finding.passed}
    assert message in failed[check]
    assert "\n" not in failed[check]
    assert failed.keys() == {check} or how == "changes its mind"


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in default_plugins().rules if name != "attributes"])
def test_every_bundled_rule_keeps_its_promises(name):
    findings = check_rule(default_plugins().rules[name].value)
    assert [f"{finding.check}: {finding.message}" for finding in findings if not finding.passed] == []


def test_a_rule_about_items_is_checked_on_its_games():
    game = wk.load_game("elements")
    assert all(finding.passed for finding in check_rule(game.rule, games=[game]))


class TestCommon(RuleContract):
    rule = Common()


class TestMastermind(RuleContract):
    rule = default_plugins().rules["mastermind"].value
    games = ("mastermind",)


def test_a_strategy_that_a_notebook_defines_can_be_checked(monkeypatch):
    notebook = types.ModuleType("__main__")  # which has no file
    monkeypatch.setitem(sys.modules, "__main__", notebook)
    code = "import wordle_kit as wk\nclass Mine(wk.Strategy):\n    def guess(self, position):\n"
    exec(f"{code}        return position.board.words[0]\nnumber = 1", vars(notebook))
    findings = check_strategy(notebook.Mine(), games=[wk.load_game("mastermind")])
    assert [finding.check for finding in findings if not finding.passed] == []
