"""People's results: replayed by the rule and ranked beside strategies, or refused in a line that says why."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from games import bundled

import wordle_kit as wk
from wordle_kit import cli
from wordle_kit.playing.humans import read_humans
from wordle_kit.tournaments.puzzles import choose_puzzles

GAME = bundled("wordle")
WORDS = ["crane", "abbey"]


def results(game=GAME, words=WORDS, **changes):
    """Return results as the page writes them: each puzzle solved with the second guess."""
    puzzles = choose_puzzles(game, words)
    plays = [
        {"puzzle": list(puzzles.words(n)), "guesses": ["slate", *puzzles.words(n)], "gave_up": False}
        for n in range(len(puzzles))
    ]
    made = {
        "format": "wordle-kit results 1",
        "name": "Ada",
        "game": game.name,
        "fingerprint": game.fingerprint,
        "boards": game.boards,
        "max_guesses": game.max_guesses,
        "hard_mode": game.hard_mode,
        "puzzles": puzzles.fingerprint,
        "is_sample": False,
        "plays": plays,
    }
    return made | changes


def play_of(words, guesses, gave_up=False):
    """Return a play as the page writes it, given its words and guesses in one text each."""
    return {"puzzle": words.split(), "guesses": guesses.split(), "gave_up": gave_up}


def played(guesses, words="crane", game=GAME, gave_up=False):
    """Return the results of one puzzle with these guesses."""
    return results(game, [words], plays=[play_of(words, guesses, gave_up)])


def keep(store, strategy, words):
    """Store the plays of a strategy."""
    with ThreadPoolExecutor(1) as executor:
        wk.tournament(GAME, strategy, words, executor=executor, store=store)


@pytest.fixture
def read(tmp_path):
    """Write results to files and read them."""

    def read(*made):
        for number, one in enumerate(made):
            text = one if isinstance(one, str) else json.dumps(one)
            (tmp_path / f"{number}.json").write_text(text, encoding="utf-8")
        files = [tmp_path / f"{number}.json" for number in range(len(made))]
        return read_humans(files, lambda facts: wk.load_game(facts.game), lambda game: None)

    return read


def test_guesses_are_replayed_by_the_rule(read):
    humans = read(played("slate caner crane"))
    (play,) = humans.runs[0].plays
    assert play.feedback == (("00202",), ("21111",), ("22222",))
    assert (play.outcome, play.turns) == (wk.Outcome.SOLVED, 3)
    assert (humans.runs[0].facts.strategy, humans.runs[0].facts.plugin) == ("Ada (human)", "human")


def test_several_boards_are_replayed_until_each_is_solved(read):
    game = wk.load_game("wordle-2022").replace(boards=2)
    (wanted,) = wk.play("first-consistent", game, ["crane abbey"])
    made = played(" ".join(wanted.guesses), "crane abbey", game)
    assert read(made).runs[0].plays == (wanted,)


def test_giving_up_and_late_solutions_have_failed(read):
    late, given_up = play_of("crane", "slate " * 6 + "crane"), play_of("abbey", "", gave_up=True)
    plays = read(results(plays=[late, given_up])).runs[0].plays
    assert [play.outcome for play in plays] == [wk.Outcome.OUT_OF_GUESSES] * 2
    assert [play.turns for play in plays] == [7, None]


WRONG = {
    "not JSON": ("{", "0.json"),
    "a count of its own": (results(turns=1), "turns"),
    "another game": (results(fingerprint="0" * 16), "wordle"),
    "not a guess": (played("zzzzz crane"), "'zzzzz'"),
    "a guess too many": (played("crane slate"), "guess 2"),
}


@pytest.mark.parametrize(("made", "message"), WRONG.values(), ids=WRONG)
def test_impossible_results_are_refused(read, made, message):
    with pytest.raises(wk.WordleKitError, match=message):
        read(made)


@pytest.fixture
def ranked(own_store, tmp_path, capfd):
    """Rank two people beside a strategy by the command line, and return what it prints."""
    keep(own_store, "first-consistent", WORDS)
    folder = tmp_path / "class"
    folder.mkdir()
    for number, name in enumerate(["Ada", "<b>\u202e|Bob"]):
        (folder / f"{number}.json").write_text(json.dumps(results(name=name)))

    def ranked(*arguments):
        assert cli.run(["leaderboard", "--humans", str(folder), *arguments]) == 0
        return capfd.readouterr().out

    return ranked


def test_the_command_ranks_people_beside_strategies_and_marks_them(ranked):
    (board,) = json.loads(ranked("--format", "json"))
    rows = [(row["strategy"], row["plugin"], row["total_guesses"]) for row in board["rows"]]
    taken = sum(play.turns for play in wk.play("first-consistent", GAME, WORDS))
    people = [("<b>\\u202e|Bob (human)", "human", 4), ("Ada (human)", "human", 4)]
    assert rows == [*people, ("first-consistent", "baselines", taken)]


def test_the_page_of_a_class_has_people_beside_strategies_with_their_replays(ranked, twin, tmp_path):
    path = tmp_path / "class.html"
    assert "Ada (human)" in ranked("--report", str(path))
    page = path.read_text()
    header, columns = twin["payload"](page)
    known = [(one["name"], one["human"]) for one in header["strategies"]]
    assert known == [("<b>\\u202e|Bob (human)", True), ("Ada (human)", True), ("first-consistent", False)]
    assert header["left"]
    assert header["kept"] is None
    assert all(columns[3 + 8 * number] for number in range(3))
