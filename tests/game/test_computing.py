"""A table of a slow rule is computed by several processes and kept on disk; the codes are those of the rule."""

import os
import threading

import numpy as np
import pytest

import wordle_kit as wk
from wordle_kit import disk_cache, engine
from wordle_kit.game import computing


class Sums(wk.Rule):
    """The sum of the letters of both words."""

    def __init__(self, step=1):
        self.step = step

    def n_codes(self, length):
        return 40

    def code(self, guess, answer):
        return 39 if guess == answer else sum(map(ord, guess + answer)) * self.step % 39

    def winning_code(self, length):
        return 39

    def show(self, code, length):
        return str(code)


class FastSums(Sums):
    """The same in numpy."""

    def codes_row(self, answer, guesses, alphabet):
        numbers = np.array([ord(symbol) for symbol in alphabet.symbols])
        sums = numbers[guesses].sum(axis=1) + numbers[answer].sum()
        return np.where((guesses == answer).all(axis=1), 39, sums * self.step % 39)


def game_of(rule, **changes):
    game = wk.load_game({"name": "threes", "alphabet": "abcdef", "length": 3, "answers": "all"})
    return game.replace(rule=rule, **changes)


@pytest.fixture(scope="module")
def expected():
    game = game_of(Sums())
    words = [game.word(word) for word in game.answers]
    return [[game.rule.code(guess, answer) for guess in words] for answer in words]


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """Keep tables that take any time in an empty folder, and return it."""
    monkeypatch.setenv(disk_cache.VARIABLE, str(tmp_path / "cache"))
    for name, value in {"LONG": 0.0, "READING": 0.0, "LONGER": 1e9}.items():
        monkeypatch.setattr(computing, name, value)
    return tmp_path / "cache"


@pytest.mark.parametrize("rule", [Sums(), FastSums()], ids=["one by one", "row by row"])
@pytest.mark.parametrize("processes", [1, 2])
def test_a_table_has_the_codes_of_the_rule(expected, cache, monkeypatch, rule, processes):
    monkeypatch.setattr(computing, "LONGER", 0.0)
    monkeypatch.setattr(computing, "cores", lambda: processes)
    assert game_of(rule).table.whole().tolist() == expected


def test_it_is_kept_and_found_again_without_computing_every_pair(expected, cache, monkeypatch):
    game_of(Sums()).table.prepare()
    asked = []
    code = Sums.code

    def counted(self, guess, answer):
        asked.append(guess)
        return code(self, guess, answer)

    monkeypatch.setattr(Sums, "code", counted)
    game = game_of(Sums())
    asked.clear()
    assert game.table.whole().tolist() == expected
    assert len(asked) < 1000  # of 46,656: the samples


def test_a_damaged_table_is_computed_again(expected, cache):
    game_of(Sums()).table.prepare()
    (path,) = cache.iterdir()
    path.write_bytes(path.read_bytes()[:1000])
    assert game_of(Sums()).table.whole().tolist() == expected
    assert path.stat().st_size > 216 * 216


def test_a_table_that_disagrees_with_the_rule_is_computed_again(expected, cache):
    game = game_of(Sums())
    whole = computing.WholeTable(game.rule, game.alphabet, game.answer_symbols, game.guess_symbols)
    disk_cache.keep("table", whole.key(), bytes(216 * 216))
    assert game.table.whole().tolist() == expected


def key_of(game):
    return computing.WholeTable(game.rule, game.alphabet, game.answer_symbols, game.guess_symbols).key()


def test_another_rule_parameter_or_word_is_another_table():
    game = game_of(Sums())
    others = [game_of(Sums(2)), game_of(FastSums()), game.replace(answers=game.answers[:-1])]
    others.append(game.replace(answers=game.answers[::-1]))
    keys = [key_of(each) for each in (game, *others)]
    assert len(set(keys)) == len(keys)
    assert key_of(game_of(Sums())) == key_of(game.replace(name="other", boards=2))


RULE = """
import wordle_kit as wk

class Slow(wk.Rule):
    def n_codes(self, length):
        return 40

    def code(self, guess, answer):
        return 39 if guess == answer else len(guess) * {step}

    def winning_code(self, length):
        return 39

    def show(self, code, length):
        return str(code)

@wk.hookimpl
def register_rules(register):
    register(Slow())
"""


def test_editing_a_rule_makes_another_table(tmp_path):
    keys = []
    for step in ("1", "2"):
        path = tmp_path / step / "slow.py"
        path.parent.mkdir()
        path.write_text(RULE.format(step=step))
        plugins = wk.Plugins.load([path], strict=True)
        keys.append(key_of(game_of(plugins.rules["slow"].value)))
    assert len(set(keys)) == 2


def test_a_rule_that_cannot_be_compared_is_not_kept(cache):
    game = game_of(Sums())
    game.rule.lock = threading.Lock()
    assert key_of(game) is None
    game.table.prepare()
    assert not cache.exists()


def test_a_table_that_is_computed_quickly_never_touches_the_disk(tmp_path, monkeypatch):
    monkeypatch.setenv(disk_cache.VARIABLE, str(tmp_path / "cache"))
    wk.load_game("wordle").table.prepare()
    assert not (tmp_path / "cache").exists()


def test_progress_is_shown_to_the_end(cache, monkeypatch):
    shown = []

    class Bar:
        def __enter__(self):
            return lambda done, total: shown.append((done, total))

        def __exit__(self, *error):
            shown.append("closed")

    monkeypatch.setattr(engine, "_show", lambda doing: shown.append(doing) or Bar())
    game_of(Sums()).table.prepare()
    assert shown[0] == "computing feedback"
    assert shown[-2:] == [(216, 216), "closed"]
    assert [done for done, _ in shown[1:-1]] == sorted(done for done, _ in shown[1:-1])


def test_the_chunks_of_a_dead_worker_are_played_by_others(expected, cache, monkeypatch):
    class Deadly(Sums):
        def codes(self, answers, guesses, alphabet):
            if os.getpid() != here:
                os._exit(1)
            return super().codes(answers, guesses, alphabet)

    here = os.getpid()
    monkeypatch.setattr(computing, "LONGER", 0.0)
    monkeypatch.setattr(computing, "cores", lambda: 2)
    assert game_of(Deadly()).table.whole().tolist() == expected
