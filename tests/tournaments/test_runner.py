"""The runner: results do not depend on how they are made, and no strategy harms another or leaves anything behind."""

import contextlib
import multiprocessing
import sqlite3
import tempfile
from concurrent.futures import ThreadPoolExecutor

import pytest

import wordle_kit as wk
from wordle_kit.tournaments.runs import Outcome

GAME = wk.load_game({"name": "abc", "alphabet": "abc", "length": 3, "answers": "all"})
STRATEGIES = ["entropy", "first-consistent", "random-consistent"]

AT_FINAL_LETTERS = """
def guess(self, position):
    if position.board.words[0] >= "f":
        {does}
    return first(position)
"""
"""In the game of letters, only the last puzzles, which begin with f, get to the point where this strategy acts."""


def rows(leaderboard, *without):
    """Return the rows but those of some strategies, without what depends on time."""
    made = [row.as_dict() for row in leaderboard.rows if row.strategy not in without]
    return [{key: value for key, value in row.items() if key != "ms_per_decision"} for row in made]


def outcomes(leaderboard, strategy):
    (found,) = [row.outcomes for row in leaderboard.rows if row.strategy == strategy]
    return found


@pytest.fixture(autouse=True)
def nothing_is_left_behind(tmp_path, monkeypatch):
    """Fail the test if processes or temporary files are still there afterwards."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield
    assert multiprocessing.active_children() == []
    assert list(folder.iterdir()) == []


# The same results however they are made


@pytest.fixture(scope="module")
def by_one_worker(letters):
    """Return the leaderboard that a single process makes."""
    return wk.tournament(letters, STRATEGIES, workers=1)


def test_two_workers_play_the_same_as_one(letters, by_one_worker):
    by_two = wk.tournament(letters, STRATEGIES, workers=2)
    assert rows(by_two) == rows(by_one_worker)
    assert all(by_two.plays(strategy) == by_one_worker.plays(strategy) for strategy in STRATEGIES)


def test_any_executor_gives_the_same_plays_as_processes(letters, by_one_worker):
    with ThreadPoolExecutor(2) as executor:
        by_threads = wk.tournament(letters, STRATEGIES, executor=executor)
    assert all(by_threads.plays(strategy) == by_one_worker.plays(strategy) for strategy in STRATEGIES)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_tournament_plays_the_same_as_a_single_referee(letters, by_one_worker, strategy):
    assert list(by_one_worker.plays(strategy)) == wk.play(strategy, letters)


def test_a_strategy_does_the_same_alone_and_in_another_order(letters, by_one_worker):
    alone = wk.tournament(letters, ["random-consistent"], workers=1)
    backwards = wk.tournament(letters, ["random-consistent", "first-consistent"], workers=1)
    for board in (alone, backwards):
        assert board.plays("random-consistent") == by_one_worker.plays("random-consistent")


@pytest.mark.parametrize(("chunk", "workers"), [(256, 1), (7, 1), pytest.param(1, 2, marks=pytest.mark.slow)])
def test_on_several_boards_chunks_and_workers_change_no_play(monkeypatch, chunk, workers):
    monkeypatch.setattr(wk.Strategy, "chunk", chunk)
    game = GAME.replace(boards=4)
    board = wk.tournament(game, STRATEGIES, 30, workers=workers)
    for strategy in STRATEGIES:
        assert list(board.plays(strategy)) == wk.play(strategy, game, 30)
        assert outcomes(board, strategy).keys() <= {"out of guesses"}


def test_progress_is_told_from_the_beginning_to_the_end(letters):
    told = []
    strategies = ["most-parts", "first-consistent"]
    wk.tournament(letters, strategies, 600, workers=1, progress=lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert (told[0], told[-1]) == ((0, 1200), (1200, 1200))


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"workers": 0}, "workers"),
        ({"deadline": 0}, "deadline"),
        ({"deadline": float("nan")}, "deadline"),
        ({"executor": 2}, "executor"),
    ],
)
def test_impossible_settings_are_refused(settings, named):
    with pytest.raises(wk.WordleKitError, match=named):
        wk.tournament(GAME, ["first-consistent"], **settings)


@pytest.mark.parametrize("seconds", [1e9, float("inf")])
def test_a_deadline_may_be_as_long_as_one_likes(seconds):
    board = wk.tournament(GAME, ["first-consistent"], deadline=seconds, workers=1)
    assert outcomes(board, "first-consistent").keys() <= {"out of guesses"}


# Strategies that bring their process down


DEADLY = {
    "exits": "os._exit(0)",
    "kills itself": "os.kill(os.getpid(), signal.SIGKILL)",
    "reads where nothing is": "faulthandler.disable(); ctypes.string_at(0)",  # pytest enables it, which is noise here
}


@pytest.mark.parametrize(
    ("how", "workers"),
    [("exits", 1), *(pytest.param(how, 2, marks=pytest.mark.slow) for how in DEADLY)],
)
def test_a_strategy_that_brings_its_process_down_loses_only_its_own_puzzles(letters, written, how, workers):
    plugins = written(Deadly=AT_FINAL_LETTERS.format(does=DEADLY[how]))
    others = ["first-consistent", "random-consistent"]
    leaderboard = wk.tournament(letters, ["deadly", *others], plugins=plugins, workers=workers)
    assert rows(leaderboard, "deadly") == rows(wk.tournament(letters, others, workers=1))

    intact = letters.answers.index("faaa") // 256 * 256
    plays, honest = leaderboard.plays("deadly"), leaderboard.plays("first-consistent")
    assert plays[:intact] == honest[:intact]
    assert {play.outcome for play in plays[intact:]} == {Outcome.CRASHED}
    assert all("process died" in play.message for play in plays[intact:])
    assert [play.puzzle for play in plays] == [play.puzzle for play in honest]


LOOPS = {
    "Swallowing": """
        def guess(self, position):
            while True:
                try:
                    while True:
                        pass
                except BaseException:
                    pass
        """,
    "Native": """
        def guess(self, position):
            return sum(itertools.repeat(0, 10**12))
        """,
}


@pytest.mark.slow
def test_a_strategy_that_cannot_be_interrupted_is_ended_with_its_process(written):
    strategies = ["swallowing", "native"]
    leaderboard = wk.tournament(GAME, strategies, plugins=written(**LOOPS), workers=2, deadline=0.4)
    for strategy in strategies:
        assert outcomes(leaderboard, strategy) == {"timed out": len(GAME.answers)}
        assert "plugin.py" in leaderboard.plays(strategy)[0].message


LATE = """
    chunk = 100

    def guess(self, position):
        with open(CALLS, "a") as calls:
            print(position.turn, file=calls)
        if position.turn > 1:
            raise TimeoutError
        return first(position)
    """


@pytest.mark.parametrize("workers", [1, 2])
def test_a_strategy_that_is_always_late_is_not_asked_for_every_puzzle(written, tmp_path, workers):
    plugins = written(Late=LATE.replace("CALLS", repr(str(tmp_path / "calls"))))
    game = wk.load_game({"name": "letters", "alphabet": "bcdef", "length": 4, "answers": "all"})
    leaderboard = wk.tournament(game, ["late"], plugins=plugins, workers=workers)
    assert outcomes(leaderboard, "late") == {"timed out": 24, "not asked": 600}
    assert (tmp_path / "calls").read_text().split() == ["1", "2", "2", "2"]
    assert "in a row" in leaderboard.plays("late")[-1].message


# Strategies that fail in ways of their own


ODD = {
    "its message cannot be written as UTF-8": 'raise ValueError("\\ud800")',
    "its message has a zero character": 'raise ValueError("a\\0b")',
    "its guess cannot be written as UTF-8": 'return "\\ud800"',
    "it raises what Ctrl-C raises": "raise KeyboardInterrupt",
    "it leaves by sys.exit": "sys.exit(1)",
    "its guess is a class": "return wk.Strategy",
}


@pytest.mark.parametrize("how", ODD)
def test_any_fault_of_a_strategy_is_a_result_and_the_others_play_on(letters, written, path, how):
    plugins = written(Odd=AT_FINAL_LETTERS.format(does=ODD[how]))
    puzzles = letters.answers[::100]
    leaderboard = wk.tournament(letters, ["odd", "first-consistent"], puzzles, plugins=plugins, workers=1, store=path)
    odd, honest = leaderboard.plays("odd"), leaderboard.plays("first-consistent")
    assert [play for play in odd if play.puzzle[0] < "f"] == [play for play in honest if play.puzzle[0] < "f"]
    assert {play.outcome for play in odd if play.puzzle[0] >= "f"} <= {Outcome.CRASHED, Outcome.ILLEGAL}
    assert rows(leaderboard, "odd") == rows(wk.tournament(letters, ["first-consistent"], puzzles, workers=1))


def test_a_strategy_that_cannot_be_sent_to_a_worker_plays_in_this_process(written):
    plugins = written(
        Unsendable="""
        def __reduce__(self):
            raise RuntimeError("stays here")
        def guess(self, position):
            return first(position)
        """
    )
    leaderboard = wk.tournament(GAME, ["unsendable", "first-consistent"], plugins=plugins, workers=1)
    assert rows(leaderboard, "unsendable") == rows(wk.tournament(GAME, ["first-consistent"], workers=1))
    assert leaderboard.plays("unsendable") == leaderboard.plays("first-consistent")


def test_output_of_a_strategy_is_not_among_the_results(written, capfd):
    plugins = written(
        Talkative="""
        def guess(self, position):
            print("printed")
            os.write(1, b"straight")
            os.system("echo from a child")
            return first(position)
        """
    )
    leaderboard = wk.tournament(GAME, ["talkative"], GAME.answers[:2], plugins=plugins, workers=1)
    assert outcomes(leaderboard, "talkative") == {}
    assert capfd.readouterr().out == ""


def test_a_strategy_says_how_many_puzzles_are_played_and_stored_at_a_time(written, path):
    body = """
        chunk = {}
        def guess(self, position):
            return first(position)
        """
    plugins = written(Slow=body.format(3), Broken=body.format(0))
    leaderboard = wk.tournament(GAME, ["slow", "first-consistent"], plugins=plugins, workers=1, store=path)
    assert list(leaderboard.plays("slow")) == list(leaderboard.plays("first-consistent"))
    with contextlib.closing(sqlite3.connect(path)) as connection:
        sizes = [size for (size,) in connection.execute("SELECT puzzles FROM chunks WHERE run = 1")]
    assert sizes == [3] * (len(GAME.answers) // 3)
    with pytest.raises(wk.WordleKitError, match="chunk"):
        wk.tournament(GAME, ["broken"], plugins=plugins)
