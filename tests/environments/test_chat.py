"""The word in an answer: whatever a model writes around it, and whatever symbols the game has."""

import pytest

import wordle_kit as wk
from wordle_kit.environments import ASK, word_in

SIGNS = wk.load_game({"name": "signs", "alphabet": "*-+:_", "length": 3, "answers": "all"})


@pytest.mark.parametrize(
    ("game", "answer", "word"),
    [
        ("wordle", "GUESS: crane", "crane"),
        ("wordle", "crane", "crane"),
        ("wordle", "I shall guess: a noun.\n\n**GUESS:** `CRANE`.\n", "crane"),
        ("wordle", "Guess:\n  Slate", "slate"),
        ("wordle", "GUESS: crane\nGUESS: slate", "slate"),
        ("wordle", "GUESS: crane or slate", "crane or slate"),
        ("wordle", "Wordle is a game.", "Wordle is a game"),
        ("wordle", "GUE", "GUE"),
        ("wordle", "", ""),
        ("mini-nerdle", "**Guess:** 10-1=9", "10-1=9"),
        ("glyphs", "GUESS: AKAL", "AKAL"),
        ("glyphs", "GUESS: akish", "akish"),
        ("elements", 'Guess: "Iron"', "iron"),
        (SIGNS, "GUESS: *-*", "*-*"),
        (SIGNS, "GUESS: `-_*`", "-_*"),
        (SIGNS, "GUESS: :+_", ":+_"),
    ],
)
def test_the_word_of_an_answer_is_found(game, answer, word):
    assert word_in(answer, wk.load_game(game)) == word


def test_the_request_has_the_form_that_is_read():
    for name in ("wordle", "mini-nerdle"):
        game = wk.load_game(name)
        assert ASK.format(noun=game.nouns[0]).endswith(f" GUESS: and the {game.nouns[0]}.")
        assert word_in(f"Well. GUESS: {game.guesses[3]}", game) == game.guesses[3]


def test_a_word_in_the_wrong_case_is_not_another_word():
    """In this game, small and capital letters are different letters."""
    game = wk.load_game("glyphs")
    wrong = next(word.upper() for word in game.guesses if word.upper() not in game.guess_ids)
    assert word_in(f"GUESS: {wrong}", game) == wrong
