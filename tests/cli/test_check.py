"""`wordle-kit check`: what it finds in the strategies of a file."""

import shlex
import subprocess
import sys

import pytest

from wordle_kit.testing import SMALL_GAMES

CHECKS = ["pickling", "legality", "determinism", "no state", "time"]


@pytest.mark.slow
def test_a_good_strategy_passes_every_check(run, strategy):
    ran = run("check", strategy("Mine"))
    assert (ran.code, ran.err) == (0, "")
    name, *findings = ran.out.splitlines()
    assert name == "mine"
    assert [line.split(":")[0] for line in findings] == [f"  ok    {check}" for check in CHECKS]


def test_the_ending_py_may_be_left_out(run, strategy):
    ran = run("check", strategy("Mine", "return 'nonsense'").with_suffix(""))
    assert ran.out.startswith("mine\n")


def test_every_strategy_of_the_file_is_checked_and_no_other(run, write):
    source = """
        import wordle_kit as wk

        class Good(wk.Strategy):
            def guess(self, position):
                return position.board.words[0]

        class Bad(wk.Strategy):
            def guess(self, position):
                return "nonsense"

        @wk.hookimpl
        def register_strategies(register):
            register(Good())
            register(Bad())
        """
    ran = run("check", write("two.py", source))
    assert ran.code == 1
    assert [line for line in ran.out.splitlines() if not line.startswith(" ")] == ["good", "bad"]


FAULTS = {
    "illegal guess": ("return 'nonsense'", "legality", "'nonsense'"),
    "exception": ("raise ValueError('no idea')", "legality", "ValueError: no idea (mine.py, line 8)"),
    "no word": ("return None", "legality", "returned None, not a word"),
    "deadline": ("while position.game.name == 'two-words': pass", "legality", "took more than 0.2 s for guess 1"),
    "dice": (
        "import random\nreturn random.choice(position.board.words)",
        "determinism",
        "set `stochastic = True` and use position.rng",
    ),
    "state": ("type(self).asked = getattr(self, 'asked', 0) + 1", "no state", "playing changed Mine.asked"),
}


@pytest.mark.parametrize(("body", "check", "message"), FAULTS.values(), ids=FAULTS)
def test_a_bad_strategy_fails_the_check_with_the_reason(run, strategy, body, check, message):
    ran = run("check", strategy("Mine", body), "--deadline", "0.2")
    assert ran.code == 1
    failed = [line for line in ran.out.splitlines() if line.startswith(f"  FAIL  {check}: ")]
    assert len(failed) == 1
    assert message in failed[0]


def test_a_fault_is_shown_with_its_position_and_how_to_see_it_again(run, strategy):
    body = "if position.turn == 2: return 'nonsense'"
    (fault,) = [line for line in run("check", strategy("Mine", body)).out.splitlines() if "FAIL  legality" in line]
    assert "; <Position in two-words: ab 11; 1 left>; " in fault
    assert "to see it again: wordle_kit.play(strategy, wordle_kit.load_game({'name': 'two-words', " in fault


