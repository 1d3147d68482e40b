"""A new game in a language: its words and its files."""

import sys

import pytest
from wordle_kit_plugins.languages import languages, new_game
from wordle_kit_plugins.languages.languages import Frequencies, find_language
from wordle_kit_plugins.languages.new_game import select

import wordle_kit as wk
from wordle_kit.cli import run as command

LISTED = Frequencies({"haus": 0.5, "maus": 0.2, "gruss": 0.1, "laus": 0.2, "york": 0.01, "café": 0.01}, "3")


def test_words_of_the_dictionary_that_have_a_frequency_come_with_the_most_frequent_first():
    found = select(find_language("de"), 4, ["laus", "haus", "ahle", "maus", "häuser"], LISTED)
    assert (found.words, found.frequencies) == (("haus", "laus", "maus"), {"haus": 0.5, "laus": 0.2, "maus": 0.2})
    assert found.listed == 5


def test_without_a_dictionary_all_words_are_taken_names_too():
    assert "york" in select(find_language("de"), 4, None, LISTED).words


def test_words_with_foreign_letters_are_dropped_and_the_letters_named():
    found = select(find_language("de"), 4, ["café", "haus"], LISTED)
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


GERMAN = {"haus": 5e-4, "maus": 2e-5, "gruss": 1e-4, "laus": 3e-6, "york": 1e-5, "café": 1e-6}


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """Work in an empty folder, on a machine without dictionaries."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(languages, "WORD_LISTS", tmp_path / "dict")
    monkeypatch.setattr(languages, "SPELLING", tmp_path / "hunspell")
    return tmp_path


@pytest.fixture
def known(monkeypatch):
    """Have frequencies of a few German words, and none of Welsh."""
    known = Frequencies(GERMAN, "3.1.1")
    monkeypatch.setattr(new_game, "read_frequencies", lambda language: known if language.code == "de" else None)


@pytest.fixture
def new(capsys):
    """Return a function that runs `wordle-kit new game` and returns its exit code and what it printed."""

    def new(*arguments):
        code = command(["new", "game", *arguments])
        printed = capsys.readouterr()
        return code, printed.out.splitlines(), printed.err

    return new


@pytest.fixture
def german(here):
    """Return a word list, given in capitals where German has them."""
    (here / "liste.txt").write_text("Haus\nMaus\nLaus\nGruß\nCafé\nAhle\ngrün\n", encoding="utf-8")
    return "liste.txt"


def test_a_game_has_the_most_frequent_words_as_answers_with_their_weights_and_the_others_as_guesses(new, known, german):
    code, _, err = new("wort", "--language", "de", "--length", "4", "--words", german, "--answers", "2")
    assert (code, err) == (0, "")
    game = wk.load_game("wort/wort.toml")
    assert (game.answers, game.guesses) == (("gruß", "haus"), ("gruß", "haus", "laus", "maus"))
    assert game.weights == (100.0, 500.0)


def test_without_a_number_of_answers_all_words_may_be_hidden_and_the_files_name_their_sources(new, known, german, here):
    assert new("wort", "--language", "de", "--length", "4", "--words", german)[0] == 0
    assert len(wk.load_game("wort/wort.toml").answers) == 4
    for name in ("wort.toml", "README.md"):
        text = (here / "wort" / name).read_text(encoding="utf-8")
        for source in ("wordfreq 3.1.1", "CC BY-SA 4.0", "liste.txt"):
            assert source in text


def test_without_a_dictionary_a_warning_says_what_helps(new, known):
    code, _, err = new("wort", "--language", "de", "--length", "4")
    assert code == 0
    assert len(wk.load_game("wort/wort.toml").answers) == 4
    assert "wngerman" in err
    assert "--words" in err


def test_a_language_without_frequencies_takes_the_words_of_a_list(new, known, here):
    (here / "geiriau.txt").write_text("llyfr\ncwch\ndydd\nci\n")
    assert new("gair", "--language", "cy", "--length", "3", "--words", "geiriau.txt")[0] == 0
    game = wk.load_game("gair/gair.toml")
    assert (game.answers, game.weights) == (("cwch", "dydd"), None)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["wort", "--language", "dee", "--length", "4"], "'dee'"),
        (["wort", "--language", "cy", "--length", "4"], "wordfreq"),
        (["gair", "--language", "cy", "--length", "3", "--words", "list.txt", "--answers", "1"], "--answers"),
        (["Wort", "--language", "de", "--length", "4"], "'Wort'"),
        (["wordle", "--language", "de", "--length", "4"], "'wordle'"),
        (["wort", "--language", "de", "--length", "4", "--words", "none"], "none"),
        (["taken", "--language", "de", "--length", "4"], "taken"),
    ],
)
def test_an_impossible_game_is_named_and_nothing_is_written(new, known, here, arguments, problem):
    (here / "taken").mkdir()
    (here / "list.txt").write_text("dydd\n")
    code, out, err = new(*arguments)
    assert (code, out, err.count("\n")) == (2, [], 1)
    assert problem in err
    assert {*here.rglob("*")} == {here / "taken", here / "list.txt"}


def test_the_package_is_named_where_wordfreq_is_not_installed(new, german, monkeypatch):
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    assert "wordfreq" in new("wort", "--language", "de", "--length", "4", "--words", german)[2]


@pytest.mark.slow
def test_the_real_frequencies_make_a_german_game(new, here):
    wordfreq = pytest.importorskip("wordfreq", reason="needs wordfreq, which `tox -e slow` installs")
    (here / "liste.txt").write_text("Straße\nLöffel\nTasche\nBlumen\nblumig\nXyzabc\n", encoding="utf-8")
    code, _, _ = new("wort", "--language", "de", "--length", "6", "--words", "liste.txt")
    assert code == 0
    weights = dict(zip(*((game := wk.load_game("wort/wort.toml")).answers, game.weights), strict=True))
    assert weights["straße"] == pytest.approx(wordfreq.word_frequency("straße", "de") * 1e6, rel=0.01)


@pytest.mark.slow
def test_the_german_list_has_as_many_words_as_was_measured():
    wordfreq = pytest.importorskip("wordfreq", reason="needs wordfreq, which `tox -e slow` installs")
    words = [word for word in wordfreq.get_frequency_dict("de", "best") if len(word) == 5 and word.isalpha()]
    assert len(words) == 35_760
