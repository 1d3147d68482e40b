"""Attacks on the hidden words through random numbers, order and memory. None plays better than an honest strategy."""

import statistics

import pytest
from strategies import play_nothing_again

import wordle_kit as wk
from wordle_kit.isolation import supervision
from wordle_kit.tournaments.chance import decision_seed
from wordle_kit.tournaments.runs import counted

HEAD = """
import hashlib, json, os, tempfile
import wordle_kit as wk
"""

BRUTE_FORCE = '''
class Guesser(wk.Strategy):
    """Tries keys, numbers of puzzles and hidden words until one gives the seed that it sees; then it knows the word."""

    stochastic = True

    def guess(self, position):
        words = position.board.words
        for key in KEYS:
            for number, word in enumerate(position.game.answers[100::300]):
                if position._seed in seeds(key, number, word, self, position) and word in words:
                    return word
        return words[0]

KEYS = ["seed 0", "seed 1", "seed 7", "seed None", "secret None", "secret ", "0", "1", "7"]

def seeds(key, number, word, strategy, position):
    about = f"{key}|{strategy.name}|{strategy.version}|{strategy.parameters()}|{(word,)}"
    seen = [position.guess_ids, [board.codes for board in position.boards]]
    facts = [key, strategy.name, strategy.version, strategy.parameters(), number, seen]
    return [hashlib.sha256(text.encode()).hexdigest() for text in (about, json.dumps(facts))]

@wk.hookimpl
def register_strategies(register):
    register(Guesser())
'''
"""`seeds` has the recipe of earlier versions and that of this one, and every hidden word is tried as every number."""

COUNTS = '''
class Counter(wk.Strategy):
    """Says that it is random, counts the puzzles that it has met, and guesses that the next is the next of the list.

    It counts in its memory and in a file.
    """

    stochastic = True

    def guess(self, position):
        if position.turn == 1:
            COUNT.append(0)
            with open(os.path.join(tempfile.gettempdir(), "count"), "ab+") as file:
                file.write(b"x")
                file.seek(0)
                COUNT.extend(file.read()[1:])
        return position.game.answers[100::300][(len(COUNT) - 1) % 4] if position.turn == 1 else position.board.words[0]

COUNT = []

@wk.hookimpl
def register_strategies(register):
    register(Counter())
'''


BEHAVES = '''
class Behaves(wk.Strategy):
    """Guesses as it should until it has been asked often enough to have been examined; then as it likes."""

    def guess(self, position):
        ASKED.append(0)
        words = position.board.words
        return words[0] if len(ASKED) < LONG_ENOUGH else words[len(ASKED) % len(words)]

ASKED = []
LONG_ENOUGH = 30

@wk.hookimpl
def register_strategies(register):
    register(Behaves())
'''


@pytest.fixture
def play(letters, isolation_at, tmp_path):
    """Return a function that plays the strategy of a plugin's text, isolated, on some puzzles in the list's order."""

    def played(text, puzzles, level="plain", **settings):
        path = tmp_path / "attack.py"
        path.write_text(HEAD + text)
        plugins = wk.Plugins.load([path], isolation=isolation_at(level), strict=True)
        (name,) = (name for name, entry in plugins.strategies.items() if entry.plugin == "attack")
        board = wk.tournament(letters, [name], puzzles, plugins=plugins, workers=1, **settings)
        return board, board.plays(name)

    return played


def mean(plays, game):
    return statistics.fmean(counted(play, game.cap) for play in plays)


@pytest.fixture
def played_once(monkeypatch):
    """Have each puzzle played in one process, where it does not matter whether a strategy is asked again."""
    play_nothing_again(monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("settings", [{}, {"seed": 0}])
def test_trying_every_seed_reveals_nothing(play, letters, settings, played_once, monkeypatch):
    if not settings:  # here a random strategy must give the same guesses when it is asked again
        monkeypatch.setattr(supervision, "REPEATED_BY_CHANCE", 1)
    board, plays = play(BRUTE_FORCE, letters.answers[100::300], **settings)
    assert mean(plays, letters) > 2.5
    assert {play.outcome for play in plays} == {wk.Outcome.SOLVED}
    assert list(board.secrets) == ["guesser"]


def test_the_attack_is_right_about_the_recipe(letters):
    # Otherwise its failure would prove nothing.
    scope = {}
    exec(HEAD + BRUTE_FORCE, scope)
    attack, position = scope["Guesser"](), wk.Position.start(letters).after("aabb", "0000")
    for number in (0, 17):
        assert decision_seed("seed 7", attack, number, position) in scope["seeds"](
            "seed 7", number, "cdef", attack, position
        )


@pytest.mark.slow
@pytest.mark.usefixtures("played_once")
def test_one_that_says_it_is_random_has_no_memory_and_no_file_from_one_puzzle_to_the_next(play, letters, level):
    _, plays = play(COUNTS, letters.answers[100::300], level)
    assert mean(plays, letters) > 2.5
    assert {play.guesses[0] for play in plays} == {letters.answers[100]}  # each is begun as the first one was


@pytest.mark.slow
def test_one_that_behaves_while_it_is_examined_is_found_out(play, letters):
    board, plays = play(BEHAVES, letters.answers[::20])
    found = [play for play in plays if play.is_inconsistent]
    assert 0 < len(found) <= supervision.REPEATED_PUZZLES
    assert {play.outcome for play in plays} == {wk.Outcome.SOLVED}
    assert mean(plays, letters) == board.rows[0].mean == statistics.fmean(len(play.guesses) for play in plays)
    assert any(note.startswith(f"behaves: {len(found)} inconsistent") for note in board.notes)
