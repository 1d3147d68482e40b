"""The store: keeps what was played, plays nothing twice, and never touches a file that is not its own."""

import json
import os
import random
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import wordle_kit as wk
from wordle_kit.temporary import owner_name
from wordle_kit.tournaments.outcome import Outcome, Play
from wordle_kit.tournaments.runs import RunFacts
from wordle_kit.tournaments.store import Store

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
def path(tmp_path):
    """Return where a store may be made."""
    return tmp_path / "folder" / "store.sqlite"


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


# What is put in comes out


texts = st.text(st.characters(codec="utf-8"), max_size=8)
words = st.text("abcäß😀|, ", min_size=1, max_size=5)


@st.composite
def plays(draw):
    guesses = tuple(draw(st.lists(words, max_size=4)))
    feedback = tuple(draw(st.tuples(words | st.just(""), words)) for _ in guesses)
    turns = draw(st.none() | st.integers(1, 2**40))
    puzzle = (draw(words), draw(words))
    return Play(puzzle, guesses, feedback, draw(st.sampled_from(Outcome)), turns, draw(texts))


@settings(deadline=None)
@given(made=st.lists(plays(), min_size=1, max_size=5))
def test_a_play_comes_back_as_it_was_stored(made):
    with Store() as store:
        run = store.run("key", FACTS)
        store.add(run, 0, 0, made, 7, 0.25)
        back = store.read(run)
    assert back.plays == tuple(made)
    assert (back.facts, back.calls, back.seconds) == (FACTS, 7, 0.25)


PLAY = Play(("abc",), ("aaa", "abc"), (("200",), ("222",)), Outcome.SOLVED, 2)


def test_a_store_keeps_what_it_has_when_it_is_closed(path):
    with Store(path) as store:
        store.add(store.run("key", FACTS), 0, 0, [PLAY], 1, 0.5)
    with Store(path) as store:
        ((run, facts, played),) = store.runs()
        assert (facts, played) == (FACTS, 1)
        assert store.read(run).plays == (PLAY,)


def test_plays_come_back_in_the_order_of_the_puzzles_whatever_chunk_was_first():
    plays = [Play((word,), (), (), Outcome.CRASHED, None, "") for word in "abcdef"]
    with Store() as store:
        run = store.run("key", FACTS)
        store.add(run, 1, 3, plays[3:], 2, 1.0)
        assert store.finished_chunks(run) == {1}
        store.add(run, 0, 0, plays[:3], 1, 0.5)
        assert store.finished_chunks(run) == {0, 1}
        back = store.read(run)
    assert back.plays == tuple(plays)
    assert (back.calls, back.seconds) == (3, 1.5)


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


def test_a_replacement_takes_the_place_of_a_run_as_a_whole_and_the_others_stay_as_they_are():
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


def test_who_plays_a_run_that_is_replaced_in_the_meantime_reads_the_replacement(path):
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


def test_a_replacement_that_is_dropped_or_left_by_a_dead_process_is_no_run(path, monkeypatch):
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


def test_what_depended_on_the_machine_is_not_sure_and_gives_way_to_what_is_played_next():
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


def test_a_snapshot_shows_one_version_whatever_others_write(path):
    with Store(path) as reader, Store(path) as writer:
        run = writer.run("key", FACTS)
        writer.add(run, 0, 0, [PLAY], 1, 0.5)
        with reader.snapshot():
            assert len(reader.read(run).plays) == 1
            writer.publish(writer.replacement("key", FACTS))
            assert len(reader.read(run).plays) == 1
        assert reader.runs()[0][2] == 0


