"""`wordle-kit tournament`: the puzzles it plays, the files it writes and the results it keeps."""

import csv
import re

import platformdirs
import pytest

BASELINES = {"first-consistent", "random-consistent"}
TEXTBOOK = {"entropy", "expected-size", "minimax", "most-parts"}
FORMATS = ("table", "json", "csv", "github", "latex", "html")
BY_CLOCK = "ms_per_decision"


@pytest.fixture
def play(run, tiny):
    """Run a tournament of the tiny game in one worker."""

    def play(*arguments):
        return run("tournament", "--game", tiny, "--workers", "1", *arguments)

    return play


def without_clock(rows):
    return {name: {key: value for key, value in row.items() if key != BY_CLOCK} for name, row in rows.items()}


# Who plays what


def test_every_strategy_plays_all_puzzles_unless_told_otherwise(play, strategy):
    rows = play("-p", strategy("Mine"), "--format", "json").rows
    assert rows.keys() >= BASELINES | TEXTBOOK | {"mine"}
    assert {row["games"] for row in rows.values()} == {9}


def test_the_leaderboard_comes_first_and_the_number_of_strategies_last(play):
    ran = play()
    assert ran.out.startswith("strategy ")
    assert "secret" not in ran.out
    assert ran.err.count("\n") == 1
    numbers = [int(number) for number in re.findall(r"\d+", ran.err)]
    assert ran.out.partition("\n\n")[0].count("\n") - 1 == numbers[0] < numbers[1]
    assert "strategies" not in play("-s", "minimax").err


def test_the_game_is_wordle_unless_told_otherwise(run):
    ran = run("tournament", "-s", "first-consistent", "--puzzles", "2", "--workers", "1", "--format", "json")
    assert (ran.json["game"], ran.json["max_guesses"]) == ("wordle", 6)


def test_the_strategies_that_are_named_play_once_and_the_best_mean_stands_first(play):
    specs = ["first-consistent", "minimax", "minimax", "entropy(opener=aa)"]
    rows = play(*(word for spec in specs for word in ("-s", spec)), "--format", "json").json["rows"]
    assert {row["strategy"] for row in rows} == {*specs}
    means = [row["mean"] for row in rows]
    assert means == sorted(means)
    assert len(means) == 3


def test_hard_mode_forbids_guesses_that_ignore_the_feedback(play, strategy, tmp_path):
    stubborn = strategy("Stubborn", "return position.game.guesses[position.turn - 1]")
    arguments = ("-p", stubborn, "-s", "stubborn", "--format", "json")
    easy, hard = play(*arguments), play(*arguments, "--hard", "-o", tmp_path / "board.json")
    assert (easy.json["hard_mode"], easy.rows["stubborn"]["distribution"].get("unsolved")) == (False, None)
    assert hard.json["hard_mode"] is True
    assert hard.rows["stubborn"]["outcomes"]["illegal guess"] > 0
    assert (tmp_path / "board.json").read_text(encoding="utf-8") == hard.out


# Which puzzles


@pytest.mark.parametrize(("given", "games"), [("all", 9), ("4", 4)])
def test_puzzles_are_all_answers_or_a_number_of_them(play, given, games):
    assert play("-s", "minimax", "--puzzles", given, "--format", "json").rows["minimax"]["games"] == games


def test_the_seed_which_is_0_at_first_draws_the_puzzles_and_throws_the_dice(play):
    def drawn(*source):
        board = play("-s", "random-consistent", "--puzzles", "8", *source, "--fresh", "--format", "json")
        return board.json["puzzles_fingerprint"], str(board.rows["random-consistent"]["distribution"])

    puzzles, turns = drawn()
    assert (puzzles, turns) == drawn("--seed", 0)
    seeded = [drawn("--seed", seed) for seed in range(5)]
    assert [len({*each}) > 1 for each in zip(*seeded, strict=True)] == [True, True]
    secret = [drawn("--secret", digit * 32) for digit in "abc"]
    assert {each for each, _ in secret} == {puzzles}
    assert {each for _, each in secret} != {turns}


# Several boards


@pytest.fixture
def lines(tmp_path, run):
    """Run a tournament, and return the lines of its transcripts."""

    def lines(*arguments):
        path = tmp_path / "plays.tsv"
        assert run("tournament", *arguments, "--workers", "1", "--transcripts", path).code == 0
        with path.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file, delimiter="\t"))

    return lines


def test_any_game_can_be_played_on_several_boards(play):
    strategies = ("-s", "minimax", "-s", "first-consistent")
    ran = play("--boards", "4", *strategies, "--puzzles", "5", "--format", "json")
    facts = ran.json
    assert (facts["game"], facts["boards"], facts["max_guesses"]) == ("tiny-x4", 4, 9)
    for row in ran.rows.values():
        assert list(row["boards"]) == ["1", "2", "3", "4"]
        assert list(row["boards"].values()) == sorted(row["boards"].values())
        assert row["boards"]["4"] == row["mean"]
        assert row["interval_low"] < row["mean"] < row["interval_high"]


