"""Games about items: attributes are compared as their kinds say, and the games work wherever games do."""

import json
import pickle
import unicodedata

import pytest

import wordle_kit as wk
from wordle_kit.strategy.moves import read_move

ANIMALS = """animal,legs,weight,class,food
Cat,4,4,mammal,meat
Dog,4,30,mammal,meat; plants
Eagle,2,5,bird,meat
Polar bear,4,450,mammal,meat
Shark,0,,fish,meat
Sparrow,2,0.03,bird,plants; meat
Whale,0,,mammal,meat;krill
"""


def by_hand(kind, guess, answer):
    """The mark of two cells, from the definition."""
    if guess == answer:
        return "="
    if "" in (guess, answer):
        return "?"
    if kind == "number":
        return ">" if float(answer) > float(guess) else "<"
    if kind == "set":
        first, second = ({part.strip() for part in cell.split(";")} for cell in (guess, answer))
        return "=" if first == second else "~" if first & second else "x"
    return "x"


@pytest.fixture
def animals(tmp_path):
    (tmp_path / "animals.csv").write_text(ANIMALS, encoding="utf-8")
    (tmp_path / "animals.toml").write_text('name = "animals"\nitems = "animals.csv"\n', encoding="utf-8")
    return wk.load_game(tmp_path / "animals.toml")


def game_of(folder, text, **settings):
    (folder / "items.csv").write_text(text, encoding="utf-8")
    return wk.load_game({"name": "items", "items": str(folder / "items.csv"), **settings})


def test_items_are_words_in_lower_case_with_hyphens_in_the_order_of_the_file(animals):
    assert animals.answers == ("cat", "dog", "eagle", "polar-bear", "shark", "sparrow", "whale")
    assert [column.kind for column in animals.rule.items.columns] == ["number", "number", "category", "set"]


def test_every_pair_of_items_is_compared_as_the_kinds_of_the_columns_say(animals):
    rows = [line.split(",")[1:] for line in ANIMALS.splitlines()[1:]]
    kinds = ("number", "number", "category", "set")
    for guess, guessed in zip(animals.guesses, rows, strict=True):
        for answer, hidden in zip(animals.answers, rows, strict=True):
            marks = "".join(map(by_hand, kinds, guessed, hidden))
            assert str(animals.feedback(guess, answer)) == marks
            code = animals.table.code(animals.guess_ids[guess], animals.answer_ids[answer])
            assert str(animals.show(code)) == marks


def test_feedback_is_read_as_marks_arrows_and_names(animals):
    for answer in animals.answers:
        feedback = animals.feedback("dog", answer)
        arrows = str(feedback).translate(str.maketrans("<>x~", "↓↑✗≈"))
        assert {animals.read_feedback(text).code for text in (str(feedback), feedback.tiles, arrows)} == {feedback.code}
    assert animals.feedback("dog", "shark").tiles == "legs↓  weight?  class✗  food≈"
    for wrong in ("", "==", "====!", "legs="):
        with pytest.raises(wk.GameError, match="legs, weight, class, food"):
            animals.read_feedback(wrong)


def test_the_legend_explains_the_marks_that_the_columns_can_have(animals, tmp_path):
    assert all(mark in animals.rule.legend(tiles=False) for mark in "=><x~?")
    assert "≈" in animals.rule.legend()
    of_categories = game_of(tmp_path, "item,a\nx,b\ny,c\n").rule.legend()
    assert not any(mark in of_categories for mark in "><~?≈")


def test_a_name_may_be_typed_as_it_is_written_and_a_wrong_one_is_answered_with_the_nearest(animals):
    assert animals.feedback("Polar  Bear", "cat") == animals.feedback("polar-bear", "cat")
    assert read_move(animals, "Polar bear =<x=") == ("Polar bear", ("=<x=",))
    with pytest.raises(wk.GameError, match=r"shrk.*shark"):
        animals.feedback("shrk", "cat")
    with pytest.raises(wk.GameError, match="'x'"):
        animals.feedback("x", "cat")


