"""Whose work is it? Copies are found by their decisions or their texts, and honest strategies are not listed."""

import csv
import io
import itertools
import sys
from collections import Counter

import pytest

import wordle_kit as wk
from wordle_kit import cli
from wordle_kit.classroom.alike import ENOUGH, Agreement, Decisions, findings, references_in, shingles, similar_texts
from wordle_kit.classroom.new import filled, invented_words
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


def found(game, strategies, starter=None, texts=None):
    """Return the findings about strategies that play all puzzles of a game."""
    decisions = Decisions(game, references_in(default_plugins(), game))
    made = {name: decisions.of(wk.play(one, game, "all")) for name, one in strategies.items()}
    known = None if starter is None else decisions.of(wk.play(starter, game, "all"))
    rows = findings(decisions, made, known, texts or dict.fromkeys(sorted(made), b""), b"")
    return [(row["first"], row["second"], row["finding"]) for row in rows]


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


def test_more_decisions_allow_more_differences():
    for count, different in ((35, 0), (47, 1), (72, 3), (96, 5)):  # as docs/classroom.md says
        assert Agreement(count - 1, count - 1 - different).bits < ENOUGH <= Agreement(count, count - different).bits
    assert Agreement(1000, 850).bits < 0  # however many, this is no copy


def test_different_strategies_have_enough_evidence_as_rarely_as_is_said():
    # Wald: the likelihood ratio exceeds a bound with a chance of at most 1 in that bound.
    assert 2**ENOUGH > 1000


# Texts


MINE = """
import wordle_kit as wk
from collections import Counter


class Mine(wk.Strategy):
    \"\"\"Guess the word with the most common letters.\"\"\"

    def guess(self, position):
        \"\"\"Return the next guess.\"\"\"
        words = position.board.words
        counts = Counter(letter for word in words for letter in set(word))
        best, most = words[0], -1
        for word in words:
            score = sum(counts[letter] for letter in set(word))
            if score > most:
                best, most = word, score
        return best


@wk.hookimpl
def register_strategies(register):
    register(Mine())
"""

RENAMED = """
from collections import Counter as Tally
import wordle_kit as kit


class Brilliant(kit.Strategy):
    \"\"\"Guess a brilliant word.\"\"\"

    def guess(self, p: "kit.Position") -> str:
        '''All my own work.'''
        possible = (p.board.words)
        tally = Tally(
            c for w in possible
            for c in set(w)
        )
        # the best one so far
        top, points = possible[0], -1
        for w in possible:
            value: int = sum(tally[c] for c in set(w))
            if (value > points):
                top, points = w, value
        return top


@kit.hookimpl
def register_strategies(register):
    register(Brilliant())
"""

OTHER = """
import wordle_kit as wk
from collections import Counter


class Mine(wk.Strategy):
    def guess(self, position):
        words = position.board.words
        places = [Counter(word[i] for word in words) for i in range(position.game.length)]
        return max(words, key=lambda word: sum(places[i][letter] for i, letter in enumerate(word)))


@wk.hookimpl
def register_strategies(register):
    register(Mine())
"""

STARTER = filled("starter.py", {"title": "Words"})


def test_a_text_with_other_names_and_another_layout_is_the_same_text():
    texts = {"ada": MINE.encode(), "bob": RENAMED.encode(), "eve": OTHER.encode(), "zoe": b"def ("}
    pairs = similar_texts(texts, STARTER.encode())
    assert list(pairs) == [("ada", "bob")]
    assert pairs["ada", "bob"] > 0.9


def test_what_everyone_was_given_or_taught_does_not_count():
    unchanged = {name: STARTER.encode() for name in ("ada", "bob")}
    assert similar_texts(unchanged, STARTER.encode()) == {}
    taught = {f"student {number}": MINE.encode() for number in range(12)}
    assert similar_texts(taught, STARTER.encode()) == {}
    few = dict(itertools.islice(taught.items(), 3))
    assert len(similar_texts(few, STARTER.encode())) == 3


@pytest.mark.parametrize("text", [b"", b"def (", b"\xff", b"x = 1"])
def test_what_is_no_program_or_a_short_one_has_nothing_to_compare(text):
    assert shingles(text) == frozenset()


def test_texts_and_decisions_are_findings_of_the_same_pair():
    texts = {"ada": MINE.encode(), "bob": RENAMED.encode(), "eve": OTHER.encode()}
    strategies = {"ada": Last(), "bob": Last(), "eve": Places()}
    assert found(game_of(400), strategies, texts=texts) == [("ada", "bob", "decide alike, similar texts")]


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
@pytest.mark.skipif(sys.platform != "linux", reason="isolation needs Linux")
def test_a_class_is_graded_with_findings_for_the_teacher_to_judge(tmp_path, capfd):
    assert cli.run(["new", "assignment", "words", "--dir", str(tmp_path), "--seed", "3"]) == 0
    folder = tmp_path / "words"
    (folder / "submissions").mkdir()
    for name, text in {"asks": ASKS, "copied": RENAMED, "original": MINE}.items():
        (folder / "submissions" / f"{name}.py").write_text(text)
    command = ["grade", folder, folder / "submissions", "--output", folder / "out", "--sandbox", "plain"]
    assert cli.run(list(map(str, command))) == 0
    rows = list(csv.DictReader(io.StringIO((folder / "out" / "lookalikes.csv").read_text())))
    found = [(row["first"], row["second"], row["finding"]) for row in rows]
    assert found[0][::2] == ("asks", "decides like a bundled strategy")
    assert "(entropy)" in found[0][1]
    assert found[-1] == ("copied", "original", "decide alike, similar texts")
    assert int(rows[-1]["the same"]) > 34
    assert "Look-alikes. These are for you to judge. A finding is a reason to read two files" in capfd.readouterr().out
