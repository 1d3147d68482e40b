"""Leaderboards of stored results: which runs they have, and under which names."""

import pytest

import wordle_kit as wk
from wordle_kit.tournaments.runs import Played
from wordle_kit.tournaments.store import Store

GAME = wk.load_game({"name": "abc", "alphabet": "abc", "length": 3, "answers": "all", "max_guesses": 4})
STRATEGIES = ["first-consistent", "random-consistent", "entropy", "entropy(pool=candidates, opener=abc)"]


def test_stored_results_make_the_leaderboard_that_the_tournament_made(own_store):
    made = wk.tournament(GAME, STRATEGIES, store=own_store, workers=1, seed=3)
    (stored,) = wk.read_leaderboards(own_store)
    assert stored.as_dict() == made.as_dict()


@pytest.fixture(scope="module")
def several(tmp_path_factory):
    """Return a store of four leaderboards: of two modes, on two boards, and on three puzzles."""
    path = tmp_path_factory.mktemp("several") / "store"
    both = GAME.replace(name="abc-x2", boards=2, max_guesses=5)
    for game, puzzles in ((GAME, None), (GAME.replace(hard_mode=True), None), (both, 5), (GAME, 3)):
        wk.tournament(game, ["first-consistent", "entropy"], puzzles, store=path, workers=1)
    wk.tournament(GAME, ["minimax"], 3, store=path, workers=1)
    return path


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ({}, [(1, 27, False), (1, 27, True), (2, 5, False), (1, 3, False)]),
        ({"game": "abc"}, [(1, 27, False), (1, 27, True), (1, 3, False)]),
        ({"game": "abc", "boards": 2}, [(2, 5, False)]),
        ({"game": GAME, "boards": 1, "hard_mode": False}, [(1, 27, False), (1, 3, False)]),
        ({"hard_mode": True}, [(1, 27, True)]),
        ({"game": GAME, "puzzles": 3, "seed": 0}, [(1, 3, False)]),
        ({"strategies": "minimax"}, [(1, 3, False)]),
    ],
)
def test_all_leaderboards_that_fit_are_read_and_the_latest_of_them_is_the_one(several, choice, expected):
    boards = wk.read_leaderboards(several, **choice)
    assert [(one.facts[0].boards, one.facts[0].n_puzzles, one.facts[0].hard_mode) for one in boards] == expected
    assert wk.read_leaderboard(several, **choice) == boards[-1]


def test_a_leaderboard_that_fits_has_the_strategies_that_are_asked_for(several):
    for board in wk.read_leaderboards(several, strategies=["entropy"]):
        assert [row.strategy for row in board.rows] == ["entropy"]


@pytest.mark.parametrize(
    ("choice", "named"),
    [
        ({"strategies": ["entropi"]}, "'entropi'"),
        ({"game": "wordle"}, "'wordle'"),
        ({"boards": 3}, "abc, abc-x2"),
        ({"game": GAME, "puzzles": 4}, "abc, abc-x2"),
        ({"confidence": 1}, "confidence"),
    ],
)
def test_what_is_not_in_the_store_is_named(several, choice, named):
    with pytest.raises(wk.WordleKitError, match=named):
        wk.read_leaderboard(several, **choice)


def test_a_store_that_is_not_there_is_named(tmp_path):
    with pytest.raises(wk.StoreError, match=r"none\.sqlite"):
        wk.read_leaderboard(tmp_path / "none.sqlite")


def test_intervals_have_the_confidence_that_is_asked_for(several):
    usual, wide = (wk.read_leaderboard(several, confidence=share) for share in (0.95, 0.999))
    for row, other in zip(usual.rows, wide.rows, strict=True):
        assert other.interval[0] < row.interval[0] < row.interval[1] < other.interval[1]
    assert "99.9%" in wide.notes[1]
    assert (usual.as_dict()["confidence"], wide.as_dict()["confidence"]) == (0.95, 0.999)
    found = [board.compare("entropy", "first-consistent").interval for board in (usual, wide)]
    assert found[1][0] < found[0][0]


def test_of_several_versions_the_latest_counts_and_unfinished_runs_do_not(run_of, own_store):
    with Store(own_store) as store:
        for number, version in enumerate(["1", "2", "unfinished"]):
            made = run_of([number + 2, number + 2], version=version)
            run = store.ensure_run(f"key {version}", made.facts)
            plays = made.plays[:1] if version == "unfinished" else made.plays
            store.add(run, 0, range(len(plays)), Played(plays, 1, 1.0))
    (board,) = wk.read_leaderboards(own_store)
    assert [(row.version, row.mean) for row in board.rows] == [("2", 3.0)]


def test_a_stored_run_is_shown_under_the_seed_game_and_puzzles_that_are_asked_for(own_store):
    strategies = ["first-consistent", "entropy"]
    as_list = wk.tournament(GAME, strategies, list(GAME.answers), store=own_store, workers=1, seed=1)
    assert as_list.as_dict()["puzzles"] == "27 given puzzles"
    same = wk.load_game({"name": "other", "alphabet": "abc", "length": 3, "answers": "all", "max_guesses": 4})
    board = wk.tournament(same, [*strategies, "random-consistent"], store=own_store, workers=1, seed=2)
    made = board.as_dict()
    assert (made["seed"], made["game"], made["puzzles"]) == (2, "other", "all 27 answers")
    assert board.compare(*strategies).interval is None


def test_a_stored_leaderboard_names_the_given_seed_even_if_some_runs_were_played_under_another(own_store):
    wk.tournament(GAME, ["first-consistent"], store=own_store, workers=1)
    played = wk.tournament(GAME, ["first-consistent", "random-consistent"], store=own_store, workers=1, seed=5)
    (board,) = wk.read_leaderboards(own_store)
    assert (board.seed, board.secrets, board.notes) == (5, {}, played.notes)


# Runs that are read when they are needed


def test_runs_of_a_store_are_read_one_at_a_time(own_store):
    wk.tournament(GAME, STRATEGIES[:3], store=own_store, workers=1)
    runs = wk.read_leaderboard(own_store).runs
    assert [run.facts.strategy for run in runs] == STRATEGIES[:3]
    assert (len(runs), runs[-1].facts.strategy, len(runs[0].plays)) == (3, STRATEGIES[2], 27)


def test_a_run_that_has_been_played_again_is_reported(own_store):
    wk.tournament(GAME, ["entropy"], store=own_store, workers=1)
    board = wk.read_leaderboard(own_store)
    wk.tournament(GAME, ["entropy"], store=own_store, workers=1, fresh=True)
    with pytest.raises(wk.StoreError, match="removed"):
        board.plays("entropy")