def test_the_file_that_new_strategy_writes_passes_on_a_game_of_two_boards_too(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("new", "strategy", "idea").code == 0
    ran = run("check", "idea.py", "-g", "dordle")
    assert (ran.code, ran.err) == (0, "")
    assert "  ok    determinism: the same guess in " in ran.out


def test_strategies_of_other_plugins_are_not_checked(run, strategy, monkeypatch):
    monkeypatch.setenv("WORDLE_KIT_PLUGINS", str(strategy("Other")))
    out = run("check", strategy("Mine", "return 'nonsense'")).out
    assert [line for line in out.splitlines() if not line.startswith(" ")] == ["mine"]


def test_a_strategy_that_never_returns_is_asked_no_more_than_once_a_game_and_check(run, strategy, tmp_path):
    notes = tmp_path / "asked"
    endless = strategy("Endless", f"with open({str(notes)!r}, 'a') as file: file.write('.')\nwhile True: pass")
    assert run("check", endless, "--deadline", "0.01").code == 1
    assert len(notes.read_text()) <= len(CHECKS) * (len(SMALL_GAMES) + 1)


def test_a_file_that_is_not_there_is_named(refused, tmp_path):
    line = refused("check", tmp_path / "nowhere.py")
    assert f"{tmp_path / 'nowhere.py'}: there is no such file" in line


def test_a_file_that_fails_is_named_with_line_and_error(refused, broken):
    assert f"{broken}, line 3: RuntimeError: no luck today" in refused("check", broken)


def test_a_file_with_a_syntax_error_is_named_with_the_line(refused, write):
    path = write("typo.py", "import wordle_kit as wk\n\ndef guess(:\n")
    assert f"{path}, line 3: SyntaxError" in refused("check", path)


def test_a_file_without_a_strategy_is_named(refused, write):
    source = "import wordle_kit as wk\n\n@wk.hookimpl\ndef register_strategies(register):\n    pass\n"
    path = write("none.py", source)
    assert f"{path}: registers nothing; add a function" in refused("check", path)


@pytest.mark.parametrize("deadline", ["0", "-1", "nan"])
def test_an_impossible_deadline_is_named(refused, strategy, deadline):
    assert f"deadline is {deadline}" in refused("check", strategy("Mine"), "--deadline", deadline)


@pytest.mark.slow
def test_a_finding_is_shown_before_the_next_check_ends(strategy, tmp_path):
    file = strategy(
        "Mine", f"import pathlib, time\nwhile not pathlib.Path({str(tmp_path / 'go')!r}).exists(): time.sleep(0.01)"
    )
    command = [sys.executable, "-m", "wordle_kit", "check", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as checking:
        assert checking.stdout.readline() == "mine\n"
        assert checking.stdout.readline() == "  ok    pickling: a copy equals the strategy\n"
        (tmp_path / "go").touch()
        assert len(checking.stdout.read().splitlines()) == 4
    assert checking.returncode == 0


RULE = """
import wordle_kit as wk

class Same(wk.Rule):
    def n_codes(self, length):
        return length + 1

    def code(self, guess, answer):
        return sum(map(str.__eq__, guess, answer))

    def winning_code(self, length):
        return length

    def show(self, code, length):
        return {shown}

@wk.hookimpl
def register_rules(register):
    register(Same())

@wk.hookimpl
def register_games(register):
    register({{"name": "bits", "alphabet": "01", "length": 3, "answers": {answers}, "rule": "same"}})
"""


def test_rules_and_games_of_the_file_are_checked(run, write):
    path = write("same.py", RULE.format(shown="str(code)", answers='"all"'))
    lines = run("check", path).out.splitlines()
    assert lines[0] == "bits"
    assert lines[1].startswith("  ok    <Game bits: 8 answers")
    assert lines[2] == "same"
    assert [line.split()[:2] for line in lines[3:]] == [
        ["ok", f"{name}:"] for name in ("pickling", "codes", "reading")
    ] + [["ok", "hard"]]


@pytest.mark.parametrize(
    ("shown", "answers", "said"),
    [
        ("'x'", '"all"', "  FAIL  reading: show(1, 3) is 'x', which read takes for 0"),
        ("str(code)", '["00"]', "'00' has 2 symbols; words of bits have 3"),
        ("1 / 0", '"all"', "ZeroDivisionError"),
    ],
)
def test_a_bad_rule_or_game_fails_the_check_with_the_reason(run, write, shown, answers, said):
    ran = run("check", write("same.py", RULE.format(shown=shown, answers=answers)))
    assert ran.code == 1
    assert said in ran.out


def test_a_strategy_that_is_named_is_checked(run):
    ran = run("check", "-s", "entropy(pool=candidates)", "-g", "mini-nerdle")
    assert (ran.code, ran.out.splitlines()[0]) == (0, "entropy(pool=candidates)")
    assert ran.out.count("  ok    ") == 5


def test_without_a_file_or_a_strategy_it_says_what_to_name(refused):
    assert "name a plugin to check, or a strategy with -s" in refused("check")


UNABLE = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "game" and message["length"] != 5:
        print(json.dumps({"type": "unable", "problem": "five letters only"}), flush=True)
    elif message["type"] == "game":
        answers = message["answers"]
        print(json.dumps({"type": "ready", "protocol": 1}), flush=True)
    else:
        guessed = [turn["guess"] for turn in message["history"]]
        print(json.dumps({"id": message["id"], "guess": next(a for a in answers if a not in guessed)}), flush=True)
"""


def test_games_that_a_program_cannot_play_are_not_held_against_it(run, write, tmp_path):
    program = write("five.py", UNABLE)
    five = write("five.toml", 'name = "five"\nalphabet = "ab"\nlength = 5\nanswers = ["aaaaa", "ababa", "bbbbb"]\n')
    spec = f"command(argv='{sys.executable} {program}')"
    assert run("check", "-s", spec, "-g", five).code == 0
    ran = run("check", "-s", spec, "-g", "mini-nerdle")
    assert "it says that it can play none of the games" in ran.out


def test_every_strategy_of_a_spec_for_several_is_checked(run, tiny):
    out = run("check", "-s", "first-consistent", "-s", "minimax(endgame=0|2)", "-g", tiny).out
    assert [line for line in out.splitlines() if not line.startswith(" ")] == [
        "first-consistent",
        "minimax(endgame=0)",
        "minimax(endgame=2)",
    ]


OTHERS = """
    from dataclasses import dataclass
    from typing import ClassVar

    import wordle_kit as wk

    def hello() -> None:
        print("hello")

    @dataclass(frozen=True)
    class Kind(wk.Host):
        name: ClassVar[str] = "kind"

        def answer(self, position, guess):
            winning, code = position.game.winning_code, position.game.table.code
            pairs = zip(position.boards, self.answers)
            return tuple(winning if board.is_solved else code(guess, answer) for board, answer in pairs)

    @wk.hookimpl
    def register_metrics(register):
        register(wk.Metric("shortest", "The fewest guesses of a puzzle.", lambda run: min(run.taken)))

    @wk.hookimpl
    def register_hosts(register):
        register(Kind())

    @wk.hookimpl
    def register_formats(register):
        register(wk.Format("lines", lambda rows, notes: "".join(f"{row}\\n" for row in rows)))

    @wk.hookimpl
    def register_commands(register):
        register("hello", "Say hello", f"{__name__}:hello")
        register("solve --hello", "Say hello", f"{__name__}:hello")
"""


def test_what_has_no_promises_is_named_with_a_command_that_shows_it(run, write):
    path = write("my others.py", OTHERS)
    ran = run("check", path)
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[::2] == ["shortest", "kind", "lines", "hello"]
    for kind, line in zip(("metric", "host", "format", "command"), lines[1::2], strict=True):
        said, _, command = line.partition("; to see it, type wordle-kit ")
        assert said == f"  ok    loading: the {kind} is registered"
        assert run(*shlex.split(command)).code == 0, command


def test_a_file_that_registers_nothing_is_refused(refused, write):
    path = write("nothing.py", "import wordle_kit as wk\n\n@wk.hookimpl\ndef register_rules(register):\n    pass\n")
    assert f"{path}: registers nothing; add a function register_strategies with @wk.hookimpl" in refused("check", path)
