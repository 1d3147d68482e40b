"""Game files: bundled games and lists, orders, bases and plugins, alphabets, mistakes, and how games are written."""

import unicodedata

import pytest
from hypothesis import HealthCheck, given, settings
from strategies import GREENS_ONLY, small_games
from wordle_kit_data import FOLDER
from wordle_kit_data.make_words import clojure_hash_path

import wordle_kit as wk
from wordle_kit.cli import run
from wordle_kit.game.files import bundled_alphabets, files_of, symbols_in, with_weights

# The bundled games

# name: answers, guesses, length, boards, allowed guesses, rule
PUBLISHED = {
    "wordle": (2315, 12972, 5, 1, 6, "wordle"),
    "wordle-2022": (2309, 12947, 5, 1, 6, "wordle"),
    "wordle-nyt": (14855, 14855, 5, 1, 6, "wordle"),
    "dordle": (2309, 12947, 5, 2, 7, "wordle"),
    "quordle": (2309, 12947, 5, 4, 9, "wordle"),
    "octordle": (2309, 12947, 5, 8, 13, "wordle"),
    "mastermind": (1296, 1296, 4, 1, 10, "mastermind"),
    "bulls-and-cows": (5040, 5040, 4, 1, 10, "mastermind"),
    "primel": (8363, 8363, 5, 1, 6, "wordle"),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_bundled_game_has_its_published_size(name):
    game = wk.load_game(name)
    size = (len(game.answers), len(game.guesses), game.length, game.boards, game.max_guesses, game.rule.name)
    assert game.name == name
    assert size == PUBLISHED[name]


@pytest.mark.parametrize("kind", ["answers", "guesses"])
def test_the_lists_of_fetterman_have_the_words_of_2022_in_the_order_of_their_hashes(kind):
    lines = {path.stem: path.read_text().split() for path in (FOLDER / "words").glob("*.txt")}
    expected = lines["wordle-2022-answers"] + (lines["wordle-2022-guesses"] if kind == "guesses" else [])
    assert lines[f"fetterman-{kind}"] == sorted(expected, key=clojure_hash_path)


# Words and their order


@pytest.mark.parametrize(
    ("order", "answers", "guesses"),
    [
        ({}, "ca ac bb", "cc ca ac ba bb"),
        ({"order": "alphabetical"}, "ca ac bb", "cc ca ac ba bb"),
        ({"order": "answers-first"}, "ca ac bb", "ca ac bb cc ba"),
        ({"order": "as-listed"}, "bb ac ca", "bb ca cc ac ba"),
    ],
)
def test_words_are_sorted_by_the_alphabet_of_the_game_or_as_listed(order, answers, guesses):
    """A word of both lists is one guess, and as listed it stands where the guesses have it."""
    answers_and_guesses = {"answers": ["bb", "ac", "ca"], "guesses": ["cc", "ac", "ba"]}
    game = wk.load_game({"name": "toy", "alphabet": "cab", "length": 2} | answers_and_guesses | order)
    assert (" ".join(game.answers), " ".join(game.guesses)) == (answers, guesses)


@pytest.mark.parametrize(
    ("words", "answers", "guesses"),
    [
        ({"answers": "all"}, "aa ab ba bb", "aa ab ba bb"),
        ({"answers": "all-different"}, "ab ba", "ab ba"),
        ({"answers": ["ba"], "guesses": "all"}, "ba", "aa ab ba bb"),
    ],
)
def test_words_may_be_all_of_their_length_or_those_without_repeats(words, answers, guesses):
    game = wk.load_game({"name": "toy", "alphabet": "ab", "length": 2, **words})
    assert (" ".join(game.answers), " ".join(game.guesses)) == (answers, guesses)


@pytest.mark.parametrize("answers", ["all", "all-different"])
def test_symbols_that_cannot_be_told_apart_need_a_separator(answers):
    fields = {"name": "toy", "alphabet": ["a", "b", "ab"], "length": 2, "answers": answers}
    with pytest.raises(wk.GameError):
        wk.load_game(fields)
    assert len(wk.load_game(fields | {"separator": "-"}).answers) == {"all": 9, "all-different": 6}[answers]


# Weights


def weights_of(game):
    return dict(zip(game.answers, game.weights, strict=True))


def test_an_answer_without_a_weight_weighs_1_and_one_may_weigh_0():
    fields = {"name": "t", "alphabet": "abc", "length": 1, "answers": ["b", "a", "c"], "weights": {"B": 3, "c": 0}}
    assert weights_of(wk.load_game(fields)) == {"a": 1.0, "b": 3.0, "c": 0.0}


def test_weights_may_stand_beside_the_words_or_be_added_from_a_file(tmp_path):
    plain, beside = b"ba\nab\nca\n", b"# words\nba 2.5\nab\t0\nCA   1e-3\n"
    expected = {"ab": 0.0, "ba": 2.5, "ca": 0.001}
    assert weights_of(wk.load_game(toy_file(tmp_path, {"answers": beside}))) == expected
    game, file = wk.load_game(toy_file(tmp_path, {"answers": plain})), tmp_path / "added.txt"
    file.write_bytes(beside)
    assert weights_of(with_weights(game, file)) == expected


@pytest.mark.parametrize(("content", "fact"), [(b"ab 1\n", "'ba'"), (b"ab 1\nca 1\n", "line 2"), (b"\nab\n", "line 2")])
def test_a_mistake_in_a_file_of_weights_is_named(tmp_path, content, fact):
    (tmp_path / "added.txt").write_bytes(content)
    with pytest.raises(wk.GameError, match=fact):
        with_weights(wk.load_game(toy_file(tmp_path)), tmp_path / "added.txt")


def test_a_tab_stands_before_the_weight_of_words_with_spaces(tmp_path):
    changes = {"alphabet": '"12"', "separator": '" "', "answers": b"1 2\t3\n2 1\t4\n", "guesses": "[]"}
    assert weights_of(wk.load_game(toy_file(tmp_path, changes))) == {"1 2": 3.0, "2 1": 4.0}


# Files

TOY = {"name": '"toy"', "alphabet": '"abc"', "length": "2", "answers": b"ab\nba\n", "guesses": b"cc\n"}


def toy_file(folder, changes=()):
    """Write a game file and return its path. Bytes go into a file of their own; a setting that is None is left out."""
    lines = []
    for key, value in (TOY | dict(changes)).items():
        if isinstance(value, bytes):
            (folder / f"{key}.txt").write_bytes(value)
            value = f'"{key}.txt"'
        if value is not None:
            lines.append(f"{key} = {value}\n")
    path = folder / "toy.toml"
    path.write_text("".join(lines), "utf-8")
    return path


def test_word_files_lie_beside_the_game_file(tmp_path, monkeypatch):
    (tmp_path / "games").mkdir()
    monkeypatch.chdir(tmp_path)
    path = toy_file(tmp_path / "games")
    assert wk.load_game(str(path)).guesses == ("ab", "ba", "cc")
    assert wk.load_game(path.relative_to(tmp_path)).guesses == ("ab", "ba", "cc")


@pytest.mark.parametrize(
    ("alphabet", "content", "words"),
    [
        ('"abc"', b"# words\n\n  ab \n#cut\n#\nba", ("ab", "ba")),
        ('"abc"', b"\xef\xbb\xbfab\r\nba\r\n", ("ab", "ba")),
        ('"ab#"', b"# a comment\n#\n#a\nab\n", ("ab", "#a")),
    ],
    ids=["comments", "from Windows", "a hash as a symbol"],
)
def test_a_word_file_has_a_word_a_line_and_comments(tmp_path, alphabet, content, words):
    changes = {"alphabet": alphabet, "answers": content, "guesses": None}
    assert wk.load_game(toy_file(tmp_path, changes)).answers == words


def test_a_game_file_may_begin_with_a_byte_order_mark(tmp_path):
    path = toy_file(tmp_path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert wk.load_game(path).answers == ("ab", "ba")


# a change to the game file or to a file beside it, and what the message names
WRONG = [
    ({"length": None}, "length"),
    ({"length": "0"}, "length"),
    ({"length": "="}, "TOML"),
    ({"aswers": '"x.txt"'}, "'answers'"),
    ({"name": '"Toy Game"'}, "name"),
    ({"rule": '"wordel"'}, "'wordel'"),
    ({"order": '"sideways"'}, "order"),
    ({"boards": "257"}, "boards"),
    ({"max_guesses": "-1"}, "max_guesses"),
    ({"hard_mode": "1"}, "hard_mode"),
    ({"alphabet": '"abca"'}, "'a'"),
    ({"alphabet": b"# nothing\n"}, "alphabet.txt"),
    ({"base": '"wordel"'}, "'wordle'"),
    ({"base": '"toy.toml"'}, "base"),
    ({"base": "3"}, "base"),
    ({"plugin": '"none.py"'}, "none.py"),
    ({"answers": "[]"}, "answers"),
    ({"answers": '["ab", "abc"]'}, "entry 2"),
    ({"answers": '"nowhere.txt"'}, "nowhere.txt"),
    ({"answers": b""}, "answers.txt"),
    ({"answers": b"ab\nabc\n"}, "answers.txt: line 2"),
    ({"answers": b"# words\n\nab\nbx\n"}, "answers.txt: line 4"),
    ({"answers": b"ab\nba\n\nAB\n"}, "answers.txt: line 4"),
    ({"answers": b"ab\nb\xe4\n"}, "answers.txt: line 2"),
    ({"answers": b"ab 1\nba nan\n"}, "answers.txt: line 2"),
    ({"answers": b"ab 1\n\nba\n"}, "'ba'"),
    ({"guesses": b"ca 1\n"}, "guesses.txt: line 1"),
    ({"answers": '"all"', "length": "13", "guesses": None}, "1,594,323"),
    ({"answers": '"all-different"', "length": "4"}, "answers"),
    ({"answers": '["aaaaaaaaaaaaaaaa"]', "length": "16", "guesses": "[]"}, "43046721"),
    ({"weights": "{ cc = 2.0 }"}, "'cc'"),
    ({"weights": "{ ab = -0.5 }"}, "ab"),
    ({"weights": "{ ab = inf }"}, "ab"),
    ({"weights": "{ ab = 0, ba = 0.0 }"}, "weights"),
]


@pytest.mark.parametrize(("changes", "fact"), WRONG, ids=[str(changes) for changes, _ in WRONG])
def test_a_mistake_in_a_game_file_is_named_in_a_line(tmp_path, changes, fact):
    path = toy_file(tmp_path, changes)
    with pytest.raises(wk.GameError) as caught:
        wk.load_game(path)
    start, _, said = str(caught.value).partition(": ")
    assert (start, len(said.splitlines())) == (str(path), 1)
    assert fact in said


# Games that build on others

LETTERS = {"name": "letters", "alphabet": "abc", "length": 2, "answers": ["ab", "ba"], "guesses": ["cc"]}


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Return a function that writes a file in an empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)

    def write(name, text):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_a_game_inherits_from_its_base_the_settings_that_it_does_not_have(write):
    game = wk.load_game(write("short.toml", 'name = "short"\nbase = "wordle"\nmax_guesses = 4\n'))
    wordle = wk.load_game("wordle")
    assert (game.answers, game.guesses, game.max_guesses) == (wordle.answers, wordle.guesses, 4)
    assert (game.name, game.title) == ("short", "short")


def test_a_game_file_can_build_on_another_with_words_in_its_own_folder(write):
    write("lists/words.txt", "ab\nba\n")
    write("lists/first.toml", 'name = "first"\nalphabet = "abc"\nlength = 2\nanswers = "words.txt"\n')
    write("second.toml", 'name = "second"\nbase = "lists/first.toml"\nguesses = ["cc"]\n')
    third = wk.load_game(write("other/third.toml", 'name = "third"\nbase = "../second.toml"\nboards = 2\n'))
    assert (third.answers, third.guesses, third.boards) == (("ab", "ba"), ("ab", "ba", "cc"), 2)


def test_only_the_resolved_settings_count(write):
    write("first.toml", 'name = "first"\nalphabet = "abc"\nlength = 2\nanswers = ["ab", "ba"]\nmax_guesses = 3\n')
    path = write("second.toml", 'name = "second"\nbase = "first.toml"\nguesses = ["cc"]\nmax_guesses = 6\n')
    assert wk.load_game(path).fingerprint == wk.load_game(LETTERS).fingerprint


class Mirror(wk.MarksRule):
    """Say which symbols are correct, and nothing about the others."""

    def marks(self, guess, answer):
        return [2 * (g == a) for g, a in zip(guess, answer, strict=True)]


def test_rules_and_games_of_a_notebook_are_settings():
    fields = {**LETTERS, "rule": Mirror()}
    game = wk.load_game(fields)
    assert (type(game.rule), str(game.feedback("ab", "ba"))) == (Mirror, "00")
    later = wk.load_game({"name": "later", "base": fields, "boards": 2})
    assert (later.answers, later.guesses, later.rule, later.boards) == (game.answers, game.guesses, game.rule, 2)
    with pytest.raises(wk.GameError, match="Mirror"):
        wk.load_game({**LETTERS, "rule": Mirror})


def test_a_game_may_weigh_the_answers_of_its_base_itself(write):
    write("words.txt", "ab 7\nba 8\ncc 9\n")
    write("first.toml", 'name = "first"\nalphabet = "abc"\nlength = 2\nanswers = "words.txt"\n')
    write("second.toml", 'name = "second"\nbase = "first.toml"\nweights = {ab = 1, ba = 2, cc = 5}\n')
    third = write("third.toml", 'name = "third"\nbase = "second.toml"\nboards = 2\n')
    assert wk.load_game(third).weights == (1, 2, 5)


# Games with a plugin


@pytest.fixture
def custom(write):
    """Return the file of a game whose folder has its rule."""
    write("custom/rule.py", GREENS_ONLY)
    return write(
        "custom/game.toml",
        'name = "custom"\nbase = "mastermind"\nlength = 2\nrule = "greens-only"\nplugin = "rule.py"\n',
    )


def test_a_custom_game_travels_as_one_folder_and_every_command_says_which_plugin_it_loads(custom, capsys):
    assert run(["solve", "-g", str(custom), "--answer", "11", "-s", "first-consistent"]) == 0
    shown = capsys.readouterr()
    assert shown.out.endswith("solved\n")
    assert str(custom.with_name("rule.py")) in shown.err


def test_the_plugin_of_a_base_is_relative_to_the_base(write, custom):
    game = wk.load_game(write("more.toml", 'name = "more"\nbase = "custom/game.toml"\n'))
    assert (game.rule.name, str(game.feedback("12", "13"))) == ("greens-only", "20")


# Alphabets


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
        ("hungarian", "dzsessz", "dzs-e-s-sz"),
        ("hungarian", "Zsák", "zs-á-k"),
        ("croatian", "LJUBAV", "lj-u-b-a-v"),
        ("welsh", "Rhyngrwyd", "rh-y-ng-r-w-y-d"),
        ("turkish", "IRMAK", "ı-r-m-a-k"),
        ("turkish", "İzmir", "i-z-m-i-r"),
        ("turkish", "I\u0307zmir", "i-z-m-i-r"),
        ("german", "STRAẞE", "s-t-r-a-ß-e"),
    ],
)
def test_a_word_is_split_into_the_letters_of_its_language(alphabet, word, letters):
    assert split(alphabet, word) == letters


