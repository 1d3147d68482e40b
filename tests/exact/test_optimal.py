"""Perfect play equals brute force on small games, and published figures on large ones."""

import itertools
import random
from contextlib import nullcontext
from functools import cache
from unittest import mock

import numpy as np
import pytest
from games import AvoidAbsent
from hypothesis import given, settings
from hypothesis import strategies as st

import wordle_kit as wk
from wordle_kit.exact import optimal as optimal_module
from wordle_kit.exact.objective import Objective
from wordle_kit.exact.optimal import optimal
from wordle_kit.exact.search import ORDERS, Search, best_tree
from wordle_kit.game.words import Alphabet
from wordle_kit.plugins import default_plugins
from wordle_kit.strategy.position import Position

few = settings(max_examples=60, deadline=None)


def brute_force(game, limit=10**9, opener=None, *, weigh_late=False, start=None):
    """Return the least number of answers solved after more than `limit` guesses, and then the least weighted total.

    Late answers count by their weights if `weigh_late`, else each as one. `start` has the candidates and the guesses
    allowed, if not all.
    """
    candidates, allowed = start or (tuple(range(len(game.answers))), tuple(range(len(game.guesses))))
    weights = game.weights or (1,) * len(game.answers)
    if not any(weights[answer] for answer in candidates):
        weights = (1,) * len(game.answers)
    weights_late = weights if weigh_late else (1,) * len(game.answers)

    @cache
    def cost(candidates, allowed, depth, guesses):
        best = (10**9, 0)
        for guess in guesses or allowed:
            parts = {}
            for answer in candidates:
                parts.setdefault(code_of(game, guess, answer), []).append(answer)
            if len(parts) == 1 and game.winning_code not in parts and guesses is None:
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
    return cost(candidates, allowed, 1, first)


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
    rule = draw(st.sampled_from(["wordle", "mastermind", "wordle-uncounted", "wordle-left-to-right", "case-aware"]))
    symbols = draw(st.sampled_from(["aAbB", "aAbc", "abcd"])) if rule == "case-aware" else "abcd"
    word = st.text(symbols, min_size=3, max_size=3)
    words = draw(st.lists(word, min_size=1, max_size=most + extra, unique=True))
    n = draw(st.integers(1, min(most, len(words))))
    kinds = st.one_of(st.integers(0, 5), st.floats(0.01, 3) if decimals is None else st.decimals(0, 3, places=decimals))
    return wk.Game(
        name="small",
        alphabet=Alphabet(symbols),
        answers=[tuple(w) for w in words[:n]],
        guesses=[tuple(w) for w in sorted(words)],
        rule=default_plugins().rules[rule].value,
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
        rule=default_plugins().rules["wordle"].value,
    )


@st.composite
def tight_games(draw):
    """Draw a game, often in hard mode, whose words share most symbols, so that many guesses tell nothing."""
    words = draw(st.lists(st.text("abcdef", min_size=1, max_size=1), min_size=2, max_size=6, unique=True))
    n = draw(st.integers(1, len(words)))
    return wk.Game(
        name="tight",
        alphabet=Alphabet("abcdef"),
        answers=[("a", *w) for w in words[:n]],
        guesses=[("a", *w) for w in sorted(words)],
        rule=default_plugins().rules[draw(st.sampled_from(["wordle", "mastermind"]))].value,
        hard_mode=draw(st.booleans()),
        weights=draw(
            st.none()
            | st.lists(st.sampled_from([0.0, 1.0, 5.0]), min_size=n - 1, max_size=n - 1).map(lambda w: [*w, 1.0])
        ),
    )


@few
@given(small_games(), st.sampled_from(sorted(ORDERS)))
def test_the_mean_is_that_of_brute_force(game, order):
    solution = optimal(game, order=order)
    assert solution.is_proved
    assert (0, solution.total) == brute_force(game)
    assert solution.lower == solution.total


class Written(wk.Rule):
    """A rule whose codes are drawn for each pair of words."""

    def __init__(self, n_codes, winning, kinds, seed):
        dice = random.Random(seed)
        self.count, self.wins = n_codes, winning
        others = [code for code in dice.sample(range(n_codes), min(n_codes, kinds + 1)) if code != winning] or [0]
        words = list(itertools.product("abc", repeat=2))
        self.pairs = {(g, a): winning if g == a else dice.choice(others) for g in words for a in words}

    def n_codes(self, length):
        return self.count

    def winning_code(self, length):
        return self.wins

    def code(self, guess, answer):
        return self.pairs[tuple(guess), tuple(answer)]

    def show(self, code, length):
        return str(code)


