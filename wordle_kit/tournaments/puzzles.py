"""Puzzles: the hidden words of every board, and the host that answers guesses.

They are all of a game, drawn, or given.
"""

import hashlib
import numbers
import random
import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any

from wordle_kit.errors import GameError, PuzzleError
from wordle_kit.game.files import read_word_file
from wordle_kit.game.game import Game
from wordle_kit.identity import ENGINE, code_of
from wordle_kit.strategy.position import Position
from wordle_kit.texts import number_of, plain, shown
from wordle_kit.tournaments.host import HIDDEN, HiddenWords, Host, answer_of

FEW = 5
"""The most first guesses that a label lists. For more, it has their number."""

USUAL_SAMPLE = 1000
"""The number of puzzles that are drawn by default if a game has several boards."""

MOST_DRAWN = 1_000_000


@dataclass(frozen=True)
class Puzzles:
    """What a tournament plays: for each puzzle, the index of the answer on each board, and the host that answers."""

    game: Game
    ids: tuple[tuple[int, ...], ...]
    """The hidden answers of each puzzle, as indices. Empty for hosts that hide no words."""
    label: str
    """A description in a few words."""
    is_sample: bool
    """Whether the puzzles were drawn at random from more puzzles, so that their mean is an estimate."""
    host: Host = HIDDEN
    first_guesses: tuple[tuple[int, ...], ...] = ()
    """The guesses with which each puzzle begins, before the strategy is asked. Empty if there are none."""
    drawn_with: int | None = None
    """The seed with which the puzzles were drawn, or None if they were not drawn."""
    repeats: bool = False
    """Whether the boards of a drawn puzzle may have the same word."""

    def __len__(self) -> int:
        return len(self.ids)

    def words(self, puzzle: int) -> tuple[str, ...]:
        """Return the hidden words of a puzzle, one per board.

        If none are hidden, each is the first answer of the game.
        """
        if not self.host.hides_words:
            return self.game.answers[:1] * self.game.boards
        return tuple(self.game.answers[i] for i in self.ids[puzzle])

    def host_of(self, puzzle: int) -> Host:
        """Return the host that answers the guesses of a puzzle."""
        return self.host.of(self.ids[puzzle])

    def start(self, puzzle: int) -> Position:
        """Return the position in which the strategy is asked first."""
        position = Position.start(self.game)
        for guess in self.first_guesses[puzzle] if self.first_guesses else ():
            position = position.after(guess, answer_of(self.host_of(puzzle), position, guess))
        return position

    def chosen(self, numbers: Iterable[int]) -> "Puzzles":
        """Return the puzzles with these numbers."""
        chosen = list(numbers)
        first = tuple(self.first_guesses[i] for i in chosen) if self.first_guesses else ()
        return replace(self, ids=tuple(self.ids[i] for i in chosen), first_guesses=first)

    @property
    def is_usual(self) -> bool:
        """Whether hidden words answer the guesses, so that puzzles with the same feedback share their decisions."""
        return type(self.host) is HiddenWords

    @cached_property
    def is_all(self) -> bool:
        """Whether these are all puzzles of the game, each of them once."""
        return (
            self.is_usual
            and self.game.boards == 1
            and sorted(self.ids) == [(i,) for i in range(len(self.game.answers))]
        )

    @cached_property
    def population(self) -> int | None:
        """The number of puzzles from which these were drawn without replacement. None if each was drawn independently.

        If a game has no weights and all puzzles are different, they were drawn without replacement, or can be treated
        so. In a game with weights and on several boards, puzzles are drawn independently of each other.
        """
        without = self.game.boards == 1 and not self.game.is_weighted and len(set(self.ids)) == len(self)
        return len(self.game.answers) if self.is_sample and without else None

    @cached_property
    def weights(self) -> tuple[float, ...] | None:
        """The weight of each puzzle, scaled so that the game's answers average 1. None if all puzzles count the same.

        Drawn puzzles count the same, since likely answers were drawn more often. So do puzzles on several boards.
        """
        if self.is_sample or not self.is_usual or self.game.boards > 1 or not self.game.is_weighted:
            return None
        weights = tuple(self.game.answer_weights[[answer for (answer,) in self.ids]].tolist())
        return weights if len(set(weights)) > 1 else None

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the puzzles, their order, and the host with its parameters: 16 hexadecimal digits."""
        facts: object = self.ids if self.host.hides_words else self.first_guesses
        if not self.is_usual:
            parameters = [getattr(self.host, one.name) for one in fields(self.host) if one.name != "answers"]
            facts = (self.host.name, *parameters, facts)
        return hashlib.sha256(repr(facts).encode()).hexdigest()[:16]

    @property
    def key(self) -> str:
        """A text by which the store finds a run on these puzzles. For a plugin's host, it contains the host's code."""
        if type(self.host).__module__.startswith(ENGINE):
            return self.fingerprint
        return f"{self.fingerprint}|{code_of(type(self.host)) or secrets.token_hex()}"

    @property
    def facts(self) -> dict[str, Any]:
        """The fields of `RunFacts` about the puzzles."""
        own = ("is_sample", "is_all", "population", "weights", "drawn_with", "repeats")
        return {
            "puzzles": self.label,
            "puzzles_fingerprint": self.fingerprint,
            "n_puzzles": len(self),
            "host": self.host.name,
            "hides_words": self.host.hides_words,
            **{name: getattr(self, name) for name in own},
        }


def choose_puzzles(
    game: Game,
    source: "str | int | Path | Iterable[str | Sequence[str]] | Puzzles | None" = None,
    seed: int = 0,
    *,
    repeats: bool = False,
    is_sample: bool = False,
    host: Host = HIDDEN,
) -> Puzzles:
    """Return puzzles of a game: `all`, a number of them drawn with the seed, those in a file, or those in a list.

    See `load_puzzles` in wordle_kit/api.py. Raises PuzzleError, which names the file, the line and the word.
    """
    if isinstance(source, Puzzles):
        if source.game != game:
            raise PuzzleError(f"puzzles: they are of {source.game.name}, not of {game.name}; draw them for this game")
        return source
    if not host.hides_words:
        return _first_guesses(game, source, host, repeats or is_sample)
    if host != HIDDEN:
        puzzles = choose_puzzles(game, source, seed, repeats=repeats, is_sample=is_sample)
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

    Raises PuzzleError if the game does not have one of the words, or if no words are hidden.
    """
    if not puzzles.host.hides_words:
        raise PuzzleError(f"{puzzles.host.called} hides no words, by which the puzzles of two games are paired")
    if (game.answers, game.boards) == (puzzles.game.answers, puzzles.game.boards):
        return replace(puzzles, game=game)
    words = [puzzles.words(number) for number in range(len(puzzles))]
    try:
        return choose_puzzles(game, words, is_sample=puzzles.is_sample, host=puzzles.host)
    except PuzzleError as error:
        raise PuzzleError(f"{error}; both games need the same hidden words, so give a file of such puzzles") from error


