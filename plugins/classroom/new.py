"""Write a new assignment on a game, for students and the teacher, from the templates in `template/`."""

import json
import math
import random
import re
import shlex
import statistics
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from pathlib import Path

from wordle_kit_plugins.classroom.assignment import Definition, read_assignment
from wordle_kit_plugins.classroom.grades import grade_of
from wordle_kit_plugins.classroom.play import may_be_tree
from wordle_kit_plugins.classroom.tests import Result

import wordle_kit as wk
from wordle_kit.files import from_template, read_text, write_file
from wordle_kit.game.files import files_of
from wordle_kit.texts import markdown

SAMPLE = 500
"""The number of puzzles that show how hard a game is if it is too large to play in full."""

filled = partial(from_template, "wordle_kit_plugins.classroom")
"""Return the text of a template of this package with these values filled in."""

EXECUTABLE = ("teacher/run_autograder", "teacher/setup.sh")
NOTE = "teacher/NOTE.md"
FILES = ("assignment.toml", "README.md", "starter.py", *EXECUTABLE, NOTE)
"""The files made from the templates of the same names."""

STARTER = "the starter, unchanged"
KNOWN = {STARTER: "first-consistent", "random-consistent": "random-consistent", "entropy": "entropy"}
"""The entries of the note for the teacher, with the bundled strategies that play like them."""

LEAST_SCALE = 0.25
"""The smallest difference in mean guesses between no points and all points for `mean`."""

PUZZLING = 3
"""The fewest guesses that the starter should need for the example word in the instructions."""


@dataclass(frozen=True)
class Basis:
    """A game for an assignment."""

    game: wk.Game
    named: str
    """The game's file or name, as the assignment file refers to it."""
    story: str
    """The game's description for students, as Markdown."""
    origin: str
    """The game's description for the teacher, as Markdown."""
    files: Mapping[str, str | bytes]
    """The contents of the game's files, by their names in the assignment's folder."""
    plugins: tuple[str, ...] = ()
    """The names of the files with rules."""


def place_of(name: str, folder: Path) -> Path:
    """Return the folder of a new assignment. Raises WordleKitError if the name is invalid or the folder exists."""
    if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
        raise wk.WordleKitError(
            f"{name!r} cannot name an assignment; use lower-case letters, digits and -, as in spring-words"
        )
    target = folder / name
    if target.exists():
        raise wk.WordleKitError(f"{target} already exists; choose another name or folder")
    return target


def write_assignment(target: Path, basis: Basis) -> None:
    """Write an assignment to a folder."""
    for name in basis.files:
        if name in FILES:
            raise wk.WordleKitError(f"{name}: every assignment has its own file of this name; rename yours")
    results = {name: _result(spec, basis.game) for name, spec in KNOWN.items()}
    facts = _facts(target.name, basis, results)
    (target / "teacher").mkdir(mode=0o700, parents=True)
    for name, content in basis.files.items():
        write_file(target / name, content)
    for file in FILES:
        if file == NOTE:  # it states points in the assignment, whose other files exist now
            facts |= {"known": _known_points(target, results)}
        write_file(target / file, filled(Path(file).name, facts))
        if file in EXECUTABLE:
            (target / file).chmod(0o755)


def _result(spec: str, game: wk.Game) -> Result:
    """Return the result of a bundled strategy in a game, in the form that grading uses."""
    is_tree = may_be_tree(game)
    plays = wk.play(wk.load_strategy(spec), game, wk.load_puzzles(game, None if is_tree else SAMPLE))
    return Result(is_tree=is_tree, plays=tuple(plays))


def _facts(name: str, basis: Basis, results: Mapping[str, Result]) -> dict[str, str]:
    """Return the values for the templates."""
    game, starter = basis.game, results[STARTER]
    means = [result.mean(game) for result in results.values()]
    solved = [statistics.fmean(play.outcome is wk.Outcome.SOLVED for play in each.plays) for each in results.values()]
    # The unchanged starter gets no points for its mean. Where it plays draws, its own mean may be slightly lower.
    none = math.floor((starter.mean(game) - (0 if starter.is_tree else 0.1)) * 100) / 100
    full = min(math.ceil(min(means) * 20) / 20, none - LEAST_SCALE)
    facts = {
        "name": name,
        "title": _title(name),
        "wheel": f"wordle_kit-{wk.__version__}-py3-none-any.whl",
        "game": basis.named,
        "plugins": f"plugins = {json.dumps(basis.plugins)}\n" if basis.plugins else "",
        "options": " ".join([f"-g {shlex.quote(basis.named)}", *(f"-p {shlex.quote(file)}" for file in basis.plugins)]),
        "story": basis.story,
        "origin": basis.origin,
        "answers": f"{len(game.answers):,}",
        "bits": f"{game.boards * math.log2(len(game.answers)):.2f}",
        "answer": shlex.quote(_example(starter.plays)),
        "full": f"{full:.2f}",
        "none": f"{none:.2f}",
        "share": f"{max(0.05, min(0.9, math.floor(20 * min(solved)) / 20)):.2f}",
    }
    tests = Definition.model_validate(tomllib.loads(filled("assignment.toml", facts))).tests
    facts["points"] = "\n".join(f"| {test.points:g} | {markdown(test.title)} |" for test in tests)
    return facts


