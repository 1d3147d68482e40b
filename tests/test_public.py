"""The public names: arguments that people may try are accepted, or refused in one line that says what to pass."""

import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import wordle_kit as wk

FIELDS = {"name": "pairs", "alphabet": "abc", "length": 2, "answers": "all"}
GAME = wk.load_game(FIELDS)
SMALL = wk.load_game({"name": "few", "alphabet": "ab", "length": 2, "answers": "all"})


class LastWord(wk.Strategy):
    """Guess the last word that may still be the answer."""

    depth: int = 1

    def guess(self, position):
        return position.board.words[-1]


class Nameless:
    """Something that nobody expects, and that cannot even be shown."""

    def __repr__(self):
        raise RuntimeError("no name")


WRONG = {
    "None": None,
    "True": True,
    "-1": -1,
    "0": 0,
    "3": 3,
    "1.5": 1.5,
    "nan": math.nan,
    "inf": math.inf,
    "empty text": "",
    "text": "nonsense",
    "text with brackets": "entropy(",
    "two lines": "a\nb",
    "bytes": b"aa",
    "empty list": [],
    "list": ["aa", 1],
    "list of lists": [[["aa"]]],
    "tuple": ("aa", "00", "b"),
    "mapping": {"name": 1},
    "path": Path("/nowhere/there.toml"),
    "function": len,
    "type": int,
    "strategy": LastWord(),
    "class of strategies": LastWord,
    "abstract class": wk.Strategy,
    "game": GAME,
    "plugins": wk.Plugins(),
    "object": Nameless(),
}
"""What might be passed by mistake."""


@pytest.fixture(scope="module")
def played():
    """Return a leaderboard of two strategies."""
    with ThreadPoolExecutor(1) as executor:
        return wk.tournament(GAME, ["first-consistent", LastWord], executor=executor)


def in_a_thread(**arguments):
    """Play a tournament without processes."""
    usual = {"game": SMALL, "strategies": ["first-consistent"], "puzzles": 2}
    with ThreadPoolExecutor(1) as executor:
        return wk.tournament(**usual | {"executor": executor} | arguments)


START = wk.Position.start(GAME)
RULE = GAME.rule


def made_by_hand(**changes):
    """Make a game from its parts."""
    parts = {"name": "by-hand", "alphabet": "ab", "answers": ["ab"], "guesses": ["ab", "ba"], "rule": RULE}
    return wk.Game(**parts | changes)