def test_a_letter_and_its_accent_are_one_whatever_program_saved_the_file(tmp_path):
    game = game_of(tmp_path, unicodedata.normalize("NFD", "land,size\nÖsterreich,1\nMalmö,2\n"))
    for form in ("NFC", "NFD"):
        assert str(game.feedback(unicodedata.normalize(form, "österreich"), "malmö")) == ">"
        assert game.table.code(0, 1) == game.read_feedback(">").code


def test_items_with_the_same_attributes_are_told_apart_only_by_the_answer_itself(tmp_path):
    game = game_of(tmp_path, "item,size\none,1\nanother,1\nthird,2\n")
    assert [str(game.feedback("one", answer)) for answer in game.answers] == ["=!", "=", ">"]
    assert game.feedback("another", "another").wins
    assert game.read_feedback("=!").wins
    assert not game.read_feedback("=").wins


@pytest.mark.parametrize("move", ["dog==>=x", "dog =>=x", "dog = =>=x"])
def test_a_move_may_have_spaces_before_marks_that_begin_with_an_equals_sign(animals, move):
    assert read_move(animals, move) == ("dog", ("=>=x",))


def test_columns_may_have_another_kind_or_be_ignored(tmp_path):
    game = game_of(tmp_path, "item,year,note\na,1,x\nb,2,y\n", columns={"year": "category", "note": "ignore"})
    assert str(game.feedback("a", "b")) == "x"


def test_numbers_have_decimal_commas_where_semicolons_separate_cells(tmp_path):
    game = game_of(tmp_path, 'item;size;tags\na;1,5;x\nb;-12,25;"x;y"\n')
    assert [column.values for column in game.rule.items.columns] == [(1.5, -12.25), (("x",), ("x", "y"))]


@pytest.mark.parametrize(
    ("text", "settings", "named"),
    [
        ("item,a\nx,1\nX,2\n", {}, "line 3"),
        ("item,a\nx,1\ny\n", {}, "line 3"),
        ("item,a,a\nx,1,1\n", {}, "'a'"),
        ("item,a\nx,1\ny,2\n", {"columns": {"b": "number"}}, "'b'"),
        ("item,a\nx,one\ny,2\n", {"columns": {"a": "number"}}, "'one'"),
        ("item,a\nx,1\ny,2\n", {"rule": "wordle"}, "'wordle'"),
    ],
)
def test_a_mistake_in_a_table_of_items_is_named(tmp_path, text, settings, named):
    with pytest.raises(wk.GameError, match=named):
        game_of(tmp_path, text, **settings)


def test_programs_get_items_as_the_protocol_says_and_lose_nothing(animals):
    items = animals.rule.items
    fields = json.loads(json.dumps(items.as_fields()))
    assert fields["names"][4] == "shark"
    assert [column["values"][4] for column in fields["columns"]] == [0.0, None, "fish", ["meat"]]
    assert wk.Items.from_fields(fields) == items


def test_another_cell_makes_another_game(tmp_path):
    first = game_of(tmp_path, "item,a\n" + "".join(f"i{i},{i}\n" for i in range(40)))
    other = game_of(tmp_path, "item,a\n" + "".join(f"i{i},{i if i != 1 else 100}\n" for i in range(40)))
    assert first.fingerprint != other.fingerprint
    assert pickle.loads(pickle.dumps(first)) == first


def test_the_heaviest_element_is_found_and_its_facts_are_those_of_chemistry():
    game = wk.load_game("elements")
    facts = {column.name: dict(zip(game.answers, column.values, strict=True)) for column in game.rule.items.columns}
    assert (facts["period"]["iron"], facts["group"]["iron"], facts["block"]["iron"]) == (4, 8, "d")
    assert [facts["state"][name] for name in ("mercury", "carbon", "neon")] == ["liquid", "solid", "gas"]
    assert wk.tournament(game, ["entropy"], workers=1).rows[0].failed == 0
