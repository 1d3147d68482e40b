"""Games in files: reads the settings of a game and of the games that it builds on, checks them, and makes a Game.

Words, alphabets and weights may be in separate files.
"""

import itertools
import math
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from wordle_kit.arguments import path_of, problem_in
from wordle_kit.errors import GameError, WordleKitError, unknown
from wordle_kit.files import read_text
from wordle_kit.game.game import Game
from wordle_kit.game.rules import Rule
from wordle_kit.game.words import Alphabet, Word
from wordle_kit.texts import number_of, shown

NAME = r"^[a-z0-9][a-z0-9._-]*$"
"""The pattern of a game's name, which is also that of its folder."""

WORD_FILE = ".txt"
"""How an entry ends if it names a file of words or symbols rather than a word, or than listing symbols."""

GENERATED = ("all", "all-different")
"""The entries that stand for generated words instead of listing words."""

WEIGHTED = "+"
"""Separates the name of a game from the name of its weights file. Names in game files do not contain it."""

Registered = Mapping[str, Path | Mapping[str, Any]]
"""Registered games by name: a file or its fields."""

Order = Literal["alphabetical", "answers-first", "as-listed"]
"""The orders in which a game can have its words. Ties between guesses go to the first word in this order."""

MAX_GENERATED_WORDS = 1_000_000
"""The most words that `all` generates. Computing the feedback of more guesses would take too long."""

Line = tuple[str, str, float | None]
"""A word in a list: where it is written, its text, and its weight, if any."""


@dataclass(frozen=True)
class WrittenGame:
    """The settings of a game, including inherited ones. Paths in them do not depend on the folder of a game file."""

    fields: Mapping[str, Any]
    where: str
    """What messages call the game, such as the path of its file."""
    folder: Path = Path()
    """The folder to which the path of a base is relative."""
    source: object = None
    """What identifies the game: the real path of its file, or the number of the object that was given."""
    weighs_again: bool = False
    """Whether the game has weights that replace those in its base's word file."""

    @property
    def plugin(self) -> Path | None:
        """The file of the plugin that the game names, or None."""
        plugin = self.fields.get("plugin")
        return Path(plugin) if isinstance(plugin, str) else None


