"""Invents an assignment: a new word game, the files for students, and those for the teacher."""

import json
import math
import random
import re
import statistics
from importlib import resources
from pathlib import Path

from wordle_kit.analysis.splits import split_rows, split_summary
from wordle_kit.classroom.files import write
from wordle_kit.errors import WordleKitError
from wordle_kit.game.game import Game
from wordle_kit.leaderboard.metrics import counted
from wordle_kit.lookup import load_game
from wordle_kit.strategy.position import Position
from wordle_kit.tournaments.referee import play

VOWELS, CONSONANTS = "aeiou", "bdfgklmnprstvz"

ANSWERS, GUESSES, HIDDEN = 800, 200, 100

FILES = {
    "assignment.toml": "assignment.toml",
    "game.toml": "{name}.toml",
    "README.md": "README.md",
    "starter.py": "starter.py",
    "test_starter.py": "test_starter.py",
    "NOTE.md": "teacher/NOTE.md",
    "run_autograder": "teacher/run_autograder",
    "setup.sh": "teacher/setup.sh",
}
"""The templates, and the files that are made of them."""

EXECUTABLE = ("teacher/run_autograder", "teacher/setup.sh")


def write_assignment(name: str, folder: Path, seed: int) -> Path:
    """Write an assignment on a game that is made with the seed, and return its folder, which must not be there yet."""
    if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
        raise WordleKitError(f"{name!r} cannot name an assignment; use small letters, digits and -, as in spring-words")
    target = folder / name
    if target.exists():
        raise WordleKitError(f"{target}: is there already; choose another name or folder")
    alphabet, words = _words(seed)
    answers, others = sorted(words[:ANSWERS]), sorted(words[ANSWERS:])
    fields = {"name": name, "alphabet": alphabet, "length": 4, "answers": answers, "guesses": others}
    game = load_game(fields | {"rule": "case-aware", "max_guesses": 6})
    hidden = random.Random(f"hidden {seed}").sample(answers, HIDDEN)
    facts = {
        "name": name,
        "title": name.replace("-", " ").capitalize(),
        "seed": str(seed),
        "alphabet": json.dumps(alphabet),
        "answers": f"{ANSWERS:,}",
        "hidden": str(HIDDEN),
        "bits": f"{math.log2(ANSWERS):.2f}",
        "word": answers[0],
        "share": "0.9",
        **_figures(game, hidden),
    }
    for template, file in FILES.items():
        path = target / file.format(name=name)
        write(path, _filled(template, facts))
        if file in EXECUTABLE:
            path.chmod(0o755)
    for file, lines in (("answers.txt", answers), ("guesses.txt", others), ("teacher/hidden.txt", hidden)):
        write(target / file, "\n".join(lines) + "\n")
    return target


def _words(seed: int) -> tuple[list[str], list[str]]:
    """Return the symbols of an invented language, and words of it in the order in which they were drawn."""
    chance = random.Random(f"words {seed}")
    vowels, consonants = chance.sample(VOWELS, 3), chance.sample(CONSONANTS, 4)
    words: dict[str, None] = {}
    while len(words) < ANSWERS + GUESSES:
        kinds = (consonants, vowels) * 2 if chance.random() < 0.7 else (vowels, consonants) * 2
        letters = [chance.choice(kind) for kind in kinds]
        words["".join(letter.upper() if chance.random() < 0.4 else letter for letter in letters)] = None
    return [case for letter in sorted(vowels + consonants) for case in (letter, letter.upper())], list(words)


def _figures(game: Game, hidden: list[str]) -> dict[str, str]:
    """Return how hard the game is: what some strategies take on the hidden puzzles, and the scale that fits."""
    means = {
        key: statistics.fmean(counted(one, game.cap) for one in play(strategy, game, hidden))
        for key, strategy in (("entropy", "entropy"), ("random", "random-consistent"), ("starter", "first-consistent"))
    }
    (opening,) = play("entropy", game, hidden[:1])
    opener = split_summary(split_rows(Position.start(game).board, opening.guesses[0]))
    return {
        **{key: f"{mean:.2f}" for key, mean in means.items()},
        "opener_bits": f"{opener['expected_bits']:.2f}",
        "full": f"{math.ceil(means['entropy'] * 20) / 20:.2f}",
        "none": f"{math.ceil(max(means['random'], means['starter']) * 20) / 20 + 0.1:.2f}",
    }


def _filled(template: str, facts: dict[str, str]) -> str:
    text = resources.files("wordle_kit.classroom").joinpath(f"template/{template}.txt").read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda match: facts[match[1]], text)
