"""The languages in which games can be made: where dictionaries are found, and the words that are read from them."""

import pytest
from wordle_kit_plugins.languages import languages as languages_module
from wordle_kit_plugins.languages.languages import (
    find_language,
    installed_dictionary,
    languages,
    read_dictionary,
)
from wordle_kit_plugins.languages.new_game import alphabet_of

import wordle_kit as wk
from wordle_kit.game.files import bundled_alphabets


@pytest.mark.parametrize("text", ["DE", "german"])
def test_a_language_is_found_by_its_code_and_by_its_name(text):
    assert find_language(text).code == "de"


def test_an_unknown_language_is_named():
    with pytest.raises(wk.WordleKitError, match="'dee'"):
        find_language("dee")


def test_every_alphabet_that_a_language_names_is_bundled_and_every_bundled_one_is_named():
    assert {language.alphabet for language in languages().values()} - {None} == set(bundled_alphabets())


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


def test_a_word_list_is_found_before_a_dictionary_of_stems(installed):
    folder = installed("dict/ngerman", "hunspell/de_DE.dic", "hunspell/hu_HU.dic")
    assert installed_dictionary(find_language("de")) == folder / "dict" / "ngerman"
    assert installed_dictionary(find_language("hu")) == folder / "hunspell" / "hu_HU.dic"
    assert installed_dictionary(find_language("fr")) is None


@pytest.mark.parametrize(
    ("code", "text", "words"),
    [
        pytest.param("de", "Straße\nHaus\nhaus\ngrün\n", ["straße", "haus", "grün"], id="nouns"),
        pytest.param("de", "gru\u0308n\n", ["grün"], id="composed"),
        pytest.param("fr", "Paris\nmaison\nété\n", ["maison", "été"], id="names"),
        pytest.param("fr", "MAISON\nÉTÉ\n", ["maison", "été"], id="capitals"),
        pytest.param("en", "cat's\nx-ray\n3d\ncat\n", ["cat"], id="signs"),
        pytest.param("tr", "IŞIK\nİSİM\n", ["ışık", "isim"], id="dotless"),
    ],
)
def test_the_words_of_a_list_are_small_letters_without_names_and_signs(tmp_path, code, text, words):
    (tmp_path / "list.txt").write_text(text, encoding="utf-8")
    language = find_language(code)
    assert read_dictionary(tmp_path / "list.txt", language, alphabet_of(language).lower) == words


@pytest.mark.parametrize(("content", "problem"), [(b"gr\xfcn\n", "line 1"), (b"12\n'\n", "list.txt")])
def test_a_list_that_cannot_be_used_is_named(tmp_path, content, problem):
    (tmp_path / "list.txt").write_bytes(content)
    with pytest.raises(wk.GameError, match=problem):
        read_dictionary(tmp_path / "list.txt", find_language("de"), str.lower)
