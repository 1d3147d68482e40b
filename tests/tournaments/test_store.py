"""The store: it keeps results while others write to it too."""

import os
import pickle
import sqlite3
import subprocess
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
from wordle_kit.temporary import owner_name
from wordle_kit.tournaments.runs import Outcome, Play, RunFacts, Skipped
from wordle_kit.tournaments.store import Store, make

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
)
GAME = wk.load_game({"name": "abc", "alphabet": "abc", "length": 3, "answers": "all"})


# Stored results are read back unchanged


texts = st.text(st.characters(codec="utf-8"), max_size=8)
words = st.text("abcäß😀|, ", min_size=1, max_size=5)


@st.composite
def plays(draw):
    guesses = tuple(draw(st.lists(words, max_size=4)))
    feedback = tuple(draw(st.tuples(words | st.just(""), words)) for _ in guesses)
    turns = draw(st.none() | st.integers(1, 2**40))
    puzzle = (draw(words), draw(words))
    skipped = draw(st.none() | st.sampled_from(Skipped))
    notes = draw(st.dictionaries(st.sampled_from(["calls", "ö"]), st.integers() | st.floats(allow_nan=False)))
    return Play(puzzle, guesses, feedback, draw(st.sampled_from(Outcome)), turns, draw(texts), skipped, notes)


def apart(play):
    """Return what the equality of plays leaves out."""
    return play.skipped, play.notes


@settings(deadline=None)
@given(made=st.lists(plays(), min_size=1, max_size=5))
def test_a_play_comes_back_as_it_was_stored(made):
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder, "store")) as store, Store(store.path) as other:
        run = store.run("key", FACTS)
        store.add(run, 0, 0, made, 7, 0.25)
        for reader in (store, other):  # one knows the plays, the other must read them
            back = reader.read(run)
            assert back.plays == tuple(made)
            assert list(map(apart, back.plays)) == list(map(apart, made))
            assert (back.facts, back.calls, back.seconds) == (FACTS, 7, 0.25)


@given(made=plays())
def test_a_play_can_be_sent_to_another_process(made):
    back = pickle.loads(pickle.dumps(made))
    assert (back, apart(back)) == (made, apart(made))


def test_weights_of_puzzles_come_back_exactly(path):
    weighted = replace(FACTS, weights=(0.1, 1 / 3, 0.0))
    with Store(path) as store:
        runs = [store.run(str(number), facts) for number, facts in enumerate((FACTS, weighted))]
        assert [store.read(run).facts for run in runs] == [FACTS, weighted]


PLAY = Play(("abc",), ("aaa", "abc"), (("200",), ("222",)), Outcome.SOLVED, 2)


def test_a_store_keeps_its_content_when_it_is_closed(path):
    with Store(path) as store:
        store.add(store.run("key", FACTS), 0, 0, [PLAY], 1, 0.5)
    with Store(path) as store:
        ((run, facts, played),) = store.runs()
        assert (facts, played) == (FACTS, 1)
        assert store.read(run).plays == (PLAY,)


def test_plays_come_back_in_the_order_of_the_puzzles_even_if_a_later_chunk_was_first(path):
    plays = [Play((word,), (), (), Outcome.CRASHED, None, "") for word in "abcdef"]
    with Store(path) as store, Store(path) as other:
        run = store.run("key", FACTS)
        store.add(run, 1, (5, 2, 4), [plays[5], plays[2], plays[4]], 2, 1.0)
        assert store.finished_chunks(run) == {1}
        store.add(run, 0, (3, 0, 1), [plays[3], *plays[:2]], 1, 0.5)
        assert store.finished_chunks(run) == {0, 1}
        for back in (store.read(run), other.read(run)):
            assert back.plays == tuple(plays)
            assert (back.calls, back.seconds) == (3, 1.5)


def test_what_others_add_or_replace_is_read_too(path):
    unsure = Play(("abc",), (), (), Outcome.TIMED_OUT, None)
    with Store(path) as store, Store(path) as other:
        run = store.run("key", FACTS)
        store.add(run, 0, 0, [unsure], 1, 0.5, unsure=1)
        assert store.read(run).plays == (unsure,)
        other.add(run, 0, 0, [PLAY], 1, 0.5)
        assert store.read(run).plays == (PLAY,)
        other.add(run, 1, 1, [PLAY], 1, 0.5)
        assert store.read(run).plays == (PLAY, PLAY)


