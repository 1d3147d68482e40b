"""Plays, leaderboards and comparisons as data frames and Parquet, and plays as transcripts."""

import csv
import io
import math
import weakref

import pytest
from hypothesis import given, settings

import wordle_kit as wk
from wordle_kit import tables, texts
from wordle_kit.leaderboard.leaderboard import columns_of_leaderboards
from wordle_kit.leaderboard.metrics import row_of
from wordle_kit.leaderboard.plays import TRANSCRIPT, of_plays, write_transcripts
from wordle_kit.tournaments.runs import Outcome, Play, StoredRun
from wordle_kit.tournaments.store import Store

STRATEGIES = ["first-consistent", "random-consistent"]
FORMS = ["pandas", "polars"]


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Return the file of a store, in which two strategies have played mastermind."""
    path = tmp_path_factory.mktemp("frames") / "results.sqlite"
    wk.tournament("mastermind", STRATEGIES, 40, workers=1, seed=1, store=path)
    return path


@pytest.fixture(scope="module")
def board(store):
    """Return the leaderboard of that store."""
    return wk.read_leaderboard(store)


def records(frame):
    """Return the rows of a data frame of either kind, with None for every missing value."""
    if hasattr(frame, "to_dicts"):
        return frame.to_dicts()
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return [{key: value.item() if hasattr(value, "item") else value for key, value in row.items()} for row in rows]


def expected_plays(board, game):
    """Yield the rows of the plays, with the words left counted one by one."""
    for facts in board.facts:
        for number, play in enumerate(board.plays(facts.strategy), start=1):
            left = [list(game.answers) for _ in play.puzzle]
            for turn, (guess, seen) in enumerate(zip(play.guesses, play.feedback, strict=True), start=1):
                for place, shown in enumerate(seen):
                    if shown:
                        left[place] = [word for word in left[place] if str(game.feedback(guess, word)) == shown]
                        solved = guess == play.puzzle[place]
                        row = {"strategy": facts.strategy, "puzzle": number, "answer": play.puzzle[place]}
                        row |= {"board": place + 1} if game.boards > 1 else {}
                        row |= {
                            "turn": turn,
                            "guess": guess,
                            "feedback": shown,
                            "left": 0 if solved else len(left[place]),
                        }
                        yield row | {"outcome": play.outcome.value}


@pytest.mark.parametrize("form", FORMS)
def test_a_leaderboard_has_a_row_for_each_strategy_best_first(board, form):
    rows = records(getattr(board, f"to_{form}")())
    assert [row["strategy"] for row in rows] == [row.strategy for row in board.rows]
    for made, row in zip(rows, board.rows, strict=True):
        plain = {key: value for key, value in row.as_dict().items() if isinstance(value, int | float | str)}
        assert {key: made[key] for key in plain} == plain
        assert (made["interval_low"], made["interval_high"]) == pytest.approx(row.interval)
        assert {str(turns): made.get(f"took_{turns}", 0) for turns in range(1, 11)} == {
            str(turns): row.distribution.get(str(turns), 0) for turns in range(1, 11)
        }
        assert (made["game"], made["hard_mode"], made["puzzles"]) == ("mastermind", False, board.facts[0].puzzles)


@pytest.mark.parametrize("form", FORMS)
def test_plays_have_a_row_for_each_guess_with_the_words_left(board, form):
    rows = records(getattr(board, f"plays_to_{form}")())
    assert rows == list(expected_plays(board, wk.load_game("mastermind")))
    assert len(rows) == sum(row.total_guesses for row in board.rows)


@pytest.mark.parametrize("form", FORMS)
def test_plays_of_several_boards_have_a_row_for_each_board_that_is_not_solved_yet(form):
    game = wk.load_game("mastermind").replace(name="two", boards=2, max_guesses=12)
    board = wk.tournament(game, ["first-consistent"], 5, workers=1)
    rows = records(getattr(board, f"plays_to_{form}")())
    assert rows == list(expected_plays(board, game))
    assert {row["board"] for row in rows} == {1, 2}


@pytest.mark.parametrize("form", FORMS)
def test_with_weights_the_weighted_mean_can_be_counted_from_the_plays(form):
    fields = {"name": "few", "alphabet": "abc", "length": 2, "answers": "all", "weights": {"cc": 50, "ab": 0}}
    board = wk.tournament(wk.load_game(fields), ["first-consistent"], workers=1)
    rows = records(getattr(board, f"plays_to_{form}")())
    first = [row["weight"] for row in rows if row["turn"] == 1]
    mean = sum(row["weight"] for row in rows) / sum(first)  # a row for each guess
    assert mean == pytest.approx(board.rows[0].weighted_mean)
    assert mean != pytest.approx(board.rows[0].mean)
    assert [weight / sorted(first)[1] for weight in sorted(first)] == pytest.approx([0, *[1] * 7, 50])


@pytest.mark.parametrize("form", FORMS)
def test_without_the_game_the_words_left_are_none(run_of, form):
    rows = records(getattr(wk.Leaderboard((run_of([2]),)), f"plays_to_{form}")())
    assert [(row["turn"], row["guess"], row["left"]) for row in rows] == [(1, "guess 0", None), (2, "guess 1", None)]


@pytest.mark.parametrize("form", FORMS)
def test_an_empty_run_of_guesses_is_an_empty_frame_with_all_columns(run_with, form):
    crashed = run_with([Play(("abc",), (), (), Outcome.CRASHED, None, "broken")])
    frame = getattr(wk.Leaderboard((crashed,)), f"plays_to_{form}")()
    assert frame.shape[0] == 0
    assert list(frame.columns) == ["strategy", "puzzle", "answer", "turn", "guess", "feedback", "left", "outcome"]


@pytest.mark.parametrize("form", FORMS)
def test_a_comparison_has_a_row_for_all_boards_and_one_for_each_number_solved(form):
    game = wk.load_game("mastermind").replace(name="two", boards=2, max_guesses=12)
    found = wk.tournament(game, STRATEGIES, 20, workers=1, seed=1).compare(*STRATEGIES)
    every, first, second = records(getattr(found, f"to_{form}")())
    assert [every["boards_solved"], first["boards_solved"], second["boards_solved"]] == [None, 1, 2]
    for row, each in ((every, found), (first, found.boards[0]), (second, found.boards[1])):
        assert (row["first"], row["second"], row["puzzles"]) == (*STRATEGIES, 20)
        assert (row["wins"], row["ties"], row["losses"]) == (each.wins, each.ties, each.losses)
        assert row["mean_difference"] == pytest.approx(each.mean_difference)
        assert (row["interval_low"], row["interval_high"]) == pytest.approx(each.interval)
        counts = {key.removeprefix("difference_"): n for key, n in row.items() if key.startswith("difference_") and n}
        assert counts == each.differences


@settings(max_examples=40, deadline=None)
@given(run=...)
def test_pandas_polars_and_parquet_have_the_same_rows_for_any_plays(run: StoredRun):
    polars = pytest.importorskip("polars")
    for columns in (columns_of_leaderboards([wk.Leaderboard((run,))]), of_plays([run])):
        one, other = records(tables.to_pandas(columns)), records(tables.to_polars(columns))
        for rows in (other, records(polars.read_parquet(io.BytesIO(tables.parquet_of(columns))))):
            assert [list(row) for row in rows] == [list(row) for row in one]
            assert all(
                same(a, b) for x, y in zip(one, rows, strict=True) for a, b in zip(x.values(), y.values(), strict=True)
            )
    row = row_of(run)
    (made,) = records(tables.to_polars(columns_of_leaderboards([wk.Leaderboard((run,))])))
    counts = {key.removeprefix("took_"): n for key, n in made.items() if key.startswith("took_")}
    assert counts == row.distribution


def same(one, other):
    """Return whether two cells are equal, as far as floating point goes."""
    return one == other or (isinstance(one, float) and isinstance(other, float) and math.isclose(one, other))


def test_a_leaderboard_of_a_store_reads_one_run_at_a_time_and_keeps_none(board, store, monkeypatch):
    alive = []
    original = Store.read

    def counted(self, run):
        found = original(self, run)
        alive.append(weakref.ref(found))
        assert sum(reference() is not None for reference in alive) <= 2
        return found

    monkeypatch.setattr(Store, "read", counted)
    fresh = wk.read_leaderboard(store, "mastermind")
    assert fresh.to_polars().equals(board.to_polars())
    assert fresh.plays_to_polars().equals(board.plays_to_polars())
    assert sum(reference() is not None for reference in alive) == 0
    assert len(alive) >= 4


def test_a_store_that_is_not_there_or_has_no_such_game_is_named(store, tmp_path):
    with pytest.raises(wk.StoreError, match=r"none\.sqlite: has no results yet; play a tournament first"):
        wk.read_leaderboard(tmp_path / "none.sqlite")
    with pytest.raises(wk.StoreError, match=r"no game in the store is called 'wordle'; there are: mastermind"):
        wk.read_leaderboard(store, "wordle")


def test_a_run_that_has_been_played_again_is_reported(store, tmp_path):
    path = tmp_path / "copy.sqlite"
    path.write_bytes(store.read_bytes())
    board = wk.read_leaderboard(path)
    wk.tournament("mastermind", STRATEGIES, 40, workers=1, seed=1, store=path, fresh=True)
    with pytest.raises(wk.StoreError, match="is no longer there; it has been played again"):
        board.to_polars()


# Transcripts


@pytest.fixture
def written(tmp_path):
    """Return a function that writes the transcripts of runs and reads them with the csv module."""

    def written(*runs):
        path = tmp_path / "plays.tsv"
        write_transcripts(path, runs)
        with path.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file, delimiter="\t"))

    return written


@pytest.fixture(scope="module")
def leaderboard():
    """Return the leaderboard of two strategies on two boards."""
    game = wk.load_game({"name": "abc", "alphabet": "abc", "length": 3, "answers": "all", "boards": 2})
    return wk.tournament(game, ["entropy", "random-consistent"], 10, workers=1)


def test_every_play_of_every_run_is_a_line(written, leaderboard):
    lines = iter(written(*leaderboard.runs))
    for run in leaderboard.runs:
        for play in run.plays:
            assert next(lines) == {
                "strategy": run.facts.strategy,
                "answers": ",".join(play.puzzle),
                "turns": ",".join(str(play.guesses.index(word) + 1) for word in play.puzzle),
                "guesses": ",".join(play.guesses),
                "outcome": "solved",
            }
    assert next(lines, None) is None


def test_tabs_stand_between_the_columns(tmp_path, leaderboard):
    path = tmp_path / "plays.tsv"
    write_transcripts(path, leaderboard.runs)
    lines = path.read_bytes().decode().split("\n")
    assert lines[0].split("\t") == list(TRANSCRIPT)
    assert (len(lines), lines[-1]) == (22, "")


def test_a_board_that_was_not_solved_has_a_dash(written, run_with):
    plays = [
        Play(("ab", "ba"), ("cc", "ba", "aa"), (("00", "00"), ("11", "22"), ("20", "")), Outcome.CRASHED, None, "no"),
        Play(("ab", "ba"), (), (), Outcome.TIMED_OUT, None, "slow"),
    ]
    assert [(line["turns"], line["guesses"], line["outcome"]) for line in written(run_with(plays, boards=2))] == [
        ("-,2", "cc,ba,aa", "crashed"),
        ("-,-", "", "timed out"),
    ]


def test_a_puzzle_that_was_solved_late_has_the_turn_that_solved_it(written, run_with):
    play = Play(("ab",), ("cc", "ab"), (("00",), ("22",)), Outcome.OUT_OF_GUESSES, 2)
    assert [(line["turns"], line["outcome"]) for line in written(run_with([play]))] == [("2", "out of guesses")]


@pytest.mark.parametrize("odd", ['"', "\u2028", "ö", "🟩", "'"])
def test_odd_symbols_are_read_as_they_were_written(written, run_with, odd):
    play = Play((odd, "a" + odd), (odd, "a" + odd), (("2", "0"), ("", "2")), Outcome.SOLVED, 2)
    (line,) = written(run_with([play], boards=2, strategy=f"mine(symbol={odd})"))
    assert line["strategy"] == texts.line(f"mine(symbol={odd})")
    assert line["answers"].split(",") == line["guesses"].split(",") == [odd, "a" + odd]


@pytest.mark.parametrize("place", ["", "no/such/folder/plays.tsv", "file/plays.tsv"])
def test_a_file_that_cannot_be_written_is_named(tmp_path, run_of, place):
    (tmp_path / "file").write_text("")
    path = tmp_path / place
    with pytest.raises(wk.WordleKitError) as error:
        write_transcripts(path, [run_of([2])])
    assert str(error.value).startswith(f"{path}: cannot be written: ")
