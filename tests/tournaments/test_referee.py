"""The referee: how a play ends. A strategy's failure is a result and harms no other strategy."""

import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wordle_kit_plugins.baselines import FirstConsistent, RandomConsistent
from wordle_kit_plugins.partition import Entropy

import wordle_kit as wk
from wordle_kit.api import load_puzzles
from wordle_kit.tournaments.referee import Referee
from wordle_kit.tournaments.runs import Outcome

GAME = wk.load_game({"name": "abc", "alphabet": "abc", "length": 3, "answers": "all", "max_guesses": 4})
FIRST = wk.play(FirstConsistent(), GAME)
"""What the plays of a strategy without a fault look like."""


def first_consistent_but(does, stochastic=False):
    """Return a strategy that guesses the first candidate, until the guess `aaa` got 000: then it misbehaves."""

    class Faulty(wk.Strategy):
        def guess(self, position):
            if position.guesses[:1] == ("aaa",) and str(position.board.feedback[0]) == "000":
                return does(position)
            return position.board.words[0]

    Faulty.stochastic = stochastic
    return Faulty()


def spoilt(play):
    """Return whether a play of the faulty strategy reaches the point where it misbehaves."""
    return not set("a") & set(play.puzzle[0])


def fault_of(does, deadline=30.0):
    """Return how the affected plays ended, with their message; all others must be unaffected."""
    plays = wk.play(first_consistent_but(does), GAME, deadline=deadline)
    assert [play for play in plays if not spoilt(play)] == [play for play in FIRST if not spoilt(play)]
    at_fault = [play for play in plays if spoilt(play)]
    assert {play.turns for play in at_fault} == {None}
    assert {(play.guesses, play.feedback) for play in at_fault} == {(("aaa",), (("000",),))}
    (fault,) = {(play.outcome, play.message) for play in at_fault}
    return fault


# Plays without a fault


def test_a_play_has_the_puzzle_the_guesses_and_their_feedback():
    (play,) = wk.play(FirstConsistent(), GAME, ["bca"])
    assert play.puzzle == ("bca",)
    assert play.guesses == ("aaa", "bba", "bca")
    assert play.feedback == (("002",), ("202",), ("222",))
    assert (play.outcome, play.turns, play.message) == (Outcome.SOLVED, 3, "")


def test_a_puzzle_solved_after_the_last_allowed_guess_is_out_of_guesses_but_its_turns_are_known():
    slow = wk.play(FirstConsistent(), GAME.replace(max_guesses=2))
    for play in slow:
        assert play.outcome is (Outcome.SOLVED if play.turns <= 2 else Outcome.OUT_OF_GUESSES)
    assert [play.turns for play in slow] == [play.turns for play in FIRST]


def test_a_puzzle_that_is_never_solved_ends_at_the_cap():
    class Stubborn(wk.Strategy):
        def guess(self, position):
            return "aaa"

    (play,) = wk.play(Stubborn(), GAME, ["abc"])
    assert GAME.cap == 4 + 24
    assert (play.outcome, play.turns) == (Outcome.OUT_OF_GUESSES, None)
    assert play.guesses == ("aaa",) * GAME.cap
    assert str(GAME.cap) in play.message


def test_plays_come_in_the_order_of_the_puzzles_however_often_a_word_is_there():
    order = ["cab", "abc", "cab", "bbb"]
    assert [play.puzzle[0] for play in wk.play(FirstConsistent(), GAME, order)] == order


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


@pytest.mark.parametrize(("boards", "max_guesses"), [(1, 1), (1, 4), (2, 4), (8, 12), (64, 70)])
@pytest.mark.parametrize("strategy", [FirstConsistent(), Entropy(), InTurn(), InTurn(short_of=9)])
def test_on_any_number_of_boards_a_play_is_that_of_a_slow_simulation(strategy, boards, max_guesses):
    game = GAME.replace(boards=boards, max_guesses=max_guesses)
    puzzles = load_puzzles(game, 4, repeats=boards > 2)
    plays = wk.play(strategy, game, puzzles)
    assert plays == [play_by_hand(strategy, game, puzzles.words(puzzle)) for puzzle in range(4)]
    for play in plays:
        by_hand = [play.guesses.index(word) + 1 if word in play.guesses else None for word in play.puzzle]
        assert list(play.board_turns) == by_hand
        assert play.turns == (None if None in by_hand else max(by_hand))


