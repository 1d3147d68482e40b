"""Liu's strategies against slow twins, written from the definitions that give the figures of the paper."""

import itertools
import math
import random
from collections import Counter
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import small_games
from wordle_kit_data import FOLDER
from wordle_kit_plugins.liu import (
    Collocation,
    CollocationAsPrinted,
    GroupSplit,
    colour_groups,
    has_repeats,
    word_scores,
)

import wordle_kit as wk
from wordle_kit.plugins import default_plugins

often = settings(deadline=None, max_examples=40)
for_all = settings(deadline=None, max_examples=80)  # each position is for all strategies
STRATEGIES = {name: entry.value for name, entry in default_plugins().strategies.items() if entry.plugin == "liu"}

COLLOCATION = {
    # name: score, weight, divided by the weights, best, no repeats
    "liu-iii-un-max": ("entropy", "words", False, max, False),
    "liu-iii-un-min": ("entropy", "words", False, min, False),
    "liu-iii-wht-max": ("entropy", "words", True, max, False),
    "liu-iii-wht-min": ("entropy", "words", True, min, False),
    "liu-iv-un-max": ("entropy", "words", False, max, True),
    "liu-iv-un-min": ("entropy", "words", False, min, True),
    "liu-iv-wht-max": ("entropy", "words", True, max, True),
    "liu-iv-wht-min": ("entropy", "words", True, min, True),
    "liu-p1": ("divergence", "words", False, max, False),
    "liu-p2": ("divergence", "symbols", False, max, False),
    "liu-p3": ("divergence", "words", True, max, False),
    "liu-p4": ("divergence", "symbols", True, max, False),
    "liu-p5": ("divergence", "words", False, max, True),
    "liu-p6": ("divergence", "symbols", False, max, True),
    "liu-p7": ("divergence", "words", True, max, True),
    "liu-p8": ("divergence", "symbols", True, max, True),
}
SPLITS = {
    # name: score, divided by the number of groups, no repeats; the least is best
    "liu-i1": ("entropy", False, False),
    "liu-i2": ("divergence", False, False),
    "liu-i3": ("entropy", True, False),
    "liu-i4": ("divergence", True, False),
    "liu-i5": ("entropy", False, True),
    "liu-i6": ("divergence", False, True),
    "liu-i7": ("entropy", True, True),
    "liu-i8": ("divergence", True, True),
}
OPENERS = {
    "liu-iii-un-max": "eerie", "liu-iii-un-min": "fuzzy", "liu-iii-wht-max": "ozone", "liu-iii-wht-min": "humph",
    "liu-iv-un-max": "irate", "liu-iv-un-min": "jumpy", "liu-iv-wht-max": "axion", "liu-iv-wht-min": "chump",
    "liu-p1": "rarer", "liu-p2": "rarer", "liu-p3": "humph", "liu-p4": "humph",
    "liu-p5": "stare", "liu-p6": "stare", "liu-p7": "chump", "liu-p8": "chump",
    "liu-i1": "fuzzy", "liu-i2": "eerie", "liu-i3": "gamma", "liu-i4": "stare",
    "liu-i5": "jumbo", "liu-i6": "stare", "liu-i7": "lymph", "liu-i8": "stare",
}  # fmt: skip
"""What each guesses first among the 2,315 answers, by an independent implementation."""


# The twins


def symbol_score(symbol, words, alphabet, score):
    """The entropy of the symbols beside this one in the words, or their divergence from equal shares."""
    beside = Counter(
        word[there]
        for word in words
        for here, there in itertools.permutations(range(len(word)), 2)
        if word[here] == symbol
    )
    shares = [count / beside.total() for count in beside.values()]
    if score == "entropy":
        return sum(share * math.log2(1 / share) for share in shares)
    return sum(share * math.log2(len(alphabet) * share) for share in shares)


def symbol_weight(symbol, words, weight):
    """The share of words that have the symbol, or its share of all symbols of all words."""
    if weight == "words":
        return sum(symbol in word for word in words) / len(words)
    return sum(word.count(symbol) for word in words) / sum(len(word) for word in words)


