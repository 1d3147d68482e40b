"""Replays: every turn of every play, as it was stored, with the words left as a position counts them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wordle_kit as wk
from wordle_kit.pages.packing import Numbering
from wordle_kit.report.replays import replays_of
from wordle_kit.tournaments.runs import StoredRun


@st.composite
def runs(draw):
    """Draw a run of a few plays on one or two boards, of few words, so that many begin alike."""
    boards = draw(st.integers(1, 2))
    seen = st.tuples(*[st.sampled_from(["0", "1", ""])] * boards)
    made = st.lists(st.tuples(st.sampled_from(["a", "b"]), seen), max_size=4)
    plays = tuple(
        wk.Play(
            ("a",) * boards, tuple(guess for guess, _ in turns), tuple(marks for _, marks in turns), "crashed", None
        )
        for turns in draw(st.lists(made, max_size=12))
    )
    return boards, StoredRun(1, None, plays, 0, 0.0)


def unpacked(twin, replayed, replays, boards, words, feedback):
    """Return the guesses, the feedback and the words left of each play, by its place."""
    columns = [twin["varints"](column) for column in replays.columns()]
    texts, codes = list(words), list(feedback)
    return {
        place: (
            tuple(texts[turn.guess] for turn in turns),
            tuple(tuple(codes[code] for code in turn.feedback) for turn in turns),
            tuple(turn.left for turn in turns),
        )
        for place, turns in replayed(columns, boards).items()
    }


@given(runs(), st.data())
def test_every_play_that_is_kept_is_read_back_turn_by_turn(twin, replayed, drawn, data):
    boards, run = drawn
    kept = [puzzle for puzzle in range(len(run.plays)) if data.draw(st.booleans())]
    words, feedback = Numbering(), Numbering()
    read = unpacked(twin, replayed, replays_of(run, kept, words, feedback), boards, words, feedback)
    assert sorted(read) == list(range(len(kept)))
    for place, puzzle in enumerate(kept):
        assert read[place][:2] == (run.plays[puzzle].guesses, run.plays[puzzle].feedback)


@given(runs())
def test_no_turn_is_there_twice(drawn):
    _, run = drawn
    beginnings = {
        (play.guesses[:turn], play.feedback[:turn]) for play in run.plays for turn in range(1, len(play.guesses) + 1)
    }
    assert len(replays_of(run, range(len(run.plays)), Numbering(), Numbering()).depths) == len(beginnings)


@pytest.mark.parametrize(("game", "puzzles"), [("wordle", 30), ("mastermind", 30), ("glyphs", 30), ("quordle", 4)])
@pytest.mark.parametrize("strategy", ["entropy", "random-consistent"])
def test_the_words_left_are_those_of_the_position(twin, replayed, game, puzzles, strategy):
    game = wk.load_game(game)
    (run,) = wk.tournament(game, [strategy], puzzles, workers=1).runs
    words, feedback = Numbering(), Numbering()
    replays = replays_of(run, range(puzzles), words, feedback, game)
    for place, (guesses, seen, left) in unpacked(twin, replayed, replays, game.boards, words, feedback).items():
        assert (guesses, seen) == (run.plays[place].guesses, run.plays[place].feedback)
        position = wk.Position.start(game)
        for guess, marks, counts in zip(guesses, seen, left, strict=True):
            position = position.after(guess, marks)
            assert counts == tuple(0 if board.is_solved else len(board) for board in position.boards)
