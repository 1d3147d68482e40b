"""Games in files: this module reads and checks the settings of a game and of its bases, makes a Game, and writes one.

Words, alphabets and weights may be in separate files.
"""

import itertools
import json
import math
import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from wordle_kit.errors import GameError, WordleKitError, problem_in, unknown
from wordle_kit.files import read_text
from wordle_kit.game.game import Game
from wordle_kit.game.rules import Rule
from wordle_kit.game.words import Alphabet, Word
from wordle_kit.texts import number_of, short_repr

GAME_NAME = r"^[a-z0-9][a-z0-9._-]*$"
"""The pattern of a game's name, which is also that of its folder."""

WORD_FILE = ".txt"
"""The suffix of an entry that names a file of words or symbols."""

GENERATED = ("all", "all-different")
"""The entries that stand for generated words."""

PATHS = ("answers", "guesses", "plugin")
"""The settings whose text is the path of a file."""

WEIGHTED = "+"
"""The separator between the name of a game and that of its weights file. Names in game files do not contain it."""

Registered = Mapping[str, Path | Mapping[str, Any]]
"""Registered games by name, each given as a file or as a mapping of its fields."""

Order = Literal["alphabetical", "answers-first", "as-listed"]
"""The possible orders of a game's words. Ties between guesses go to the first word in this order."""

MAX_GENERATED_WORDS = 1_000_000
"""The most words that `all` generates. Computing the feedback of more guesses would take too long."""

Line = tuple[str, str, float | None]
"""A word in a list: its place, its text, and its weight, if any."""


@dataclass(frozen=True)
class GameSettings:
    """The settings of a game, including inherited ones. Paths of words and plugins include the game's folder."""

    fields: Mapping[str, Any]
    where: str
    """The name of the game in messages, such as the path of its file."""
    folder: Path = Path()
    """The folder to which the path of a base is relative."""
    source: object = None
    """The identity of the game: the real path of its file, or the id of the given object."""

    @property
    def plugin(self) -> Path | None:
        """The file of the plugin that the game names, or None."""
        plugin = self.fields.get("plugin")
        return Path(plugin) if isinstance(plugin, str) else None


class GameDefinition(BaseModel):
    """The settings of a game file. docs/games.md explains each of them."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    name: Annotated[str, Field(pattern=GAME_NAME)]
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
    weights: dict[str, float] | None = None


def check_game_name(name: str) -> None:
    """Raise WordleKitError unless this can be the name of a game and of its folder."""
    if not re.fullmatch(GAME_NAME, name):
        raise WordleKitError(f"{name!r} cannot name a game; use lower-case letters, digits and -, as in wort-5")


def read_settings(
    game: object, registered: Registered, folder: Path = Path(), dependents: tuple[object, ...] = ()
) -> GameSettings:
    """Return the settings of a game, given as the name of a registered game, a file or a mapping of fields.

    Relative paths start from `folder`. `dependents` are the sources of the games that build on this one. Raises
    GameError for a file that cannot be read, and for a game that builds on itself.
    """
    settings = _read(game, registered, folder)
    if settings.source in dependents:
        raise GameError(f"{settings.where} builds on itself; remove base from one of these games")
    if "base" not in settings.fields:
        return settings
    try:
        base = read_settings(settings.fields["base"], registered, settings.folder, (*dependents, settings.source))
    except GameError as error:
        raise GameError(f"{settings.where}: base: {error}") from error
    inherited = {key: value for key, value in base.fields.items() if key not in ("name", "title")}
    own = {key: value for key, value in settings.fields.items() if key != "base"}
    return replace(settings, fields=inherited | own)


def _read(game: object, registered: Registered, folder: Path) -> GameSettings:
    """Return a game's own settings, without those of its base."""
    if isinstance(game, str) and game in registered:
        game = registered[game]
    if isinstance(game, Mapping):
        name = f"game {game.get('name', '')!r}"
        return GameSettings(_with_paths(game, Path.cwd() / folder), name, folder, id(game))
    if not isinstance(game, str | Path):
        raise GameError(f"{short_repr(game)} is not a game; give a name, the path of a TOML file or its fields")
    path = Path(game).expanduser()
    if isinstance(game, str) and path.suffix != ".toml" and os.sep not in game:
        raise GameError(unknown("game", game, registered, "; for a file, give its path with .toml"))
    path = folder / path
    text = read_text(path, GameError)
    try:
        fields = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise GameError(f"{path}: is not TOML: {error}") from error
    return GameSettings(_with_paths(fields, path.parent), str(path), path.parent, os.path.realpath(path))