def test_a_thousand_puzzles_of_several_boards_are_drawn_unless_told_otherwise(play):
    assert play("--boards", "2", "-s", "first-consistent", "--format", "json").rows["first-consistent"]["games"] == 1000


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_has_a_leaderboard_of_several_boards(play, form):
    ran = play("--boards", "2", "--puzzles", "4", "-s", "minimax", "--format", form)
    assert (ran.code, ran.err) == (0, "")
    assert "minimax" in ran.out


def test_the_words_of_a_puzzle_differ_unless_they_may_repeat(lines, tiny):
    def different(*arguments):
        played = lines("-g", tiny, "--boards", "3", "--puzzles", "50", "-s", "first-consistent", *arguments)
        return {len(set(line["answers"].split(","))) for line in played}

    assert different() == {3}
    assert different("--repeats") == {1, 2, 3}


def test_puzzles_of_several_boards_come_from_a_file(lines, tiny, write):
    puzzles = write("puzzles.txt", "# two boards\nab,ba\ncc cc\n\nCA, ab\n")
    played = lines("-g", tiny, "--boards", "2", "--puzzles", puzzles, "-s", "first-consistent")
    assert [line["answers"] for line in played] == ["ab,ba", "cc,cc", "ca,ab"]


def test_transcripts_have_every_play_of_every_strategy(lines, tiny):
    played = lines("-g", tiny, "-s", "minimax", "-s", "first-consistent")
    assert [line["strategy"] for line in played] == ["minimax"] * 9 + ["first-consistent"] * 9
    assert [line["answers"] for line in played[:9]] == ["aa", "ab", "ac", "ba", "bb", "bc", "ca", "cb", "cc"]
    for line in played:
        guesses = line["guesses"].split(",")
        assert (guesses[-1], int(line["turns"]), line["outcome"]) == (line["answers"], len(guesses), "solved")


# How it is played


def test_the_number_of_workers_does_not_change_results(run, tiny, tmp_path):
    def rows(workers):
        store = tmp_path / f"{workers}.sqlite"
        arguments = ("--boards", "4", "--puzzles", "600", "--seed", "5", "-s", "random-consistent", "-s", "minimax")
        options = ("--format", "json", "--workers", workers, "--store", store)
        return without_clock(run("tournament", "-g", tiny, *arguments, *options).rows)

    assert rows(1) == rows(2)


@pytest.mark.slow
def test_a_table_in_parts_changes_no_result(run, tmp_path):
    def rows(*memory):
        arguments = ("-g", "mastermind", "-s", "entropy", "--puzzles", "20", "--workers", "1", "--format", "json")
        ran = run("tournament", *arguments, *memory, "--store", tmp_path / f"{len(memory)}.sqlite")
        return without_clock(ran.rows)

    assert rows("--memory", "1") == rows()


def test_a_strategy_that_passes_the_deadline_is_timed_out_and_the_others_play_on(play, strategy):
    slow = strategy("Slow", "while True: pass")
    rows = play("-p", slow, "-s", "slow", "-s", "minimax", "--deadline", "0.05", "--format", "json").rows
    assert rows["slow"]["outcomes"] == {"timed out": 9}
    assert rows["minimax"]["games"] == 9


HARMFUL = {
    "raises": "def guess(self, position): raise ValueError('no idea')",
    "exits": "def guess(self, position): raise SystemExit(3)",
    "dies": "def guess(self, position): __import__('os')._exit(3)",
    "guesses nonsense": "def guess(self, position): return 'nonsense'",
}


@pytest.mark.parametrize("body", HARMFUL.values(), ids=HARMFUL)
def test_a_harmful_strategy_does_no_harm_to_the_others(play, write, body):
    source = f"""
        import wordle_kit as wk

        class Harmful(wk.Strategy):
            {body}

        @wk.hookimpl
        def register_strategies(register):
            register(Harmful())
        """
    strategies = ("-s", "first-consistent", "-s", "harmful", "-s", "random-consistent")
    ran = play("-p", write("harmful.py", source), *strategies, "--format", "json")
    assert ran.code == 1
    assert [ran.rows[name]["solved"] for name in BASELINES] == [9, 9]


# What is written where


def test_json_is_one_object_with_every_figure(play):
    board = play("-s", "first-consistent", "--format", "json").json
    assert (board["game"], board["boards"], board["seed"]) == ("tiny", 1, 0)
    (row,) = board["rows"]
    assert (row["mean"], row["distribution"], row["opener"]) == (22 / 9, {"1": 1, "2": 3, "3": 5}, "aa")


@pytest.mark.parametrize("place", ["module", "hook", "guess", "guess, past Python"])
def test_output_of_a_plugin_is_not_among_the_results(play, write, place):
    def here(other, line="print('hello')"):
        return line if place == other else "pass"

    noisy = f"""
        import os
        import wordle_kit as wk
        {here("module")}

        class Noisy(wk.Strategy):
            def guess(self, position):
                {here("guess")}
                {here("guess, past Python", "os.write(1, b'hello')")}
                return position.board.words[0]

        @wk.hookimpl
        def register_strategies(register):
            {here("hook")}
            register(Noisy())
        """
    ran = play("-p", write("noisy.py", noisy), "-s", "noisy", "--format", "json")
    assert ran.code == 0
    assert ran.rows.keys() == {"noisy"}


