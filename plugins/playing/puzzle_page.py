"""Puzzles as one HTML page to play. It contains the feedback of every guess, so it does not need the rule's code."""

import hashlib
import unicodedata
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.cells import cell_len
from wordle_kit_plugins.pages.html import compressed, html_of
from wordle_kit_plugins.playing.boards import side_by_side
from wordle_kit_plugins.playing.wording import praise

import wordle_kit as wk
from wordle_kit.game.rules import mark_names
from wordle_kit.texts import line

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

MAX_CODES = 65_536
"""The most different kinds of feedback that a page can show."""

MAX_PAIRS = 50_000_000
"""The most pairs of guesses, on all boards of a page, for which the page can check hard mode."""


def puzzle_page(game: wk.Game, puzzles: wk.Puzzles, title: str | None = None, first: date | None = None) -> str:
    """Return the page on which these puzzles can be played, as HTML.

    With `first`, the puzzles are for consecutive days from this date on, and the page shows today's puzzle.

    The hidden words are compressed, so that nobody reads them by accident. A determined reader can find them. Raises
    PuzzleError if a page cannot hold the puzzles.
    """
    _check_size(game, puzzles)
    shown = line(title or game.title)
    dates = [] if first is None else [str(first + timedelta(day)) for day in range(len(puzzles))]
    return html_of(
        FOLDER,
        compressed(_data(game, puzzles, shown, dates)),
        SCRIPTS,
        title=shown,
        game=game,
        puzzles=len(puzzles),
        marks=bool(_tiles_of(game.rule)),
        written=_written(game.alphabet),
    )


def _check_size(game: wk.Game, puzzles: wk.Puzzles) -> None:
    if game.boards > MAX_BOARDS:
        raise wk.PuzzleError(f"{game.name}: has {game.boards} boards; a page can show {MAX_BOARDS}")
    longest = max(game.alphabet.symbols, key=len)
    if len(longest) > MAX_SYMBOL:
        raise wk.PuzzleError(f"{game.name}: {longest!r} is too long for a tile, which can show {MAX_SYMBOL} characters")
    if len(puzzles) > MAX_PUZZLES:
        raise wk.PuzzleError(f"puzzles: there are {len(puzzles):,}; a page can have {MAX_PUZZLES}")
    feedback = len(game.guesses) * game.boards * len(puzzles)
    if feedback > MAX_FEEDBACK:
        raise wk.PuzzleError(
            f"{game.name}: {len(game.guesses):,} guesses on {game.boards * len(puzzles):,} boards have {feedback:,} "
            f"feedbacks; a page can hold {MAX_FEEDBACK:,}, so use fewer puzzles or boards"
        )


def _data(game: wk.Game, puzzles: wk.Puzzles, title: str, dates: Sequence[str]) -> dict[str, Any]:
    """Return all data for the page's script."""
    codes = [_codes(game, answer) for puzzle in puzzles.ids for answer in puzzle]
    numbers = _numbers_of(game, codes)
    shown = [game.show(code) for code in numbers]
    demands, demand_of = demands_of(game, codes) if game.hard_mode else ([], [])
    return {
        "title": title,
        "fingerprint": game.fingerprint,
        "puzzles": _names_of(puzzles, dates),
        "dates": dates,
        "boards": game.boards,
        "maxGuesses": game.max_guesses,
        "cap": game.cap,
        "hardMode": game.hard_mode,
        "symbols": game.alphabet.symbols,
        "separator": game.alphabet.separator,
        "length": game.length,
        "tiles": _tiles_of(game.rule),
        "marks": mark_names(game.rule),
        "nouns": game.nouns,
        "praise": [praise(guesses, game) for guesses in range(1, game.max_guesses + 1)],
        "words": game.guesses,
        "feedback": [[numbers[code] for code in board.tolist()] for board in codes],
        "shown": [str(one) for one in shown],
        "pictures": [one.tiles for one in shown],
        "sharedAcross": len(side_by_side(game.boards, cell_len(shown[0].tiles) + 2, SHARED + 2)[0]),
        "demands": demands,
        "demandOf": demand_of,
    }