def _with_paths(fields: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return the fields, with relative file paths joined to the folder."""

    def located(given: Any, is_path: bool) -> Any:
        if isinstance(given, list):
            return [located(entry, False) for entry in given]
        is_file = isinstance(given, str) and given not in GENERATED and (is_path or given.endswith(WORD_FILE))
        return str(folder / Path(given).expanduser()) if is_file else given

    own = {name: fields[name] for name in (*PATHS, "alphabet") if name in fields}
    return {**fields, **{name: located(given, name in PATHS) for name, given in own.items()}}


def build_game(settings: GameSettings, rules: Mapping[str, Rule]) -> Game:
    """Return the game that the settings define. Raises GameError, which names the game and the mistake in it."""
    where = settings.where
    try:
        definition = GameDefinition.model_validate(settings.fields)
    except ValidationError as error:
        raise GameError(f"{where}: {problem_in(error, GameDefinition.model_fields)}") from error
    try:
        rule, alphabet = _rule(definition.rule, rules), Alphabet(symbols_in(definition.alphabet), definition.separator)
        weighed = _words(definition.answers, "answers", definition, alphabet)
        others = _words(definition.guesses, "guesses", definition, alphabet)
        answers, guesses = ordered([*weighed], [*others], definition.order, alphabet)
        if definition.weights is not None:
            given = [("weights", *each) for each in definition.weights.items()]
            weighed = {**dict.fromkeys(answers, 1.0), **weights_of(given, answers, alphabet)}
        weights = [weight for word in answers if (weight := weighed[word]) is not None]
        plain = definition.model_dump(include={"name", "title", "nouns", "boards", "max_guesses", "hard_mode"})
        plain |= {"answers": [*map(alphabet.join, answers)], "guesses": [*map(alphabet.join, guesses)]}
        return Game(**plain, alphabet=alphabet, rule=rule, weights=weights or None)
    except GameError as error:
        raise type(error)(f"{where}: {error}") from error


def _rule(given: object, rules: Mapping[str, Rule]) -> Rule:
    """Return the rule that a setting gives: the name of a rule in `rules`, or a rule object."""
    if isinstance(given, Rule):
        return given
    if not isinstance(given, str):
        raise GameError(f"rule is {short_repr(given)}; give the name of a rule, or a Rule object")
    if given not in rules:
        raise GameError(unknown("rule", given, rules))
    return rules[given]


def with_weights(game: Game, path: Path) -> Game:
    """Return a game with the weights from a file of lines `word weight`.

    The name of the file is added to the name of the game. Raises GameError if the file cannot be read, or does not have
    one weight for each answer.
    """
    answers = [game.alphabet.split(word) for word in game.answers]
    weights = weights_of(_lines(path.expanduser(), game.alphabet), answers, game.alphabet)
    for word in answers:
        if word not in weights:
            raise GameError(f"{path}: has no weight for the answer {game.alphabet.join(word)!r}; add a line for it")
    name, title = f"{game.name}{WEIGHTED}{path.stem}", f"{game.title}, weights of {path.name}"
    return game.replace(name=name, title=title, weights=[weights[word] for word in answers])


def ordered(answers: list[Word], others: list[Word], order: Order, alphabet: Alphabet) -> tuple[list[Word], list[Word]]:
    """Return the answers and the guesses of a game in this order. The guesses are the answers and `others`."""
    if order == "as-listed":
        listed = set(others)
        return answers, [word for word in answers if word not in listed] + others
    hidden = set(answers)
    others = [word for word in others if word not in hidden]
    answers = sorted(answers, key=alphabet.sort_key)
    if order == "answers-first":
        return answers, answers + sorted(others, key=alphabet.sort_key)
    return answers, sorted(answers + others, key=alphabet.sort_key)


def _words(
    source: str | list[str], field: str, game: GameDefinition, alphabet: Alphabet
) -> Mapping[Word, float | None]:
    """Return the words that a setting lists, each with the weight that follows it in a word file, or None."""
    if source in GENERATED:
        return dict.fromkeys(_generated(field, game, alphabet, repeats=source == "all"))
    lines: list[Line] = []
    for number, entry in enumerate([source] if isinstance(source, str) else source, start=1):
        if isinstance(source, str) or entry.endswith(WORD_FILE):
            lines += _lines(Path(entry), alphabet)
        else:
            lines.append((f"{field}: entry {number}", entry, None))
    found: dict[Word, float | None] = {}
    for where, word, weight in _split(lines, alphabet):
        if len(word) != game.length:
            has = number_of(len(word), "symbol")
            raise GameError(f"{where}: {alphabet.join(word)!r} has {has}; words of {game.name} have {game.length}")
        if weight is not None and field != "answers":
            raise GameError(f"{where}: {alphabet.join(word)!r} has a weight, but only answers have weights")
        found[word] = weight
    without = [word for word, weight in found.items() if weight is None]
    if 0 < len(without) < len(found):
        raise GameError(f"{field}: {alphabet.join(without[0])!r} has no weight, but others have; give each word one")
    return found


def _split(lines: Iterable[Line], alphabet: Alphabet) -> Iterator[tuple[str, Word, float | None]]:
    """Yield the place, the word and the weight of each line. Raises GameError for unknown symbols and for repeats."""
    seen: set[Word] = set()
    for where, text, weight in lines:
        try:
            word = alphabet.split(text)
        except GameError as error:
            raise GameError(f"{where}: {error}; add it to the alphabet or drop the word") from error
        if word in seen:
            raise GameError(f"{where}: {text!r} is listed twice; drop one")
        seen.add(word)
        yield where, word, weight


def _lines(path: Path, alphabet: Alphabet) -> list[Line]:
    """Return the lines of a word file: the place of each line, its word, and its weight if it has one.

    A space or a tab precedes the weight. If spaces separate the symbols of words, it must be a tab. Raises
    GameError for a weight that is negative or not finite, and for a file without words.
    """
    lines: list[Line] = []
    for number, line in read_word_file(path, alphabet):
        text, *last = line.rsplit("\t" if alphabet.separator == " " else None, 1)
        try:
            weight = float(last[0]) if last else None
        except ValueError:
            text, weight = line, None
        where = f"{path}: line {number}"
        if weight is not None and not 0 <= weight < math.inf:
            raise GameError(f"{where}: the weight of {text.strip()!r} is {weight}; give a number from 0 up")
        lines.append((where, text.strip(), weight))
    if not lines:
        raise GameError(f"{path}: has no words")
    return lines


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


def weights_of(lines: Iterable[Line], answers: Iterable[Word], alphabet: Alphabet) -> dict[Word, float]:
    """Return the weights of some answers. Raises GameError for a word that is not an answer or has no weight."""
    known, found = set(answers), {}
    for where, word, weight in _split(lines, alphabet):
        if weight is None:
            raise GameError(f"{where}: {alphabet.join(word)!r} has no weight; write a number after the word")
        if word not in known:
            raise GameError(f"{where}: {alphabet.join(word)!r} is not among the answers; drop it")
        found[word] = weight
    return found


@cache
def bundled_alphabets() -> Mapping[str, Path]:
    """Return the files of the bundled alphabets by their names, such as `hungarian`."""
    from wordle_kit_data import FOLDER

    return {path.stem: path for path in sorted((FOLDER / "alphabets").glob(f"*{WORD_FILE}"))}


def symbols_in(alphabet: str | list[str]) -> str | list[str]:
    """Return the symbols of an alphabet that a game file gives as a name, as a file or as the symbols themselves."""
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

    Blank lines and lines that begin with `#` (with `# ` if `#` is in the alphabet) are skipped.
    Raises GameError if the file cannot be read.
    """
    text = read_text(path, GameError)
    comment = "# " if alphabet is not None and any("#" in symbol for symbol in alphabet.symbols) else "#"
    lines = enumerate(map(str.strip, text.splitlines()), start=1)
    return [(number, line) for number, line in lines if line and not (line + " ").startswith(comment)]


def files_of(game: Game, notice: str = "") -> dict[str, str]:
    """Return the texts of a game's files by file name: NAME.toml, and lists of words such as answers.txt.

    `notice` becomes comments in NAME.toml. If the rule is a plugin's, the game can be read only with that plugin.
    """
    lists = {"answers": game.answers}
    if game.weights is not None:
        lists["answers"] = tuple(map("{}\t{!r}".format, game.answers, game.weights))
    if game.guesses != game.answers:
        lists["guesses"] = game.guesses
    settings = {
        "name": game.name,
        "title": game.title,
        "nouns": game.nouns,
        "alphabet": game.alphabet.symbols,
        "separator": game.alphabet.separator,
        "length": game.length,
        **{name: f"{name}.txt" for name in lists},
        "order": "as-listed",
        "rule": game.rule.name,
        "boards": game.boards,
        "max_guesses": game.max_guesses,
        "hard_mode": game.hard_mode,
    }
    lines = [f"# {line}".rstrip() for line in notice.splitlines()]
    lines += [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in settings.items()]
    texts = {f"{game.name}.toml": lines, **{f"{name}.txt": words for name, words in lists.items()}}
    return {file: "".join(f"{line}\n" for line in text) for file, text in texts.items()}