def test_a_game_file_may_name_a_bundled_alphabet():
    game = wk.load_game({"name": "konyv", "alphabet": "hungarian", "length": 4, "answers": ["Könyv"]})
    assert game.answers == ("könyv",)
    assert len(game.word("könyv")) == 4


def test_a_game_file_may_name_a_file_of_symbols_in_its_folder(tmp_path):
    symbols = b"# vowels\na i\n\n# consonants\nsh\ns\n"
    changes = {"alphabet": symbols, "length": "4", "answers": '["shasi"]', "guesses": None}
    assert wk.load_game(toy_file(tmp_path, changes)).alphabet.symbols == ("a", "i", "sh", "s")


# Written files


def written(game, folder):
    for file, text in files_of(game, "A notice.").items():
        (folder / file).write_text(text, encoding="utf-8")
    return wk.load_game(folder / f"{game.name}.toml")


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(game=small_games(boards=(1, 2), weighted=True))
def test_a_game_is_read_back_from_its_files(tmp_path, game):
    assert written(game, tmp_path) == game


@pytest.mark.parametrize("name", ["glyphs", "mini-nerdle", "elements", "mastermind", "wordle-nyt"])
def test_a_bundled_game_is_read_back_with_its_title_and_nouns(tmp_path, name):
    game = wk.load_game(name).replace(hard_mode=name == "glyphs")
    copied = written(game, tmp_path)
    assert (copied, copied.title, copied.nouns) == (game, game.title, game.nouns)
