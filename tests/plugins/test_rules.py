"""The bundled rules, each against a slow readable twin, and what must hold of every one of them."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wordle_kit as wk
from wordle_kit.game.checked_rules import hard_mode_mask
from wordle_kit.plugins import default_plugins

RULES = {name: rule.value for name, rule in default_plugins().rules.items() if rule.plugin == "rules"}
RULE = pytest.mark.parametrize("rule", RULES.values(), ids=RULES.keys())


some = settings(deadline=None, max_examples=25)  # each example has up to 32 pairs of words


# The twins are written from the definitions, in the plainest words, and share nothing with the project.


def standard(guess, answer):
    """Greens first, then yellows from left to right while letters of the answer are left."""
    marks = [0] * len(guess)
    left = list(answer)
    for place, symbol in enumerate(guess):
        if symbol == answer[place]:
            marks[place] = 2
            left.remove(symbol)
    for place, symbol in enumerate(guess):
        if marks[place] == 0 and symbol in left:
            marks[place] = 1
            left.remove(symbol)
    return marks


def uncounted(guess, answer):
    """Per position green if equal, else yellow if the answer has the letter anywhere."""
    marks = []
    for place, symbol in enumerate(guess):
        if symbol == answer[place]:
            marks.append(2)
        elif symbol in answer:
            marks.append(1)
        else:
            marks.append(0)
    return marks


def left_to_right(guess, answer):
    """One pass with the counts of the answer's letters, which a green may take below zero."""
    count = {symbol: answer.count(symbol) for symbol in answer}
    marks = []
    for place, symbol in enumerate(guess):
        if symbol == answer[place]:
            count[symbol] -= 1
            marks.append(2)
        elif symbol not in count or count[symbol] == 0:
            marks.append(0)
        else:
            count[symbol] -= 1
            marks.append(1)
    return marks


def case_aware(guess, answer):
    """Correct, then the other case in place, then present, then the other case elsewhere; each takes a symbol."""

    def same(one, other):
        return one == other

    def other_case(one, other):
        return one != other and one.lower() == other.lower()

    marks = [0] * len(guess)
    untaken = list(range(len(answer)))
    for mark, matches in ((2, same), (3, other_case)):
        for place, symbol in enumerate(guess):
            if place in untaken and matches(symbol, answer[place]):
                marks[place] = mark
                untaken.remove(place)
    for mark, matches in ((1, same), (4, other_case)):
        for place, symbol in enumerate(guess):
            found = [elsewhere for elsewhere in untaken if matches(symbol, answer[elsewhere])]
            if marks[place] == 0 and found:
                marks[place] = mark
                untaken.remove(found[0])
    return marks


def pegs(guess, answer):
    """Black pegs for symbols in place; white ones for symbols elsewhere, each symbol of the answer once."""
    wrong = [symbol for place, symbol in enumerate(guess) if symbol != answer[place]]
    missed = [symbol for place, symbol in enumerate(answer) if symbol != guess[place]]
    black, white = len(guess) - len(wrong), 0
    for symbol in wrong:
        if symbol in missed:
            missed.remove(symbol)
            white += 1
    return black, white


def in_common(guess, answer):
    """How many symbols of the guess can be crossed out in the answer, each once."""
    left = list(answer)
    for symbol in guess:
        if symbol in left:
            left.remove(symbol)
    return len(answer) - len(left)


def digits_in_base(base, marks):
    """Return the code of the marks of a word by a rule with this many marks."""
    return sum(mark * base**power for power, mark in enumerate(reversed(marks)))


TWINS = {
    "wordle": lambda guess, answer: digits_in_base(3, standard(guess, answer)),
    "wordle-uncounted": lambda guess, answer: digits_in_base(3, uncounted(guess, answer)),
    "wordle-left-to-right": lambda guess, answer: digits_in_base(3, left_to_right(guess, answer)),
    "case-aware": lambda guess, answer: digits_in_base(5, case_aware(guess, answer)),
    "mastermind": lambda guess, answer: pegs(guess, answer)[0] * (len(guess) + 1) + pegs(guess, answer)[1],
    "common-symbols": lambda guess, answer: len(guess) + 1 if guess == answer else in_common(guess, answer),
}

