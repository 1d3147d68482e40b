"""Reproduction: every published figure comes out as its file says, and a difference is noticed."""

import math
from pathlib import Path

import pytest
from wordle_kit_data import FOLDER
from wordle_kit_plugins.papers.published import Paper, read_papers, read_perfect_play
from wordle_kit_plugins.papers.reproduce import Figure, Reproduction, reproduce

import wordle_kit as wk
from wordle_kit.explain import first_scores

WORDS = Path(__file__).parents[2].parent / "shared" / "words"
"""Where word lists that are not shipped may lie, beside the checkout."""

FOLDERS = [FOLDER / "words", WORDS]

PAPERS = {paper.paper: paper for paper in read_papers(FOLDER / "published")}


GAMES = [(name, game) for name, paper in PAPERS.items() for game in paper.games]


def is_shipped(name, game):
    return all((FOLDER / "words" / file).is_file() for file in PAPERS[name].games[game].files)


def unexpected(result):
    """Return the figures that are neither exact nor, where the paper's file gives a range, within it."""
    if result.row.expect != "exact":
        return [] if result.status in ("exact", "close") else [result.skipped, *result.figures]
    return [figure for figure in result.figures if figure.status != "exact"]


SAMPLE = 1_000
"""Puzzles of a game of which the paper has a larger sample. `wordle-kit reproduce` plays as many as the paper."""


def with_our_sample(paper, game):
    """Return a paper with fewer puzzles in one of its games, and with ranges that are wider to match.

    The ranges in its file are for two samples of the same size n. If ours has m puzzles, the standard error of the
    difference grows by sqrt((1/n + 1/m) / (2/n)). A smaller sample may lack the hardest puzzles of the larger one.
    """
    n = paper.games[game].sample
    share, wider = SAMPLE / n, math.sqrt((1 + n / SAMPLE) / 2)

    def range_of(name, value, most):
        if name == "max":
            return 1, most
        scale = share if name.startswith(("took ", "began ")) else 1
        middle, half = float(value.rstrip("%")) * scale, (most - float(value.rstrip("%"))) * scale * wider
        return middle - half, middle + half

    def with_wider_ranges(row):
        values = {f"took {turns}": str(count) for turns, count in row.printed.get("distribution", {}).items()}
        values |= {f"began {pair}": str(count) for pair, count in row.printed.get("openers", {}).items()}
        values |= {name: value for name, value in row.printed.items() if isinstance(value, str)}
        ranges = {name: range_of(name, values[name], most) for name, (_, most) in row.range.items()}
        return row.model_copy(update={"range": ranges})

    fewer = paper.games[game].model_copy(update={"sample": SAMPLE})
    rows = [with_wider_ranges(row) if row.game == game else row for row in paper.rows]
    return paper.model_copy(update={"games": paper.games | {game: fewer}, "rows": rows})


def reproduced(name, game, folders):
    """Return the reproduction of all rows of a paper on one of its games."""
    rows = [row.id for row in PAPERS[name].rows if row.game == game]
    paper = with_our_sample(PAPERS[name], game) if PAPERS[name].games[game].sample else PAPERS[name]
    results = reproduce([paper], folders, rows, workers=1)
    assert [result.row.id for result in results] == rows
    return results


# The papers

QUICK = {
    ("fetterman", "one-board"),
    ("fetterman", "one-board-standard"),
    ("sengupta", "others-first"),
    ("shkodi", "uncounted-answers-first"),
}


@pytest.mark.parametrize(
    ("name", "game"),
    [
        pytest.param(*played, marks=() if played in QUICK else pytest.mark.slow)
        for played in GAMES
        if is_shipped(*played)
    ],
)
def test_every_figure_of_a_paper_is_reproduced_as_its_file_says(name, game):
    results = reproduced(name, game, [FOLDER / "words"])
    assert {result.row.id: unexpected(result) for result in results if unexpected(result)} == {}
    assert {result.status for result in results} <= {"exact", "close"}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "game"), [played for played in GAMES if not is_shipped(*played)])
