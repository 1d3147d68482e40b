"""Boards and positions: a player's knowledge, and the engine's functions of it."""

import itertools
import math
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
    "size": lambda size: size,
    "parts": lambda size: -np.ones_like(size),
    "singles last": lambda size: np.where(size == 1, -7.5, size),
}
memories = st.sampled_from([0, 100, 2**20])
"""Bytes for the feedback table: it is made guess by guess, in blocks of some guesses, or kept whole."""

slowly = settings(deadline=None, max_examples=60)


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


def cost_by_hand(board, guess, part_cost, over_parts="sum", group=lambda code: code):
    sizes = Counter(group(board.game.feedback(guess, answer).code) for answer in board.words)
    costs = [float(part_cost(np.array([float(size)]))[0]) for size in sizes.values()]
    return max(costs) if over_parts == "max" else math.fsum(costs)


def with_memory(board, memory):
    return wk.Board(board.game.replace(memory=memory), board.candidates, board.codes)


# The weights of the candidates

WEIGHTED = wk.load_game(PAIRS | {"weights": {"aaa": 5.0, "bbb": 0.0, "ccc": 0.0}})  # 63 others and aaa weigh 66


def board_of(*words):
    return wk.Board(WEIGHTED, np.array([WEIGHTED.answer_ids[word] for word in words], dtype=np.int32))


def test_the_weights_of_candidates_are_in_units_in_which_those_of_the_game_average_1():
    board = board_of("aaa", "aab", "bbb")
    assert board.weights.tolist() == pytest.approx([5 * 64 / 66, 64 / 66, 0])
    assert board.mass == pytest.approx(6 * 64 / 66)
    assert wk.Position.start(WEIGHTED).board.mass == pytest.approx(64)


def test_candidates_that_all_weigh_nothing_count_equally():
    board = board_of("bbb", "ccc")
    assert (board.weights.tolist(), board.mass) == ([1.0, 1.0], 2.0)


@pytest.mark.parametrize("weights", [None, [3.0] * 64])
def test_without_different_weights_each_candidate_counts_as_1(game, weights):
    board = start(game, weights=weights).board.after(0, 0)
    assert board.weights.tolist() == [1.0] * len(board)
    assert board.mass == len(board)
    assert not board.weights.flags.writeable


# How a guess splits the candidates


@slowly
@given(...)
def test_the_parts_of_a_guess_are_the_candidates_grouped_by_feedback(position: wk.Position):
    board = position.board
    for guess_id, guess in enumerate(position.game.guesses):
        by_hand = {seen.code: words for seen, words in parts_by_hand(board, guess).items()}
        parts = board.parts(guess_id)
        assert {code: tuple(position.game.answers[i] for i in ids) for code, ids in parts.items()} == by_hand


@slowly
@given(...)
def test_a_split_shows_the_same_parts_as_words_with_the_largest_first(position: wk.Position):
    guess = position.game.guesses[0]
    split = position.board.split(guess)
    assert split == parts_by_hand(position.board, guess)
    sizes = [len(words) for words in split.values()]
    assert sizes == sorted(sizes, reverse=True)


@slowly
@given(...)
def test_every_candidate_is_in_exactly_one_part(position: wk.Position):
    for guess in range(len(position.game.guesses)):
        in_parts = [i for ids in position.board.parts(guess).values() for i in ids.tolist()]
        assert sorted(in_parts) == position.board.candidates.tolist()


@slowly
@given(position=..., picks=..., memory=memories)
def test_part_sizes_count_the_candidates_of_each_code(position: wk.Position, picks: list[bool], memory):
    board = position.board
    some = np.array([i for i, pick in zip(range(len(board.game.guesses)), picks, strict=False) if pick], dtype=np.int32)
    for guesses in (None, some):
        sizes = with_memory(board, memory).part_sizes(guesses)
        ids = range(len(board.game.guesses)) if guesses is None else guesses.tolist()
        assert sizes.shape == (len(ids), board.game.table.n_codes)
        for row, guess in zip(sizes, ids, strict=True):
            by_hand = {seen.code: len(words) for seen, words in parts_by_hand(board, board.game.guesses[guess]).items()}
            assert {code: size for code, size in enumerate(row.tolist()) if size} == by_hand


