"""`wordle-kit tournament`: the puzzles it plays, the files it writes and the results it keeps."""

import csv
import io
import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

LIES_ONCE = str(Path(__file__).parents[2] / "examples" / "lies_once.py")

BASELINES = {"first-consistent", "random-consistent"}
TEXTBOOK = {"entropy", "expected-size", "minimax", "most-parts"}
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


def test_every_strategy_plays_all_puzzles_unless_told_otherwise(play):
    rows = play("--format", "json").rows
    assert rows.keys() >= BASELINES | TEXTBOOK
    assert {row["games"] for row in rows.values()} == {9}


def test_the_game_is_wordle_unless_told_otherwise(run):
    ran = run("tournament", "-s", "first-consistent", "--puzzles", "2", "--workers", "1", "--format", "json")
    assert (ran.json["game"], ran.json["max_guesses"]) == ("wordle", 6)


def test_strategies_that_are_left_out_are_named_in_one_line_with_the_reason_and_how_to_include_them(play):
    line = (
        "wordle-kit: left out: collocation-as-printed, command, entropy-as-printed, lifted, tree (played only if "
        "named: -s NAME)"
    )
    assert play("--format", "json").err == f"{line}\n"
    found = play("--boards", "2", "--puzzles", "2", "--format", "csv").err
    assert found == f"{line}; optimal does not play tiny-x2: no proved tree of tiny-x2 is known\n"
    assert play("-s", "minimax").err.count("left out") == 0


def test_a_line_says_how_many_plays_come_from_the_store_and_how_to_play_them_again(play, own_store):
    def said(*arguments):
        return play("-s", "minimax", *arguments).err

    assert said() == ""
    note = "wordle-kit: {} from the store " + f"{own_store}; --fresh plays them again\n"
    assert said() == note.format("9 of 9 plays")
    assert said("-s", "first-consistent") == note.format("9 of 18 plays")
    assert said("--fresh") == ""
    assert play("-s", "minimax", "--puzzles", "1").err == ""
    assert said("--puzzles", "1", "--format", "json") == note.format("1 of 1 play")


def test_the_best_mean_stands_first(play):
    named = ("-s", "first-consistent", "-s", "minimax", "-s", "entropy(opener=aa)")
    means = [row["mean"] for row in play(*named, "--format", "json").json["rows"]]
    assert means == sorted(means)
    assert means[0] < means[-1]


def test_only_the_strategies_that_are_named_play(play):
    rows = play("-s", "minimax", "-s", "entropy(pool=candidates)", "--format", "json").rows
    assert rows.keys() == {"minimax", "entropy(pool=candidates)"}


def test_a_strategy_named_twice_plays_once(play):
    assert len(play("-s", "minimax", "-s", "minimax", "--format", "json").json["rows"]) == 1


def test_p_enters_the_strategies_of_a_file(play, strategy):
    usual = play("--format", "json").rows.keys()
    assert play("-p", strategy("Mine"), "--format", "json").rows.keys() == usual | {"mine"}


def test_p_enters_the_strategies_of_a_module(play, strategy, monkeypatch):
    monkeypatch.syspath_prepend(strategy("Mine", file="module_of_the_cli_tests.py").parent)
    assert "mine" in play("-p", "module_of_the_cli_tests", "-s", "mine", "--format", "json").rows


def test_p_no_switches_a_plugin_off(play):
    usual = play("--format", "json").rows.keys()
    assert play("-p", "no:baselines", "--format", "json").rows.keys() == usual - BASELINES


def test_plugins_dir_enters_every_file_but_drafts(play, strategy):
    for name, file in [("One", "class/one.py"), ("Two", "class/two.py"), ("Draft", "class/_draft.py")]:
        folder = strategy(name, file=file).parent
    usual = play("--format", "json").rows.keys()
    assert play("--plugins-dir", folder, "--format", "json").rows.keys() == usual | {"one", "two"}


def test_the_environment_enters_plugins_too(play, strategy, monkeypatch):
    usual = play("--format", "json").rows.keys()
    monkeypatch.setenv("WORDLE_KIT_PLUGINS", f"{strategy('Mine')},no:baselines")
    assert play("--format", "json").rows.keys() == usual - BASELINES | {"mine"}