@settings(max_examples=20)
@given(puzzles=st.lists(st.tuples(*[st.sampled_from(GAME.answers)] * 3), min_size=1, max_size=20))
def test_puzzles_that_are_played_together_are_played_as_each_alone(puzzles):
    game = GAME.replace(boards=3)
    plays = wk.play(Entropy(), game, [" ".join(hidden) for hidden in puzzles])
    assert plays == [play_by_hand(Entropy(), game, hidden) for hidden in puzzles]


# Illegal guesses


@pytest.mark.parametrize(
    ("guess", "named"), [("xyz", "'xyz'"), ("", "''"), ("BBB", "'BBB'"), (None, "return"), (7, "7"), ("x" * 999, "xxx")]
)
def test_a_guess_that_is_not_a_word_of_the_game_is_illegal(guess, named):
    outcome, message = fault_of(lambda position: guess)
    assert outcome is Outcome.ILLEGAL
    assert named in message
    assert "guess 2" in message
    assert len(message) < 400


class Repeats(wk.Strategy):
    """Guess abc, and then something else."""

    second: str

    def guess(self, position):
        return "abc" if position.turn == 1 else self.second


def test_a_guess_that_hard_mode_forbids_is_illegal_and_the_reason_is_given():
    (play,) = wk.play(Repeats(second="caa"), GAME.replace(hard_mode=True), ["acb"])
    assert play.outcome is Outcome.ILLEGAL
    assert "place 1 must be 'a', since 'abc' got 211" in play.message
    assert wk.play(Repeats(second="caa"), GAME, ["acb"])[0].outcome is Outcome.OUT_OF_GUESSES


def test_hard_mode_names_the_board_on_which_a_guess_misses_something_unless_it_is_solved():
    game = GAME.replace(boards=2, hard_mode=True)
    kept, broken, solved = wk.play(Repeats(second="acb"), game, ["acb acb", "acb bbc", "acb abc"])
    assert (kept.outcome, kept.turns) == (Outcome.SOLVED, 2)
    assert broken.outcome is Outcome.ILLEGAL
    assert "board 2: place 2 must be 'b'" in broken.message
    assert (solved.outcome, solved.board_turns) == (Outcome.SOLVED, (2, 1))


# Crashes


def raising(error):
    def does(position):
        raise error

    return does


def deeper(position):
    return deeper(position)


@pytest.mark.parametrize(
    ("does", "named"),
    [
        (raising(ZeroDivisionError("by nought")), "ZeroDivisionError: by nought (test_referee.py, line "),
        (raising(ValueError("one\ntwo")), "ValueError: one two (test_referee.py, line "),
        (raising(SystemExit(3)), "SystemExit: 3 (test_referee.py, line "),
        (raising(MemoryError()), "MemoryError (test_referee.py, line "),
        (deeper, "RecursionError"),
        (lambda position: position.after("aaa", "222"), "aaa got 222"),
    ],
)
def test_a_strategy_that_raises_has_crashed_with_the_error_and_its_line(does, named):
    outcome, message = fault_of(does)
    assert outcome is Outcome.CRASHED
    assert named in message
    assert "guess 2" in message
    assert "\n" not in message


def test_ctrl_c_is_not_taken_for_the_fault_of_the_strategy():
    with pytest.raises(KeyboardInterrupt):
        wk.play(first_consistent_but(raising(KeyboardInterrupt())), GAME)


# Time


@pytest.mark.slow
def test_a_strategy_that_takes_too_long_has_timed_out():
    outcome, message = fault_of(lambda position: time.sleep(600), deadline=10)  # which holds for good guesses, too
    assert outcome is Outcome.TIMED_OUT
    assert "10 s for guess 2" in message


def test_a_strategy_that_was_not_answered_has_timed_out():
    outcome, message = fault_of(raising(TimeoutError("no answer")))
    assert outcome is Outcome.TIMED_OUT
    assert "no answer (test_referee.py" in message


# Notes


class Noting(wk.Strategy):
    """Guesses the first candidate, and notes it."""

    random: bool = False
    number: object = 0.5

    @wk.per_instance
    def stochastic(self):
        return self.random

    def guess(self, position):
        position.note(calls=1, tokens=self.number)
        return position.board.words[0]


def test_the_notes_of_a_strategy_are_kept_for_each_play():
    plays = wk.play(Noting(random=True), GAME)
    assert plays == FIRST
    assert all(play.notes == {"calls": len(play.guesses), "tokens": 0.5 * len(play.guesses)} for play in plays)


