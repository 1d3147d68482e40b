"""The languages in which games can be made: where dictionaries are found, and the words that are read from them."""

import pytest

import wordle_kit as wk
from wordle_kit.game.files import bundled_alphabets
from wordle_kit.languages import languages as languages_module
from wordle_kit.languages.languages import (
    find_language,
    installed_dictionary,
    languages,
    read_dictionary,
)
from wordle_kit.languages.new_game import alphabet_of


@pytest.mark.parametrize("text", ["de", "DE", "German", "german"])
def test_a_language_is_found_by_its_code_and_by_its_name(text):
    assert find_language(text).code == "de"


@pytest.mark.parametrize(
    ("text", "problem"),
    [("dee", "no language is called 'dee'; did you mean"), ("Hungarain", "did you mean 'hungarian'"), ("xx", "bg, bs")],
)
def test_an_unknown_language_is_an_error_that_says_which_there_are(text, problem):
    with pytest.raises(wk.WordleKitError) as caught:
        find_language(text)
    assert problem in str(caught.value)


def test_every_alphabet_that_a_language_names_is_bundled_and_every_bundled_one_is_named():
    assert {language.alphabet for language in languages().values()} - {None} == set(bundled_alphabets())


@pytest.mark.parametrize(("code", "alphabet"), [("hu", "hungarian"), ("hr", "croatian"), ("cy", "welsh")])
def test_languages_with_letters_of_two_characters_use_their_alphabets(code, alphabet):
    assert find_language(code).alphabet == alphabet


@pytest.mark.slow
def test_wordfreq_has_a_list_for_every_language_that_is_said_to_have_frequencies():
    wordfreq = pytest.importorskip("wordfreq", reason="needs wordfreq, which `tox -e slow` installs")
    codes = {language.frequency_code for language in languages().values()} - {""}
    assert codes <= wordfreq.available_languages("best").keys()


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Return a function that installs empty dictionaries, as paths below a folder of shared data."""
    monkeypatch.setattr(languages_module, "WORD_LISTS", tmp_path / "dict")
    monkeypatch.setattr(languages_module, "SPELLING", tmp_path / "hunspell")

    def installed(*names):
        for name in names:
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).touch()
        return tmp_path

    return installed


def words(tmp_path, code, text):
    """Return what is read from a word list of a language."""
    (tmp_path / "list.txt").write_text(text, encoding="utf-8")
    language = find_language(code)
    return read_dictionary(tmp_path / "list.txt", language, alphabet_of(language).lower)


def test_a_word_list_is_found_before_a_dictionary_of_stems(installed):
    folder = installed("dict/ngerman", "hunspell/de_DE.dic")
    assert installed_dictionary(find_language("de")) == folder / "dict" / "ngerman"


def test_a_spelling_dictionary_is_found(installed):
    folder = installed("hunspell/hu_HU.dic", "dict/ngerman")
    assert installed_dictionary(find_language("hu")) == folder / "hunspell" / "hu_HU.dic"


def test_a_language_whose_dictionary_is_not_installed_has_none(installed):
    installed("dict/ngerman")
    assert installed_dictionary(find_language("fr")) is None


def test_german_nouns_are_words_in_small_letters_and_sharp_s_stays(tmp_path):
    assert words(tmp_path, "de", "Straße\nHaus\nhaus\ngrün\n") == ["straße", "haus", "grün"]


def test_names_are_left_out_where_nouns_are_not_capitalised(tmp_path):
    assert words(tmp_path, "fr", "Paris\nmaison\nété\n") == ["maison", "été"]


def test_a_list_that_is_all_in_capitals_has_no_names(tmp_path):
    assert words(tmp_path, "fr", "MAISON\nÉTÉ\n") == ["maison", "été"]


def test_words_with_apostrophes_hyphens_and_digits_are_left_out(tmp_path):
    assert words(tmp_path, "en", "cat's\nx-ray\n3d\ncat\n") == ["cat"]


def test_turkish_capitals_become_their_own_small_letters(tmp_path):
    assert words(tmp_path, "tr", "IŞIK\nİSİM\n") == ["ışık", "isim"]


def test_letters_with_marks_are_composed(tmp_path):
    assert words(tmp_path, "de", "gru\u0308n\n") == ["grün"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [(b"gr\xfcn\n", "line 1: is not UTF-8 text"), (b"12\n'\n", "has no words")],
)
def test_a_list_that_cannot_be_used_is_an_error(tmp_path, content, problem):
    (tmp_path / "list.txt").write_bytes(content)
    with pytest.raises(wk.GameError, match=problem):
        read_dictionary(tmp_path / "list.txt", find_language("de"), str.lower)
