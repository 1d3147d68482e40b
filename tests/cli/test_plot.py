"""`wordle-kit plot`: the charts that it writes, and what it cannot draw."""

import json

import pytest
from games import bundled

import wordle_kit as wk
from wordle_kit import cli
from wordle_kit.report import plots

pytestmark = pytest.mark.slow

PROGRESS = [
    {"seconds": 0.1, "lower": 7900, "upper": None},
    {"seconds": 0.2, "lower": 7910, "upper": 7940},
    {"seconds": 0.5, "lower": 7920, "upper": 7920},
]
MASTERMIND = bundled("mastermind")


@pytest.fixture(scope="module", autouse=True)
def altair():
    """Skip these tests without Altair, which takes too long to import in every process that collects them."""
    pytest.importorskip("altair")


@pytest.fixture
def plot(capsys, tmp_path, monkeypatch):
    """Run `wordle-kit plot` in a folder of its own, and return the chart it wrote, or the error it printed."""
    monkeypatch.chdir(tmp_path)

    def plot(*arguments):
        code = cli.run(["plot", *map(str, arguments), "-o", "plot.json"])
        said = capsys.readouterr().err
        return json.loads((tmp_path / "plot.json").read_text()) if code == 0 else said

    return plot


def test_the_command_draws_stored_results_and_the_position_it_is_given(plot, tmp_path):
    store = tmp_path / "results.sqlite"
    board = wk.tournament("mastermind", ["minimax", "first-consistent", "entropy"], 10, workers=1, store=store)
    here = ["--store", store, "-s", "minimax", "-s", "entropy"]
    two = wk.read_leaderboard(store, strategies=["minimax", "entropy"])
    assert {run.facts.strategy for run in board.runs} > {run.facts.strategy for run in two.runs}
    assert plot("distribution", *here) == plots.distribution(two).to_dict()
    assert plot("head-to-head", *here, "-g", "mastermind") == plots.head_to_head(two).to_dict()
    assert plot("hardest", *here, "--top", 3) == plots.hardest(two, 3).to_dict()
    after = wk.Position.start(MASTERMIND).after("1122", ["0,1"])
    wanted = plots.parts(MASTERMIND, "3344", after, 4).to_dict()
    assert plot("parts", "3344", "--after", "1122=0,1", "-g", "mastermind", "--top", 4) == wanted
    assert plot("openers", "-g", "mastermind", "--top", 3)["title"] == "First guesses of mastermind by entropy"
    lines = tmp_path / "trace.jsonl"
    lines.write_text("".join(json.dumps({"opener": "trace", **row}) + "\n" for row in PROGRESS))
    assert plot("convergence", lines, "--below", 5) == plots.convergence({"trace": PROGRESS}, 5).to_dict()


@pytest.fixture
def played(tmp_path, write):
    """Return a store of four tournaments of a game of nine words, and the file of the game."""
    path = write("tiny.toml", 'name = "tiny"\nalphabet = "abc"\nlength = 2\nanswers = "all"\n')
    store, game = tmp_path / "results.sqlite", wk.load_game(path)
    for each, puzzles in ((game, None), (game.replace(hard_mode=True), None), (game, 3)):
        wk.tournament(each, ["minimax", "first-consistent"], puzzles, workers=1, store=store)
    wk.tournament("mastermind", ["minimax", "first-consistent"], 2, workers=1, store=store)
    return store, path


def test_a_plot_shows_the_runs_that_a_report_shows(run, played, tmp_path):
    store, game = played
    path = tmp_path / "plot.json"
    for choice, shown in (
        ([], "mastermind, 2 of 1,296 answers, drawn with seed 0, 2 strategies"),
        (["-g", "tiny"], "tiny, 3 of 9 answers, drawn with seed 0, 2 strategies"),
        (["-g", game, "--puzzles", "all"], "tiny, hard mode, all 9 answers, 2 strategies"),
        (["-g", game, "--puzzles", "all", "--no-hard"], "tiny, all 9 answers, 2 strategies"),
        (["-g", "tiny", "--hard", "-s", "minimax"], "tiny, hard mode, all 9 answers, 1 strategy"),
        (["-g", game, "--puzzles", "3", "--seed", "0"], "tiny, 3 of 9 answers, drawn with seed 0, 2 strategies"),
    ):
        ran = run("plot", "distribution", "-o", path, "--store", store, *choice)
        assert (ran.code, ran.err) == (0, f"wordle-kit: wrote {path}: {shown}\n")
        page = run("report", "-o", tmp_path / "page.html", "--store", store, *choice).err.splitlines()[-1]
        assert page.startswith(f"wordle-kit: wrote {tmp_path / 'page.html'}: {shown}, ")


def test_from_python_a_leaderboard_is_chosen_in_the_same_way(played):
    store, game = played

    def chosen(*arguments, **settings):
        facts = wk.read_leaderboard(store, *arguments, **settings).facts[0]
        return facts.game, facts.n_puzzles, facts.hard_mode

    assert chosen() == ("mastermind", 2, False)
    assert chosen("tiny") == ("tiny", 3, False)
    assert chosen(game, "all") == ("tiny", 9, True)
    assert chosen(wk.load_game(game), "all", hard_mode=False) == ("tiny", 9, False)
    assert chosen(game, 3, seed=0) == ("tiny", 3, False)
    with pytest.raises(wk.StoreError, match="has no such tournament; its games are: mastermind, tiny"):
        wk.read_leaderboard(store, game, 3, seed=1)
    with pytest.raises(wk.WordleKitError, match="puzzles need the game; name it too"):
        wk.read_leaderboard(store, puzzles="all")


def test_a_sweep_is_chosen_and_drawn_by_its_spec(plot, tmp_path):
    store = tmp_path / "results.sqlite"
    wk.tournament("glyphs", ["entropy(endgame=0..2)", "minimax"], 50, workers=1, store=store)
    board = wk.read_leaderboard(store, strategies="entropy(endgame=0..2)")
    assert sorted(facts.parameters["endgame"] for facts in board.facts) == [0, 1, 2]
    drawn = plot("sweep", "endgame", "-s", "entropy(endgame=0..2)", "--store", store, "--confidence", "0.99")
    assert (
        drawn
        == plots.sweep(
            wk.read_leaderboard(store, strategies="entropy(endgame=0..2)", confidence=0.99), "endgame"
        ).to_dict()
    )
    assert "99% confidence" in drawn["description"]


def test_a_plot_of_guesses_names_its_game(run, tmp_path):
    path = tmp_path / "plot.json"
    said = run("plot", "openers", "--top", "2", "-o", path).err
    assert said == (
        f"wordle-kit: wrote {path}: Wordle, lists of 2021 (wordle; -g chooses another, such as wordle-nyt)\n"
    )
    assert run("plot", "parts", "1122", "-g", "mastermind", "-o", path).err.endswith(
        ": Mastermind, 4 pegs of 6 colours\n"
    )
