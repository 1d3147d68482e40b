"""The runner: results do not depend on how they are made, and no strategy harms another or leaves anything behind."""

import contextlib
import multiprocessing
import signal
import sqlite3
import tempfile
from concurrent.futures import ThreadPoolExecutor

import pytest

import wordle_kit as wk
from wordle_kit import deadline
from wordle_kit.api import load_puzzles
from wordle_kit.tournaments import runner
from wordle_kit.tournaments.chance import Chance
from wordle_kit.tournaments.entrants import enter
from wordle_kit.tournaments.runner import play_tournaments
from wordle_kit.tournaments.runs import Outcome
from wordle_kit.tournaments.store import Store
from wordle_kit.tournaments.tournament import Tournament

GAME = wk.load_game({"name": "abc", "alphabet": "abc", "length": 3, "answers": "all"})
BUNDLED = ["entropy", "most-parts", "first-consistent", "random-consistent"]

AT_FINAL_LETTERS = """
def guess(self, position):
    if position.board.words[0] >= "f":
        {does}
    return first(position)
"""
"""In the game of letters, only the last puzzles, which begin with f, get to the point where this strategy acts."""


def untimed(row):
    return {key: value for key, value in row.as_dict().items() if key != "ms_per_decision"}


def rows(leaderboard, *without):
    return [untimed(row) for row in leaderboard.rows if row.strategy not in without]


def row(leaderboard, strategy):
    (found,) = [row for row in leaderboard.rows if row.strategy == strategy]
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
    return wk.tournament(letters, BUNDLED, workers=1, seed=0)


def test_two_workers_play_the_same_as_one(letters, by_one_worker):
    by_two = wk.tournament(letters, BUNDLED, workers=2, seed=0)
    assert rows(by_two) == rows(by_one_worker)
    assert all(by_two.plays(strategy) == by_one_worker.plays(strategy) for strategy in BUNDLED)


@pytest.mark.parametrize(("chunk", "workers"), [(256, 1), (7, 1), (7, 2), (1, 2), (30, 2)])
def test_on_several_boards_chunks_and_workers_change_no_play(monkeypatch, chunk, workers):
    monkeypatch.setattr(wk.Strategy, "chunk", chunk)
    game = GAME.replace(boards=4)
    board = wk.tournament(game, BUNDLED, 30, workers=workers, seed=0)
    for strategy in BUNDLED:
        assert list(board.plays(strategy)) == wk.play(strategy, game, 30, seed=0)
    assert {play.outcome for strategy in BUNDLED for play in board.plays(strategy)} <= {
        Outcome.SOLVED,
        Outcome.OUT_OF_GUESSES,
    }


def test_any_executor_gives_the_same_plays_as_processes(letters, by_one_worker):
    with ThreadPoolExecutor(2) as executor:
        by_threads = wk.tournament(letters, BUNDLED, executor=executor, seed=0)
    assert rows(by_threads) == rows(by_one_worker)
    assert all(by_threads.plays(strategy) == by_one_worker.plays(strategy) for strategy in BUNDLED)


@pytest.mark.parametrize("strategy", ["first-consistent", "entropy"])
def test_a_tournament_plays_the_same_as_a_single_referee(letters, by_one_worker, strategy):
    assert list(by_one_worker.plays(strategy)) == wk.play(wk.load_strategy(strategy), letters)


def test_a_strategy_does_the_same_alone_and_among_others(letters, by_one_worker):
    alone = wk.tournament(letters, ["random-consistent"], workers=2, seed=0)
    assert alone.plays("random-consistent") == by_one_worker.plays("random-consistent")


def test_another_seed_changes_only_the_random_strategies(letters, by_one_worker):
    other = wk.tournament(letters, BUNDLED, workers=2, seed=1)
    assert other.plays("entropy") == by_one_worker.plays("entropy")
    assert other.plays("random-consistent") != by_one_worker.plays("random-consistent")