def test_a_figure_that_needs_word_lists_is_reproduced_as_its_file_says(name, game):
    files = sorted(PAPERS[name].games[game].files)
    missing = [file for file in files if not any((folder / file).is_file() for folder in FOLDERS)]
    if missing:
        pytest.skip(f"{', '.join(missing)}: not shipped, and not in a folder shared/words beside the checkout")
    results = reproduced(name, game, FOLDERS)
    assert {result.row.id: unexpected(result) for result in results if unexpected(result)} == {}
    assert {result.status for result in results} <= {"exact", "close"}


def test_without_their_lists_rows_are_skipped_and_say_what_they_need():
    results = reproduce([PAPERS["tyl"]], [FOLDER / "words"], workers=1)
    assert [result.row.id for result in results] == ["statistical", "entropic", "statistical-errors", "entropic-errors"]
    for result in results:
        assert (result.status, result.figures) == ("skipped", ())
        assert "nyt-2023-answers.txt" in result.skipped


# Figures


@pytest.mark.parametrize(
    ("published", "measured", "range_", "status"),
    [
        ("3.63", "3.63", None, "exact"),
        ("3.63", "3.64", None, "differs"),
        ("3.63", "3.64", (3.6, 3.64), "close"),
        ("3.63", "3.65", (3.6, 3.64), "differs"),
        ("5.36%", "5.40%", (5.3, 5.4), "close"),
        ("soare", "roate", None, "differs"),
        ("3.6", "3.60", None, "differs"),
    ],
)
def test_a_figure_is_exact_to_the_last_printed_digit_or_close_within_its_range_or_differs(
    published, measured, range_, status
):
    assert Figure("mean", published, measured, range_).status == status


@pytest.mark.parametrize(("measured", "status"), [("11", "exact"), ("12", "close"), ("29", "differs")])
def test_a_row_is_as_good_as_its_worst_figure(measured, status):
    row = PAPERS["liu"].rows[0]
    assert Reproduction("liu", row, [Figure("mean", "1", each, (1, 2)) for each in measured]).status == status


def test_a_misprint_is_exact_if_ours_is_what_must_have_been_meant(folder):
    row = {"id": "p", "printed": {"distribution": {"1": 1, "2": 22, "3": 1}}, "corrected": {"took 2": "2"}}
    (result,) = reproduce([paper_of(row)], [folder], workers=1)
    (figure,) = [each for each in result.figures if each.name == "took 2"]
    assert (figure.published, figure.measured, figure.status) == ("22", "2", "exact")


# A small paper as an example


@pytest.fixture
def folder(tmp_path):
    """Return a folder with a list of words."""
    (tmp_path / "toys.txt").write_text("bat\ncat\nhat\nhot\n", encoding="utf-8")
    (tmp_path / "two.txt").write_text("hat\nbat\n", encoding="utf-8")
    return tmp_path


def paper_of(*rows, **games):
    return Paper.model_validate(
        {
            "paper": "small",
            "title": "Small",
            "notes": "None.",
            "games": games or {"toys": {"answers": ["toys.txt"]}},
            "rows": [{"game": "toys", "strategy": "first-consistent", "expect": "exact"} | row for row in rows],
        }
    )


def figures_of(folder, **row):
    (result,) = reproduce([paper_of({"id": "only"} | row)], [folder], workers=1)
    return {figure.name: (figure.published, figure.measured) for figure in result.figures}


