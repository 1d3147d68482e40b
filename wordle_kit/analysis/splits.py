"""How a guess splits the remaining words, and where each symbol occurs in them."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from wordle_kit.strategy.board import Board

BAR = 30
"""The longest bar, in characters."""


def split_rows(board: Board, guess: str) -> list[dict[str, Any]]:
    """Return a row for each part, the largest first: feedback, tiles, size, share, bits gained, and words."""
    n = len(board)
    return [
        {
            "feedback": str(feedback),
            "tiles": feedback.tiles,
            "size": len(words),
            "share": len(words) / n,
            "bits": math.log2(n / len(words)),
            "words": list(words),
        }
        for feedback, words in board.split(guess).items()
    ]


def split_summary(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Return the number of candidates and of parts, the largest and the expected size, and the expected bits."""
    return {
        "candidates": sum(row["size"] for row in rows),
        "parts": len(rows),
        "largest": max(row["size"] for row in rows),
        "expected_size": sum(row["size"] * row["share"] for row in rows),
        "expected_bits": sum(row["share"] * row["bits"] for row in rows),
    }


def bar(share: float, longest: float) -> str:
    """Return a bar for a share, which has full length if the share equals `longest`."""
    eighths = round(8 * BAR * share / longest)
    return "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()


def letter_rows(board: Board) -> list[dict[str, Any]]:
    """Return a row for each symbol: its count at each place, over all places, and the number of words that have it."""
    game = board.game
    hidden = game.answer_symbols[board.candidates]
    rows = []
    for number, symbol in enumerate(game.alphabet.symbols):
        here = hidden == number
        at = here.sum(axis=0)
        places = {str(place): int(count) for place, count in enumerate(at, start=1)}
        rows.append({"symbol": symbol, **places, "all": int(at.sum()), "words": int(np.any(here, axis=1).sum())})
    return rows
