"""Strategies that look further than one guess, against the same in plain Python."""

import json
import os
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wordle_kit_plugins import search
from wordle_kit_plugins.search import Lookahead, Rollout, TreeFile

import wordle_kit as wk
from wordle_kit.testing import check_strategy
from wordle_kit.tournaments.entrants import enter
from wordle_kit.trees import tree_text

PUBLISHED = Path(__file__).parents[2] / "leaderboard" / "wordle.json"
SEEDS = st.integers(0, 2**32)
often = settings(deadline=None, max_examples=40)
BASES = ["entropy", "minimax", "entropy(pool=candidates)", "letterwise-entropy", "statistical-estimator", "liu-i8"]


def small_game(seed, boards=1, *, weighted=False):
    """Return a game of a few words over a few symbols, on one board in hard mode or not; perhaps with weights."""
    dice = random.Random(seed)
    rule = dice.choice(["wordle", "mastermind"])
    length = dice.choice([2, 3])
    words = sorted({"".join(dice.choices("abcd", k=length)) for _ in range(dice.choice([5, 20, 60]))})
    game = wk.load_game(
        {
            "name": "small",
            "alphabet": "abcd",
            "length": length,
            "answers": dice.sample(words, dice.randint(1, len(words))),
            "guesses": words,
            "rule": rule,
            "boards": boards,
        }
    ).replace(hard_mode=boards == 1 and dice.random() < 0.3)
    weights = [dice.choice([0.0, 1.0, 5 * dice.random()]) for _ in game.answers]
    return game.replace(weights=weights) if weighted and any(weights) else game


def later(game, seed):
    """Return a position with two candidates or more, after a guess or none, or None."""
    dice = random.Random(seed)
    position = wk.Position.start(game)
    if dice.random() < 0.7:
        guess, answer = dice.choice(game.guesses), dice.choice(game.answers)
        position = position.after(guess, game.feedback(guess, answer))
    return position if len(position.board) > 1 else None


def splits(position, guess):
    """Return the candidates left by each feedback on a guess but the winning one."""
    parts = {}
    for word in position.board.words:
        feedback = position.game.feedback(guess, word)
        if not feedback.wins:
            parts.setdefault(feedback, []).append(word)
    return parts


def tells_nothing(position, guess):
    """Return whether all candidates are left after a guess, whatever its feedback."""
    return [len(words) for words in splits(position, guess).values()] == [len(position.board)]


def turns_of(base, position, word):
    """Return how many guesses a strategy takes for a hidden word, or one more than a play can have."""
    number = 0
    while position.open_boards:
        guess = base.guess(position)
        if tells_nothing(position, guess) and len(position.board) > 1:
            return position.game.cap + 1
        position = position.after(guess, position.game.feedback(guess, word))
        number += 1
    return number


def weights_of(position):
    """Return the weight of each candidate by its word."""
    return dict(zip(position.board.words, position.board.weights.tolist(), strict=True))


def slow_rollout(position, spec, guess):
    """Return the guesses for all candidates, by weight, if a strategy plays on after a guess, word by word."""
    base, weights = wk.load_strategy(spec), weights_of(position)
    total = sum(weights.values())
    for feedback, words in splits(position, guess).items():
        after = position.after(guess, feedback)
        total += sum(weights[word] * turns_of(base, after, word) for word in words if weights[word])
    return total


def allowed_guesses(position):
    """Return the guesses that may be made."""
    return [guess for guess in position.game.guesses if position.problem_with(guess) is None]


def slow_bound(position, guess, depth):
    """Return the bound after a guess with `depth` guesses to look ahead, this one among them."""
    weights = weights_of(position)
    total = sum(weights.values())
    for feedback, words in splits(position, guess).items():
        mass = sum(weights[word] for word in words)
        if mass == 0:
            continue
        if depth == 1 or len(words) == 1:
            total += 2 * mass - max(weights[word] for word in words)
            continue
        after = position.after(guess, feedback)
        total += min(slow_bound(after, other, depth - 1) for other in allowed_guesses(after))
    return total


# Rollout


