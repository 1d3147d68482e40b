"""The store: it keeps results while others write to it too."""

import os
import sqlite3
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wordle_kit as wk
from wordle_kit.tournaments.runs import Outcome, Play, Played, RunFacts
from wordle_kit.tournaments.store import TABLES, Store

FACTS = RunFacts(
    game="abc",
    fingerprint="0123456789abcdef",
    boards=1,
    max_guesses=6,
    cap=30,
    hard_mode=False,
    puzzles="all 27 answers",
    puzzles_fingerprint="fedcba9876543210",
    n_puzzles=27,
    is_sample=False,
    seed=0,
    strategy="entropy(pool=candidates)",
    version="1",
    plugin="partition",
    stochastic=False,
    parameters={"pool": "candidates", "opener": None, "words": ["ö", "😀"]},
    versions={"wordle-kit": "0.1", "python": "3.11"},
    weights=(0.1, 1 / 3, 0.0),
)
PLAY = Play(("abc",), ("aaa", "abc"), (("200",), ("222",)), Outcome.SOLVED, 2)
CRASHED = Play(("abc",), (), (), Outcome.CRASHED, None)
LATE = Play(("abc",), (), (), Outcome.TIMED_OUT, None)


# Stored results are read back unchanged


texts = st.text(st.characters(codec="utf-8"), max_size=8)
words = st.text("abcäß😀|, ", min_size=1, max_size=5)


@st.composite
def plays(draw):
    guesses = tuple(draw(st.lists(words, max_size=4)))
    feedback = tuple(draw(st.tuples(words | st.just(""), words)) for _ in guesses)
    turns = draw(st.none() | st.integers(1, 2**40))
    puzzle = (draw(words), draw(words))
    notes = draw(st.dictionaries(st.sampled_from(["calls", "ö"]), st.integers() | st.floats(allow_nan=False)))
    return Play(puzzle, guesses, feedback, draw(st.sampled_from(Outcome)), turns, draw(texts), notes)


def whole(play):
    """Return a play with what the equality of plays leaves out."""
    return play, play.notes


@settings(max_examples=20)
@given(made=st.lists(plays(), min_size=1, max_size=5))
def test_a_play_comes_back_as_it_was_stored(made):
    with tempfile.TemporaryDirectory() as folder:
        with Store(Path(folder, "store")) as store:
            store.add(store.ensure_run("key", FACTS), 0, range(len(made)), Played(made, 7, 0.25))
        with Store(store.path) as store:
            ((run, facts, played),) = store.runs()
            back = store.read(run)
    assert (facts, played) == (FACTS, len(made))
    assert list(map(whole, back.plays)) == list(map(whole, made))
    assert (back.facts, back.calls, back.seconds) == (FACTS, 7, 0.25)


def test_plays_come_back_in_the_order_of_the_puzzles_even_if_a_later_chunk_was_first():
    made = [replace(CRASHED, puzzle=(word,)) for word in "abcdef"]
    with Store() as store:
        run = store.ensure_run("key", FACTS)
        store.add(run, 1, (5, 2, 4), Played([made[5], made[2], made[4]], 2, 1.0))
        assert store.finished_chunks(run) == {1}
        store.add(run, 0, (3, 0, 1), Played([made[3], *made[:2]], 1, 0.5))
        assert store.finished_chunks(run) == {0, 1}
        back = store.read(run)
    assert back.plays == tuple(made)
    assert (back.calls, back.seconds) == (3, 1.5)


def test_a_chunk_is_stored_whole_or_not_at_all_and_then_stays_as_it_is():
    with Store() as store:
        run = store.ensure_run("key", FACTS)
        with pytest.raises(wk.StoreError):
            store.add(run, 0, [0, 1], Played([PLAY, replace(CRASHED, message=None)], 1, 0.5))
        assert (store.finished_chunks(run), store.read(run).plays) == (set(), ())
        store.add(run, 0, [0], Played([PLAY], 1, 0.5))
        store.add(run, 0, [0], Played([CRASHED], 9, 9.0))
        back = store.read(run)
    assert (back.plays, back.calls, back.seconds) == ((PLAY,), 1, 0.5)


def test_results_that_depended_on_the_machine_are_not_finished_and_are_replaced():
    with Store() as store:
        run = store.ensure_run("key", FACTS)
        store.add(run, 0, [0], Played([LATE], 1, 0.5, unsure=1))
        store.add(run, 1, [1], Played([PLAY], 1, 0.5))
        assert store.finished_chunks(run) == {1}
        store.add(run, 0, [0], Played([PLAY], 1, 0.5))
        store.add(run, 1, [1], Played([LATE], 1, 0.5, unsure=1))
        assert store.read(run).plays == (PLAY, PLAY)
        assert store.finished_chunks(run) == {0, 1}


# Several at the same time