def test_runs_come_in_the_order_of_the_entrants_and_progress_is_told_to_the_end(letters):
    told = []
    entrants, _ = enter(["most-parts", "first-consistent"], letters)
    with Store() as store:
        runs = play_tournaments(
            [Tournament(letters, load_puzzles(letters, 600), tuple(entrants), Chance(seed=0))],
            store,
            workers=2,
            progress=lambda done, total: told.append((done, total)),
        )
        assert [store.read(run).facts.strategy for run in runs] == ["most-parts", "first-consistent"]
    assert told == sorted(told)
    assert told[0] == (0, 1200)
    assert told[-1] == (1200, 1200)


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"workers": 0}, "workers is 0; give 1 or more"),
        ({"workers": -2}, "workers is -2"),
        ({"deadline": 0}, "deadline is 0; give more than 0"),
        ({"deadline": -1.5}, "deadline is -1.5"),
        ({"deadline": float("nan")}, "deadline is nan"),
    ],
)
def test_impossible_settings_are_refused(settings, complaint):
    with pytest.raises(wk.WordleKitError, match=complaint):
        wk.tournament(GAME, ["first-consistent"], **settings)


@pytest.mark.parametrize("seconds", [1e-4, 1e9, float("inf")])
def test_a_deadline_may_be_as_short_or_as_long_as_one_likes(seconds):
    try:
        leaderboard = wk.tournament(GAME, ["first-consistent"], deadline=seconds, workers=1)
    except wk.WordleKitError:
        return
    assert set(leaderboard.rows[0].outcomes) <= {"timed out"}


# Strategies that bring their process down


DEADLY = {
    "exits": "os._exit(0)",
    "kills itself": "os.kill(os.getpid(), signal.SIGKILL)",
    "reads where nothing is": "faulthandler.disable(); ctypes.string_at(0)",  # pytest enables it, which is noise here
}


@pytest.mark.parametrize("how", DEADLY)
def test_a_strategy_that_brings_its_process_down_loses_only_its_own_puzzles(letters, written, how):
    plugins = written(Deadly=AT_FINAL_LETTERS.format(does=DEADLY[how]))
    others = ["first-consistent", "random-consistent"]
    leaderboard = wk.tournament(letters, ["deadly", *others], plugins=plugins, workers=2, seed=0)
    assert rows(leaderboard, "deadly") == rows(wk.tournament(letters, others, workers=2, seed=0))

    intact = letters.answers.index("faaa") // 256 * 256
    plays, honest = leaderboard.plays("deadly"), leaderboard.plays("first-consistent")
    assert plays[:intact] == honest[:intact]
    assert {play.outcome for play in plays[intact:]} == {Outcome.CRASHED}
    assert {play.message for play in plays[intact:]} == {
        "its process died while it played this group of puzzles",
    }
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
def test_a_strategy_that_cannot_be_interrupted_is_ended_with_its_process(written, monkeypatch):
    monkeypatch.setattr(deadline, "GRACE", 0.4)
    plugins = written(**LOOPS)
    strategies = ["swallowing", "native", "first-consistent"]
    leaderboard = wk.tournament(GAME, strategies, plugins=plugins, workers=2, deadline=0.4)
    assert rows(leaderboard, "swallowing", "native") == rows(wk.tournament(GAME, ["first-consistent"], workers=2))
    for strategy in ("swallowing", "native"):
        assert row(leaderboard, strategy).outcomes == {"timed out": len(GAME.answers)}
        message = leaderboard.plays(strategy)[0].message
        assert message.startswith("took more than 0.4 s and could not be interrupted: File")
        assert "plugin.py" in message


# Strategies that fail in ways of their own


ODD = {
    "its message cannot be written as UTF-8": 'raise ValueError("\\ud800")',
    "its message has a zero character": 'raise ValueError("a\\0b")',
    "its guess cannot be written as UTF-8": 'return "\\ud800"',
    "it raises what Ctrl-C raises": "raise KeyboardInterrupt",
    "it leaves by sys.exit": "sys.exit(1)",
    "it empties its board": "object.__setattr__(position.board, 'candidates', position.board.candidates[:0])",
    "it forgets its guesses": "object.__setattr__(position, 'guess_ids', ())",
    "its guess is a class": "return wk.Strategy",
}


