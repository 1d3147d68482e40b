"""Game files: the bundled games and lists, orders, bases and plugins, alphabets, and the messages about mistakes."""

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wordle_kit_data import FOLDER
from wordle_kit_data.make_words import clojure_hash_path

import wordle_kit as wk
from wordle_kit.cli import run
from wordle_kit.game.files import WrittenGame, build_game, bundled_alphabets, read_word_file, symbols_in
from wordle_kit.game.words import Alphabet
from wordle_kit.plugins import default_plugins

SHARED = Path(__file__).parents[2].parent / "shared" / "words"

# name: answers, guesses, length, boards, allowed guesses, rule
BUNDLED = {
    "wordle": (2315, 12972, 5, 1, 6, "wordle"),
    "wordle-2022": (2309, 12947, 5, 1, 6, "wordle"),
    "wordle-all": (12972, 12972, 5, 1, 6, "wordle"),
    "wordle-nyt": (14855, 14855, 5, 1, 6, "wordle"),
    "dordle": (2309, 12947, 5, 2, 7, "wordle"),
    "quordle": (2309, 12947, 5, 4, 9, "wordle"),
    "octordle": (2309, 12947, 5, 8, 13, "wordle"),
    "mastermind": (1296, 1296, 4, 1, 10, "mastermind"),
    "bulls-and-cows": (5040, 5040, 4, 1, 10, "mastermind"),
    "english-4": (2354, 4030, 4, 1, 6, "wordle"),
    "english-5": (3249, 12970, 5, 1, 6, "wordle"),
    "english-6": (4562, 15786, 6, 1, 6, "wordle"),
    "english-7": (5137, 24028, 7, 1, 6, "wordle"),
    "english-8": (5328, 29765, 8, 1, 6, "wordle"),
    "english-9": (5056, 29150, 9, 1, 6, "wordle"),
    "glyphs": (800, 1800, 4, 1, 5, "case-aware"),
    "chants": (1728, 2028, 6, 1, 4, "wordle"),
    "elements": (118, 118, 1, 1, 6, "attributes"),
    "jotto": (1391, 1391, 5, 1, 10, "common-symbols"),
    "mini-nerdle": (206, 206, 6, 1, 6, "wordle"),
    "nerdle": (17723, 17723, 8, 1, 6, "wordle"),
    "primel": (8363, 8363, 5, 1, 6, "wordle"),
}
DROPPED_IN_2022 = {"agora", "fibre", "lynch", "pupal", "slave", "wench"}

TOY = {"name": '"toy"', "alphabet": '"abc"', "length": "2", "answers": '"answers.txt"', "guesses": '"guesses.txt"'}
ORDERED = {"name": "toy", "alphabet": "zyx", "length": 2, "answers": ["xz", "zx"], "guesses": ["yy", "xx"]}


def rules():
    return {name: rule.value for name, rule in default_plugins().rules.items()}


def toy_file(folder, changes=(), answers=b"ab\nba\n", guesses=b"cc\n"):
    """Write a game file with its lists and return its path; a setting that is None is left out."""
    settings = TOY | dict(changes)
    path = folder / "toy.toml"
    path.write_text("".join(f"{key} = {value}\n" for key, value in settings.items() if value is not None), "utf-8")
    (folder / "answers.txt").write_bytes(answers)
    (folder / "guesses.txt").write_bytes(guesses)
    return path