def test_hard_mode_forbids_guesses_that_ignore_the_feedback(play, strategy):
    stubborn = strategy("Stubborn", "return position.game.guesses[position.turn - 1]")
    arguments = ("-p", stubborn, "-s", "stubborn", "--format", "json")
    easy, hard = play(*arguments), play(*arguments, "--hard")
    assert (easy.json["hard_mode"], easy.rows["stubborn"]["distribution"].get("unsolved")) == (False, None)
    assert hard.json["hard_mode"] is True
    assert hard.rows["stubborn"]["outcomes"]["illegal guess"] > 0


# Which puzzles


@pytest.mark.parametrize(("given", "games"), [("all", 9), ("4", 4), ("9", 9)])
def test_puzzles_are_all_answers_or_a_number_of_them(play, given, games):
    assert play("-s", "minimax", "--puzzles", given, "--format", "json").rows["minimax"]["games"] == games


def test_puzzles_come_from_a_file(play, write):
    puzzles = write("puzzles.txt", "# the hardest\nca\n\nAB\n")
    board = play("-s", "entropy(opener=ca)", "--puzzles", puzzles, "--format", "json").json
    assert board["puzzles"] == "2 puzzles of puzzles.txt"
    assert board["rows"][0]["games"] == 2
    assert board["rows"][0]["min"] == 1


def test_the_same_seed_draws_the_same_puzzles(run):
    def drawn(seed):
        arguments = ("-g", "mastermind", "-s", "random-consistent", "--puzzles", "20", "--workers", "1", "--fresh")
        board = run("tournament", *arguments, "--seed", seed, "--format", "json")
        return board.json["puzzles_fingerprint"], without_clock(board.rows)

    assert drawn(1) == drawn(1)
    assert drawn(1)[0] != drawn(2)[0]


def test_the_seed_throws_the_dice_of_a_random_strategy(play):
    def distributions(seed):
        row = play("-s", "random-consistent", "--seed", seed, "--format", "json").rows["random-consistent"]
        return json.dumps(row["distribution"])

    assert len({distributions(seed) for seed in range(5)}) > 1


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


def test_a_game_of_two_boards_is_played(run):
    arguments = ("-s", "first-consistent", "-s", "lifted(board=most)", "--puzzles", "5", "--workers", "1")
    board = run("tournament", "-g", "dordle", *arguments, "--format", "json")
    facts = board.json
    assert (facts["game"], facts["boards"], facts["max_guesses"]) == ("dordle", 2, 7)
    assert facts["puzzles"] == "5 puzzles of 2 boards, drawn with seed 0"
    assert board.rows.keys() == {"first-consistent", "lifted(board=most)"}
    for row in board.rows.values():
        first, last = row["boards"]
        assert first < last == row["mean"]
        low, high = row["interval"]
        assert low < row["mean"] < high


def test_any_game_can_be_played_on_several_boards(play):
    ran = play("--boards", "4", "-s", "minimax", "--puzzles", "3", "--format", "json")
    facts = ran.json
    assert (facts["game"], facts["boards"], facts["max_guesses"]) == ("tiny-x4", 4, 9)
    assert len(ran.rows["minimax"]["boards"]) == 4
    assert len(play("--boards", "1", "-s", "minimax", "--format", "json").rows["minimax"]["boards"]) == 1


def test_a_thousand_puzzles_of_several_boards_are_drawn_unless_told_otherwise(play):
    arguments = ("--boards", "3", "-s", "first-consistent", "--format", "json")
    assert play(*arguments).json["puzzles"] == "1,000 puzzles of 3 boards, drawn with seed 0"
    assert play(*arguments, "--seed", "4").json["puzzles"] == "1,000 puzzles of 3 boards, drawn with seed 4"


def test_a_table_of_several_boards_has_the_interval_and_may_have_every_board(play):
    out = play("--boards", "2", "--puzzles", "30", "-s", "first-consistent", "--columns", "mean,boards").out
    header, _, row, *_ = out.splitlines()
    assert re.split("  +", header.strip()) == ["strategy", "mean", "boards solved at"]
    assert re.fullmatch(r"first-consistent +\d\.\d{4} ± 0\.\d{4} +\d\.\d{3} \d\.\d{3} *", row)
    assert "± is the half-width of the 95% confidence interval" in out


