"""Sources of puzzles: all puzzles of a game, a random sample of them, a file, or a list."""

import numbers
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from typing import Any

from wordle_kit.errors import GameError, PuzzleError
from wordle_kit.game.files import read_word_file
from wordle_kit.game.game import Game
from wordle_kit.texts import encodable, number_of, short_repr
from wordle_kit.tournaments.host import HIDDEN, Host
from wordle_kit.tournaments.puzzles import Puzzles

USUAL_SAMPLE = 1000
"""The number of puzzles drawn by default if a game has several boards."""

MAX_DRAWN = 1_000_000

PuzzlesLike = str | int | Path | Iterable[str | Sequence[str]] | Puzzles | None
"""The types that `load_puzzles` accepts as `source`."""


def puzzles_of(
    game: Game,
    source: PuzzlesLike = None,
    seed: int = 0,
    *,
    repeats: bool = False,
    is_sample: bool = False,
    host: Host = HIDDEN,
) -> Puzzles:
    """Return puzzles as `load_puzzles` does, but given a Game and a Host. Raises PuzzleError if they are invalid."""
    if isinstance(source, Puzzles):
        if source.game != game:
            raise PuzzleError(f"puzzles: they are of {source.game.name}, not of {game.name}; draw them for this game")
        if repeats or is_sample or host not in (HIDDEN, source.host):
            raise PuzzleError("puzzles: repeats, is_sample and host are set when they are loaded; give them there")
        return source
    if not host.hides_words:
        return _first_guesses(game, source, host, repeats or is_sample)
    if host != HIDDEN:
        puzzles = puzzles_of(game, source, seed, repeats=repeats, is_sample=is_sample)
        return replace(puzzles, host=host, label=f"{puzzles.label}, answered by {host.name}")
    if repeats and game.boards == 1:
        raise PuzzleError(f"puzzles: {game.name} has one board, on which no word can repeat")
    if source is None:
        source = "all" if game.boards == 1 else USUAL_SAMPLE
    if isinstance(source, str) and source == "all":
        return _all(game, is_sample)
    if isinstance(source, str) and re.fullmatch(r"[+-]?[0-9]{1,18}", source):
        source = int(source)
    if isinstance(source, numbers.Integral) and not isinstance(source, bool):
        return _drawn(game, int(source), seed, repeats)
    return _given(game, source, is_sample)


def with_words_of(puzzles: Puzzles, game: Game) -> Puzzles:
    """Return the puzzles of another game or mode that have the same hidden words.

    Raises PuzzleError if one of the words is not in the game, or if no words are hidden.
    """
    if not puzzles.host.hides_words:
        raise PuzzleError(f"{puzzles.host.called} hides no words, by which the puzzles of two games are paired")
    if (game.answers, game.boards) == (puzzles.game.answers, puzzles.game.boards):
        return replace(puzzles, game=game)
    words = [puzzles.words(number) for number in range(len(puzzles))]
    try:
        return puzzles_of(game, words, is_sample=puzzles.is_sample, host=puzzles.host)
    except PuzzleError as error:
        raise PuzzleError(f"{error}; both games need the same hidden words, so give a file of such puzzles") from error


def _first_guesses(game: Game, source: Any, host: Host, drawn: bool) -> Puzzles:
    """Return puzzles for a host that hides no words: one for each first guess, or a single one without."""
    if source is None and not drawn:
        label = f"against {host.called}, who hides no word"
        return Puzzles(game, ((),), label, is_sample=False, host=host, first_guesses=((),))
    if drawn or str(source) == "all" or str(source).strip("+-").isdigit():
        raise PuzzleError(
            f"puzzles: {host.called} hides no words to draw; give first guesses, as a file or a list",
            settings=["first"],
        )
    given, origin = _read(game, source, "first guess")
    first = tuple((_id(text, where, game, game.guess_index, "guesses"),) for where, text in given)
    label = f"against {host.called}, {number_of(len(first), 'first guess', 'first guesses')}"
    label += f" of {origin}" if origin else ""
    return Puzzles(game, ((),) * len(first), label, is_sample=False, host=host, first_guesses=first)


def _all(game: Game, is_sample: bool) -> Puzzles:
    """Return all puzzles of a game with one board, in the order of its answers."""
    if game.boards > 1 or is_sample:
        why = "not a sample" if game.boards == 1 else f"too many with {game.boards} boards"
        raise PuzzleError(f"puzzles: all of them are {why}; give a number to draw, or a file")
    n = len(game.answers)
    label = "the only answer" if n == 1 else f"all {n:,} answers"
    return Puzzles(game, tuple((i,) for i in range(n)), label, is_sample=False)


