"""Plays as columns of data frames and as lines of text, and the number of words left after each guess."""

import csv
import io
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from wordle_kit.files import replacing
from wordle_kit.game.game import Game
from wordle_kit.game.table import Ids
from wordle_kit.tables import Column, ColumnKind, Columns
from wordle_kit.texts import cell
from wordle_kit.tournaments.runs import Play, StoredRun

PLAYS: dict[str, ColumnKind] = {
    "strategy": "text",
    "puzzle": "whole",
    "answer": "text",
    "board": "whole",
    "turn": "whole",
    "guess": "text",
    "feedback": "text",
    "left": "whole",
    "outcome": "text",
    "weight": "real",
}
"""The columns of plays. Only plays on several boards have `board`, and only puzzles with weights have `weight`."""


def columns_of_plays(runs: Iterable[StoredRun], game: Game | None = None) -> Columns:
    """Return plays as columns: a row for each guess of each play and, on several boards, for each unsolved board.

    The runs are read one at a time. The words left are counted only if the game is given. Rows include the puzzles'
    weights if there are any.
    """
    made: dict[str, list[Any]] = {name: [] for name in PLAYS}
    add = [values.append for values in made.values()]
    boards, weights = 1, None
    for run in runs:
        boards, weights = run.facts.boards, run.facts.weights
        left_counts = None if game is None else words_left(run.plays, game)
        for number, play in enumerate(run.plays):
            puzzle, weight = number + 1, 0.0 if weights is None else weights[number]
            for at, (word, seen) in enumerate(zip(play.guesses, play.feedback, strict=True)):
                for place, shown in enumerate(seen):
                    if shown:
                        left = None if left_counts is None else left_counts[number][at][place]
                        values = (run.facts.strategy, puzzle, play.puzzle[place], place + 1, at + 1, word, shown, left)
                        for append, value in zip(add, (*values, play.outcome.value, weight), strict=True):
                            append(value)
    absent = {"board": boards == 1, "weight": weights is None}
    return {name: Column(kind, made[name]) for name, kind in PLAYS.items() if not absent.get(name)}


def write_transcripts(path: Path, runs: Iterable[StoredRun]) -> None:
    """Write one line per play, separated by tabs: strategy, answers, the turn that solved each board, guesses, outcome.

    Commas separate words. `-` stands for a board that was not solved. Raises WordleKitError if the file cannot be
    written.
    """
    with replacing(path) as file, io.TextIOWrapper(file, encoding="utf-8", newline="") as text:
        writer = csv.writer(text, delimiter="\t", lineterminator="\n")
        writer.writerow(("strategy", "answers", "turns", "guesses", "outcome"))
        for run in runs:
            for play in run.plays:
                turns = ("-" if turn is None else str(turn) for turn in play.board_turns)
                words = (",".join(part) for part in (play.puzzle, turns, play.guesses))
                writer.writerow((cell(run.facts.strategy), *words, play.outcome.value))


def words_left(plays: Sequence[Play], game: Game) -> list[list[list[int]]]:
    """Return the number of words left on each board after each guess of each play. It is 0 on a solved board."""
    counts: list[list[list[int]]] = [[] for _ in plays]
    code_of = cache(lambda text: game.rule.read(text, game.length))
    everything = np.arange(len(game.answers), dtype=np.int32)
    waiting: list[tuple[Iterable[int], list[Ids]]] = [(range(len(plays)), [everything] * game.boards)]
    while waiting:  # plays that begin with the same guesses and feedback, and the words that these leave
        numbers, left = waiting.pop()
        by_guess: dict[str, dict[tuple[str, ...], list[int]]] = {}
        for number in numbers:
            play, turn = plays[number], len(counts[number])
            if turn < len(play.guesses):
                by_guess.setdefault(play.guesses[turn], {}).setdefault(play.feedback[turn], []).append(number)
        for guess, by_feedback in by_guess.items():
            codes = [game.table.column(game.guess_index[guess], ids) for ids in left]
            for feedback, same in by_feedback.items():
                after = [
                    ids[:0] if not text or code_of(text) == game.winning_code else ids[own == code_of(text)]
                    for ids, own, text in zip(left, codes, feedback, strict=True)
                ]
                for number in same:
                    counts[number].append(list(map(len, after)))
                waiting.append((same, after))
    return counts
