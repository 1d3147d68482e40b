"""Published figures: the bundled ones are complete and can be played."""

import pytest
from wordle_kit_data import FOLDER
from wordle_kit_plugins.papers.published import PublishedGame, read_papers, read_perfect_play

import wordle_kit as wk

PUBLISHED = FOLDER / "published"
PAPERS = {paper.paper: paper for paper in read_papers(PUBLISHED)}


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a file and returns its path."""

    def write(text, name="one.toml"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


# The shipped papers


def test_the_five_papers_and_the_textbook_heuristics_are_there():
    assert PAPERS.keys() == {"fetterman", "liu", "sengupta", "shkodi", "tyl", "standard"}


def test_all_seventeen_strategies_of_liu_have_a_row():
    assert {"hard-mode", *(f"{family}{n}" for family in "ip" for n in range(1, 9))} <= {
        row.id for row in PAPERS["liu"].rows
    }


# Perfect play


def test_perfect_play_is_a_total_for_each_guess_in_the_games_order(write):
    path = write("# What this is.\n# 9 9 9\n3 5\n4\n", "perfect.txt")
    game = wk.load_game({"name": "abc", "alphabet": "abc", "length": 1, "answers": ["a", "b"], "guesses": ["c"]})
    assert read_perfect_play(path, game).tolist() == [1.5, 2.5, 2.0]


@pytest.mark.parametrize(("text", "problem"), [("3 5\n", "2"), ("3 5 4 4\n", "4")])
def test_a_file_of_perfect_play_that_is_not_of_the_game_is_refused(write, text, problem):
    game = wk.load_game({"name": "abc", "alphabet": "abc", "length": 1, "answers": ["a", "b"], "guesses": ["c"]})
    with pytest.raises(wk.WordleKitError, match=rf"perfect\.txt.*{problem}"):
        read_perfect_play(write(text, "perfect.txt"), game)


def test_the_shipped_perfect_play_is_that_of_all_14855_guesses_with_the_known_best():
    (path,) = PUBLISHED.glob("*.txt")
    lines = path.read_text(encoding="utf-8").splitlines()
    totals = [int(total) for line in lines if not line.startswith("#") for total in line.split()]
    assert (len(totals), min(totals), max(totals)) == (14855, 11219, 13365)


# Games


def test_a_game_joins_its_word_files(write):
    write("cab\nabc\n", "answers.txt")
    folder = write("bca\n", "more.txt").parent
    write("acb\nbac\n", "others.txt")
    played = PublishedGame(answers=["answers.txt", "more.txt"], guesses=["others.txt"], order="as-listed")
    assert played.files == {"answers.txt", "more.txt", "others.txt"}
    game = played.load("joined", dict.fromkeys(played.files, folder), None)
    assert game.answers == ("cab", "abc", "bca")
    assert game.guesses == ("cab", "abc", "bca", "acb", "bac")


@pytest.mark.parametrize(
    ("paper", "game", "answers", "guesses", "rule"),
    [
        ("fetterman", "one-board", 2309, 12947, "wordle-left-to-right"),
        ("liu", "answers-only", 2315, 2315, "wordle"),
        ("sengupta", "others-first", 2315, 12972, "wordle"),
        ("shkodi", "uncounted-all", 12972, 12972, "wordle-uncounted"),
        ("shkodi", "uncounted-answers", 2315, 12972, "wordle-uncounted"),
        ("standard", "wordle", 2315, 12972, "wordle"),
    ],
)
def test_a_papers_game_has_as_many_words_as_the_paper_says(paper, game, answers, guesses, rule):
    played = PAPERS[paper].games[game]
    loaded = played.load(game, dict.fromkeys(played.files, FOLDER / "words"), None)
    assert (len(loaded.answers), len(loaded.guesses), loaded.rule.name) == (answers, guesses, rule)