def _title(name: str) -> str:
    return name.replace("-", " ").capitalize()


def _known_points(folder: Path, results: Mapping[str, Result]) -> str:
    """Return the points of the starter and some strategies in the assignment in a folder, as Markdown."""
    assignment = read_assignment(folder)
    grades = [grade_of(assignment, name, "", result) for name, result in results.items()]
    lines = [f"| strategy | guesses | points of {grades[0].of:g} |", "|---|---|---|"]
    lines += [f"| {grade.name} | {grade.mean:.2f} | {grade.points:.0f} |" for grade in grades]
    return "\n".join(lines)


def _example(plays: Sequence[wk.Play]) -> str:
    """Return a puzzle of about the usual number of guesses: the words of its boards, separated by commas."""
    usual = max(PUZZLING, statistics.median_high(len(play.guesses) for play in plays))
    return ",".join(min(plays, key=lambda play: abs(len(play.guesses) - usual)).puzzle)


# Invented games


VOWELS, CONSONANTS = "aeiou", "bdfgklmnprstvz"
"""The letters that an invented language may have."""

ANSWERS, GUESSES = 800, 200
"""The number of words in an invented game that may be hidden, and the number that may only be guessed."""


def invent_game(name: str, seed: int) -> Basis:
    """Return an invented game whose words are drawn with the seed."""
    alphabet, words = invented_words(seed)
    fields = {"name": name, "title": _title(name), "alphabet": alphabet, "length": 4, "rule": "case-aware"}
    game = wk.load_game(fields | {"answers": words[:ANSWERS], "guesses": words[ANSWERS:]})
    notice = "The game of this assignment, in an invented language. Made by `wordle-kit new assignment`."
    origin = f"is new: its words were drawn at random with seed {seed}, so no published strategy or list fits."
    return Basis(game, f"{name}.toml", filled("story.md", {}).rstrip(), origin, files_of(game, notice))


def invented_words(seed: int) -> tuple[list[str], list[str]]:
    """Return the symbols of an invented language, and its words in the order in which they were drawn."""
    chance = random.Random(f"words {seed}")
    vowels = chance.sample(VOWELS, 3)
    usable = [letter for letter in CONSONANTS if letter != "l" or "i" not in vowels]  # l looks like I
    consonants = chance.sample(usable, 4)
    words: dict[str, None] = {}
    while len(words) < ANSWERS + GUESSES:
        kinds = (consonants, vowels) * 2 if chance.random() < 0.7 else (vowels, consonants) * 2
        letters = [chance.choice(kind) for kind in kinds]
        words["".join(letter.upper() if chance.random() < 0.4 else letter for letter in letters)] = None
    return [case for letter in sorted(vowels + consonants) for case in (letter, letter.upper())], list(words)


# Existing games


EXAMPLES = 4
"""The number of guesses that illustrate a rule."""


def adopt_game(game: str, plugins: Sequence[Path] = ()) -> Basis:
    """Return a game by its name or file, with the files of its rules. Raises WordleKitError if one is invalid."""
    for path in plugins:
        if not path.is_file():
            raise wk.WordleKitError(f"plugin {path}: there is no such file")
    loaded = wk.Plugins.load([str(path.resolve()) for path in plugins]).for_game(game)
    read = wk.load_game(game, loaded)
    rules: dict[str, str | bytes] = {
        path.name: path.read_bytes() for path in map(Path, loaded.origins.values()) if path.is_file()
    }
    origin = (
        f"is `{game}`, an existing game. If its word lists or its rule are published, strategies for it may be too."
    )
    if game in loaded.games:
        return Basis(read, game, _described(read), origin, rules, tuple(rules))
    comments = takewhile(lambda line: line.startswith("#"), read_text(Path(game).expanduser()).splitlines())
    notice = "\n".join(line.removeprefix("#").strip() for line in comments)  # such as the licence of its words
    return Basis(read, f"{read.name}.toml", _described(read), origin, rules | files_of(read, notice), tuple(rules))


def _described(game: wk.Game) -> str:
    """Return the description of a game for students, with examples of its feedback."""
    what = game.nouns[0]
    words = f"{len(game.answers):,} {what}s may be hidden"
    if len(game.guesses) > len(game.answers):
        words += f", and {len(game.guesses):,} may be guessed"
    boards = (
        f" Each puzzle has {game.boards} boards, and every guess is made on all of them." if game.boards > 1 else ""
    )
    rule = game.rule.legend() or (type(game.rule).__doc__ or game.rule.name).strip().partition("\n")[0]
    answer = game.answers[len(game.answers) // 2]
    step = max(1, len(game.guesses) // EXAMPLES)
    guesses = [guess for guess in game.guesses[::step] if guess != answer][:EXAMPLES]
    rows = [f"| {markdown(guess)} | {markdown(game.feedback(guess, answer).tiles)} |" for guess in guesses]
    return "\n".join(
        [
            f"Find a hidden {what} of {markdown(game.title or game.name)} with as few guesses as possible.",
            f"{words}; they are in `position.game.answers` and `position.game.guesses`.{boards} The rule is",
            f"`{game.rule.name}`: {markdown(rule.rstrip('.'))}.",
            f"If {markdown(answer)} is hidden, guesses get this feedback:",
            "",
            "| guess | feedback |",
            "|---|---|",
            *rows,
        ]
    )
