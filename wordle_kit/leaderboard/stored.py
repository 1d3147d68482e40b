"""Stored leaderboards: which ones a store has, with runs that are read one at a time."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from wordle_kit.errors import StoreError, WordleKitError, listed, unknown
from wordle_kit.files import path_of
from wordle_kit.game.game import Game
from wordle_kit.leaderboard.leaderboard import Leaderboard
from wordle_kit.leaderboard.metrics import metrics_of
from wordle_kit.plugins import Plugins, plugins_of
from wordle_kit.strategy.specs import variants
from wordle_kit.tournaments.entrants import entrant_of
from wordle_kit.tournaments.runs import CONFIDENCE, RunFacts, StoredRun
from wordle_kit.tournaments.sources import PuzzlesLike, puzzles_of
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


def read_leaderboard(
    store: Path | str, game: Game | str | Path | None = None, puzzles: PuzzlesLike = None, **which: Any
) -> Leaderboard:
    """Return the latest of the leaderboards that `read_leaderboards` returns for these arguments."""
    return read_leaderboards(store, game, puzzles, **which)[-1]


def read_leaderboards(
    store: Path | str,
    game: Game | str | Path | None = None,
    puzzles: PuzzlesLike = None,
    *,
    seed: int = 0,
    repeats: bool = False,
    hard_mode: bool | None = None,
    boards: int | None = None,
    strategies: str | Iterable[str] = (),
    confidence: float = CONFIDENCE,
    plugins: Plugins | None = None,
) -> list[Leaderboard]:
    """Return the leaderboards in a store that match the arguments, oldest first. Nothing is played.

    There is one leaderboard for each set of puzzles. `game` is the name of a game, a Game, or the path of a game file.
    For a game that is not registered, give a Game or a file: only then can the leaderboard count the words left after
    each guess. `puzzles` (with `seed` and `repeats`, as for `load_puzzles`), `hard_mode` and `boards` say what was
    played. An omitted argument matches everything. `strategies` selects strategies; by default, all are included.
    `confidence` is the confidence level of the intervals.

    Runs are read one at a time as needed, so even a large leaderboard takes little memory. Raises StoreError if no
    leaderboard matches.
    """
    path, known = path_of("store", store), plugins_of(plugins)
    if puzzles is not None and game is None:
        raise WordleKitError("puzzles need the game; name it too", settings=["game"])
    if game is not None and (not isinstance(game, str) or game.endswith(".toml")):
        game = known.find_game(game)
    find_game = cache(known.find_game)
    finished = _finished_runs(path)
    matching: list[tuple[dict[str, int], Game | None]] = []
    for facts, numbers in finished:
        if hard_mode not in (None, facts.hard_mode) or boards not in (None, facts.boards):
            continue
        if isinstance(game, str) and game not in _names_of(facts, boards):
            continue
        registered = _names_of(facts, facts.boards) & known.games.keys()
        played = _as_played(facts, [game] if isinstance(game, Game) else map(find_game, registered))
        if played is None and (isinstance(game, Game) or puzzles is not None):
            continue
        if played is not None and puzzles is not None:
            asked = puzzles_of(played, puzzles, seed, repeats=repeats)
            if asked.fingerprint != facts.puzzles_fingerprint:
                continue
        matching.append((numbers, played))
    labels = {label for numbers, _ in matching for label in numbers}
    wanted = {label for strategy in listed(strategies) for label in _labels(strategy, labels, known)}
    if matching and not wanted <= labels:
        raise WordleKitError(unknown("strategy of this leaderboard", min(wanted - labels), labels))
    found = []
    for numbers, played in matching:
        if wanted <= numbers.keys():
            runs = StoredRuns(path, [number for label, number in numbers.items() if not wanted or label in wanted])
            found.append(Leaderboard(runs, game=played, metrics=metrics_of(known), confidence=confidence))
    if not found:
        names = {name for facts, _ in finished for name in _names_of(facts, boards)}
        if isinstance(game, str) and game not in names:
            raise StoreError(f"{path}: {unknown('game in the store', game, names)}")
        games = ", ".join(sorted(names)) or "none"
        raise StoreError(f"{path}: has no finished tournament that matches; its games are: {games}")
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


def _as_played(facts: RunFacts, games: Iterable[Game]) -> Game | None:
    """Return the one of these games that was played, in its mode and with its number of boards, or None."""
    same = (
        game.replace(boards=facts.boards, max_guesses=facts.max_guesses, hard_mode=facts.hard_mode) for game in games
    )
    return next((game for game in same if game.fingerprint == facts.fingerprint), None)


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