def test_what_others_add_or_replace_is_read_too(path):
    with Store(path) as store, Store(path) as other:
        run = store.ensure_run("key", FACTS)
        assert other.ensure_run("key", FACTS) == run
        store.add(run, 0, [0], Played([LATE], 1, 0.5, unsure=1))
        assert store.read(run).plays == (LATE,)
        other.add(run, 0, [0], Played([PLAY], 1, 0.5))
        assert store.read(run).plays == (PLAY,)
        other.add(run, 1, [1], Played([PLAY], 1, 0.5))
        assert store.read(run).plays == (PLAY, PLAY)
        assert store.finished_chunks(run) == {0, 1}


def test_a_run_that_is_played_afresh_is_deleted_first_and_no_other_run_is():
    with Store() as store:
        other, one = store.ensure_run("other", FACTS), store.ensure_run("one", FACTS)
        for run in (one, other):
            store.add(run, 0, [0], Played([PLAY], 1, 0.5))
        new = store.ensure_run("one", FACTS, fresh=True)
        assert [(run, played) for run, _, played in store.runs()] == [(other, 1), (new, 0)]
        store.add(new, 0, [0], Played([CRASHED], 2, 0.25))
        assert (store.read(other).plays, store.read(new).plays) == ((PLAY,), (CRASHED,))


def test_a_run_that_is_removed_while_it_is_played_is_named_and_not_mixed_with_a_later_one(path):
    with Store(path) as slow, Store(path) as fresh:
        run = slow.ensure_run("key", FACTS)
        slow.add(run, 0, [0], Played([PLAY], 1, 0.5))
        new = fresh.ensure_run("key", FACTS, fresh=True)
        for use in (lambda: slow.add(run, 1, [1], Played([PLAY], 1, 0.5)), lambda: slow.read(run)):
            with pytest.raises(wk.StoreError, match="removed"):
                use()
        assert fresh.read(new).plays == ()


def test_a_snapshot_shows_one_version_while_others_write(path):
    with Store(path) as reader, Store(path) as writer:
        run = writer.ensure_run("key", FACTS)
        writer.add(run, 0, [0], Played([PLAY], 1, 0.5))
        with reader.snapshot():
            assert len(reader.read(run).plays) == 1
            writer.ensure_run("key", FACTS, fresh=True)
            assert len(reader.read(run).plays) == 1
        assert reader.runs()[0][2] == 0


@pytest.mark.slow
def test_a_store_that_another_process_has_just_made_is_not_made_again(tmp_path):
    path = tmp_path / "store.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = WAL")
        other.execute("BEGIN IMMEDIATE")
        waiting = ThreadPoolExecutor(1).submit(lambda: Store(path).close())
        time.sleep(0.3)  # until it waits for its turn
        for statement in TABLES.split(";\n"):
            other.execute(statement)
        other.execute("COMMIT")
        waiting.result()


@pytest.mark.slow
def test_a_store_waits_for_another_process_that_is_writing(path):
    with Store(path) as store, closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        run = store.ensure_run("key", FACTS)
        other.execute("BEGIN IMMEDIATE")
        done = threading.Timer(0.3, other.execute, ["COMMIT"])
        done.start()
        store.add(run, 0, [0], Played([PLAY], 1, 0.5))
        done.join()
        assert store.finished_chunks(run) == {0}


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="needs file names of any bytes")
def test_puzzles_from_a_file_whose_name_is_not_utf_8_are_stored(tmp_path, path):
    game = wk.load_game({"name": "abc", "alphabet": "abc", "length": 3, "answers": "all"})
    puzzles = tmp_path / os.fsdecode(b"b\xe4.txt")
    puzzles.write_text("abc\ncba\n")
    made = wk.tournament(game, ["first-consistent"], puzzles, store=path, workers=1)
    assert wk.read_leaderboard(path).as_dict() == made.as_dict()
    assert "b\\udce4.txt" in made.as_dict()["puzzles"]


# Media that nobody can write to


@pytest.mark.skipif(sys.platform == "win32", reason="folders can be written to there")
def test_a_store_on_read_only_media_is_read_and_not_played_in():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "store.sqlite")
        with Store(path) as store:
            store.add(store.ensure_run("key", FACTS), 0, [0], Played([PLAY], 1, 0.5))
        path.chmod(0o444)
        Path(folder).chmod(0o555)
        try:
            if os.geteuid() == 0:
                os.seteuid(65534)  # root can write everywhere
            with Store.existing(path) as store:
                assert [store.read(run).plays for run, _, _ in store.runs()] == [(PLAY,)]
            with pytest.raises(wk.StoreError, match=r"store\.sqlite"):
                Store(path)
        finally:
            os.seteuid(os.getuid())
            Path(folder).chmod(0o755)


def test_to_open_a_store_and_list_its_runs_needs_no_plays(path):
    with Store(path) as store:
        store.add(store.ensure_run("key", FACTS), 0, range(50), Played([PLAY] * 50, 1, 0.5))
    with sqlite3.connect(path) as file:
        file.execute("DROP TABLE plays")
    with Store.existing(path) as store:
        assert store.runs()[0][2] == 50
