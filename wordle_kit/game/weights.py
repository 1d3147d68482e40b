"""The weights of answers as game files give them: a table, a file, or a column beside the words."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from wordle_kit.errors import GameError
from wordle_kit.game.word_files import read_word_file
from wordle_kit.game.words import Alphabet, Word

Weights = Mapping[str, float] | str | None
"""A table from words to weights, or the path of a file of them."""


def split_weight(line: str, alphabet: Alphabet) -> tuple[str, float | None]:
    """Return the word in a line of a word file, and the weight that follows it after a space or a tab, if any.

    Only a tab may stand before the weight if a space separates the symbols of a word. Raises GameError for a negative
    number and for one that is not finite.
    """
    columns = line.rsplit("\t" if alphabet.separator == " " else None, 1)
    if len(columns) < 2:
        return line, None
    try:
        weight = float(columns[1])
    except ValueError:
        return line, None
    if not 0 <= weight < math.inf:
        raise GameError(f"the weight of {columns[0].strip()!r} is {columns[1].strip()}; give a number from 0 up")
    return columns[0].strip(), weight


def weights_in_order(
    weights: Weights, column: Mapping[Word, float], answers: Sequence[Word], alphabet: Alphabet
) -> list[float] | None:
    """Return the weight of each answer, in their order, or None if there are none.

    `column` has the weights that stood beside the answers. Raises GameError for weights of other words and, unless they
    come from a table, for answers without a weight.
    """
    if weights is None:
        return [column[word] for word in answers] if column else None
    if column:
        raise GameError("weights: the answers have weights in their word file too; keep one of the two")
    if isinstance(weights, str):
        path = Path(weights)
        by_word = _read_weights(path, frozenset(answers), alphabet)
        missing = next((word for word in answers if word not in by_word), None)
        if missing is not None:
            raise GameError(f"{path}: has no weight for the answer {alphabet.join(missing)!r}; add a line for it")
        return [by_word[word] for word in answers]
    by_word = _words_of_table(weights, alphabet)
    stray = by_word.keys() - set(answers)
    if stray:
        raise GameError(f"weights: {alphabet.join(min(stray))!r} is not among the answers")
    return [by_word.get(word, 1.0) for word in answers]


def _read_weights(path: Path, answers: frozenset[Word], alphabet: Alphabet) -> dict[Word, float]:
    """Return the weights in a file of lines `word weight`."""
    found: dict[Word, float] = {}
    lines: dict[Word, int] = {}
    for number, line in read_word_file(path, alphabet):
        try:
            text, weight = split_weight(line, alphabet)
            word = alphabet.split(text)
        except GameError as error:
            raise GameError(f"{path}: line {number}: {error}") from error
        if weight is None:
            raise GameError(f"{path}: line {number}: {text!r} has no weight; write a number after the word")
        if word not in answers:
            raise GameError(f"{path}: line {number}: {text!r} is not among the answers; drop the line")
        if word in lines:
            raise GameError(f"{path}: line {number}: {text!r} is listed twice, first at line {lines[word]}; drop one")
        found[word], lines[word] = weight, number
    return found


def _words_of_table(weights: Mapping[str, float], alphabet: Alphabet) -> dict[Word, float]:
    try:
        by_word = {alphabet.split(text): weight for text, weight in weights.items()}
    except GameError as error:
        raise GameError(f"weights: {error}") from error
    if len(by_word) < len(weights):
        raise GameError("weights: a word has two of them; give each word one")
    return by_word