@lru_cache
def symbol_scores(game, score):
    """The score of each symbol, from all answers."""
    symbols = game.alphabet.symbols
    return {symbol: symbol_score(symbol, game.answers, symbols, score) for symbol in symbols}


@lru_cache
def scores_by_hand(game, score, weight, normalised):
    """The score of each guess of a game by its symbols."""
    scores = symbol_scores(game, score)
    weights = {symbol: symbol_weight(symbol, game.answers, weight) for symbol in scores}
    found = {}
    for word in game.guesses:
        found[word] = sum(weights[symbol] * scores[symbol] for symbol in word)
        if normalised and found[word]:
            found[word] /= sum(weights[symbol] for symbol in word)
    return found


def split_by_hand(board, guess, score, normalised):
    """The entropy or the divergence of the groups of equal counts of colours; for Mastermind of all its feedback."""
    sizes = Counter()
    for answer, weight in zip(board.words, board.weights.tolist(), strict=True):
        marks = str(board.game.feedback(guess, answer))
        sizes["".join(sorted(marks)) if "," not in marks else marks] += weight
    shares = [size / board.mass for size in sizes.values() if size]
    if score == "entropy":
        value = sum(share * math.log(1 / share) for share in shares)
    else:
        value = sum(share * math.log(len(shares) * share) for share in shares)
    return value / len(shares) if normalised else value


def guess_by_hand(name, position):
    """The first of the best candidates, in the order of the guesses."""
    board = position.board
    *_, no_repeats = (COLLOCATION | SPLITS)[name]
    words = sorted(board.words, key=position.game.guess_index.__getitem__)
    colours = {mark for seen in board.feedback[:1] for mark in str(seen).replace(",", "")}
    if no_repeats and (position.turn == 1 or (position.turn == 2 and colours == {"0"})):
        words = [word for word in words if len(set(word)) == len(word)] or words
    if name in SPLITS:
        score, normalised, _ = SPLITS[name]
        values, best = {word: split_by_hand(board, word, score, normalised) for word in words}, min
    else:
        score, weight, normalised, best, _ = COLLOCATION[name]
        values = scores_by_hand(position.game, score, weight, normalised)
    most = best(values[word] for word in words)
    equal = [word for word in words if abs(values[word] - most) <= 1e-9]
    if name in COLLOCATION:
        return equal[0]
    weights = dict(zip(board.words, board.weights.tolist(), strict=True))
    every = sorted(board.words, key=position.game.guess_index.__getitem__)
    parts = {guess: [part for part in board.split(guess).values() if any(map(weights.get, part))] for guess in every}
    tells = [word for word in every if weights[word] or len(parts[word]) > 1]
    telling = [word for word in words if word in tells] or tells
    if equal[0] in telling:
        return equal[0]
    likely = [word for word in equal if weights[word]]
    values = {word: split_by_hand(board, word, score, normalised) for word in telling}
    least = min(values.values())
    return (likely or [word for word in telling if values[word] <= least + 1e-9])[0]


@st.composite
def positions(draw):
    """Draw a position of a small game, half of the time after a guess that found nothing."""
    game = draw(small_games(symbols=[3, 5, 6], lengths=[1, 3, 4], answers=(1, 30), guesses=(0, 10)))
    dice = random.Random(draw(st.integers(0, 2**32)))
    hidden = dice.choice(game.answers)
    telling_nothing = [guess for guess in game.guesses if set(str(game.feedback(guess, hidden))) <= {"0", ","}]
    position = wk.Position.start(game)
    for turn in range(dice.choice([0, 1, 1, 1, 2])):
        pool = telling_nothing if turn == 0 and telling_nothing and dice.random() < 0.5 else game.guesses
        guess = dice.choice(pool)
        after = position.after(guess, game.feedback(guess, hidden))
        position = after if after.open_boards else position
    return position


# The strategies


@pytest.fixture(scope="module")
def answers_only():
    """Return the 2,315 answers of Wordle, guessed among themselves, as the paper has it."""
    game = wk.load_game("wordle")
    return game.replace(guesses=game.answers)


