"""Perfect play equals brute force on small games, and published figures on large ones."""

import itertools
import tempfile
from functools import cache
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wordle_kit as wk
from wordle_kit.exact import optimal as optimal_module
from wordle_kit.exact.checkpoint import Checkpoint
from wordle_kit.exact.objective import Objective
from wordle_kit.exact.opening import Opening
from wordle_kit.exact.optimal import optimal
from wordle_kit.exact.search import ORDERS, Search
from wordle_kit.game.words import Alphabet
from wordle_kit.strategy.position import Position

few = settings(max_examples=60, deadline=None)


def brute_force(game, limit=10**9, opener=None, *, weigh_late=False):
    """Return the least of answers solved after more than `limit` guesses, and total of guesses times weights.

    Late answers count by their weights if `weigh_late`, else each as one.
    """
    weights = game.weights or (1,) * len(game.answers)
    weights_late = weights if weigh_late else (1,) * len(game.answers)

    @cache
    def cost(candidates, allowed, depth, guesses):
        best = (10**9, 0)
        for guess in guesses or allowed:
            parts = {}
            for answer in candidates:
                parts.setdefault(code_of(game, guess, answer), []).append(answer)
            if len(parts) == 1 and game.winning_code not in parts:
                continue  # it tells nothing
            won = game.winning_code in parts
            won_late = weights_late[game.answers.index(game.guesses[guess])] if won and depth > limit else 0
            costs = [(won_late, sum(weights[answer] for answer in candidates))]
            for code, part in parts.items():
                if code != game.winning_code:
                    costs.append(cost(tuple(part), narrowed(game, allowed, guess, code), depth + 1, None))
            best = min(best, tuple(round(sum(parts), 9) for parts in zip(*costs, strict=True)))
        return best

    first = None if opener is None else (opener,)
    return cost(tuple(range(len(game.answers))), tuple(range(len(game.guesses))), 1, first)


@cache
def code_of(game, guess, answer):
    """Return the code of a guess against an answer, from the rule itself."""
    return game.rule.code(game.alphabet.split(game.guesses[guess]), game.alphabet.split(game.answers[answer]))


@cache
def narrowed(game, allowed, guess, code):
    """Return the guesses that are still allowed, asked of the rule one by one."""
    if not game.hard_mode:
        return allowed
    split = game.alphabet.split
    earlier = split(game.guesses[guess])
    return tuple(g for g in allowed if game.rule.hard_mode_problem(split(game.guesses[g]), earlier, code) is None)


@st.composite
def small_games(draw, *, weights=False, decimals=None, most=9, extra=6):
    """Draw a game of up to `most` answers and `extra` further guesses of three symbols, by some rule."""
    plugins = wk.Plugins.load()
    rule = plugins.rules[
        draw(st.sampled_from(["wordle", "mastermind", "wordle-uncounted", "wordle-left-to-right"]))
    ].value
    word = st.text("abcd", min_size=3, max_size=3)
    words = draw(st.lists(word, min_size=1, max_size=most + extra, unique=True))
    n = draw(st.integers(1, min(most, len(words))))
    kinds = st.one_of(st.integers(0, 5), st.floats(0.01, 3) if decimals is None else st.decimals(0, 3, places=decimals))
    return wk.Game(
        name="small",
        alphabet=Alphabet("abcd"),
        answers=[tuple(w) for w in words[:n]],
        guesses=[tuple(w) for w in sorted(words)],
        rule=rule,
        hard_mode=draw(st.booleans()),
        weights=[*map(float, draw(st.lists(kinds, min_size=n - 1, max_size=n - 1))), 1] if weights else None,
    )


@st.composite
def hard_games(draw):
    """Draw a game of up to ten answers and few further guesses that tell little, so that many guesses are needed."""
    words = draw(st.lists(st.text("abcdefgh", min_size=2, max_size=2), min_size=5, max_size=12, unique=True))
    return wk.Game(
        name="hard",
        alphabet=Alphabet("abcdefgh"),
        answers=[tuple(w) for w in words[:10]],
        guesses=[tuple(w) for w in sorted(words)],
        rule=wk.Plugins.load().rules["wordle"].value,
    )


@few
@given(small_games(), st.sampled_from(ORDERS))
def test_the_mean_is_that_of_brute_force(game, order):
    solution = optimal(game, order=order)
    assert solution.is_proved
    assert (0, solution.total) == brute_force(game)
    assert solution.lower == solution.total


@few
@given(small_games(weights=True))
def test_the_weighted_mean_is_that_of_brute_force(game):
    solution = optimal(game)
    assert solution.is_proved
    assert solution.total == pytest.approx(brute_force(game)[1], rel=1e-9)


@few
@given(small_games(weights=True, decimals=2), st.integers(1, 4))
def test_with_weights_what_is_late_is_that_of_brute_force(game, k):
    solution = optimal(game, objective=f"within-{k}")
    assert solution.is_proved
    assert (solution.late, solution.total) == pytest.approx(brute_force(game, k, weigh_late=True), rel=1e-6)
    assert solution.late_lower == pytest.approx(solution.late, rel=1e-6)