@slowly
@given(
    position=...,
    picks=...,
    part_cost=st.sampled_from(list(COSTS.values())),
    over_parts=st.sampled_from(["sum", "max"]),
    memory=memories,
)
def test_the_cost_of_a_guess_is_the_sum_or_the_largest_over_its_parts(
    position: wk.Position, picks: list[bool], part_cost, over_parts, memory
):
    board = position.board
    some = np.array([i for i, pick in zip(range(len(board.game.guesses)), picks, strict=False) if pick], dtype=np.int32)
    for guesses in (None, some):
        ids = range(len(board.game.guesses)) if guesses is None else guesses.tolist()
        by_hand = [cost_by_hand(board, board.game.guesses[i], part_cost, over_parts) for i in ids]
        costs = with_memory(board, memory).costs(part_cost, guesses, over_parts)
        assert costs.tolist() == pytest.approx(by_hand, abs=1e-12)


@slowly
@given(position=..., n_groups=st.integers(1, 5), memory=memories)
def test_codes_of_one_group_make_one_part(position: wk.Position, n_groups, memory):
    board = position.board
    groups = np.arange(board.game.table.n_codes) % n_groups
    costs = with_memory(board, memory).costs(COSTS["entropy"], groups=groups)
    by_hand = [
        cost_by_hand(board, guess, COSTS["entropy"], group=lambda code: code % n_groups) for guess in board.game.guesses
    ]
    assert costs.tolist() == pytest.approx(by_hand, abs=1e-12)


def test_costs_are_right_where_guesses_fill_several_tiles_of_the_kernel():
    game = wk.load_game({"name": "tiles", "alphabet": "abcdef", "length": 3, "answers": "all"})
    board = wk.Position.start(game).after("abc", "001").board
    by_hand = [cost_by_hand(board, guess, COSTS["entropy"]) for guess in game.guesses]
    assert board.costs(COSTS["entropy"]).tolist() == pytest.approx(by_hand, abs=1e-12)


@slowly
@given(...)
def test_a_board_says_which_guesses_may_be_the_answer(position: wk.Position):
    board = position.board
    may_be = [guess in board.words for guess in board.game.guesses]
    assert board.is_candidate().tolist() == may_be
    assert board.is_candidate(np.array([0], dtype=np.int32)).tolist() == may_be[:1]
    assert [board.game.guesses[i] for i in board.candidate_guesses] == list(board.words)


def test_a_word_that_is_not_a_guess_cannot_be_split(game):
    with pytest.raises(wk.GameError, match="'abz' has 'z'"):
        start(game).board.split("abz")


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
@given(position=..., order=st.randoms(use_true_random=False))
def test_the_order_of_the_guesses_changes_no_candidate(position: wk.Position, order):
    assume(all(len(board.codes) == len(position.guesses) for board in position.boards))
    history = list(zip(position.guess_ids, *(board.codes for board in position.boards), strict=True))
    order.shuffle(history)
    other = wk.Position.start(position.game)
    for guess, *codes in history:
        other = other.after(guess, codes)
    assert [board.words for board in other.boards] == [board.words for board in position.boards]


@slowly
@given(...)
def test_a_part_has_the_candidates_that_remain_after_its_code(position: wk.Position):
    board = position.board
    for code, part in board.parts(0).items():
        after = board.after(0, code)
        assert after.words == board.with_part(code, part).words
        assert after.codes == board.with_part(code, part).codes == (*board.codes, code)


def test_the_last_candidate_is_kept_by_the_feedback_it_gives_and_no_other_is_possible(game):
    left = start(game).after("abc", "000").board
    assert left.words == ("ddd",)
    assert left.after(game.guess_ids["abd"], game.feedback("abd", "ddd").code).words == ("ddd",)
    for code in set(range(27)) - {game.feedback("abd", "ddd").code}:
        with pytest.raises(wk.GameError, match="no answer is left after abd got"):
            left.after(game.guess_ids["abd"], code)


@pytest.mark.parametrize("feedback", ["012", "⬜🟨🟩", [5], ["012"], [wk.load_game(PAIRS).read_feedback("012")]])
def test_feedback_may_be_a_code_digits_tiles_or_itself(game, feedback):
    position = start(game).after("abc", feedback)
    assert position.board.feedback == (game.read_feedback("012"),)
    assert position.board.words == ("bcc", "bdc")


