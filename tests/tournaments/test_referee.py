"""The referee: how a play ends. A strategy's failure is a result and harms no other strategy."""

import itertools
import sys
import time
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wordle_kit_plugins.baselines import FirstConsistent, RandomConsistent
from wordle_kit_plugins.partition import Entropy

import wordle_kit as wk
from wordle_kit.api import load_puzzles
from wordle_kit.deadline import Budget
from wordle_kit.tournaments.referee import Referee, TimedReferee
from wordle_kit.tournaments.runs import Outcome

GAME = wk.load_game({"name": "abc", "alphabet": "abc", "length": 3, "answers": "all", "max_guesses": 4})
FIRST = wk.play(FirstConsistent(), GAME)
"""What the plays of a strategy without a fault look like."""


def first_consistent_but(**what):
    """Return a strategy that guesses the first candidate, until the guess `aaa` got 000: then it misbehaves."""

    class Faulty(wk.Strategy):
        stochastic = what.get("stochastic", False)

        def guess(self, position):
            if position.guesses[:1] == ("aaa",) and str(position.board.feedback[0]) == "000":
                return what["does"](position)
            return position.board.words[0]

    return Faulty()


def spoilt(play):
    """Return whether a play of the faulty strategy reaches the point where it misbehaves."""
    return not set("a") & set(play.puzzle[0])


def plays_of(does, deadline=30.0):
    return wk.play(first_consistent_but(does=does), GAME, deadline=deadline)


def faults_of(does, deadline=30.0):
    """Return how the affected plays ended, with their messages; all others must be unaffected."""
    plays = plays_of(does, deadline)
    assert [play for play in plays if not spoilt(play)] == [play for play in FIRST if not spoilt(play)]
    at_fault = [play for play in plays if spoilt(play)]
    assert {play.turns for play in at_fault} == {None}
    assert {(play.guesses, play.feedback) for play in at_fault} == {(("aaa",), (("000",),))}
    return {(play.outcome, play.message) for play in at_fault}


# Plays without a fault


def test_a_play_has_the_puzzle_the_guesses_and_their_feedback():
    (play,) = wk.play(FirstConsistent(), GAME, ["bca"])
    assert play.puzzle == ("bca",)
    assert play.guesses == ("aaa", "bba", "bca")
    assert play.feedback == (("002",), ("202",), ("222",))
    assert (play.outcome, play.turns, play.message) == (Outcome.SOLVED, 3, "")


def test_all_feedback_follows_the_rule_and_every_play_ends_with_its_word():
    for play in FIRST:
        (answer,) = play.puzzle
        assert play.guesses[-1] == answer
        assert play.turns == len(play.guesses)
        assert [seen for (seen,) in play.feedback] == [str(GAME.feedback(guess, answer)) for guess in play.guesses]


def test_a_puzzle_solved_after_the_last_allowed_guess_is_out_of_guesses_but_its_turns_are_known():
    slow = GAME.replace(max_guesses=2)
    for play in wk.play(FirstConsistent(), slow):
        assert play.outcome is (Outcome.SOLVED if play.turns <= 2 else Outcome.OUT_OF_GUESSES)
    assert [play.turns for play in wk.play(FirstConsistent(), slow)] == [play.turns for play in FIRST]


def test_a_puzzle_that_is_never_solved_ends_at_the_cap():
    class Stubborn(wk.Strategy):
        def guess(self, position):
            return "aaa"

    plays = wk.play(Stubborn(), GAME)
    assert GAME.cap == 4 + 24
    assert [play.puzzle for play in plays if play.outcome is Outcome.SOLVED] == [("aaa",)]
    for play in plays[1:]:
        assert play.outcome is Outcome.OUT_OF_GUESSES
        assert play.turns is None
        assert play.guesses == ("aaa",) * GAME.cap
        assert play.message == f"not solved in {GAME.cap} guesses"


def test_plays_come_in_the_order_of_the_puzzles_however_often_a_word_is_there():
    order = ["cab", "abc", "cab", "bbb"]
    assert [play.puzzle[0] for play in wk.play(FirstConsistent(), GAME, order)] == order


