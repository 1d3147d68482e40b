"""Leaderboards of stored results: which runs they have, and under which names."""

import html
import json
import re
import shlex
from dataclasses import replace

import pytest

import wordle_kit as wk
from wordle_kit import cli
from wordle_kit.leaderboard.stored import StoredRuns, command_line, command_of, finished_runs
from wordle_kit.tournaments.store import Store

GAME = wk.load_game({"name": "abc", "alphabet": "abc", "length": 3, "answers": "all", "max_guesses": 4})
STRATEGIES = ["first-consistent", "random-consistent", "entropy", "entropy(pool=candidates, opener=abc)"]


# Leaderboards of stored results


def test_stored_results_make_the_leaderboard_that_the_tournament_made(tmp_path):
    made = wk.tournament(GAME, STRATEGIES, store=tmp_path / "store", workers=1, seed=3)
    (stored,) = wk.read_leaderboards(tmp_path / "store")
    assert stored.as_dict() == made.as_dict()


def test_each_set_of_puzzles_has_a_leaderboard_and_the_latest_played_is_last(tmp_path):
    path = tmp_path / "store"
    wk.tournament(GAME, ["first-consistent"], store=path, workers=1)
    wk.tournament(GAME, ["first-consistent"], ["abc"], store=path, workers=1)
    wk.tournament(GAME, ["entropy"], store=path, workers=1)
    one, all_of_them = wk.read_leaderboards(path)
    assert [row.games for row in one.rows] == [1]
    assert {row.strategy for row in all_of_them.rows} == {"first-consistent", "entropy"}


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


def test_a_leaderboard_that_fits_has_all_strategies_that_are_asked_for(several):
    for board in wk.read_leaderboards(several, strategies=["entropy"]):
        assert [row.strategy for row in board.rows] == ["entropy"]
    with pytest.raises(wk.WordleKitError, match="no strategy of this leaderboard is called 'entropi'; did you mean"):
        wk.read_leaderboards(several, strategies=["entropi"])


@pytest.mark.parametrize("choice", [{"boards": 3}, {"game": GAME, "puzzles": 4}])
def test_where_no_leaderboard_fits_the_games_are_named(several, choice):
    with pytest.raises(wk.StoreError, match="has no such tournament; its games are: abc, abc-x2"):
        wk.read_leaderboards(several, **choice)


def test_intervals_have_the_confidence_that_is_asked_for(several):
    usual, wide = (wk.read_leaderboard(several, confidence=share) for share in (0.95, 0.999))
    for row, other in zip(usual.rows, wide.rows, strict=True):
        assert other.interval[0] < row.interval[0] < row.interval[1] < other.interval[1]
    assert "the 99.9% confidence interval" in wide.notes[1]
    assert (usual.as_dict()["confidence"], wide.as_dict()["confidence"]) == (0.95, 0.999)
    found = [board.compare("entropy", "first-consistent").interval for board in (usual, wide)]
    assert found[1][0] < found[0][0]
    with pytest.raises(wk.WordleKitError, match=r"confidence is 1; give a number from 0\.5"):
        wk.read_leaderboard(several, confidence=1)


def test_of_several_versions_the_latest_counts_and_unfinished_runs_do_not(run_of, tmp_path):
    with Store(tmp_path / "store") as store:
        for number, version in enumerate(["1", "2", "unfinished"]):
            made = run_of([number + 2, number + 2], version=version)
            run = store.run(f"key {version}", made.facts)
            store.add(run, 0, 0, made.plays if version != "unfinished" else made.plays[:1], 1, 1.0)
    (board,) = wk.read_leaderboards(tmp_path / "store")
    assert [(row.version, row.mean) for row in board.rows] == [("2", 3.0)]


def test_a_stored_run_is_shown_under_the_seed_that_is_asked_for(tmp_path):
    path = tmp_path / "store"
    wk.tournament(GAME, ["first-consistent"], store=path, workers=1, seed=1)
    board = wk.tournament(GAME, ["first-consistent", "random-consistent"], store=path, workers=1, seed=2)
    assert board.as_dict()["seed"] == 2
    assert board.notes[0].startswith("abc: all 27 answers, seed 2.")


def test_a_stored_run_is_shown_under_the_name_of_the_game_that_is_asked_for(tmp_path):
    path = tmp_path / "store"
    wk.tournament(GAME, ["first-consistent"], store=path, workers=1)
    same = wk.load_game({"name": "other", "alphabet": "abc", "length": 3, "answers": "all", "max_guesses": 4})
    board = wk.tournament(same, ["first-consistent"], store=path, workers=1)
    assert board.as_dict()["game"] == "other"


def test_all_puzzles_are_all_puzzles_although_they_were_once_played_as_a_list(tmp_path):
    path = tmp_path / "store"
    strategies = ["first-consistent", "entropy"]
    as_list = wk.tournament(GAME, strategies, list(GAME.answers), store=path, workers=1)
    assert as_list.as_dict()["puzzles"] == "27 given puzzles"
    board = wk.tournament(GAME, strategies, store=path, workers=1)
    assert board.as_dict()["puzzles"] == "all 27 answers"
    assert board.compare(*strategies).interval is None