@often
@given(seed=SEEDS, spec=st.sampled_from(BASES), weighted=st.booleans())
def test_rollout_counts_the_guesses_of_the_base_word_by_word(seed, spec, weighted):
    game = small_game(seed, weighted=weighted)
    position = later(game, seed)
    base = wk.load_strategy(spec)
    if position is None or base.problem_with(game):
        return
    turns = {word: turns_of(base, position, word) for word, weight in weights_of(position).items() if weight}
    expected = sum(weights_of(position)[word] * number for word, number in turns.items())
    search.values_of.cache_clear()
    played = search.played_on(position, base)
    if max(turns.values()) <= game.cap:
        assert played == pytest.approx(expected, rel=1e-12)
    else:
        assert played > game.cap * min(weight for weight in weights_of(position).values() if weight)


@often
@given(seed=SEEDS, spec=st.sampled_from(BASES), breadth=st.sampled_from([1, 3, 1000]), weighted=st.booleans())
def test_rollout_plays_the_least_of_the_considered_guesses(seed, spec, breadth, weighted):
    game = small_game(seed, weighted=weighted)
    position = later(game, seed)
    base = wk.load_strategy(spec)
    strategy = Rollout(base=base, breadth=breadth)
    if position is None or strategy.problem_with(game):
        return
    considered = search.promising(position, base, position.allowed, breadth)
    names = [game.guesses[i] for i in considered]
    assert names[0] == base.guess(position)
    totals = {name: slow_rollout(position, spec, name) for name in names if not tells_nothing(position, name)}
    guess = strategy.guess(position)
    if totals and min(totals.values()) <= game.cap * position.board.weights[position.board.weights > 0].min():
        least = min(totals.values()) + 1e-9 * position.board.mass
        assert guess == next(name for name in totals if totals[name] <= least)
    if breadth == 1:
        assert guess == base.guess(position)


@often
@given(seed=SEEDS, spec=st.sampled_from(["entropy", "minimax", "entropy(pool=candidates)"]))
def test_rollout_is_never_worse_than_its_base(seed, spec):
    game = small_game(seed)
    totals = [sum(play.turns for play in wk.play(strategy, game)) for strategy in (spec, f"rollout(base={spec})")]
    assert totals[1] <= totals[0]


# Lookahead


@often
@given(seed=SEEDS, depth=st.sampled_from([1, 2, 3]), weighted=st.booleans())
def test_lookahead_with_every_guess_plays_the_least_bound(seed, depth, weighted):
    game = small_game(seed % 1000, weighted=weighted)
    position = later(game, seed)
    if position is None or len(game.guesses) > 20:
        return
    guess = Lookahead(depth=depth, breadth=10_000).guess(position)
    bounds = {
        name: slow_bound(position, name, depth)
        for name in allowed_guesses(position)
        if not tells_nothing(position, name)
    }
    assert bounds[guess] == pytest.approx(min(bounds.values()), rel=1e-9)


# Both


def test_all_of_wordle_takes_hardly_more_than_perfect_play():
    """The published leaderboard is played again by `tests/test_published_leaderboards.py`."""
    published = {row["strategy"]: row["total_guesses"] for row in json.loads(PUBLISHED.read_text("utf-8"))["rows"]}
    assert [published[strategy] for strategy in ("rollout", "lookahead", "optimal")] == [7927, 7930, 7920]


@pytest.mark.slow
def test_with_the_best_base_rollout_plays_wordle_perfectly():
    assert sum(play.turns for play in wk.play("rollout(base=most-parts)", "wordle")) == 7920


@pytest.mark.parametrize("strategy", [Lookahead(), Rollout()])
def test_with_too_many_candidates_the_base_guesses(strategy):
    game = wk.load_game("mastermind")
    start = wk.Position.start(game)
    few = strategy.with_parameters({"most": 1295, "base": wk.load_strategy("minimax")})
    assert few.guess(start) == "1122" == wk.load_strategy("minimax").guess(start)


