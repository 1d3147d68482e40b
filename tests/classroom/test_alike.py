"""Whose work is it? Copies are found by their decisions, and honest strategies are not listed."""

import csv
import io
from collections import Counter

import pytest
from needs import needs_linux

import wordle_kit as wk
from wordle_kit import cli
from wordle_kit.classroom.alike import Decisions, findings, references_in
from wordle_kit.classroom.new import invented_words
from wordle_kit.plugins import default_plugins


def game_of(count, seed=1):
    """Return a game with this many invented answers."""
    alphabet, words = invented_words(seed)
    answers = sorted(words[:count])
    return wk.load_game({"name": "invented", "alphabet": alphabet, "length": 4, "answers": answers, "max_guesses": 8})


class Distinct(wk.Strategy):
    """Guess the word whose letters are the most common, each counted once in a word."""

    def guess(self, position):
        words = position.board.words
        counts = Counter(letter for word in words for letter in set(word))
        return max(words, key=lambda word: sum(counts[letter] for letter in set(word)))


class Repeated(wk.Strategy):
    """Guess the word whose letters are the most common, each counted as often as it is there."""

    def guess(self, position):
        words = position.board.words
        counts = Counter("".join(words))
        return max(words, key=lambda word: sum(counts[letter] for letter in set(word)))


class Places(wk.Strategy):
    """Guess the word whose letters are the most common in their places."""

    def guess(self, position):
        words = position.board.words
        places = [Counter(word[i] for word in words) for i in range(4)]
        return max(words, key=lambda word: sum(places[i][letter] for i, letter in enumerate(word)))


class Opened(wk.Strategy):
    """Guess a word of my own first, and then as entropy does."""

    def guess(self, position):
        return position.game.answers[17] if position.turn == 1 else wk.load_strategy("entropy").guess(position)


class Last(wk.Strategy):
    """Guess the last word that may still be the answer."""

    def guess(self, position):
        return position.board.words[-1]


def found(game, strategies, starter=None):
    """Return the findings about strategies that play all puzzles of a game."""
    decisions = Decisions(game, references_in(default_plugins(), game))
    made = {name: decisions.of(wk.play(one, game, "all")) for name, one in strategies.items()}
    known = None if starter is None else decisions.of(wk.play(starter, game, "all"))
    return [(row["first"], row["second"], row["finding"]) for row in findings(decisions, made, known)]


@pytest.mark.slow
def test_two_honest_ideas_are_not_listed_however_few_the_puzzles():
    for count, seed in ((90, 1), (90, 3), (400, 1)):  # with 90, they decide alike in 88 of 90 positions
        strategies = {"ada": Distinct(), "bob": Repeated(), "eve": Places(), "zoe": Last()}
        assert [row for row in found(game_of(count, seed), strategies) if not row[1].startswith("(")] == []


def test_copies_are_listed_with_the_decisions_that_told():
    game = game_of(400)
    assert found(game, {"ada": Last(), "bob": Last(), "eve": Places()}) == [("ada", "bob", "decide alike")]
    decisions = Decisions(game, references_in(default_plugins(), game))
    made = decisions.of(wk.play(Last(), game, "all"))
    one = decisions.agreement(made, made.get)
    assert one.compared == one.same > 34


def test_one_that_asks_a_bundled_strategy_is_listed_even_with_a_first_guess_of_its_own():
    rows = found(game_of(400), {"ada": wk.load_strategy("entropy"), "bob": Opened(), "eve": Last()})
    assert {(name, what) for name, _, what in rows} == {
        ("ada", "decides like a bundled strategy"),
        ("bob", "decides like a bundled strategy"),
    }
    assert all("(entropy)" in others for _, others, _ in rows)


def test_the_starter_is_listed_by_its_name_and_two_of_them_are_no_pair():
    game = game_of(400)
    first = wk.load_strategy("first-consistent")
    assert found(game, {"ada": first, "bob": first}, starter=first) == [
        (name, "(first-consistent), (the starter)", "decides like the starter") for name in ("ada", "bob")
    ]
    assert found(game, {"ada": Last()}, starter=Last()) == [("ada", "(the starter)", "decides like the starter")]


LAST = """
import wordle_kit as wk


class {name}(wk.Strategy):
    \"\"\"Guess the last word that may still be the answer.\"\"\"

    def guess(self, position):
        return position.board.words[-1]


@wk.hookimpl
def register_strategies(register):
    register({name}())
"""

ASKS = """
import wordle_kit as wk

entropy = wk.load_strategy("entropy")


class Mine(wk.Strategy):
    \"\"\"Do what entropy does.\"\"\"

    def guess(self, position):
        return entropy.guess(position)


@wk.hookimpl
def register_strategies(register):
    register(Mine())
"""


@pytest.mark.slow
@needs_linux
def test_a_class_is_graded_with_findings_for_the_teacher_to_judge(tmp_path):
    assert cli.run(["new", "assignment", "words", "--dir", str(tmp_path), "--seed", "3"]) == 0
    folder = tmp_path / "words"
    (folder / "submissions").mkdir()
    for name, text in {
        "asks": ASKS,
        "copied": LAST.format(name="Copied"),
        "original": LAST.format(name="Original"),
    }.items():
        (folder / "submissions" / f"{name}.py").write_text(text)
    command = ["grade", folder, folder / "submissions", "--output", folder / "out", "--sandbox", "plain"]
    assert cli.run(list(map(str, command))) == 0
    rows = list(csv.DictReader(io.StringIO((folder / "out" / "lookalikes.csv").read_text())))
    found = [(row["first"], row["second"], row["finding"]) for row in rows]
    assert found[0][::2] == ("asks", "decides like a bundled strategy")
    assert "(entropy)" in found[0][1]
    assert found[-1] == ("copied", "original", "decide alike")
    assert int(rows[-1]["the same"]) > 34