@pytest.mark.parametrize("form", ["table", "json", "csv", "markdown", "latex", "html"])
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
    assert list(played[0]) == ["strategy", "answers", "turns", "guesses", "outcome"]
    assert [line["strategy"] for line in played] == ["minimax"] * 9 + ["first-consistent"] * 9
    assert [line["answers"] for line in played[:9]] == ["aa", "ab", "ac", "ba", "bb", "bc", "ca", "cb", "cc"]
    for line in played:
        guesses = line["guesses"].split(",")
        assert (guesses[-1], int(line["turns"]), line["outcome"]) == (line["answers"], len(guesses), "solved")


def test_transcripts_have_the_runs_stored_before(lines, tiny, counted):
    arguments = ("-g", tiny, "-p", counted.plugin, "-s", "counted", "--boards", "2", "--puzzles", "4")
    first = lines(*arguments)
    asked = counted.asked
    assert lines(*arguments) == first
    assert counted.asked == asked


def test_puzzles_with_and_without_repeats_are_stored_apart(play):
    arguments = ("--boards", "3", "--puzzles", "50", "-s", "first-consistent", "--format", "json")
    plain, repeated = play(*arguments).json, play(*arguments, "--repeats").json
    assert plain["puzzles_fingerprint"] != repeated["puzzles_fingerprint"]
    assert "words may repeat" in repeated["puzzles"]


def test_the_number_of_workers_does_not_change_results_on_several_boards(run, tiny, tmp_path):
    def rows(workers):
        store = tmp_path / f"{workers}.sqlite"
        arguments = ("--boards", "4", "--puzzles", "600", "--seed", "5", "-s", "random-consistent", "-s", "minimax")
        options = ("--format", "json", "--workers", workers, "--store", store)
        return without_clock(run("tournament", "-g", tiny, *arguments, *options).rows)

    assert rows(1) == rows(2)


# How it is played


def test_the_number_of_workers_does_not_change_results(run, tmp_path):
    def rows(workers):
        store = tmp_path / f"{workers}.sqlite"
        arguments = ("--puzzles", "600", "--seed", "5", "-s", "random-consistent", "-s", "minimax", "--format", "json")
        ran = run("tournament", "-g", "mastermind", *arguments, "--workers", workers, "--store", store)
        return without_clock(ran.rows)

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
    assert "0.05 s" in rows["slow"]["problem"]
    assert rows["minimax"]["solved"] == 9


HARMFUL = {
    "raises": "def guess(self, position): raise ValueError('no idea')",
    "exits": "def guess(self, position): raise SystemExit(3)",
    "dies": "def guess(self, position): __import__('os')._exit(3)",
    "returns nothing": "def guess(self, position): return None",
    "guesses nonsense": "def guess(self, position): return 'nonsense'",
    "raises text that is not UTF-8": "def guess(self, position): raise ValueError(chr(0xDCFF))",
    "raises in problem_with": "def problem_with(self, game): raise ValueError('no idea')",
    "cannot be pickled": "def __reduce__(self): raise TypeError('no pickle')",
}


@pytest.mark.parametrize("body", HARMFUL.values(), ids=HARMFUL)
def test_a_harmful_strategy_does_no_harm_to_the_others(play, write, body):
    source = f"""
        import wordle_kit as wk

        class Harmful(wk.Strategy):
            {body}
            {"" if "def guess" in body else "def guess(self, position): return position.board.words[0]"}

        @wk.hookimpl
        def register_strategies(register):
            register(Harmful())
        """
    ran = play("-p", write("harmful.py", source), "--format", "json")
    assert ran.code == 0
    assert [ran.rows[name]["solved"] for name in BASELINES] == [9, 9]


def test_a_strategy_that_cannot_be_registered_ends_the_command_if_its_plugin_was_named(play, write, tmp_path):
    source = """
        import wordle_kit as wk

        class Numbered(wk.Strategy):
            version = 3
            def guess(self, position): return position.board.words[0]

        @wk.hookimpl
        def register_strategies(register):
            register(Numbered())
        """
    file = write("numbered.py", source)
    ran = play("-p", file)
    assert (ran.code, ran.out) == (2, "")
    assert "register_strategies got a strategy whose version is 3; make it a text" in ran.err
    (tmp_path / "folder").mkdir()
    file.rename(tmp_path / "folder" / "numbered.py")
    ran = play("--plugins-dir", tmp_path / "folder", "--format", "json")
    assert [ran.rows[name]["solved"] for name in BASELINES] == [9, 9]


