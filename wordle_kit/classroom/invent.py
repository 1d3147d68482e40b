"""Invent a word game: an alphabet with two cases, and words of an invented language."""

import json
import random

from wordle_kit.api import load_game
from wordle_kit.classroom.new import Basis

VOWELS, CONSONANTS = "aeiou", "bdfgklmnprstvz"

ANSWERS, GUESSES = 800, 200

GAME = """\
# The game of this assignment: {answers} words of an invented language. Made by `wordle-kit new assignment`.
name = "{name}"
title = "{title}"
alphabet = {alphabet}
length = 4
answers = "answers.txt"
guesses = "guesses.txt"
rule = "case-aware"
max_guesses = 6
"""

STORY = """\
Find a hidden word of an invented language with as few guesses as possible. The words are in `answers.txt`; guesses can
also be those in `guesses.txt`. Each letter has two cases, and upper-case and lower-case letters are different letters.
After a guess, each of its letters gets a colour:

| | |
|---|---|
| 🟩 | the right letter in the right place |
| 🟦 | the right place, but the other case |
| 🟨 | the letter is elsewhere in the word |
| 🟪 | elsewhere, and in the other case |
| ⬜ | none of these |"""

ORIGIN = "is new: its words were drawn at random with seed {seed}, so no published strategy or list fits."


def invent_game(name: str, seed: int) -> Basis:
    """Return an invented game whose words are drawn with the seed."""
    alphabet, words = _words(seed)
    answers, others = sorted(words[:ANSWERS]), sorted(words[ANSWERS:])
    fields = {"name": name, "alphabet": alphabet, "length": 4, "answers": answers, "guesses": others}
    game = load_game(fields | {"rule": "case-aware", "max_guesses": 6})
    title = name.replace("-", " ").capitalize()
    text = GAME.format(name=name, title=title, alphabet=json.dumps(alphabet), answers=ANSWERS)
    lists = {"answers.txt": answers, "guesses.txt": others}
    files = {file: ("\n".join(lines) + "\n").encode() for file, lines in lists.items()}
    return Basis(game, f"{name}.toml", STORY, ORIGIN.format(seed=seed), files | {f"{name}.toml": text.encode()})


def _words(seed: int) -> tuple[list[str], list[str]]:
    """Return the symbols of an invented language, and its words in the order in which they were drawn."""
    chance = random.Random(f"words {seed}")
    vowels, consonants = chance.sample(VOWELS, 3), chance.sample(CONSONANTS, 4)
    words: dict[str, None] = {}
    while len(words) < ANSWERS + GUESSES:
        kinds = (consonants, vowels) * 2 if chance.random() < 0.7 else (vowels, consonants) * 2
        letters = [chance.choice(kind) for kind in kinds]
        words["".join(letter.upper() if chance.random() < 0.4 else letter for letter in letters)] = None
    return [case for letter in sorted(vowels + consonants) for case in (letter, letter.upper())], list(words)
