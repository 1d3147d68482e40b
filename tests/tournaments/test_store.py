"""The store: keeps what was played, plays nothing twice, and never touches a file that is not its own."""

import os
import random
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import wordle_kit as wk
from wordle_kit.tournaments.referee import Outcome, Play
from wordle_kit.tournaments.store import RunFacts, Store

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


def test_a_run_that_is_forgotten_leaves_no_plays_and_the_others_as_they_are():
    with Store() as store:
        one, other = store.run("one", FACTS), store.run("other", FACTS)
        for run in (one, other):
            store.add(run, 0, 0, [PLAY], 1, 0.5)
        store.forget(one)
        assert (store.finished_chunks(one), store.read(one).plays) == (set(), ())
        assert (store.finished_chunks(other), store.read(other).plays) == ({0}, (PLAY,))


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
    assert "--store" in str(error.value)
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