def test_a_chunk_that_is_there_stays_as_it_is():
    with Store() as store:
        run = store.run("key", FACTS)
        store.add(run, 0, 0, [PLAY], 1, 0.5)
        store.add(run, 0, 0, [Play(("abc",), (), (), Outcome.CRASHED, None)], 9, 9.0)
        back = store.read(run)
    assert (back.plays, back.calls, back.seconds) == ((PLAY,), 1, 0.5)


def test_a_chunk_is_stored_whole_or_not_at_all():
    with Store() as store:
        run = store.run("key", FACTS)
        with pytest.raises(wk.StoreError):
            store.add(run, 0, 0, [PLAY, Play(("abc",), (), (), Outcome.CRASHED, None, message=None)], 1, 0.5)
        assert store.finished_chunks(run) == set()
        assert store.read(run).plays == ()


def test_runs_are_told_apart_by_their_keys():
    with Store() as store:
        one, same, other = (store.run(key, FACTS) for key in ("one", "one", "other"))
        assert one == same != other
        store.add(one, 0, 0, [PLAY], 1, 0.5)
        assert store.finished_chunks(other) == set()


def test_a_replacement_replaces_a_whole_run_and_no_other_run():
    other_play = Play(("abc",), (), (), Outcome.CRASHED, None)
    with Store() as store:
        one, other = store.run("one", FACTS), store.run("other", FACTS)
        for run in (one, other):
            store.add(run, 0, 0, [PLAY], 1, 0.5)
        new = store.replacement("one", FACTS)
        store.add(new, 0, 0, [other_play], 2, 0.25)
        assert [run for run, _, _ in store.runs()] == [one, other]
        assert store.read(store.run("one", FACTS)).plays == (PLAY,)
        store.publish(new)
        assert [run for run, _, _ in store.runs()] == [other, new]
        assert store.read(one).plays == store.read(new).plays == (other_play,)
        assert store.read(other).plays == (PLAY,)


def test_a_run_replaced_while_it_is_played_reads_as_the_replacement(path):
    with Store(path) as slow, Store(path) as fresh:
        run = slow.run("key", FACTS)
        slow.add(run, 0, 0, [PLAY], 1, 0.5)
        new = fresh.replacement("key", FACTS)
        for chunk in (0, 1):
            fresh.add(new, chunk, chunk, [Play(("abc",), (), (), Outcome.CRASHED, None)], 1, 0.5)
        fresh.publish(new)
        assert slow.finished_chunks(run) == {0, 1}
        slow.add(run, 1, 1, [PLAY], 1, 0.5)
        assert [play.outcome for play in slow.read(run).plays] == [Outcome.CRASHED] * 2
        assert len(slow.runs()) == 1


def test_a_replacement_that_is_dropped_or_left_by_a_dead_process_does_not_count(path, monkeypatch):
    with Store(path) as store:
        old = store.run("key", FACTS)
        store.discard(store.replacement("key", FACTS))
        system, _, started = owner_name().split("-")
        monkeypatch.setattr("wordle_kit.tournaments.store.owner_name", lambda: f"{system}-{2**30}-{started}")
        store.add(store.replacement("key", FACTS), 0, 0, [PLAY], 1, 0.5)
        monkeypatch.undo()
        store.add(store.replacement("key", FACTS), 0, 0, [PLAY], 1, 0.5)  # this process plays it, and still lives
        store.replacement("key", FACTS)
        assert [run for run, _, _ in store.runs()] == [old]
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM runs").fetchone() == (3,)
        assert connection.execute("SELECT count(*) FROM plays").fetchone() == (1,)


def test_results_that_depended_on_the_machine_are_not_sure_and_are_replaced():
    late = Play(("abc",), (), (), Outcome.TIMED_OUT, None)
    with Store() as store:
        run = store.run("key", FACTS)
        store.add(run, 0, 0, [late], 1, 0.5, unsure=1)
        store.add(run, 1, 1, [PLAY], 1, 0.5)
        assert (store.finished_chunks(run), store.finished_chunks(run, sure=True)) == ({0, 1}, {1})
        store.add(run, 0, 0, [PLAY], 1, 0.5)
        store.add(run, 1, 1, [late], 1, 0.5, unsure=1)
        assert store.read(run).plays == (PLAY, PLAY)
        assert store.finished_chunks(run, sure=True) == {0, 1}