def error_of(path):
    """Return the message about a game file: one line that begins with its path."""
    with pytest.raises(wk.GameError) as caught:
        wk.load_game(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert len(message.splitlines()) == 1
    return message


@pytest.mark.parametrize("name", BUNDLED)
def test_a_bundled_game_has_its_published_size(name):
    game = wk.load_game(name)
    size = (len(game.answers), len(game.guesses), game.length, game.boards, game.max_guesses, game.rule.name)
    assert game.name == name
    assert size == BUNDLED[name]


def test_no_other_game_is_bundled():
    assert {path.stem for path in (FOLDER / "games").iterdir()} == set(BUNDLED)


@pytest.mark.parametrize("kind", ["answers", "guesses"])
def test_the_lists_of_fetterman_have_the_words_of_2022_in_the_order_of_their_hashes(kind):
    lines = {path.stem: path.read_text().split() for path in (FOLDER / "words").glob("*.txt")}
    expected = lines["wordle-2022-answers"] + (lines["wordle-2022-guesses"] if kind == "guesses" else [])
    assert lines[f"fetterman-{kind}"] == sorted(expected, key=clojure_hash_path)


@pytest.mark.parametrize("name", ["wordle", "wordle-2022", "english-4", "glyphs"])
def test_bundled_words_stand_in_the_order_of_the_alphabet(name):
    game = wk.load_game(name)
    assert [*game.guesses] == sorted(game.guesses, key=lambda word: game.alphabet.sort_key(game.word(word)))


def test_six_answers_were_dropped_in_2022():
    before, after = wk.load_game("wordle"), wk.load_game("wordle-2022")
    assert set(before.answers) - set(after.answers) == DROPPED_IN_2022
    assert set(after.answers) < set(before.answers)


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs shared/words, which lies beside the checkout, not in it")
def test_the_answers_of_2021_are_those_that_were_played():
    played = (SHARED / "wordle-2021-answers-in-play-order.txt").read_text().split()
    assert sorted(played) == list(wk.load_game("wordle").answers)


@pytest.mark.parametrize(
    ("order", "guesses"),
    [
        ("alphabetical", ("zx", "yy", "xz", "xx")),
        ("answers-first", ("zx", "xz", "yy", "xx")),
    ],
)
def test_words_are_sorted_by_the_alphabets_own_order(order, guesses):
    game = wk.load_game(ORDERED | {"order": order})
    assert game.answers == ("zx", "xz")
    assert game.guesses == guesses


def test_words_as_listed_stay_as_they_are():
    game = wk.load_game(ORDERED | {"order": "as-listed"})
    assert game.answers == ("xz", "zx")
    assert game.guesses == ("xz", "zx", "yy", "xx")


def test_an_answer_listed_among_the_guesses_keeps_its_place_there():
    game = wk.load_game(ORDERED | {"order": "as-listed", "guesses": ["yy", "zx", "xx"]})
    assert game.answers == ("xz", "zx")
    assert game.guesses == ("xz", "yy", "zx", "xx")


@pytest.mark.parametrize("order", ["alphabetical", "answers-first", "as-listed"])
def test_an_answer_listed_among_the_guesses_is_one_guess(order):
    game = wk.load_game(ORDERED | {"order": order, "guesses": ["yy", "zx"]})
    assert sorted(game.guesses) == ["xz", "yy", "zx"]


def test_words_are_alphabetical_unless_said_otherwise():
    assert wk.load_game(ORDERED).guesses == ("zx", "yy", "xz", "xx")


def test_all_are_all_words_of_the_length():
    game = wk.load_game({"name": "toy", "alphabet": "ab", "length": 2, "answers": "all"})
    assert game.answers == game.guesses == ("aa", "ab", "ba", "bb")


def test_all_different_are_the_words_without_repeats():
    game = wk.load_game({"name": "toy", "alphabet": "abc", "length": 2, "answers": "all-different"})
    assert game.answers == game.guesses == ("ab", "ac", "ba", "bc", "ca", "cb")


def test_answers_may_be_a_list_and_guesses_all():
    game = wk.load_game({"name": "toy", "alphabet": "ab", "length": 2, "answers": ["ba"], "guesses": "all"})
    assert game.answers == ("ba",)
    assert game.guesses == ("aa", "ab", "ba", "bb")


def test_an_answer_without_a_weight_weighs_1():
    game = wk.load_game({"name": "t", "alphabet": "ab", "length": 1, "answers": ["b", "a"], "weights": {"B": 3}})
    assert dict(zip(game.answers, game.weights, strict=True)) == {"a": 1.0, "b": 3.0}


def test_an_answer_may_weigh_0():
    fields = {"name": "t", "alphabet": "ab", "length": 1, "answers": ["b", "a"]}
    game = wk.load_game(fields | {"weights": {"b": 0}})
    assert dict(zip(game.answers, game.weights, strict=True)) == {"a": 1.0, "b": 0.0}
    with pytest.raises(wk.GameError, match="weights"):
        wk.load_game(fields | {"weights": {"a": 0, "b": 0.0}})


WEIGHED = {"name": "t", "alphabet": "abc", "length": 2, "answers": "words.txt", "guesses": ["cc"]}


@pytest.mark.parametrize(
    ("words", "weights"),
    [
        ("# words\nba 2.5\nab\t0\nCA   1e-3\n", None),
        ("ba\nab\nca\n", "# words\n\nca 0.001\nBA 2.5\nab 0"),
    ],
    ids=["a column", "a file"],
)
def test_weights_may_stand_beside_the_words_or_in_a_file_of_their_own(tmp_path, monkeypatch, words, weights):
    monkeypatch.chdir(tmp_path)
    Path("words.txt").write_text(words)
    Path("weights.txt").write_text(weights or "")
    game = wk.load_game(WEIGHED | ({"weights": "weights.txt"} if weights else {}))
    assert dict(zip(game.answers, game.weights, strict=True)) == {"ab": 0.0, "ba": 2.5, "ca": 0.001}


def test_a_tab_stands_before_the_weight_of_words_with_spaces(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("words.txt").write_text("1 2\t3\n2 1\t4\n")
    game = wk.load_game(WEIGHED | {"alphabet": "12", "separator": " ", "guesses": []})
    assert dict(zip(game.answers, game.weights, strict=True)) == {"1 2": 3.0, "2 1": 4.0}


def test_only_answers_have_weights(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("words.txt").write_text("ab 1\n")
    with pytest.raises(wk.GameError, match="ab"):
        wk.load_game(WEIGHED | {"answers": ["ba"], "guesses": "words.txt"})


def test_word_files_lie_beside_the_game_file(tmp_path, monkeypatch):
    (tmp_path / "games").mkdir()
    monkeypatch.chdir(tmp_path)
    path = toy_file(tmp_path / "games")
    assert wk.load_game(str(path)).guesses == ("ab", "ba", "cc")
    assert wk.load_game(path.relative_to(tmp_path)).guesses == ("ab", "ba", "cc")


def test_a_game_file_may_begin_with_a_byte_order_mark(tmp_path):
    path = toy_file(tmp_path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert wk.load_game(path).answers == ("ab", "ba")


def test_an_unknown_game_is_an_error_that_suggests_one():
    with pytest.raises(wk.GameError, match=r"wordel.*wordle"):
        wk.load_game("wordel")


# a change to the game file: the message about it
WRONG = [
    ({"aswers": '"x.txt"'}, ["'aswers'", "did you mean 'answers'"]),
    ({"length": None}, ["length", "is missing"]),
    ({"length": "0"}, ["length", "give 1 or more"]),
    ({"length": '"2"'}, ["length", "whole number"]),
    ({"name": '"Toy Game"'}, ["name"]),
    ({"rule": '"wordel"'}, ["'wordel'", "did you mean 'wordle'"]),
    ({"order": '"sideways"'}, ["order", "'answers-first'"]),
    ({"boards": "0"}, ["boards", "give 1 or more"]),
    ({"boards": "257"}, ["boards", "give 256 or less"]),
    ({"max_guesses": "-1"}, ["max_guesses", "give 1 or more"]),
    ({"hard_mode": "1"}, ["hard_mode", "true or false"]),
    ({"alphabet": '""'}, ["alphabet", "no symbols"]),
    ({"alphabet": '"abca"'}, ["alphabet", "'a'", "twice"]),
    ({"alphabet": '["a", "b c"]'}, ["alphabet", "'b c'"]),
    ({"separator": '"--"'}, ["separator", "1 or fewer characters"]),
    ({"answers": "[]"}, ["answers", "at least one"]),
    ({"answers": "5"}, ["answers"]),
    ({"answers": '["ab", "ba", "ab"]'}, ["answers: entry 3", "'ab'", "first at answers: entry 1"]),
    ({"answers": '["ab", "abc"]'}, ["answers: entry 2", "'abc' has 3 symbols"]),
    ({"guesses": '["ab", "ax"]'}, ["guesses: entry 2", "'ax' has 'x'"]),
    ({"answers": '"nowhere.txt"'}, ["nowhere.txt"]),
    ({"answers": '"."'}, ["cannot be read"]),
    ({"answers": '"a\\u0000b.txt"'}, ["cannot be read"]),
    ({"alphabet": '"abcdefghijklmnopqrstuvwxyz"', "length": "5", "answers": '"all"'}, ["answers", "11,881,376"]),
    ({"length": "4", "answers": '"all-different"'}, ["answers", "words of 4 of 3 symbols"]),
    ({"length": "4", "answers": '["abca"]', "guesses": '"all-different"'}, ["guesses:", "words of 4 of 3"]),
    ({"length": "13", "answers": '["abcabcabcabca"]', "guesses": '"all"'}, ["guesses:", "1,594,323"]),
    ({"length": "16", "answers": '["aaaaaaaaaaaaaaaa"]', "guesses": "[]"}, ["'wordle'", "43,046,721"]),
    ({"weights": "{ cc = 2.0 }"}, ["weights", "'cc'"]),
    ({"weights": "{ abc = 2.0 }"}, ["weights", "'abc'"]),
    ({"weights": "{ xy = 2.0 }"}, ["weights", "'xy'"]),
    ({"weights": "{ ab = -0.5 }"}, ["weights", "ab", "give 0 or more"]),
    ({"weights": "{ ab = inf }"}, ["weights", "ab", "finite"]),
]


@pytest.mark.parametrize(
    ("changes", "fragments"),
    WRONG,
    ids=[", ".join(f"{key} = {value}" for key, value in changes.items()) for changes, _ in WRONG],
)
def test_a_wrong_setting_is_named(tmp_path, changes, fragments):
    message = error_of(toy_file(tmp_path, changes))
    for fragment in fragments:
        assert fragment in message


@pytest.mark.parametrize(
    ("content", "fragments"),
    [
        (b"ab\nabc\n", ["line 2", "'abc'"]),
        (b"# words\n\nab\nbx\n", ["line 4", "'bx'"]),
        (b"ab\nba\n\nab\n", ["line 4", "'ab' is listed twice", "line 1"]),
        (b"ab\nAB\n", ["line 2", "'AB' is listed twice"]),
        (b"ab ba\n", ["line 1", "'ab ba' has ' '"]),
        (b"", ["has no words"]),
        (b"# nothing\n\n", ["has no words"]),
        (b"ab\nb\xe4\n", ["line 2", "not UTF-8"]),
    ],
    ids=["length", "symbol", "twice", "twice but for case", "two words", "empty", "comments only", "Latin-1"],
)
@pytest.mark.parametrize("field", ["answers", "guesses"])
def test_a_wrong_word_is_named_with_its_file_and_line(tmp_path, field, content, fragments):
    message = error_of(toy_file(tmp_path, **{field: content}))
    for fragment in [str(tmp_path / f"{field}.txt"), *fragments]:
        assert fragment in message


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b'name = "toy"\nlength =\n', "line 2"),
        (b"just a text\n", "line 1"),
        (b'name = "t\xe4"\n', "line 1: is not UTF-8 text"),
        (b"length = " + b"[" * 2000 + b"]" * 2000, "toy.toml"),
        (b"length = " + b"1" * 5000, "toy.toml"),
        (b"length = 0x" + b"f" * 5000, "is missing"),
        (b"", "is missing"),
    ],
    ids=["half a line", "text", "Latin-1", "too deep", "long number", "long hexadecimal number", "empty"],
)
def test_a_game_file_that_is_not_toml_is_an_error(tmp_path, content, problem):
    path = tmp_path / "toy.toml"
    path.write_bytes(content)
    assert problem in error_of(path)


@pytest.mark.parametrize("answers", ["all", "all-different"])
def test_symbols_that_cannot_be_told_apart_in_a_word_are_an_error(answers):
    with pytest.raises(wk.GameError):
        wk.load_game({"name": "toy", "alphabet": ["a", "b", "ab"], "length": 2, "answers": answers})


def test_with_a_separator_symbols_may_begin_alike():
    fields = {"name": "toy", "alphabet": ["a", "b", "ab"], "separator": "-", "length": 2, "answers": "all"}
    assert len(wk.load_game(fields).answers) == 9


odd_text = st.sampled_from(["", " ", "all", ".", "..", "nowhere.txt", "\x00", "\u0308", "a\nb"]) | st.text(max_size=5)
odd = {
    "name": st.sampled_from(["Toy", "", "toy\n"]),
    "alphabet": odd_text | st.lists(odd_text, max_size=3),
    "separator": st.sampled_from(["-", "\n", "a", "--", "\u0308"]),
    "length": st.sampled_from([0, -1, 4, 12, 40, 64, 65]),
    "answers": odd_text | st.lists(odd_text, max_size=3),
    "guesses": odd_text | st.lists(odd_text, max_size=3),
    "order": odd_text,
    "rule": odd_text,
    "boards": st.integers(-1, 3) | st.sampled_from([256, 257]),
    "max_guesses": st.integers(-1, 3) | st.just(10**9),
    "weights": st.dictionaries(odd_text, st.floats() | st.integers(), max_size=2),
}


@st.composite
def plausible_fields(draw):
    """Return fields that mostly make a game, one of them perhaps odd."""
    symbols = draw(st.sampled_from([["a", "b"], ["a", "A", "ö"], ["a", "b", "ab"], ["b", "sch", "c"], ["1", "10"]]))
    separator = draw(st.sampled_from(["", "", "-", " "]))
    length = draw(st.integers(1, 4))
    word = st.lists(st.sampled_from(symbols), min_size=length, max_size=length).map(separator.join)
    some = st.lists(word, min_size=1, max_size=5, unique=True)
    fields = {
        "name": "toy",
        "alphabet": symbols,
        "separator": separator,
        "length": length,
        "answers": draw(some | st.sampled_from(["all", "all", "all-different"])),
        "guesses": draw(some | st.sampled_from(["all", "all-different"])),
        "order": draw(st.sampled_from(["alphabetical", "answers-first", "as-listed"])),
        "rule": draw(st.sampled_from(list(rules()))),
        "boards": draw(st.integers(1, 3)),
        "max_guesses": draw(st.none() | st.integers(1, 9)),
        "hard_mode": draw(st.booleans()),
        "weights": draw(st.none() | st.dictionaries(word, st.floats(0.1, 10) | st.just(0.0), max_size=1)),
    }
    spoilt = draw(st.none() | st.sampled_from(list(odd)))
    return fields if spoilt is None else fields | {spoilt: draw(odd[spoilt])}


def refused_or_playable(fields):
    """Return the message about the fields, or nothing if they make a game, which is tried out."""
    try:
        game = build_game(WrittenGame(fields, "fuzz"), rules())
    except wk.GameError as error:
        return str(error)
    assert all(game.feedback(word, word).wins for word in game.guesses)
    return ""


@pytest.mark.slow
@given(plausible_fields())
@settings(deadline=None, max_examples=400)
def test_plausible_fields_make_a_game_or_a_game_error(fields):
    said = refused_or_playable(fields)
    assert said == "" or said.startswith("fuzz: ")


toml_line = st.tuples(
    st.sampled_from(["name", "alphabet", "length", "answers", "x", "", "a.b", "[t]"]),
    st.sampled_from(["=", "", ":", "= ="]),
    st.sampled_from(['"a"', "1", "[]", "[", "{}", "{a=1}", '"""', "2021-13-40", "1e999", "nan", "0x", "'", '"\\q"']),
).map(" ".join)


@pytest.mark.slow
@given(st.text(max_size=40) | st.lists(toml_line, max_size=4).map("\n".join))
@settings(deadline=None, max_examples=300)
def test_arbitrary_text_as_a_game_file_makes_a_game_error(tmp_path_factory, text):
    path = tmp_path_factory.getbasetemp() / "fuzz.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(wk.GameError):
        wk.load_game(path)


@given(st.binary(max_size=40))
@settings(deadline=None, max_examples=200)
def test_arbitrary_bytes_as_a_word_list_make_a_game_or_a_game_error(tmp_path_factory, content):
    path = toy_file(tmp_path_factory.getbasetemp(), answers=content)
    try:
        game = wk.load_game(path)
    except wk.GameError:
        return
    assert set(game.answers) <= {a + b for a in "abc" for b in "abc"}


RULE = """import wordle_kit as wk

class {name}(wk.MarksRule):
    def marks(self, guess, answer):
        return [2 if g == a else 0 for g, a in zip(guess, answer)]

@wk.hookimpl
def register_rules(register):
    register({name}())
"""
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


@pytest.fixture
def custom(write):
    """Return the file of a game whose folder has its rule."""
    write("custom/rule.py", RULE.format(name="GreensOnly"))
    return write(
        "custom/game.toml",
        'name = "custom"\nbase = "mastermind"\nlength = 2\nrule = "greens-only"\nplugin = "rule.py"\n',
    )


def wrong(game):
    """Return the message about a game that cannot be loaded."""
    with pytest.raises(wk.GameError) as caught:
        wk.load_game(game)
    return str(caught.value)


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


def test_fields_in_python_can_build_on_a_game():
    assert wk.load_game({"name": "hard", "base": "mastermind", "hard_mode": True}).hard_mode


class Mirror(wk.MarksRule):
    """Say which symbols are correct, and nothing about the others."""

    def marks(self, guess, answer):
        return [2 * (g == a) for g, a in zip(guess, answer, strict=True)]


def test_rules_and_games_of_a_notebook_are_settings():
    fields = {**LETTERS, "rule": Mirror()}
    game = wk.load_game(fields)
    assert (type(game.rule), str(game.feedback("ab", "ba"))) == (Mirror, "00")
    for base in (fields, game):
        later = wk.load_game({"name": "later", "base": base, "boards": 2})
        same = (game.answers, game.guesses, game.rule, 2, "later")
        assert (later.answers, later.guesses, later.rule, later.boards, later.title) == same
    assert [row.mean for row in wk.tournament(fields, ["minimax"], workers=1).rows] == [1.5]
    assert wrong({**LETTERS, "rule": Mirror}).endswith("rule is the class Mirror; give an object, Mirror()")
    assert wrong({**LETTERS, "rule": 3}).endswith("rule is 3; give the name of a rule, or a Rule object")


@pytest.mark.parametrize("name", ["wordle-nyt", "quordle", "mini-nerdle", "elements", "jotto"])
def test_a_game_as_base_is_the_game(name):
    game = wk.load_game(name)
    assert wk.load_game({"name": "again", "base": game}).fingerprint == game.fingerprint


@pytest.mark.parametrize("answers", ['["ab", "ba", "cc"]', '"words.txt"'], ids=["listed", "weighted"])
@pytest.mark.parametrize("weights", ['"likely.txt"', "{ab = 1, ba = 2, cc = 5}"], ids=["file", "table"])
def test_a_game_may_weigh_the_answers_of_its_base_itself(write, answers, weights):
    write("words.txt", "ab 7\nba 8\ncc 9\n")
    write("likely.txt", "ab 1\nba 2\ncc 5\n")
    write("first.toml", f'name = "first"\nalphabet = "abc"\nlength = 2\nanswers = {answers}\n')
    second = write("second.toml", f'name = "second"\nbase = "first.toml"\nweights = {weights}\n')
    assert wk.load_game(second).weights == (1, 2, 5)
    third = write("third.toml", 'name = "third"\nbase = "second.toml"\nboards = 2\n')
    assert wk.load_game(third).weights == (1, 2, 5)


def test_weights_beside_own_weighted_answers_are_one_too_many(write):
    write("words.txt", "ab 7\nba 8\n")
    path = write("mine.toml", 'name = "m"\nalphabet = "ab"\nlength = 2\nanswers = "words.txt"\nweights = {ab = 1}\n')
    assert "the answers have weights in their word file too; keep one of the two" in wrong(path)


def test_only_the_resolved_settings_count(write):
    write("first.toml", 'name = "first"\nalphabet = "abc"\nlength = 2\nanswers = ["ab", "ba"]\nmax_guesses = 3\n')
    path = write("second.toml", 'name = "second"\nbase = "first.toml"\nguesses = ["cc"]\nmax_guesses = 6\n')
    assert wk.load_game(path).fingerprint == wk.load_game(LETTERS).fingerprint


def test_the_plugin_of_a_game_gives_its_rule_after_a_line_that_names_its_file(custom, capfd):
    game = wk.load_game(custom)
    assert str(game.feedback("12", "13")) == "20"
    assert capfd.readouterr().err == f"wordle-kit: {custom} loads the plugin {custom.with_name('rule.py')}\n"


def test_the_plugin_of_a_base_is_relative_to_the_base(write, custom):
    assert wk.load_game(write("more.toml", 'name = "more"\nbase = "custom/game.toml"\n')).rule.name == "greens-only"


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("rule.py", "raise RuntimeError('no luck')\n", "line 1: RuntimeError: no luck"),
        ("rule.txt", "", "it is not a Python file; its name must end in .py"),
        ("none.py", None, "there is no such file"),
        ("rules.py", RULE.format(name="Mine"), "its name"),
    ],
)
def test_a_plugin_of_a_game_that_cannot_be_loaded_is_an_error(write, name, text, problem):
    if text is not None:
        write(name, text)
    write("mine.toml", f'name = "mine"\nbase = "mastermind"\nplugin = "{name}"\n')
    said = wrong("mine.toml")
    assert said.startswith("mine.toml: plugin ")
    assert problem in said