def test_every_kind_of_figure_is_compared_with_ours(folder):
    """The first candidates of bat, cat, hat, hot are guessed in turn; only hot gets another answer than the rest."""
    printed = {
        "total": "9", "mean": "2.25", "std": "0.83", "min": "1", "median": "2", "max": "3", "excellent": "50%",
        "failure": "0.0%", "solved": "4", "failed": "0", "opener": "bat", "distribution": {"1": 1, "2": 2, "3": 1},
        "openers": {"bat cat": 2, "bat hot": 1}, "sequence": ["bat", "cat"], "slowest": ["hat"],
        "plays": {"hat": ["bat", "cat", "hat"], "hot": ["bat", "hot"]},
    }  # fmt: skip
    assert figures_of(folder, printed=printed) == {
        "total": ("9", "8"),
        "mean": ("2.25", "2.00"),
        "std": ("0.83", "0.71"),
        "min": ("1", "1"),
        "median": ("2", "2"),
        "max": ("3", "3"),
        "excellent": ("50%", "75%"),
        "failure": ("0.0%", "0.0%"),
        "solved": ("4", "4"),
        "failed": ("0", "0"),
        "opener": ("bat", "bat"),
        "took 1": ("1", "1"),
        "took 2": ("2", "2"),
        "took 3": ("1", "1"),
        "began bat cat": ("2", "2"),
        "began bat hot": ("1", "1"),
        "began mostly": ("bat cat", "bat cat"),
        "took most": ("hat", "hat"),
        "play of hat": ("bat cat hat", "bat cat hat"),
        "play of hot": ("bat hot", "bat hot"),
    }


def test_scores_and_bits_of_first_guesses_are_compared_with_ours(folder):
    row = {"strategy": "rounded-entropy", "printed": {"opener_bits": "0.81"}, "scores": {"hot": "1.500"}}
    found = figures_of(folder, **row)
    game = game_of(folder)
    scores = dict(zip(game.guesses, first_scores(game, wk.load_strategy("rounded-entropy")), strict=True))
    assert found["bits of the opener"] == ("0.81", f"{scores['bat']:.2f}")
    assert found["score of hot"] == ("1.500", f"{scores['hot']:.3f}")


def game_of(folder):
    played = paper_of({"id": "only", "printed": {"mean": "2"}}).games["toys"]
    return played.load("toys", {"toys.txt": folder}, None)


def test_a_row_of_scores_alone_plays_nothing(folder):
    assert figures_of(folder, strategy="entropy", scores={"hot": "1.0"}).keys() == {"score of hot"}


