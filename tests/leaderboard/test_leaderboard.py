"""The leaderboard: its order, its rows, and all its formats."""

import csv
import io
import json
import re

import pytest

import wordle_kit as wk
from wordle_kit.leaderboard.leaderboard import content_of_leaderboards
from wordle_kit.tables import BUNDLED, render, rows_of_columns

GAME = wk.load_game({"name": "abc", "alphabet": "abc", "length": 3, "answers": "all", "max_guesses": 4})
STRATEGIES = ["first-consistent", "random-consistent", "entropy", "entropy(pool=candidates, opener=abc)"]

OF_A_LEADERBOARD = {"game", "fingerprint", "puzzles", "seed", "versions", "rows"}
OF_A_ROW = {
    "strategy", "version", "plugin", "games", "solved", "failed", "total_guesses", "mean", "std", "min", "median",
    "max", "excellent", "failure", "distribution", "opener", "decisions", "ms_per_decision",
}  # fmt: skip

TEXTS = sorted(BUNDLED.keys() - {"parquet"})
"""The formats that are text."""


class Broken(wk.Strategy):
    """Raises an error whose message is full of markup in HTML, LaTeX and Markdown."""

    def guess(self, position):
        if position.turn == 2:
            raise ValueError("<b>100% | broken_& $x$</b>")
        return "aaa"


@pytest.fixture(scope="module")
def leaderboard():
    """Return a leaderboard of four strategies that play and one that does not."""
    return wk.tournament(GAME, [*STRATEGIES, Broken()], workers=1, seed=3)


# What it says


def test_the_first_row_took_the_fewest_guesses_and_equals_are_in_order_of_failures_and_names(run_of):
    turns = {"b": [2, 4], "a": [2, 4], "late": [3, 9], "failed": [5, 7], "worst": [None, None]}
    runs = [run_of(taken, strategy=name) for name, taken in reversed(turns.items())]
    assert [row.strategy for row in wk.Leaderboard(tuple(runs)).rows] == ["a", "b", "failed", "late", "worst"]
    level = [run_of([6, 6], strategy="x"), run_of([5, 7], strategy="a")]
    assert [row.strategy for row in wk.Leaderboard(tuple(level)).rows] == ["x", "a"]


def test_without_a_strategy_there_is_a_table_without_rows():
    board = wk.Leaderboard((), ("x does not play abc: too long",))
    assert board.rows == ()
    for form in TEXTS:
        assert board.table(form).strip() != "x"
    assert "x does not play abc" in board.table()
    assert json.loads(board.table("json"))["rows"] == []


def test_json_has_the_promised_keys(leaderboard):
    read = json.loads(leaderboard.table("json"))
    assert read == leaderboard.as_dict()
    assert read.keys() >= OF_A_LEADERBOARD
    assert all(row.keys() >= OF_A_ROW for row in read["rows"])
    assert (read["game"], read["fingerprint"], read["seed"]) == ("abc", GAME.fingerprint, 3)
    assert read["puzzles"] == "all 27 answers"
    assert read["versions"]["wordle-kit"] == wk.__version__
    assert [row["strategy"] for row in read["rows"]] == [row.strategy for row in leaderboard.rows]


def test_its_strategies_have_their_plays_and_can_be_compared_and_others_are_named(leaderboard):
    assert list(leaderboard.plays("entropy")) == wk.play("entropy", GAME)
    found = leaderboard.compare("entropy", "broken")
    assert (found.first, found.second, found.puzzles) == ("entropy", "broken", 27)
    for ask in (lambda: leaderboard.plays("entropi"), lambda: leaderboard.compare("entropi", "broken")):
        with pytest.raises(wk.WordleKitError, match="'entropi'"):
            ask()