def test_the_notes_of_a_strategy_that_is_asked_once_for_several_puzzles_count_once():
    played = Referee(GAME, Noting(), "seed 0", 30.0).play(load_puzzles(GAME))
    assert sum(play.notes.get("calls", 0) for play in played.plays) == played.calls
    assert played.calls < sum(len(play.guesses) for play in played.plays)


@pytest.mark.parametrize("number", [float("nan"), "7"])
def test_only_finite_numbers_can_be_noted_and_notes_from_before_a_fault_are_kept(number):
    (play,) = wk.play(Noting(number=number), GAME, ["bca"])
    assert play.outcome is Outcome.CRASHED
    assert repr(number) in play.message
    assert play.notes == {"calls": 1}


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


def test_a_deterministic_strategy_is_asked_once_for_each_position_of_all_puzzles():
    referee = Referee(GAME, Counting(), "seed 0", 30.0)
    first, second = (referee.play(load_puzzles(GAME, source)) for source in (["abc", "abc"], None))
    assert second.plays == FIRST
    positions = {(play.guesses[:turn], play.feedback[:turn]) for play in FIRST for turn in range(len(play.guesses))}
    assert len(ASKED) == len(set(ASKED)) == len(positions) == first.calls + second.calls


def test_a_stochastic_strategy_is_asked_for_every_guess_of_every_puzzle():
    class Dice(Counting):
        stochastic = True

    played = Referee(GAME, Dice(), "seed 0", 30.0).play(load_puzzles(GAME))
    assert len(ASKED) == sum(len(play.guesses) for play in played.plays) == played.calls


@pytest.mark.parametrize("boards", [1, 3])
def test_a_stochastic_strategy_replays_under_its_seed_and_not_under_another(boards):
    game = GAME.replace(boards=boards)
    puzzles = load_puzzles(game, 20)
    assert wk.play(RandomConsistent(), game, puzzles, seed=5) == wk.play(RandomConsistent(), game, puzzles, seed=5)
    assert wk.play(RandomConsistent(), game, puzzles, seed=5) != wk.play(RandomConsistent(), game, puzzles, seed=6)
    assert wk.play(RandomConsistent(), game, puzzles) == wk.play(RandomConsistent(), game, puzzles, seed=0)


def test_a_secret_takes_the_place_of_the_seed():
    one, other = ("0123456789abcdef" * 2, "fedcba9876543210" * 2)
    assert wk.play(RandomConsistent(), GAME, secret=one) == wk.play(RandomConsistent(), GAME, secret=one, seed=5)
    assert wk.play(RandomConsistent(), GAME, secret=one) != wk.play(RandomConsistent(), GAME, secret=other)
    with pytest.raises(wk.WordleKitError, match="'7'"):
        wk.play(RandomConsistent(), GAME, secret="7")


@given(st.permutations(range(8)), st.integers(0, 8))
def test_chance_depends_on_the_number_of_a_puzzle_and_not_on_when_or_with_which_it_is_played(order, cut):
    puzzles = load_puzzles(GAME, 8)
    in_order = Referee(GAME, RandomConsistent(), "key", 30.0).play(puzzles).plays
    for numbers in (order[:cut], order[cut:]):
        part = replace(puzzles, ids=tuple(puzzles.ids[number] for number in numbers))
        plays = Referee(GAME, RandomConsistent(), "key", 30.0).play(part, numbers).plays
        assert plays == [in_order[number] for number in numbers]


def test_before_its_first_guess_a_strategy_sees_nothing_that_depends_on_the_hidden_word():
    openers = [
        [play.guesses[0] for play in wk.play(RandomConsistent(), GAME, words, seed=5)]
        for words in (GAME.answers, GAME.answers[::-1], [GAME.answers[3]] * len(GAME.answers))
    ]
    assert openers[0] == openers[1] == openers[2]
    assert len(set(openers[0])) > 9


def test_each_puzzle_and_each_turn_has_chances_of_its_own():
    class Writing(RandomConsistent):
        def guess(self, position):
            ASKED.append(position.rng.getstate())
            return super().guess(position)

    wk.play(Writing(), GAME)
    assert len(set(ASKED)) == len(ASKED) > len(GAME.answers)


# Strategies that spoil their position


def test_a_strategy_that_changes_its_position_spoils_no_play_of_another_puzzle():
    def does(position):
        guess = position.board.words[0]
        object.__setattr__(position, "guess_ids", ())
        return guess

    plays = wk.play(first_consistent_but(does), GAME)
    for play, honest in zip(plays, FIRST, strict=True):
        assert play == honest or (spoilt(play) and play.outcome in (Outcome.ILLEGAL, Outcome.CRASHED))
