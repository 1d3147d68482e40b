"""Runs for a page from a store: which of them, read one at a time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import overload

from wordle_kit.errors import StoreError, WordleKitError
from wordle_kit.game.game import Game
from wordle_kit.leaderboard.leaderboard import finished_runs
from wordle_kit.names import unknown
from wordle_kit.report.again import BOARDS
from wordle_kit.tournaments.store import RunFacts, Store, StoredRun


@dataclass(frozen=True)
class StoredRuns(Sequence[StoredRun]):
    """Runs of a store by their numbers. Each is read when it is asked for and not kept."""

    store: Store
    numbers: Sequence[int]
    names: Sequence[str] | None = None
    """What the strategies are called, if not by the labels under which they played."""

    @overload
    def __getitem__(self, place: int) -> StoredRun: ...

    @overload
    def __getitem__(self, place: slice) -> "StoredRuns": ...

    def __getitem__(self, place: int | slice) -> "StoredRun | StoredRuns":
        if isinstance(place, slice):
            names = None if self.names is None else self.names[place]
            return StoredRuns(self.store, self.numbers[place], names)
        run = self.store.read(self.numbers[place])
        return run if self.names is None else replace(run, facts=replace(run.facts, strategy=self.names[place]))

    def __len__(self) -> int:
        return len(self.numbers)


def choose_runs(
    store: Store, wanted: Callable[[RunFacts], bool], strategies: Sequence[str] = ()
) -> dict[int, RunFacts]:
    """Return the runs of the leaderboard that was played last of those that are wanted, or those of some strategies.

    Raises StoreError if there is none, and WordleKitError for a strategy that it does not have.
    """
    boards = finished_runs(store)
    if not boards:
        raise StoreError(f"{store.path}: has no finished tournament; play one first")
    runs = next((runs for runs in reversed(boards) if wanted(next(iter(runs.values())))), None)
    if runs is None:
        games = ", ".join(sorted({facts.game for runs in boards for facts in runs.values()}))
        raise StoreError(f"{store.path}: has no such tournament; its games are: {games}; without options, the latest")
    labels = {facts.strategy for facts in runs.values()}
    for strategy in strategies:
        if strategy not in labels:
            raise WordleKitError(unknown("strategy of this leaderboard", strategy, labels))
    return {number: facts for number, facts in runs.items() if not strategies or facts.strategy in strategies}


def as_played(game: Game, facts: RunFacts) -> Game | None:
    """Return a game with the boards, the guesses allowed and the mode of a run; None if the run played another game."""
    same = game.replace(boards=facts.boards, max_guesses=facts.max_guesses, hard_mode=facts.hard_mode)
    return same if same.fingerprint == facts.fingerprint else None


def names_of(facts: RunFacts) -> list[str]:
    """Return the names under which the game of a run may be registered: as played, and without its boards."""
    several = BOARDS.fullmatch(facts.game)
    return [facts.game, *([several[1]] if several else [])]
