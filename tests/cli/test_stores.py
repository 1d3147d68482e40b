"""`wordle-kit store`: list, merge, export and remove stored results."""

import json
import sqlite3
from contextlib import closing

import pytest

import wordle_kit as wk
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


def without_plays(path):
    """Make a store one in which a tournament was interrupted before its only group of puzzles."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM chunks")
        connection.execute("DELETE FROM plays")
    return path


def test_it_lists_runs_with_what_was_played(run, stores):
    path = stores("one", "entropy", "minimax")
    rows = run("store", "list", "--store", path, "--format", "json").json
    assert {row["strategy"]: (row["game"], row["played"], row["of"]) for row in rows} == {
        "entropy": ("tiny", 9, 9),
        "minimax": ("tiny", 9, 9),
    }


def test_it_lists_runs_in_the_format_of_a_plugin(run, stores, tmp_path):
    plugin = tmp_path / "mine.py"
    plugin.write_text(
        "import wordle_kit as wk\n\n@wk.hookimpl\ndef register_formats(register):\n"
        "    register(wk.Format('mine', lambda table: f'{len(table.rows)} rows\\n'))\n"
    )
    assert run("-p", plugin, "store", "list", "--store", stores("one", "entropy"), "--format", "mine").out == "1 rows\n"


@pytest.mark.parametrize("command", [["list"], ["export"], ["remove", "-g", "tiny"]])
def test_a_store_without_results_is_not_created(refused, tmp_path, command):
    path = tmp_path / "none.sqlite"
    assert "none.sqlite" in refused("store", *command, "--store", path)
    assert not path.exists()


def test_merged_stores_have_the_leaderboard_of_one_that_played_everything(run, stores, tmp_path):
    one, other = stores("one", "entropy", "minimax"), stores("other", "most-parts", "minimax")
    merged = tmp_path / "merged.sqlite"
    said = run("store", "merge", one, other, "--store", merged).out.splitlines()
    assert [line.split(": ")[1].split()[0] for line in said] == ["18", "9"]
    rows = {row.strategy: row.total_guesses for row in wk.read_leaderboard(merged).rows}
    expected = wk.tournament(GAME, ["entropy", "minimax", "most-parts"], workers=1).rows
    assert rows == {row.strategy: row.total_guesses for row in expected}
    assert ": 0 plays added" in run("store", "merge", one, "--store", merged).out


def test_an_unfinished_run_is_completed(run, stores):
    begun, done = without_plays(stores("begun", "entropy")), stores("done", "entropy")
    assert ": 9 plays added" in run("store", "merge", done, "--store", begun).out
    assert wk.read_leaderboard(begun).rows[0].mean == wk.read_leaderboard(done).rows[0].mean


def test_different_plays_of_one_run_are_refused_by_the_names_of_both_stores_until_one_is_removed(run, refused, stores):
    one, other = stores("one", "entropy", "minimax"), stores("other", "minimax", "entropy")
    with closing(sqlite3.connect(other)) as connection, connection:
        connection.execute("UPDATE plays SET outcome = 'crashed', turns = NULL WHERE run = 1")
    before = one.read_bytes()
    said = refused("store", "merge", other, "--store", one)
    assert f"{one} and {other}" in said
    assert one.read_bytes() == before
    assert run("store", "remove", "-s", "minimax", "--store", one).out == f"1 run removed from {one}\n"
    assert ": 9 plays added" in run("store", "merge", other, "--store", one).out


def test_runs_of_a_random_program_with_different_secrets_are_both_kept(tmp_path):
    stores = []
    for name, secret in (("one", "7" * 32), ("other", "8" * 32)):
        wk.tournament(GAME, ["random-consistent"], store=tmp_path / name, workers=1, secret=secret)
        stores.append(Store(tmp_path / name))
        with closing(sqlite3.connect(tmp_path / name)) as connection, connection:
            connection.execute("UPDATE runs SET key = 'the same'")  # as if each had drawn its secret
    one, other = stores
    assert (one.merge(other), one.merge(other)) == (9, 0)
    assert sorted(facts.secret for _, facts, _ in one.runs()) == ["7" * 32, "8" * 32]


@pytest.mark.parametrize(
    ("options", "left"),
    [
        (["-s", "minimax"], {"entropy", "entropy(pool=candidates)"}),
        (["-s", "entropy*"], {"minimax"}),
        (["-s", "entropy", "-g", "tiny"], {"minimax", "entropy(pool=candidates)"}),
        (["-g", "tiny"], set()),
    ],
)
def test_runs_of_strategies_and_games_are_removed(run, stores, options, left):
    path = stores("one", "entropy", "minimax", "entropy(pool=candidates)")
    assert f"{3 - len(left)} run" in run("store", "remove", *options, "--store", path).out
    with Store(path) as results:
        assert {facts.strategy for _, facts, _ in results.runs()} == left


@pytest.mark.parametrize(("options", "named"), [([], "--strategy"), (["-s", "x", "-g", "y"], "of x, y;")])
def test_what_is_not_in_a_store_is_not_removed(refused, stores, options, named):
    assert named in refused("store", "remove", *options, "--store", stores("one", "entropy"))


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
