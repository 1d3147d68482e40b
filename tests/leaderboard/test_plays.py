"""Plays, leaderboards and comparisons as rows, data frames and Parquet, and plays as transcripts."""

import csv
import io

import pytest
from hypothesis import given, settings

import wordle_kit as wk
from wordle_kit import tables, texts
from wordle_kit.leaderboard.columns import frame_columns
from wordle_kit.leaderboard.compare import columns_of_comparisons
from wordle_kit.leaderboard.plays import columns_of_plays, write_transcripts
from wordle_kit.tables import rows_of_columns
from wordle_kit.tournaments.runs import Outcome, Play, StoredRun

GAME = wk.load_game({"name": "abc", "alphabet": "abc", "length": 3, "answers": "all"})
PAIRS = GAME.replace(name="abc-x2", boards=2)
STRATEGIES = ["first-consistent", "random-consistent"]


@pytest.fixture(scope="module")
def boards():
    """Return a leaderboard of samples on one board, and one on two boards."""
    return [wk.tournament(game, STRATEGIES, 10, workers=1) for game in (GAME, PAIRS)]


def plays_in(board):
    return rows_of_columns(columns_of_plays(board.runs, board.game))


def expected_plays(board):
    """Yield the rows of the plays, with the words left counted one by one."""
    game = board.game
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
                        row |= {"turn": turn, "guess": guess, "feedback": shown}
                        yield row | {"left": 0 if solved else len(left[place]), "outcome": play.outcome.value}


# Rows


def test_plays_have_a_row_for_each_guess_on_each_open_board_with_the_words_left(boards):
    for board in boards:
        assert plays_in(board) == list(expected_plays(board))
    assert len(plays_in(boards[0])) == sum(row.total_guesses for row in boards[0].rows)


def test_with_weights_the_weighted_mean_can_be_counted_from_the_plays():
    fields = {"name": "few", "alphabet": "abc", "length": 2, "answers": "all", "weights": {"cc": 50, "ab": 0}}
    board = wk.tournament(wk.load_game(fields), ["first-consistent"], workers=1)
    rows = plays_in(board)
    first = [row["weight"] for row in rows if row["turn"] == 1]
    mean = sum(row["weight"] for row in rows) / sum(first)  # a row for each guess
    assert mean == pytest.approx(board.rows[0].weighted_mean)
    assert mean != pytest.approx(board.rows[0].mean)
    assert [weight / sorted(first)[1] for weight in sorted(first)] == pytest.approx([0, *[1] * 7, 50])


def test_without_the_game_the_words_left_are_none(run_of):
    rows = plays_in(wk.Leaderboard((run_of([2]),)))
    assert [(row["turn"], row["guess"], row["left"]) for row in rows] == [(1, "guess 0", None), (2, "guess 1", None)]


def test_a_leaderboard_has_a_row_for_each_strategy_best_first(boards):
    for board in boards:
        for made, row in zip(rows_of_columns(frame_columns(board.rows)), board.rows, strict=True):
            plain = {key: value for key, value in row.as_dict().items() if isinstance(value, int | float | str)}
            assert {key: made[key] for key in plain} == plain
            assert (made["interval_low"], made["interval_high"]) == pytest.approx(row.interval)
            took = {key.removeprefix("took_"): n for key, n in made.items() if key.startswith("took_") and n}
            assert took == row.distribution
            assert (made["game"], made["hard_mode"], made["puzzles"]) == (
                board.game.name,
                False,
                board.facts[0].puzzles,
            )


def test_a_comparison_has_a_row_for_all_boards_and_one_for_each_number_solved(boards):
    found = boards[1].compare(*STRATEGIES)
    every, first, second = rows_of_columns(columns_of_comparisons([found]))
    assert [every["boards_solved"], first["boards_solved"], second["boards_solved"]] == [None, 1, 2]
    for row, each in ((every, found), (first, found.boards[0]), (second, found.boards[1])):
        assert (row["first"], row["second"], row["puzzles"]) == (*STRATEGIES, 10)
        assert (row["wins"], row["ties"], row["losses"]) == (each.wins, each.ties, each.losses)
        assert row["mean_difference"] == pytest.approx(each.mean_difference)
        assert (row["interval_low"], row["interval_high"]) == pytest.approx(each.interval)
        counts = {key.removeprefix("difference_"): n for key, n in row.items() if key.startswith("difference_") and n}
        assert counts == each.differences


