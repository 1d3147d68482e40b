"""Stored runs: the runs of a leaderboard, read from a store one at a time, and the command that repeats them."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import overload

from wordle_kit.errors import StoreError, WordleKitError, unknown
from wordle_kit.game.files import WEIGHTED
from wordle_kit.game.game import Game
from wordle_kit.plugins import Plugins
from wordle_kit.strategy.specs import current_label, variants
from wordle_kit.texts import shell_word
from wordle_kit.tournaments.entrants import entrant_of
from wordle_kit.tournaments.puzzles import Puzzles
from wordle_kit.tournaments.runs import RunFacts, StoredRun
from wordle_kit.tournaments.store import Store

BOARDS = re.compile(r"(.+)-x(\d+)")
"""The name of a game with `-x` and a number of boards added."""


@dataclass(frozen=True)
class StoredRuns(Sequence[StoredRun]):
    """Runs of a store, given by their numbers. Each is read when it is needed and not kept."""

    store: Store | Path
    """The store, or the path of its file. A file is opened only while runs are read."""
    numbers: Sequence[int]
    names: Sequence[str] | None = None
    """Names for the strategies. By default, they have the labels under which they played."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """The current names of strategies by their old ones. They are used when a file is opened."""

    @overload
    def __getitem__(self, place: int) -> StoredRun: ...

    @overload
    def __getitem__(self, place: slice) -> "StoredRuns": ...

    def __getitem__(self, place: int | slice) -> "StoredRun | StoredRuns":
        if isinstance(place, slice):
            return replace(self, numbers=self.numbers[place], names=self.names and self.names[place])
        return next(self._read([place]))

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[StoredRun]:
        return self._read(range(len(self)))

    def _read(self, places: Iterable[int]) -> Iterator[StoredRun]:
        by = self.store
        with nullcontext(by) if isinstance(by, Store) else Store.existing(by, self.aliases) as store:
            for place in places:
                run = store.read(self.numbers[place])
                yield run if self.names is None else run.with_facts(strategy=self.names[place])


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
    store: Store,
    plugins: Plugins,
    game: Game | str | None = None,
    puzzles: Callable[[Game], Puzzles] | None = None,
    hard_mode: bool | None = None,
    boards: int | None = None,
    strategies: Sequence[str] = (),
    load_games: bool = True,
) -> Iterator[tuple[StoredRuns, Game | None]]:
    """Yield the runs of each matching leaderboard and its game, the latest leaderboard first.

    `puzzles` is a function that makes the puzzles of a game. `hard_mode` and `boards` say how the game was played. An
    argument that is left out matches everything. `strategies` selects runs; a leaderboard matches only if it has all of
    these strategies.

    The game is None if it is neither registered nor given, or has changed since it was played. Without `load_games`, it
    is also None if it is not needed to find the leaderboards, which saves time. Raises StoreError if no leaderboard
    matches, and WordleKitError for a strategy that no leaderboard has.
    """
    known = finished_runs(store)
    if not known:
        raise StoreError(f"{store.path}: has no finished tournament; play one first")
    if puzzles is not None and game is None:
        raise WordleKitError("puzzles need the game; name it too", settings=["game"])
    names = {name for runs in known for facts in runs.values() for name in names_of(facts, boards)}
    if isinstance(game, str) and game not in names:
        raise StoreError(f"{store.path}: {unknown('game in the store', game, names)}")
    stored = {facts.strategy for runs in known for facts in runs.values()}
    asked = [label for strategy in strategies for label in _labels(strategy, stored, store, plugins)]
    registered = cache(plugins.find_game)
    missing: str | None = None
    fits = False
    for runs in reversed(known):
        facts = next(iter(runs.values()))
        if hard_mode not in (None, facts.hard_mode) or boards not in (None, facts.boards):
            continue
        if isinstance(game, str) and game not in names_of(facts, boards):
            continue
        played = as_played(game, facts) if isinstance(game, Game) else None
        if not isinstance(game, Game) and (load_games or puzzles is not None):
            of_name = (registered(name) for name in names_of(facts, facts.boards) if name in plugins.games)
            played = next((same for one in of_name if (same := as_played(one, facts)) is not None), None)
        if isinstance(game, Game) and played is None:
            continue
        if puzzles is not None and (played is None or puzzles(played).fingerprint != facts.puzzles_fingerprint):
            continue
        labels = {one.strategy for one in runs.values()}
        lacking = [strategy for strategy in asked if strategy not in labels]
        if lacking:
            missing = missing or unknown("strategy of this leaderboard", lacking[0], labels)
            continue
        fits = True
        chosen = [number for number, one in runs.items() if not asked or one.strategy in asked]
        yield StoredRuns(store, chosen), played
    if not fits and missing is not None:
        raise WordleKitError(missing)
    if not fits:
        games = ", ".join(sorted({facts.game for runs in known for facts in runs.values()}))
        raise StoreError(f"{store.path}: has no such tournament; its games are: {games}; without options, the latest")


def _labels(strategy: str, stored: set[str], store: Store, plugins: Plugins) -> list[str]:
    """Return the labels of the stored runs that a name, a label or a spec stands for."""
    label = current_label(strategy, store.aliases)
    if label in stored:
        return [label]
    try:
        return [entrant_of(spec, plugins).label for spec in variants(strategy)]
    except WordleKitError:  # not registered, so it can only be a label
        return [label]


def as_played(game: Game, facts: RunFacts) -> Game | None:
    """Return the game with the boards, guess limit and mode of a run, or None if the run played another game."""
    same = game.replace(boards=facts.boards, max_guesses=facts.max_guesses, hard_mode=facts.hard_mode)
    return same if same.fingerprint == facts.fingerprint else None


def names_of(facts: RunFacts, boards: int | None) -> list[str]:
    """Return the names of a run's game: as it was played and, if that ends in the number `boards`, also without it."""
    several = BOARDS.fullmatch(facts.game)
    return [facts.game, *([several[1]] if several and boards == facts.boards else [])]


def command_of(
    facts: RunFacts,
    strategies: Sequence[str],
    seed: int | None = None,
    game: str | None = None,
    secret: str | None = None,
) -> str:
    """Return the command line that plays these strategies again, with a seed or a secret for the random ones.

    `game` is the name or the file of the game, by default the name under which it was played. FILE stands for a file of
    puzzles or weights whose path is not known.
    """
    several = BOARDS.fullmatch(facts.game)
    on_boards = several if several is not None and int(several[2]) == facts.boards else None
    drawn = facts.drawn_with is not None
    name, weighted, _ = (on_boards[1] if on_boards else facts.game).partition(WEIGHTED)
    return command_line(
        "tournament",
        game=game or name,
        weights="FILE" if weighted else None,
        boards=on_boards[2] if on_boards else None,
        hard=facts.hard_mode,
        puzzles=facts.n_puzzles if drawn else None if facts.is_all else "FILE",
        sample=facts.is_sample and not facts.is_all and not drawn,
        seed=facts.drawn_with if drawn else seed,
        secret=secret,
        repeats=facts.repeats,
        s=strategies,
    )


def command_line(command: str, *operands: str, **options: object) -> str:
    """Return a command line of wordle-kit with these operands and options, in this order.

    An option of one letter gets one hyphen, a longer one two. True stands for an option without a value. None or False
    leaves the option out. A list repeats the option for each value.
    """
    words = ["wordle-kit", command, *operands]
    for name, value in options.items():
        option = f"-{name}" if len(name) == 1 else f"--{name}"
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            for each in value if isinstance(value, list | tuple) else [value]:
                words += [option, str(each)]
    return " ".join(map(shell_word, words))