def test_errors_are_those_against_perfect_play_with_the_answers_counted_twice(folder):
    (folder / "others.txt").write_text("tab\n", encoding="utf-8")
    (folder / "perfect.txt").write_text("# bat cat hat hot tab\n8 8 8 9\n11\n", encoding="utf-8")
    toys = {"answers": ["toys.txt"], "guesses": ["others.txt"], "perfect_play": str(folder / "perfect.txt")}
    row = {"id": "errors", "strategy": "entropic-estimator", "errors": {"9": "0.00", "2": "0.000"}}
    (result,) = reproduce([paper_of(row, toys=toys)], [folder], workers=1)
    words = {"answers": ["bat", "cat", "hat", "hot"], "guesses": ["tab"]}
    game = wk.load_game({"name": "toys", "alphabet": "abchot", "length": 3} | words)
    scores = dict(zip(game.guesses, first_scores(game, wk.load_strategy("entropic-estimator")), strict=True))
    squares = {
        word: (scores[word] - total / 4) ** 2
        for word, total in {"bat": 8, "cat": 8, "hat": 8, "hot": 9, "tab": 11}.items()
    }
    assert game.guesses == ("bat", "cat", "hat", "hot", "tab")
    every = (2 * sum(squares.values()) - squares["tab"]) / 9
    best = (squares["bat"] + squares["cat"]) / 2
    assert [(figure.name, figure.measured) for figure in result.figures] == [
        ("squared error, 9 words", f"{every:.2f}"),
        ("squared error, 2 words", f"{best:.3f}"),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("word", ["tarse", "hider"])
def test_the_shipped_perfect_play_is_that_of_our_own_exact_search(word):
    played = PAPERS["tyl"].games["nyt-2023"]
    missing = [file for file in sorted(played.files) if not (WORDS / file).is_file()]
    if missing:
        pytest.skip(f"{', '.join(missing)}: not shipped, and not in a folder shared/words beside the checkout")
    game = played.load("nyt-2023", dict.fromkeys(played.files, WORDS), None)
    perfect = read_perfect_play(FOLDER / "published" / played.perfect_play, game)
    found = wk.optimal(game, word)
    assert found.is_proved
    assert found.mean == pytest.approx(perfect[game.guess_index[word]], abs=1e-12)


def test_printed_figures_stand_beside_those_measured_by_others(folder):
    row = {"id": "both", "printed": {"mean": "2.0"}, "independent": {"mean": "2.00", "max": "3"}}
    (result,) = reproduce([paper_of(row)], [folder], workers=1)
    assert [(figure.name, figure.published, figure.source) for figure in result.figures] == [
        ("mean", "2.0", "published"),
        ("mean", "2.00", "independent"),
        ("max", "3", "independent"),
    ]


def test_a_sample_of_several_boards_is_played_and_compared_on_the_same_puzzles(folder):
    rows = [
        {"id": "alone", "printed": {"mean": "0", "first_solved": "0"}},
        {"id": "both", "against": "first-consistent", "printed": {"wins": "0%", "ties": "0%", "first_losses": "0.0%"}},
    ]
    paper = paper_of(*rows, toys={"answers": ["toys.txt"], "boards": 2, "sample": 50})
    alone, both = reproduce([paper], [folder], workers=1)
    mean, first = (float(figure.measured) for figure in alone.figures)
    assert first <= mean
    shares = {figure.name: figure.measured for figure in both.figures}
    assert shares.keys() == {"wins", "ties", "first_losses"}
    assert all(share.endswith("%") for share in shares.values())


def test_only_the_rows_that_are_named_are_played_and_each_game_once(folder):
    games = {"toys": {"answers": ["toys.txt"]}, "two": {"answers": ["two.txt"]}, "lost": {"answers": ["lost.txt"]}}
    rows = [
        {"id": name, "game": game, "printed": {"min": "1"}}
        for name, game in (("a", "toys"), ("b", "two"), ("c", "toys"), ("d", "lost"))
    ]
    paper = paper_of(*rows, **games)
    results = reproduce([paper], [folder], workers=1)
    assert [(result.row.id, result.status) for result in results] == [
        ("a", "exact"),
        ("c", "exact"),
        ("b", "exact"),
        ("d", "skipped"),
    ]
    assert [result.row.id for result in reproduce([paper], [folder], ["c", "d"], workers=1)] == ["c", "d"]


def test_puzzles_of_a_file_are_played_and_no_others(folder):
    games = {"toys": {"answers": ["toys.txt"], "puzzles": "two.txt"}}
    row = {"id": "two", "printed": {"solved": "2", "mean": "2.0"}}
    (result,) = reproduce([paper_of(row, **games)], [folder], workers=1)
    assert result.status == "exact"


def test_of_two_folders_with_a_file_the_first_counts(folder, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "toys.txt").write_text("bat\n", encoding="utf-8")
    paper = paper_of({"id": "only", "printed": {"solved": "1"}})
    by_order = [reproduce([paper], folders, workers=1)[0].status for folders in ([other, folder], [folder, other])]
    assert by_order == ["exact", "differs"]


def test_a_random_row_is_played_with_as_many_seeds_as_it_wants_and_counted_together(folder):
    row = {"id": "dice", "strategy": "random-consistent", "seeds": 5, "printed": {"solved": "20", "min": "1"}}
    (result,) = reproduce([paper_of(row | {"expect": "stochastic"})], [folder], workers=1)
    assert result.status == "exact"


def test_workers_change_nothing(folder):
    games = {"toys": {"answers": ["toys.txt"]}, "two": {"answers": ["two.txt"]}}
    paper = paper_of(*({"id": name, "game": name, "printed": {"mean": "2.00"}} for name in ("two", "toys")), **games)
    assert reproduce([paper], [folder], workers=2) == reproduce([paper], [folder], workers=1)
