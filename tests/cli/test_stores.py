"""`wordle-kit store`: list, check, merge and export stored results."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

import wordle_kit as wk
from wordle_kit.tournaments.runs import Outcome
from wordle_kit.tournaments.store import Store

GAME = wk.load_game({"name": "tiny", "alphabet": "abc", "length": 2, "answers": "all"})


@pytest.fixture
def stores(tmp_path):
    """Return a function that makes a store in which strategies have played all nine puzzles."""

    def made(name, *strategies):
        path = tmp_path / f"{name}.sqlite"
        wk.tournament(GAME, strategies, store=path, workers=1)
        return path

    return made


def without_a_group(path):
    """Make a store one in which a tournament was interrupted before its only group of puzzles."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("DELETE FROM chunks")
    return path


def rewritten(path, change):
    """Store the plays of the first run as `change` returns them, in place of those that are there."""
    with Store(path) as results:
        ((number, facts, _), *_) = results.runs()
        run = results.read(number)
    with closing(sqlite3.connect(path)) as connection:
        (key,) = connection.execute("SELECT key FROM runs WHERE id = ?", (number,)).fetchone()
    without_a_group(path)
    with Store(path) as results:
        results.add(results.run(key, facts), 0, 0, list(map(change, run.plays)), run.calls, run.seconds)


def test_it_lists_runs_with_what_was_played(run, stores):
    path = stores("one", "entropy", "minimax")
    rows = run("store", "list", "--store", path, "--json").json
    assert {row["strategy"]: (row["game"], row["played"], row["of"]) for row in rows} == {
        "entropy": ("tiny", 9, 9),
        "minimax": ("tiny", 9, 9),
    }


def test_a_damaged_store_is_named_and_left_as_it_is(refused, stores):
    path = stores("one", "entropy")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE plays SET turns = 1 WHERE puzzle = 7")
    before = path.read_bytes()
    assert "one.sqlite" in refused("store", "check", "--store", path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("command", ["list", "check", "export"])
def test_a_store_without_results_is_not_created(refused, tmp_path, command):
    path = tmp_path / "none.sqlite"
    assert "none.sqlite" in refused("store", command, "--store", path)
    assert not path.exists()


def test_merged_stores_have_the_leaderboard_of_one_that_played_everything(run, stores, tmp_path):
    one, other = stores("one", "entropy", "minimax"), stores("other", "most-parts", "minimax")
    merged = tmp_path / "merged.sqlite"
    said = run("store", "merge", one, other, "--store", merged).out.splitlines()
    assert [line.split(": ")[1].split()[0] for line in said] == ["18", "9"]
    rows = {row.strategy: row.total_guesses for row in wk.read_leaderboard(merged).rows}
    expected = wk.tournament(GAME, ["entropy", "minimax", "most-parts"], workers=1).rows
    assert rows == {row.strategy: row.total_guesses for row in expected}
    assert "3 runs, 27 plays" in run("store", "check", "--store", merged).out
    assert ": 0 plays added" in run("store", "merge", one, "--store", merged).out


def test_an_unfinished_run_is_completed(run, stores):
    begun, done = without_a_group(stores("begun", "entropy")), stores("done", "entropy")
    assert ": 9 plays added" in run("store", "merge", done, "--store", begun).out
    assert wk.read_leaderboard(begun).rows[0].mean == wk.read_leaderboard(done).rows[0].mean


def test_different_plays_of_one_run_are_refused_by_the_names_of_both_stores(refused, stores):
    one, other = stores("one", "entropy", "minimax"), stores("other", "minimax", "entropy")
    rewritten(other, lambda play: replace(play, turns=None, outcome=Outcome.CRASHED, message="KeyError"))
    before = one.read_bytes()
    said = refused("store", "merge", other, "--store", one)
    assert f"{one} and {other}" in said
    assert one.read_bytes() == before


def test_an_export_has_every_fact_and_every_play(run, stores, tmp_path):
    path, file = stores("one", "entropy", "minimax"), tmp_path / "runs.jsonl"
    assert run("store", "export", "--store", path, "-o", file).out == ""
    assert run("store", "export", "--store", path).out == file.read_text(encoding="utf-8")
    exported = [json.loads(text) for text in file.read_text(encoding="utf-8").splitlines()]
    with Store(path) as results:
        runs = [results.read(number) for number, _, _ in results.runs()]
    for made, known in zip(exported, runs, strict=True):
        plays = made.pop("plays")
        assert (made.pop("calls"), made.pop("seconds")) == (known.calls, known.seconds)
        assert made == json.loads(json.dumps(vars(known.facts)))
        assert [tuple(play["guesses"]) for play in plays] == [play.guesses for play in known.plays]
        assert [(play["outcome"], play["turns"]) for play in plays] == [(p.outcome, p.turns) for p in known.plays]
        assert plays[0].keys() == {"puzzle", "guesses", "feedback", "outcome", "turns", "message", "notes"}