class GameDefinition(BaseModel):
    """The settings of a game file. docs/games.md explains each of them."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    name: Annotated[str, Field(pattern=NAME)]
    title: str = ""
    nouns: Annotated[list[str], Field(min_length=2, max_length=2)] = ["word", "letter"]
    base: str | None = None
    plugin: str | None = None
    alphabet: str | list[str]
    separator: Annotated[str, Field(max_length=1)] = ""
    length: Annotated[int, Field(ge=1, le=64)]
    answers: str | list[str]
    guesses: str | list[str] = []
    order: Order = "alphabetical"
    rule: Any = "wordle"
    boards: int = 1
    max_guesses: Annotated[int, Field(le=10_000)] | None = None
    hard_mode: bool = False
    weights: dict[str, float] | str | None = None


def check_game_name(name: str) -> None:
    """Raise WordleKitError unless this can be the name of a game and of its folder."""
    if not re.fullmatch(NAME, name):
        raise WordleKitError(f"{name!r} cannot name a game; use lower-case letters, digits and -, as in wort-5")


def read_settings(game: str | Path | Mapping[str, Any], registered: Registered) -> WrittenGame:
    """Return the settings of a game, given as the name of a registered game, a file or a mapping of fields.

    Raises GameError for a file that cannot be read, and for a game that builds on itself.
    """
    written = _read(game, registered, Path())
    chain, fields = [written], written.fields
    while (base := chain[-1].fields.get("base")) is not None:
        if not isinstance(base, str | Path | Mapping | Game):
            raise GameError(f"{written.where}: base is {shown(base)}; give the name of a game or the path of its file")
        try:
            found = _read(base, registered, chain[-1].folder)
            if any(found.source == earlier.source for earlier in chain):
                names = ", which builds on ".join(each.where for each in (*chain[1:], found))
                raise GameError(f"{written.where} builds on {names}; remove base from one of them")
        except GameError as error:
            raise GameError(f"{written.where}: base: {error}") from error
        chain.append(found)
        inherited = found.fields.keys() - {"name", "title", "base"}
        fields = {key: value for key, value in found.fields.items() if key in inherited} | dict(fields)
    nearest = next((each.fields for each in chain if {"weights", "answers"} & each.fields.keys()), {})
    fields = {key: value for key, value in fields.items() if key != "base"}
    return replace(written, fields=fields, weighs_again="answers" not in nearest)


def _read(game: str | Path | Mapping[str, Any] | Game, registered: Registered, folder: Path) -> WrittenGame:
    """Return the settings that a game sets itself, without those of its base. Relative paths start from `folder`."""
    if isinstance(game, str) and game in registered:
        game = registered[game]
    if isinstance(game, Game):
        return WrittenGame(_written_out(game), f"game {game.name!r}", source=id(game))
    if isinstance(game, Mapping):
        name = f"game {game.get('name', '')!r}"
        return WrittenGame(_with_paths(game, Path.cwd() / folder), name, folder, id(game))
    path = path_of("game", game)
    if isinstance(game, str) and path.suffix != ".toml" and os.sep not in game:
        raise GameError(unknown("game", game, registered, "; for a file, give its path with .toml"))
    path = folder / path
    text = read_text(path, GameError)
    try:
        fields = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise GameError(f"{path}: is not TOML: {error}") from error
    return WrittenGame(_with_paths(fields, path.parent), str(path), path.parent, os.path.realpath(path))


def _written_out(game: Game) -> dict[str, Any]:
    """Return the settings of a Game, with its rule as an object."""
    same = ("name", "title", "length", "rule", "boards", "max_guesses", "hard_mode")
    return {
        **{name: getattr(game, name) for name in same},
        "nouns": list(game.nouns),
        "alphabet": list(game.alphabet.symbols),
        "separator": game.alphabet.separator,
        "answers": list(game.answers),
        "guesses": list(game.guesses),
        "order": "as-listed",
        "weights": None if game.weights is None else dict(zip(game.answers, game.weights, strict=True)),
    }


def _with_paths(fields: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return the fields, with the folder put in front of relative paths of files."""

    def word_file(entry: object) -> object:
        return str(folder / entry) if isinstance(entry, str) and entry.endswith(WORD_FILE) else entry

    found = dict(fields)
    found |= {"alphabet": word_file(found["alphabet"])} if "alphabet" in found else {}
    for name in ("answers", "guesses"):
        given = found.get(name)
        if isinstance(given, list):
            found[name] = [word_file(entry) for entry in given]
        elif isinstance(given, str) and given not in GENERATED:
            found[name] = str(folder / given)
    for name in ("weights", "plugin"):
        if isinstance(found.get(name), str):
            found[name] = str(folder / Path(found[name]).expanduser())
    return found


def build_game(written: WrittenGame, rules: Mapping[str, Rule]) -> Game:
    """Return the game that the settings define. Raises GameError, which names the game and the mistake in it."""
    where = written.where
    try:
        definition = GameDefinition.model_validate(written.fields)
    except ValidationError as error:
        raise GameError(f"{where}: {problem_in(error, GameDefinition.model_fields)}") from error
    try:
        rule, alphabet = _rule(definition.rule, rules), Alphabet(symbols_in(definition.alphabet), definition.separator)
        weighed = _words(definition.answers, "answers", definition, alphabet)
        others = _words(definition.guesses, "guesses", definition, alphabet)
        if not weighed:
            raise GameError("answers: there are none; a game needs at least one")
        answers, guesses = ordered([*weighed], [*others], definition.order, alphabet)
        column = [weight for word in answers if (weight := weighed[word]) is not None]
        if definition.weights is not None:
            if column and not written.weighs_again:
                raise GameError("weights: the answers have weights in their word file too; keep one of the two")
            column = weights_in_order(definition.weights, answers, alphabet)
        return Game(
            name=definition.name,
            title=definition.title,
            nouns=definition.nouns,
            alphabet=alphabet,
            answers=answers,
            guesses=guesses,
            rule=rule,
            boards=definition.boards,
            max_guesses=definition.max_guesses,
            hard_mode=definition.hard_mode,
            weights=column or None,
        )
    except GameError as error:
        raise type(error)(f"{where}: {error}") from error


