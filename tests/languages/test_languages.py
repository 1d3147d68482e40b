"""The languages in which games can be made."""

import pytest

import wordle_kit as wk
from wordle_kit.game.files import bundled_alphabets
from wordle_kit.languages.languages import find_language, languages


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


def test_wordfreq_has_a_list_for_every_language_that_is_said_to_have_frequencies():
    wordfreq = pytest.importorskip("wordfreq", reason="needs wordfreq, which `tox -e tests` installs")
    codes = {language.frequency_code for language in languages().values()} - {""}
    assert codes <= wordfreq.available_languages("best").keys()
