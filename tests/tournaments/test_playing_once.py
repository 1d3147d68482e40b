"""Stored results are not played again, and whatever could change a result is."""

import pytest

import wordle_kit as wk
from wordle_kit.tournaments.runs import Outcome
from wordle_kit.tournaments.store import Store

GAME = wk.load_game({"name": "abc", "alphabet": "abc", "length": 3, "answers": "all"})


COUNTING = """
version = {version!r}
stochastic = {stochastic}
depth: int = 0

def guess(self, position):
    with open({log!r}, "a") as log:
        log.write("asked\\n")
    return first(position)
"""


@pytest.fixture
def counting(written, tmp_path, path):
    """Return a function that plays a tournament with a strategy and returns how often it was asked."""
    log = tmp_path / "log"

    def play(strategy="counting", game=GAME, version="1", stochastic=False, source="", store=path, **options):
        log.write_text("")
        body = COUNTING.format(version=version, stochastic=stochastic, log=str(log)) + source
        plugins = written(Counting=body)
        wk.tournament(game, [strategy], store=store, plugins=plugins, workers=1, **options)
        return log.read_text().count("asked")

    return play


def stored(path):
    with Store(path) as store:
        return [(facts.strategy, played) for _, facts, played in store.runs()]


def test_a_second_tournament_plays_nothing_unless_it_has_no_store_or_is_fresh(counting, path):
    asked = counting()
    assert asked > 0
    assert counting() == 0
    assert counting(store=None) == counting(fresh=True) == asked
    assert stored(path) == [("counting", 27)]


def test_a_new_strategy_plays_and_one_that_is_stored_does_not(counting, path):
    asked = counting()
    assert counting("first-consistent") == 0
    assert counting("counting(depth=1)") == asked
    assert stored(path) == [("counting", 27), ("first-consistent", 27), ("counting(depth=1)", 27)]


@pytest.mark.parametrize(
    "change",
    [
        {"version": "2"},
        {"source": "\n# an afterthought\n"},
        {"game": GAME.replace(max_guesses=5)},
        {"game": GAME.replace(hard_mode=True)},
        {"puzzles": ["abc", "cba"]},
        {"deadline": 50.0},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_change_that_may_change_a_result_plays_everything_again(counting, change):
    assert counting() > 0
    assert counting(**change) > 0
    assert counting(**change) == 0
    assert counting() == 0


def test_a_change_that_cannot_change_a_result_plays_nothing_again(counting):
    assert counting() > 0
    assert counting(game=GAME.replace(title="Another title", memory=100)) == 0
    assert counting("counting(depth=0)") == 0


def test_another_seed_plays_only_random_strategies_again(counting):
    assert counting() > 0
    assert counting(seed=2) == 0
    assert counting(stochastic=True) > 0
    assert counting(stochastic=True, seed=2) > 0
    assert counting(stochastic=True, seed=0) == 0


@pytest.fixture
def moody(written, tmp_path, path):
    """Return a function that plays a tournament with a strategy that does something else once, and its outcomes."""
    mood = tmp_path / "mood"

    def play(does, bad, **options):
        mood.touch() if bad else mood.unlink(missing_ok=True)
        body = f"""
            def guess(self, position):
                if os.path.exists({str(mood)!r}):
                    {does}
                return first(position)
            """
        plugins = written(Moody=body)
        board = wk.tournament(GAME, ["moody"], store=path, plugins=plugins, workers=1, **options)
        return {play.outcome for play in board.plays("moody")} - {Outcome.OUT_OF_GUESSES}

    return play


@pytest.mark.parametrize(
    ("does", "outcome"),
    [
        ("raise TimeoutError", Outcome.TIMED_OUT),
        ("os._exit(1)", Outcome.CRASHED),
        ("raise MemoryError", Outcome.CRASHED),
    ],
)
def test_results_that_depended_on_the_machine_are_played_again(moody, does, outcome):
    assert moody(does, True) == {outcome}
    assert moody(does, False) == {Outcome.SOLVED}
    assert moody(does, True) == {Outcome.SOLVED}


def test_a_fault_of_the_strategy_is_kept(moody):
    assert moody("raise ValueError", True) == moody("raise ValueError", False) == {Outcome.CRASHED}