def _rule(given: object, rules: Mapping[str, Rule]) -> Rule:
    """Return the rule that a setting gives: the name of a rule in `rules`, or a rule object."""
    if isinstance(given, Rule):
        return given
    if isinstance(given, type) and issubclass(given, Rule):
        raise GameError(f"rule is the class {given.__name__}; give an object, {given.__name__}()")
    if not isinstance(given, str):
        raise GameError(f"rule is {shown(given)}; give the name of a rule, or a Rule object")
    if given not in rules:
        raise GameError(unknown("rule", given, rules))
    return rules[given]


def with_weights(game: Game, path: Path) -> Game:
    """Return a game with the weights in a file of lines `word weight`; the game's name gets the file's name added.

    Raises GameError if the file cannot be read, or does not have one weight for each answer.
    """
    answers = [game.alphabet.split(word) for word in game.answers]
    weights = weights_in_order(str(path.expanduser()), answers, game.alphabet)
    name, title = f"{game.name}{WEIGHTED}{path.stem}", f"{game.title}, weights of {path.name}"
    return game.replace(name=name, title=title, weights=weights)


def ordered(answers: list[Word], others: list[Word], order: Order, alphabet: Alphabet) -> tuple[list[Word], list[Word]]:
    """Return the answers and the guesses of a game in its order. The guesses are the answers and `others`."""
    if order == "as-listed":
        listed = set(others)
        return answers, [word for word in answers if word not in listed] + others
    hidden = set(answers)
    others = [word for word in others if word not in hidden]
    answers = sorted(answers, key=alphabet.sort_key)
    if order == "answers-first":
        return answers, answers + sorted(others, key=alphabet.sort_key)
    return answers, sorted(answers + others, key=alphabet.sort_key)


def _words(source: str | list[str], field: str, game: GameDefinition, alphabet: Alphabet) -> dict[Word, float | None]:
    """Return the words that a setting lists, each with the weight that stands behind it in a word file, or None."""
    if source in GENERATED:
        return dict.fromkeys(_generated(field, game, alphabet, repeats=source == "all"))
    lines: list[Line] = []
    for number, entry in enumerate([source] if isinstance(source, str) else source, start=1):
        if isinstance(source, str) or entry.endswith(WORD_FILE):
            found = list(_lines(Path(entry), alphabet))
            if not found:
                raise GameError(f"{field}: {entry} has no words")
            lines += found
        else:
            lines.append((f"{field}: entry {number}", entry, None))

    def problem(word: Word, weight: float | None) -> str | None:
        if len(word) != game.length:
            return f"has {number_of(len(word), 'symbol')}; words of {game.name} have {game.length}"
        if weight is not None and field != "answers":
            return "has a weight, but only answers have weights; drop the number"
        return None

    return _by_word(lines, alphabet, problem)


def _by_word(
    lines: Iterable[Line], alphabet: Alphabet, problem: Callable[[Word, float | None], str | None]
) -> dict[Word, float | None]:
    """Return the weight of each word, or None for all words. Raises GameError for lines in which `problem` finds one.

    It is also an error if a word occurs twice, or if some words have weights and others have none.
    """
    found: dict[Word, float | None] = {}
    for where, text, weight in lines:
        try:
            word = alphabet.split(text)
        except GameError as error:
            raise GameError(f"{where}: {error}; add it to the alphabet or drop the word") from error
        why = "is listed twice; drop one" if word in found else problem(word, weight)
        if why is None and found and (weight is None) != (next(iter(found.values())) is None):
            why = "has a weight" if weight is not None else "has no weight"
            why += ", unlike the words before it; give each word one, or none"
        if why is not None:
            raise GameError(f"{where}: {text!r} {why}")
        found[word] = weight
    return found