def test_a_single_feedback_will_do_on_a_single_board(game):
    assert start(game).after("abc", game.feedback("abc", "bcc")).board.words == ("bcc", "bdc")


def test_a_position_leaves_the_one_before_it_as_it_was(game):
    before = start(game)
    before.after("abc", "000")
    assert (before.turn, before.guesses, len(before.board)) == (1, (), 64)


def test_a_position_knows_its_turn_its_guesses_and_their_feedback(game):
    position = start(game).after("abb", "200").after("aaa", "200")
    assert position.turn == 3
    assert position.guesses == ("abb", "aaa")
    assert [str(seen) for seen in position.board.feedback] == ["200", "200"]
    assert position.board.words == ("acc", "acd", "adc", "add")
    assert repr(position) == "<Position in pairs: abb 200, aaa 200; 4 left>"


@pytest.mark.parametrize(
    ("guess", "feedback", "complaint"),
    [
        ("abc", "222222", "'222222'"),
        ("abc", "22x", "'22x'"),
        ("aab", "112", "no answer"),
        ("abc", [10**6], "1000000"),
        ("abc", [], "pairs"),
        ("abc", ["000", "000"], "pairs"),
        ("abz", "000", "'abz'"),
        ("ab", "000", "'ab'"),
        (64, ["000"], "64 .*guess"),
        (-1, ["000"], "-1 .*guess"),
    ],
)
def test_impossible_feedback_is_named(game, guess, feedback, complaint):
    with pytest.raises(wk.GameError, match=complaint):
        start(game).after(guess, feedback)


def test_a_word_that_is_not_listed_is_not_a_guess():
    game = wk.load_game(PAIRS | {"answers": ["abc", "bca"]})
    with pytest.raises(wk.GameError, match="cab"):
        wk.Position.start(game).after("cab", "000")


# Several boards


def test_each_board_learns_from_every_guess_until_it_is_solved(game):
    position = start(game, boards=2).after("abc", ["222", "001"]).after("cda", ["000", "220"])
    solved, other = position.boards
    assert solved.is_solved
    assert [str(seen) for seen in solved.feedback] == ["222"]
    assert [str(seen) for seen in other.feedback] == ["001", "220"]
    assert position.open_boards == (other,)
    assert repr(position) == "<Position in pairs: abc 222/001, cda -/220; solved, 1 left>"


def test_the_board_to_look_at_is_the_open_one_with_the_fewest_candidates(game):
    position = start(game, boards=3).after("abc", ["222", "000", "200"])
    assert [len(board) for board in position.boards] == [1, 1, 4]
    assert position.board is position.boards[1]


@pytest.mark.parametrize(("choice", "number"), [("fewest", 4), ("most", 2), ("first", 1)])
def test_another_board_may_be_looked_at_but_never_a_solved_one(game, choice, number):
    position = start(game, boards=5).after("abc", ["222", "001", "200", "200", "000"])
    assert [len(board) for board in position.boards] == [1, 3, 4, 4, 1]
    assert position.looking_at(choice).board is position.boards[number]


def test_the_first_open_board_is_looked_at_even_if_more_is_known_of_others(game):
    position = start(game, boards=2).after("abc", ["001", "000"])
    assert [len(board) for board in position.boards] == [3, 1]
    chosen = {choice: position.looking_at(choice).board.words for choice in ("fewest", "most", "first")}
    assert chosen == {"fewest": ("ddd",), "most": position.boards[0].words, "first": position.boards[0].words}
    solved = position.looking_at("first").after("ddd", ["002", "222"]).after("ccd", ["222", "222"])
    assert solved.board is solved.boards[0]


@pytest.mark.parametrize("choice", ["fewest", "most", "first"])
def test_the_choice_of_the_board_is_kept_and_no_other_choice_changes(game, choice):
    position = start(game, boards=3).after("abc", ["001", "200", "000"])
    chosen = position.looking_at(choice)
    number = {"fewest": 2, "most": 1, "first": 0}[choice]
    assert chosen.board is position.boards[number]
    assert chosen.copy().board.candidates is position.boards[number].candidates
    after = chosen.after("bbb", ["000", "000", "000"])
    assert after.board is after.boards[number]
    assert (repr(chosen), chosen.guess_ids, chosen.boards) == (repr(position), position.guess_ids, position.boards)