def test_a_custom_game_travels_as_one_folder_that_every_command_can_use(custom, capsys):
    assert run(["solve", "-g", str(custom), "--answer", "11", "-s", "first-consistent"]) == 0
    shown = capsys.readouterr()
    assert shown.out.endswith("solved\n")
    assert shown.err == f"wordle-kit: {custom} loads the plugin {custom.with_name('rule.py')}\n"


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
    with pytest.raises(wk.GameError, match=r"none\.txt"):
        wk.load_game({"name": "g", "alphabet": str(tmp_path / "none.txt"), "length": 1, "answers": ["a"]})


def test_a_word_file_gives_its_words_with_their_line_numbers(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("# toys\nball\n\n  doll \n#cut\n#\nkite", encoding="utf-8")
    assert read_word_file(path) == [(2, "ball"), (4, "doll"), (7, "kite")]


@pytest.mark.parametrize("content", [b"\xef\xbb\xbfball\ndoll\n", b"ball\r\ndoll\r\n"], ids=["BOM", "CRLF"])
def test_a_word_file_may_come_from_windows(tmp_path, content):
    path = tmp_path / "words.txt"
    path.write_bytes(content)
    assert read_word_file(path) == [(1, "ball"), (2, "doll")]


def test_a_word_file_that_is_missing_is_an_error_with_its_path(tmp_path):
    with pytest.raises(wk.GameError, match=r"nowhere\.txt"):
        read_word_file(tmp_path / "nowhere.txt")


def test_a_word_file_in_another_encoding_is_an_error_with_its_line(tmp_path):
    path = tmp_path / "words.txt"
    path.write_bytes("ball\npuppe\nbär\n".encode("latin-1"))
    with pytest.raises(wk.GameError, match=r"words\.txt.*3"):
        read_word_file(path)


def test_lines_that_begin_with_a_hash_are_comments_unless_it_is_a_symbol(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("#no space\n# space\n#\n#a\nab\n")
    assert read_word_file(path) == [(5, "ab")]
    assert read_word_file(path, Alphabet("ab")) == [(5, "ab")]
    assert read_word_file(path, Alphabet("ab#")) == [(1, "#no space"), (4, "#a"), (5, "ab")]
