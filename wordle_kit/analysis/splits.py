"""How a guess splits the remaining words, and where each symbol occurs in them."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from wordle_kit.strategy.board import Board

BAR = 30
"""The longest bar, in characters."""


def split_rows(board: Board, guess: str) -> list[dict[str, Any]]:
    """Return a row for each part, the largest first: feedback, tiles, size, share, bits gained, and words.

    If answers have weights, the share of a part is its share of the weight, which is its chance, and the likeliest
    parts and words come first. A part without weight has None as its bits.
    """
    weights = dict(zip(board.words, board.weights.tolist(), strict=True))
    rows = []
    for feedback, words in board.split(guess).items():
        mass = math.fsum(weights[word] for word in words)
        row = {
            "feedback": str(feedback),
            "tiles": feedback.tiles,
            "size": len(words),
            "share": mass / board.mass,
            "bits": math.log2(board.mass / mass) if mass else None,
            "words": sorted(words, key=lambda word: -weights[word]),
        }
        rows.append(row)
    return sorted(rows, key=lambda row: -row["share"])


def split_summary(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Return the number of candidates and of parts, the largest and the expected size, and the expected bits."""
    return {
        "candidates": sum(row["size"] for row in rows),
        "parts": len(rows),
        "largest": max(row["size"] for row in rows),
        "expected_size": sum(row["size"] * row["share"] for row in rows),
        "expected_bits": sum(row["share"] * row["bits"] for row in rows if row["share"]),
    }


def likeliest(board: Board) -> list[tuple[str, float]]:
    """Return the candidates of a board with their chances, the likeliest first, equal ones in the game's order."""
    chances = zip(board.words, (board.weights / board.mass).tolist(), strict=True)
    return sorted(chances, key=lambda word: -word[1])


def bar(share: float, longest: float) -> str:
    """Return a bar for a share, which has full length if the share equals `longest`."""
    eighths = round(8 * BAR * share / longest)
    return "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()


def letter_rows(board: Board) -> list[dict[str, Any]]:
    """Return a row for each symbol: its count at each place, over all places, and the number of words that have it.

    If answers have weights, these are chances instead: that the answer has the symbol at each place, their sum, and
    that the answer has it at all.
    """
    game = board.game
    counts = board.weights / board.mass if game.is_weighted else np.ones(len(board), dtype=np.int64)
    hidden = game.answer_symbols[board.candidates]
    rows = []
    for number, symbol in enumerate(game.alphabet.symbols):
        here = hidden == number
        at = counts @ here
        places = {str(place): count for place, count in enumerate(at.tolist(), start=1)}
        rows.append({"symbol": symbol, **places, "all": at.sum().item(), "words": (counts @ here.any(axis=1)).item()})
    return rows
