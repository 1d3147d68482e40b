"""Stored runs: the runs of a leaderboard, read from a store one at a time."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from wordle_kit.errors import StoreError, WordleKitError, unknown
from wordle_kit.game.game import Game
from wordle_kit.plugins import Plugins
from wordle_kit.strategy.specs import variants
from wordle_kit.tournaments.entrants import entrant_of
from wordle_kit.tournaments.puzzles import Puzzles
from wordle_kit.tournaments.runs import RunFacts, StoredRun
from wordle_kit.tournaments.store import Store


@dataclass(frozen=True)
class StoredRuns(Sequence[StoredRun]):
    """Runs of a store, given by their numbers. Each is read when needed and not kept."""

    path: Path
    """The store's file, which is open only while runs are read."""
    numbers: Sequence[int]

    def __getitem__(self, place: Any) -> Any:
        with Store.existing(self.path) as store:
            return store.read(self.numbers[place])

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[StoredRun]:
        with Store.existing(self.path) as store:
            yield from map(store.read, self.numbers)


def choose_runs(
    path: Path,
    plugins: Plugins,
    game: Game | str | None = None,
    puzzles: Callable[[Game], Puzzles] | None = None,
    hard_mode: bool | None = None,
    boards: int | None = None,
    strategies: Sequence[str] = (),
) -> list[tuple[StoredRuns, Game | None]]:
    """Return the runs of each matching leaderboard of a store and its game, the latest leaderboard last.

    `puzzles` is a function that makes the puzzles of a game. `hard_mode` and `boards` say how the game was played. An
    omitted argument matches everything. `strategies` selects runs; a leaderboard matches only if it has all of them.

    The game is None if it is neither registered nor given, or has changed since it was played. Raises StoreError if no
    leaderboard matches, and WordleKitError for a strategy that no leaderboard has.
    """
    if puzzles is not None and game is None:
        raise WordleKitError("puzzles need the game; name it too", settings=["game"])
    find_game = cache(plugins.find_game)

    def as_played(facts: RunFacts) -> Game | None:
        names = _names_of(facts, facts.boards) & plugins.games.keys()
        for candidate in [game] if isinstance(game, Game) else map(find_game, names):
            same = candidate.replace(boards=facts.boards, max_guesses=facts.max_guesses, hard_mode=facts.hard_mode)
            if same.fingerprint == facts.fingerprint:
                return same
        return None

    known = _finished_runs(path)
    matching: list[tuple[dict[str, int], Game | None]] = []
    for facts, numbers in known:
        if hard_mode not in (None, facts.hard_mode) or boards not in (None, facts.boards):
            continue
        if isinstance(game, str) and game not in _names_of(facts, boards):
            continue
        played = as_played(facts)
        if played is None and isinstance(game, Game):
            continue
        if puzzles is None or (played is not None and puzzles(played).fingerprint == facts.puzzles_fingerprint):
            matching.append((numbers, played))
    stored = {label for numbers, _ in matching for label in numbers}
    asked = {label for strategy in strategies for label in _labels(strategy, stored, plugins)}
    if matching and not asked <= stored:
        raise WordleKitError(unknown("strategy of this leaderboard", min(asked - stored), stored))
    found = [
        (StoredRuns(path, [number for label, number in numbers.items() if not asked or label in asked]), played)
        for numbers, played in matching
        if asked <= numbers.keys()
    ]
    if not found:
        names = {name for facts, _ in known for name in _names_of(facts, boards)}
        if isinstance(game, str) and game not in names:
            raise StoreError(f"{path}: {unknown('game in the store', game, names)}")
        named = f" of {game!r}" if isinstance(game, str) else ""
        games_there = ", ".join(sorted({facts.game for facts, _ in known})) or "none"
        raise StoreError(f"{path}: has no finished tournament{named} that matches; its games are: {games_there}")
    return found


def _finished_runs(path: Path) -> list[tuple[RunFacts, dict[str, int]]]:
    """Return what was played in each leaderboard of a store, and the numbers of its runs by strategy, the latest last.

    If several versions of a strategy were played, the latest is taken.
    """
    found: dict[tuple[str, str], tuple[RunFacts, dict[str, int]]] = {}
    with Store.existing(path) as store:
        for number, facts, played in store.runs():
            if played == facts.n_puzzles:
                puzzles = (facts.fingerprint, facts.puzzles_fingerprint)
                _, numbers = found.pop(puzzles, (facts, {}))
                found[puzzles] = (facts, numbers | {facts.strategy: number})
    return list(found.values())


def _labels(strategy: str, stored: Collection[str], plugins: Plugins) -> list[str]:
    """Return the labels of the stored runs that match a name, a label or a spec."""
    if strategy in stored:
        return [strategy]
    try:
        return [entrant_of(spec, plugins).label for spec in variants(strategy)]
    except WordleKitError:  # not registered, so it can only be a label
        return [strategy]


def _names_of(facts: RunFacts, boards: int | None) -> set[str]:
    """Return the names of a run's game: as played and, if it ends in `-x` and `boards`, also without that."""
    return {facts.game, facts.game.removesuffix(f"-x{boards}")}