def test_hard_mode_is_kept_by_strategies_that_only_filter():
    assert {play.outcome for play in wk.play(FirstConsistent(), GAME.replace(hard_mode=True))} <= {
        Outcome.SOLVED,
        Outcome.OUT_OF_GUESSES,
    }


# Several boards


def play_by_hand(strategy, game, hidden):
    """Return the play of one puzzle: each guess is made on all boards, and solved boards give no feedback."""
    position, seen = wk.Position.start(game), []
    open_boards = set(range(len(hidden)))
    while open_boards and len(seen) < game.cap:
        guess = strategy.guess(position)
        answered = [game.feedback(guess, word) for word in hidden]
        seen.append(tuple(str(one) if board in open_boards else "" for board, one in enumerate(answered)))
        open_boards -= {board for board in open_boards if hidden[board] == guess}
        position = position.after(guess, answered)
    turns = None if open_boards else len(seen)
    solved = turns is not None and turns <= game.max_guesses
    outcome = Outcome.SOLVED if solved else Outcome.OUT_OF_GUESSES
    message = f"not solved in {game.cap} guesses" if open_boards else ""
    return wk.Play(tuple(hidden), position.guesses, tuple(seen), outcome, turns, message)


class InTurn(wk.Strategy):
    """Guesses the words in turn, whatever is answered, but never the last ones."""

    short_of: int = 0

    def guess(self, position):
        words = position.game.guesses
        return words[min(position.turn, len(words) - self.short_of) - 1]


@pytest.mark.parametrize("max_guesses", [1, 4, 70])
@pytest.mark.parametrize("boards", [1, 2, 8, 64])
@pytest.mark.parametrize(
    "strategy", [FirstConsistent(), Entropy(), Entropy(combine="min"), InTurn(), InTurn(short_of=9)]
)
def test_on_any_number_of_boards_a_play_is_that_of_a_slow_simulation(strategy, boards, max_guesses):
    game = GAME.replace(boards=boards, max_guesses=max_guesses)
    puzzles = load_puzzles(game, 4, repeats=boards > 1 and boards % 3 > 0)
    plays = wk.play(strategy, game, puzzles)
    assert plays == [play_by_hand(strategy, game, puzzles.words(puzzle)) for puzzle in range(4)]


@settings(deadline=None, max_examples=50)
@given(puzzles=st.lists(st.tuples(*[st.sampled_from(GAME.answers)] * 3), min_size=1, max_size=20))
def test_puzzles_that_are_played_together_are_played_as_each_alone(puzzles):
    game = GAME.replace(boards=3)
    plays = wk.play(Entropy(), game, [" ".join(hidden) for hidden in puzzles])
    assert plays == [play_by_hand(Entropy(), game, hidden) for hidden in puzzles]


def test_a_board_that_is_solved_is_silent_from_then_on():
    (play,) = wk.play(FirstConsistent(), GAME.replace(boards=3), ["aaa ccc aab"])
    assert play.guesses[:2] == ("aaa", "aab")
    assert play.feedback[0] == ("222", "000", "220")
    assert [seen[0] for seen in play.feedback[1:]] == [""] * (len(play.guesses) - 1)
    assert play.turns == len(play.guesses) == max(play.board_turns)


def test_boards_of_the_same_word_are_solved_by_the_same_guess():
    (play,) = wk.play(FirstConsistent(), GAME.replace(boards=3), ["bca abc bca"])
    assert play.board_turns[0] == play.board_turns[2] == play.guesses.index("bca") + 1
    (play,) = wk.play(FirstConsistent(), GAME.replace(boards=256), [" ".join(["aaa"] * 256)])
    assert (play.turns, play.feedback) == (1, (("222",) * 256,))


def test_board_turns_are_the_guesses_that_solved_each_board():
    for play in wk.play(InTurn(short_of=9), GAME.replace(boards=4), 20):
        by_hand = [play.guesses.index(word) + 1 if word in play.guesses else None for word in play.puzzle]
        assert list(play.board_turns) == by_hand
        assert play.turns == (None if None in by_hand else max(by_hand))


def test_a_play_without_a_guess_has_solved_no_board():
    (play,) = wk.play(first_consistent_but(does=lambda position: 1 / 0), GAME.replace(boards=2), ["bbb ccc"])
    assert (play.outcome, play.board_turns) == (Outcome.CRASHED, (None, None))