# What cannot be read back is not written


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


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="needs file names of any bytes")
def test_puzzles_from_a_file_whose_name_is_not_utf_8_leave_the_store_sound(tmp_path, path):
    puzzles = tmp_path / os.fsdecode(b"b\xe4.txt")
    puzzles.write_text("abc\ncba\n")
    command = [sys.executable, "-m", "wordle_kit", "tournament", "-g", tmp_path / "abc.toml", "--puzzles", puzzles]
    (tmp_path / "abc.toml").write_text('name = "abc"\nalphabet = "abc"\nlength = 3\nanswers = "all"\n')
    for _ in range(2):
        done = subprocess.run([*command, "-s", "first-consistent", "--store", path], capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
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


# Nothing is played twice


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
def test_a_change_of_what_can_change_a_result_plays_anew(counting, change):
    assert counting() > 0
    assert counting(**change) > 0
    assert counting(**change) == 0
    assert counting() == 0


def test_what_cannot_change_a_result_plays_nothing_anew(counting):
    assert counting() > 0
    assert counting(game=GAME.replace(title="Another title", memory=100)) == 0
    assert counting("counting(depth=0)") == 0


def test_another_seed_plays_anew_only_where_there_is_chance(counting):
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
def test_what_depended_on_the_machine_is_played_again_unless_it_is_to_be_kept(moody, how):
    _, bad = moody(UNSURE[how], True)
    assert bad == {Outcome.TIMED_OUT if how == "takes too long" else Outcome.CRASHED}
    assert moody(UNSURE[how], False, keep_timeouts=True)[1] == bad
    assert moody(UNSURE[how], False)[1] == {Outcome.SOLVED}
    assert moody(UNSURE[how], True)[1] == {Outcome.SOLVED}


def test_a_fault_of_the_strategy_is_kept(moody):
    assert moody("raise ValueError", True)[1] == moody("raise ValueError", False)[1] == {Outcome.CRASHED}


def test_what_timed_out_comes_with_a_hint_at_the_deadline(moody):
    hint = "What timed out is played again next time; a longer deadline gives a decision more time."
    assert hint in moody("time.sleep(600)", True, deadline=0.2)[0].notes
    assert hint not in moody("raise ValueError", True)[0].notes


# Files that are no store, and places where none can be


@pytest.fixture
def real(path):
    """Return the path of a store with a tournament in it."""
    wk.tournament(GAME, ["first-consistent", "random-consistent"], store=path, workers=1)
    return path


def change(path, *statements):
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def random_bytes(path):
    path.write_bytes(random.Random(0).randbytes(20_000))


def text(path):
    path.write_text("crate\nslate\n" * 1000)


def half(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def a_few_bytes_less(path):
    path.write_bytes(path.read_bytes()[:-100])


def a_beginning(path):
    path.write_bytes(path.read_bytes()[:50])


def noise_after_the_first_page(path):
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + random.Random(0).randbytes(len(whole) - 4096))


def noise_in_the_first_page(path):
    whole = path.read_bytes()
    path.write_bytes(whole[:100] + random.Random(0).randbytes(3996) + whole[4096:])


def another_program(path):
    path.unlink()
    change(path, "CREATE TABLE bookmarks (url TEXT)", "INSERT INTO bookmarks VALUES ('x')")


def another_program_that_marks_its_files(path):
    path.unlink()
    change(path, "CREATE TABLE bookmarks (url TEXT)", "PRAGMA application_id = 7", "PRAGMA user_version = 1")


def a_newer_schema(path):
    change(path, "PRAGMA user_version = 99")


def a_newer_schema_that_keeps_another_journal(path):
    change(path, "PRAGMA journal_mode = DELETE", "PRAGMA user_version = 99")


def no_version(path):
    change(path, "PRAGMA user_version = 0")


def a_missing_table(path):
    change(path, "DROP TABLE plays")


DAMAGE = [
    random_bytes,
    text,
    half,
    a_few_bytes_less,
    a_beginning,
    noise_after_the_first_page,
    noise_in_the_first_page,
    another_program,
    another_program_that_marks_its_files,
    a_newer_schema,
    a_newer_schema_that_keeps_another_journal,
    no_version,
    a_missing_table,
]


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda damage: damage.__name__.replace("_", " "))
def test_a_file_that_cannot_be_used_is_reported_in_a_line_and_left_as_it_is(real, damage):
    damage(real)
    before = real.read_bytes()
    with pytest.raises(wk.StoreError) as error:
        wk.tournament(GAME, ["first-consistent"], store=real, workers=1)
    assert str(error.value).startswith(f"{real}: ")
    assert "choose another file" in str(error.value)
    assert "\n" not in str(error.value)
    assert real.read_bytes() == before


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE plays SET outcome = 'won'",
        "UPDATE runs SET facts = '{}'",
        "UPDATE runs SET facts = 'no JSON'",
        "UPDATE runs SET facts = '[1, 2]'",
    ],
)
def test_a_store_that_somebody_wrote_nonsense_into_is_a_store_error(real, statement):
    change(real, statement)
    with pytest.raises(wk.StoreError) as error:
        wk.tournament(GAME, ["first-consistent"], store=real, workers=1)
    assert str(error.value).startswith(f"{real}: ")
    assert "\n" not in str(error.value)


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(at=st.floats(0, 1), noise=st.binary(min_size=1, max_size=200))
@example(at=0.0, noise=b"SQLite format 3\0\0")
def test_whatever_is_overwritten_in_a_store_nothing_but_a_store_error_comes_out(sound, tmp_path, at, noise):
    path = tmp_path / "overwritten.sqlite"
    for file in tmp_path.glob("overwritten.sqlite*"):
        file.unlink()
    whole = sound.read_bytes()
    begin = int(at * (len(whole) - len(noise)))
    path.write_bytes(whole[:begin] + noise + whole[begin + len(noise) :])
    try:
        with Store(path) as store:
            for run, _, _ in store.runs():
                store.read(run)
    except wk.StoreError as error:
        refusal = str(error)
    else:
        refusal = ""
    assert "\n" not in refusal


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """Return the path of a store with a tournament in it, which nobody damages."""
    path = tmp_path_factory.mktemp("sound") / "store.sqlite"
    wk.tournament(GAME, ["first-consistent", "random-consistent"], store=path, workers=1)
    return path