def _lines(path: Path, alphabet: Alphabet) -> Iterator[Line]:
    """Yield the lines of a word file: the place of each line, its word, and its weight if it has one.

    A space or a tab stands before the weight. If spaces separate the symbols of words, it must be a tab. Raises
    GameError for a weight that is negative or not finite.
    """
    for number, line in read_word_file(path, alphabet):
        text, *last = line.rsplit("\t" if alphabet.separator == " " else None, 1)
        try:
            weight = float(last[0]) if last else None
        except ValueError:
            text, weight = line, None
        where = f"{path}: line {number}"
        if weight is not None and not 0 <= weight < math.inf:
            raise GameError(f"{where}: the weight of {text.strip()!r} is {weight}; give a number from 0 up")
        yield where, text.strip(), weight


def _generated(field: str, game: GameDefinition, alphabet: Alphabet, *, repeats: bool) -> list[Word]:
    count = 1
    for place in range(game.length):
        count *= max(0, len(alphabet.symbols) - (0 if repeats else place))
    if not 0 < count <= MAX_GENERATED_WORDS:
        raise GameError(
            f"{field}: all words of {game.length} of {len(alphabet.symbols)} symbols are {count:,}; "
            f"from 1 to {MAX_GENERATED_WORDS:,} can be made"
        )
    make = itertools.product(alphabet.symbols, repeat=game.length)
    return list(make if repeats else itertools.permutations(alphabet.symbols, game.length))


def weights_in_order(weights: Mapping[str, float] | str, answers: Sequence[Word], alphabet: Alphabet) -> list[float]:
    """Return the weight of each answer, in the order of the answers.

    Weights are a mapping, in which an answer without a weight weighs 1, or the path of a file with one for each answer.
    Raises GameError for a weight of a word that is not an answer, and for an answer without a weight in the file.
    """
    known = frozenset(answers)

    def problem(word: Word, weight: float | None) -> str | None:
        if weight is None:
            return "has no weight; write a number after the word"
        return None if word in known else "is not among the answers; drop it"

    if not isinstance(weights, str):
        by_word = _by_word([("weights", *item) for item in weights.items()], alphabet, problem)
    else:
        by_word = _by_word(_lines(Path(weights), alphabet), alphabet, problem)
        missing = next((word for word in answers if word not in by_word), None)
        if missing is not None:
            raise GameError(f"{weights}: has no weight for the answer {alphabet.join(missing)!r}; add a line for it")
    return [1.0 if (weight := by_word.get(word)) is None else weight for word in answers]


@cache
def bundled_alphabets() -> Mapping[str, Path]:
    """Return the files of the bundled alphabets by their names, such as `hungarian`."""
    from wordle_kit_data import FOLDER

    return {path.stem: path for path in sorted((FOLDER / "alphabets").glob(f"*{WORD_FILE}"))}


def symbols_in(alphabet: str | list[str]) -> str | list[str]:
    """Return the symbols of an alphabet, which a game file gives as a name, as a file or as the symbols themselves."""
    if not isinstance(alphabet, str):
        return alphabet
    path = bundled_alphabets().get(alphabet)
    if path is None and not alphabet.endswith(WORD_FILE):
        return alphabet
    path = path or Path(alphabet)
    symbols = [symbol for _, line in read_word_file(path) for symbol in line.split()]
    if not symbols:
        raise GameError(f"alphabet: {path} has no symbols; list at least one")
    return symbols


def read_word_file(path: Path, alphabet: Alphabet | None = None) -> list[tuple[int, str]]:
    """Return the lines of a word file that contain a word, each with its line number, counted from 1.

    Blank lines and lines that begin with `#` are skipped. If `#` is in the alphabet, only lines that begin with `# `
    are skipped. Raises GameError if the file cannot be read.
    """
    text = read_text(path, GameError)
    comment = "# " if alphabet is not None and any("#" in symbol for symbol in alphabet.symbols) else "#"
    lines = enumerate(map(str.strip, text.splitlines()), start=1)
    return [(number, line) for number, line in lines if line and not (line + " ").startswith(comment)]
