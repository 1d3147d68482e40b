"""The base class of rules, and feedback as players see it."""

import pickle

import numpy as np
import pytest

import wordle_kit as wk


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


class HitsByRow(Hits):
    """The same in numpy."""

    def codes_row(self, answer, guesses, alphabet):
        return (guesses == answer).sum(axis=1)


class GreensOnly(wk.MarksRule):
    """Wordle without yellow."""

    def marks(self, guess, answer):
        return [2 if g == a else 0 for g, a in zip(guess, answer, strict=True)]


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


SCALAR_RULES = '''
"""Two rules without a kernel: the only thing they say is what one guess gets."""

import wordle_kit as wk


class Nearby(wk.MarksRule):
    """2 right, 3 a neighbour in the alphabet of what is right, 0 neither."""

    tile_set = "⬜🟨🟩🟦"

    def marks(self, guess, answer):
        return [{0: 2, 1: 3}.get(abs(ord(g) - ord(a)), 0) for g, a in zip(guess, answer)]


class Hits(wk.Rule):
    """How many symbols are right in place."""

    def n_codes(self, length):
        return length + 1

    def code(self, guess, answer):
        return sum(g == a for g, a in zip(guess, answer))

    def winning_code(self, length):
        return length

    def show(self, code, length):
        return f"{code} of {length}"


@wk.hookimpl
def register_rules(register):
    register(Nearby())
    register(Hits())
'''


@pytest.fixture
def scalar_plugins(tmp_path):
    path = tmp_path / "scalar_rules.py"
    path.write_text(SCALAR_RULES, encoding="utf-8")
    return wk.Plugins.load([path], strict=True)


def words(*texts):
    return [tuple(text) for text in texts]


@pytest.mark.parametrize("rule", ["nearby", "hits"])
@pytest.mark.parametrize("hard_mode", [False, True], ids=["normal", "hard"])
def test_a_rule_without_a_kernel_plays(scalar_plugins, rule, hard_mode):
    fields = {"name": "toy", "alphabet": "abcde", "length": 3, "answers": "all", "rule": rule, "hard_mode": hard_mode}
    game = wk.load_game(fields, scalar_plugins)
    strategy = wk.load_strategy("first-consistent", scalar_plugins)
    plays = wk.play(strategy, game, ["abc", "eee", "dad"])
    assert [play.guesses[-1] for play in plays] == ["abc", "eee", "dad"]


@pytest.mark.parametrize("rule", ["nearby", "hits"])
def test_the_table_of_a_rule_without_a_kernel_holds_the_code_of_each_pair(scalar_plugins, rule):
    fields = {"name": "toy", "alphabet": "abcd", "length": 2, "answers": ["ab", "dc", "aa"], "guesses": "all"}
    game = wk.load_game(fields | {"rule": rule}, scalar_plugins)
    everyone = np.arange(3, dtype=np.int32)
    for i, guess in enumerate(game.guesses):
        expected = [game.rule.code(tuple(guess), tuple(answer)) for answer in game.answers]
        assert game.table.column(i, everyone).tolist() == expected


def test_a_rule_is_named_after_its_class():
    assert Vowel4You.name == "vowel4-you"
    assert GreensOnly.name == "greens-only"


def test_a_rule_may_have_another_name():
    assert Named.name == "called-otherwise"


def test_rules_of_one_class_and_state_are_equal():
    assert Hits() == Hits()
    assert hash(Wide(3)) == hash(Wide(3))
    assert Wide(3) != Wide(4)
    assert Hits() != Vowel4You()


@pytest.mark.parametrize(
    ("codes", "dtype"),
    [(1, "uint8"), (256, "uint8"), (257, "uint16"), (2**16, "uint16"), (2**16 + 1, "uint32"), (2**24, "uint32")],
)
def test_codes_have_the_smallest_type_that_holds_them(codes, dtype):
    rule = Wide(codes)
    alphabet = wk.Alphabet("ab")
    assert np.dtype(rule.code_dtype(2)) == dtype
    assert rule.codes(alphabet.encode(words("ab")), alphabet.encode(words("ba")), alphabet).dtype == dtype


def test_codes_have_a_row_an_answer_and_a_column_a_guess():
    alphabet = wk.Alphabet("abc")
    answers, guesses = alphabet.encode(words("aab", "abc")), alphabet.encode(words("abc", "aab", "ccc"))
    assert Hits().codes(answers, guesses, alphabet).tolist() == [[1, 3, 0], [3, 1, 1]]


