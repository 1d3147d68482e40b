"""The strategies that only filter, and how they are lifted to several boards."""

import pytest
from wordle_kit_plugins.baselines import FirstConsistent, Lifted, RandomConsistent
from wordle_kit_plugins.partition import Entropy

import wordle_kit as wk
from wordle_kit.tournaments.entrants import enter

FIELDS = {"name": "abc", "alphabet": "abcd", "length": 3, "answers": "all"}
GAME = wk.load_game(FIELDS | {"boards": 3})
CHOICES = ("fewest", "most", "first")


@pytest.fixture(scope="module")
def position():
    """Return a position whose first board has 4 words left, the second one and the third three."""
    position = wk.Position.start(GAME, seed="7").after("abc", ["200", "000", "001"])
    assert [len(board) for board in position.boards] == [4, 1, 3]
    return position


# On one board


def test_the_first_candidate_is_guessed():
    position = wk.Position.start(GAME.replace(boards=1)).after("abc", "200")
    assert FirstConsistent().guess(position) == position.board.words[0] == "aaa"


def test_every_candidate_is_guessed_with_the_same_chance():
    words = [
        RandomConsistent().guess(wk.Position.start(GAME, seed=str(seed)).after("abc", ["200"] * 3))
        for seed in range(400)
    ]
    assert set(words) == {"aaa", "aad", "ada", "add"}
    assert min(map(words.count, set(words))) > 60


# Which board is played


@pytest.mark.parametrize(("choice", "number"), [("fewest", 1), ("most", 0), ("first", 0)])
@pytest.mark.parametrize("base", [FirstConsistent(), RandomConsistent()])
def test_a_lifted_strategy_plays_the_board_that_it_is_given(position, base, choice, number):
    alone = wk.Position(GAME, [position.boards[number]], position.guess_ids, seed="7")
    assert Lifted(base=base, board=choice).guess(position) == base.guess(alone)


def test_the_first_board_need_not_be_the_one_with_the_most_words():
    position = wk.Position.start(GAME).after("abc", ["001", "000", "200"])
    guesses = {choice: Lifted(board=choice).guess(position) for choice in CHOICES}
    assert guesses == {"fewest": "ddd", "most": "aaa", "first": "ccd"}


def test_a_strategy_is_given_the_board_with_the_fewest_words_unless_it_is_lifted_to_another(position):
    assert Lifted().guess(position) == FirstConsistent().guess(position) == "ddd"


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("base", ["entropy", "minimax(combine=min)"])
def test_a_strategy_that_looks_at_all_boards_plays_on_as_it_would(base, choice):
    lifted = wk.load_strategy(f"lifted(base={base}, board={choice})")
    assert wk.play(lifted, GAME, 5) == wk.play(base, GAME, 5)


def test_on_one_board_lifting_changes_nothing():
    alone = GAME.replace(boards=1)
    for choice in CHOICES:
        assert wk.play(Lifted(board=choice), alone) == wk.play(FirstConsistent(), alone)


@pytest.mark.parametrize("base", ["first-consistent", "random-consistent"])
def test_while_the_first_board_is_open_every_guess_may_be_its_word(base):
    for play in wk.play(f"lifted(base={base}, board=first)", GAME, 20):
        for turn in range(play.board_turns[0]):
            earlier = zip(play.guesses[:turn], play.feedback, strict=False)
            assert all(str(GAME.feedback(guess, play.guesses[turn])) == seen[0] for guess, seen in earlier)


# The strategy that is lifted


def test_it_is_stochastic_exactly_if_its_base_is():
    assert not Lifted(base=Entropy()).stochastic
    assert Lifted(base=Lifted(base=RandomConsistent())).stochastic


def test_a_stochastic_base_replays_under_its_seed():
    spec = "lifted(base=random-consistent, board=most)"
    plays = wk.play(spec, GAME, 10, seed=5)
    puzzles = [" ".join(play.puzzle) for play in plays]
    assert wk.play(spec, GAME, puzzles, seed=5) == plays
    assert wk.play(spec, GAME, puzzles, seed=6) != plays


def test_it_cannot_play_a_game_that_its_base_cannot():
    assert Lifted(base=Entropy(opener="abc")).problem_with(GAME) is None
    assert "'xyz'" in Lifted(base=Lifted(base=Entropy(opener="xyz"))).problem_with(GAME)


def test_it_plays_only_where_it_is_named():
    everybody, _ = enter(None, GAME)
    assert "first-consistent" in {entrant.label for entrant in everybody}
    assert "lifted" not in {entrant.label for entrant in everybody}
    assert [entrant.label for entrant in enter(["lifted"], GAME)[0]] == ["lifted"]


# Stored results


def identity(spec, plugins=None):
    ((entrant,), _) = enter([spec], GAME, plugins)
    return entrant.identity


def test_parameters_of_the_base_and_the_board_are_part_of_the_identity():
    specs = ["lifted", "lifted(board=most)", "lifted(base=entropy)", "lifted(base=entropy(opener=abc))"]
    assert len({identity(spec) for spec in specs}) == 4
    assert identity("lifted(base=first-consistent)") == identity("lifted") == identity("lifted(board=fewest)")


def test_a_changed_base_is_played_again(tmp_path, own_store):
    def opener(word):
        plugin = tmp_path / "mine.py"
        plugin.write_text(
            "import wordle_kit as wk\n"
            "class Mine(wk.Strategy):\n"
            "    def guess(self, position):\n"
            f"        return {word!r} if position.turn == 1 else position.board.words[0]\n"
            "@wk.hookimpl\n"
            "def register_strategies(register):\n"
            "    register(Mine())\n"
        )
        plugins = wk.Plugins.load([plugin], strict=True)
        board = wk.tournament(GAME, ["lifted(base=mine)"], 3, workers=1, store=own_store, plugins=plugins)
        return board.rows[0].opener

    assert [opener("abc"), opener("bca"), opener("abc")] == ["abc", "bca", "abc"]
