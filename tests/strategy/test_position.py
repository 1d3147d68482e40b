"""Boards and positions: a player's knowledge, and the engine's functions of it."""

import itertools
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import wordle_kit as wk

PAIRS = {"name": "pairs", "alphabet": "abcd", "length": 3, "answers": "all"}
COSTS = {
    "entropy": lambda size: size * np.log2(size),
    "expected size": lambda size: size * size,
    "singles last": lambda size: np.where(size == 1, -7.5, size),
}
memories = st.sampled_from([0, 100, 2**20])
"""Bytes for the feedback table: it is made guess by guess, in blocks of some guesses, or kept whole."""

slowly = settings(deadline=None, max_examples=25)


@pytest.fixture(scope="module")
def game():
    """Return all words of three letters over a, b, c, d: 64 of them."""
    return wk.load_game(PAIRS)


def start(game, boards=1, **changes):
    return wk.Position.start(game.replace(boards=boards, **changes))


def parts_by_hand(board, guess):
    parts = defaultdict(list)
    for answer in board.words:
        parts[board.game.feedback(guess, answer)].append(answer)
    return {seen: tuple(words) for seen, words in parts.items()}


def with_memory(board, memory):
    return wk.Board(board.game.replace(memory=memory), board.candidates, board.codes)


def picked(board, picks):
    """Return the indices of some guesses."""
    ids = [i for i, pick in zip(range(len(board.game.guesses)), picks, strict=False) if pick]
    return np.array(ids, dtype=np.int32)


# The weights of the candidates

WEIGHTED = wk.load_game(PAIRS | {"weights": {"aaa": 5.0, "bbb": 0.0, "ccc": 0.0}})  # 63 others and aaa weigh 66


def board_of(*words):
    return wk.Board(WEIGHTED, np.array([WEIGHTED.answer_index[word] for word in words], dtype=np.int32))


def test_the_weights_of_candidates_are_in_units_in_which_those_of_the_game_average_1():
    board = board_of("aaa", "aab", "bbb")
    assert board.weights.tolist() == pytest.approx([5 * 64 / 66, 64 / 66, 0])
    assert board.mass == pytest.approx(6 * 64 / 66)
    assert wk.Position.start(WEIGHTED).board.mass == pytest.approx(64)


def test_candidates_that_all_weigh_nothing_count_equally():
    board = board_of("bbb", "ccc")
    assert (board.weights.tolist(), board.mass) == ([1.0, 1.0], 2.0)


@pytest.mark.parametrize("weights", [None, [3.0] * 64], ids=["none", "equal"])
def test_without_different_weights_each_candidate_counts_as_1(game, weights):
    board = start(game, weights=weights).board.after(0, 0)
    assert board.weights.tolist() == [1.0] * len(board)
    assert board.mass == len(board)


# How a guess splits the candidates


@slowly
@given(...)
def test_the_parts_of_a_guess_are_the_candidates_grouped_by_feedback(position: wk.Position):
    board, game = position.board, position.game
    for guess_id, guess in enumerate(game.guesses):
        by_hand, split = parts_by_hand(board, guess), board.split(guess)
        assert split == by_hand
        parts = {code: tuple(game.answers[i] for i in ids) for code, ids in board.parts(guess_id).items()}
        assert parts == {seen.code: words for seen, words in by_hand.items()}
        sizes = [len(words) for words in split.values()]
        assert sizes == sorted(sizes, reverse=True)


@slowly
@given(position=..., picks=..., memory=memories)
def test_part_sizes_count_the_candidates_of_each_code(position: wk.Position, picks: list[bool], memory):
    board = position.board
    for guesses in (None, picked(board, picks)):
        sizes = with_memory(board, memory).part_sizes(guesses)
        ids = range(len(board.game.guesses)) if guesses is None else guesses.tolist()
        assert sizes.shape == (len(ids), board.game.table.n_codes)
        for row, guess in zip(sizes, ids, strict=True):
            by_hand = {seen.code: len(words) for seen, words in parts_by_hand(board, board.game.guesses[guess]).items()}
            assert {code: size for code, size in enumerate(row.tolist()) if size} == by_hand