def below_a_file(folder):
    (folder / "file").write_text("a file")
    return folder / "file" / "store.sqlite"


def a_folder(folder):
    return folder


def in_proc(folder):
    return Path("/proc/no/such/folder/store.sqlite")


def a_name_too_long(folder):
    return folder / ("x" * 300)


PLACES = [below_a_file, a_folder, in_proc, a_name_too_long]


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__.replace("_", " "))
def test_a_place_where_no_file_can_be_is_reported_in_a_line(tmp_path, place):
    path = place(tmp_path)
    with pytest.raises(wk.StoreError) as error:
        Store(path)
    assert str(error.value).startswith(f"{path}: ")
    assert "choose another" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_file_that_may_not_be_written_to_is_reported(real):
    real.chmod(0o444)
    with pytest.raises(wk.StoreError):
        wk.tournament(GAME, ["entropy"], store=real, workers=1)


def test_an_empty_file_becomes_a_store(tmp_path):
    path = tmp_path / "empty"
    path.touch()
    with Store(path) as store:
        assert store.runs() == []


def test_folders_on_the_way_are_made(tmp_path):
    with Store(tmp_path / "a" / "b" / "store.sqlite") as store:
        assert store.runs() == []


# Flipped bytes


def finished(path):
    """Return all finished runs by strategy, or the error that there is instead."""
    try:
        with Store(path) as store:
            return {facts.strategy: store.read(run) for run, facts, played in store.runs() if played == facts.n_puzzles}
    except wk.StoreError as error:
        return error