def test_the_paper_has_seventeen_strategies_and_eight_more_columns():
    assert STRATEGIES.keys() == {"collocation-as-printed", *COLLOCATION, *SPLITS}
    assert STRATEGIES.keys() >= {f"liu-{family}{number}" for family in "ip" for number in range(1, 9)}


def guesses(position):
    """Return the guess of every strategy. All get the same positions, since to draw one takes longer than a guess."""
    return {name: STRATEGIES[name].guess(position) for name in OPENERS}


def guesses_by_hand(position):
    """Return what every strategy should guess."""
    return {name: guess_by_hand(name, position) for name in OPENERS}


@for_all
@given(position=positions())
def test_every_strategy_guesses_as_defined(position):
    assert guesses(position) == guesses_by_hand(position)


@pytest.mark.slow
@settings(deadline=None, max_examples=150)
@given(position=positions(), seed=st.integers(0, 2**32))
def test_with_weights_every_strategy_guesses_as_defined(position, seed):
    """However small the weights of the words that are left, and if all scores are 0 except for rounding."""
    dice = random.Random(seed)
    weights = [dice.choice([0, 1, 1, 3, 0.3, 1e-12]) for _ in position.game.answers]
    game = position.game.replace(weights=weights if any(weights) else None)
    weighted = wk.Position.start(game)
    for guess, seen in zip(position.guesses, position.board.feedback, strict=True):
        weighted = weighted.after(guess, str(seen))
    assert guesses(weighted) == guesses_by_hand(weighted)


@pytest.mark.parametrize("weight", [1, 1e-12])
def test_the_only_word_with_a_weight_is_guessed_before_words_without(weight):
    fields = {"name": "few", "alphabet": "abc", "length": 2, "answers": ["ab", "bc", "cc"]}
    start = wk.Position.start(wk.load_game(fields).replace(weights=[0, 0, weight]))
    assert {STRATEGIES[name].guess(start) for name in SPLITS} == {"cc"}


def test_the_first_guesses_among_the_answers_are_known(answers_only):
    assert guesses(wk.Position.start(answers_only)) == OPENERS


# Scores of words


@often
@given(
    position=positions(),
    score=st.sampled_from(["entropy", "divergence"]),
    weight=st.sampled_from(["words", "symbols"]),
    normalised=st.booleans(),
)
def test_a_word_scores_the_sum_over_its_symbols(position, score, weight, normalised):
    game = position.game
    by_hand = scores_by_hand(game, score, weight, normalised)
    assert word_scores(game, score, weight, normalised).tolist() == pytest.approx(
        [by_hand[word] for word in game.guesses], abs=1e-12
    )


# Rounding


def as_printed(name):
    """The strategy that plays a column of the letters with the paper's own sums."""
    score, weight, normalised, best, no_repeats = COLLOCATION[name]
    parameters = {"score": score, "weight": weight, "normalised": normalised, "no_repeats": no_repeats}
    return CollocationAsPrinted(best=best.__name__, **parameters)


@pytest.mark.slow
def test_by_one_way_of_adding_up_every_column_of_the_paper_comes_out_to_the_last_digit():
    from wordle_kit_plugins.papers.published import read_papers
    from wordle_kit_plugins.papers.reproduce import reproduce

    (paper,) = [paper for paper in read_papers(FOLDER / "published") if paper.paper == "liu"]
    rows = [
        row.model_copy(update={"strategy": as_printed(f"liu-{row.id}").spec})
        for row in paper.rows
        if f"liu-{row.id}" in COLLOCATION
    ]
    assert len(rows) == 16
    results = reproduce([paper.model_copy(update={"rows": rows})], [FOLDER / "words"], workers=1)
    assert [figure for result in results for figure in result.figures if figure.status != "exact"] == []
    assert {result.status for result in results} == {"exact"}


@pytest.mark.slow
@for_all
@given(position=positions())
def test_rounding_decides_only_between_words_that_score_the_same(position):
    board, ids = position.board, position.game.guess_index
    for name, (score, weight, normalised, best, _) in COLLOCATION.items():
        scores = word_scores(position.game, score, weight, normalised)
        let, first = (scores[ids[strategy.guess(position)]] for strategy in (as_printed(name), STRATEGIES[name]))
        assert let == pytest.approx(first, abs=1e-9), name
        if position.turn > 2:  # repeats count no more
            assert let == best(scores[board.candidate_guesses]), name


