"""A new game in a language: its words, its letters and its files."""

import sys

import pytest
from wordle_kit_plugins import languages
from wordle_kit_plugins.languages import choose, find_language, words_in

import wordle_kit as wk
from wordle_kit.cli import run as command
from wordle_kit.game.files import bundled_alphabets

GERMAN = {"haus": 5e-4, "maus": 2e-5, "gruss": 1e-4, "laus": 3e-6, "york": 1e-5, "café": 1e-6}


def language(code):
    return find_language(code)[1]


@pytest.mark.parametrize("text", ["DE", "german"])
def test_a_language_is_found_by_its_code_and_by_its_name(text):
    assert find_language(text)[0] == "de"


def test_every_alphabet_that_a_language_names_is_bundled_and_every_bundled_one_is_named():
    assert {each.get("alphabet") for each in languages.languages().values()} - {None} == set(bundled_alphabets())


@pytest.mark.slow
def test_wordfreq_has_a_list_for_every_language_that_is_said_to_have_frequencies():
    wordfreq = pytest.importorskip("wordfreq", reason="needs wordfreq, which `tox -e slow` installs")
    codes = {each.get("frequencies", code) for code, each in languages.languages().items()} - {""}
    assert codes <= wordfreq.available_languages("best").keys()


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
    assert words_in(tmp_path / "list.txt", language(code)) == words


@pytest.mark.parametrize(("content", "problem"), [(b"gr\xfcn\n", "line 1"), (b"12\n'\n", "list.txt")])
def test_a_list_that_cannot_be_used_is_named(tmp_path, content, problem):
    (tmp_path / "list.txt").write_bytes(content)
    with pytest.raises(wk.GameError, match=problem):
        words_in(tmp_path / "list.txt", language("de"))


def test_words_of_the_list_that_have_a_frequency_come_with_the_most_frequent_first_but_none_with_foreign_letters():
    found, alphabet, foreign = choose(["laus", "haus", "café", "ahle", "maus", "häuser"], GERMAN, language("de"), 4)
    assert list(found.items()) == [("haus", 5e-4), ("maus", 2e-5), ("laus", 3e-6)]
    assert (alphabet.symbols, foreign) == (tuple("ahlmsu"), ["café"])


@pytest.mark.parametrize(("length", "word"), [(3, "nyár"), (3, "szép"), (4, "kígyó")])
def test_a_letter_of_several_characters_counts_once(length, word):
    words = ["nyár", "szép", "kígyó"]
    assert word in choose(words, dict.fromkeys(words, 0.1), language("hu"), length)[0]


def test_a_language_without_an_alphabet_has_the_letters_of_its_words():
    _, alphabet, _ = choose(["dům", "pes", "kočka"], {"dům": 0.1, "pes": 0.2}, language("cs"), 3)
    assert alphabet.symbols == tuple(sorted("důmpes"))


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def known(monkeypatch):
    """Have frequencies of a few German words, and none of Welsh."""
    monkeypatch.setattr(languages.metadata, "version", lambda name: "3.1.1")
    monkeypatch.setattr(languages, "frequencies_of", lambda code, _: GERMAN if code == "de" else {})


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
    assert game.alphabet.symbols == tuple("aghlmrsuß")


def test_without_a_number_of_answers_all_words_may_be_hidden_and_the_game_names_its_sources(new, known, german, here):
    assert new("wort", "--language", "de", "--length", "4", "--words", german)[0] == 0
    assert len(wk.load_game("wort/wort.toml").answers) == 4
    text = (here / "wort" / "wort.toml").read_text(encoding="utf-8")
    for source in ("by Robyn Speer", "CC BY-SA 4.0", "liste.txt", "--length 4"):
        assert source in text


def test_without_a_list_a_warning_says_what_helps(new, known):
    code, _, err = new("wort", "--language", "de", "--length", "4")
    assert code == 0
    assert len(wk.load_game("wort/wort.toml").answers) == 4
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
    (here / "liste.txt").write_text("Größe\nLöffel\nTasche\nBlumen\nblumig\nXyzab\n", encoding="utf-8")
    assert new("wort", "--language", "de", "--length", "5", "--words", "liste.txt")[0] == 0
    game = wk.load_game("wort/wort.toml")
    assert (game.answers, game.weights) == (
        ("größe",),
        (pytest.approx(wordfreq.word_frequency("größe", "de") * 1e6, rel=0.01),),
    )