def test_each_random_strategy_is_shown_with_the_seed_or_secret_that_repeats_it(run_of):
    random = {"stochastic": True}
    one, other = "1" * 32, "2" * 32
    runs = (
        run_of([3], strategy="always"),
        run_of([3], strategy="five", seed=5, **random),
        run_of([3], strategy="a", secret=one, **random),
        run_of([3], strategy="b", secret=one, **random),
        run_of([3], strategy="c", secret=other, **random),
    )
    board = wk.Leaderboard(runs)
    assert board.notes[0].startswith("abc: all 1 answers, seed 5. ")
    assert board.notes[1:] == [
        f"a, b: random numbers from secret {one}.",
        f"c: random numbers from secret {other}.",
    ]
    assert board.as_dict()["seed"] == 5
    assert board.as_dict()["secrets"] == {"a": one, "b": one, "c": other}
    notes = wk.Leaderboard((*runs[:2], run_of([3], strategy="six", seed=6, **random))).notes
    assert notes[1:] == ["five: random numbers from seed 5.", "six: random numbers from seed 6."]


def test_a_stored_leaderboard_names_the_given_seed_even_if_some_runs_were_played_under_another(tmp_path):
    path = tmp_path / "store"
    wk.tournament(GAME, ["first-consistent"], store=path, workers=1)
    played = wk.tournament(GAME, ["first-consistent", "random-consistent"], store=path, workers=1, seed=5)
    (board,) = wk.read_leaderboards(path)
    assert (board.seed, board.secrets, board.notes) == (5, {}, played.notes)
    assert ", seed 5." in board.notes[0]


def test_without_a_seed_each_store_has_a_secret_of_its_own_which_repeats_the_random_numbers(tmp_path):
    def play(store, **settings):
        return wk.tournament(GAME, ["random-consistent"], store=tmp_path / store, workers=1, **settings)

    first, again, other = play("one"), play("one", fresh=True), play("other")
    assert first.plays("random-consistent") == again.plays("random-consistent") != other.plays("random-consistent")
    (secret,) = first.secrets.values()
    assert first.secrets == again.secrets != other.secrets
    assert f"random-consistent: random numbers from secret {secret}." in first.notes
    repeated = play("third", secret=secret)
    assert repeated.plays("random-consistent") == first.plays("random-consistent")
    assert repeated.secrets == first.secrets


@pytest.fixture
def play(capsys):
    """Play a tournament and return its leaderboard as JSON."""

    def play(*arguments):
        capsys.readouterr()
        assert cli.run(["tournament", *arguments, "--workers", "1", "--format", "json"]) == 0
        return json.loads(capsys.readouterr().out)

    return play


@pytest.mark.parametrize(
    "arguments",
    [
        ["--game", "mastermind"],
        ["--game", "mastermind", "--seed", "0"],
        ["--game", "wordle", "--hard", "--puzzles", "20", "--seed", "3"],
        ["--game", "mastermind", "--boards", "2", "--puzzles", "5"],
        ["--game", "dordle", "--puzzles", "5", "--repeats", "--seed", "-2"],
    ],
)
def test_the_command_plays_the_same(play, capsys, arguments, tmp_path):
    page = tmp_path / "report.html"
    first = play(*arguments, "-s", "random-consistent", "-s", "first-consistent", "--report", str(page))
    command = html.unescape(re.search(r'<code id="command">([^<]*)<', page.read_text())[1])
    again = play(*shlex.split(command)[2:], "--fresh")
    for row in (*first["rows"], *again["rows"]):
        row.pop("ms_per_decision")
    assert again == first


def test_names_are_quoted_and_a_file_is_asked_for_if_puzzles_were_listed(play, own_store, tmp_path):
    listed = tmp_path / "mine.txt"
    listed.write_text("1122\n3456\n")
    play("--game", "mastermind", "--puzzles", str(listed), "-s", "minimax(opener=1122)")
    with Store(own_store) as store:
        (runs,) = finished_runs(store)
    (facts,) = runs.values()
    assert command_of(facts, ["minimax(opener=1122)", "it's"], game="my game.toml") == (
        'wordle-kit tournament --game "my game.toml" --puzzles FILE -s "minimax(opener=1122)" -s "it\'s"'
    )
    drawn = replace(facts, puzzles="drawn somehow", drawn_with=3)
    assert "--puzzles 2 --seed 3 -s entropy" in command_of(drawn, ["entropy"])


def test_a_command_line_has_the_options_in_their_order():
    options = {"game": "my game.toml", "hard": True, "repeats": False, "boards": None, "seed": 0, "s": ["a", "b(c=1)"]}
    made = command_line("tournament", "an operand", **options)
    assert made == 'wordle-kit tournament "an operand" --game "my game.toml" --hard --seed 0 -s a -s "b(c=1)"'


@pytest.mark.parametrize("by_file", [True, False])
def test_stored_runs_are_a_sequence_and_can_have_other_names(tmp_path, by_file):
    wk.tournament(GAME, STRATEGIES[:3], store=tmp_path / "store", workers=1)
    with Store(tmp_path / "store") as store:
        runs = StoredRuns(store.path if by_file else store, [number for number, _, _ in store.runs()], ["x", "y", "z"])
        assert [run.facts.strategy for run in runs] == ["x", "y", "z"]
        assert [run.facts.strategy for run in runs[1:]] == ["y", "z"]
        assert (runs[1].facts.strategy, runs[-1].facts.strategy) == ("y", "z")
