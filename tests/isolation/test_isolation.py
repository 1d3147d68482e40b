"""Isolated strategies make the same guesses as others, and a user's mistake is reported in one line."""

import os
import pickle
import signal
import subprocess
import sys
import time

import pytest
from needs import needs_bubblewrap, needs_linux
from strategies import play_nothing_again

import wordle_kit as wk
from wordle_kit import cli
from wordle_kit.errors import StrategyError
from wordle_kit.isolation.remote import end_last
from wordle_kit.isolation.supervision import Supervision
from wordle_kit.plugins import default_plugins

PLUGIN = '''
import wordle_kit as wk

class Middle(wk.Strategy):
    """Guesses the candidate at some share of the list."""

    share: float = 0.5
    version = "7"

    def guess(self, position):
        print("thinking")
        words = position.board.words
        return words[int(self.share * (len(words) - 1))]

class Choosy(Middle):
    def problem_with(self, game):
        return "it likes letters only" if game.name != "letters" else None

class Dice(wk.Strategy):
    stochastic = True

    def guess(self, position):
        return position.rng.choice(position.board.words)

@wk.hookimpl
def register_strategies(register):
    register(Middle())
    register(Middle(share=0.25), name="quarter")
    register(Choosy())
    register(Dice())
'''


SECRET = "0123456789abcdef0123456789abcdef"


@pytest.fixture
def plugin(tmp_path):
    """Return the path of a plugin with four strategies."""
    path = tmp_path / "student.py"
    path.write_text(PLUGIN)
    return path


@pytest.fixture(autouse=True)
def ended():
    """End the process that a test leaves."""
    yield
    end_last()


@pytest.fixture(autouse=True)
def played_once(request, monkeypatch):
    """Have each puzzle played in one process, except in the test of what a strategy remembers."""
    if "remembers" not in request.node.name:
        play_nothing_again(monkeypatch)


def plays_of(game, plugins, names, **settings):
    """Return the plays of some strategies."""
    board = wk.tournament(game, names, plugins=plugins, **{"workers": 2, "secret": SECRET, **settings})
    return {name: board.plays(name) for name in sorted(row.strategy for row in board.rows)}


@pytest.mark.slow
def test_a_plugin_plays_the_same_with_and_without_isolation(level, letters, plugin, isolation_at, left_behind):
    ours = ("wordle_kit.isolation.child", "sandbox/supervisor.py")
    others = left_behind(*ours, ours=True)  # of strategies that other tests still use
    trusted, isolated = wk.Plugins.load([plugin]), wk.Plugins.load([plugin], isolation=isolation_at(level))
    random = {"names": ["dice"], "puzzles": 2}  # each puzzle has a process of its own
    certain = {"names": ["quarter", "middle(share=0.75)", "entropy"], "puzzles": 40}
    for played in (random, certain):
        assert plays_of(letters, isolated, **played) == plays_of(letters, trusted, **played)
    assert [line for line in left_behind(*ours, ours=True) if line not in others] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("wordle", ["first-consistent", "random-consistent"]),
        ("glyphs", ["random-consistent"]),
    ],
    ids=["wordle", "glyphs"],
)
def test_other_games_are_played_the_same(game, names, isolation_at):
    plugins = default_plugins().isolated(isolation_at("plain"))
    inside = plays_of(game, default_plugins(), names, puzzles=20)
    assert plays_of(game, plugins, names, puzzles=20) == inside


def test_an_isolated_strategy_knows_the_weights_of_answers(isolation_at):
    words = {"name": "pegs", "alphabet": "123", "length": 3, "answers": "all"}
    game = wk.load_game(words | {"weights": {"312": 9.5, "111": 0, "123": 1e-3}})
    entropy = default_plugins().isolated(isolation_at("plain")).strategies["entropy"].value
    plays = [play.guesses for play in wk.play(entropy, game)]
    assert plays == [play.guesses for play in wk.play("entropy", game)]
    assert plays != [play.guesses for play in wk.play("entropy", wk.load_game(words))]