def _names_of(puzzles: wk.Puzzles, dates: Sequence[str]) -> list[str]:
    """Return a name for each puzzle, under which a browser keeps its progress.

    A puzzle of a day has the same name on each page that has this day. Other puzzles belong to their series.
    """
    facts = [
        (puzzles.game.fingerprint, puzzles.words(number), dates[number]) if dates else (puzzles.fingerprint, number)
        for number in range(len(puzzles))
    ]
    return [hashlib.sha256(repr(one).encode()).hexdigest()[:16] for one in facts]


SHARED = 40
"""The most columns of a text to share, so that telephones do not wrap it. More boards are below each other."""

LANGUAGES = {"HEBREW": "he", "ARABIC": "ar", "GREEK": "el", "DEVANAGARI": "hi", "HANGUL": "ko", "HIRAGANA": "ja"}
"""Languages by the first word of the names of their letters in Unicode."""


def _written(alphabet: wk.Alphabet) -> dict[str, str | None]:
    """Return the attributes `dir` and `lang` of text in an alphabet, as far as its letters tell them."""
    letters = [character for symbol in alphabet.symbols for character in symbol]
    is_reversed = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in letters)
    scripts = {unicodedata.name(letter, "").partition(" ")[0] for letter in letters}
    found = [language for script, language in LANGUAGES.items() if script in scripts]
    found += ["tr"] if "ı" in letters else []
    return {"dir": "rtl" if is_reversed else "ltr", "lang": found[0] if len(found) == 1 else None}


def _tiles_of(rule: wk.Rule) -> str:
    """Return the tile of each mark, or an empty text if feedback does not have a digit for each symbol."""
    return rule.tile_set if isinstance(rule, wk.MarksRule) and type(rule).show is wk.MarksRule.show else ""


def _codes(game: wk.Game, answer: int) -> npt.NDArray[Any]:
    """Return the codes of all guesses against one answer, without computing the whole table."""
    codes = game.table.codes_of(game.answer_symbols[answer : answer + 1], game.guess_symbols)
    column: npt.NDArray[Any] = codes[0]
    return column


def _numbers_of(game: wk.Game, codes: Sequence[npt.NDArray[Any]]) -> dict[int, int]:
    """Return a number for each code that occurs: 0 for the winning code, then the most frequent first."""
    different, counts = np.unique(np.concatenate(codes), return_counts=True)
    if len(different) > MAX_CODES:
        raise wk.PuzzleError(
            f"{game.name}: has {len(different):,} kinds of feedback; a page can show {MAX_CODES:,}; use shorter words"
        )
    frequent = [int(code) for code in different[np.argsort(-counts, kind="stable")] if code != game.winning_code]
    return {code: number for number, code in enumerate([game.winning_code, *frequent])}


def demands_of(game: wk.Game, codes: Sequence[npt.NDArray[Any]]) -> tuple[list[Any], list[list[int]]]:
    """Return what guesses demand of later guesses in hard mode, and for each board the number of each guess's demand.

    `codes` has the codes of all guesses on each board. For rules with marks, a demand has the symbols of known places,
    and the symbols to use with their counts. For other rules, it is a text of hexadecimal digits, with a bit for every
    guess, 1 if it is allowed. Raises PuzzleError if there are too many.
    """
    rule = game.rule
    pairs = len(game.guesses) ** 2 * len(codes)
    by_marks = isinstance(rule, wk.MarksRule) and rule.hard_mode_follows_needs
    if not by_marks and pairs > MAX_PAIRS:
        raise wk.PuzzleError(
            f"hard mode with the rule {rule.name!r} depends on {pairs:,} pairs of guesses; a page can hold "
            f"{MAX_PAIRS:,}, so use fewer words, boards or puzzles, or play without hard mode"
        )
    numbers: dict[Any, int] = {}
    demand_of = []
    for board in codes:
        column = []
        for guess, code in enumerate(board.tolist()):
            if isinstance(rule, wk.MarksRule) and by_marks:
                placed, counts = rule.obligations(game.alphabet.split(game.guesses[guess]), code)
                demand: Any = (tuple(sorted(placed.items())), tuple(sorted(counts.items())))
            else:
                demand = np.packbits(game.allowed_after(guess, code)).tobytes().hex()
            column.append(numbers.setdefault(demand, len(numbers)))
        demand_of.append(column)
    return list(numbers), demand_of