@often
@given(seed=SEEDS, strategy=st.sampled_from([Lookahead(), Rollout()]))
def test_several_boards_are_solved_too(seed, strategy):
    game = small_game(seed, boards=2)
    hidden = random.Random(seed).choices(game.answers, k=2)
    position = wk.Position.start(game)
    while position.open_boards and position.turn <= game.cap:
        guess = strategy.guess(position)
        assert position.problem_with(guess) is None
        position = position.after(guess, [game.feedback(guess, word) for word in hidden])
    assert not position.open_boards


@pytest.mark.parametrize("kind", [Lookahead, Rollout])
def test_the_base_is_part_of_the_identity(kind, monkeypatch):
    game = wk.load_game("mastermind")

    def identity():
        ((entrant,), _) = enter([kind()], game)
        return entrant.identity

    before = identity()
    assert identity() == before
    monkeypatch.setattr(type(wk.load_strategy("entropy")), "version", "99")
    assert identity() != before


# Trees

TEXT = """\
salet GGGYB1 salve GGGGG2
      BGGYB1 valve GGGGG2
      GGGGG1
"""
FEW = {
    "name": "few",
    "alphabet": "abcdefghijklmnopqrstuvwxyz",
    "length": 5,
    "answers": ["salet", "salve", "valve"],
    "guesses": ["march"],
    "order": "as-listed",
}
GAME = wk.load_game(FEW)


@pytest.fixture
def file(tmp_path):
    """Return a file with a tree."""
    path = tmp_path / "few.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_a_tree_is_played(file):
    strategy = wk.load_strategy(f"tree(path={file})")
    assert strategy == TreeFile(path=file)
    assert [play.guesses for play in wk.play(strategy, GAME)] == [("salet",), ("salet", "salve"), ("salet", "valve")]


def test_a_tree_enters_a_tournament(file):
    board = wk.tournament(GAME, [f"tree(path={file})", "entropy"], workers=1)
    assert {row.strategy: row.mean for row in board.rows}[f"tree(path={file})"] == 5 / 3


def test_its_identity_changes_with_the_file_and_so_it_is_played_again(file):
    def identity():
        ((entrant,), _) = enter([TreeFile(path=file)], GAME)
        return entrant.identity

    before = identity()
    assert identity() == before
    assert wk.play(TreeFile(path=file), GAME, ["valve"])[0].turns == 2
    file.write_text(
        TEXT.replace("      BGGYB1 valve", "      BGGYB1 salve BGGGG2 valve").replace("valve GGGGG2", "valve GGGGG3")
    )
    stamp = file.stat().st_mtime_ns + 1_000_000
    os.utime(file, ns=(stamp, stamp))
    assert identity() != before
    assert wk.play(TreeFile(path=file), GAME, ["valve"])[0].turns == 3


def test_a_mistake_in_a_tree_is_a_problem_with_the_game(file):
    other = GAME.replace(alphabet=wk.Alphabet("ab"), answers=["ab"], guesses=["ab"])
    assert TreeFile(path=file).problem_with(GAME) is None
    assert "few.txt: line 1" in TreeFile(path=file).problem_with(other)
    assert "2 boards" in TreeFile(path=file).problem_with(GAME.replace(boards=2))
    assert "nothing" in TreeFile(path=file.with_name("nothing")).problem_with(GAME)
    with pytest.raises(wk.StrategyError, match="path="):
        enter(["tree"], GAME)


def test_a_position_outside_of_the_tree_is_an_error_that_names_it(file):
    position = wk.Position.start(GAME).after("march", "02000")
    with pytest.raises(wk.StrategyError, match="02000"):
        TreeFile(path=file).guess(position)


def test_a_later_tree_cannot_be_played_from_the_start(file, tmp_path):
    tree = wk.read_tree(file, GAME)
    late = wk.Tree(GAME, tree.root, ((GAME.guess_index["march"], GAME.feedback("march", "salet").code),))
    path = tmp_path / "late.txt"
    path.write_text(tree_text(late), encoding="utf-8")
    assert "late.txt" in TreeFile(path=path).problem_with(GAME)


def test_a_tree_keeps_every_promise_of_the_contract(file):
    assert all(finding.passed for finding in check_strategy(TreeFile(path=file), games=[GAME], deadline=60))
