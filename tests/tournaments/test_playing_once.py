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


def test_a_second_tournament_plays_nothing(counting):
    assert counting() > 0
    assert counting() == 0


def test_a_tournament_without_a_store_plays_everything(counting):
    assert counting(store=None) == counting(store=None) > 0


def test_fresh_plays_again_and_leaves_one_run(counting, path):
    assert counting() == counting(fresh=True) > 0
    assert stored(path) == [("counting", 27)]


def test_a_new_strategy_plays_and_one_that_is_stored_does_not(counting, path):
    asked = counting()
    assert counting("first-consistent") == 0
    assert counting("counting(depth=1)") == asked
    assert stored(path) == [("counting", 27), ("first-consistent", 27), ("counting(depth=1)", 27)]


@pytest.mark.parametrize(
    "change",
    [
        {"strategy": "counting(depth=3)"},
        {"version": "2"},
        {"source": "\n# an afterthought\n"},
        {"game": GAME.replace(max_guesses=5)},
        {"game": GAME.replace(hard_mode=True)},
        {"puzzles": ["abc", "cba"]},
        {"deadline": 5.0},
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
    assert counting(seed=1) > 0
    assert counting(seed=2) == 0
    assert counting(stochastic=True, seed=1) > 0
    assert counting(stochastic=True, seed=2) > 0
    assert counting(stochastic=True, seed=1) == 0


def test_failures_are_stored_like_any_other_result(written, path):
    plugins = written(Broken="def guess(self, position):\n    return 1 / 0\n")
    made = [wk.tournament(GAME, ["broken"], store=path, plugins=plugins, workers=1) for _ in range(2)]
    assert made[0].plays("broken") == made[1].plays("broken")
    assert {play.outcome for play in made[1].plays("broken")} == {Outcome.CRASHED}


UNSURE = {
    "takes too long": "time.sleep(600)",
    "ends its process": "os._exit(1)",
    "is ended from outside": "os.kill(os.getpid(), signal.SIGKILL)",
    "finds no memory": "raise MemoryError",
    "finds the disk full": "raise OSError(28, 'No space left on device')",
}


@pytest.fixture
def moody(written, tmp_path, path):
    """Return a function that plays a tournament with a strategy that does something else once, and its outcomes."""
    mood = tmp_path / "mood"

    def play(does, bad, deadline=1.0, **options):
        mood.touch() if bad else mood.unlink(missing_ok=True)
        body = f"""
            def guess(self, position):
                if os.path.exists({str(mood)!r}):
                    {does}
                return first(position)
            """
        plugins = written(Moody=body)
        board = wk.tournament(GAME, ["moody"], store=path, plugins=plugins, workers=1, deadline=deadline, **options)
        return board, {play.outcome for play in board.plays("moody")} - {Outcome.OUT_OF_GUESSES}

    return play


@pytest.mark.parametrize("how", UNSURE)
def test_results_that_depended_on_the_machine_are_played_again_unless_kept(moody, how):
    _, bad = moody(UNSURE[how], True)
    assert bad == {Outcome.TIMED_OUT if how == "takes too long" else Outcome.CRASHED}
    assert moody(UNSURE[how], False, keep_timeouts=True)[1] == bad
    assert moody(UNSURE[how], False)[1] == {Outcome.SOLVED}
    assert moody(UNSURE[how], True)[1] == {Outcome.SOLVED}


def test_a_fault_of_the_strategy_is_kept(moody):
    assert moody("raise ValueError", True)[1] == moody("raise ValueError", False)[1] == {Outcome.CRASHED}


def test_a_timeout_comes_with_a_hint_about_the_deadline(moody):
    hint = "Plays that timed out are played again next time; a longer deadline gives decisions more time."
    assert hint in moody("time.sleep(600)", True, deadline=0.2)[0].notes
    assert hint not in moody("raise ValueError", True)[0].notes