# What is written where


def test_a_table_has_a_row_for_each_strategy_and_names_the_puzzles(play):
    header, rule, row, blank, note = play("-s", "first-consistent").out.splitlines()
    assert header.split()[:4] == ["strategy", "mean", "1-6", "std"]
    assert set(rule) == {"-", " "}
    assert row.split()[:2] == ["first-consistent", "2.4444"]
    assert blank == ""
    assert note.startswith("tiny: all 9 answers.")


def test_json_is_one_object_with_every_figure(play):
    board = play("-s", "first-consistent", "--format", "json").json
    assert (board["game"], board["boards"], board["unsolved_counts_as"]) == ("tiny", 1, 31)
    assert (board["puzzles"], board["seed"]) == ("all 9 answers", 0)
    (row,) = board["rows"]
    assert (row["mean"], row["distribution"], row["opener"]) == (22 / 9, {"1": 1, "2": 3, "3": 5}, "aa")


def test_csv_has_a_line_for_each_strategy_and_no_notes(play):
    out = play("-s", "first-consistent", "-s", "entropy(opener=aa)", "--format", "csv").out
    best, other = csv.DictReader(io.StringIO(out))
    assert (best["strategy"], best["games"]) == ("entropy(opener=aa)", "9")
    assert (other["strategy"], *(other[f"took_{turns}"] for turns in "123")) == ("first-consistent", "1", "3", "5")


def test_markdown_is_a_table_of_pipes(play):
    header, rule, row, *_ = play("-s", "first-consistent", "--format", "markdown").out.splitlines()
    assert [cell.strip() for cell in header.split("|")][1:3] == ["strategy", "mean"]
    assert re.fullmatch(r"[|:-]+", rule)
    assert [cell.strip() for cell in row.split("|")][1:3] == ["first-consistent", "2.4444"]


def test_latex_is_a_tabular_with_its_signs_escaped(play):
    out = play("-s", "first-consistent", "--format", "latex").out
    tabular = out[out.index(r"\begin{tabular}") : out.index(r"\end{tabular}")]
    assert re.search(r"first-consistent +& +2\.4444", tabular)
    assert re.search(r"(?<!\\)%", tabular) is None


def test_html_is_well_formed_for_any_message(play, strategy):
    rude = strategy("Rude", "raise ValueError('</table> & more')")
    page = ET.fromstring(f"<body>{play('-p', rude, '-s', 'rude', '--format', 'html').out}</body>")
    assert [element.tag for element in page] == ["table", "p", "p"]
    assert "</table> & more" in page[2].text


@pytest.mark.parametrize("form", ["table", "json", "csv", "markdown", "latex", "html"])
def test_in_a_pipe_there_is_no_progress_bar(play, form):
    assert play("-s", "minimax", "--format", form).err == ""


@pytest.mark.parametrize("place", ["module", "hook", "problem_with", "guess", "guess, past Python"])
def test_output_of_a_plugin_is_not_among_the_results(play, write, monkeypatch, broken, place):
    def here(other, line="print('hello')"):
        return line if place == other else "pass"

    noisy = f"""
        import os
        import wordle_kit as wk
        {here("module")}

        class Noisy(wk.Strategy):
            def problem_with(self, game):
                {here("problem_with")}

            def guess(self, position):
                {here("guess")}
                {here("guess, past Python", "os.write(1, b'hello')")}
                return position.board.words[0]

        @wk.hookimpl
        def register_strategies(register):
            {here("hook")}
            register(Noisy())
        """
    monkeypatch.setenv("WORDLE_KIT_PLUGINS", str(broken))
    plugins = ("-p", write("noisy.py", noisy))
    ran = play(*plugins, "-s", "noisy", "--format", "json")
    assert ran.code == 0
    assert ran.rows.keys() == {"noisy"}


def test_leaderboard_writes_markdown_and_json_into_a_folder(play, tmp_path):
    folder = tmp_path / "new" / "folder"
    ran = play("-s", "minimax", "--leaderboard", folder, "--format", "json")
    assert sorted(path.name for path in folder.iterdir()) == ["tiny.json", "tiny.md"]
    assert (folder / "tiny.json").read_text(encoding="utf-8") == ran.out
    assert (folder / "tiny.md").read_text(encoding="utf-8").startswith("# tiny\n\n| strategy")
    assert ran.err == "".join(f"wordle-kit: wrote {folder / name}\n" for name in ("tiny.md", "tiny.json"))


