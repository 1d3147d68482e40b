"""The words of a new game: those that a dictionary and the frequencies have."""

import pytest

from wordle_kit.languages.frequencies import Frequencies
from wordle_kit.languages.languages import find_language
from wordle_kit.languages.selection import select

GERMAN = Frequencies({"haus": 0.5, "maus": 0.2, "gruss": 0.1, "laus": 0.2, "york": 0.01, "café": 0.01}, "3")


def test_words_of_the_dictionary_that_have_a_frequency_come_with_the_most_frequent_first():
    found = select(find_language("de"), 4, ["laus", "haus", "ahle", "maus", "häuser"], GERMAN)
    assert (found.words, found.frequencies) == (("haus", "laus", "maus"), {"haus": 0.5, "laus": 0.2, "maus": 0.2})
    assert found.listed == 5


def test_sharp_s_is_one_letter_although_frequencies_are_listed_with_ss():
    assert select(find_language("de"), 4, ["gruß", "haus"], GERMAN).frequencies == {"haus": 0.5, "gruß": 0.1}


def test_without_a_dictionary_all_words_are_taken_names_too():
    assert "york" in select(find_language("de"), 4, None, GERMAN).words


def test_words_with_foreign_letters_are_dropped_and_the_letters_named():
    found = select(find_language("de"), 4, ["café", "haus"], GERMAN)
    assert (found.words, found.dropped, found.foreign) == (("haus",), ("café",), ["é"])


def test_without_frequencies_all_words_of_the_dictionary_are_taken_in_the_order_of_the_alphabet():
    found = select(find_language("cy"), 3, ["llyfr", "dydd", "cwch", "ci"], None)
    assert (found.words, found.frequencies) == (("cwch", "dydd"), None)


@pytest.mark.parametrize(("length", "word"), [(3, "nyár"), (3, "szép"), (4, "kígyó")])
def test_a_letter_of_several_characters_counts_once(length, word):
    words = ["nyár", "szép", "kígyó"]
    found = select(find_language("hu"), length, words, Frequencies(dict.fromkeys(words, 0.1), "3"))
    assert word in found.words
    assert found.listed == len(found.words)


def test_a_language_without_an_alphabet_has_the_letters_of_its_words():
    found = select(find_language("cs"), 3, ["dům", "pes", "kočka"], Frequencies({"dům": 0.1, "pes": 0.2}, "3"))
    assert found.alphabet.symbols == tuple(sorted("důmpes"))
