"""How a guess splits what is left, and where each symbol stands in it."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from wordle_kit.strategy.board import Board

BAR = 30
"""The longest bar, in characters."""


def split_rows(board: Board, guess: str) -> list[dict[str, Any]]:
    """Return a row for each part, the largest first: feedback, tiles, size, share, bits that it gives, and words."""
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
    """Return what the parts come to: their number, the largest, the expected size, and the expected bits."""
    return {
        "candidates": sum(row["size"] for row in rows),
        "parts": len(rows),
        "largest": max(row["size"] for row in rows),
        "expected_size": sum(row["size"] * row["share"] for row in rows),
        "expected_bits": sum(row["share"] * row["bits"] for row in rows),
    }


def bar(share: float, longest: float) -> str:
    """Return a bar for a share, at full length where it is the longest."""
    eighths = round(8 * BAR * share / longest)
    return "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()


def letter_rows(board: Board) -> list[dict[str, Any]]:
    """Return a row for each symbol: how many candidates have it at each place, at all places, and anywhere."""
    game = board.game
    hidden = game.answer_symbols[board.candidates]
    rows = []
    for number, symbol in enumerate(game.alphabet.symbols):
        here = hidden == number
        at = here.sum(axis=0)
        places = {str(place): int(count) for place, count in enumerate(at, start=1)}
        rows.append({"symbol": symbol, **places, "all": int(at.sum()), "words": int(np.any(here, axis=1).sum())})
    return rows