def test_leaderboards_of_hard_mode_have_files_of_their_own(play, tmp_path):
    play("-s", "minimax", "--hard", "--leaderboard", tmp_path / "boards")
    assert sorted(path.name for path in (tmp_path / "boards").iterdir()) == ["tiny-hard.json", "tiny-hard.md"]


def test_a_table_names_the_first_fault_of_a_strategy(play, strategy):
    out = play("-p", strategy("Clumsy", "raise ValueError('no idea')")).out
    assert "clumsy: 9 crashed. First: aa: ValueError: no idea (clumsy.py, line 8), at guess 1." in out


# What is kept


def test_results_are_kept_in_the_store_of_the_environment(play, own_store):
    play("-s", "minimax")
    assert own_store.is_file()


def test_results_are_kept_in_the_store_that_is_given(play, own_store, tmp_path):
    given = tmp_path / "deep" / "down.sqlite"
    play("-s", "minimax", "--store", given)
    assert given.is_file()
    assert not own_store.exists()


def test_stored_runs_are_not_played_again(play, counted):
    arguments = ("-p", counted.plugin, "-s", "counted", "--format", "json")
    first = play(*arguments)
    asked = counted.asked
    assert asked > 0
    again = play(*arguments)
    assert (again.code, again.out) == (first.code, first.out)
    assert counted.asked == asked


def test_only_new_strategies_are_played(play, counted):
    play("-p", counted.plugin, "-s", "counted")
    asked = counted.asked
    assert play("-p", counted.plugin, "-s", "counted", "-s", "minimax", "--format", "json").rows.keys() == {
        "counted",
        "minimax",
    }
    assert counted.asked == asked


def test_fresh_plays_stored_runs_again(play, counted):
    arguments = ("-p", counted.plugin, "-s", "counted", "--format", "json")
    first = play(*arguments)
    asked = counted.asked
    again = play(*arguments, "--fresh")
    assert counted.asked == 2 * asked
    assert without_clock(again.rows) == without_clock(first.rows)


def test_a_strategy_whose_file_changed_is_played_again(play, strategy):
    arguments = ("-s", "mine", "--format", "json")
    first = play("-p", strategy("Mine"), *arguments).rows["mine"]
    better = play("-p", strategy("Mine", "if position.turn == 1: return 'bc'"), *arguments).rows["mine"]
    assert (first["opener"], better["opener"]) == ("aa", "bc")


# Plugins that fail


def test_a_plugin_that_fails_is_reported_and_the_others_play(play, broken):
    ran = play("--plugins-dir", broken.parent, "-s", "minimax", "--format", "json")
    assert (ran.code, ran.rows.keys()) == (0, {"minimax"})
    assert ran.err == (
        f"wordle-kit: left out: plugin broken ({broken}): {broken}, line 3: RuntimeError: no luck today\n"
    )


def test_a_plugin_that_was_named_and_fails_ends_the_command(refused, tiny, broken, own_store):
    line = refused("tournament", "-g", tiny, "-p", broken, "-s", "minimax")
    assert f"{broken}, line 3: RuntimeError: no luck today" in line
    assert not own_store.exists()


@pytest.mark.parametrize("isolated", [[], ["--isolate", "--sandbox", "plain"]], ids=["trusted", "isolated"])
def test_a_plugin_that_was_named_plays_instead_of_an_installed_one(play, strategy, write, monkeypatch, isolated):
    installed = strategy("Power", file="site/installed_power.py")
    write("site/power_kit-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: power-kit\nVersion: 1.0\n")
    write("site/power_kit-1.0.dist-info/entry_points.txt", "[wordle_kit]\npower = installed_power\n")
    monkeypatch.syspath_prepend(installed.parent)
    assert play("-s", "power", "--format", "json").rows["power"]["opener"] == "aa"
    better = strategy("Power", "if position.turn == 1: return 'bc'")
    ran = play("-p", better, "-s", "power", "--format", "json", *isolated)
    assert ran.rows["power"]["opener"] == "bc"
    (line,) = [line for line in ran.err.splitlines() if "instead" in line]
    assert line == (
        f"wordle-kit: plugin power: the one from {better} is used instead of the installed one "
        "(power-kit 1.0: installed_power)"
    )


