"""Perfect play equals brute force on small games, and published figures on large ones."""

import itertools
import random
from contextlib import nullcontext
from functools import cache
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wordle_kit_plugins.exact import optimal as optimal_module
from wordle_kit_plugins.exact.objective import Objective
from wordle_kit_plugins.exact.optimal import optimal
from wordle_kit_plugins.exact.search import ORDERS, Search

import wordle_kit as wk
from wordle_kit.game.words import Alphabet
from wordle_kit.plugins import default_plugins
from wordle_kit.strategy.position import Position

few = settings(max_examples=100, deadline=None)


def brute_force(game, limit=10**9, opener=None, start=None):
    """Return the least number of answers solved after more than `limit` guesses, and then the least weighted total.

    `start` has the candidates and the guesses allowed, if not all.
    """
    candidates, allowed = start or (tuple(range(len(game.answers))), tuple(range(len(game.guesses))))
    weights = game.weights or (1,) * len(game.answers)
    if not any(weights[answer] for answer in candidates):
        weights = (1,) * len(game.answers)

    @cache
    def cost(candidates, allowed, depth, guesses):
        best = (10**9, 0)
        for guess in guesses or allowed:
            parts = {}
            for answer in candidates:
                parts.setdefault(code_of(game, guess, answer), []).append(answer)
            if len(parts) == 1 and game.winning_code not in parts and guesses is None:
                continue  # it tells nothing
            won_late = int(game.winning_code in parts and depth > limit)
            costs = [(won_late, sum(weights[answer] for answer in candidates))]
            for code, part in parts.items():
                if code != game.winning_code:
                    costs.append(cost(tuple(part), narrowed(game, allowed, guess, code), depth + 1, None))
            best = min(best, tuple(round(sum(parts), 9) for parts in zip(*costs, strict=True)))
        return best

    return cost(candidates, allowed, 1, None if opener is None else (opener,))


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


def made(words, n, **settings):
    """Return a game of words whose first n are the answers, with a rule of this name."""
    rule = default_plugins().rules[settings.pop("rule")].value
    settings["hard_mode"] = settings.get("hard_mode", False) and isinstance(rule, wk.MarksRule)
    return wk.Game(name="small", answers=words[:n], guesses=sorted(words), rule=rule, **settings)


@st.composite
def small_games(draw, *, weights=False):
    """Draw a game of up to nine answers and six further guesses of three symbols, by some rule."""
    rule = draw(st.sampled_from(["wordle", "mastermind", "wordle-uncounted", "wordle-left-to-right", "case-aware"]))
    symbols = draw(st.sampled_from(["aAbB", "aAbc", "abcd"])) if rule == "case-aware" else "abcd"
    words = draw(st.lists(st.text(symbols, min_size=3, max_size=3), min_size=1, max_size=15, unique=True))
    n = draw(st.integers(1, min(9, len(words))))
    kinds = st.integers(0, 5) | st.floats(0.01, 3) | st.decimals(0, 3, places=1)
    drawn = [*map(float, draw(st.lists(kinds, min_size=n - 1, max_size=n - 1))), 1] if weights else None
    return made(words, n, rule=rule, alphabet=Alphabet(symbols), hard_mode=draw(st.booleans()), weights=drawn)


@st.composite
def hard_games(draw):
    """Draw a game of up to ten answers and few further guesses that tell little, so that many guesses are needed."""
    words = draw(st.lists(st.text("abcdefgh", min_size=2, max_size=2), min_size=5, max_size=12, unique=True))
    return made(words, 10, rule="wordle", alphabet=Alphabet("abcdefgh"))


@st.composite
def tight_games(draw):
    """Draw a game, often in hard mode, whose words share most symbols, so that many guesses tell nothing."""
    ends = draw(st.lists(st.sampled_from("abcdef"), min_size=2, max_size=6, unique=True))
    n = draw(st.integers(1, len(ends)))
    weights = st.lists(st.sampled_from([0.0, 1.0, 5.0]), min_size=n - 1, max_size=n - 1).map(lambda some: [*some, 1.0])
    return made(
        [f"a{end}" for end in ends],
        n,
        rule=draw(st.sampled_from(["wordle", "mastermind"])),
        alphabet=Alphabet("abcdef"),
        hard_mode=draw(st.booleans()),
        weights=draw(st.none() | weights),
    )


any_games = st.one_of(small_games(), small_games(weights=True), tight_games(), hard_games())


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
    )


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(written_games())
def test_the_mean_is_that_of_brute_force_whatever_the_codes_are(game):
    solution = optimal(game)
    assert solution.is_proved
    assert (0, solution.total) == brute_force(game)


def ranking():
    """Return a context in which first guesses are ranked however few candidates there are."""
    return mock.patch.object(optimal_module, "LARGEST_SET", 0)


