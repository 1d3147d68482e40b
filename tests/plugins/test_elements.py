"""The game of the elements: attributes are compared as the table says, and the feedback is that of the rule."""

import csv

import pytest
from wordle_kit_plugins.elements import FILE

import wordle_kit as wk
from wordle_kit.strategy.moves import read_move
from wordle_kit.testing import check_rule

GAME = wk.load_game("elements")
ROWS = {row["element"]: row for row in csv.DictReader(FILE.read_text(encoding="utf-8").splitlines())}
CATEGORIES = {"block", "state"}


def by_hand(name, guess, answer):
    """The mark of two cells, from the definition."""
    if guess == answer:
        return "="
    if "" in (guess, answer):
        return "?"
    if name in CATEGORIES:
        return "x"
    return ">" if float(answer) > float(guess) else "<"


def test_the_words_are_the_elements():
    assert GAME.answers == GAME.guesses == tuple(sorted(ROWS, key=[*ROWS].index))
    assert GAME.index_of_guess("Iron") == GAME.index_of_guess("iron")
    with pytest.raises(wk.GameError, match="gild"):
        GAME.index_of_guess("gild")


@pytest.mark.parametrize("guess", ["hydrogen", "iron", "mercury", "oganesson"])
def test_every_attribute_is_compared_with_that_of_the_hidden_element(guess):
    names = list(ROWS["iron"])[1:]
    for answer in GAME.answers:
        marks = "".join(by_hand(name, ROWS[guess][name], ROWS[answer][name]) for name in names)
        feedback = GAME.feedback_of(GAME.table.code(GAME.guess_index[guess], GAME.answer_index[answer]))
        assert (str(feedback), feedback.wins) == (marks, guess == answer)


def test_the_rule_keeps_its_promises():
    assert all(finding.passed for finding in check_rule(GAME.rule, games=[GAME]))


def test_feedback_names_the_attributes_and_a_move_may_have_its_marks():
    assert GAME.feedback("iron", "gold").tiles == "period↑  group↑  block=  mass↑  state=  discovered="
    assert read_move(GAME, "iron >>=>==") == ("iron", (">>=>==",))
    assert all(mark in GAME.rule.legend(tiles=False) for mark in "=><x?")


def test_the_facts_are_those_of_chemistry_and_every_element_is_found():
    assert [ROWS["iron"][name] for name in ("period", "group", "block")] == ["4", "8", "d"]
    assert [ROWS[name]["state"] for name in ("mercury", "carbon", "neon")] == ["liquid", "solid", "gas"]
    assert wk.tournament(GAME, ["entropy"], workers=1).rows[0].failed == 0
