"""The leaderboard: its order, its rows, and all its formats."""

import csv
import io
import json
import re
from html.parser import HTMLParser

import pytest

import wordle_kit as wk
from wordle_kit import tables
from wordle_kit.leaderboard.columns import IN_FILES
from wordle_kit.leaderboard.leaderboard import written
from wordle_kit.tables import BUNDLED, render
from wordle_kit.tournaments.runs import Outcome, Play

GAME = wk.load_game({"name": "abc", "alphabet": "abc", "length": 3, "answers": "all", "max_guesses": 4})
STRATEGIES = ["first-consistent", "random-consistent", "entropy", "entropy(pool=candidates, opener=abc)"]

OF_A_LEADERBOARD = {"game", "fingerprint", "puzzles", "seed", "versions", "rows"}
OF_A_ROW = {
    "strategy", "version", "plugin", "games", "solved", "failed", "total_guesses", "mean", "std", "min", "median",
    "max", "excellent", "failure", "distribution", "opener", "decisions", "ms_per_decision",
}  # fmt: skip

TEXTS = [name for name, each in BUNDLED.items() if each.takes != "columns"]
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


def test_json_has_the_promised_keys(leaderboard):
    read = json.loads(leaderboard.table("json"))
    assert read.keys() >= OF_A_LEADERBOARD
    assert all(row.keys() >= OF_A_ROW for row in read["rows"])
    assert (read["game"], read["fingerprint"], read["seed"]) == ("abc", GAME.fingerprint, 3)
    assert read["puzzles"] == "all 27 answers"
    assert read["versions"].keys() >= {"wordle-kit", "python"}
    assert read["versions"]["wordle-kit"] == wk.__version__
    assert [row["strategy"] for row in read["rows"]] == [row.strategy for row in leaderboard.rows]


def test_json_is_the_leaderboard_as_a_dictionary(leaderboard):
    assert json.loads(leaderboard.table("json")) == leaderboard.as_dict()


def test_a_row_says_where_the_strategy_is_from(leaderboard):
    rows = {row.strategy: row for row in leaderboard.rows}
    assert (rows["entropy"].plugin, rows["entropy"].version) == ("partition", "1")
    assert rows["first-consistent"].plugin == "baselines"
    assert rows["entropy(pool=candidates, opener=abc)"].opener == "abc"


def test_plays_are_those_of_the_strategy_in_the_order_of_the_puzzles(leaderboard):
    assert [play.puzzle[0] for play in leaderboard.plays("entropy")] == list(GAME.answers)
    assert list(leaderboard.plays("entropy")) == wk.play(wk.load_strategy("entropy"), GAME)


def test_two_of_its_strategies_can_be_compared(leaderboard):
    found = leaderboard.compare("entropy", "broken")
    assert (found.first, found.second, found.puzzles) == ("entropy", "broken", 27)
    assert found.interval is None


@pytest.mark.parametrize("ask", [lambda board: board.plays("entropi"), lambda board: board.compare("entropy", "x")])
def test_a_strategy_that_is_not_on_it_is_named(leaderboard, ask):
    with pytest.raises(wk.WordleKitError, match="no strategy of this leaderboard is called"):
        ask(leaderboard)


def test_notes_name_everything_that_affects_the_figures(leaderboard):
    first, *others = leaderboard.notes
    assert first.startswith("abc: all 27 answers, seed 3.")
    assert "more than 4 guesses has failed" in first
    assert "one not solved in 28 counts as 29" in first
    assert any(
        note.startswith("broken: 26 crashed. First: aab: ValueError: <b>100% | broken_& $x$</b>") for note in others
    )


def test_the_seed_is_named_where_something_was_random_only(run_of):
    assert "seed" not in wk.Leaderboard((run_of([3]),)).notes[0]
    assert ", seed 0." in wk.Leaderboard((run_of([3], stochastic=True),)).notes[0]


def test_hard_mode_and_strategies_left_out_are_named(run_of):
    notes = wk.Leaderboard((run_of([3], hard_mode=True),), ("x does not play abc: too long",)).notes
    assert notes[0].startswith("abc, hard mode:")
    assert notes[-1] == "x does not play abc: too long"