def test_notes_name_everything_that_affects_the_figures(leaderboard, run_of):
    first, *others = leaderboard.notes
    for said in ("abc: all 27 answers, seed 3", "4 guesses", "28"):
        assert said in first
    assert any(note.startswith("broken: 26 crashed") and "aab" in note for note in others)
    notes = wk.Leaderboard((run_of([3], hard_mode=True),), ("x does not play abc: too long",)).notes
    assert "hard mode" in notes[0]
    assert "seed" not in notes[0]  # nothing was random
    assert notes[-1] == "x does not play abc: too long"


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
    assert "seed 5" in board.notes[0]
    assert [note.split(":")[0] for note in board.notes[1:]] == ["a, b", "c"]
    assert [secret in note for secret, note in zip((one, other), board.notes[1:], strict=True)] == [True, True]
    assert (board.as_dict()["seed"], board.as_dict()["secrets"]) == (5, {"a": one, "b": one, "c": other})
    notes = wk.Leaderboard((*runs[:2], run_of([3], strategy="six", seed=6, **random))).notes
    assert [(note.split(":")[0], note.split()[-1]) for note in notes[1:]] == [("five", "5."), ("six", "6.")]


# Every format


def cells(line, between):
    return [cell.strip() for cell in re.split(rf"(?<!\\){between}", line)]


def test_a_terminal_shows_a_line_for_each_strategy(leaderboard):
    lines = leaderboard.table().splitlines()
    assert lines[0].split() == ["strategy", "mean", "1-4+", "std", "max", "failed", "opener", "ms", "each"]
    shown = lines[2:7]
    assert [line.split("  ")[0] for line in shown] == [row.strategy for row in leaderboard.rows]
    assert all(f"{row.mean:.4f}" in line for row, line in zip(leaderboard.rows, shown, strict=True))
    assert str(leaderboard) == leaderboard.table()
    assert leaderboard._repr_html_() == leaderboard.table("html")


def test_latex_is_a_booktabs_table_and_escapes_every_special_sign_outside_comments(leaderboard, run_of):
    board = wk.Leaderboard((run_of([3], strategy="my_own(share=100%, sign=$&#)"), *leaderboard.runs))
    text = board.table("latex_booktabs")
    header, body = text.split(r"\toprule")[1].split(r"\bottomrule")[0].split(r"\midrule")
    rows = [cells(line.removesuffix(r"\\"), "&") for line in body.strip().splitlines()]
    assert {row[0] for row in rows} >= set(STRATEGIES)
    assert {len(row) for row in rows} == {len(cells(header, "&"))}
    table = [line for line in text.splitlines() if not line.startswith("%")]
    assert not re.search(r"(?<!\\)[%_$#]", "\n".join(table))


@pytest.mark.parametrize("form", TEXTS)
def test_every_format_ends_with_a_single_newline_and_can_be_empty(leaderboard, form):
    text = leaderboard.table(form)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert isinstance(render([], form), str)


@pytest.mark.parametrize("name", ["xml", pytest.param("parquet", marks=pytest.mark.slow)])  # Parquet needs pyarrow
def test_a_format_that_is_unknown_or_no_text_is_refused(leaderboard, name):
    with pytest.raises(wk.WordleKitError, match=f"'{name}'"):
        leaderboard.table(name)


def test_a_format_of_a_plugin_gets_the_table_for_people_and_for_programs(leaderboard):
    given = []
    assert leaderboard.table(wk.Format("mine", lambda table: given.append(table) or "mine\n")) == "mine\n"
    (table,) = given
    assert table.value == leaderboard.as_dict()
    assert [row["mean"] for row in table.rows] == [f"{row.mean:.4f}" for row in leaderboard.rows]
    assert [(row["strategy"], row["mean"]) for row in rows_of_columns(table.columns)] == [
        (row.strategy, row.mean) for row in leaderboard.rows
    ]
    assert table.notes == leaderboard.notes