def test_hard_mode_names_the_board_on_which_a_guess_misses_something():
    class Repeats(wk.Strategy):
        def guess(self, position):
            return "abc" if position.turn == 1 else "acb"

    game = GAME.replace(boards=2, hard_mode=True)
    kept, broken, solved = wk.play(Repeats(), game, ["acb acb", "acb bbc", "acb abc"])
    assert (kept.outcome, kept.turns) == (Outcome.SOLVED, 2)
    assert broken.outcome is Outcome.ILLEGAL
    assert broken.message == (
        "'acb' is not allowed in hard mode on board 2: place 2 must be 'b', since 'abc' got 022, at guess 2"
    )
    assert (solved.outcome, solved.board_turns) == (Outcome.SOLVED, (2, 1))


def test_chance_on_several_boards_depends_on_the_seed_and_the_number_of_the_puzzle():
    game = GAME.replace(boards=3)
    puzzles = [" ".join(hidden) for hidden in itertools.permutations(["abc", "bca", "ccc"])]
    forwards = wk.play(RandomConsistent(), game, puzzles, seed=5)
    assert wk.play(RandomConsistent(), game, puzzles, seed=5) == forwards
    assert wk.play(RandomConsistent(), game, puzzles, seed=6) != forwards
    for play in forwards:
        assert play.turns == max(play.board_turns)


# Illegal guesses


@pytest.mark.parametrize(
    ("guess", "message"),
    [
        ("xyz", "'xyz' is not among the guesses of abc, at guess 2"),
        ("", "'' is not among the guesses of abc, at guess 2"),
        ("BBB", "'BBB' is not among the guesses of abc (did you mean 'bbb'?), at guess 2"),
        ("bb", "'bb' is not among the guesses of abc, at guess 2"),
        (None, "returned None, not a word (missing `return`?), at guess 2"),
        (7, "returned 7, not a word, at guess 2"),
        (b"bbb", "returned b'bbb', not a word, at guess 2"),
        (["bbb"], "returned ['bbb'], not a word, at guess 2"),
        (FirstConsistent, "not a word, at guess 2"),
    ],
)
def test_a_guess_that_is_not_a_word_of_the_game_is_illegal(guess, message):
    ((outcome, found),) = faults_of(lambda position: guess)
    assert outcome is Outcome.ILLEGAL
    assert found.endswith(message)


def test_a_guess_that_hard_mode_forbids_is_illegal_and_the_reason_is_given():
    class Repeats(wk.Strategy):
        def guess(self, position):
            return "abc" if position.turn == 1 else "caa"

    (play,) = wk.play(Repeats(), GAME.replace(hard_mode=True), ["acb"])
    assert play.outcome is Outcome.ILLEGAL
    assert play.message == (
        "'caa' is not allowed in hard mode: place 1 must be 'a', since 'abc' got 211, at guess 2"
    )  # fmt: skip
    assert wk.play(Repeats(), GAME, ["acb"])[0].outcome is Outcome.OUT_OF_GUESSES


def test_long_messages_of_a_strategy_are_cut():
    ((_, message),) = faults_of(lambda position: "x" * 10_000)
    assert len(message) < 400


class Disguised(str):
    """A word that is not what it seems."""

    def __eq__(self, other):
        raise RuntimeError("compared")

    def __hash__(self):
        raise RuntimeError("hashed")

    def __str__(self):
        return "xxx"

    def __repr__(self):
        raise RuntimeError("shown")

    def __len__(self):
        return 99

    def __iter__(self):
        raise RuntimeError("gone through")


def test_a_word_with_methods_of_its_own_counts_as_the_word_it_is():
    assert plays_of(lambda position: Disguised(position.board.words[0])) == FIRST
    assert faults_of(lambda position: Disguised("zzz")) == {
        (Outcome.ILLEGAL, "'zzz' is not among the guesses of abc, at guess 2")
    }


class Unspeakable:
    """Nothing can be said about it."""

    def __repr__(self):
        raise RuntimeError("no comment")


def test_something_that_cannot_even_be_shown_is_a_fault_too():
    ((outcome, _),) = faults_of(lambda position: Unspeakable())
    assert outcome in (Outcome.ILLEGAL, Outcome.CRASHED)


# Crashes


