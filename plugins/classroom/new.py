"""Write a new assignment on a game, for students and for the teacher, from the texts in `template/`."""

import json
import math
import random
import re
import shlex
import statistics
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from wordle_kit_plugins.classroom.assignment import Definition, read_assignment
from wordle_kit_plugins.classroom.play import Played, Result, counted
from wordle_kit_plugins.classroom.scores import grade_of

from wordle_kit._version import __version__
from wordle_kit.api import load_game, load_puzzles, load_strategy, play
from wordle_kit.errors import WordleKitError
from wordle_kit.files import from_template, private_folder, write_file
from wordle_kit.game.files import WORD_FILE
from wordle_kit.game.game import Game
from wordle_kit.plugins import Plugins
from wordle_kit.texts import markdown
from wordle_kit.tournaments.chunks import TREE
from wordle_kit.tournaments.runs import Outcome

SAMPLE = 500
"""The number of puzzles that show how hard a game is which is too large to play all of it."""

filled = partial(from_template, "wordle_kit_plugins.classroom")
"""Returns the text of a template of this package with these values."""

EXECUTABLE = ("teacher/run_autograder", "teacher/setup.sh")
NOTE = "teacher/NOTE.md"
FILES = ("assignment.toml", "README.md", "starter.py", *EXECUTABLE, NOTE)
"""The files that are made from the templates of the same names."""

KNOWN = {"the starter, unchanged": "first-consistent", "random-consistent": "random-consistent", "entropy": "entropy"}
"""What the note for the teacher names, with the bundled strategies that play like it."""

STARTER = next(iter(KNOWN))

LEAST_SCALE = 0.25
"""The least guesses, on average, between none and all of the points of `mean`."""

PUZZLING = 3
"""The fewest guesses that the starter should take for the word that instructions use as an example."""


@dataclass(frozen=True)
class Basis:
    """A game for an assignment."""

    game: Game
    named: str
    """Its file or its name, as the assignment file refers to it."""
    story: str
    """Its description for students, as Markdown."""
    origin: str
    """Its description for the teacher, as Markdown."""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Its files, by their names in the assignment's folder."""
    plugins: tuple[str, ...] = ()
    """The names of the files that have rules."""


def place_of(name: str, folder: Path) -> Path:
    """Return the folder of a new assignment. Raises WordleKitError if the name is invalid or the folder exists."""
    if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
        raise WordleKitError(
            f"{name!r} cannot name an assignment; use lower-case letters, digits and -, as in spring-words"
        )
    target = folder / name
    if target.exists():
        raise WordleKitError(f"{target} already exists; choose another name or folder")
    return target


def write_assignment(target: Path, basis: Basis) -> None:
    """Write an assignment to a folder."""
    for name in basis.files:
        if name in FILES:
            raise WordleKitError(f"{name}: every assignment has its own file of this name; rename yours")
    results = {name: _result(spec, basis.game) for name, spec in KNOWN.items()}
    facts = _facts(target.name, basis, {name: result for name, result in results.items() if result.plays})
    private_folder(target / "teacher")
    for name, content in basis.files.items():
        write_file(target / name, content, make_folder=True)
    for file in FILES:
        if file == NOTE:  # the note says what the other files are worth
            facts |= {"known": _known_points(target, results)}
        write_file(target / file, filled(Path(file).name, facts), make_folder=True)
        if file in EXECUTABLE:
            (target / file).chmod(0o755)


def _result(spec: str, game: Game) -> Result:
    """Return what a bundled strategy does in a game, as grading sees it; without plays if it cannot play the game."""
    strategy = load_strategy(spec)
    if strategy.problem_with(game) is not None:
        return Result(problem="it cannot play this game")
    is_tree = game.boards == 1 and len(game.answers) <= TREE
    plays = play(strategy, game, load_puzzles(game, None if is_tree else SAMPLE))
    return Result(is_tree=is_tree, plays=tuple(map(Played.of, plays)))