FAULTS = """
import os, time
import wordle_kit as wk

class Faulty(wk.Strategy):
    kind: str

    def guess(self, position):
        if self.kind == "raises":
            raise KeyError("zebra")
        if self.kind == "exits":
            os._exit(7)
        if self.kind == "hangs":
            time.sleep(600)
        return "zzzz" if self.kind == "lies" else position.board.words[0]

@wk.hookimpl
def register_strategies(register):
    for kind in ("raises", "exits", "hangs", "lies", "honest"):
        register(Faulty(kind=kind), name=kind)
"""


@needs_linux
def test_one_that_crashes_hangs_or_lies_costs_only_itself(letters, tmp_path, isolation_at):
    (tmp_path / "faulty.py").write_text(FAULTS)
    plugins = wk.Plugins.load([tmp_path / "faulty.py"], isolation=isolation_at("plain", restarts=0), strict=True)
    ends = plays_of(letters, plugins, ["raises", "exits", "lies", "honest"], puzzles=["abac"], workers=1)
    ends |= plays_of(letters, plugins, ["hangs"], puzzles=["abac"], workers=1, deadline=0.3)
    assert {name: str(play.outcome) for name, (play,) in ends.items()} == {
        "raises": "crashed",
        "exits": "crashed",
        "lies": "illegal guess",
        "hangs": "timed out",
        "honest": "solved",
    }
    for name, fact in {"raises": "zebra", "exits": "7", "lies": "'zzzz'"}.items():
        assert fact in ends[name][0].message


@pytest.mark.slow
def test_positions_of_several_boards_are_the_same_in_the_other_process(isolation_at):
    quordle = wk.load_game("quordle")
    plugins = default_plugins().isolated(isolation_at("plain"))
    for name in ("first-consistent", "random-consistent"):
        inside, outside = default_plugins().strategies[name].value, plugins.strategies[name].value
        position = wk.Position.start(quordle, seed="some seed")
        answers = (inside.guess(position.copy()), "slate", "stale", "mount")  # one board is solved immediately
        while position.open_boards:
            guess = inside.guess(position.copy())
            assert outside.guess(position.copy()) == guess
            position = position.after(guess, [str(quordle.feedback(guess, answer)) for answer in answers])
        assert position.turn > 4


@pytest.mark.slow
def test_hard_mode_and_a_rule_of_a_plugin_are_the_same_in_the_other_process(tmp_path, isolation_at, monkeypatch):
    (tmp_path / "sameness.py").write_text(RULE)
    monkeypatch.setenv("WORDLE_KIT_PLUGINS", str(tmp_path / "sameness.py"))
    plugins = wk.Plugins.load()
    fields = {"name": "odd", "alphabet": "abc", "length": 3, "answers": "all", "rule": "sameness", "hard_mode": True}
    game = wk.load_game(fields, plugins)
    names = ["first-consistent", "random-consistent"]
    inside = plays_of(game, plugins, names)
    outside = plays_of(game, plugins.isolated(isolation_at("plain")), names)
    assert outside == inside
    assert {play.outcome for plays in outside.values() for play in plays} <= {"solved", "out of guesses"}


RULE = '''
import wordle_kit as wk

class Sameness(wk.Rule):
    """Says how many symbols are in place."""
    def n_codes(self, length): return length + 1
    def code(self, guess, answer): return sum(map(str.__eq__, guess, answer))
    def winning_code(self, length): return length
    def show(self, code, length): return "much"  # which cannot be read

@wk.hookimpl
def register_rules(register):
    register(Sameness())
'''


@pytest.fixture
def folder(tmp_path):
    """Return the file of a game that names its rule, which notes the processes that run it."""
    note = f"import os\nopen({str(tmp_path / 'ran-in-')!r} + str(os.getpid()), 'w').close()\n"
    (tmp_path / "sameness.py").write_text(note + RULE)
    game = tmp_path / "odd.toml"
    game.write_text(
        'name = "odd"\nalphabet = "ab"\nlength = 3\nanswers = "all"\nrule = "sameness"\nplugin = "sameness.py"\n'
    )
    return game