def test_a_format_of_a_plugin_may_write_leaderboards_in_its_own_way(leaderboard):
    def first_guesses(boards, columns):
        return "\n".join(play.guesses[0] for board in boards for play in board.plays(columns[0])[:1])

    mine = wk.Format("mine", lambda table: "", write_leaderboards=first_guesses)
    assert leaderboard.table(mine, ["entropy(pool=candidates, opener=abc)"]) == "abc"


@pytest.mark.parametrize("several", [False, True])
def test_a_format_that_returns_neither_text_nor_bytes_is_named(leaderboard, several):
    mine = wk.Format("mine", lambda table: [], write_leaderboards=(lambda boards, columns: []) if several else None)
    with pytest.raises(wk.WordleKitError, match="'mine' returned a list"):
        leaderboard.table(mine)
    with pytest.raises(wk.WordleKitError, match="'mine' returned a list"):
        content_of_leaderboards([leaderboard], mine)


# Files


def test_the_suffix_of_a_file_says_its_format(leaderboard, tmp_path):
    for suffix, form in {"md": "pipe", "json": "json", "CSV": "csv"}.items():
        leaderboard.write(tmp_path / f"board.{suffix}")
        assert (tmp_path / f"board.{suffix}").read_bytes() == leaderboard.table(form).encode()
    with pytest.raises(wk.WordleKitError, match=r"'\.xls'.*\.json"):
        leaderboard.write(tmp_path / "board.xls")


def test_a_file_that_cannot_be_written_is_named(leaderboard, tmp_path):
    with pytest.raises(wk.WordleKitError, match=r"none/abc\.md"):
        leaderboard.write(tmp_path / "none" / "abc.md")


# Where figures come from


def test_rows_have_a_column_for_each_parameter_of_a_sweep():
    board = wk.tournament(GAME, ["entropy(endgame=0..2)", "first-consistent"], workers=1)
    expected = {"entropy": 0, "entropy(endgame=1)": 1, "entropy(endgame=2)": 2}
    rows = {row["strategy"]: row for row in board.as_dict()["rows"]}
    assert {name: row["param_endgame"] for name, row in rows.items() if "param_endgame" in row} == expected
    assert rows["entropy"]["param_pool"] == "guesses"
    assert [name for name in rows["first-consistent"] if name.startswith("param_")] == []
    read = csv.DictReader(io.StringIO(board.table("csv")))
    assert {row["strategy"]: row["param_endgame"] for row in read} == {
        **{name: str(number) for name, number in expected.items()},
        "first-consistent": "",
    }


@pytest.mark.slow
def test_a_data_frame_has_parameters_and_where_figures_come_from():
    pytest.importorskip("pandas")
    board = wk.tournament(GAME, ["entropy(endgame=0..1)", "random-consistent"], 5, seed=4, workers=1)
    by_name = {row["strategy"]: row for row in board.to_pandas().to_dict("records")}
    assert (by_name["entropy"]["param_endgame"], by_name["entropy(endgame=1)"]["param_endgame"]) == (0, 1)
    facts = board.facts[0]
    for row in by_name.values():
        assert (row["fingerprint"], row["puzzles_fingerprint"]) == (facts.fingerprint, facts.puzzles_fingerprint)
        assert (row["seed"], row["host"]) == (4, "hidden")
        assert "wordle-kit " in row["versions"]
    assert by_name["entropy"]["source"] == by_name["entropy(endgame=1)"]["source"]
    assert by_name["entropy"]["source"] != by_name["random-consistent"]["source"]


def test_a_row_has_the_versions_with_which_it_was_played_if_others_had_other_versions(run_of):
    old = run_of([3], strategy="old", versions={"wordle-kit": "0.1", "python": "3.11"})
    new = run_of([4], strategy="new", versions={"wordle-kit": "0.1", "python": "3.13"})
    made = wk.Leaderboard((new, old)).as_dict()
    assert made["versions"]["python"] == "3.13"
    assert [(row["strategy"], row.get("versions", {}).get("python")) for row in made["rows"]] == [
        ("old", "3.11"),
        ("new", None),
    ]
