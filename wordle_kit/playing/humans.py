"""Results that people downloaded from a page of puzzles: read, checked and replayed as runs of a leaderboard."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from wordle_kit.arguments import problem_in
from wordle_kit.errors import PuzzleError, WordleKitError
from wordle_kit.game.game import MAX_BOARDS, Game
from wordle_kit.leaderboard.stored import as_played
from wordle_kit.strategy.position import Position
from wordle_kit.texts import label, shown
from wordle_kit.tournaments.host import HIDDEN
from wordle_kit.tournaments.puzzles import Puzzles, choose_puzzles
from wordle_kit.tournaments.runs import Outcome, Play, RunFacts, StoredRun
from wordle_kit.tournaments.store import Store
from wordle_kit.tournaments.tournament import versions

HUMAN = "human"
"""The text shown in place of a person's plugin, and after a person's name."""

MAX_BYTES = 2_000_000
"""The most bytes of a results file. The page never writes files of this size."""

HEX = r"^[0-9a-f]{16}$"

GameOf = Callable[[RunFacts], Game | None]
"""A function that finds the game of a run, or returns None."""


class HumanPlay(BaseModel):
    """A puzzle as a person played it: the hidden words, the guesses, and whether the person gave up."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    puzzle: list[str]
    guesses: list[str]
    gave_up: bool


class Results(BaseModel):
    """The contents of a results file. Counts and feedback are not in it; they are computed from the guesses."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    format: Literal["wordle-kit results 1"]
    name: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]
    game: str
    fingerprint: Annotated[str, Field(pattern=HEX)]
    boards: Annotated[int, Field(ge=1, le=MAX_BOARDS)]
    max_guesses: Annotated[int, Field(ge=1, le=10_000)]
    hard_mode: bool
    puzzles: Annotated[str, Field(pattern=HEX)]
    is_sample: bool
    plays: Annotated[list[HumanPlay], Field(min_length=1, max_length=1000)]


@dataclass(frozen=True)
class Humans:
    """People's runs, and the game and the puzzles that they all played."""

    game: Game
    puzzles: Puzzles
    runs: tuple[StoredRun, ...]


def read_humans(paths: Iterable[Path], game_of: GameOf, wanted: Callable[[Game], Puzzles | None]) -> Humans:
    """Return the runs in results files and in folders of such files. All files must have the same puzzles.

    `game_of` finds the game of a run. `wanted` returns the puzzles that the files must have, or None for those of the
    first file. Every guess is played again, so guesses that the game does not allow are noticed. Raises WordleKitError,
    which names the file and what is wrong with it.
    """
    paths = list(paths)
    files = [file for path in paths for file in (sorted(path.glob("*.json")) if path.is_dir() else [path])]
    if not files:
        folders = ", ".join(map(str, paths))
        raise WordleKitError(f"{folders}: no file there ends in .json, as results from the page of a puzzle do")
    read = [(path, _read(path)) for path in files]
    game = _game(*read[0], game_of)
    given = wanted(game)
    puzzles = given or _puzzles(*read[0], game)
    whose = "the given puzzles" if given else str(files[0])
    runs: dict[str, tuple[Path, StoredRun]] = {}
    for path, results in read:
        same = _puzzles(path, results, game) if results.fingerprint == game.fingerprint else None
        if same is None or same.ids != puzzles.ids:
            raise PuzzleError(f"{path}: has other puzzles than {whose}; rank each series by itself")
        name = label(f"{results.name} ({HUMAN})")
        if name in runs:
            raise WordleKitError(
                f"{path}: has the name {shown(results.name)}, as {runs[name][0]} does; give each person one file and "
                "a different name"
            )
        plays = tuple(
            _replayed(game, puzzles.words(number), play, f"{path}: puzzle {number + 1}")
            for number, play in enumerate(results.plays)
        )
        facts = _on(puzzles, replace(_facts(results), strategy=name))
        runs[name] = path, StoredRun(0, facts, plays, calls=0, seconds=0.0)
    return Humans(game, puzzles, tuple(run for _, run in runs.values()))


def pseudonymous(runs: Iterable[StoredRun]) -> tuple[StoredRun, ...]:
    """Return people's runs under the names `Player 1 (human)`, `Player 2 (human)` and so on.

    They are numbered by the guesses they took, independently of their names.
    """
    ordered = sorted(runs, key=lambda run: (sum(run.taken), [play.guesses for play in run.plays]))
    return tuple(run.with_facts(strategy=f"Player {place} ({HUMAN})") for place, run in enumerate(ordered, start=1))