def raising(error):
    def does(position):
        raise error

    return does


def deeper(position):
    return deeper(position)


@pytest.mark.parametrize(
    ("does", "message"),
    [
        (raising(ZeroDivisionError("by nought")), "ZeroDivisionError: by nought (test_referee.py, line "),
        (raising(KeyError()), "KeyError (test_referee.py, line "),
        (raising(ValueError("one\ntwo")), "ValueError: one two (test_referee.py, line "),
        (raising(SystemExit(3)), "SystemExit: 3 (test_referee.py, line "),
        (raising(GeneratorExit()), "GeneratorExit (test_referee.py, line "),
        (raising(BaseException("all")), "BaseException: all (test_referee.py, line "),
        (raising(MemoryError()), "MemoryError (test_referee.py, line "),
        (lambda position: sys.exit("bye"), "SystemExit: bye (test_referee.py, line "),
        (deeper, "RecursionError: maximum recursion depth exceeded"),
        (lambda position: position.board.words[999], "IndexError: tuple index out of range (test_referee.py, line "),
        (lambda position: position.after("aaa", "222"), "GameError: no answer is left after aaa got 222"),
    ],
)
def test_a_strategy_that_raises_has_crashed_with_the_error_and_its_line(does, message):
    ((outcome, found),) = faults_of(does)
    assert outcome is Outcome.CRASHED
    assert found.startswith(message)
    assert found.endswith(", at guess 2")
    assert "\n" not in found


class UnreadableError(Exception):
    def __str__(self):
        raise RuntimeError("no message")


class ExitingError(Exception):
    def __str__(self):
        sys.exit()


class SilentError(Exception):
    def __str__(self):
        return None


class HostileString(str):
    def partition(self, _):
        raise RuntimeError("indivisible")

    def __getitem__(self, _):
        raise RuntimeError("indivisible")


class HostileError(Exception):
    def __str__(self):
        return HostileString("hostile")


class TracelessError(Exception):
    @property
    def __traceback__(self):
        raise RuntimeError("no trace")


class KindWithoutName(type):
    @property
    def __name__(cls):
        raise RuntimeError("no name")


class NamelessError(Exception, metaclass=KindWithoutName):
    pass


HOSTILE = {
    "its message raises": UnreadableError,
    "its message exits": ExitingError,
    "its message is not text": SilentError,
    "its message resists being cut": HostileError,
    "its traceback raises": TracelessError,
    "its kind has no name": lambda: NamelessError(),
}


@pytest.mark.parametrize("how", HOSTILE)
def test_an_exception_that_resists_being_reported_is_a_crash_like_any_other(how):
    def does(position):
        raise HOSTILE[how]()

    try:
        plays = plays_of(does)
    except BaseException:  # which pytest could not report either
        plays = []
    assert Counter(play.outcome for play in plays if spoilt(play)) == {Outcome.CRASHED: 8}


def test_ctrl_c_is_not_taken_for_the_fault_of_the_strategy():
    with pytest.raises(KeyboardInterrupt):
        plays_of(raising(KeyboardInterrupt()))


# Time


def endless(position):
    while True:
        pass


def endless_that_catches_exceptions(position):
    while True:
        try:
            time.sleep(0.01)
        except Exception:
            continue


class EndlessError(Exception):
    def __str__(self):
        while True:
            pass


@pytest.mark.parametrize("does", [endless, endless_that_catches_exceptions, raising(EndlessError())])
def test_a_strategy_that_takes_too_long_has_timed_out(does):
    assert faults_of(does, deadline=0.3) == {(Outcome.TIMED_OUT, "took more than 0.3 s for guess 2")}


def raising_a_timeout(position):
    raise TimeoutError("no answer")


def test_a_strategy_that_was_not_answered_has_timed_out_and_may_be_asked_again():
    ((outcome, message),) = faults_of(raising_a_timeout)
    assert outcome is Outcome.TIMED_OUT
    assert message.startswith("TimeoutError: no answer (test_referee.py")
    referee = Referee(GAME, first_consistent_but(does=raising_a_timeout), "seed 0", 30.0)
    plays = referee.play(load_puzzles(GAME))
    assert referee.unsure == sum(map(spoilt, plays)) > 0


# Notes