LETTERS = "abcdefghäöABCDEFGHÄÖ0123-+"
MANY = [f"{letter}{i}" for i in range(150) for letter in "aA"]  # 300 symbols, in pairs of other case
ALPHABETS = ["ab", "aAbB", "abcABC", ["a", "A", "sh", "Sh", "k"], MANY]


@st.composite
def words(draw, alphabets=ALPHABETS, max_length=8):
    """Return an alphabet, answers and guesses of few different symbols, so that many are repeated."""
    some_letters = st.text(LETTERS, min_size=1, max_size=12).map(lambda text: "".join(dict.fromkeys(text)))
    symbols = draw(st.sampled_from(alphabets) | some_letters)
    favourites = draw(st.lists(st.sampled_from(symbols), min_size=min(2, len(symbols)), max_size=5, unique=True))
    length = draw(st.integers(1, max_length))
    word = st.binary(min_size=length, max_size=length).map(
        lambda numbers: tuple(favourites[number % len(favourites)] for number in numbers)
    )
    answers = draw(st.lists(word, min_size=1, max_size=4))
    return wk.Alphabet(symbols), answers, draw(st.lists(word, min_size=2, max_size=8))


def codes_of(rule, alphabet, answers, guesses):
    return rule.codes(alphabet.encode(answers), alphabet.encode(guesses), alphabet)


def by_twin(rule, answers, guesses):
    return [[TWINS[rule.name](guess, answer) for guess in guesses] for answer in answers]


def shown(rule, guess, answer):
    """Return the feedback on a pair of words as characters."""
    return RULES[rule].show(RULES[rule].code(tuple(guess), tuple(answer)), len(guess))


@RULE
@given(case=words())
@settings(deadline=None)
def test_the_kernel_and_the_readable_form_give_the_codes_of_the_twin(rule, case):
    alphabet, answers, guesses = case
    expected = by_twin(rule, answers, guesses)
    assert codes_of(rule, alphabet, answers, guesses).tolist() == expected
    assert [[rule.code(guess, answer) for guess in guesses] for answer in answers] == expected


@RULE
@pytest.mark.parametrize("extra", [0, 1, 4097], ids="{:+} guesses".format)
def test_the_kernel_goes_on_from_one_block_of_guesses_to_the_next(rule, extra):
    guesses = list(itertools.islice(itertools.cycle(itertools.product("aAb1", repeat=5)), 4096 + extra))
    answers = [tuple("aAb1a"), tuple("bbaab")]
    codes = codes_of(rule, wk.Alphabet("aAb1"), answers, guesses)
    known = {(guess, answer): TWINS[rule.name](guess, answer) for guess in set(guesses) for answer in answers}
    assert codes.tolist() == [[known[guess, answer] for guess in guesses] for answer in answers]


@RULE
def test_the_kernel_tells_more_than_256_symbols_apart(rule):
    """Symbols whose numbers differ by 256 are different ones."""
    alphabet = wk.Alphabet([f"{letter}{i}" for i in range(300) for letter in "aA"])
    first, *others = (alphabet.symbols[i] for i in (0, 1, 256, 257, 512, 513))
    answers, guesses = [(first, first, others[0])], list(itertools.product([first, *others], repeat=3))
    codes = codes_of(rule, alphabet, answers, guesses)
    assert codes.tolist() == by_twin(rule, answers, guesses)