def test_strict_ends_at_the_first_plugin_that_fails(refused, tiny, broken, own_store):
    line = refused("tournament", "-g", tiny, "--plugins-dir", broken.parent, "--strict")
    assert f"{broken}, line 3: RuntimeError: no luck today" in line
    assert not own_store.exists()


def test_two_strategies_of_one_name_are_refused_with_both_plugins_named(refused, tiny, strategy):
    first, second = (strategy("Mine", file=f"{folder}/{folder}.py") for folder in ("here", "there"))
    line = refused("tournament", "-g", tiny, "-p", first, "-p", second)
    assert [part for part in ("'mine'", str(first), str(second), "no:here") if part not in line] == []


# The adversary


def test_strategies_are_ranked_by_the_guesses_that_they_need_against_the_adversary(run):
    arguments = ("-s", "entropy", "-s", "minimax", "--first", "aiery", "--first", "salet")
    ran = run("tournament", "--host", "adversary", *arguments, "--format", "json")
    assert (ran.code, ran.json["host"]) == (0, "adversary")
    assert {name: (row["games"], row["mean"]) for name, row in ran.rows.items()} == {
        "minimax": (2, 4.0),
        "entropy": (2, 5.0),
    }
    (stored,) = run("leaderboard", "--format", "json").json
    assert stored["rows"] == ran.json["rows"]
    table = run("tournament", "--host", "adversary", *arguments).out
    assert "opener" not in table  # the first guesses are not the strategies' own
    assert table.endswith(
        "wordle: against the adversary, 2 first guesses: aiery, salet. A puzzle that took more than 6 guesses has "
        "failed and counts with the guesses it took; one not solved in 30 counts as 31.\n"
    )


def test_first_guesses_may_be_in_a_file_and_are_written_to_transcripts(run, tiny, write, tmp_path):
    first = write("first.txt", "ab\nbb\n")
    path = tmp_path / "played.tsv"
    arguments = ("-s", "first-consistent", "--puzzles", first, "--transcripts", path)
    assert run("tournament", "-g", tiny, "--host", "adversary", *arguments).code == 0
    rows = [line.split("\t") for line in path.read_text().splitlines()[1:]]
    assert [row[3].split(",")[0] for row in rows] == ["ab", "bb"]


def test_isolated_strategies_play_against_the_adversary_too(run, tiny):
    def rows(*how):
        return run("tournament", "-g", tiny, "--host", "adversary", "-s", "minimax", "--json", *how).json["rows"]

    (isolated,), (trusted,) = rows("--isolate", "--sandbox", "plain"), rows()
    assert isolated["distribution"] == trusted["distribution"]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--first", "aiery"], "--first is for games against the adversary; add --host adversary"),
        (
            ["--host", "adversary", "--first", "aiery", "--puzzles", "x.txt"],
            "--first and --puzzles both give first guess",
        ),
        (["--host", "adversary", "--puzzles", "5"], "the adversary hides no words to draw; give first guesses"),
        (["--host", "adversary", "--first", "zzzzz"], "first guess 1: 'zzzzz' is not among the guesses of wordle"),
        (["--host", "adversary", "--report", "x.html"], "--report shows hidden words, and the adversary answers here"),
        (
            ["-p", LIES_ONCE, "--host", "lies-once", "--report", "x.html"],
            "--report shows hidden words, and the host lies-once answers here",
        ),
        (["--host", "adversery"], "no host is called 'adversery'; did you mean 'adversary'?"),
    ],
)
def test_options_that_the_adversary_cannot_have_are_refused_in_one_line(refused, arguments, problem):
    assert problem in refused("tournament", "-s", "entropy", *arguments)


def test_a_report_of_games_against_the_adversary_is_refused_in_one_line(run, refused, tiny, tmp_path):
    run("tournament", "-g", tiny, "--host", "adversary", "-s", "minimax")
    message = refused("report", "-o", tmp_path / "page.html")
    assert "a report shows hidden words" in message
    assert "choose other games (--game, --puzzles)" in message
    assert not (tmp_path / "page.html").exists()
