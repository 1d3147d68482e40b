"""What papers printed: their games, strategies and figures, as read from data/published."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

import wordle_kit as wk
from wordle_kit.game.files import Order, read_word_file

Expectation = Literal["exact", "close", "stochastic", "sampled"]
"""How close our figures must be. Both means of a `sampled` row have a sampling error, since its puzzles were drawn."""


class PublishedGame(BaseModel):
    """The game that a paper played: word files, a rule and an order of words."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    answers: list[str]
    guesses: list[str] = []
    puzzles: str | None = None
    """The file of the hidden words, if not all answers were hidden."""
    rule: str = "wordle"
    order: Order = "alphabetical"
    boards: int = 1
    sample: int | None = None
    """How many puzzles are drawn, or None if all answers are played."""
    perfect_play: str = ""
    """The file, in the folder of the paper's file, with the guesses that perfect play needs after each first guess."""

    @property
    def files(self) -> set[str]:
        """The word files needed by the game."""
        return {*self.answers, *self.guesses, *([self.puzzles] if self.puzzles else [])}

    def load(self, name: str, folders: Mapping[str, Path], plugins: wk.Plugins | None) -> wk.Game:
        """Return the game. `folders` has the folder of each file."""
        answers, others = (
            [word for file in files for _, word in read_word_file(folders[file] / file)]
            for files in (self.answers, self.guesses)
        )
        fields = {
            "name": name,
            "alphabet": "abcdefghijklmnopqrstuvwxyz",
            "length": len(answers[0]),
            "answers": answers,
            "guesses": others,
        }
        return wk.load_game(fields | self.model_dump(include={"rule", "order", "boards"}), plugins)


class PublishedRow(BaseModel):
    """A row of a paper: its strategy, the figures as printed, and how close ours must be."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    game: str
    strategy: str
    against: str | None = None
    """The strategy to compare with on the same puzzles if the figures are wins, ties and losses."""
    seeds: Annotated[int, Field(ge=1)] = 1
    """Number of seeds with which a random strategy plays. The figures cover all of these plays."""
    printed: dict[str, Any] = {}
    """Figures as texts, exactly as printed, which preserves the number of decimals."""
    corrected: dict[str, str] = {}
    """The figures that the paper must have meant where it has misprints, as the row's note says."""
    independent: dict[str, Any] = {}
    """Figures that are not in the paper, measured with an independent implementation."""
    scores: dict[str, str] = {}
    """The strategy's score of first guesses."""
    errors: dict[int, str] = {}
    """The mean squared error of the strategy's scores against perfect play, over this many of the best first guesses or
    over all.

    An error over all counts the answers twice, as in Tyl (2023), because both lists of that paper contain them.
    """
    letters: dict[str, str] = {}
    """How many answers have a letter in each place."""
    expect: Expectation
    range: dict[str, tuple[float, float]] = {}
    """The range in which a figure may lie if it is not exact."""
    note: str = ""


class Paper(BaseModel):
    """A paper's rows, and the games they are played on."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    paper: str
    title: str
    notes: str
    games: dict[str, PublishedGame]
    rows: list[PublishedRow]
    folder: Path = Path()
    """The folder of the paper's file."""


def read_papers(folder: Path) -> list[Paper]:
    """Return the papers in a folder, by name."""
    return [
        Paper.model_validate(tomllib.loads(path.read_text(encoding="utf-8")) | {"folder": folder})
        for path in sorted(folder.glob("*.toml"))
    ]


def read_perfect_play(path: Path, game: wk.Game) -> wk.Floats:
    """Return the mean number of guesses of perfect play after each first guess, float64[n_guesses].

    The file has a total over all answers for each guess, in the game's order; lines that start with # are comments.
    Raises WordleKitError if the file does not belong to this game.
    """
    totals = [int(total) for _, line in read_word_file(path) for total in line.split()]
    if len(totals) != len(game.guesses):
        problem = f"has {len(totals):,} totals for the {len(game.guesses):,} guesses of {game.name}"
        raise wk.WordleKitError(f"{path}: {problem}")
    return np.array(totals) / len(game.answers)