def test_it_is_also_written_to_files_whose_suffix_says_the_format(play, tmp_path):
    files = [tmp_path / f"tiny.{suffix}" for suffix in ("md", "json", "csv")]
    ran = play(
        "-s", "minimax", *(word for file in files for word in ("-o", file)), "--columns", "max", "--format", "json"
    )
    page, json, csv = (file.read_text(encoding="utf-8") for file in files)
    assert json == ran.out
    assert page.startswith("| strategy   |   max |\n")
    assert csv.startswith("game,hard_mode,puzzles,strategy,")


def test_if_every_play_of_a_strategy_fails_the_exit_code_is_1(run, tiny, strategy):
    clumsy = strategy("Clumsy", "raise ValueError('no idea')")
    for command in (["tournament", "-s", "clumsy", "-s", "minimax"], ["compare", "clumsy", "minimax"]):
        ran = run(*command, "-p", clumsy, "-g", tiny, "--workers", "1")
        assert ran.code == 1
        assert "minimax" in ran.out


# What is kept


def test_results_are_kept_in_the_store_that_is_given(play, own_store, tmp_path):
    given = tmp_path / "deep" / "down.sqlite"
    play("-s", "minimax", "--store", given)
    assert given.is_file()
    assert not own_store.exists()
    play("-s", "minimax")
    assert own_store.is_file()


def test_results_are_kept_in_the_users_data_folder_unless_told_otherwise(play, monkeypatch, tmp_path):
    for name in ("HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.delenv("WORDLE_KIT_STORE")
    play("-s", "minimax")
    assert (platformdirs.user_data_path("wordle-kit", appauthor=False) / "results.sqlite").is_file()


def test_stored_runs_are_not_played_again_unless_told_so(play, counted):
    arguments = ("-p", counted.plugin, "-s", "counted", "--format", "json")
    first = play(*arguments)
    asked = counted.asked
    assert asked > 0
    again = play(*arguments)
    assert (again.code, again.out) == (first.code, first.out)
    assert "9 of 9 plays" in again.err
    assert play(*arguments, "-s", "minimax").rows.keys() == {"counted", "minimax"}
    assert counted.asked == asked
    fresh = play(*arguments, "--fresh")
    assert counted.asked == 2 * asked
    assert (without_clock(fresh.rows), fresh.err) == (without_clock(first.rows), "")


def test_plays_that_timed_out_are_played_again(play, strategy, tmp_path):
    notes = tmp_path / "asked"
    slow = strategy("Slow", f"with open({str(notes)!r}, 'a') as notes: notes.write('.')\nwhile True: pass")
    arguments = ("-p", slow, "-s", "slow", "--puzzles", "1", "--deadline", "0.05")
    play(*arguments)
    asked = len(notes.read_text())
    play(*arguments)
    assert len(notes.read_text()) == 2 * asked > 0


# Plugins that fail


def test_a_plugin_that_was_named_plays_instead_of_an_installed_one(play, strategy, write, monkeypatch):
    installed = strategy("Power", file="site/installed_power.py")
    write("site/power_kit-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: power-kit\nVersion: 1.0\n")
    write("site/power_kit-1.0.dist-info/entry_points.txt", "[wordle_kit]\npower = installed_power\n")
    monkeypatch.syspath_prepend(installed.parent)
    assert play("-s", "power", "--format", "json").rows["power"]["opener"] == "aa"
    better = strategy("Power", "if position.turn == 1: return 'bc'")
    ran = play("-p", better, "-s", "power", "--format", "json")
    assert ran.rows["power"]["opener"] == "bc"
    assert str(better) in ran.err


# The adversary


def test_strategies_are_ranked_by_the_guesses_that_they_need_against_the_adversary(run, tiny, lines, write):
    first = write("first.txt", "ab\nbb\n")
    arguments = ("-g", tiny, "--host", "adversary", "-s", "first-consistent", "-s", "minimax")
    played = lines(*arguments, "--puzzles", first)
    assert [line["guesses"].split(",")[0] for line in played] == ["ab", "bb"] * 2
    ran = run("tournament", *arguments, "--first", "ab", "--first", "bb", "--workers", "1", "--format", "json")
    assert (ran.json["host"], ran.rows["minimax"]["games"]) == ("adversary", 2)
    assert ran.rows["minimax"]["mean"] <= ran.rows["first-consistent"]["mean"]
    (stored,) = run("leaderboard", "--format", "json").json
    assert stored["rows"] == ran.json["rows"]


@pytest.mark.slow
def test_strategies_need_as_many_guesses_of_wordle_against_the_adversary_as_ever(run):
    arguments = ("-s", "entropy", "-s", "minimax", "--first", "aiery", "--first", "salet")
    rows = run("tournament", "--host", "adversary", *arguments, "--format", "json").rows
    assert {name: row["mean"] for name, row in rows.items()} == {"minimax": 4.0, "entropy": 5.0}