@pytest.mark.slow
def test_the_rule_that_a_game_file_names_is_not_run_in_this_process(folder, isolation_at):
    isolation = isolation_at("plain")
    refused = pytest.raises(wk.GameError, match="rules")
    with refused:
        wk.tournament(folder, ["first-consistent"], isolation=isolation)
    with refused:
        wk.Plugins.load(isolation=isolation).find_game(folder)
    assert not folder.with_name(f"ran-in-{os.getpid()}").exists()


@pytest.mark.slow
def test_a_game_that_was_loaded_with_its_rule_is_played_by_isolated_strategies(folder, isolation_at):
    game = wk.load_game(folder)
    inside = wk.tournament(game, ["first-consistent"], workers=1)
    outside = wk.tournament(game, ["first-consistent"], workers=1, isolation=isolation_at("plain"))
    assert outside.plays("first-consistent") == inside.plays("first-consistent")


@pytest.fixture(scope="module")
def marking(tmp_path_factory):
    """Return the path of a plugin that notes the processes that run it."""
    path = tmp_path_factory.mktemp("marking") / "marking.py"
    path.write_text(f"import os\nopen({str(path.with_name('ran-in-'))!r} + str(os.getpid()), 'w').close()\n" + PLUGIN)
    return path


@pytest.fixture(scope="module")
def isolated(marking, isolation_at):
    """Return the plugins with that one, isolated."""
    return wk.Plugins.load([marking], isolation=isolation_at("plain"), strict=True)


def test_the_plugin_is_not_run_in_this_process(isolated, marking):
    assert "middle" in isolated.strategies
    assert not marking.with_name(f"ran-in-{os.getpid()}").exists()


@pytest.mark.slow
def test_it_has_name_version_parameters_and_problem_of_the_strategy(letters, isolated):
    middle = isolated.strategies["middle"].value
    assert (middle.name, middle.version, middle.stochastic) == ("middle", "7", False)
    assert middle.parameters() == {"share": 0.5}
    assert isolated.strategies["dice"].value.stochastic
    choosy = isolated.strategies["choosy"].value
    assert choosy.problem_with(letters) is None
    assert choosy.problem_with(wk.load_game("mastermind")) == "it likes letters only"
    assert pickle.loads(pickle.dumps(middle)) == middle
    with pytest.raises(StrategyError, match=r"shar.*share"):
        wk.load_strategy("middle(shar=1)", isolated)


@pytest.mark.slow
def test_objects_are_isolated_too_where_a_plugin_has_them(letters, isolation_at):
    strategy = wk.load_strategy("entropy(pool=candidates)")
    inside = wk.tournament(letters, [strategy], 50, workers=1)
    outside = wk.tournament(letters, [strategy], 50, workers=1, isolation=isolation_at("plain"))
    assert outside.rows[0].strategy == inside.rows[0].strategy == "entropy(pool=candidates)"
    assert outside.runs[0].plays == inside.runs[0].plays

    class Own(type(strategy)):
        pass

    with pytest.raises(StrategyError, match="own"):
        wk.tournament(letters, [Own()], 50, isolation=isolation_at("plain"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import nosuchmodule", "line 1"),
        ("import os; os._exit(7)", "exit code 7"),
        (PLUGIN.replace("Middle", "Entropy"), "'entropy'"),
        ("import sys; sys.exit('\\x1b[31mwhat a day')", "what a day"),
        ("import os; os.write(1, b'\\x1b[31m{}\\n')", "hooks"),
    ],
    ids=["raises", "exits", "a name that is taken", "escape sequences as message", "no hooks"],
)
def test_a_plugin_that_cannot_be_loaded_is_a_failure_of_one_line(tmp_path, isolation_at, text, message):
    path = tmp_path / "broken.py"
    path.write_text(text)
    (failure,) = wk.Plugins.load([path], isolation=isolation_at("plain")).failures
    assert message in str(failure)
    assert str(failure).startswith(f"plugin broken ({path}): ")
    assert str(failure).isprintable()


