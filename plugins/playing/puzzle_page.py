"""Puzzles as one HTML page to play. It contains the feedback of every guess, so it does not need the rule's code."""

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from wordle_kit_plugins.pages.html import Numbering, html_of, packed, varints
from wordle_kit_plugins.playing.wording import PRAISE

from wordle_kit.errors import PuzzleError
from wordle_kit.game.game import Game
from wordle_kit.game.rules import MarksRule, Rule, mark_names
from wordle_kit.texts import line, number_of
from wordle_kit.tournaments.puzzles import Drawing, Puzzles, choose_puzzles


def draw_series(game: Game, count: int, seed: int) -> Puzzles:
    """Return puzzles drawn with a seed. In a game with weights, likely answers are drawn more often, but none twice.

    So the mean over these puzzles does not estimate the weighted mean, and they do not count as a random sample. Raises
    PuzzleError if there are not enough answers.
    """
    if game.boards > 1 or not game.is_weighted:
        return choose_puzzles(game, count, seed)
    likely = int((game.answer_weights > 0).sum())
    if count > likely:
        raise PuzzleError(
            f"puzzles: {game.name} has {number_of(likely, 'answer')} with a weight above 0; draw at most that many"
        )
    drawn = Drawing(game.answer_weights.tolist(), random.Random(f"puzzles {seed}")).draw(count, repeats=False)
    label = f"{count:,} of {number_of(len(game.answers), 'answer')}, drawn by weight with seed {seed}, none twice"
    return Puzzles(game, tuple((answer,) for answer in drawn), label, is_sample=False)


def daily_puzzle(game: Game, day: date) -> tuple[int, ...]:
    """Return the answers hidden on a day, one for each board.

    They are the same for everyone who plays the game that day. No answer is repeated until all have been used. In a
    game with weights, each day's answers are drawn by weight instead.
    """
    facts = hashlib.sha256(repr((game.answers, game.weights, game.boards)).encode()).hexdigest()
    count = len(game.answers)
    if game.is_weighted:
        drawn = random.Random(f"daily {facts} {day.isoformat()}")
        return tuple(drawn.choices(range(count), game.answer_weights.tolist(), k=game.boards))
    order = random.Random(f"daily {facts}").sample(range(count), count)
    return tuple(order[(day.toordinal() * game.boards + board) % count] for board in range(game.boards))


def daily_series(game: Game, first: date, days: int) -> Puzzles:
    """Return the puzzles of consecutive days. Raises PuzzleError if `days` is less than 1."""
    if days < 1:
        raise PuzzleError(f"days is {days}; give 1 or more")
    ids = tuple(daily_puzzle(game, first + timedelta(day)) for day in range(days))
    return Puzzles(game, ids, f"the puzzles of {number_of(days, 'day')} from {first} on", is_sample=False)


FOLDER = Path(__file__).parent / "web"
SCRIPTS = ("game.js", "boards.js", "script.js")

MAX_BOARDS = 32
"""The most boards that a page can show."""

MAX_SYMBOL = 4
"""The most characters of a symbol that a tile can show."""

MAX_PUZZLES = 100
"""The most puzzles that a page can have."""

MAX_FEEDBACK = 10_000_000
"""The most feedback that a page can have: guesses times boards times puzzles."""


def puzzle_page(game: Game, puzzles: Puzzles, title: str | None = None, first: date | None = None) -> str:
    """Return the page on which these puzzles can be played, as HTML.

    With `first`, the puzzles are for consecutive days from this date on, and the page shows today's puzzle.

    The hidden words are packed, so that nobody reads them by accident. A determined reader can unpack them. Raises
    PuzzleError if a page cannot hold the puzzles.
    """
    _check_size(game, puzzles)
    shown = line(title or game.title)
    dates = [] if first is None else [str(first + timedelta(day)) for day in range(len(puzzles))]
    return html_of(
        FOLDER,
        _payload(game, puzzles, shown, dates),
        SCRIPTS,
        title=shown,
        game=game,
        puzzles=len(puzzles),
        dates=bool(dates),
        marks=bool(_tiles_of(game.rule)),
    )


def _check_size(game: Game, puzzles: Puzzles) -> None:
    if game.boards > MAX_BOARDS:
        raise PuzzleError(f"{game.name}: has {game.boards} boards; a page can show {MAX_BOARDS}")
    longest = max(game.alphabet.symbols, key=len)
    if len(longest) > MAX_SYMBOL:
        raise PuzzleError(f"{game.name}: {longest!r} is too long for a tile, which can show {MAX_SYMBOL} characters")
    if len(puzzles) > MAX_PUZZLES:
        raise PuzzleError(f"puzzles: there are {len(puzzles):,}; a page can have {MAX_PUZZLES}")
    feedback = len(game.guesses) * game.boards * len(puzzles)
    if feedback > MAX_FEEDBACK:
        raise PuzzleError(
            f"{game.name}: {len(game.guesses):,} guesses on {game.boards * len(puzzles):,} boards have {feedback:,} "
            f"feedbacks; a page can hold {MAX_FEEDBACK:,}, so use fewer puzzles or boards"
        )