CALLS = {
    "load_game(x)": wk.load_game,
    "load_game(plugins=x)": lambda x: wk.load_game(FIELDS, x),
    "load_strategy(x)": wk.load_strategy,
    "load_strategy(plugins=x)": lambda x: wk.load_strategy("entropy", x),
    "load_puzzles(x)": lambda x: wk.load_puzzles(x, 2),
    "load_puzzles(source=x)": lambda x: wk.load_puzzles(GAME, x),
    "load_puzzles(source=[x])": lambda x: wk.load_puzzles(GAME, [x]),
    "play(x)": lambda x: wk.play(x, SMALL),
    "play(game=x)": lambda x: wk.play("first-consistent", x, 1),
    "play(puzzles=x)": lambda x: wk.play("first-consistent", SMALL, x),
    "play(deadline=x)": lambda x: wk.play("first-consistent", SMALL, deadline=x),
    "tournament(x)": lambda x: in_a_thread(game=x),
    "tournament(strategies=x)": lambda x: in_a_thread(strategies=x),
    "tournament(strategies=[x])": lambda x: in_a_thread(strategies=[x]),
    "tournament(puzzles=x)": lambda x: in_a_thread(puzzles=x),
    "tournament(workers=x)": lambda x: in_a_thread(workers=x),
    "tournament(executor=x)": lambda x: None if x is None else in_a_thread(executor=x),
    "tournament(deadline=x)": lambda x: in_a_thread(deadline=x),
    "tournament(plugins=x)": lambda x: in_a_thread(plugins=x),
    "tournament(isolation=x)": lambda x: in_a_thread(isolation=x),
    "known_tree(x)": wk.known_tree,
    "read_leaderboard(x)": wk.read_leaderboard,
    "read_leaderboard(game=x)": lambda x: wk.read_leaderboard(__file__, x),
    "read_leaderboard(plugins=x)": lambda x: wk.read_leaderboard(__file__, plugins=x),
    "read_leaderboard(confidence=x)": lambda x: wk.read_leaderboard(__file__, confidence=x),
    "read_leaderboards(x)": wk.read_leaderboards,
    "read_leaderboards(game=x)": lambda x: wk.read_leaderboards(__file__, x),
    "sweep(x)": wk.sweep,
    "sweep(plugins=x)": lambda x: wk.sweep("entropy", plugins=x),
    "sweep(endgame=x)": lambda x: wk.sweep("entropy", endgame=x),
    "tournament(confidence=x)": lambda x: in_a_thread(confidence=x),
    "read_tree(x)": lambda x: wk.read_tree(x, GAME),
    "read_tree(game=x)": lambda x: wk.read_tree("/nowhere/tree.txt", x),
    "optimal(x)": lambda x: wk.optimal(x, "aa", breadth=1),
    "optimal(opener=x)": lambda x: wk.optimal(SMALL, x),
    "optimal(after=x)": lambda x: wk.optimal(SMALL, after=x),
    "optimal(after=[x])": lambda x: wk.optimal(SMALL, after=[x]),
    "optimal(objective=x)": lambda x: wk.optimal(SMALL, objective=x),
    "optimal(at_most=x)": lambda x: wk.optimal(SMALL, at_most=x),
    "optimal(breadth=x)": lambda x: wk.optimal(SMALL, breadth=x),
    "optimal(seconds=x)": lambda x: wk.optimal(SMALL, seconds=x),
    "optimal(order=x)": lambda x: wk.optimal(SMALL, order=x),
    "optimal(workers=x)": lambda x: wk.optimal(SMALL, workers=x),
    "Plugins.load(x)": wk.Plugins.load,
    "Plugins.load([x])": lambda x: wk.Plugins.load([x]),
    "Plugins.load(folders=x)": lambda x: wk.Plugins.load(folders=x),
    "Position.start(x)": wk.Position.start,
    "Position.after(x)": lambda x: START.after(x, "00"),
    "Position.after(feedback=x)": lambda x: START.after("aa", x),
    "Position.allows(x)": START.allows,
    "Position.looking_at(x)": START.looking_at,
    "Board.split(x)": START.board.split,
    "Game(name=x)": lambda x: made_by_hand(name=x),
    "Game(alphabet=x)": lambda x: made_by_hand(alphabet=x),
    "Game(answers=x)": lambda x: made_by_hand(answers=x),
    "Game(guesses=[x])": lambda x: made_by_hand(guesses=["ab", x]),
    "Game(rule=x)": lambda x: made_by_hand(rule=x),
    "Game(boards=x)": lambda x: made_by_hand(boards=x),
    "Game(max_guesses=x)": lambda x: made_by_hand(max_guesses=x),
    "Game(memory=x)": lambda x: made_by_hand(memory=x),
    "Game.replace(x)": lambda x: GAME.replace(**{str(type(x).__name__): x}),
    "Game.word(x)": GAME.word,
    "Game.feedback(x)": lambda x: GAME.feedback(x, "aa"),
    "Game.read_feedback(x)": GAME.read_feedback,
    "Alphabet(x)": wk.Alphabet,
    "Alphabet(separator=x)": lambda x: wk.Alphabet("ab", x),
    "Alphabet.split(x)": GAME.alphabet.split,
    "a strategy's parameter": lambda x: LastWord(depth=x),
    "a strategy's parameter that there is not": lambda x: LastWord(**{str(type(x).__name__): x}),
    "a strategy's attribute": lambda x: setattr(LastWord(), "depth", x),
    "with_parameters(x)": lambda x: LastWord().with_parameters({"depth": x}),
    "Limits(memory=x)": lambda x: wk.Limits(memory=x),
    "Isolation(sandbox=x)": lambda x: wk.Isolation(sandbox=x),
    "Isolation(limits=x)": lambda x: wk.Isolation(limits=x),
    "Isolation.read(x)": wk.Isolation.read,
    "Isolation.read(limits=x)": lambda x: wk.Isolation.read(limits=x),
    "Command(argv=x)": lambda x: wk.Command(argv=x),
}
"""Public functions and classes, each argument by itself."""

OF_A_LEADERBOARD = {
    "plays(x)": lambda board, x: board.plays(x),
    "compare(x)": lambda board, x: board.compare(x, "first-consistent"),
    "table(format=x)": lambda board, x: board.table(x),
    "table(columns=x)": lambda board, x: board.table(columns=x),
}