class Noting(wk.Strategy):
    """Guesses the first candidate, and notes it."""

    random: bool = False
    number: object = 0.5

    @wk.per_instance
    def stochastic(self):
        return self.random

    def guess(self, position):
        assert position.notes.get("calls", 0) == len(position.guesses) or not self.random
        position.looking_at("first").note(calls=1, tokens=self.number)
        return position.board.words[0]


def test_the_notes_of_a_strategy_are_kept_for_each_play():
    plays = wk.play(Noting(random=True), GAME)
    assert plays == FIRST
    assert all(play.notes == {"calls": len(play.guesses), "tokens": 0.5 * len(play.guesses)} for play in plays)


def test_the_notes_of_a_strategy_that_is_asked_once_for_several_puzzles_count_once():
    referee = Referee(GAME, Noting(), "seed 0", 30.0)
    plays = referee.play(load_puzzles(GAME))
    assert sum(play.notes.get("calls", 0) for play in plays) == referee.calls < sum(len(play.guesses) for play in plays)
    assert [play.notes for play in referee.play(load_puzzles(GAME))] == [{}] * len(plays)


def test_notes_from_before_a_fault_are_kept():
    def note_and_fail(position):
        position.note(calls=1)
        raise ValueError

    noted = [play.notes for play in plays_of(note_and_fail) if spoilt(play)]
    assert noted[0] == {"calls": 1}
    assert not any(noted[1:])


@pytest.mark.parametrize("number", [float("nan"), float("inf"), True, "7", None])
def test_only_finite_numbers_can_be_noted(number):
    (play,) = wk.play(Noting(number=number), GAME, ["bca"])
    assert play.outcome is Outcome.CRASHED
    assert f"note: 'tokens' is {number!r}; give finite numbers by name" in play.message
    assert play.notes == {"calls": 1}


def test_a_sum_that_is_too_large_is_not_noted():
    position = wk.Position.start(GAME)
    position.note(calls=1e308)
    with pytest.raises(wk.StrategyError, match="finite"):
        position.note(calls=1e308)
    assert position.notes == {"calls": 1e308}
    with pytest.raises(TypeError):
        position.notes["calls"] = 0
    assert position.copy().notes == {}


# How often strategies are asked, and their random numbers


class Counting(wk.Strategy):
    """Guesses the first candidate, and writes down where it was asked."""

    def guess(self, position):
        ASKED.append((position.guesses, position.board.feedback))
        return position.board.words[0]


ASKED = []


@pytest.fixture(autouse=True)
def nobody_asked():
    ASKED.clear()


def positions_of(plays):
    return {(play.guesses[:turn], play.feedback[:turn]) for play in plays for turn in range(len(play.guesses))}


def test_a_deterministic_strategy_is_asked_once_for_each_position():
    referee = Referee(GAME, Counting(), "seed 0", 30.0)
    plays = referee.play(load_puzzles(GAME))
    assert plays == FIRST
    assert len(ASKED) == len(set(ASKED)) == len(positions_of(plays)) == referee.calls


def test_its_answers_are_kept_for_further_puzzles():
    referee = Referee(GAME, Counting(), "seed 0", 30.0)
    referee.play(load_puzzles(GAME, ["abc", "abc"]))
    referee.play(load_puzzles(GAME))
    referee.play(load_puzzles(GAME, ["cba"]))
    assert len(ASKED) == len(set(ASKED)) == len(positions_of(FIRST)) == referee.calls


def test_a_stochastic_strategy_is_asked_for_every_guess_of_every_puzzle():
    class Dice(Counting):
        stochastic = True

    referee = Referee(GAME, Dice(), "seed 0", 30.0)
    plays = referee.play(load_puzzles(GAME))
    assert len(ASKED) == sum(len(play.guesses) for play in plays) == referee.calls


def test_a_stochastic_strategy_replays_under_its_seed_and_not_under_another():
    assert wk.play(RandomConsistent(), GAME, seed=5) == wk.play(RandomConsistent(), GAME, seed=5)
    assert wk.play(RandomConsistent(), GAME, seed=5) != wk.play(RandomConsistent(), GAME, seed=6)