EXAMPLES = [
    ("wordle", "speed", "erase", "10110"),
    ("wordle", "erase", "speed", "10011"),
    ("wordle", "speed", "crepe", "01210"),
    ("wordle", "epees", "geese", "10211"),
    ("wordle", "geese", "epees", "01211"),
    ("wordle", "geese", "elite", "01002"),
    ("wordle", "allee", "label", "11120"),
    ("wordle", "crane", "crane", "22222"),
    ("wordle", "crane", "moist", "00000"),
    ("wordle-uncounted", "geese", "elite", "01102"),
    ("wordle-uncounted", "geese", "steal", "01211"),
    ("wordle-uncounted", "eerie", "abbey", "11001"),
    ("wordle-uncounted", "aabbb", "cabcc", "12211"),
    ("wordle-left-to-right", "geese", "elite", "01102"),
    ("wordle-left-to-right", "geese", "steal", "01211"),
    ("wordle-left-to-right", "eerie", "abbey", "10000"),
    ("wordle-left-to-right", "aaabb", "cabcc", "12110"),
    ("case-aware", "abc", "abc", "222"),
    ("case-aware", "Abc", "abc", "322"),  # the other case in place
    ("case-aware", "bac", "abc", "112"),  # elsewhere
    ("case-aware", "Bbc", "bcc", "302"),  # in place goes before elsewhere, whatever the case
    ("case-aware", "BxA", "abx", "414"),  # the other case elsewhere
    ("case-aware", "aAx", "xxa", "101"),  # the same case goes first, and takes the only copy
    ("case-aware", "Aax", "xxa", "011"),
    ("case-aware", "Aa1", "aA1", "332"),  # in the other case in place rather than elsewhere in its own
    ("case-aware", "1a1", "111", "202"),  # a symbol without case is not its own other case
    ("case-aware", "11a", "a11", "121"),
    ("mastermind", "1122", "1221", "2,2"),
    ("mastermind", "1111", "1222", "1,0"),
    ("mastermind", "1234", "4321", "0,4"),
    ("mastermind", "1234", "1234", "4,0"),
    ("mastermind", "66", "12", "0,0"),
]


@pytest.mark.parametrize(("rule", "guess", "answer", "expected"), EXAMPLES)
def test_feedback_is_that_of_the_real_game(rule, guess, answer, expected):
    assert shown(rule, guess, answer) == expected


def test_wordle_left_to_right_differs_from_wordle_on_as_many_pairs_as_fetterman_has():
    game = wk.load_game("wordle-2022")
    two = [game.replace(rule=RULES[name]).table for name in ("wordle", "wordle-left-to-right")]
    everyone = np.arange(len(game.answers), dtype=np.int32)
    blocks = [next(table.blocks(everyone))[1] for table in two]
    assert blocks[0].size == 29_894_623
    assert np.count_nonzero(blocks[0] != blocks[1]) == 633_057


def test_case_aware_knows_the_case_of_long_symbols():
    code = RULES["case-aware"].code(("sh", "Sh", "k"), ("Sh", "k", "sh"))
    assert RULES["case-aware"].show(code, 3) == "341"


def test_tiles_show_the_same_in_colour():
    assert wk.load_game("wordle").feedback("speed", "erase").tiles == "🟨⬜🟨🟨⬜"
    assert wk.load_game("mastermind").feedback("1123", "1241").tiles == "⚫⚪⚪·"
    assert RULES["case-aware"].tiles(RULES["case-aware"].code(tuple("BbA"), tuple("bca")), 3) == "🟦⬜🟦"


def codes_that_occur(rule, length):
    """Return the codes of all pairs of words of a, A and b."""
    everything = list(itertools.product("aAb", repeat=length))
    return np.unique(codes_of(rule, wk.Alphabet("aAb"), everything, everything)).tolist()


@RULE
@pytest.mark.parametrize("length", [1, 2, 5])
def test_shown_feedback_and_tiles_are_read_back_and_tiles_are_one_a_symbol(rule, length):
    for code in codes_that_occur(rule, length):
        assert len(rule.tiles(code, length)) == length
        for text in (rule.show(code, length), rule.tiles(code, length)):
            assert rule.read(text, length) == code


@pytest.mark.parametrize(
    ("name", "text", "shown"),
    [
        ("wordle", "byygg", "01122"),
        ("case-aware", "BCGPY", "03241"),
        ("mastermind", "BBW", "2,1"),
        ("mastermind", "w", "0,1"),
    ],
)
def test_feedback_may_be_typed_as_letters(name, text, shown):
    rule = RULES[name]
    assert rule.show(rule.read(text, 5), 5) == shown


