"""The public names: arguments that people may try are accepted, or refused in one line that says what to pass."""

from concurrent.futures import ThreadPoolExecutor

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


WRONG = {
    "None": None,
    "True": True,
    "-1": -1,
    "3": 3,
    "nan": float("nan"),
    "text": "nonsense",
    "two lines": "a\nb(",
    "bytes": b"aa",
    "list": ["aa", 1],
    "list of lists": [[["aa"]]],
    "mapping": {"name": 1},
    "function": len,
    "class of strategies": LastWord,
    "abstract class": wk.Strategy,
    "game": GAME,
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


def made_by_hand(**changes):
    """Make a game from its parts."""
    parts = {"name": "by-hand", "alphabet": "ab", "answers": ["ab"], "guesses": ["ab", "ba"], "rule": GAME.rule}
    return wk.Game(**parts | changes)


CALLS = {
    "load_game(x)": wk.load_game,
    "load_game(plugins=x)": lambda x: wk.load_game(FIELDS, x),
    "load_strategy(x)": wk.load_strategy,
    "load_puzzles(x)": lambda x: wk.load_puzzles(x, 2),
    "load_puzzles(source=x)": lambda x: wk.load_puzzles(GAME, x),
    "play(x)": lambda x: wk.play(x, SMALL),
    "play(game=x)": lambda x: wk.play("first-consistent", x, 1),
    "play(puzzles=x)": lambda x: wk.play("first-consistent", SMALL, x),
    "play(deadline=x)": lambda x: wk.play("first-consistent", SMALL, deadline=x),
    "tournament(x)": lambda x: in_a_thread(game=x),
    "tournament(strategies=x)": lambda x: in_a_thread(strategies=x),
    "tournament(puzzles=x)": lambda x: in_a_thread(puzzles=x),
    "tournament(workers=x)": lambda x: in_a_thread(workers=x),
    "tournament(executor=x)": lambda x: None if x is None else in_a_thread(executor=x),
    "known_tree(x)": wk.known_tree,
    "read_leaderboard(x)": wk.read_leaderboard,
    "read_leaderboard(game=x)": lambda x: wk.read_leaderboard(__file__, x),
    "read_leaderboards(x)": wk.read_leaderboards,
    "tournament(confidence=x)": lambda x: in_a_thread(confidence=x),
    "read_tree(x)": lambda x: wk.read_tree(x, GAME),
    "read_tree(game=x)": lambda x: wk.read_tree("/nowhere/tree.txt", x),
    "Plugins.load(x)": wk.Plugins.load,
    "Position.start(x)": wk.Position.start,
    "Position.after(x)": lambda x: START.after(x, "00"),
    "Position.after(feedback=x)": lambda x: START.after("aa", x),
    "Position.problem_with(x)": START.problem_with,
    "Board.split(x)": START.board.split,
    "Game(alphabet=x)": lambda x: made_by_hand(alphabet=x),
    "Game(answers=x)": lambda x: made_by_hand(answers=x),
    "Game(rule=x)": lambda x: made_by_hand(rule=x),
    "Game(boards=x)": lambda x: made_by_hand(boards=x),
    "Game.replace(x)": lambda x: GAME.replace(**{str(type(x).__name__): x}),
    "Game.feedback(x)": lambda x: GAME.feedback(x, "aa"),
    "Game.read_feedback(x)": GAME.read_feedback,
    "Alphabet(x)": wk.Alphabet,
    "a strategy's parameter": lambda x: LastWord(depth=x),
    "a strategy's parameter that there is not": lambda x: LastWord(**{str(type(x).__name__): x}),
    "Program(argv=x)": lambda x: wk.Program(argv=x),
    "Leaderboard.plays(x)": lambda x, board: board.plays(x),
    "Leaderboard.compare(x)": lambda x, board: board.compare(x, "first-consistent"),
    "Leaderboard.table(format=x)": lambda x, board: board.table(x),
    "Leaderboard.table(columns=x)": lambda x, board: board.table(columns=x),
}
"""Public functions and classes, each argument by itself. Some need a leaderboard too."""


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_argument_is_refused_in_one_line_of_our_own(name, played, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    messages = []
    for wrong in WRONG.values():
        try:
            CALLS[name](wrong, *([played] if name.startswith("Leaderboard") else []))
        except wk.WordleKitError as error:
            messages.append(str(error))
    assert [text for text in messages if len(text.splitlines()) != 1 or "pydantic" in text] == []


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda: LastWord(depth="deep"), "'deep'"),
        (lambda: wk.Limits(memory=0), "memory"),
        (lambda: wk.play("first-consistent", GAME, wk.load_puzzles(SMALL)), "few"),
        (lambda: wk.Position.start("wordle"), "load_game"),
    ],
)
def test_a_message_says_what_to_pass(make, named):
    with pytest.raises(wk.WordleKitError, match=named):
        make()


# What people guess, and what it means


def test_games_are_accepted_by_name_path_and_fields_wherever_a_game_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "few.toml"
    path.write_text('name = "few"\nalphabet = "ab"\nlength = 2\nanswers = "all"\n')
    assert len(wk.load_puzzles("wordle", 5)) == 5
    assert wk.known_tree("wordle").game == wk.load_game("wordle")
    assert wk.load_game(GAME) is GAME
    assert wk.play("first-consistent", FIELDS, ["aa"])[0].outcome == wk.Outcome.SOLVED


def test_a_strategy_may_be_a_text_an_object_or_a_class():
    assert wk.play(LastWord, GAME) == wk.play(LastWord(), GAME)
    assert in_a_thread(strategies=LastWord).rows[0].strategy == "last-word"
    assert in_a_thread(strategies="minimax").rows[0].strategy == "minimax"
    assert [row.strategy for row in in_a_thread(strategies=LastWord(depth=2)).rows] == ["last-word(depth=2)"]


@pytest.mark.parametrize("boards", [1, 2])
def test_puzzles_of_plays_are_puzzles(boards):
    game = GAME.replace(boards=boards)
    plays = wk.play("first-consistent", game, 4)
    assert wk.play("first-consistent", game, [play.puzzle for play in plays]) == plays


def test_a_leaderboard_takes_texts_for_paths_and_columns(played, tmp_path):
    played.write(str(tmp_path / "out.md"), columns="max")
    assert (tmp_path / "out.md").read_text(encoding="utf-8").startswith("| strategy ")
    assert played.table(columns="mean").splitlines()[0].split() == ["strategy", "mean"]


def test_no_setting_means_seed_0(tmp_path):
    random = "random-consistent"
    assert wk.play(random, GAME) == wk.play(random, GAME, seed=0) != wk.play(random, GAME, seed=1)
    board = in_a_thread(game=GAME, strategies=random, puzzles="all", store=tmp_path / "store.sqlite")
    assert list(board.plays(random)) == wk.play(random, GAME)