def test_a_snapshot_shows_one_version_while_others_write(path):
    with Store(path) as reader, Store(path) as writer:
        run = writer.run("key", FACTS)
        writer.add(run, 0, 0, [PLAY], 1, 0.5)
        with reader.snapshot():
            assert len(reader.read(run).plays) == 1
            writer.publish(writer.replacement("key", FACTS))
            assert len(reader.read(run).plays) == 1
        assert reader.runs()[0][2] == 0


def test_a_store_that_another_process_has_just_made_is_not_made_again(tmp_path):
    path = tmp_path / "store.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = WAL")
        other.execute("BEGIN IMMEDIATE")
        waiting = ThreadPoolExecutor(1).submit(lambda: Store(path).close())
        time.sleep(0.3)  # until it waits for its turn
        make(other.execute)
        other.execute("COMMIT")
        waiting.result()


# Results that could not be read back are not written


LONE = "\ud800\udce4"


def test_texts_that_are_not_utf_8_are_written_so_that_they_can_be_read():
    facts = replace(FACTS, puzzles=f"3 puzzles of {LONE}", parameters={"file": LONE, LONE: [{"deep": (LONE,)}]})
    with Store() as store:
        back = store.read(store.run("key", facts)).facts
    assert back.puzzles == "3 puzzles of \\ud800\\udce4"
    assert back.parameters == {"file": "\\ud800\\udce4", "\\ud800\\udce4": [{"deep": ["\\ud800\\udce4"]}]}


@pytest.mark.parametrize("value", [b"bytes", {1, 2}, object()], ids=["bytes", "a set", "an object"])
def test_parameters_that_cannot_be_stored_are_refused_and_the_store_stays_sound(value):
    with Store() as store:
        with pytest.raises(wk.StoreError, match=r"entropy\(pool=candidates\): its parameters cannot be stored"):
            store.run("key", replace(FACTS, parameters={"value": value}))
        assert store.runs() == []
        assert store.read(store.run("key", FACTS)).plays == ()


@pytest.mark.parametrize("text", ["a\tb", "a\nb", LONE], ids=ascii)
def test_a_play_that_would_not_come_back_is_refused_and_the_store_stays_sound(text):
    with Store() as store:
        run = store.run("key", FACTS)
        for play in (replace(PLAY, puzzle=(text,)), replace(PLAY, feedback=((text,), ("222",)))):
            if play.puzzle == ("a\tb",):
                continue  # comes back
            with pytest.raises(wk.StoreError, match="the play of "):
                store.add(run, 0, 0, [play], 1, 0.5)
        assert store.read(run).plays == ()


FROM_STORE = b"wordle-kit: 2 of 2 plays from the store %s; --fresh plays them again\n"


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="needs file names of any bytes")
def test_puzzles_from_a_file_whose_name_is_not_utf_8_leave_the_store_sound(tmp_path, path):
    puzzles = tmp_path / os.fsdecode(b"b\xe4.txt")
    puzzles.write_text("abc\ncba\n")
    command = [sys.executable, "-m", "wordle_kit", "tournament", "-g", tmp_path / "abc.toml", "--puzzles", puzzles]
    (tmp_path / "abc.toml").write_text('name = "abc"\nalphabet = "abc"\nlength = 3\nanswers = "all"\n')
    for _ in range(2):
        done = subprocess.run([*command, "-s", "first-consistent", "--store", path], capture_output=True, check=False)
        assert (done.returncode, done.stderr.replace(FROM_STORE % os.fsencode(path), b"")) == (0, b"")
    shown = subprocess.run(
        [sys.executable, "-m", "wordle_kit", "leaderboard", "--store", path], capture_output=True, check=True
    )
    assert shown.stdout == done.stdout


def test_two_connections_write_to_one_file(path):
    with Store(path) as one, Store(path) as other:
        run = one.run("key", FACTS)
        assert other.run("key", FACTS) == run
        one.add(run, 0, 0, [PLAY], 1, 0.5)
        other.add(run, 1, 1, [PLAY], 1, 0.5)
        assert one.finished_chunks(run) == other.finished_chunks(run) == {0, 1}


def test_a_store_waits_for_another_process_that_is_writing(path):
    with Store(path) as store, closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        run = store.run("key", FACTS)
        other.execute("BEGIN IMMEDIATE")
        done = threading.Timer(0.3, other.execute, ["COMMIT"])
        done.start()
        store.add(run, 0, 0, [PLAY], 1, 0.5)
        done.join()
        assert store.finished_chunks(run) == {0}