# Every format


def cells(line, between):
    return [cell.strip() for cell in re.split(rf"(?<!\\){between}", line)]


def test_a_terminal_shows_a_line_for_each_strategy_and_the_notes(leaderboard):
    lines = leaderboard.table().splitlines()
    assert lines[0].split() == ["strategy", "mean", "1-4+", "std", "max", "failed", "opener", "ms", "each"]
    shown = lines[2:7]
    assert [line.split("  ")[0] for line in shown] == [row.strategy for row in leaderboard.rows]
    assert all(f"{row.mean:.4f}" in line for row, line in zip(leaderboard.rows, shown, strict=True))
    assert str(leaderboard) == leaderboard.table()


def test_csv_reads_back_as_the_rows(leaderboard):
    read = list(csv.DictReader(io.StringIO(leaderboard.table("csv"))))
    assert len(read) == len(leaderboard.rows)
    for line, row in zip(read, leaderboard.rows, strict=True):
        assert line.keys() >= OF_A_ROW - {"distribution"}
        assert (line["strategy"], int(line["total_guesses"])) == (row.strategy, row.total_guesses)
        assert (float(line["mean"]), float(line["std"])) == (row.mean, row.std)
        counts = {name.removeprefix("took_"): count for name, count in line.items() if name.startswith("took_")}
        assert {turns: int(count) for turns, count in counts.items() if count != "0"} == row.distribution


def test_markdown_has_a_row_for_each_strategy(leaderboard):
    table = [line for line in leaderboard.table("markdown").splitlines() if line.startswith("|")]
    header, rule, *rows = [cells(line.strip("|"), r"\|") for line in table]
    assert header[:2] == ["strategy", "mean"]
    assert all(re.fullmatch(r":?-+:?", cell) for cell in rule)
    assert [row[0] for row in rows] == [row.strategy for row in leaderboard.rows]
    assert {len(row) for row in rows} == {len(header)} == {len(rule)}


def test_a_bar_in_a_name_does_not_end_a_cell_in_markdown(run_of):
    made = wk.Leaderboard((run_of([3], strategy="entropy(opener=a|b)"),)).table("markdown")
    header, _, row = [cells(line.strip("|"), r"\|") for line in made.splitlines() if line.startswith("|")]
    assert len(row) == len(header)


