"""Puzzles to play on an HTML page, which contains the feedback of every guess and so does not need the rule's code."""

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
from wordle_kit_plugins.playing.boards import SHARED, side_by_side

import wordle_kit as wk
from wordle_kit.game.rules import mark_labels
from wordle_kit.texts import one_line

FOLDER = Path(__file__).parent / "web"
SCRIPTS = ("game.js", "boards.js", "script.js")

MAX_SYMBOL = 4
"""The most characters of a symbol that a tile can show."""

MAX_FEEDBACK = 10_000_000
"""The most feedback that a page can hold: guesses times boards times puzzles."""

MAX_CODES = 65_536
"""The most different kinds of feedback that a page can show."""


def puzzle_page(game: wk.Game, puzzles: wk.Puzzles, title: str | None = None, first: date | None = None) -> str:
    """Return the HTML page for playing these puzzles.

    With `first`, the puzzles are for consecutive days from this date on, and the page shows today's puzzle.

    The hidden words are compressed, so that nobody reads them by accident; a determined reader can find them. Raises
    PuzzleError if a page cannot hold the puzzles.
    """
    _check_size(game, puzzles)
    shown = one_line(title or game.title)
    dates = [] if first is None else [str(first + timedelta(day)) for day in range(len(puzzles))]
    return html_of(
        FOLDER,
        compressed(_data(game, puzzles, shown, dates)),
        SCRIPTS,
        title=shown,
        game=game,
        puzzles=len(puzzles),
        marks=bool(_tiles_of(game.rule)),
        text_attributes=_text_attributes(game.alphabet),
    )


def _check_size(game: wk.Game, puzzles: wk.Puzzles) -> None:
    longest = max(game.alphabet.symbols, key=len)
    if len(longest) > MAX_SYMBOL:
        raise wk.PuzzleError(f"{game.name}: {longest!r} is too long for a tile, which can show {MAX_SYMBOL} characters")
    feedback = len(game.guesses) * game.boards * len(puzzles)
    if feedback > MAX_FEEDBACK:
        raise wk.PuzzleError(
            f"{game.name}: {len(game.guesses):,} guesses on {game.boards * len(puzzles):,} boards have {feedback:,} "
            f"feedbacks; a page can hold {MAX_FEEDBACK:,}, so use fewer puzzles or boards"
        )


def _data(game: wk.Game, puzzles: wk.Puzzles, title: str, dates: Sequence[str]) -> dict[str, Any]:
    """Return the data for the page's script."""
    codes = [_codes(game, answer) for puzzle in puzzles.ids for answer in puzzle]
    numbers = _numbers_of(game, codes)
    shown = [game.feedback_of(code) for code in numbers]
    obligations, obligation_of = obligations_of(game, codes) if game.hard_mode else ([], [])
    return {
        "title": title,
        "fingerprint": game.fingerprint,
        "puzzles": _names_of(puzzles, dates),
        "dates": dates,
        "boards": game.boards,
        "maxGuesses": game.max_guesses,
        "hardMode": game.hard_mode,
        "symbols": game.alphabet.symbols,
        "separator": game.alphabet.separator,
        "length": game.length,
        "tiles": _tiles_of(game.rule),
        "marks": mark_labels(game.rule),
        "nouns": game.nouns,
        "words": game.guesses,
        "feedback": [[numbers[code] for code in board.tolist()] for board in codes],
        "texts": [str(one) for one in shown],
        "pictures": [one.tiles for one in shown],
        "sharedAcross": len(side_by_side(game.boards, cell_len(shown[0].tiles) + 2, SHARED + 2)[0]),
        "obligations": obligations,
        "obligationOf": obligation_of,
    }


def _names_of(puzzles: wk.Puzzles, dates: Sequence[str]) -> list[str]:
    """Return a name for each puzzle, under which a browser stores its progress.

    A day's puzzle has the same name on every page that includes it. Other puzzles belong to their series.
    """
    facts = [
        (puzzles.game.fingerprint, puzzles.words(number), dates[number]) if dates else (puzzles.fingerprint, number)
        for number in range(len(puzzles))
    ]
    return [hashlib.sha256(repr(one).encode()).hexdigest()[:16] for one in facts]


LANGUAGES = {"HEBREW": "he", "ARABIC": "ar", "GREEK": "el", "DEVANAGARI": "hi", "HANGUL": "ko", "HIRAGANA": "ja"}
"""Languages by the first word of their letters' Unicode names."""


def _text_attributes(alphabet: wk.Alphabet) -> dict[str, str | None]:
    """Return the attributes `dir` and `lang` of text in an alphabet, as far as its letters reveal them."""
    letters = [character for symbol in alphabet.symbols for character in symbol]
    is_reversed = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in letters)
    scripts = {unicodedata.name(letter, "").partition(" ")[0] for letter in letters}
    found = [language for script, language in LANGUAGES.items() if script in scripts]
    found += ["tr"] if "ı" in letters else []
    return {"dir": "rtl" if is_reversed else "ltr", "lang": found[0] if len(found) == 1 else None}


def _tiles_of(rule: wk.Rule) -> str:
    """Return the tile of each mark, or an empty string if feedback does not have a digit per symbol."""
    return rule.tile_set if isinstance(rule, wk.MarksRule) and type(rule).show is wk.MarksRule.show else ""


def _codes(game: wk.Game, answer: int) -> npt.NDArray[Any]:
    """Return the codes of all guesses against one answer without computing the whole table."""
    codes = game.table.codes_of(game.answer_symbols[answer : answer + 1], game.guess_symbols)
    column: npt.NDArray[Any] = codes[0]
    return column


def _numbers_of(game: wk.Game, codes: Sequence[npt.NDArray[Any]]) -> dict[int, int]:
    """Return a number for each code that occurs: 0 for the winning code, then by descending frequency."""
    different, counts = np.unique(np.concatenate(codes), return_counts=True)
    if len(different) > MAX_CODES:
        raise wk.PuzzleError(
            f"{game.name}: has {len(different):,} kinds of feedback; a page can show {MAX_CODES:,}; use shorter words"
        )
    frequent = [int(code) for code in different[np.argsort(-counts, kind="stable")] if code != game.winning_code]
    return {code: number for number, code in enumerate([game.winning_code, *frequent])}


def obligations_of(game: wk.Game, codes: Sequence[npt.NDArray[Any]]) -> tuple[list[Any], list[list[int]]]:
    """Return the distinct obligations of hard mode and, for each board, the number of each guess's obligation.

    `codes` has the codes of all guesses on each board. An obligation lists the symbols of known places, and the symbols
    that later guesses must use with their counts. Raises PuzzleError for a rule with a hard mode of its own.
    """
    rule = game.rule
    if not isinstance(rule, wk.MarksRule) or not rule.hard_mode_follows_needs:
        raise wk.PuzzleError(f"a page cannot check the hard mode of the rule {rule.name!r}; play without hard mode")
    numbers: dict[Any, int] = {}
    created: list[list[int]] = []
    words = [game.alphabet.split(guess) for guess in game.guesses]
    for board in codes:
        created.append([])
        for word, code in zip(words, board.tolist(), strict=True):
            placed, counts = rule.obligations(word, code)
            obligation = tuple(sorted(placed.items())), tuple(sorted(counts.items()))
            created[-1].append(numbers.setdefault(obligation, len(numbers)))
    return list(numbers), created