# Groups


def test_groups_are_those_of_table_vii_and_the_one_that_nothing_can_get(answers_only):
    marks = [str(answers_only.feedback_of(code)) for code in range(3**5)]
    groups = colour_groups(answers_only).tolist()
    by_group = {}
    for code, group in enumerate(groups):
        by_group.setdefault(group, set()).add(tuple(marks[code].count(mark) for mark in "210"))
    assert all(len(counts) == 1 for counts in by_group.values())
    possible = {counts for (counts,) in by_group.values()} - {(4, 1, 0)}
    assert len(possible) == len(by_group) - 1 == 20


def test_a_rule_that_gives_counts_groups_words_by_feedback_only():
    game = wk.load_game("mastermind")
    assert colour_groups(game).tolist() == list(range(game.table.n_codes))


@often
@given(
    position=positions(),
    score=st.sampled_from(["entropy", "divergence"]),
    normalised=st.booleans(),
    best=st.sampled_from(["max", "min"]),
    weights=st.none() | st.just([2.0, 0.0, 0.3, 1.0]),
)
def test_a_split_scores_the_shares_of_its_groups(position, score, normalised, best, weights):
    answers = position.game.answers
    board = wk.Board(
        position.game.replace(weights=weights and (weights * len(answers))[: len(answers)]), position.board.candidates
    )
    strategy = GroupSplit(score=score, normalised=normalised, best=best)
    sign = -1 if best == "max" else 1
    by_hand = [sign * split_by_hand(board, guess, score, normalised) for guess in board.game.guesses]
    assert strategy.scores(board, None).tolist() == pytest.approx(by_hand, abs=1e-12)


def test_placed_colours_are_told_apart_where_counted_ones_are_not():
    game = wk.load_game({"name": "two", "alphabet": "abcd", "length": 2, "answers": ["ab", "ac", "db", "cc"]})
    board = wk.Position.start(game).board
    (counted,) = GroupSplit(score="entropy").scores(board, np.array([0], dtype=np.int32))
    (placed,) = GroupSplit(score="entropy", colours="placed").scores(board, np.array([0], dtype=np.int32))
    assert game.guesses[0] == "ab"
    assert counted == pytest.approx(1.5 * math.log(2))
    assert placed == pytest.approx(2 * math.log(2))


# The rule against repeated symbols

REPEATS = {"name": "repeats", "alphabet": "abcdef", "length": 2, "answers": ["aa", "bb", "bc", "cc", "dd", "ee", "ef"]}


@pytest.mark.parametrize("kind", [Collocation, GroupSplit])
def test_the_second_guess_repeats_no_symbol_only_where_the_first_found_none(kind):
    start = wk.Position.start(wk.load_game(REPEATS))
    strategy = kind(no_repeats=True)

    def considered(position):
        return [position.game.guesses[guess] for guess in strategy.considered(position)]

    assert considered(start.after("aa", "00")) == ["bc", "ef"]
    assert considered(start.after("bc", "20")) == ["bb"]
    assert considered(start.after("aa", "00").after("dd", "00")) == ["bb", "bc", "cc", "ee", "ef"]


def test_where_all_candidates_repeat_a_symbol_one_of_them_is_guessed():
    answers = ["aa", "bb", "cc"]
    start = wk.Position.start(wk.load_game(REPEATS | {"answers": answers}))
    assert Collocation(no_repeats=True).guess(start) in answers
    assert Collocation(no_repeats=True).guess(start.after("aa", "00")) in answers[1:]


def test_1566_answers_repeat_no_letter(answers_only):
    assert len(answers_only.answers) - int(has_repeats(answers_only).sum()) == 1566


# The baseline


def test_hard_mode_guesses_each_candidate_at_times_and_no_other_word():
    game = wk.load_game(REPEATS)
    strategy = wk.load_strategy("random-consistent")
    guessed = {strategy.guess(wk.Position.start(game, seed=str(seed)).after("aa", "00")) for seed in range(200)}
    assert guessed == set(game.answers) - {"aa"}
    assert strategy.stochastic
