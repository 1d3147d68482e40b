"""Alphabets and word files: how a text becomes a word and back."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wordle_kit as wk
from wordle_kit.game.words import Alphabet

LETTERS = st.characters(max_codepoint=0x24F, categories=["L", "N"])
DECOMPOSED = unicodedata.normalize("NFD", "é")
COMPOSED = unicodedata.normalize("NFC", "é")


def test_a_text_is_split_into_its_characters():
    assert wk.Alphabet("abc").split("cab") == ("c", "a", "b")


def test_longer_symbols_are_taken_before_shorter_ones():
    assert wk.Alphabet(["s", "c", "h", "sch", "ch"]).split("schsch") == ("sch", "sch")
    assert wk.Alphabet(["s", "c", "h", "sch", "ch"]).split("sshchc") == ("s", "s", "h", "ch", "c")


def test_a_separator_says_where_symbols_end():
    alphabet = wk.Alphabet(["1", "10", "100"], separator="-")
    assert alphabet.split("10-100-1") == ("10", "100", "1")
    assert alphabet.join(("10", "100", "1")) == "10-100-1"


@pytest.mark.parametrize("text", ["10-", "-10", "10--1", "10 1", ""])
def test_a_separator_without_a_symbol_beside_it_is_an_error(text):
    with pytest.raises(wk.GameError, match="not in the alphabet"):
        wk.Alphabet(["1", "10", "100"], separator="-").split(text)


@given(
    st.lists(LETTERS, min_size=1, unique=True).flatmap(lambda s: st.tuples(st.just(s), st.lists(st.sampled_from(s))))
)
@settings(deadline=None)
def test_splitting_undoes_joining(case):
    symbols, word = case
    alphabet = wk.Alphabet(symbols)
    assert alphabet.split(alphabet.join(word)) == tuple(word)


@given(
    st.lists(st.text("ab1", min_size=1, max_size=3), min_size=1, unique=True).flatmap(
        lambda s: st.tuples(st.just(s), st.lists(st.sampled_from(s), min_size=1))
    )
)
@settings(deadline=None)
def test_splitting_undoes_joining_with_a_separator(case):
    symbols, word = case
    alphabet = wk.Alphabet(symbols, separator="|")
    assert alphabet.split(alphabet.join(word)) == tuple(word)


@pytest.mark.parametrize(
    ("text", "wrong"), [("cabx", "x"), ("xyz", "x"), ("a b", " "), ("ab1", "1"), ("aß", "ß")], ids=repr
)
def test_the_error_names_text_and_first_foreign_part(text, wrong):
    with pytest.raises(wk.GameError) as caught:
        wk.Alphabet("abc").split(text)
    assert repr(text) in str(caught.value)
    assert repr(wrong) in str(caught.value)


def test_capitals_stand_for_small_letters():
    assert wk.Alphabet("abcö").split("ÖBa") == ("ö", "b", "a")


def test_capitals_stand_for_themselves_where_the_alphabet_has_some():
    alphabet = wk.Alphabet("aAb")
    assert alphabet.split("aAb") == ("a", "A", "b")
    with pytest.raises(wk.GameError, match="'B'"):
        alphabet.split("aAB")


def test_words_are_composed_as_nfc_says():
    assert wk.Alphabet(["a", COMPOSED]).split(f"{DECOMPOSED}a") == (COMPOSED, "a")


def test_symbols_are_composed_as_nfc_says():
    alphabet = wk.Alphabet(["a", DECOMPOSED])
    assert alphabet.symbols == ("a", COMPOSED)
    assert alphabet.split(f"a{COMPOSED}") == ("a", COMPOSED)


def test_an_alphabet_written_as_one_text_is_composed_before_it_is_taken_apart():
    assert wk.Alphabet(f"a{DECOMPOSED}").symbols == ("a", COMPOSED)


@pytest.mark.parametrize(
    ("symbols", "separator", "problem"),
    [
        ([], "", "no symbols"),
        (["a", "b", "a"], "", "'a' occurs twice"),
        ([COMPOSED, DECOMPOSED], "", "twice"),
        (["a", ""], "", "'' cannot be a symbol"),
        (["a", "b c"], "", "'b c' cannot be a symbol"),
        (["a", "\n"], "", r"'\\n' cannot be a symbol"),
        (["a", "b-c"], "-", "'b-c' cannot be a symbol"),
        ([f"x{i}" for i in range(2**16 + 1)], "", "at most 65536"),
    ],
    ids=["none", "twice", "twice after NFC", "empty", "space", "line end", "separator", "too many"],
)
def test_an_alphabet_that_cannot_be_used_is_an_error(symbols, separator, problem):
    with pytest.raises(wk.GameError, match=problem):
        wk.Alphabet(symbols, separator)


def test_words_sort_by_the_order_of_the_alphabet():
    alphabet = wk.Alphabet("zyx")
    words = [tuple(word) for word in ("xz", "zx", "yy", "zz")]
    assert sorted(words, key=alphabet.sort_key) == [("z", "z"), ("z", "x"), ("y", "y"), ("x", "z")]


ACUTE, GRAVE = "\N{COMBINING ACUTE ACCENT}", "\N{COMBINING GRAVE ACCENT}"


KIYEOK, NIEUN, A, EO = "\u1100", "\u1102", "\u1161", "\u1165"


@pytest.mark.parametrize(
    ("symbols", "words"),
    [
        (["a", "e", ACUTE, GRAVE], [f"a{ACUTE}", f"e{GRAVE}", f"a{GRAVE}"]),
        ([KIYEOK, NIEUN, A, EO], [KIYEOK + A, NIEUN + EO, KIYEOK + EO]),
        (KIYEOK + NIEUN + A + EO, [KIYEOK + A, NIEUN + EO]),
    ],
)
def test_marks_and_jamo_may_be_symbols(symbols, words):
    game = wk.load_game({"name": "marks", "alphabet": symbols, "length": 2, "answers": words})
    assert game.answers == tuple(sorted(words, key=lambda word: game.alphabet.sort_key(game.word(word))))
    for play in wk.play("first-consistent", game):
        assert play.outcome is wk.Outcome.SOLVED
    assert game.word("\u00e1" if ACUTE in symbols else "\uac00") == tuple(words[0])


def test_a_letter_with_its_accent_is_one_symbol_where_marks_are_none():
    assert Alphabet(f"a{ACUTE}b").symbols == ("\u00e1", "b")
    assert Alphabet("\u00e1b").split(f"a{ACUTE}b") == ("\u00e1", "b")