@pytest.mark.slow
def test_a_plugin_that_takes_too_long_to_load_is_a_failure(tmp_path, isolation_at):
    (tmp_path / "endless.py").write_text("import time; time.sleep(600)")
    (failure,) = wk.Plugins.load([tmp_path / "endless.py"], isolation=isolation_at("plain", start=1.5)).failures
    assert "endless.py" in str(failure)


COUNTER = """
import wordle_kit as wk

asked = 0

class Counter(wk.Strategy):
    def guess(self, position):
        global asked
        asked += 1
        return position.board.words[asked % len(position.board.words)]

@wk.hookimpl
def register_strategies(register):
    register(Counter())
"""


@pytest.mark.slow
def test_a_strategy_that_remembers_plays_the_same_with_any_number_of_workers(
    letters, tmp_path, isolation_at, monkeypatch
):
    path = tmp_path / "counter.py"
    path.write_text(COUNTER)
    plugins = wk.Plugins.load([path], isolation=isolation_at("plain"))
    # What two workers played is compared.
    monkeypatch.setattr(Supervision, "is_delayed", lambda *_: False)
    again = {"puzzles": 300, "store": tmp_path / "store", "fresh": True}
    plays = [plays_of(letters, plugins, ["counter"], workers=workers, **again) for workers in (1, 2)]
    assert plays[0] == plays[1]
    assert any(play.is_inconsistent for play in plays[0]["counter"])


@pytest.mark.slow
def test_one_that_always_dies_is_given_up(letters, tmp_path, isolation_at):
    path = tmp_path / "dying.py"
    path.write_text(PLUGIN.replace("return position.rng.choice(position.board.words)", "import os; os._exit(5)"))
    plugins = wk.Plugins.load([path], isolation=isolation_at("plain", restarts=1))
    plays = plays_of(letters, plugins, ["dice"], puzzles=20)["dice"]
    assert [play.outcome for play in plays] == [wk.Outcome.CRASHED] * 20
    assert sum("exit code 5" in play.message for play in plays) == 2


@pytest.mark.slow
def test_without_a_sandbox_a_line_says_so(without_bubblewrap, capfd):
    options = ("-g", "mastermind", "-s", "first-consistent", "--puzzles", "1", "--isolate")
    assert cli.run(["tournament", *options]) == 0
    assert "bubblewrap" in capfd.readouterr().err


@pytest.mark.slow
@needs_bubblewrap
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_nothing_is_left_when_the_tournament_is_ended(how, tmp_path, left_behind):
    path = tmp_path / "sleeping.py"
    nap = f"sleep 777.{os.getpid()}"
    sleeping = f"import os; os.execvp('sleep', {nap.split()})"
    path.write_text(PLUGIN.replace("return position.rng.choice(position.board.words)", sleeping))
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    line = [sys.executable, "-m", "wordle_kit", "tournament", "-g", "mastermind"]
    line += ["--isolate", "--sandbox", "required", "-p", str(path)]
    line += ["-s", "dice", "--puzzles", "3", "--deadline", "600", "--workers", "2"]
    started = subprocess.Popen(
        line, env=os.environ | {"TMPDIR": str(temporary)}, start_new_session=True, stderr=subprocess.DEVNULL
    )
    try:
        wait_until(lambda: left_behind(nap))
        os.killpg(started.pid, how) if how == signal.SIGINT else started.kill()
        started.wait(20)
        wait_until(lambda: not left_behind(nap, str(path)))
        boxes = f"wordle-kit-{'[0-9a-f]' * 32}"
        wait_until(lambda: not list(temporary.glob(boxes)))
    finally:
        started.kill()
        started.wait()


def wait_until(condition):
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)