def _drawn(game: Game, count: int, seed: int, repeats: bool) -> Puzzles:
    """Return drawn puzzles. On one board without weights, all are different; otherwise, each is drawn independently."""
    n, boards = len(game.answers), game.boards
    are_different = boards == 1 and not game.is_weighted
    answers, most = number_of(n, "answer"), n if are_different else MAX_DRAWN
    if not 1 <= count <= most:
        raise PuzzleError(f"puzzles: {count} cannot be drawn from {answers}; choose from 1 to {most:,}")
    likely = int((game.answer_weights > 0).sum())
    if boards > likely and not repeats:
        which = number_of(likely, "answer")
        raise PuzzleError(f"puzzles: {boards} boards cannot have different words of {which}; let words repeat")
    chance = random.Random(f"puzzles {seed}")
    drawn: Iterable[tuple[int, ...]]
    if are_different:
        drawn = zip(chance.sample(range(n), count), strict=True)
    elif game.is_weighted:
        drawing = Drawing(game.answer_weights.tolist(), chance)
        drawn = (drawing.draw(boards, repeats) for _ in range(count))
    else:
        pick = chance.choices if repeats else chance.sample
        drawn = (tuple(pick(range(n), k=boards)) for _ in range(count))
    which = f"{count:,} of" if are_different else f"{number_of(count, 'puzzle')} of"
    of = f"{boards} boards" if boards > 1 else answers
    how = f"{'words may repeat, ' if repeats else ''}drawn {'by weight ' if game.is_weighted else ''}with seed {seed}"
    is_sample = not are_different or count < n
    return Puzzles(game, tuple(drawn), f"{which} {of}, {how}", is_sample, drawn_with=seed, repeats=repeats)


class Drawing:
    """A sampler that draws answers with probabilities proportional to their weights."""

    def __init__(self, weights: Sequence[float], chance: random.Random) -> None:
        self.chance = chance
        self.weights = {answer: weight for answer, weight in enumerate(weights) if weight > 0}
        self.likely = list(self.weights)
        self.sums = list(accumulate(self.weights.values()))

    def draw(self, boards: int, repeats: bool) -> tuple[int, ...]:
        """Return an answer for each board. Without `repeats`, no two boards get the same answer."""
        drawn: list[int] = []
        for _ in range(boards):
            (answer,) = self.chance.choices(self.likely, cum_weights=self.sums)
            if answer in drawn and not repeats:
                others = {other: weight for other, weight in self.weights.items() if other not in drawn}
                (answer,) = self.chance.choices(list(others), list(others.values()))
            drawn.append(answer)
        return tuple(drawn)


def _given(game: Game, source: object, is_sample: bool) -> Puzzles:
    """Return the puzzles in a file or a list."""
    given, origin = _read(game, source, "puzzle")
    ids = tuple(_answer_ids(text, where, game) for where, text in given)
    label = f"{number_of(len(ids), 'puzzle')} of {origin}" if origin else number_of(len(ids), "given puzzle")
    return Puzzles(game, ids, label, is_sample)


def _read(game: Game, source: object, what: str) -> tuple[list[tuple[str, object]], str]:
    """Return the given puzzles as written, each with its location, and the name of the file, or "" for a list."""
    given: list[tuple[str, object]]
    if isinstance(source, str | Path):
        path, origin = _file(source), encodable(Path(source).name)
        try:
            given = [(f"{path}: line {number}", text) for number, text in read_word_file(path, game.alphabet)]
        except GameError as error:
            raise PuzzleError(str(error)) from error
    elif isinstance(source, Iterable):
        given, origin = [(f"{what} {number}", puzzle) for number, puzzle in enumerate(source, start=1)], ""
    else:
        raise PuzzleError(f"puzzles: {short_repr(source)} is not 'all', a number, a file or a list of words")
    if not given:
        raise PuzzleError(f"puzzles: there are none in {source if origin else 'the list'}")
    return given, origin


def _file(source: str | Path) -> Path:
    with suppress(OSError, RuntimeError, ValueError):  # not a valid file name, or an unknown user after ~
        path = Path(source).expanduser()
        if path.exists():
            return path
    raise PuzzleError(f"puzzles: {str(source)[:100]!r} is not 'all', a number or a file; give words as a list")


def _answer_ids(puzzle: object, where: str, game: Game) -> tuple[int, ...]:
    """Return the index of the answer on each board of a puzzle given as a line or as a list of words."""
    words = puzzle
    if isinstance(puzzle, str):
        words = [puzzle] if game.boards == 1 else _words(game, puzzle)
    if not isinstance(words, tuple | list) or len(words) != game.boards:
        has = number_of(game.boards, "board")
        raise PuzzleError(
            f"{where}: {short_repr(puzzle)} is not a puzzle; {game.name} has {has}, so give as many words"
        )
    return tuple(_id(word, where, game, game.answer_index, "answers") for word in words)


def _words(game: Game, text: str) -> list[str]:
    """Return the words in a line, split at commas and spaces except those that words of this game contain."""
    within = {game.alphabet.separator, *"".join(game.alphabet.symbols)}
    breaks = [mark for mark in ", \t" if mark not in within]
    parts = re.split(f"[{''.join(breaks)}]+", text)
    return [word for part in parts if (word := part.strip(" \t" + game.alphabet.separator))]


def _id(text: object, where: str, game: Game, ids: Mapping[str, int], kind: str) -> int:
    """Return the index of a word among the answers or the guesses of a game."""
    if not isinstance(text, str):
        raise PuzzleError(f"{where}: {short_repr(text)} is not a word")
    try:
        word = game.spelling(text)
    except GameError as error:
        raise PuzzleError(f"{where}: {error}") from error
    if word not in ids:
        raise PuzzleError(f"{where}: {text!r} is not among the {kind} of {game.name}")
    return ids[word]
