"""The settings of a game, checked and turned into a Game."""

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from wordle_kit.arguments import problem_in
from wordle_kit.errors import GameError
from wordle_kit.game.game import MAX_BOARDS, Game
from wordle_kit.game.rules import Rule
from wordle_kit.game.settings import WORD_FILE, WrittenGame
from wordle_kit.game.words import Alphabet, Word, read_word_file
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
    weights: dict[str, Annotated[float, Field(ge=0, allow_inf_nan=False)]] | None = None


def build_game(written: WrittenGame, rules: Mapping[str, Rule]) -> Game:
    """Return the game that settings define. Raises GameError, naming the game and the mistake in it."""
    where = written.where
    try:
        definition = GameDefinition.model_validate(dict(written.fields))
    except ValidationError as error:
        raise GameError(f"{where}: {problem_in(error, GameDefinition.model_fields)}") from error
    if definition.rule not in rules:
        raise GameError(f"{where}: {unknown('rule', definition.rule, rules)}")
    try:
        alphabet = Alphabet(definition.alphabet, definition.separator)
        answers = _words(definition.answers, "answers", definition, alphabet)
        others = _words(definition.guesses, "guesses", definition, alphabet)
        if not answers:
            raise GameError("answers: there are none; a game needs at least one")
        answers, guesses = ordered(answers, others, definition.order, alphabet)
        return Game(
            name=definition.name,
            title=definition.title,
            alphabet=alphabet,
            answers=answers,
            guesses=guesses,
            rule=rules[definition.rule],
            boards=definition.boards,
            max_guesses=definition.max_guesses,
            hard_mode=definition.hard_mode,
            weights=_weights(definition.weights, answers, alphabet),
        )
    except GameError as error:
        raise GameError(f"{where}: {error}") from error


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


def _words(source: str | list[str], field: str, game: GameDefinition, alphabet: Alphabet) -> list[Word]:
    if source == "all":
        return _generated(field, game, alphabet, repeats=True)
    if source == "all-different":
        return _generated(field, game, alphabet, repeats=False)
    texts: list[tuple[str, str]] = []
    for number, entry in enumerate([source] if isinstance(source, str) else source, start=1):
        if not isinstance(source, str) and not entry.endswith(WORD_FILE):
            texts.append((f"{field}: entry {number}", entry))
            continue
        path = Path(entry)
        lines = read_word_file(path, alphabet)
        if not lines:
            raise GameError(f"{field}: {path} has no words")
        texts += [(f"{path}: line {line}", text) for line, text in lines]
    seen: dict[Word, str] = {}
    for where, text in texts:
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
    return list(seen)


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


def _weights(weights: Mapping[str, float] | None, answers: Sequence[Word], alphabet: Alphabet) -> list[float] | None:
    """Return the weight of each answer, in their order; an answer without a weight weighs 1."""
    if weights is None:
        return None
    try:
        by_word = {alphabet.split(text): weight for text, weight in weights.items()}
    except GameError as error:
        raise GameError(f"weights: {error}") from error
    if len(by_word) < len(weights):
        raise GameError("weights: a word has two of them; give each word one")
    stray = by_word.keys() - set(answers)
    if stray:
        raise GameError(f"weights: {alphabet.join(min(stray))!r} is not among the answers")
    return [by_word.get(word, 1.0) for word in answers]
