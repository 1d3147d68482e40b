"""Write a new assignment on a game, for students and for the teacher, from the texts in `template/`."""

import json
import math
import re
import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from wordle_kit.analysis.splits import split_rows, split_summary
from wordle_kit.api import load_puzzles, load_strategy, play
from wordle_kit.errors import WordleKitError
from wordle_kit.files import write_file
from wordle_kit.game.game import Game
from wordle_kit.leaderboard.metrics import counted
from wordle_kit.strategy.position import Position
from wordle_kit.tournaments.outcome import Outcome, Play
from wordle_kit.tournaments.puzzles import Puzzles
from wordle_kit.tournaments.tournament import TREE

PUBLIC, PUBLIC_SEED = 50, 1
"""The number of public puzzles, if the game has that many answers, and the seed that draws them."""

SAMPLE = 500
"""The number of puzzles that show how hard a game is that is not played as a whole."""

FILES = {
    "assignment.toml": "assignment.toml",
    "README.md": "README.md",
    "starter.py": "starter.py",
    "test_starter.py": "test_starter.py",
    "NOTE.md": "teacher/NOTE.md",
    "run_autograder": "teacher/run_autograder",
    "setup.sh": "teacher/setup.sh",
}
"""The templates, and the files that are made from them."""

EXECUTABLE = ("teacher/run_autograder", "teacher/setup.sh")

MEASURED = {"entropy": "entropy", "random": "random-consistent", "starter": "first-consistent"}
"""Strategies that show how hard the game is. The last one plays like the starter."""

BASELINES = ("random-consistent", "entropy")


@dataclass(frozen=True)
class Basis:
    """A game for an assignment."""

    game: Game
    named: str
    """Its file or its name, as the assignment file refers to it."""
    story: str
    """Its description for students, as Markdown."""
    origin: str
    """Its description for the teacher, as Markdown."""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Its files, by their names in the assignment's folder."""
    plugins: tuple[str, ...] = ()
    """The names of the files that have rules."""


def place_of(name: str, folder: Path) -> Path:
    """Return the folder of a new assignment. Raises WordleKitError if the name is invalid or the folder exists."""
    if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
        raise WordleKitError(
            f"{name!r} cannot name an assignment; use lower-case letters, digits and -, as in spring-words"
        )
    target = folder / name
    if target.exists():
        raise WordleKitError(f"{target} already exists; choose another name or folder")
    return target


def write_assignment(target: Path, basis: Basis) -> None:
    """Write an assignment to a folder."""
    for name in basis.files:
        if name in FILES.values():
            raise WordleKitError(f"{name}: every assignment has its own file of this name; rename yours")
    facts = _facts(target.name, basis)
    for name, text in basis.files.items():
        write_file(target / name, text, make_folder=True)
    for template, file in FILES.items():
        write_file(target / file, filled(template, facts), make_folder=True)
        if file in EXECUTABLE:
            (target / file).chmod(0o755)


def _facts(name: str, basis: Basis) -> dict[str, str]:
    """Return the values for the templates."""
    game = basis.game
    options = [f"-g {basis.named}", *(f"-p {file}" for file in basis.plugins)]
    one = [*game.answers[: game.boards]] if len(game.answers) >= game.boards else [game.answers[0]] * game.boards
    public = min(PUBLIC, len(game.answers)) if game.boards == 1 else PUBLIC
    named = f"HERE / {json.dumps(basis.named)}" if basis.named in basis.files else json.dumps(basis.named)
    return {
        "name": name,
        "title": name.replace("-", " ").capitalize(),
        "game": basis.named,
        "game_in_python": named,
        "rule_files": ", ".join(f"HERE / {json.dumps(file)}" for file in (*basis.plugins, "starter.py")),
        "plugins": f"plugins = {json.dumps(basis.plugins)}\n" if basis.plugins else "",
        "options": " ".join(options),
        "story": basis.story,
        "origin": basis.origin,
        "answers": f"{len(game.answers):,}",
        "public": str(public),
        "public_seed": str(PUBLIC_SEED),
        "bits": f"{game.boards * math.log2(len(game.answers)):.2f}",
        "word": ",".join(one),
        "baselines": json.dumps([spec for spec in BASELINES if load_strategy(spec).problem_with(game) is None]),
        **_figures(game, public),
    }


def _figures(game: Game, public: int) -> dict[str, str]:
    """Return figures on how hard the game is: means of some strategies, and a suitable scale."""
    playable = game.boards == 1 and len(game.answers) <= TREE
    samples = [load_puzzles(game, None if playable else SAMPLE), load_puzzles(game, public, PUBLIC_SEED)]
    plays = {key: [_play(spec, game, puzzles) for puzzles in samples] for key, spec in MEASURED.items()}
    means = {
        key: [_mean(made, puzzles) for made, puzzles in zip(both, samples, strict=True)]
        for key, both in plays.items()
        if all(both)
    }
    solved = [[one.outcome is Outcome.SOLVED for one in made] for both in plays.values() for made in both if made]
    shares = [statistics.fmean(one) for one in solved]
    opener = next(made[0].guesses[0] for made, _ in plays.values() if made)
    bits = split_summary(split_rows(Position.start(game).board, opener))["expected_bits"]
    return {
        **{key: f"{means[key][0]:.2f}" if key in means else "(it cannot play this game)" for key in MEASURED},
        "opener": opener,
        "opener_bits": f"{bits:.2f}",
        "share": f"{max(0.05, min(0.9, math.floor(20 * min(shares)) / 20)):.2f}",
        "full": f"{math.ceil(max(min(sample) for sample in zip(*means.values(), strict=True)) * 20) / 20:.2f}",
        "none": f"{math.ceil(max(max(both) for both in means.values()) * 20) / 20 + 0.1:.2f}",
    }


def _mean(plays: list[Play], puzzles: Puzzles) -> float:
    return statistics.fmean([counted(one, puzzles.game.cap) for one in plays], puzzles.weights)


def _play(spec: str, game: Game, puzzles: Puzzles) -> list[Play]:
    """Return the plays of a bundled strategy, or none if it cannot play the game."""
    strategy = load_strategy(spec)
    return play(strategy, game, puzzles) if strategy.problem_with(game) is None else []


def filled(template: str, facts: dict[str, str]) -> str:
    """Return the text of a template with these values."""
    text = resources.files("wordle_kit.classroom").joinpath(f"template/{template}.txt").read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda match: facts[match[1]], text)
