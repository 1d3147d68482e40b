"""What papers printed: their games, strategies and figures, as the files in data/published have them."""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator

import wordle_kit as wk
from wordle_kit.errors import problem_in
from wordle_kit.game.files import Order, read_word_file

Expectation = Literal["exact", "close", "stochastic", "sampled"]
"""How close our figures must come. Both means of a `sampled` row have a sampling error, since its puzzles were drawn.
"""


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
    perfect_play: Path | None = None
    """The file with the guesses that perfect play needs after each first guess, in the folder of the paper's file."""

    @field_validator("perfect_play")
    @classmethod
    def _beside_the_paper(cls, file: Path, info: ValidationInfo) -> Path:
        return Path((info.context or {}).get("folder", ".")) / file

    @property
    def files(self) -> set[str]:
        """The word files that the game needs."""
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
    """A row of a paper: its strategy, the figures as they are printed, and how close our figures must come."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    game: str
    strategy: str
    against: str | None = None
    """The strategy to compare with on the same puzzles, if the figures are wins, ties and losses."""
    seeds: Annotated[int, Field(ge=1)] = 1
    """The number of seeds with which a random strategy plays. The figures are computed from all of these plays."""
    printed: dict[str, Any] = {}
    """Figures as texts, exactly as the paper prints them, so that the number of decimals is known."""
    corrected: dict[str, str] = {}
    """What must have been meant where the paper misprints a figure, as its note says."""
    independent: dict[str, Any] = {}
    """Figures that the paper does not have, measured with an independent implementation."""
    scores: dict[str, str] = {}
    """The strategy's score of first guesses."""
    errors: dict[int, str] = {}
    """The mean squared error of the strategy's scores against perfect play, over this many of the best first guesses or
    over all.

    Over all, the answers count twice, because both lists of Tyl (2023) contain them. Tyl printed these errors.
    """
    letters: dict[str, str] = {}
    """How many answers have a letter in each place."""
    expect: Expectation
    range: dict[str, tuple[float, float]] = {}
    """The range in which a figure may lie if it is not exact."""
    note: str = ""


class Paper(BaseModel):
    """A paper's rows, and the games on which they are played."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    paper: str
    title: str
    notes: str
    games: dict[str, PublishedGame]
    rows: list[PublishedRow]


def read_papers(folder: Path) -> Iterator[Paper]:
    """Yield the papers in a folder, by name. Raises WordleKitError, which names the file and what is wrong."""
    for path in sorted(folder.glob("*.toml")):
        try:
            yield Paper.model_validate(tomllib.loads(path.read_text(encoding="utf-8")), context={"folder": folder})
        except (OSError, ValueError) as error:
            problem = problem_in(error, Paper.model_fields) if isinstance(error, ValidationError) else error
            raise wk.WordleKitError(f"{path}: {problem}") from error


def read_perfect_play(path: Path, game: wk.Game) -> list[tuple[str, float]]:
    """Return each guess of a game with the mean number of guesses of perfect play that begins with it.

    The file has a total over all answers for each guess, in the game's order. Lines that begin with # are comments.
    Raises WordleKitError for a file that does not belong to this game.
    """
    totals = [int(total) for _, line in read_word_file(path) for total in line.split()]
    if len(totals) != len(game.guesses):
        problem = f"has {len(totals):,} totals for the {len(game.guesses):,} guesses of {game.name}"
        raise wk.WordleKitError(f"{path}: {problem}")
    return [(word, total / len(game.answers)) for word, total in zip(game.guesses, totals, strict=True)]
