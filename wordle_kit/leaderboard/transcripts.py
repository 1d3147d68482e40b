"""Transcripts: plays as text, one line per puzzle, for other programs to read."""

import csv
import io
from collections.abc import Iterable
from pathlib import Path

from wordle_kit.files import replacing
from wordle_kit.texts import cell
from wordle_kit.tournaments.runs import StoredRun

HEADER = ("strategy", "answers", "turns", "guesses", "outcome")


def write_transcripts(path: Path, runs: Iterable[StoredRun]) -> None:
    """Write one line per play, separated by tabs: strategy, answers, the turn that solved each board, guesses, outcome.

    Commas separate words; `-` stands for a board that was not solved. Raises WordleKitError if the file cannot be
    written.
    """
    with replacing(path) as file, io.TextIOWrapper(file, encoding="utf-8", newline="") as text:
        writer = csv.writer(text, delimiter="\t", lineterminator="\n")
        writer.writerow(HEADER)
        for run in runs:
            for play in run.plays:
                turns = ("-" if turn is None else str(turn) for turn in play.board_turns)
                words = (",".join(part) for part in (play.puzzle, turns, play.guesses))
                writer.writerow((cell(run.facts.strategy), *words, play.outcome.value))
