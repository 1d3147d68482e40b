"""Alphabets: how a text becomes a word and back."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wordle_kit as wk

LETTERS = st.characters(max_codepoint=0x24F, categories=["L", "N"])
DECOMPOSED = unicodedata.normalize("NFD", "é")
COMPOSED = unicodedata.normalize("NFC", "é")
ACUTE, GRAVE = "\N{COMBINING ACUTE ACCENT}", "\N{COMBINING GRAVE ACCENT}"
KIYEOK, NIEUN, A, EO = "\u1100", "\u1102", "\u1161", "\u1165"


@pytest.mark.parametrize(
    ("symbols", "text", "word"),
    [
        ("abc", "cab", "c a b"),
        (["s", "c", "h", "sch", "ch"], "sschsch", "s sch sch"),  # longer symbols first
        (["s", "c", "h", "sch", "ch"], "sshchc", "s s h ch c"),
        ("abcö", "ÖBa", "ö b a"),  # capitals stand for small letters
        ("aAb", "aAb", "a A b"),  # unless the alphabet has some
        (["a", COMPOSED], f"{DECOMPOSED}a", f"{COMPOSED} a"),
        (["a", DECOMPOSED], f"a{COMPOSED}", f"a {COMPOSED}"),
        (f"a{DECOMPOSED}", f"a{COMPOSED}", f"a {COMPOSED}"),
    ],
)
def test_a_text_is_split_into_its_symbols(symbols, text, word):
    assert " ".join(wk.Alphabet(symbols).split(text)) == word


def test_a_separator_says_where_symbols_end():
    alphabet = wk.Alphabet(["1", "10", "100"], separator="-")
    assert alphabet.split("10-100-1") == ("10", "100", "1")
    assert alphabet.join(("10", "100", "1")) == "10-100-1"


@given(
    st.lists(LETTERS, min_size=1, unique=True).flatmap(lambda s: st.tuples(st.just(s), st.lists(st.sampled_from(s))))
)
@settings(deadline=None)
def test_splitting_undoes_joining(case):
    symbols, word = case
    alphabet = wk.Alphabet(symbols)
    assert alphabet.split(alphabet.join(word)) == tuple(word)


def test_words_sort_by_the_order_of_the_alphabet():
    alphabet = wk.Alphabet("zyx")
    words = [tuple(word) for word in ("xz", "zx", "yy", "zz")]
    assert sorted(words, key=alphabet.sort_key) == [("z", "z"), ("z", "x"), ("y", "y"), ("x", "z")]


@pytest.mark.parametrize(
    ("symbols", "words"),
    [
        (["a", "e", ACUTE, GRAVE], [f"a{ACUTE}", f"e{GRAVE}", f"a{GRAVE}"]),
        (KIYEOK + NIEUN + A + EO, [KIYEOK + A, NIEUN + EO, KIYEOK + EO]),
    ],
)
def test_marks_and_jamo_may_be_symbols(symbols, words):
    game = wk.load_game({"name": "marks", "alphabet": symbols, "length": 2, "answers": words})
    assert game.answers == tuple(sorted(words, key=lambda word: game.alphabet.sort_key(game.word(word))))
    for play in wk.play("first-consistent", game):
        assert play.outcome is wk.Outcome.SOLVED
    assert game.word("\u00e1" if ACUTE in symbols else "\uac00") == tuple(words[0])


def test_a_letter_with_its_accent_is_one_symbol_where_marks_are_none():
    assert wk.Alphabet(f"a{ACUTE}b").symbols == ("\u00e1", "b")
    assert wk.Alphabet("\u00e1b").split(f"a{ACUTE}b") == ("\u00e1", "b")


@pytest.mark.parametrize(
    ("symbols", "separator", "text", "fact"),
    [
        ([], "", None, "symbols"),
        (["a", "b", "a"], "", None, "'a'"),
        ([COMPOSED, DECOMPOSED], "", None, COMPOSED),
        (["a", "b c"], "", None, "'b c'"),
        (["a", "b-c"], "-", None, "'b-c'"),
        ([f"x{i}" for i in range(2**16 + 1)], "", None, "65536"),
        ("abc", "", "xyz", "'x'"),
        ("abc", "", "a b", "' '"),
        ("aAb", "", "aAB", "'B'"),
        (["1", "10", "100"], "-", "10--1", "10--1"),
        (["1", "10", "100"], "-", "-10", "-10"),
    ],
)
def test_a_mistake_in_an_alphabet_or_in_a_word_is_named(symbols, separator, text, fact):
    with pytest.raises(wk.GameError, match=fact):
        wk.Alphabet(symbols, separator).split(text)