def test_a_flipped_byte_is_reported_in_a_line_or_changes_no_figure(tmp_path):
    """Where a run is not found any more, its figures are missing and it is played again, but none is wrong."""
    sound = tmp_path / "sound.sqlite"
    wk.tournament(GAME, ["first-consistent", "random-consistent"], store=sound, workers=1)
    with closing(sqlite3.connect(sound)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    before, whole, chance, reported = finished(sound), sound.read_bytes(), random.Random(0), 0
    assert [len(run.plays) for run in before.values()] == [27, 27]
    used = [place for place, byte in enumerate(whole) if byte]  # most of the rest is empty
    path = tmp_path / "flipped.sqlite"
    for place in chance.sample(used, 200):
        for file in tmp_path.glob("flipped.sqlite*"):
            file.unlink()
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << chance.randrange(8)]) + whole[place + 1 :])
        after = finished(path)
        if isinstance(after, wk.StoreError):
            reported += 1
            assert str(after).startswith(f"{path}: ")
            assert "\n" not in str(after)
            assert "choose another file" in str(after)
        else:
            assert all(run == before[strategy] for strategy, run in after.items()), place
    assert reported > 100


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE plays SET turns = 2 WHERE puzzle = 20",
        "UPDATE plays SET outcome = 'crashed' WHERE puzzle = 20",
        "UPDATE plays SET answers = 'aaa' WHERE puzzle = 20",
        "UPDATE plays SET puzzle = 100 WHERE puzzle = 20",
        "UPDATE plays SET run = 3 - run",
        "UPDATE chunks SET run = 3 - run",
        "UPDATE chunks SET seconds = seconds + 1",
        "UPDATE chunks SET unsure = 1",
        "DELETE FROM plays WHERE puzzle = 20",
        "UPDATE runs SET facts = replace(facts, 'consistent', 'inconsistent')",
        "UPDATE runs SET key = key || 'x'",
        "UPDATE runs SET id = id + 10",
        "UPDATE runs SET digest = 'x'",
        "UPDATE chunks SET digest = 'x'",
    ],
)
def test_whatever_is_changed_in_a_row_its_checksum_is_wrong(real, statement):
    with closing(sqlite3.connect(real, isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        try:
            connection.execute(statement)
        except sqlite3.IntegrityError:  # both runs at once do not fit: one out of the way, and back
            table = statement.split()[1]
            for step in ("run = run + 2", "run = 5 - run"):
                connection.execute(f"UPDATE {table} SET {step}")
    with Store(real) as store, pytest.raises(wk.StoreError, match="is damaged"):
        list(map(store.read, [run for run, _, _ in store.runs()]))


# Stores of earlier versions


VERSION_1 = """
CREATE TABLE runs (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, facts TEXT NOT NULL) STRICT;
CREATE TABLE chunks (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, chunk INTEGER NOT NULL, puzzles INTEGER NOT NULL,
    calls INTEGER NOT NULL, seconds REAL NOT NULL, PRIMARY KEY (run, chunk)
) STRICT, WITHOUT ROWID;
CREATE TABLE plays (
    run INTEGER NOT NULL, chunk INTEGER NOT NULL, puzzle INTEGER NOT NULL, answers TEXT NOT NULL,
    guesses TEXT NOT NULL, feedback TEXT NOT NULL, outcome TEXT NOT NULL, turns INTEGER, message TEXT NOT NULL,
    PRIMARY KEY (run, puzzle), FOREIGN KEY (run, chunk) REFERENCES chunks ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO chunks VALUES (1, 0, 2, 7, 0.25), (1, 1, 1, 1, 0.5), (2, 0, 1, 1, 0.5);
INSERT INTO plays VALUES
    (1, 0, 0, 'abc', 'aaa' || char(10) || 'abc', '200' || char(10) || '222', 'solved', 2, ''),
    (1, 0, 1, 'abb', '', '', 'timed out', NULL, 'took more than 10 s'),
    (1, 1, 2, 'aba', '', '', 'crashed', NULL, 'ValueError: odd'),
    (2, 0, 0, 'aba', '', '', 'crashed', NULL, 'its process died while it played this group of puzzles');
PRAGMA application_id = 0x574B4954;
PRAGMA user_version = 1;
"""


@pytest.mark.parametrize(
    ("label", "was_sample", "is_sample", "is_all"),
    [
        ("all 3 answers", False, False, True),
        ("3 of 9 answers, drawn with seed 0", True, True, False),
        ("3 puzzles of mine.txt", True, False, False),
        ("3 puzzles of b\udce4.txt", True, False, False),
    ],
    ids=ascii,
)
def test_a_store_of_the_first_version_is_read_and_gets_checksums(tmp_path, label, was_sample, is_sample, is_all):
    path = tmp_path / "old.sqlite"
    facts = {key: value for key, value in vars(FACTS).items() if key != "is_all"}
    facts |= {"puzzles": label, "is_sample": was_sample}
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(VERSION_1)
        for key in ("key", "other"):
            connection.execute("INSERT INTO runs (key, facts) VALUES (?, ?)", (key, json.dumps(facts)))
        connection.commit()
    for _ in range(2):
        with Store(path) as store:
            back = store.read(store.run("key", FACTS))
            assert (back.facts.is_sample, back.facts.is_all) == (is_sample, is_all)
            assert back.plays[0] == PLAY
            assert [play.outcome.value for play in back.plays] == ["solved", "timed out", "crashed"]
            assert (back.calls, back.seconds) == (8, 0.75)
            assert store.finished_chunks(back.id) == {0, 1}
            assert store.finished_chunks(back.id, sure=True) == {1}
            assert store.finished_chunks(store.run("other", FACTS), sure=True) == set()
    change(path, "UPDATE plays SET turns = 1 WHERE puzzle = 0 AND run = 1")
    with pytest.raises(wk.StoreError, match="checksum"), Store(path) as store:
        store.read(store.run("key", FACTS))