def check_one_question(objective, game, draw):
    """Ask from any position, with any opener, breadth and order; without a breadth, the result must be proved."""
    at_most = draw(st.integers(1, 6)) if objective == "at most" else None
    useless = [
        guess
        for guess in game.guesses
        if len({code_of(game, game.guess_index[guess], i) for i in range(len(game.answers))}) == 1
    ]
    opener = draw(st.none() | st.sampled_from(game.guesses) | st.sampled_from(useless or game.guesses))
    breadth = draw(st.sampled_from([None, None, 1, 2, 3]))
    position = Position.start(game)
    if draw(st.booleans()):
        guess, answer = draw(st.sampled_from(game.guesses)), draw(st.sampled_from(game.answers))
        position = position.after(guess, [game.table.code(game.guess_index[guess], game.answer_index[answer])])
    if not position.open_boards or (opener is not None and position.problem_with(opener)):
        return
    everything = np.arange(len(game.guesses)) if position.allowed is None else position.allowed
    start = tuple(position.board.candidates.tolist()), tuple(everything.tolist())
    first = None if opener is None else game.guess_index[opener]
    fewest = next(limit for limit in itertools.count(1) if brute_force(game, limit, first, start)[0] == 0)
    limit = fewest if objective == "worst" else at_most or 10**9
    wanted = brute_force(game, limit, first, start)[1]

    solution, refused = None, ""
    with ranking() if draw(st.booleans()) else nullcontext():
        try:
            solution = optimal(
                game,
                opener,
                after=zip(position.guesses, position.board.feedback, strict=True),
                objective="mean" if at_most else objective,
                at_most=at_most,
                breadth=breadth,
                order=draw(st.sampled_from(sorted(ORDERS))),
            )
        except wk.WordleKitError as error:
            refused = str(error)
    if at_most is not None and at_most < fewest:
        assert refused or (breadth is not None and not solution.is_proved)
        return
    assert not refused
    assert solution.is_proved or breadth is not None
    assert opener in (None, solution.opener)
    if solution.is_proved:
        assert solution.total == pytest.approx(wanted, rel=1e-6)
        assert solution.worst <= limit
    assert solution.worst_lower <= fewest
    if solution.worst_lower == fewest or objective != "worst":
        assert solution.lower <= wanted + 1e-6
    if solution.worst <= limit:
        assert solution.total >= wanted - 1e-6


each_objective = pytest.mark.parametrize("objective", ["mean", "worst", "at most"])


@each_objective
@few
@given(any_games, st.data())
def test_every_question_has_the_answer_of_brute_force(objective, game, data):
    check_one_question(objective, game, data.draw)


@pytest.mark.slow
@each_objective
@settings(max_examples=500, deadline=None)
@given(any_games, st.data())
def test_many_questions_have_the_answers_of_brute_force(objective, game, data):
    check_one_question(objective, game, data.draw)


@pytest.mark.parametrize(
    "opener", ["fuzzy", pytest.param("these", marks=pytest.mark.slow), pytest.param("mamma", marks=pytest.mark.slow)]
)
def test_the_cost_found_with_a_breadth_is_that_of_its_tree(opener):
    """Many answers are much alike here, so a few guesses a set leave some budgets of its parts unmet."""
    game = wk.load_game("wordle")
    start = Position.start(game).board
    for part in start.parts(game.guess_index[opener]).values():
        if 20 <= len(part) <= 130:
            search = Search(game, part, objective=Objective("mean"))
            found = search.solve(search.everything, -1, breadth=3)
            assert found == cost_of(game, search.best_tree(search.everything, -1, breadth=3), part)


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


class ForbidsAll(wk.MarksRule):
    """Wordle's marks, and a hard mode that forbids every guess after a symbol is found."""

    def marks(self, guess, answer):
        return [
            2 if symbol == other else 1 if symbol in answer else 0 for symbol, other in zip(guess, answer, strict=True)
        ]

    def needs(self, symbol, mark):
        return ("?", False) if mark else None


@pytest.mark.parametrize("earlier", [[], ["aab"]])
def test_a_hard_mode_that_forbids_possible_answers_is_refused(earlier, monkeypatch):
    game = wk.load_game({"name": "stuck", "alphabet": "abc", "length": 3, "answers": "all"})
    monkeypatch.setattr("wordle_kit.game.game.hard_mode_problem", lambda *_: None)  # as if the sample had missed it
    game = game.replace(rule=ForbidsAll(), hard_mode=True)
    with pytest.raises(wk.GameError, match="forbids-all"):
        optimal(game, after=[(guess, game.feedback(guess, "cab")) for guess in earlier])


def test_hard_mode_of_a_rule_without_marks_is_refused():
    with pytest.raises(wk.GameError, match="'mastermind'"):
        optimal(wk.load_game("mastermind").replace(hard_mode=True))


@pytest.mark.parametrize(("weight", "total"), [(0.1, 1), (5, 50), (0, 10)])
def test_the_answers_that_are_left_count_by_their_weights_or_equally_where_all_are_zero(weight, total):
    words = ["aa", "ab", "ac", "ad", "xx"]
    fields = {"name": "left", "alphabet": "abcdx", "length": 2, "answers": words}
    game = wk.load_game(fields | {"weights": dict.fromkeys(words[:4], weight)})
    solution = optimal(game, after=[("xx", "00")])
    assert (solution.total, solution.lower) == pytest.approx((total, total))
    assert solution.is_proved
    assert solution.mean == pytest.approx(2.5)
