"""The settings of a game, checked and turned into a Game."""

import itertools
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from wordle_kit.arguments import problem_in
from wordle_kit.errors import GameError
from wordle_kit.game.alphabets import symbols_in
from wordle_kit.game.game import MAX_BOARDS, Game
from wordle_kit.game.items import Kind, read_items
from wordle_kit.game.rules import Rule
from wordle_kit.game.settings import WORD_FILE, WrittenGame
from wordle_kit.game.weights import split_weight, weights_in_order
from wordle_kit.game.word_files import read_word_file
from wordle_kit.game.words import Alphabet, Word
from wordle_kit.names import unknown

Order = Literal["alphabetical", "answers-first", "as-listed"]
"""The orders in which a game may have its words. Ties between guesses follow them."""

MAX_GENERATED_WORDS = 1_000_000
"""The most words that `all` generates; the feedback of more guesses would take too long."""


class GameDefinition(BaseModel):
    """The settings of a game file; docs/games.md explains each of them."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]*$")]
    title: str = ""
    base: str | None = None
    plugin: str | None = None
    items: str | None = None
    columns: dict[str, Kind] = {}
    alphabet: str | list[str]
    separator: Annotated[str, Field(max_length=1)] = ""
    length: Annotated[int, Field(ge=1, le=64)]
    answers: str | list[str]
    guesses: str | list[str] = []
    order: Order = "alphabetical"
    rule: str = "wordle"
    boards: Annotated[int, Field(ge=1, le=MAX_BOARDS)] = 1
    max_guesses: Annotated[int, Field(ge=1, le=10_000)] | None = None
    hard_mode: bool = False
    weights: dict[str, Annotated[float, Field(ge=0, allow_inf_nan=False)]] | str | None = None


def build_game(written: WrittenGame, rules: Mapping[str, Rule]) -> Game:
    """Return the game that settings define. Raises GameError, naming the game and the mistake in it."""
    where = written.where
    try:
        definition = GameDefinition.model_validate(_with_items(written.fields))
    except ValidationError as error:
        raise GameError(f"{where}: {problem_in(error, GameDefinition.model_fields)}") from error
    if definition.rule not in rules:
        raise GameError(f"{where}: {unknown('rule', definition.rule, rules)}")
    try:
        rule, alphabet = _rule_and_alphabet(definition, rules[definition.rule])
        answers, column = _words(definition.answers, "answers", definition, alphabet)
        others, _ = _words(definition.guesses, "guesses", definition, alphabet)
        if not answers:
            raise GameError("answers: there are none; a game needs at least one")
        answers, guesses = ordered(answers, others, definition.order, alphabet)
        return Game(
            name=definition.name,
            title=definition.title,
            alphabet=alphabet,
            answers=answers,
            guesses=guesses,
            rule=rule,
            boards=definition.boards,
            max_guesses=definition.max_guesses,
            hard_mode=definition.hard_mode,
            weights=weights_in_order(definition.weights, column, answers, alphabet),
        )
    except GameError as error:
        raise GameError(f"{where}: {error}") from error


def _with_items(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings, with those that follow from items: each is a symbol, and a word is one symbol."""
    if "items" not in fields:
        return dict(fields)
    mine = {key: value for key, value in fields.items() if key != "alphabet"}
    return {"alphabet": "-", "length": 1, "answers": "all", "rule": "attributes"} | mine


def _rule_and_alphabet(definition: GameDefinition, rule: Rule) -> tuple[Rule, Alphabet]:
    """Return the rule of a game and its alphabet, whose symbols are the items if the game is about items."""
    if definition.items is not None:
        items = read_items(Path(definition.items), definition.columns)
        return rule.with_items(items), Alphabet(items.names)
    if definition.columns:
        raise GameError("columns: the game has no items; name a CSV file in items, or remove columns")
    return rule, Alphabet(symbols_in(definition.alphabet), definition.separator)


def ordered(answers: list[Word], others: list[Word], order: Order, alphabet: Alphabet) -> tuple[list[Word], list[Word]]:
    """Return the answers and the guesses of a game in its order; the guesses are the answers and the others."""
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
) -> tuple[list[Word], dict[Word, float]]:
    """Return the words that a setting lists, and the weights that stand beside them in word files."""
    if source == "all":
        return _generated(field, game, alphabet, repeats=True), {}
    if source == "all-different":
        return _generated(field, game, alphabet, repeats=False), {}
    lines: list[tuple[str, str, float | None]] = []
    for number, entry in enumerate([source] if isinstance(source, str) else source, start=1):
        if isinstance(source, str) or entry.endswith(WORD_FILE):
            lines += _lines(Path(entry), field, alphabet)
        else:
            lines.append((f"{field}: entry {number}", entry, None))
    seen: dict[Word, str] = {}
    weights: dict[Word, float] = {}
    for where, text, weight in lines:
        try:
            word = alphabet.split(text)
        except GameError as error:
            raise GameError(f"{where}: {error}; add it to the alphabet or drop the word") from error
        if len(word) != game.length:
            symbols = f"{len(word)} symbol{'s' * (len(word) != 1)}"
            raise GameError(f"{where}: {text!r} has {symbols}; words of {game.name} have {game.length}")
        if word in seen:
            raise GameError(f"{where}: {text!r} is listed twice, first at {seen[word]}; drop one")
        seen[word] = where
        if weight is not None:
            weights[word] = weight
    if 0 < len(weights) < len(seen):
        word = next(word for word in seen if word not in weights)
        raise GameError(f"{seen[word]}: {alphabet.join(word)!r} has no weight, but others have; give each answer one")
    return list(seen), weights


def _lines(path: Path, field: str, alphabet: Alphabet) -> list[tuple[str, str, float | None]]:
    """Return the lines of a word file: where each is, its word and its weight, if any."""
    lines: list[tuple[str, str, float | None]] = []
    file = str(path)
    for number, line in read_word_file(path, alphabet):
        where = f"{file}: line {number}"
        try:
            text, weight = split_weight(line, alphabet)
        except GameError as error:
            raise GameError(f"{where}: {error}") from error
        if weight is not None and field != "answers":
            raise GameError(f"{where}: {text!r} has a weight, but only answers have weights; drop the number")
        lines.append((where, text, weight))
    if not lines:
        raise GameError(f"{field}: {path} has no words")
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