@few
@given(small_games(weights=True))
def test_with_weights_the_worst_case_is_that_of_brute_force(game):
    solution = optimal(game, objective="worst")
    assert solution.is_proved
    assert (0, solution.total) == pytest.approx(brute_force(game, solution.worst), rel=1e-9)
    assert brute_force(game, solution.worst - 1)[0] > 0
    within = optimal(game, at_most=solution.worst)
    assert (within.total, within.is_proved) == (pytest.approx(solution.total, rel=1e-9), True)


@few
@given(small_games())
def test_the_worst_case_is_that_of_brute_force(game):
    solution = optimal(game, objective="worst")
    assert solution.is_proved
    assert brute_force(game, solution.worst) == (0, solution.total)
    assert brute_force(game, solution.worst - 1)[0] > 0
    assert solution.worst_lower == solution.worst


@few
@given(hard_games())
def test_the_worst_case_by_ranking_first_guesses_is_that_of_brute_force(game):
    with ranking():
        solution = optimal(game, objective="worst")
    assert solution.is_proved
    assert brute_force(game, solution.worst) == (0, solution.total)
    assert brute_force(game, solution.worst - 1)[0] > 0


@few
@given(small_games(), st.sampled_from(["mean", "worst", "within-2"]))
def test_first_guesses_that_are_ranked_come_to_the_same_as_one_search_of_all(game, objective):
    with ranking():
        ranked = optimal(game, objective=objective)
    at_once = optimal(game, objective=objective)
    assert (ranked.total, ranked.lower, ranked.late, ranked.is_proved) == (
        at_once.total,
        at_once.lower,
        at_once.late,
        True,
    )


def ranking():
    """Return a context in which first guesses are ranked however few candidates there are."""
    return mock.patch.object(optimal_module, "AT_ONCE", 0)


@few
@given(small_games(), st.integers(1, 4))
def test_what_is_solved_within_k_is_that_of_brute_force(game, k):
    solution = optimal(game, objective=f"within-{k}")
    assert solution.is_proved
    assert (solution.late, solution.total) == brute_force(game, k)


@few
@given(small_games(), st.data())
def test_an_opener_costs_what_brute_force_says(game, data):
    opener = data.draw(st.integers(0, len(game.guesses) - 1))
    wanted = brute_force(game, opener=opener)
    if wanted[0] == 10**9:  # it tells nothing, which brute force leaves out
        return
    solution = optimal(game, game.guesses[opener])
    assert (0, solution.total) == wanted
    assert solution.opener == game.guesses[opener]


@few
@given(small_games(), st.integers(1, 3))
def test_a_breadth_gives_bounds_on_both_sides(game, breadth):
    solution = optimal(game, breadth=breadth)
    assert solution.lower <= brute_force(game)[1] <= solution.total


@few
@given(small_games(), st.integers(1, 3))
def test_what_a_breadth_leaves_open_is_not_called_the_least_worst_case(game, breadth):
    solution = optimal(game, objective="worst", breadth=breadth)
    assert not solution.is_proved or solution.worst == optimal(game, objective="worst").worst
    assert solution.worst_lower <= solution.worst


def test_what_is_kept_of_a_first_guess_is_true_with_so_many_guesses_left():
    """The worst case is searched with 1, 2, 3 ... guesses left, and each time other costs are found."""
    words = ["ce", "eg", "ac", "fg", "fe", "db", "ad", "gd", "de", "gc", "ee"]
    game = wk.load_game({"name": "small", "alphabet": "abcdefg", "length": 2, "answers": words})
    kept = []
    keeping = mock.patch.object(Checkpoint, "keep_openings", lambda _, left, known: kept.append((left, dict(known))))
    fast = mock.patch("time.process_time", itertools.count(0, 100).__next__)  # only what takes seconds is kept
    with tempfile.TemporaryDirectory() as folder, ranking(), keeping, fast:
        optimal(game, objective="worst", checkpoint=Path(folder, "kept.sqlite"))
    assert len({left for left, _ in kept}) > 1
    everything = Position.start(game).board.candidates
    for left, known in kept:
        for column, (lower, is_exact) in known.items():
            search = Search(game, everything, objective=Objective.read("worst", None))
            opening = Opening(search, column, left)
            opening.solve()
            assert lower == opening.lower if is_exact else lower <= opening.lower


@pytest.mark.parametrize("opener", ["these", "fuzzy", "mamma"])
def test_what_a_breadth_finds_is_what_its_tree_costs(opener):
    """Many answers are much alike here, so a few guesses a set leave some budgets of its parts unmet."""
    game = wk.load_game("wordle")
    start = Position.start(game).board
    for part in start.parts(game.guess_ids[opener]).values():
        if 20 <= len(part) <= 130:
            search = Search(game, part, objective=Objective.read("mean", None))
            found = search.solve(search.everything, -1, quick=3)
            assert found == cost_of(game, search.tree(search.everything, -1, quick=3), part)


def cost_of(game, node, answers, turn=1):
    """Return the total of guesses that a tree takes for some answers."""
    parts = {}
    for answer in answers:
        parts.setdefault(code_of(game, node.guess, int(answer)), []).append(answer)
    return sum(
        turn if code == game.winning_code else cost_of(game, node.children[code], part, turn + 1)
        for code, part in parts.items()
    )
