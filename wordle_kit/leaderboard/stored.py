"""Stored runs: the runs of a leaderboard, read from a store one at a time."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
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
    """Runs of a store, given by their numbers. Each is read when it is needed and not kept."""

    path: Path
    """The store's file, which is open only while runs are read."""
    numbers: Sequence[int]

    def __getitem__(self, place: Any) -> Any:
        return next(self._read([self.numbers[place]]))

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[StoredRun]:
        return self._read(self.numbers)

    def _read(self, numbers: Iterable[int]) -> Iterator[StoredRun]:
        with Store.existing(self.path) as store:
            yield from map(store.read, numbers)


def finished_runs(store: Store) -> list[dict[int, RunFacts]]:
    """Return the finished runs of each set of puzzles, by number, with the latest set last.

    If several versions of a strategy were played, the latest is taken.
    """
    latest: dict[tuple[str, str], dict[str, tuple[int, RunFacts]]] = {}
    for number, facts, played in store.runs():
        if played == facts.n_puzzles:
            puzzles = (facts.fingerprint, facts.puzzles_fingerprint)
            runs = latest.pop(puzzles, {})
            latest[puzzles] = runs | {facts.strategy: (number, facts)}
    return [dict(runs.values()) for runs in latest.values()]


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
    argument that is left out matches everything. `strategies` selects runs; a leaderboard matches only if it has all of
    these strategies.

    The game is None if it is neither registered nor given, or has changed since it was played. Raises StoreError if no
    leaderboard matches, and WordleKitError for a strategy that no leaderboard has.
    """
    with Store.existing(path) as store:
        known = finished_runs(store)
    if not known:
        raise StoreError(f"{path}: has no finished tournament; play one first")
    if puzzles is not None and game is None:
        raise WordleKitError("puzzles need the game; name it too", settings=["game"])
    stored = {facts.strategy for runs in known for facts in runs.values()}
    asked = {label for strategy in strategies for label in _labels(strategy, stored, plugins)}
    find_game = cache(plugins.find_game)
    seen: set[str] = set()  # the strategies of the leaderboards that match, whether or not they have those asked for
    found = []
    for runs in known:
        facts = next(iter(runs.values()))
        if hard_mode not in (None, facts.hard_mode) or boards not in (None, facts.boards):
            continue
        if isinstance(game, str) and game not in names_of(facts, boards):
            continue
        registered = names_of(facts, facts.boards) & plugins.games.keys()
        games = [game] if isinstance(game, Game) else map(find_game, registered)
        played = next((same for one in games if (same := as_played(one, facts)) is not None), None)
        if played is None and (isinstance(game, Game) or puzzles is not None):
            continue
        if puzzles is not None and played is not None and puzzles(played).fingerprint != facts.puzzles_fingerprint:
            continue
        numbers = {one.strategy: number for number, one in runs.items()}
        seen |= numbers.keys()
        if asked <= numbers.keys():
            chosen = [number for label, number in numbers.items() if not asked or label in asked]
            found.append((StoredRuns(path, chosen), played))
    if found:
        return found
    if seen and not asked <= seen:
        raise WordleKitError(unknown("strategy of this leaderboard", min(asked - seen), seen))
    names = {name for runs in known for name in names_of(next(iter(runs.values())), boards)}
    if isinstance(game, str) and game not in names:
        raise StoreError(f"{path}: {unknown('game in the store', game, names)}")
    names = {facts.game for runs in known for facts in runs.values()}
    raise StoreError(f"{path}: has no such tournament; its games are: {', '.join(sorted(names))}")


def _labels(strategy: str, stored: Collection[str], plugins: Plugins) -> list[str]:
    """Return the labels of the stored runs that a name, a label or a spec stands for."""
    if strategy in stored:
        return [strategy]
    try:
        return [entrant_of(spec, plugins).label for spec in variants(strategy)]
    except WordleKitError:  # not registered, so it can only be a label
        return [strategy]


def as_played(game: Game, facts: RunFacts) -> Game | None:
    """Return the game with the boards, guess limit and mode of a run, or None if the run played another game."""
    same = game.replace(boards=facts.boards, max_guesses=facts.max_guesses, hard_mode=facts.hard_mode)
    return same if same.fingerprint == facts.fingerprint else None


def names_of(facts: RunFacts, boards: int | None) -> set[str]:
    """Return the names of a run's game: as it was played and, if the name ends in `-x` and `boards`, also without."""
    return {facts.game, facts.game.removesuffix(f"-x{boards}")}