@settings(deadline=None, max_examples=40)
@given(
    position=...,
    picks=...,
    part_cost=st.sampled_from(list(COSTS.values())),
    over_parts=st.sampled_from(["sum", "max"]),
    n_groups=st.none() | st.integers(1, 5),
    memory=memories,
)
def test_the_cost_of_a_guess_is_the_sum_or_the_largest_over_its_parts_or_groups_of_them(
    position: wk.Position, picks: list[bool], part_cost, over_parts, n_groups, memory
):
    board = position.board
    groups = np.arange(board.game.table.n_codes) % (n_groups or board.game.table.n_codes)

    def cost_by_hand(guess):
        sizes = Counter(groups[board.game.feedback(guess, answer).code] for answer in board.words)
        costs = [float(part_cost(np.array([float(size)]))[0]) for size in sizes.values()]
        return max(costs) if over_parts == "max" else sum(costs)

    for guesses in (None, picked(board, picks)):
        ids = range(len(board.game.guesses)) if guesses is None else guesses.tolist()
        found = with_memory(board, memory).costs(part_cost, guesses, over_parts, None if n_groups is None else groups)
        assert found.tolist() == pytest.approx([cost_by_hand(board.game.guesses[i]) for i in ids], abs=1e-12)


@slowly
@given(...)
def test_a_board_says_which_guesses_may_be_the_answer(position: wk.Position):
    board = position.board
    may_be = [guess in board.words for guess in board.game.guesses]
    assert board.is_candidate().tolist() == may_be
    assert board.is_candidate(np.array([0], dtype=np.int32)).tolist() == may_be[:1]
    assert [board.game.guesses[i] for i in board.candidate_guesses] == list(board.words)


# What feedback teaches


@slowly
@given(...)
def test_candidates_are_exactly_the_answers_that_agree_with_all_feedback(position: wk.Position):
    game = position.game
    for board in position.boards:
        agreeing = [
            answer
            for answer in game.answers
            if all(
                game.feedback(guess, answer) == seen
                for guess, seen in zip(position.guesses, board.feedback, strict=False)
            )
        ]
        assert list(board.words) == agreeing


@slowly
@given(...)
def test_a_part_has_the_candidates_that_remain_after_its_code(position: wk.Position):
    board = position.board
    for code, part in board.parts(0).items():
        after = board.after(0, code)
        assert after.words == board.with_part(code, part).words
        assert after.codes == board.with_part(code, part).codes == (*board.codes, code)


@pytest.mark.parametrize("kind", ["digits", "tiles", "code", "list", "itself"])
def test_feedback_may_be_a_code_digits_tiles_or_itself(game, kind):
    itself = game.feedback("abc", "bcc")
    feedback = {"digits": "012", "tiles": "⬜🟨🟩", "code": [5], "list": ["012"], "itself": itself}[kind]
    position = start(game).after("abc", feedback)
    assert position.board.feedback == (game.read_feedback("012"),)
    assert position.board.words == ("bcc", "bdc")


def test_a_position_knows_its_turn_its_guesses_and_their_feedback(game):
    position = start(game).after("abb", "200").after("aaa", "200")
    assert position.turn == 3
    assert position.guesses == ("abb", "aaa")
    assert [str(seen) for seen in position.board.feedback] == ["200", "200"]
    assert position.board.words == ("acc", "acd", "adc", "add")


@pytest.mark.parametrize(
    ("guess", "feedback", "fact"),
    [
        ("abc", "22x", "'22x'"),
        ("aab", "112", "aab got 112"),  # no answer is left
        ("abc", [10**6], "1000000"),
        ("abc", ["000", "000"], "2"),
        ("abz", "000", "'abz'"),
        ("ab", "000", "'ab'"),
        (64, ["000"], "64"),
        (-1, ["000"], "-1"),
    ],
)
def test_an_impossible_move_is_named(game, guess, feedback, fact):
    with pytest.raises(wk.GameError, match=fact):
        start(game).after(guess, feedback)


# Several boards


def test_each_board_learns_from_every_guess_until_it_is_solved(game):
    position = start(game, boards=2).after("abc", ["222", "001"]).after("cda", ["000", "220"])
    solved, other = position.boards
    assert solved.is_solved
    assert [str(seen) for seen in solved.feedback] == ["222"]
    assert [str(seen) for seen in other.feedback] == ["001", "220"]
    assert position.open_boards == (other,)