def test_feedback_in_characters_is_read_back_by_default():
    assert [Hits().read(f" {n} of 4\n", 4) for n in range(5)] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("text", ["", "5 of 4", "0 of 3", "-1 of 4", "00000", "🟩🟩🟩🟩"])
def test_text_without_a_code_is_an_error_with_an_example(text):
    with pytest.raises(wk.GameError, match="an example is '0 of 4'") as caught:
        Hits().read(text, 4)
    assert repr(text) in str(caught.value)


def test_hard_mode_asks_by_default_for_words_that_could_be_the_answer():
    rule, alphabet, seen = Hits(), wk.Alphabet("abc"), tuple("abc")
    assert rule.hard_mode_problem(tuple("abb"), seen, 2) is None
    problem = rule.hard_mode_problem(tuple("aaa"), seen, 2)
    assert problem == "it could not be the answer"
    mask = rule.hard_mode_mask(alphabet.encode(words("abb", "aaa", "cbc")), seen, 2, alphabet)
    assert mask.tolist() == [True, False, True]


def test_marks_are_digits_the_first_symbol_first():
    rule = GreensOnly()
    assert rule.n_codes(3) == 27
    assert rule.code(tuple("abc"), tuple("aca")) == 2 * 9
    assert rule.show(2 * 9, 3) == "200"
    assert rule.digits(2 * 9 + 1, 3) == [2, 0, 1]


@pytest.mark.parametrize(
    "text", ["201", "🟩⬜🟨", "🟩⬛🟨", " 201 ", "🟩\ufe0f⬜\ufe0f🟨\ufe0f", "GBY", "gby", "🟧⬛🟦"]
)
def test_marks_are_read_from_digits_letters_and_tiles_of_every_theme(text):
    assert GreensOnly().read(text, 3) == 2 * 9 + 1


def test_a_tile_of_the_rule_itself_is_not_taken_for_one_of_another_theme():
    class Four(GreensOnly):
        tile_set = "⬜🟨🟩🟦"

    assert Four().read("🟩🟦🟧", 3) == 2 * 16 + 3 * 4 + 2


def test_feedback_shows_itself_as_characters_and_tiles():
    feedback = wk.Feedback(GreensOnly(), 3, 2 * 9)
    assert str(feedback) == "200"
    assert feedback.tiles == "🟩⬜⬜"
    assert wk.Feedback(Hits(), 3, 1).tiles == "1 of 3"


def test_feedback_wins_where_the_guess_is_the_hidden_word():
    assert wk.Feedback(GreensOnly(), 3, 26).wins
    assert not wk.Feedback(GreensOnly(), 3, 25).wins


def test_feedback_is_equal_by_rule_length_and_code():
    feedback = wk.Feedback(Hits(), 3, 1)
    assert feedback == wk.Feedback(Hits(), 3, 1)
    assert len({feedback, wk.Feedback(Hits(), 3, 1)}) == 1
    assert feedback != wk.Feedback(Hits(), 3, 2)
    assert feedback != wk.Feedback(Hits(), 4, 1)
    assert feedback != wk.Feedback(GreensOnly(), 3, 1)


def test_feedback_cannot_be_changed():
    with pytest.raises(AttributeError):
        wk.Feedback(Hits(), 3, 1).code = 2


def test_feedback_pickles():
    feedback = wk.load_game("wordle").feedback("speed", "erase")
    assert pickle.loads(pickle.dumps(feedback)) == feedback


# Codes by row


def codes_of(rule, length=3):
    game = wk.load_game({"name": "toy", "alphabet": "abc", "length": length, "answers": "all"})
    return rule.codes(game.answer_symbols[:5], game.guess_symbols, game.alphabet)


def test_a_rule_that_gives_a_whole_row_has_the_same_codes_as_one_that_gives_each_pair():
    one_by_one, by_row = codes_of(Hits()), codes_of(HitsByRow())
    assert by_row.tolist() == one_by_one.tolist()
    assert by_row.dtype == one_by_one.dtype == np.uint8
    row = Hits().codes_row(np.array([0, 1, 2]), np.array([[0, 2, 2], [0, 1, 2]]), wk.Alphabet("abc"))
    assert row.tolist() == [2, 3]
