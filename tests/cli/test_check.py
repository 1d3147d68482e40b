"""`wordle-kit check`: what it finds in the strategies of a file, and in a decision tree."""

import sys

import pytest

CHECKS = ["pickling", "legality", "determinism"]


def names(out):
    """Return the names of what was checked."""
    return [line for line in out.splitlines() if not line.startswith(" ")]


@pytest.mark.slow
def test_a_good_strategy_passes_every_check(run, strategy):
    ran = run("check", strategy("Mine"))
    assert (ran.code, ran.err) == (0, "")
    name, *findings = ran.out.splitlines()
    assert name == "mine"
    assert [line.split(":")[0] for line in findings] == [f"  ok    {check}" for check in CHECKS]


def test_every_strategy_of_the_file_is_checked_and_no_other(run, write, strategy, monkeypatch):
    monkeypatch.setenv("WORDLE_KIT_PLUGINS", str(strategy("Other")))
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
    ran = run("check", write("two.py", source).with_suffix(""))  # the ending may be left out
    assert (ran.code, names(ran.out)) == (1, ["good", "bad"])


FAULTS = {
    "illegal guess": ("return 'nonsense'", "legality", "'nonsense'"),
    "exception": ("raise ValueError('no idea')", "legality", "ValueError: no idea (mine.py, line 8)"),
    "deadline": ("while position.game.name == 'two-words': pass", "legality", "0.2 s"),
    "dice": ("import random\nreturn random.choice(position.board.words)", "determinism", "position.rng"),
}


@pytest.mark.parametrize(("body", "check", "named"), FAULTS.values(), ids=FAULTS)
def test_a_bad_strategy_fails_the_check_with_the_reason(run, strategy, body, check, named):
    ran = run("check", strategy("Mine", body), *(["--deadline", "0.2"] if "while" in body else []))
    assert ran.code == 1
    (failed,) = [line for line in ran.out.splitlines() if line.startswith(f"  FAIL  {check}: ")]
    assert named in failed


def test_a_fault_is_shown_with_its_position(run, strategy):
    body = "if position.turn == 2: return 'nonsense'"
    (fault,) = [line for line in run("check", strategy("Mine", body)).out.splitlines() if "FAIL  legality" in line]
    assert "<Position in two-words: ab 11; 1 left>" in fault


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


@pytest.mark.parametrize(
    ("shown", "answers", "code", "named"),
    [
        ("str(code)", '"all"', 0, "8 answers"),
        ("'x'", '"all"', 1, "'x'"),
        ("str(code)", '["00"]', 1, "'00'"),
        ("1 / 0", '"all"', 1, "ZeroDivisionError"),
    ],
)
def test_rules_and_games_of_the_file_are_checked(run, write, shown, answers, code, named):
    ran = run("check", write("same.py", RULE.format(shown=shown, answers=answers)))
    assert (ran.code, names(ran.out)) == (code, ["bits", "same"])
    assert named in ran.out


def test_strategies_that_are_named_are_checked(run, tiny):
    ran = run("check", "-s", "first-consistent", "-s", "minimax(endgame=0|2)", "-g", tiny)
    assert (ran.code, names(ran.out)) == (0, ["first-consistent", "minimax(endgame=0)", "minimax(endgame=2)"])


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


@pytest.mark.slow
def test_games_that_a_program_cannot_play_are_not_held_against_it(run, write):
    program = write("five.py", UNABLE)
    five = write("five.toml", 'name = "five"\nalphabet = "ab"\nlength = 5\nanswers = ["aaaaa", "ababa", "bbbbb"]\n')
    assert run("check", "-s", f"program(argv='{sys.executable} {program}')", "-g", five).code == 0


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
        register(wk.Metric("shortest", lambda run: min(run.guess_counts)))

    @wk.hookimpl
    def register_hosts(register):
        register(Kind())

    @wk.hookimpl
    def register_formats(register):
        register(wk.Format("lines", lambda table: "".join(f"{row}\\n" for row in table.rows)))

    @wk.hookimpl
    def register_commands(register):
        register("hello", "Say hello", f"{__name__}:hello")
"""


def test_what_has_no_promises_is_named(run, write):
    ran = run("check", write("others.py", OTHERS))
    assert (ran.code, ran.err) == (0, "")
    assert names(ran.out) == ["shortest", "kind", "lines", "hello"]


# Trees

TREE = """
salet BGGYB1 valve GGGGG2
      GGGYB1 salve GGGGG2
      GGGGG1
"""
LATE = """
# after: march BGBBB
march BGBBB1 salet GGGYB2 salve GGGGG3
march BGBBB1 salet BGGYB2 valve GGGGG3
march BGBBB1 salet GGGGG2
"""
GAME = """
name = "few"
alphabet = "abcdefghijklmnopqrstuvwxyz"
length = 5
answers = ["salet", "salve", "valve"]
guesses = ["march"]
"""


@pytest.fixture
def few(write):
    """Return the file of a game of three answers."""
    return write("few.toml", GAME)


@pytest.mark.parametrize("text", [TREE, LATE])
def test_a_tree_is_played_for_every_answer(run, write, few, text):
    ran = run("check", write("tree.txt", text.lstrip()), "-g", few)
    assert (ran.code, ran.err, ran.out.count("\n")) == (0, "", 1)
    assert all(fact in ran.out for fact in ("5 guesses", "3 answers", "1.6667", "worst 2"))


def test_a_tree_without_a_game_is_not_checked(run, write):
    ran = run("check", write("tree.txt", TREE))
    assert (ran.code, ran.out) == (2, "")
    assert "--game" in ran.err


def test_where_a_tree_is_wrong_is_said_in_a_line(run, write, few):
    path = write("tree.txt", TREE.lstrip().replace("BGGYB1 valve GGGGG2\n      ", ""))
    ran = run("check", path, "-g", few)
    assert (ran.code, ran.err, ran.out.count("\n")) == (1, "", 1)
    assert ran.out.startswith(f"FAIL  {path}: after")
    assert "valve" in ran.out