def test_a_strategy_looks_at_the_open_board_with_the_fewest_candidates(game):
    position = wk.Position.start(game.replace(boards=5), seed="7").after("abc", ["222", "001", "200", "200", "000"])
    assert [len(board) for board in position.boards] == [1, 3, 4, 4, 1]
    assert position.board is position.boards[4]


@slowly
@given(one=..., other=...)
def test_boards_have_one_key_exactly_if_they_have_the_same_candidates_of_the_same_game(
    one: wk.Position, other: wk.Position
):
    boards = [*one.boards, *other.boards, *wk.Position.start(one.game).boards]
    boards.append(wk.Board(one.game.replace(hard_mode=not one.game.hard_mode), one.board.candidates))
    for here, there in itertools.combinations(boards, 2):
        same = here.game == there.game and here.words == there.words
        assert (here.key == there.key) == same


# Hard mode


def fits_by_definition(game, guess, earlier, seen):
    """Return whether hard mode allows a guess, from the words of the rule: revealed hints must be used."""
    if game.rule.name == "mastermind":
        return game.feedback(earlier, guess) == seen
    marks = str(seen)
    in_place = all(guess[i] == earlier[i] for i, mark in enumerate(marks) if mark == "2")
    found = Counter(symbol for symbol, mark in zip(earlier, marks, strict=True) if mark in "12")
    return in_place and all(guess.count(symbol) >= count for symbol, count in found.items())


@slowly
@given(...)
def test_hard_mode_allows_exactly_the_guesses_that_use_all_hints(position: wk.Position):
    game = position.game.replace(hard_mode=True)
    assume(game.rule.name in ("wordle", "mastermind"))
    position = wk.Position(game, position.boards, position.guess_ids)
    fitting = [
        guess
        for guess in game.guesses
        if all(
            fits_by_definition(game, guess, earlier, seen)
            for board in position.open_boards
            for earlier, seen in zip(position.guesses, board.feedback, strict=True)
        )
    ]
    assert [guess for guess in game.guesses if position.problem_with(guess) is None] == fitting
    if position.allowed is not None:
        assert [game.guesses[i] for i in position.allowed] == fitting


@pytest.mark.parametrize(
    ("boards", "earlier", "seen", "guess", "facts"),
    [
        (1, "aba", ["201"], "acd", ["'acd'", "'a'", "2"]),
        (1, "abc", ["200"], "bca", ["place 1", "'a'"]),
        (2, "abc", ["200", "020"], "aca", ["board 2", "place 2", "'b'"]),
        (1, "abc", ["000"], "zzz", ["'zzz'"]),
    ],
)
def test_a_guess_that_is_not_allowed_is_named_with_the_hint_that_it_ignores(game, boards, earlier, seen, guess, facts):
    problem = start(game, boards=boards, hard_mode=True).after(earlier, seen).problem_with(guess)
    assert [fact for fact in facts if fact not in problem] == []


# Chance


def numbers(game, seed, *guesses):
    position = wk.Position.start(game, seed=seed)
    for guess in guesses:
        position = position.after(guess, [game.feedback(guess, "ccc")])
    return [position.rng.random() for _ in range(3)]


def test_random_numbers_depend_on_the_seed_and_the_turn_alone(game):
    assert numbers(game, "7", "aaa") == numbers(game, "7", "abb")
    drawn = [numbers(game, "7"), numbers(game, "8"), numbers(game, "7", "aaa"), numbers(game, "7", "aaa", "bbb")]
    assert all(one != other for one, other in itertools.combinations(drawn, 2))


# Nobody can change a position


def test_positions_and_boards_are_read_only(game):
    position = start(game)
    for kept, attributes in ((position, "game boards guess_ids"), (position.board, "game candidates codes")):
        for attribute in attributes.split():
            with pytest.raises((AttributeError, TypeError)):
                setattr(kept, attribute, getattr(kept, attribute))
    assert not position.board.candidates.flags.writeable


def test_numbers_of_numpy_may_be_noted():
    position = wk.Position.start(wk.load_game("wordle"))
    position.note(tokens=np.int64(3), seconds=np.float32(0.5))
    position.note(tokens=np.int64(3))
    assert dict(position.notes) == {"tokens": 6, "seconds": 0.5}
    assert {type(number) for number in position.notes.values()} == {int, float}
