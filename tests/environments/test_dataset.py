"""Data to learn from: what rows say, how they are split, and where their words come from."""

import json

import pytest

import wordle_kit as wk
from wordle_kit.environments import Regret
from wordle_kit.environments.dataset import COLUMNS, positions, write_positions
from wordle_kit.environments.values import EXACT


@pytest.fixture(scope="module", name="made")
def data_of_mini_nerdle():
    return positions("mini-nerdle", "random-consistent", 150, seed=3, test=0.3)


def test_no_hidden_word_and_no_prompt_is_in_both_splits(made):
    _, rows = made
    parts = [[row for row in rows if row["split"] == split] for split in ("train", "test")]
    assert len(rows) == 150
    assert len(parts[1]) > 20
    for column in ("hidden", "prompt"):
        train, test = ({row[column] for row in part} for part in parts)
        assert train.isdisjoint(test)
    assert len({row["prompt"] for row in rows}) == len(rows)


def test_a_row_is_what_its_guesses_and_feedback_say(made):
    header, rows = made
    game = wk.load_game("mini-nerdle")
    assert header["fingerprint"] == game.fingerprint
    assert header["positions"] == len(rows)
    checked = 0
    for row in rows[::4]:
        assert list(row) == list(COLUMNS)
        moves = list(zip(row["guesses"].split(), row["feedback"].split(), strict=True))
        assert [seen for _, seen in moves] == [str(game.feedback(guess, row["hidden"])) for guess, _ in moves]
        left = [
            answer for answer in game.answers if all(str(game.feedback(guess, answer)) == seen for guess, seen in moves)
        ]
        assert row["candidates"] == len(left)
        assert row["hidden"] in left
        assert row["played"] in left
        if moves:
            assert moves[-1][0] in row["prompt"]
            perfect = wk.optimal(game, after=moves)
            assert row["value"] == pytest.approx(perfect.mean)
            played = wk.optimal(game, row["played"], after=moves)
            assert row["regret"] == pytest.approx(played.mean - perfect.mean, abs=1e-9)
            assert wk.optimal(game, row["best"], after=moves).total == perfect.total
            assert row["value_by"] == row["regret_by"] == EXACT
            checked += 1
    assert checked > 20


def test_the_seed_decides_everything_and_a_strategy_may_reach_fewer_positions():
    one, again, other = (positions("mini-nerdle", "entropy", 40, seed=seed) for seed in (1, 1, 2))
    assert one == again
    assert one[1] != other[1]
    header, rows = positions("mini-nerdle", "entropy", 10_000)
    assert header["positions"] == len(rows) < 500
    assert {row["hidden"] for row in rows} <= set(wk.load_game("mini-nerdle").answers)


def test_words_of_weight_0_are_not_hidden_and_likely_ones_come_first():
    weights = {"aa": 0, "ab": 1, "ba": 1000, "bb": 1}
    fields = {"name": "w", "alphabet": "ab", "length": 2, "answers": [*weights], "weights": weights}
    firsts = [positions(fields, "entropy", 100, seed=seed, test=0.5)[1] for seed in range(10)]
    assert all(row["hidden"] != "aa" for rows in firsts for row in rows)
    assert sum(rows[0]["hidden"] == "ba" for rows in firsts) >= 9


def test_what_is_not_proved_names_the_strategy():
    _, rows = positions("jotto", "entropy", 3, regret=Regret(by="minimax", nodes=1, largest=2))
    assert {row["regret_by"] for row in rows if row["candidates"] > 2} == {"minimax"}


@pytest.mark.parametrize("name", ["positions.jsonl", pytest.param("positions.parquet", marks=pytest.mark.slow)])
def test_a_file_has_the_header_and_the_rows(made, tmp_path, name):
    header, rows = made
    path = tmp_path / name
    if path.suffix == ".parquet":
        parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow, which `tox -e slow` installs")
        write_positions(path, header, rows)
        table = parquet.read_table(path)
        assert table.to_pylist() == rows
        assert json.loads(table.schema.metadata[b"wordle-kit"]) == header
    else:
        write_positions(path, header, rows)
        first, *others = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        assert first == {"header": header}
        assert others == rows