def strategies_beside(humans: Humans, store: Store) -> list[StoredRun]:
    """Return the results of a store's strategies on the puzzles that people played.

    A strategy is included if it played all of these puzzles in one tournament, which may have had more puzzles. Its
    latest such run is taken. Runs against another host are left out, since their feedback was not that of the hidden
    words.
    """
    latest: dict[str, StoredRun] = {}
    wanted = [humans.puzzles.words(puzzle) for puzzle in range(len(humans.puzzles))]
    for number, facts, played in store.runs():
        is_same = facts.fingerprint == humans.game.fingerprint and facts.host == HIDDEN.name
        if is_same and played == facts.n_puzzles >= len(wanted):
            run = store.read(number)
            plays = {play.puzzle: play for play in run.plays}
            if all(puzzle in plays for puzzle in wanted):
                chosen = tuple(plays[puzzle] for puzzle in wanted)
                latest[facts.strategy] = replace(run, facts=_on(humans.puzzles, facts), plays=chosen)
    return list(latest.values())


def _read(path: Path) -> Results:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise WordleKitError(f"{path}: is larger than {MAX_BYTES / 1e6:g} MB, so it is not a file of results")
        found = json.loads(path.read_text(encoding="utf-8-sig"))
        if not isinstance(found, dict):
            raise ValueError("not a JSON object")
        return Results.model_validate(found)
    except OSError as error:
        raise WordleKitError(f"{path}: cannot be read: {error.strerror or error}") from error
    except ValidationError as error:
        raise WordleKitError(f"{path}: {problem_in(error, Results.model_fields)}") from error
    except (ValueError, RecursionError) as error:
        raise WordleKitError(f"{path}: is not a file of results from the page of a puzzle") from error


def _facts(results: Results) -> RunFacts:
    return RunFacts(
        game=results.game,
        fingerprint=results.fingerprint,
        boards=results.boards,
        max_guesses=results.max_guesses,
        cap=0,
        hard_mode=results.hard_mode,
        puzzles="",
        puzzles_fingerprint=results.puzzles,
        n_puzzles=len(results.plays),
        is_sample=results.is_sample,
        seed=0,
        strategy=results.name,
        version="",
        plugin=HUMAN,
        stochastic=False,
        parameters={},
        versions=versions(),
        is_human=True,
    )


def _on(puzzles: Puzzles, facts: RunFacts) -> RunFacts:
    """Return the facts of a run, restricted to these puzzles."""
    return replace(facts, game=puzzles.game.name, cap=puzzles.game.cap, **vars(puzzles.facts))


def _game(path: Path, results: Results, game_of: GameOf) -> Game:
    facts = _facts(results)
    found = game_of(facts)
    if found is None:
        raise WordleKitError(
            f"{path}: is of the game {shown(results.game)}; name the file of that game", settings=["game"]
        )
    same = as_played(found, facts)
    if same is None:
        raise WordleKitError(f"{path}: was not played in {found.name}, or its words or rule have changed since")
    return same


def _puzzles(path: Path, results: Results, game: Game) -> Puzzles:
    """Return the puzzles of a file. Raises PuzzleError if the game has no such puzzles."""
    try:
        puzzles = choose_puzzles(game, [play.puzzle for play in results.plays], is_sample=results.is_sample)
    except PuzzleError as error:
        raise PuzzleError(f"{path}: {error}") from error
    if puzzles.fingerprint != results.puzzles:
        raise PuzzleError(f"{path}: its hidden words are not those of the page; download the results again")
    return puzzles


def _replayed(game: Game, puzzle: tuple[str, ...], play: HumanPlay, where: str) -> Play:
    """Return a play with feedback computed by the rule.

    Raises WordleKitError for guesses that the game does not allow.
    """
    if len(play.guesses) > game.cap:
        raise WordleKitError(f"{where}: has {len(play.guesses)} guesses; a play ends after {game.cap}")
    position, seen = Position.start(game), []
    for number, guess in enumerate(play.guesses, start=1):
        if not position.open_boards:
            raise WordleKitError(f"{where}: guess {number} follows the guess that solved the puzzle")
        problem = position.allows(guess)
        if problem is not None:
            raise WordleKitError(f"{where}: guess {number}: {problem}")
        before, position = position, position.after(guess, [game.feedback(guess, word) for word in puzzle])
        pairs = zip(before.boards, position.boards, strict=True)
        seen.append(tuple("" if old.is_solved else str(new.feedback[-1]) for old, new in pairs))
    turns = None if position.open_boards else len(play.guesses)
    if turns is None and not play.gave_up and len(play.guesses) < game.cap:
        raise WordleKitError(f"{where}: is not finished; solve it or give up, and download the results again")
    if turns is not None and play.gave_up:
        raise WordleKitError(f"{where}: is marked as given up although it was solved")
    solved = turns is not None and turns <= game.max_guesses
    outcome = Outcome.SOLVED if solved else Outcome.OUT_OF_GUESSES
    return Play(puzzle, tuple(play.guesses), tuple(seen), outcome, turns)