def _payload(game: Game, puzzles: Puzzles, title: str, dates: Sequence[str]) -> str:
    """Return all data for the page's script, packed."""
    codes = [_codes(game, answer) for puzzle in puzzles.ids for answer in puzzle]
    feedback = _numbers_of(game, codes)
    hard = hard_mode_of(game, codes) if game.hard_mode else None
    shown = [game.show(code) for code in feedback]
    header: dict[str, Any] = {
        "title": title,
        "fingerprint": game.fingerprint,
        "key": hashlib.sha256(f"{game.fingerprint} {puzzles.fingerprint}".encode()).hexdigest()[:16],
        "count": len(puzzles),
        "dates": dates,
        "boards": game.boards,
        "maxGuesses": game.max_guesses,
        "cap": game.cap,
        "hardMode": game.hard_mode,
        "symbols": list(game.alphabet.symbols),
        "separator": game.alphabet.separator,
        "length": game.length,
        "tiles": _tiles_of(game.rule),
        "marks": mark_names(game.rule),
        "nouns": list(game.nouns),
        "praise": list(PRAISE),
        "feedback": [str(one) for one in shown],
        "pictures": [one.tiles for one in shown],
        "demands": hard.demands if hard else [],
    }
    words = varints(game.guess_symbols.ravel().tolist())
    boards = [varints(feedback[code] for code in board.tolist()) for board in codes]
    return packed(header, [words, *boards, *(hard.columns if hard else ()), hard.masks if hard else b""])


def _tiles_of(rule: Rule) -> str:
    """Return the tile of each mark, or an empty text if feedback does not have a digit for each symbol."""
    return rule.tile_set if isinstance(rule, MarksRule) and type(rule).show is MarksRule.show else ""


def _codes(game: Game, answer: int) -> npt.NDArray[Any]:
    """Return the codes of all guesses against one answer, without computing the whole table."""
    codes = game.table.codes_of(game.answer_symbols[answer : answer + 1], game.guess_symbols)
    column: npt.NDArray[Any] = codes[0]
    return column


def _numbers_of(game: Game, codes: list[npt.NDArray[Any]]) -> dict[int, int]:
    """Return a number for each code that occurs: 0 for the winning code, then the most frequent first."""
    different, counts = np.unique(np.concatenate(codes), return_counts=True)
    frequent = [int(code) for code in different[np.argsort(-counts, kind="stable")] if code != game.winning_code]
    return {code: number for number, code in enumerate([game.winning_code, *frequent])}


MAX_PAIRS = 50_000_000
"""The most pairs of guesses, on all boards of a page, for which the page can check hard mode."""


@dataclass(frozen=True)
class LaterGuesses:
    """What a guess requires of later guesses on a board in hard mode. Equal requirements share a number."""

    demands: list[Any]
    """For rules with marks: the places whose symbols are known, and the symbols to use with their counts."""
    masks: bytes
    """For other rules: a bit for every guess, 1 if it is allowed, for each requirement. The highest bit of a byte comes
    first.
    """
    columns: list[bytes]
    """For each board: the number of each guess's requirement, as varints."""


def hard_mode_of(game: Game, codes: Sequence[npt.NDArray[Any]]) -> LaterGuesses:
    """Return what hard mode requires after each guess on each board.

    `codes` has the codes of all guesses on each board. Raises PuzzleError if the result is too large for a page.
    """
    rule = game.rule
    if isinstance(rule, MarksRule) and rule.hard_mode_follows_needs:
        return _by_obligations(game, rule, codes)
    pairs = len(game.guesses) ** 2 * len(codes)
    if pairs > MAX_PAIRS:
        raise PuzzleError(
            f"hard mode with the rule {rule.name!r} depends on {pairs:,} pairs of guesses; a page can hold "
            f"{MAX_PAIRS:,}, so use fewer words, boards or puzzles, or play without hard mode"
        )
    return _by_masks(game, codes)


def _by_obligations(game: Game, rule: MarksRule, codes: Sequence[npt.NDArray[Any]]) -> LaterGuesses:
    words = [game.alphabet.split(word) for word in game.guesses]
    numbers: dict[Any, int] = {}
    columns = []
    for board in codes:
        column = []
        for word, code in zip(words, board.tolist(), strict=True):
            placed, counts = rule.obligations(word, code)
            demand = (tuple(sorted(placed.items())), tuple(sorted(counts.items())))
            column.append(numbers.setdefault(demand, len(numbers)))
        columns.append(varints(column))
    return LaterGuesses([[list(placed), list(counts)] for placed, counts in numbers], b"", columns)


def _by_masks(game: Game, codes: Sequence[npt.NDArray[Any]]) -> LaterGuesses:
    masks = Numbering()
    columns = [
        varints(
            masks[np.packbits(game.allowed_after(guess, code)).tobytes().hex()]
            for guess, code in enumerate(board.tolist())
        )
        for board in codes
    ]
    return LaterGuesses([], bytes.fromhex("".join(masks)), columns)