def bare(text, rule):
    """Return feedback in a standard form, since some of it may be written in several ways."""
    numbers = text.split(",")
    if len(numbers) == 2:
        numbers = [number.strip().lstrip("0") or "0" for number in numbers]
    text = ",".join(numbers).strip().replace("\ufe0f", "").replace("⬛", "⬜")
    return text if "🟦" in getattr(rule, "tile_set", "🟦") else text.replace("🟦", "🟨")


@RULE
@given(text=st.text(max_size=6) | st.text("01234, ⬛⬜🟨🟩🟦🟪⚫⚪·\ufe0f", max_size=6))
@settings(deadline=None, max_examples=100)
def test_only_shown_feedback_is_read(rule, text):
    try:
        code = rule.read(text, 3)
    except wk.GameError:
        return
    assert text.strip().isalpha() or bare(text, rule) in (rule.show(code, 3), rule.tiles(code, 3))


@RULE
@given(case=words())
@some
def test_hard_mode_never_forbids_the_hidden_word(rule, case):
    _, answers, guesses = case
    for guess, answer in itertools.product(guesses + answers, answers):
        assert rule.hard_mode_problem(answer, guess, rule.code(guess, answer)) is None


@RULE
@given(case=words())
@some
def test_hard_mode_is_the_same_for_one_guess_and_for_many(rule, case):
    alphabet, answers, guesses = case
    for earlier, answer in itertools.product(guesses, answers):
        code = rule.code(earlier, answer)
        allowed = hard_mode_mask(rule, alphabet.encode(guesses + answers), earlier, code, alphabet)
        assert allowed.tolist() == [rule.hard_mode_problem(guess, earlier, code) is None for guess in guesses + answers]


# rule, guessed, hidden, guessed next: what the objection names, or None
HARD_MODE = [
    ("wordle", "crane", "crate", "crate", None),
    ("wordle", "crane", "crate", "grate", "'c'"),
    ("wordle", "crane", "crate", "crane", None),  # a word that is known to be wrong is useless, but allowed
    ("wordle", "crane", "moist", "crane", None),  # so is a word that repeats grey letters
    ("wordle", "crane", "ocean", "canoe", None),
    ("wordle", "crane", "ocean", "cairn", "'e'"),
    ("wordle", "speed", "erase", "reset", None),
    ("wordle", "speed", "erase", "spare", "'e' 2 times"),
    ("wordle", "geese", "elite", "these", None),
    ("wordle", "geese", "elite", "crane", "'e' 2 times"),
    ("wordle", "geese", "elite", "eerie", None),
    ("wordle", "geese", "elite", "eager", "'e'"),
    ("wordle-uncounted", "speed", "erase", "spare", None),  # marks there do not say how many
    ("wordle-uncounted", "speed", "erase", "spoil", "'e'"),
    ("wordle-uncounted", "geese", "elite", "crane", None),
    ("wordle-left-to-right", "geese", "elite", "crane", None),
    ("wordle-left-to-right", "geese", "elite", "crown", "'e'"),
    ("case-aware", "abC", "Abc", "Abc", None),
    ("case-aware", "abC", "Abc", "abc", "'A'"),
    ("case-aware", "abx", "xxB", "xxa", "'B'"),
    ("case-aware", "abx", "xxB", "Bxx", None),
    ("mastermind", "1122", "1221", "1221", None),
    ("mastermind", "1122", "1221", "1122", ""),
    ("mastermind", "1122", "1221", "2112", None),
    ("common-symbols", "aabc", "abba", "bbac", None),
    ("common-symbols", "aabc", "abba", "abcd", None),
    ("common-symbols", "aabc", "abba", "aacb", ""),
]


@pytest.mark.parametrize(("name", "earlier", "answer", "guess", "named"), HARD_MODE)
def test_hard_mode_asks_for_all_hints(name, earlier, answer, guess, named):
    rule = RULES[name]
    earlier, answer, guess = tuple(earlier), tuple(answer), tuple(guess)
    problem = rule.hard_mode_problem(guess, earlier, rule.code(earlier, answer))
    assert problem is None if named is None else named in problem
