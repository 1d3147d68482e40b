"""Alphabets in files: the bundled ones by name, and those of one's own."""

import unicodedata

import pytest

import wordle_kit as wk
from wordle_kit.game.alphabets import bundled_alphabets, symbols_in


def split(alphabet, word):
    """Return the symbols of a word in a bundled alphabet, with hyphens between them."""
    return "-".join(wk.Alphabet(symbols_in(alphabet)).split(word))


@pytest.mark.parametrize("name", bundled_alphabets())
def test_a_bundled_alphabet_has_small_letters_in_composed_form(name):
    symbols = symbols_in(name)
    assert symbols == [unicodedata.normalize("NFC", symbol.lower()) for symbol in symbols]
    assert [split(name, symbol) for symbol in symbols] == symbols


@pytest.mark.parametrize(("name", "letters"), [("hungarian", 44), ("croatian", 30), ("welsh", 29), ("german", 30)])
def test_an_alphabet_has_as_many_letters_as_its_language(name, letters):
    assert len(symbols_in(name)) == letters


@pytest.mark.parametrize(
    ("alphabet", "word", "letters"),
    [
        ("hungarian", "gyerek", "gy-e-r-e-k"),
        ("hungarian", "dzsessz", "dzs-e-s-sz"),
        ("hungarian", "Zsák", "zs-á-k"),
        ("croatian", "džep", "dž-e-p"),
        ("croatian", "LJUBAV", "lj-u-b-a-v"),
        ("croatian", "konj", "k-o-nj"),
        ("welsh", "llyfr", "ll-y-f-r"),
        ("welsh", "Rhyngrwyd", "rh-y-ng-r-w-y-d"),
        ("turkish", "IRMAK", "ı-r-m-a-k"),
        ("turkish", "İzmir", "i-z-m-i-r"),
        ("turkish", "I\u0307zmir", "i-z-m-i-r"),
        ("german", "STRAẞE", "s-t-r-a-ß-e"),
    ],
)
def test_a_word_is_split_into_the_letters_of_its_language(alphabet, word, letters):
    assert split(alphabet, word) == letters


@pytest.mark.parametrize(
    ("alphabet", "word", "read", "meant"),
    [("hungarian", "község", "k-ö-zs-é-g", "k-ö-z-s-é-g"), ("welsh", "Bangor", "b-a-ng-o-r", "b-a-n-g-o-r")],
)
def test_two_letters_that_meet_in_a_compound_are_read_as_one(alphabet, word, read, meant):
    assert split(alphabet, word) == read != meant


def test_a_game_file_may_name_a_bundled_alphabet():
    game = wk.load_game({"name": "konyv", "alphabet": "hungarian", "length": 4, "answers": ["Könyv"]})
    assert game.answers == ("könyv",)
    assert len(game.word("könyv")) == 4


def test_a_game_file_may_name_a_file_of_symbols_in_its_folder(tmp_path):
    (tmp_path / "mine.txt").write_text("# vowels\na i\n\n# consonants\nsh\ns\n", encoding="utf-8")
    game = tmp_path / "game.toml"
    game.write_text('name = "g"\nalphabet = "mine.txt"\nlength = 4\nanswers = ["shasi"]\n')
    assert wk.load_game(game).alphabet.symbols == ("a", "i", "sh", "s")


def test_a_file_without_symbols_is_an_error(tmp_path):
    (tmp_path / "none.txt").write_text("# nothing\n")
    with pytest.raises(wk.GameError, match=r"none\.txt has no symbols; list at least one"):
        wk.load_game({"name": "g", "alphabet": str(tmp_path / "none.txt"), "length": 1, "answers": ["a"]})
