"""People's results: replayed by the rule and ranked beside strategies, or refused in a line that says why."""

import base64
import json
import re
import zlib
from concurrent.futures import ThreadPoolExecutor

import pytest
from games import bundled

import wordle_kit as wk
from wordle_kit import cli
from wordle_kit.playing.humans import read_humans, strategies_beside
from wordle_kit.playing.puzzle_page import draw_series
from wordle_kit.tournaments.puzzles import choose_puzzles
from wordle_kit.tournaments.store import Store

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

    def read(*made, wanted=lambda game: None):
        for number, one in enumerate(made):
            text = one if isinstance(one, str) else json.dumps(one)
            (tmp_path / f"{number}.json").write_text(text, encoding="utf-8")
        files = [tmp_path / f"{number}.json" for number in range(len(made))]
        return read_humans(files, lambda facts: wk.load_game(facts.game), wanted)

    return read


def test_guesses_are_replayed_by_the_rule(read):
    humans = read(played("slate caner crane"))
    (play,) = humans.runs[0].plays
    assert play.feedback == (("00202",), ("21111",), ("22222",))
    assert (play.outcome, play.turns) == (wk.Outcome.SOLVED, 3)
    assert (humans.runs[0].facts.strategy, humans.runs[0].facts.plugin) == ("Ada (human)", "human")


def test_the_plays_are_those_of_a_strategy_with_the_same_guesses(read):
    (wanted,) = wk.play("first-consistent", GAME, ["crane"])
    assert read(played(" ".join(wanted.guesses))).runs[0].plays == (wanted,)


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
    "not JSON": ("{", "is not a file of results"),
    "a list": ([], "is not a file of results"),
    "nothing": ("null", "is not a file of results"),
    "another file": ({"name": "Ada"}, "format: is missing"),
    "a count of its own": (results(turns=1), "turns"),
    "a number for a name": (results(name=3), "name: is 3; give a text"),
    "a blank name": (results(name=" "), "name: is ' '; give a text of 1 or more characters"),
    "another fingerprint": (
        results(fingerprint="0" * 16),
        "was not played in wordle, or its words",
    ),
    "another mode": (results(hard_mode=True), "was not played in wordle"),
    "an unknown word": (results(plays=[play_of("zzzzz", "", True)]), "puzzle 1: 'zzzzz' is not among the answers"),
    "other words": (results(puzzles="0" * 16), "its hidden words are not those of the page"),
    "not a guess": (played("zzzzz crane"), "puzzle 1: guess 1: 'zzzzz' is not among the guesses of wordle"),
    "not finished": (played("slate"), "puzzle 1: is not finished"),
    "given up and solved": (played("crane", gave_up=True), "puzzle 1: is marked as given up although it was solved"),
    "a guess too many": (played("crane slate"), "puzzle 1: guess 2 follows the guess that solved the puzzle"),
    "too many guesses": (played("slate " * 31), "puzzle 1: has 31 guesses; a play ends after 30"),
}


@pytest.mark.parametrize(("made", "message"), WRONG.values(), ids=WRONG)
def test_impossible_results_are_refused_in_one_line(read, made, message):
    with pytest.raises(wk.WordleKitError) as caught:
        read(made)
    assert message in str(caught.value)
    assert "0.json: " in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_a_folder_without_results_is_named(tmp_path):
    with pytest.raises(wk.WordleKitError, match=f"{tmp_path}"):
        read_humans([tmp_path], lambda facts: None, lambda game: None)


def test_hard_mode_is_checked(read):
    game = GAME.replace(hard_mode=True)
    made = played("slate abbey crane", game=game)
    with pytest.raises(wk.WordleKitError, match=r"2.*abbey.*3.*a"):
        read(made)


def test_files_of_other_puzzles_or_the_same_name_are_refused(read):
    with pytest.raises(wk.WordleKitError, match=r"1\.json.*0\.json"):
        read(results(), results(words=["crane"], name="Bob"))
    with pytest.raises(wk.WordleKitError, match=r"1\.json.*Ada.*0\.json"):
        read(results(), results())
    with pytest.raises(wk.WordleKitError, match=r"0\.json"):
        read(results(), wanted=lambda game: choose_puzzles(game, ["crane", "slate"]))


def test_strategies_beside_people_have_played_all_their_puzzles(read, own_store):
    humans = read(results())
    keep(own_store, "first-consistent", ["slate", "abbey", "crane"])
    keep(own_store, "random-consistent", ["crane"])
    with Store(own_store) as store:
        (run,) = strategies_beside(humans, store)
    assert run.plays == tuple(wk.play("first-consistent", GAME, WORDS))
    assert (run.facts.strategy, run.facts.n_puzzles, run.facts.puzzles_fingerprint) == (
        "first-consistent",
        2,
        humans.puzzles.fingerprint,
    )


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


def test_the_puzzles_of_a_series_are_found_by_its_seed_also_with_weights(own_store, tmp_path, capfd):
    text = 'name = "likely"\nalphabet = "ab"\nlength = 2\nanswers = "all"\nweights = { aa = 97 }\n'
    path, file = tmp_path / "likely.toml", tmp_path / "ada.json"
    path.write_text(text)
    game = wk.load_game(path)
    words = [game.answers[answer] for (answer,) in draw_series(game, 4, 1).ids]
    made = results(game, words, plays=[play_of(word, word) for word in words])
    file.write_text(json.dumps(made))
    arguments = ("leaderboard", "-g", str(path), "--humans", str(file), "--json")
    assert cli.run([*arguments, "--puzzles", "4", "--seed", "1"]) == 0
    ((row,),) = [board["rows"] for board in json.loads(capfd.readouterr().out)]
    assert (row["mean"], row["interval"]) == (1.0, None)
    assert cli.run([*arguments, "--puzzles", "3", "--seed", "1"]) == 2
    assert "has other puzzles than the given puzzles" in capfd.readouterr().err


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
    assert "2 people and 1 strategy on" in page


def test_with_pseudonyms_nothing_has_the_name_of_a_person(ranked, tmp_path):
    path = tmp_path / "class.html"
    shown = ranked("--pseudonyms", "--report", str(path), "--json")
    (board,) = json.loads(shown)
    assert [row["strategy"] for row in board["rows"]] == ["Player 1 (human)", "Player 2 (human)", "first-consistent"]
    for text in (shown, path.read_text(), unpacked_text(path)):
        assert not [name for name in ("Ada", "Bob") if name in text]


def unpacked_text(path):
    """Return what a page has packed, as text."""
    (payload,) = re.findall(r'id="payload">([^<]+)<', path.read_text())
    return zlib.decompress(base64.b64decode(payload)).decode("latin-1")
