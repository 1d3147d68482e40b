"""The example that writes positions to learn from: what rows say, and how they are split."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import wordle_kit as wk

EXAMPLE = Path(__file__).parents[2] / "examples" / "environments" / "positions.py"


@pytest.fixture(scope="module", name="rows")
def rows_of_mini_nerdle(tmp_path_factory):
    out = tmp_path_factory.mktemp("positions") / "positions.jsonl"
    arguments = ["mini-nerdle", "random-consistent", "150", str(out)]
    ran = subprocess.run([sys.executable, str(EXAMPLE), *arguments], capture_output=True, text=True, check=True)
    assert ran.stdout == f"{out}: 150 positions; 150 regrets are exact\n"
    return list(map(json.loads, out.read_text(encoding="utf-8").splitlines()))


def test_no_hidden_word_and_no_prompt_is_in_both_splits(rows):
    parts = [[row for row in rows if row["split"] == split] for split in ("train", "test")]
    assert all(parts)
    for column in ("hidden", "prompt"):
        train, test = ({row[column] for row in part} for part in parts)
        assert train.isdisjoint(test)
    assert len({row["prompt"] for row in rows}) == len(rows) == 150


def test_a_row_is_what_its_guesses_and_feedback_say(rows):
    game, checked = wk.load_game("mini-nerdle"), 0
    for row in rows[::4]:
        moves = list(zip(row["guesses"], row["feedback"], strict=True))
        assert [seen for _, seen in moves] == [str(game.feedback(guess, row["hidden"])) for guess, _ in moves]
        left = [
            answer for answer in game.answers if all(str(game.feedback(guess, answer)) == seen for guess, seen in moves)
        ]
        assert row["candidates"] == len(left)
        assert {row["hidden"], row["played"]} <= set(left)
        if moves:
            assert moves[-1][0] in row["prompt"]
            perfect = wk.optimal(game, after=moves)
            assert row["value"] == pytest.approx(perfect.mean)
            played = wk.optimal(game, row["played"], after=moves)
            assert row["regret"] == pytest.approx(played.mean - perfect.mean, abs=1e-9)
            assert wk.optimal(game, row["best"], after=moves).total == perfect.total
            checked += 1
    assert checked > 20