def in_one_line(call, *arguments):
    """Call something; an exception must be a one-line WordleKitError without a library's own words."""
    try:
        call(*arguments)
    except wk.WordleKitError as error:
        text = str(error)
        assert text, "an empty message"
        assert len(text.splitlines()) == 1
        assert "pydantic" not in text
        assert "Input should" not in text
        assert "input should" not in text


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_wrong_argument_is_refused_in_one_line(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, wrong in WRONG.items():
        print(name)
        in_one_line(call, wrong)


@pytest.mark.parametrize("call", OF_A_LEADERBOARD.values(), ids=OF_A_LEADERBOARD)
def test_a_wrong_question_to_a_leaderboard_is_refused_in_one_line(call, played):
    for name, wrong in WRONG.items():
        print(name)
        in_one_line(call, played, wrong)


@pytest.mark.parametrize("wrong", [3, b"x", [], Nameless(), GAME], ids=["number", "bytes", "list", "object", "game"])
def test_a_value_that_is_not_a_path_is_refused(played, wrong):
    for call in (
        played.write,
        lambda x: wk.tournament(SMALL, "first-consistent", store=x),
        lambda x: wk.optimal(SMALL, checkpoint=x),
    ):
        with pytest.raises(wk.WordleKitError, match="give the path"):
            call(wrong)


def test_no_module_hides_a_public_name():
    home = Path(wk.__file__).parent
    assert [name for name in wk.__all__ if (home / name).exists() or (home / f"{name}.py").exists()] == []


def test_every_public_function_is_called_here():
    tested = " ".join(CALLS)
    functions = [name for name in wk.__all__ if name.islower() and callable(getattr(wk, name))]
    assert [name for name in functions if f"{name}(" not in tested] == ["hookimpl", "per_instance"]


# What people guess, and what it means


def test_games_are_accepted_by_name_wherever_a_game_is():
    assert len(wk.load_puzzles("wordle", 5)) == 5
    assert wk.known_tree("wordle").game == wk.load_game("wordle")
    assert wk.load_game(GAME) is GAME
    assert wk.play("first-consistent", FIELDS, ["aa"])[0].outcome == wk.Outcome.SOLVED


def test_perfect_play_takes_the_name_of_a_game_and_the_name_of_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "few.toml"
    path.write_text('name = "few"\nalphabet = "ab"\nlength = 2\nanswers = "all"\n')
    assert wk.optimal(str(path), checkpoint="searches.sqlite").total == wk.optimal(SMALL).total
    assert (tmp_path / "searches.sqlite").exists()


def test_a_strategy_may_be_a_text_an_object_or_a_class():
    wanted = wk.play(LastWord(), GAME)
    assert wk.play(LastWord, GAME) == wanted
    assert in_a_thread(strategies=LastWord).rows[0].strategy == "last-word"
    assert in_a_thread(strategies="minimax").rows[0].strategy == "minimax"
    assert [row.strategy for row in in_a_thread(strategies=LastWord(depth=2)).rows] == ["last-word(depth=2)"]


def test_puzzles_of_plays_are_puzzles():
    plays = wk.play("first-consistent", GAME, 4)
    assert wk.play("first-consistent", GAME, [play.puzzle for play in plays]) == plays
    double = GAME.replace(boards=2)
    plays = wk.play("first-consistent", double, 4)
    assert wk.play("first-consistent", double, [play.puzzle for play in plays]) == plays


def test_puzzles_of_another_game_are_refused():
    with pytest.raises(wk.PuzzleError, match="they are of few, not of pairs"):
        wk.play("first-consistent", GAME, wk.load_puzzles(SMALL))


def test_a_leaderboard_takes_texts_for_paths_columns_and_strategies(played, tmp_path):
    files = played.write(str(tmp_path / "out"))
    assert all(path.exists() for path in files)
    assert played.plays(LastWord()) == played.plays("last-word")
    assert played.table(columns="mean").splitlines()[0].split() == ["strategy", "mean"]


def test_a_position_starts_with_a_game():
    with pytest.raises(wk.GameError, match=r"'wordle' is not a Game; give what wordle_kit.load_game returns"):
        wk.Position.start("wordle")


def test_a_game_takes_texts_for_its_alphabet_and_words():
    game = made_by_hand()
    assert (game.answers, game.guesses) == (("ab",), ("ab", "ba"))
    assert game == wk.Game(
        name="by-hand", alphabet=wk.Alphabet("ab"), answers=[("a", "b")], guesses=[("a", "b"), ("b", "a")], rule=RULE
    )


def test_a_plugin_may_be_one_path(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("import wordle_kit as wk\n@wk.hookimpl\ndef register_rules(register):\n    pass\n")
    assert "mine" in wk.Plugins.load(path).origins
    assert "mine" in wk.Plugins.load(str(path)).origins
    assert "mine" in wk.Plugins.load(folders=str(tmp_path)).origins


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: LastWord(depth="deep"),
            "last-word: depth: is 'deep'; give a whole number; its parameters are depth=1",
        ),
        (lambda: LastWord(2), "last-word: give every parameter by its name; its parameters are depth=1"),
        (lambda: wk.Limits(memory=0), "Limits: memory: is 0; give 1 or more"),
        (lambda: wk.Isolation(sandbox="none"), "Isolation: sandbox: is 'none'; give 'auto', 'required' or 'plain'"),
        (lambda: wk.play(len, GAME), "<built-in function len> is not a strategy; give a text such as 'entropy', or a"),
        (lambda: wk.play("entropy", GAME, "aa"), "'aa' is not 'all', a number or a file; give words as a list"),
    ],
)
def test_a_message_says_what_to_pass(make, message):
    with pytest.raises(wk.WordleKitError) as caught:
        make()
    assert message in str(caught.value)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