@st.composite
def written_games(draw):
    """Draw a game by a rule that means nothing, with any number of codes, but keeps its promises."""
    n_codes = draw(st.sampled_from([2, 3, 4, 9, 255, 256, 257, 2**16, 2**16 + 1, 2**24]))
    winning = draw(st.sampled_from([0, 1, n_codes // 2, n_codes - 1]))
    words = draw(st.permutations(["".join(word) for word in itertools.product("abc", repeat=2)]))
    n = draw(st.integers(2, 7))
    return wk.Game(
        name="written",
        alphabet="abc",
        answers=words[:n],
        guesses=sorted(words[: n + draw(st.integers(0, 2))]),
        rule=Written(n_codes, winning, draw(st.integers(1, 6)), draw(st.integers(0, 2**32))),
        hard_mode=n_codes < 2**20 and draw(st.booleans()),
    )


@pytest.mark.slow
@settings(max_examples=60, deadline=400_000)  # it must end; the first examples compile the search for wide codes
@given(written_games())
def test_the_mean_is_that_of_brute_force_whatever_the_codes_are(game):
    solution = optimal(game)
    assert solution.is_proved
    assert (0, solution.total) == brute_force(game)


@few
@given(small_games(weights=True))
def test_the_weighted_mean_is_that_of_brute_force(game):
    solution = optimal(game)
    assert solution.is_proved
    assert solution.total == pytest.approx(brute_force(game)[1], rel=1e-9)


@few
@given(small_games(weights=True, decimals=2), st.integers(1, 4))
def test_with_weights_the_share_of_late_solutions_is_that_of_brute_force(game, k):
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
def test_ranking_first_guesses_gives_the_same_result_as_one_search_of_all(game, objective):
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
    return mock.patch.object(optimal_module, "LARGEST_SET", 0)


@few
@given(small_games(), st.integers(1, 4))
def test_the_share_solved_within_k_is_that_of_brute_force(game, k):
    solution = optimal(game, objective=f"within-{k}")
    assert solution.is_proved
    assert (solution.late, solution.total) == brute_force(game, k)


@few
@given(small_games(), st.data())
def test_the_cost_of_an_opener_is_that_of_brute_force(game, data):
    opener = data.draw(st.integers(0, len(game.guesses) - 1))
    wanted = brute_force(game, opener=opener)
    solution = optimal(game, game.guesses[opener])
    assert (0, solution.total) == wanted
    assert solution.opener == game.guesses[opener]


@pytest.mark.parametrize("objective", ["mean", "worst", "within-1", "within-3", "at most"])
@few
@given(st.one_of(small_games(), small_games(weights=True, decimals=1), tight_games()), st.data())
def test_every_question_has_the_answer_of_brute_force(objective, game, data):
    """From any position, whatever the opener, the breadth and the order; without a breadth, the result is proved."""
    at_most = data.draw(st.integers(1, 6)) if objective == "at most" else None
    kind = Objective.read("mean" if at_most else objective, at_most)
    useless = [
        guess
        for guess in game.guesses
        if len({code_of(game, game.guess_ids[guess], i) for i in range(len(game.answers))}) == 1
    ]
    opener = data.draw(st.none() | st.sampled_from(game.guesses) | st.sampled_from(useless or game.guesses))
    breadth = data.draw(st.none() | st.integers(1, 3))
    position = Position.start(game)
    if data.draw(st.booleans()):
        guess, answer = data.draw(st.sampled_from(game.guesses)), data.draw(st.sampled_from(game.answers))
        position = position.after(guess, [game.table.code(game.guess_ids[guess], game.answer_ids[answer])])
    if not position.open_boards or (opener is not None and position.allows(opener)):
        return
    everything = np.arange(len(game.guesses)) if position.allowed is None else position.allowed
    start = tuple(position.board.candidates.tolist()), tuple(everything.tolist())
    first = None if opener is None else game.guess_ids[opener]

    def least(limit):
        return brute_force(game, limit, first, weigh_late=kind.weighs_late, start=start)

    fewest = next(limit for limit in itertools.count(1) if least(limit)[0] == 0) if not kind.weighs_late else None
    wanted = least(fewest if objective == "worst" else at_most or kind.within or 10**9)
    seen = [(guess, game.show(code)) for guess, code in zip(position.guesses, position.board.codes, strict=True)]
    arguments = {"after": seen, "objective": str(kind), "at_most": at_most, "breadth": breadth}
    arguments["order"] = data.draw(st.sampled_from(sorted(ORDERS)))
    solution, refused = None, ""
    with ranking() if data.draw(st.booleans()) else nullcontext():
        try:
            solution = optimal(game, opener, **arguments)
        except wk.WordleKitError as error:
            refused = str(error)
    if at_most is not None and at_most < fewest:
        assert solution is None or (breadth is not None and not solution.is_proved)
        assert "no tree" in refused or solution is not None
        return
    assert not refused
    assert solution.is_proved or breadth is not None
    assert opener in (None, solution.opener)
    if solution.is_proved:
        assert (solution.late, solution.total) == pytest.approx(wanted, abs=1e-6)
        assert solution.worst <= (at_most or (fewest if objective == "worst" else solution.worst))
    assert solution.worst_lower <= (fewest or 1)
    assert solution.late_lower <= wanted[0] + 1e-6
    if (solution.late_lower, solution.worst_lower) == (pytest.approx(wanted[0]), fewest or 1):
        assert solution.lower <= wanted[1] + 1e-6


@few
@given(small_games(), st.integers(1, 3))
def test_a_breadth_gives_bounds_on_both_sides(game, breadth):
    solution = optimal(game, breadth=breadth)
    assert solution.lower <= brute_force(game)[1] <= solution.total


@pytest.mark.parametrize("opener", ["these", "fuzzy", "mamma"])
def test_the_cost_found_with_a_breadth_is_that_of_its_tree(opener):
    """Many answers are much alike here, so a few guesses a set leave some budgets of its parts unmet."""
    game = wk.load_game("wordle")
    start = Position.start(game).board
    for part in start.parts(game.guess_ids[opener]).values():
        if 20 <= len(part) <= 130:
            search = Search(game, part, objective=Objective.read("mean", None))
            found = search.solve(search.memory.everything, -1, quick=3)
            assert found == cost_of(game, best_tree(search, search.memory.everything, -1, quick=3), part)


def cost_of(game, node, answers, turn=1):
    """Return the total of guesses that a tree takes for some answers."""
    parts = {}
    for answer in answers:
        parts.setdefault(code_of(game, node.guess, int(answer)), []).append(answer)
    return sum(
        turn if code == game.winning_code else cost_of(game, node.children[code], part, turn + 1)
        for code, part in parts.items()
    )


def test_hard_mode_is_searched_if_a_symbol_has_only_one_case():
    words = ["aA", "bc", "Ab", "cB", "cc"]
    fields = {"name": "case", "alphabet": "aAbBc", "length": 2, "answers": words, "rule": "case-aware"}
    game = wk.load_game(fields | {"hard_mode": True})
    assert (0, optimal(game).total) == brute_force(game)


def test_hard_mode_is_searched_as_it_is_refereed_if_a_rule_only_says_why_it_forbids_a_guess():
    """After `axx`, the usual hard mode asks for `xx`, but this one allows `bcd` and `efg`, which tell more."""
    answers = [f"{symbol}xx" for symbol in "abcdefgh"]
    game = wk.Game(
        name="avoid-absent",
        alphabet="abcdefghx",
        answers=answers,
        guesses=[*answers, "bcd", "efg"],
        rule=AvoidAbsent(),
        hard_mode=True,
    )
    assert (0, optimal(game, "axx").total) == brute_force(game, opener=game.guess_ids["axx"])


class ForbidsAll(wk.MarksRule):
    """Wordle's marks, and a hard mode that forbids every guess after a symbol is found."""

    def marks(self, guess, answer):
        return [
            2 if symbol == other else 1 if symbol in answer else 0 for symbol, other in zip(guess, answer, strict=True)
        ]

    def needs(self, symbol, mark):
        return ("?", False) if mark else None


class ForbidsAllByItself(ForbidsAll):
    """The same with a hard mode of its own, which the search reads from masks."""

    def obligations(self, earlier, code):
        return super().obligations(earlier, code)


@pytest.mark.parametrize("rule", [ForbidsAll, ForbidsAllByItself])
@pytest.mark.parametrize("after", [(), [("aab", "012")]])
def test_a_hard_mode_that_forbids_possible_answers_is_refused_in_a_line(rule, after):
    game = wk.load_game({"name": "stuck", "alphabet": "abc", "length": 3, "answers": "all"})
    game = game.replace(rule=rule(), hard_mode=True)
    after = [(guess, game.feedback(guess, "cab").tiles) for guess, _ in after]
    with pytest.raises(wk.GameError, match=r"forbids-all.*"):
        optimal(game, after=after)


@pytest.mark.parametrize(("weight", "total"), [(0.1, 1), (5, 50), (0, 10)])
def test_the_answers_that_are_left_count_by_their_weights_or_equally_where_all_are_zero(weight, total):
    words = ["aa", "ab", "ac", "ad", "xx"]
    fields = {"name": "left", "alphabet": "abcdx", "length": 2, "answers": words}
    game = wk.load_game(fields | {"weights": dict.fromkeys(words[:4], weight)})
    solution = optimal(game, after=[("xx", "00")])
    assert (solution.total, solution.lower) == pytest.approx((total, total))
    assert solution.is_proved
    assert solution.mean == pytest.approx(2.5)
