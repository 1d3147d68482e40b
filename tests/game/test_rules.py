"""The base classes of rules, feedback as players see it, and mistakes in a rule."""

import pickle
import textwrap

import numpy as np
import pytest

import wordle_kit as wk
from wordle_kit import cli
from wordle_kit.errors import RuleError


class Hits(wk.Rule):
    """The number of symbols in the right place; everything else is left to the base class."""

    def n_codes(self, length):
        return length + 1

    def code(self, guess, answer):
        return sum(g == a for g, a in zip(guess, answer, strict=True))

    def winning_code(self, length):
        return length

    def show(self, code, length):
        return f"{code} of {length}"


class HitsInNumpy(Hits):
    """The same in numpy, as an array in Fortran's order."""

    def codes(self, answers, guesses, alphabet):
        return (guesses[:, None] == answers).sum(axis=2).T


class GreensOnly(wk.MarksRule):
    """Wordle without yellow."""

    def marks(self, guess, answer):
        return [2 if g == a else 0 for g, a in zip(guess, answer, strict=True)]


class Nearby(wk.MarksRule):
    """2 right, 3 a neighbour in the alphabet of what is right, 0 neither."""

    tile_set = "⬜🟨🟩🟦"

    def marks(self, guess, answer):
        return [{0: 2, 1: 3}.get(abs(ord(g) - ord(a)), 0) for g, a in zip(guess, answer, strict=True)]


class Neighbours(wk.MarksRule):
    """Mark 1 is a neighbour in the alphabet, so it does not say that the answer has the symbol."""

    def marks(self, guess, answer):
        return [{0: 2, 1: 1}.get(abs(ord(g) - ord(a)), 0) for g, a in zip(guess, answer, strict=True)]


class Vowel4You(Hits):
    """A rule that is named after its class."""


class Named(Hits):
    """A rule that sets its own name."""

    name = "called-otherwise"


class Wide(Hits):
    """A rule with a given number of codes."""

    def __init__(self, codes):
        self.codes_there_are = codes

    def n_codes(self, length):
        return self.codes_there_are


# Rules


@pytest.mark.parametrize("rule", [Nearby(), Hits(), HitsInNumpy()], ids=["nearby", "hits", "numpy"])
@pytest.mark.parametrize("hard_mode", [False, True], ids=["normal", "hard"])
def test_a_rule_without_a_kernel_has_a_table_and_plays(rule, hard_mode):
    fields = {"name": "toy", "alphabet": "abcde", "length": 3, "answers": "all", "rule": rule, "hard_mode": hard_mode}
    game = wk.load_game(fields)
    some = [0, 11, 77]
    for guess in some:
        expected = [rule.code(game.word(game.guesses[guess]), game.word(game.answers[answer])) for answer in some]
        assert game.table.column(guess, np.array(some, dtype=np.int32)).tolist() == expected
    plays = wk.play("first-consistent", game, ["abc", "eee", "dad"])
    assert [play.guesses[-1] for play in plays] == ["abc", "eee", "dad"]


def test_a_rule_is_named_after_its_class_unless_it_has_a_name():
    assert (Vowel4You.name, GreensOnly.name, Named.name) == ("vowel4-you", "greens-only", "called-otherwise")


def test_rules_of_one_class_and_state_are_equal():
    assert hash(Wide(3)) == hash(Wide(3))
    assert Wide(3) == Wide(3) != Wide(4)
    assert Hits() != Vowel4You()


def test_a_rule_may_have_lists_and_tables():
    game = wk.load_game("wordle")
    rule = type(game.rule)()
    rule.shares, rule.names = [1, 2], {"a": 1}
    board = wk.Position.start(game.replace(rule=rule)).board
    assert len(board.split("soare")) == len(wk.Position.start(game).board.split("soare"))


def test_a_table_has_a_row_after_the_other_in_memory_whatever_the_rule_returns():
    fields = {"name": "toy", "alphabet": "abc", "length": 3, "answers": "all"}
    tables = [wk.load_game(fields | {"rule": rule}).table.whole() for rule in (Hits(), HitsInNumpy())]
    assert tables[0].tolist() == tables[1].tolist()
    assert tables[1].flags.c_contiguous


def test_a_rule_whose_hard_mode_forbids_the_hidden_word_is_refused_and_no_strategy_is_blamed():
    fields = {"name": "toy", "alphabet": "abcdef", "length": 3, "answers": "all", "rule": Neighbours()}
    game = wk.load_game(fields)
    for forbid in (lambda: game.replace(hard_mode=True), lambda: wk.load_game(fields | {"hard_mode": True})):
        with pytest.raises(RuleError, match="needs"):
            forbid()