def _facts(name: str, basis: Basis, results: Mapping[str, Result]) -> dict[str, str]:
    """Return the values for the templates."""
    game = basis.game
    means = {one: statistics.fmean(counted(result.plays, game.cap)) for one, result in results.items()}
    # The unchanged starter gets nothing for its mean: where it plays draws, its own mean may be a little less.
    worst = means[STARTER] if STARTER in means else max(means.values())
    solved = [statistics.fmean(play.outcome is Outcome.SOLVED for play in each.plays) for each in results.values()]
    none = math.floor((worst - (0.1 if not results[next(iter(results))].is_tree else 0)) * 100) / 100
    full = min(math.ceil(min(means.values()) * 20) / 20, none - LEAST_SCALE)
    facts = {
        "name": name,
        "title": _title(name),
        "wheel": f"wordle_kit-{__version__}-py3-none-any.whl",
        "game": basis.named,
        "plugins": f"plugins = {json.dumps(basis.plugins)}\n" if basis.plugins else "",
        "options": " ".join([f"-g {shlex.quote(basis.named)}", *(f"-p {shlex.quote(file)}" for file in basis.plugins)]),
        "story": basis.story,
        "origin": basis.origin,
        "answers": f"{len(game.answers):,}",
        "bits": f"{game.boards * math.log2(len(game.answers)):.2f}",
        "answer": shlex.quote(_example(results[next(iter(results))].plays)),
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
    """Return the points that the starter and some strategies get in the assignment of a folder, as Markdown."""
    assignment = read_assignment(folder)
    lines = [f"| strategy | guesses | points of {assignment.most:g} |", "|---|---|---|"]
    for name, result in results.items():
        if result.plays:
            grade = grade_of(assignment, name, "", result)
            lines.append(f"| {name} | {grade.mean:.2f} | {grade.points:.0f} |")
    return "\n".join(lines)


def _example(plays: Sequence[Played]) -> str:
    """Return a puzzle that takes as many guesses as most, but some: the words of its boards, with commas."""
    usual = max(PUZZLING, statistics.median_high(len(play.guesses) for play in plays))
    return ",".join(min(plays, key=lambda play: abs(len(play.guesses) - usual)).puzzle)


# Invented games


VOWELS, CONSONANTS = "aeiou", "bdfgklmnprstvz"
"""The letters that an invented language may have."""

ANSWERS, GUESSES = 800, 200
"""The numbers of words of an invented game that may be hidden, and that may only be guessed."""


def invent_game(name: str, seed: int) -> Basis:
    """Return an invented game whose words are drawn with the seed."""
    alphabet, words = invented_words(seed)
    answers, others = sorted(words[:ANSWERS]), sorted(words[ANSWERS:])
    facts = {"name": name, "title": _title(name), "alphabet": json.dumps(alphabet), "answers": str(ANSWERS)}
    text = filled("game.toml", facts)
    lists = {"answers.txt": answers, "guesses.txt": others}
    files = {file: ("\n".join(lines) + "\n").encode() for file, lines in lists.items()}
    origin = f"is new: its words were drawn at random with seed {seed}, so no published strategy or list fits."
    return Basis(
        load_game(tomllib.loads(text) | {"answers": answers, "guesses": others}),
        f"{name}.toml",
        filled("story.md", {}).rstrip(),
        origin,
        files | {f"{name}.toml": text.encode()},
    )


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


# Games that exist


EXAMPLES = 4
"""The number of guesses that show what a rule does."""

NAMED = ("alphabet", "answers", "guesses", "weights", "plugin", "base")
"""The settings of a game that may name files."""

COPIED = (WORD_FILE, ".csv", ".py", ".toml")
"""The endings of files that are copied with a game."""


def adopt_game(game: str, plugins: Sequence[Path] = ()) -> Basis:
    """Return a game by its name or its file, with the files of its rules. Raises WordleKitError if one is wrong."""
    for path in plugins:
        if not path.is_file():
            raise WordleKitError(f"plugin {path}: there is no such file")
    loaded = Plugins.load([str(path.resolve()) for path in plugins], strict=True).for_game(game)
    read = load_game(game, loaded)
    files = _by_name((path.name, path.read_bytes()) for path in map(Path, loaded.requested))
    names = tuple(files)
    if game not in loaded.games:
        files = _by_name([*files.items(), *_game_files(Path(game).expanduser(), loaded)])
        _check_copies(read, Path(game).name, files, names)
        game = Path(game).name
    origin = (
        f"is `{game}`, an existing game. If its word lists or its rule are published, strategies for it may be too."
    )
    return Basis(read, game, _described(read), origin, files, names)


def _by_name(files: Iterable[tuple[str, bytes]]) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for name, text in files:
        if found.setdefault(name, text) != text:
            raise WordleKitError(f"{name}: two different files have this name; rename one")
    return found


def _game_files(path: Path, plugins: Plugins) -> Iterable[tuple[str, bytes]]:
    """Yield the names and texts of a game file, its bases and the files that they name, changed for a single folder."""
    text = path.read_text(encoding="utf-8-sig")
    fields = tomllib.loads(text)
    entries = [entry for name in NAMED for entry in _listed(fields.get(name)) if entry.endswith(COPIED)]
    for entry in entries:
        if entry in plugins.games:
            continue
        file = path.parent / Path(entry).expanduser()
        for quote in "\"'":
            text = text.replace(f"{quote}{entry}{quote}", f"{quote}{file.name}{quote}")
        if file.suffix == ".toml":
            yield from _game_files(file, plugins)
        elif file.suffix != ".py":  # plugins are copied already
            yield file.name, file.read_bytes()
    yield path.name, text.encode()


def _listed(setting: object) -> list[str]:
    entries = setting if isinstance(setting, list) else [setting]
    return [entry for entry in entries if isinstance(entry, str)]


def _check_copies(game: Game, name: str, files: dict[str, bytes], plugins: Sequence[str]) -> None:
    """Raise WordleKitError unless copies of the files in another folder define the same game."""
    with TemporaryDirectory() as place:
        folder = Path(place)
        for file, text in files.items():
            write_file(folder / file, text, make_folder=True)
        loaded = Plugins.load([str(folder / plugin) for plugin in plugins], strict=True)
        if load_game(str(folder / name), loaded).fingerprint != game.fingerprint:
            raise WordleKitError(f"{name}: defines another game when it is copied; put its word lists next to it")


def _described(game: Game) -> str:
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