# Data frames


def records(frame):
    """Return the rows of a data frame, with None for every missing value."""
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return [{key: value.item() if hasattr(value, "item") else value for key, value in row.items()} for row in rows]


@pytest.mark.slow
def test_data_frames_have_these_rows(boards):
    pytest.importorskip("pandas")
    for board in boards:
        assert records(board.plays_to_pandas()) == plays_in(board)
        assert records(board.to_pandas()) == rows_of_columns(frame_columns(board.rows))
        found = board.compare(*STRATEGIES)
        assert records(found.to_pandas()) == rows_of_columns(columns_of_comparisons([found]))


@pytest.mark.slow
def test_an_empty_run_of_guesses_is_an_empty_frame_with_all_columns(run_with):
    pytest.importorskip("pandas")
    crashed = run_with([Play(("abc",), (), (), Outcome.CRASHED, None, "broken")])
    frame = wk.Leaderboard((crashed,)).plays_to_pandas()
    assert frame.shape[0] == 0
    assert list(frame.columns) == ["strategy", "puzzle", "answer", "turn", "guess", "feedback", "left", "outcome"]


@pytest.mark.slow
@settings(max_examples=40)
@given(run=...)
def test_parquet_has_the_rows_for_any_plays(run: StoredRun):
    parquet = pytest.importorskip("pyarrow.parquet")
    for columns in (frame_columns(wk.Leaderboard((run,)).rows), columns_of_plays([run])):
        written = tables.BUNDLED["parquet"].write(tables.Table((), columns=columns))
        assert parquet.read_table(io.BytesIO(written)).to_pylist() == rows_of_columns(columns)


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


def test_every_play_of_every_run_is_a_line(written, boards):
    lines = iter(written(*boards[1].runs))
    for run in boards[1].runs:
        for play in run.plays:
            assert next(lines) == {
                "strategy": run.facts.strategy,
                "answers": ",".join(play.puzzle),
                "turns": ",".join(str(play.guesses.index(word) + 1) for word in play.puzzle),
                "guesses": ",".join(play.guesses),
                "outcome": play.outcome.value,
            }
    assert next(lines, None) is None


def test_a_board_that_was_not_solved_has_a_dash_and_one_solved_late_its_turn(written, run_with):
    plays = [
        Play(("ab", "ba"), ("cc", "ba", "aa"), (("00", "00"), ("11", "22"), ("20", "")), Outcome.CRASHED, None, "no"),
        Play(("ab", "ba"), (), (), Outcome.TIMED_OUT, None, "slow"),
        Play(("ab", "ba"), ("ba", "ab"), (("11", "22"), ("22", "")), Outcome.OUT_OF_GUESSES, 2),
    ]
    assert [(line["turns"], line["guesses"], line["outcome"]) for line in written(run_with(plays, boards=2))] == [
        ("-,2", "cc,ba,aa", "crashed"),
        ("-,-", "", "timed out"),
        ("2,1", "ba,ab", "out of guesses"),
    ]


@pytest.mark.parametrize("odd", ['"', "\u2028", "🟩"])
def test_odd_symbols_are_read_as_they_were_written(written, run_with, odd):
    play = Play((odd, "a" + odd), (odd, "a" + odd), (("2", "0"), ("", "2")), Outcome.SOLVED, 2)
    (line,) = written(run_with([play], boards=2, strategy=f"mine(symbol={odd})"))
    assert line["strategy"] == texts.one_line(f"mine(symbol={odd})")
    assert line["answers"].split(",") == line["guesses"].split(",") == [odd, "a" + odd]


@pytest.mark.parametrize("place", ["", "no/such/folder/plays.tsv"])
def test_a_file_that_cannot_be_written_is_named(tmp_path, run_of, place):
    with pytest.raises(wk.WordleKitError) as error:
        write_transcripts(tmp_path / place, [run_of([2])])
    assert str(tmp_path / place) in str(error.value)