def test_the_choice_of_the_board_keeps_the_random_numbers(game):
    position = wk.Position.start(game, seed="7")
    assert position.looking_at("most").rng.random() == position.rng.random()


@slowly
@given(one=..., other=...)
def test_boards_have_one_key_exactly_if_they_have_the_same_candidates_of_the_same_game(
    one: wk.Position, other: wk.Position
):
    boards = [*one.boards, *other.boards, *wk.Position.start(one.game).boards, one.board.copy()]
    boards.append(wk.Board(one.game.replace(hard_mode=not one.game.hard_mode), one.board.candidates))
    for here, there in itertools.combinations(boards, 2):
        same = here.game == there.game and here.words == there.words
        assert (here.key == there.key) == same
        assert (hash(here.key) == hash(there.key)) >= same


def test_the_key_of_a_board_says_nothing_of_how_it_was_learnt(game):
    one = start(game).after("aab", "000").after("dda", "000").board
    other = start(game).after("abd", "000").board
    assert one.words == other.words == ("ccc",)
    assert one.codes != other.codes
    assert one.key == other.key


def test_feedback_is_asked_for_on_every_board(game):
    with pytest.raises(wk.GameError, match="2 boards"):
        start(game, boards=2).after("abc", "000")


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
    assert [guess for guess in game.guesses if position.allows(guess) is None] == fitting
    if position.allowed is not None:
        assert [game.guesses[i] for i in position.allowed] == fitting


@slowly
@given(...)
def test_hard_mode_allows_every_candidate_of_a_single_board(position: wk.Position):
    assume(len(position.boards) == 1)
    position = wk.Position(position.game.replace(hard_mode=True), position.boards, position.guess_ids)
    assert [word for word in position.board.words if position.allows(word) is not None] == []


@slowly
@given(...)
def test_without_hard_mode_every_guess_is_allowed(position: wk.Position):
    position = wk.Position(position.game.replace(hard_mode=False), position.boards, position.guess_ids)
    assert position.allowed is None
    assert all(position.allows(guess) is None for guess in position.game.guesses)


def test_hard_mode_asks_for_as_many_copies_as_were_found(game):
    position = start(game, hard_mode=True).after("aba", "201")
    assert position.allows("aac") is None
    assert position.allows("acd") == "'acd' is not allowed in hard mode: must use 'a' 2 times, since 'aba' got 201"


def test_hard_mode_says_on_which_of_several_boards_a_guess_misses_something(game):
    position = start(game, boards=2, hard_mode=True).after("abc", ["200", "020"])
    assert "in hard mode on board 2: place 2 must be 'b'" in position.allows("aaa")


def test_a_word_outside_the_list_is_refused_by_name(game):
    assert start(game).allows("zzz") == "'zzz' is not among the guesses of pairs"


# Chance


def numbers(game, seed, *guesses):
    position = wk.Position.start(game, seed=seed)
    for guess in guesses:
        position = position.after(guess, [game.feedback(guess, "ccc")])
    return [position.rng.random() for _ in range(3)]


def test_random_numbers_are_the_same_for_the_same_seed_and_turn(game):
    assert numbers(game, "7") == numbers(game, "7")
    assert numbers(game, "7", "aaa") == numbers(game, "7", "abb")


def test_random_numbers_differ_between_seeds_and_between_turns(game):
    drawn = [numbers(game, "7"), numbers(game, "8"), numbers(game, "7", "aaa"), numbers(game, "7", "aaa", "bbb")]
    assert all(one != other for one, other in itertools.combinations(drawn, 2))


def test_random_numbers_go_on_within_a_decision(game):
    rng = wk.Position.start(game, seed="7").rng
    assert rng.random() != rng.random()


# Nobody can change a position


@pytest.mark.parametrize("attribute", ["game", "boards", "guess_ids"])
def test_a_position_is_read_only(game, attribute):
    position = start(game)
    with pytest.raises((AttributeError, TypeError)):
        setattr(position, attribute, getattr(position, attribute))


@pytest.mark.parametrize("attribute", ["game", "candidates", "codes"])
def test_a_board_is_read_only(game, attribute):
    board = start(game).board
    with pytest.raises((AttributeError, TypeError)):
        setattr(board, attribute, getattr(board, attribute))