class Reader(HTMLParser):
    """Reads HTML, and remembers the rows of its tables and every tag; raises where tags do not match."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.rows = [], set(), []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        self.tags.add(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, text):
        if {"td", "th"} & set(self.open):
            self.rows[-1][-1] += text.strip()


def test_html_is_well_formed_and_has_a_row_for_each_strategy(leaderboard):
    header, *rows = Reader(leaderboard.table("html")).rows
    assert header[:2] == ["strategy", "mean"]
    assert [row[0] for row in rows] == [row.strategy for row in leaderboard.rows]
    assert {len(row) for row in rows} == {len(header)}
    assert leaderboard._repr_html_() == leaderboard.table("html")


def test_html_shows_messages_and_never_runs_them(leaderboard, run_with):
    evil = "<script>alert('&amp;')</script>"
    plays = [Play(("abc",), (evil,), (("000",),), Outcome.CRASHED, None, evil)]
    board = wk.Leaderboard((run_with(plays, strategy=evil, puzzles=evil), *leaderboard.runs[:1]))
    read = Reader(board.table("html"))
    assert "script" not in read.tags
    assert evil in {row[0] for row in read.rows}


def test_latex_is_a_booktabs_table_with_a_row_for_each_strategy(leaderboard):
    text = leaderboard.table("latex")
    assert [text.count(rule) for rule in (r"\toprule", r"\midrule", r"\bottomrule")] == [1, 1, 1]
    header, body = text.split(r"\toprule")[1].split(r"\bottomrule")[0].split(r"\midrule")
    rows = [cells(line.removesuffix(r"\\"), "&") for line in body.strip().splitlines()]
    assert [row[0] for row in rows] == [row.strategy for row in leaderboard.rows]
    assert {len(row) for row in rows} == {len(cells(header, "&"))}


def test_latex_escapes_every_special_sign_outside_comments(leaderboard, run_of):
    board = wk.Leaderboard((run_of([3], strategy="my_own(share=100%, sign=$&#)"), *leaderboard.runs))
    table = [line for line in board.table("latex").splitlines() if not line.startswith("%")]
    assert not re.search(r"(?<!\\)[%_$#]", "\n".join(table))
    notes = [line for line in board.table("latex").splitlines() if line.startswith("%")]
    assert len(notes) == len(board.notes)


@pytest.mark.parametrize("format", TEXTS)
def test_every_format_ends_with_a_single_newline_and_is_the_same_every_time(leaderboard, format):  # noqa: A002
    text = leaderboard.table(format)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert leaderboard.table(format) == text


@pytest.mark.parametrize("name", ["xml", "parquet"])
def test_a_format_that_is_unknown_or_no_text_is_refused_with_those_there_are(leaderboard, name):
    with pytest.raises(
        wk.WordleKitError, match=f"no format is called '{name}'; there are: csv, html, json, latex, mark"
    ):
        leaderboard.table(name)


def test_a_format_says_what_it_takes(leaderboard):
    def made(takes):
        return wk.Format("mine", lambda given, notes: repr(given), takes=takes)

    assert leaderboard.table(made("value")) == repr(leaderboard.as_dict())
    figures = eval(leaderboard.table(made("figures")))
    assert [(row["strategy"], row["mean"]) for row in figures] == [(row.strategy, row.mean) for row in leaderboard.rows]
    cells_of = eval(leaderboard.table(made("cells")))
    assert [row["mean"] for row in cells_of] == [f"{row.mean:.4f}" for row in leaderboard.rows]
    assert written([leaderboard] * 2, made("value")) == repr([leaderboard.as_dict()] * 2)
    assert list(eval(written([leaderboard], made("columns")), vars(tables)))[:4] == [
        "game",
        "hard_mode",
        "puzzles",
        "strategy",
    ]
    with pytest.raises(wk.WordleKitError, match="format mine: takes is 'rows'; write one of"):
        made("rows")


@pytest.mark.parametrize("format", TEXTS)
def test_a_table_without_rows_can_be_made(format):  # noqa: A002
    assert isinstance(render([], format), str)


# Files


def test_a_leaderboard_is_written_as_markdown_and_as_json(leaderboard, tmp_path):
    folder = tmp_path / "a" / "b"
    page, data = leaderboard.write(folder)
    assert (page, data) == (folder / "abc.md", folder / "abc.json")
    assert page.read_text("utf-8") == "# abc\n\n" + leaderboard.table("markdown", IN_FILES)
    assert json.loads(data.read_text("utf-8")) == leaderboard.as_dict()


def test_hard_mode_is_written_to_files_of_its_own(run_of, tmp_path):
    files = wk.Leaderboard((run_of([3], hard_mode=True),)).write(tmp_path)
    assert [file.name for file in files] == ["abc-hard.md", "abc-hard.json"]
    assert files[0].read_text("utf-8").startswith("# abc in hard mode\n\n")


def test_a_folder_that_cannot_be_written_to_is_named(leaderboard, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(wk.WordleKitError, match=r"file/abc\.md: cannot be written"):
        leaderboard.write(tmp_path / "file")


# Where figures come from


def test_rows_have_a_column_for_each_parameter_of_a_sweep():
    board = wk.tournament(GAME, [*wk.sweep("entropy", endgame=range(3)), "first-consistent"], workers=1)
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


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_data_frame_has_parameters_and_where_figures_come_from(library):
    pytest.importorskip(library)
    board = wk.tournament(GAME, ["entropy(endgame=0..1)", "random-consistent"], 5, seed=4, workers=1)
    frame = getattr(board, f"to_{library}")()
    last = ["host", "fingerprint", "puzzles_fingerprint", "seed", "secret", "source", "versions"]
    assert list(frame.columns)[-len(last) :] == last
    by_name = {row["strategy"]: row for row in (frame.to_dict("records") if library == "pandas" else frame.to_dicts())}
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