def _first_guesses(game: Game, source: Any, host: Host, drawn: bool) -> Puzzles:
    """Return puzzles for a host that hides no words: one for each first guess, or one without a first guess."""
    if source is None and not drawn:
        label = f"against {host.called}, who hides no word"
        return Puzzles(game, ((),), label, is_sample=False, host=host, first_guesses=((),))
    if drawn or str(source) == "all" or str(source).strip("+-").isdigit():
        raise PuzzleError(
            f"puzzles: {host.called} hides no words to draw; give first guesses, as a file or a list",
            settings=["first"],
        )
    given, origin = _read(game, source, "first guess")
    first = tuple((_id(text, where, game, game.guess_ids, "guesses"),) for where, text in given)
    words = [game.guesses[guess] for (guess,) in first]
    which = f" of {origin}" if origin else f": {', '.join(words)}" if 1 < len(words) <= FEW else ""
    label = f"against {host.called}, {len(words):,} first guess{'es' * (len(words) > 1)}{which}"
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
    """Return puzzles that are drawn: different ones on one board without weights, else independently of each other."""
    n, boards = len(game.answers), game.boards
    are_different = boards == 1 and not game.is_weighted
    answers, most = number_of(n, "answer"), n if are_different else MOST_DRAWN
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
    """Draws answers with probabilities proportional to their weights."""

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


# Given puzzles


def _given(game: Game, source: object, is_sample: bool) -> Puzzles:
    """Return the puzzles in a file or a list."""
    given, origin = _read(game, source, "puzzle")
    ids = tuple(_answer_ids(text, where, game) for where, text in given)
    label = f"{number_of(len(ids), 'puzzle')} of {origin}" if origin else number_of(len(ids), "given puzzle")
    puzzles = Puzzles(game, ids, label, is_sample)
    return replace(puzzles, is_sample=False) if puzzles.population == len(puzzles) else puzzles


def _read(game: Game, source: object, what: str) -> tuple[list[tuple[str, object]], str]:
    """Return given puzzles as they are written, each with its place, and the name of their file or an empty text."""
    given: list[tuple[str, object]]
    if isinstance(source, str | Path):
        path, origin = _file(source), plain(Path(source).name)
        try:
            given = [(f"{path}: line {number}", text) for number, text in read_word_file(path, game.alphabet)]
        except GameError as error:
            raise PuzzleError(str(error)) from error
    elif isinstance(source, Iterable):
        given, origin = [(f"{what} {number}", puzzle) for number, puzzle in enumerate(source, start=1)], ""
    else:
        raise PuzzleError(f"puzzles: {shown(source)} is not 'all', a number, a file or a list of words")
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
    """Return the index of the answer on each board of a puzzle that is given as a line or as a list of words."""
    words = puzzle
    if isinstance(puzzle, str):
        words = [puzzle] if game.boards == 1 else _words(game, puzzle)
    if not isinstance(words, tuple | list) or len(words) != game.boards:
        has = number_of(game.boards, "board")
        raise PuzzleError(f"{where}: {shown(puzzle)} is not a puzzle; {game.name} has {has}, so give as many words")
    return tuple(_id(word, where, game, game.answer_ids, "answers") for word in words)


def _words(game: Game, text: str) -> list[str]:
    """Return the words in a line, separated by commas and spaces, except those that words of this game contain."""
    within = {game.alphabet.separator, *"".join(game.alphabet.symbols)}
    breaks = [mark for mark in ", \t" if mark not in within]
    parts = re.split(f"[{''.join(breaks)}]+", text)
    return [word for part in parts if (word := part.strip(" \t" + game.alphabet.separator))]


def _id(text: object, where: str, game: Game, ids: Mapping[str, int], kind: str) -> int:
    """Return the index of a word among the answers or the guesses of a game."""
    if not isinstance(text, str):
        raise PuzzleError(f"{where}: {shown(text)} is not a word")
    try:
        word = game.alphabet.join(game.word(text))
    except GameError as error:
        raise PuzzleError(f"{where}: {error}") from error
    if word not in ids:
        raise PuzzleError(f"{where}: {text!r} is not among the {kind} of {game.name}")
    return ids[word]