@pytest.mark.parametrize("how", ODD)
def test_any_fault_of_a_strategy_is_a_result_and_the_others_play_on(letters, written, tmp_path, how):
    plugins = written(Odd=AT_FINAL_LETTERS.format(does=ODD[how]))
    puzzles = letters.answers[::100]
    leaderboard = wk.tournament(
        letters, ["odd", "first-consistent"], puzzles, plugins=plugins, workers=1, store=tmp_path / "store"
    )
    odd, honest = leaderboard.plays("odd"), leaderboard.plays("first-consistent")
    assert [play for play in odd if play.puzzle[0] < "f"] == [play for play in honest if play.puzzle[0] < "f"]
    assert rows(leaderboard, "odd") == rows(wk.tournament(letters, ["first-consistent"], puzzles, workers=1))


UNSENDABLE = {
    "it holds a lock": """
        _lock: object = __import__("pydantic").PrivateAttr(default_factory=threading.Lock)
        def guess(self, position):
            return first(position)
        """,
    "it refuses to be pickled": """
        def __reduce__(self):
            raise RuntimeError("stays here")
        def guess(self, position):
            return first(position)
        """,
    "it falls apart on the way": """
        def __reduce__(self):
            return (int, ("no number",))
        def guess(self, position):
            return first(position)
        """,
}


@pytest.mark.parametrize("how", UNSENDABLE)
def test_if_a_strategy_cannot_be_sent_to_a_worker_the_others_play(written, how):
    plugins = written(Unsendable=UNSENDABLE[how])
    leaderboard = wk.tournament(GAME, ["unsendable", "first-consistent"], plugins=plugins, workers=2)
    assert rows(leaderboard, "unsendable") == rows(wk.tournament(GAME, ["first-consistent"], workers=2))
    assert row(leaderboard, "unsendable").outcomes == {"crashed": len(GAME.answers)}


def test_output_of_a_strategy_is_not_among_the_results(written, capfd):
    plugins = written(
        Talkative="""
        def guess(self, position):
            print("printed")
            sys.__stdout__.write("written")
            sys.__stdout__.flush()
            os.write(1, b"straight")
            os.system("echo from a child")
            return first(position)
        """
    )
    leaderboard = wk.tournament(GAME, ["talkative"], GAME.answers[:2], plugins=plugins, workers=2)
    assert row(leaderboard, "talkative").failed == 0
    assert capfd.readouterr().out == ""


def test_a_strategy_says_how_many_puzzles_are_played_and_stored_at_a_time(written, path):
    plugins = written(
        Slow="""
        chunk = 3
        def guess(self, position):
            return first(position)
        """,
        Broken="""
        chunk = 0
        def guess(self, position):
            return first(position)
        """,
    )
    leaderboard = wk.tournament(GAME, ["slow", "first-consistent"], plugins=plugins, workers=2, store=path)
    assert list(leaderboard.plays("slow")) == list(leaderboard.plays("first-consistent"))
    with contextlib.closing(sqlite3.connect(path)) as connection:
        sizes = [size for (size,) in connection.execute("SELECT puzzles FROM chunks WHERE run = 1")]
    assert sizes == [3] * (len(GAME.answers) // 3)
    with pytest.raises(wk.WordleKitError, match="broken: chunk is 0; give 1 or more"):
        wk.tournament(GAME, ["broken"], plugins=plugins)


def test_the_line_to_blame_is_not_one_of_the_alarm_which_may_be_ringing():
    frames = [(signal.__file__, 31, "_int_to_enum"), (deadline.__file__, 199, "_ring"), ("plugin.py", 7, "guess")]
    written = "Timeout!\n" + "".join(f'  File "{file}", line {line} in {name}\n' for file, line, name in frames)
    assert runner._post_mortem(written, 0.4)[1].endswith('interrupted: File "plugin.py", line 7 in guess')