@pytest.mark.parametrize(("codes", "dtype"), [(256, "uint8"), (257, "uint16"), (2**16, "uint16"), (2**24, "uint32")])
def test_codes_of_a_game_have_the_smallest_type_that_holds_them(codes, dtype):
    game = wk.load_game({"name": "toy", "alphabet": "ab", "length": 2, "answers": "all", "rule": Wide(codes)})
    assert game.table.codes().dtype == game.table.dtype == dtype


# Feedback


def test_feedback_in_characters_is_read_back_by_default():
    assert [Hits().read(f" {n} of 4\n", 4) for n in range(5)] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("text", ["201", "🟩⬜🟨", "🟩⬛🟨", " 201 ", "🟩\ufe0f⬜\ufe0f🟨\ufe0f", "gBY", "🟧⬛🟦"])
def test_marks_are_read_from_digits_letters_and_tiles_of_every_theme(text):
    assert GreensOnly().read(text, 3) == 2 * 9 + 1


def test_a_tile_of_the_rule_itself_is_not_taken_for_one_of_another_theme():
    assert Nearby().read("🟩🟦🟧", 3) == 2 * 16 + 3 * 4 + 2


@pytest.mark.parametrize(
    ("rule", "text"),
    [(Hits(), "5 of 4"), (Hits(), ""), (GreensOnly(), "2031"), (GreensOnly(), "201"), (Nearby(), "²⁰¹²")],
)
def test_text_that_is_not_feedback_is_quoted(rule, text):
    with pytest.raises(wk.GameError) as caught:
        rule.read(text, 4)
    assert repr(text) in str(caught.value)


def test_feedback_shows_itself_as_characters_and_tiles():
    feedback = wk.Feedback(GreensOnly(), 3, 2 * 9)
    assert (str(feedback), feedback.tiles) == ("200", "🟩⬜⬜")
    assert wk.Feedback(Hits(), 3, 1).tiles == "1 of 3"


def test_feedback_is_equal_by_rule_length_and_code():
    feedback = wk.Feedback(Hits(), 3, 1)
    assert len({feedback, wk.Feedback(Hits(), 3, 1)}) == 1
    assert feedback not in (wk.Feedback(Hits(), 3, 2), wk.Feedback(Hits(), 4, 1), wk.Feedback(GreensOnly(), 3, 1))


def test_feedback_pickles():
    feedback = wk.load_game("wordle").feedback("speed", "erase")
    assert pickle.loads(pickle.dumps(feedback)) == feedback


# Mistakes in a rule

FILE = """
    import wordle_kit as wk

    class Broken(wk.Rule):
        def n_codes(self, length):
            return {n_codes}

        def winning_code(self, length):
            return 2

        def code(self, guess, answer):
            return {code}

        def show(self, code, length):
            return str(code)

    @wk.hookimpl
    def register_rules(register):
        register(Broken())

    @wk.hookimpl
    def register_games(register):
        register({{"name": "broken", "alphabet": "ab", "length": 2, "answers": "all", "rule": "broken"}})
"""
# the number of codes, the code of a pair, and what the message names
MISTAKES = {
    "one code too few": ("2", "sum(g == a for g, a in zip(guess, answer))", "winning_code"),
    "a code too large": ("3", "2 if guess == answer else 3 * (guess[0] == answer[0])", "the code 3"),
    "all win": ("3", "2", "'aa'"),
    "nobody wins": ("3", "0", "'aa'"),
    "nothing": ("3", "print()", "None"),
    "an exception": ("3", "{}[guess]", "KeyError"),
}
COMMANDS = ["tournament -g broken -s entropy", "solve -a aa -g broken"]


@pytest.mark.parametrize(
    ("mistake", "command"), [*((mistake, COMMANDS[1]) for mistake in MISTAKES), *(("all win", c) for c in COMMANDS)]
)
def test_a_command_names_the_rule_that_made_a_mistake_and_blames_no_strategy(tmp_path, capfd, mistake, command):
    n_codes, code, fact = MISTAKES[mistake]
    (tmp_path / "broken.py").write_text(textwrap.dedent(FILE.format(n_codes=n_codes, code=code)))
    assert cli.run([*command.split(), "--plugin", str(tmp_path / "broken.py")]) == 2
    (line,) = capfd.readouterr().err.strip().splitlines()
    assert "'broken'" in line
    assert fact in line


def test_a_sample_finds_one_wrong_symbol_in_a_large_table():
    class Wordle(type(wk.load_game("wordle").rule)):
        """Wordle whose readable rule counts no copies, unlike its kernel."""

        def marks(self, guess, answer):
            return [2 if g == a else int(g in answer) for g, a in zip(guess, answer, strict=True)]

    game = wk.load_game("wordle").replace(rule=Wordle())
    with pytest.raises(RuleError, match="codes"):
        game.table.prepare()