def test_a_stochastic_strategy_replays_under_its_secret_and_meets_another_unless_it_is_given():
    one, other = ("0123456789abcdef" * 2, "fedcba9876543210" * 2)
    assert wk.play(RandomConsistent(), GAME, secret=one) == wk.play(RandomConsistent(), GAME, secret=one, seed=5)
    assert wk.play(RandomConsistent(), GAME, secret=one) != wk.play(RandomConsistent(), GAME, secret=other)
    assert wk.play(RandomConsistent(), GAME) != wk.play(RandomConsistent(), GAME)
    with pytest.raises(wk.WordleKitError, match="secret '7' is not 32 of the digits 0-9 and a-f"):
        wk.play(RandomConsistent(), GAME, secret="7")


@given(st.permutations(range(8)), st.integers(0, 8))
def test_chance_depends_on_the_number_of_a_puzzle_and_not_on_when_or_with_which_it_is_played(order, cut):
    puzzles = load_puzzles(GAME, 8)
    in_order = Referee(GAME, RandomConsistent(), "key", 30.0).play(puzzles)
    for numbers in (order[:cut], order[cut:]):
        part = replace(puzzles, ids=tuple(puzzles.ids[number] for number in numbers))
        plays = Referee(GAME, RandomConsistent(), "key", 30.0).play(part, numbers)
        assert plays == [in_order[number] for number in numbers]


def test_before_its_first_guess_a_strategy_sees_nothing_that_depends_on_the_hidden_word():
    openers = [
        [play.guesses[0] for play in wk.play(RandomConsistent(), GAME, words, seed=5)]
        for words in (GAME.answers, GAME.answers[::-1], [GAME.answers[3]] * len(GAME.answers))
    ]
    assert openers[0] == openers[1] == openers[2]
    assert len(set(openers[0])) > 9


def test_each_puzzle_and_each_turn_has_chances_of_its_own():
    openers = Counter(play.guesses[0] for play in wk.play(RandomConsistent(), GAME, seed=0))
    assert len(openers) > 9

    class Noting(RandomConsistent):
        def guess(self, position):
            ASKED.append(position.rng.getstate())
            return super().guess(position)

    wk.play(Noting(), GAME)
    assert len(set(ASKED)) == len(ASKED) > len(GAME.answers)


# Strategies that meddle


def forget_the_guesses(position):
    object.__setattr__(position, "guess_ids", ())


def drop_candidates(position):
    object.__setattr__(position.board, "candidates", position.board.candidates[:1])


def declare_victory(position):
    object.__setattr__(position.board, "codes", (GAME.winning_code,))


def lose_the_boards(position):
    object.__setattr__(position, "boards", ())


@pytest.mark.parametrize("meddle", [forget_the_guesses, drop_candidates, declare_victory, lose_the_boards])
@pytest.mark.parametrize("stochastic", [False, True])
def test_a_strategy_that_changes_its_position_gains_nothing_and_harms_nobody(meddle, stochastic):
    def does(position):
        guess = position.board.words[0]
        meddle(position)
        return guess

    plays = wk.play(first_consistent_but(does=does, stochastic=stochastic), GAME)
    for play, honest in zip(plays, FIRST, strict=True):
        assert play == honest or (spoilt(play) and play.outcome in (Outcome.ILLEGAL, Outcome.CRASHED))


# A budget for many decisions


@pytest.mark.parametrize("stochastic", [False, True])
def test_when_the_budget_is_spent_the_strategy_is_not_asked_again(stochastic):
    def think(position):
        time.sleep(0.2)
        return position.board.words[0]

    strategy = first_consistent_but(does=think, stochastic=stochastic)
    referee = TimedReferee(GAME, strategy, "seed 0", 30.0)
    referee.budget = Budget(0.5, "all the time was spent")
    plays = referee.play(load_puzzles(GAME))
    late = [play for play in plays if play.message]
    assert {(play.outcome, play.message) for play in late} == {
        (Outcome.TIMED_OUT, "not played: all the time was spent")
    }
    assert 3 <= len(late) < len(plays)
    asked = referee.calls
    assert [play for play in referee.play(load_puzzles(GAME)) if play.message]
    assert referee.calls == asked
    referee.budget = Budget()
    if not stochastic:
        assert referee.play(load_puzzles(GAME)) == FIRST  # decisions not made for lack of time are made now
