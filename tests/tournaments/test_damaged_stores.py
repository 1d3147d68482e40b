"""Files that are not a store, and damaged stores: a line says so, they are left alone, and no figure is wrong."""

import os
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import wordle_kit as wk
from wordle_kit.tournaments.store import Store

GAME = wk.load_game({"name": "abc", "alphabet": "abc", "length": 3, "answers": "all"})


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


def an_older_schema(path):
    change(path, "PRAGMA user_version = 2")


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
    an_older_schema,
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
def test_nonsense_in_a_store_is_a_store_error(real, statement):
    change(real, statement)
    with pytest.raises(wk.StoreError) as error:
        wk.tournament(GAME, ["first-consistent"], store=real, workers=1)
    assert str(error.value).startswith(f"{real}: ")
    assert "\n" not in str(error.value)


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(at=st.floats(0, 1), noise=st.binary(min_size=1, max_size=200))
@example(at=0.0, noise=b"SQLite format 3\0\0")
def test_damage_to_a_store_raises_only_store_errors(sound, tmp_path, at, noise):
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
def test_a_path_that_no_file_can_have_is_reported_in_one_line(tmp_path, place):
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


# Damage


def finished(path):
    """Return all finished runs by strategy, or the error that is raised instead."""
    try:
        with Store(path) as store:
            return {facts.strategy: store.read(run) for run, facts, played in store.runs() if played == facts.n_puzzles}
    except wk.StoreError as error:
        return error


def test_a_flipped_byte_is_reported_in_a_line_or_changes_no_figure(tmp_path):
    """If a run is no longer found, its figures are missing and it is played again, but no figure is wrong."""
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
def test_any_change_in_a_row_makes_its_checksum_wrong(real, statement):
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
