"""The public functions: play a tournament, play one strategy, read a leaderboard, load a game, strategy or puzzles."""

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from wordle_kit.arguments import listed, path_of, whole
from wordle_kit.deadline import Deadline
from wordle_kit.defaults import CONFIDENCE, DEADLINE
from wordle_kit.errors import WordleKitError
from wordle_kit.game.game import Game
from wordle_kit.leaderboard.leaderboard import Leaderboard
from wordle_kit.leaderboard.metrics import check_confidence, metrics_of
from wordle_kit.leaderboard.stored import choose_runs
from wordle_kit.names import shown
from wordle_kit.plugins import Isolator, Plugins, plugins_of
from wordle_kit.strategy.partition import SCORES
from wordle_kit.strategy.specs import check_number, variants
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.tournaments.chance import Chance, chance_of_one, check_secret
from wordle_kit.tournaments.entrants import enter
from wordle_kit.tournaments.host import BUNDLED, HIDDEN, Host, host_called
from wordle_kit.tournaments.outcome import Play
from wordle_kit.tournaments.player import PREPARED
from wordle_kit.tournaments.puzzles import Puzzles, choose_puzzles
from wordle_kit.tournaments.referee import Referee
from wordle_kit.tournaments.runner import ProgressCallback, play_tournaments
from wordle_kit.tournaments.store import Store
from wordle_kit.tournaments.tournament import Tournament
from wordle_kit.workers import Machines

GameLike = Game | str | Path | Mapping[str, Any]
"""The types that `load_game` accepts."""

StrategyLike = Strategy | type[Strategy] | str
"""The types that `load_strategy` accepts."""

PuzzlesLike = str | int | Path | Iterable[str | Sequence[str]] | Puzzles | None
"""The types that `load_puzzles` accepts."""


def load_game(game: GameLike, plugins: Plugins | None = None) -> Game:
    """Return a game: by the name of a registered one, the path of a TOML file, or its fields as a mapping.

    A Game is returned unchanged. If a game file names the plugin with its rule, a line on standard error says so before
    it runs. Raises GameError, naming the file, the line and the word that is wrong.
    """
    return game if isinstance(game, Game) and plugins is None else plugins_of(plugins).find_game(game)


def load_strategy(spec: StrategyLike, plugins: Plugins | None = None) -> Strategy:
    """Return the strategy that a text such as `entropy` or `entropy(opener=crate)` names.

    A parameter that is itself a strategy is named in the same way: `lifted(base=entropy(opener=crate))`. A Strategy is
    returned unchanged; a class is returned as an object with its default parameters. Raises StrategyError for an
    unknown name and for parameters that the strategy does not take.
    """
    return plugins_of(plugins).find_strategy(spec)


def sweep(strategy: StrategyLike, /, *, plugins: Plugins | None = None, **parameters: Iterable[Any]) -> list[Strategy]:
    """Return a strategy with each combination of values of its parameters: `sweep("entropy", endgame=range(21))`.

    A text may have values itself, as on the command line: `sweep("entropy(endgame=0..20, pool=guesses|candidates)")`.
    Raises StrategyError for a parameter that the strategy does not have, and for more than 1,000 combinations.
    """
    known = plugins_of(plugins)
    bases = variants(strategy) if isinstance(strategy, str) else [strategy]
    values = {name: listed(each) for name, each in parameters.items()}
    check_number(len(bases) * math.prod(map(len, values.values())), strategy)
    chosen = [dict(zip(values, combination, strict=True)) for combination in itertools.product(*values.values())]
    return [known.configure(known.find_strategy(base), one) for base in bases for one in chosen]


def load_puzzles(
    game: GameLike,
    source: PuzzlesLike = None,
    seed: int = 0,
    *,
    repeats: bool = False,
    is_sample: bool = False,
    host: str | Host = "hidden",
    plugins: Plugins | None = None,
) -> Puzzles:
    """Return puzzles: `all`, a number of them drawn with the seed, those in a file (one per line), or those given.

    On several boards, a puzzle is its words separated by commas or spaces, or a sequence of them, as in `Play.puzzle`.
    Drawn puzzles have different words on their boards, unless `repeats`; if answers have weights, they are drawn in
    proportion to these. Without a source, the puzzles are `all`, or 1,000 drawn ones if there are several boards.
    Puzzles from a file or a list count as all the puzzles of interest. `is_sample` says that they were drawn at random,
    so that their mean is an estimate.

    `host` is the name of a registered host, or a Host. With `host="adversary"` no words are hidden. Each puzzle of a
    file or a list is then the first guess of a game. Without a source, there is one game, in which the strategy chooses
    its first guess.

    Raises PuzzleError, naming the file, the line and the word.
    """
    played, by = load_game(game, plugins), find_host(host, plugins)
    return choose_puzzles(played, source, seed, repeats=repeats, is_sample=is_sample, host=by)


def find_host(host: str | Host, plugins: Plugins | None = None) -> Host:
    """Return a host by its name; hidden words need no plugin. Raises GameError if there is none."""
    if plugins is None and host in BUNDLED:
        return BUNDLED[str(host)]
    registered = {name: entry.value for name, entry in plugins_of(plugins).hosts.items()}
    return host_called(host, {HIDDEN.name: HIDDEN} | registered)


def tournament(
    game: GameLike,
    strategies: StrategyLike | Iterable[StrategyLike] | None = None,
    puzzles: PuzzlesLike = None,
    *,
    seed: int | None = None,
    secret: str | None = None,
    workers: int | None = None,
    executor: Executor | Machines | None = None,
    store: Path | str | None = None,
    deadline: float = DEADLINE,
    fresh: bool = False,
    keep_timeouts: bool = False,
    repeats: bool = False,
    is_sample: bool = False,
    host: str | Host = "hidden",
    confidence: float = CONFIDENCE,
    progress: ProgressCallback | None = None,
    plugins: Plugins | None = None,
    isolation: Isolator | None = None,
) -> Leaderboard:
    """Play every strategy on the same puzzles and return the leaderboard.

    `strategies` is one strategy, or several, as `load_strategy` accepts them; by default, all registered strategies
    play. `puzzles` is `all`, a number of puzzles to draw with the seed, a file, or a list of hidden words. The words of
    several boards are one text or a tuple. The default is `all`, or 1,000 drawn puzzles if there are several boards.
    `repeats`, `is_sample` and `host` are those of `load_puzzles`.

    `workers` is the number of worker processes, by default one per core; `executor` is a `Cluster`, or another
    executor to use instead. `deadline` is the number of seconds for each decision. `progress(done, total)` is called as
    plays finish. With `isolation`, each strategy plays in a process of its own. `confidence` is that of the intervals
    of the leaderboard.

    `store` is a file that keeps the plays. Stored plays are not played again, unless `fresh`; plays that timed out, ran
    out of memory or lost their process are, unless `keep_timeouts`.

    Random numbers come from `secret`, or else from `seed`. If neither is given, they come from a secret that is drawn
    and kept in the store. So do those of isolated strategies, even with a seed. The leaderboard names the secret.

    Raises WordleKitError for a mistake of the caller. A mistake of a strategy is a result.
    """
    if workers is not None:
        whole("workers", workers, 1)
    if executor is not None and not isinstance(executor, Executor | Machines):
        raise WordleKitError(f"executor is {shown(executor)}; give a Cluster, one of concurrent.futures, or workers=N")
    if isolation is not None and not isinstance(isolation, Isolator):
        raise WordleKitError(f"isolation is {shown(isolation)}; give an Isolation, such as Isolation()")
    Deadline(deadline)  # raises an error if it is not a number above 0
    check_secret(secret)
    check_confidence(confidence)
    known = plugins = plugins_of(plugins)
    path = None if store is None else path_of("store", store)
    wanted: list[Any] | None = None if strategies is None else listed(strategies)
    if isolation is not None:
        if isinstance(game, Game):
            known = plugins.for_game(game)  # other processes have to load its rule
        plugins = known.isolated(isolation)
    if not isinstance(game, Game):
        plugins = plugins.for_game(game)
        game = load_game(game, plugins)
    if isolation is not None and wanted is not None:
        wanted = [each if isinstance(each, str) else isolation.isolate_object(each, known) for each in wanted]
    puzzles = choose_puzzles(
        game, puzzles, seed or 0, repeats=repeats, is_sample=is_sample, host=find_host(host, plugins)
    )
    entrants, left_out = enter(wanted, game, plugins)
    planned = Tournament(game, puzzles, tuple(entrants), Chance(seed, secret), deadline, tuple(left_out))
    with Store(path) as results:
        runs = play_tournaments(
            [planned],
            results,
            workers=workers,
            executor=executor,
            fresh=fresh,
            keep_timeouts=keep_timeouts,
            progress=progress,
            run_finished=partial(plugins.announce_event, "run_finished") if plugins.hear("run_finished") else None,
        )
        with results.snapshot():
            stored = list(map(results.read, runs))
        played = [replace(run, facts=replace(run.facts, **planned.facts)) for run in stored]
        not_kept = planned.not_kept if path is not None else ()
    metrics = metrics_of(plugins)
    leaderboard = Leaderboard(
        tuple(played), planned.left_out, not_kept, game, plugins.aliases, metrics, confidence=confidence
    )
    plugins.announce_event("tournament_finished", leaderboard=leaderboard)
    return leaderboard


def play(
    strategy: StrategyLike,
    game: GameLike,
    puzzles: PuzzlesLike = None,
    *,
    seed: int | None = None,
    secret: str | None = None,
    deadline: float = DEADLINE,
    plugins: Plugins | None = None,
) -> list[Play]:
    """Play puzzles with one strategy in this process, and return the play of each: guesses, feedback and outcome.

    `strategy`, `game` and `puzzles` are given as for `tournament`. A random strategy repeats its guesses under the same
    `seed`, or under the same `secret`, which leaderboards name.
    """
    game, strategy = load_game(game, plugins), load_strategy(strategy, plugins)
    for kept in (SCORES, PREPARED):
        kept.clear()  # a notebook may have edited the code that computes scores, or that prepares
    key = chance_of_one(strategy, seed, secret).key
    return Referee(game, strategy, key, deadline).play(choose_puzzles(game, puzzles, seed or 0))


def read_leaderboard(
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
) -> Leaderboard:
    """Return the leaderboard in the file of a store that was played last, of those that fit. Nothing is played.

    `game` is the name of a game, a Game, or the file of a game. If the game is not registered, the words left can only
    be counted with a Game or a file. `puzzles` (with `seed` and `repeats`, as for `load_puzzles`), `hard_mode` and
    `boards` say what was played; what is not given may be anything. `strategies` selects some, by default all.
    `confidence` is that of intervals.

    Runs are read one at a time when they are needed, so that a large leaderboard does not fill the memory. Raises
    StoreError if the store has no such leaderboard.
    """
    with stored_leaderboards(**locals()) as found:
        return next(found)


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
    """Return all leaderboards in the file of a store that fit, the latest last. Nothing is played.

    Everything is as for `read_leaderboard`. There is one leaderboard for each set of puzzles. Without further
    arguments, these are all leaderboards of the store.
    """
    with stored_leaderboards(**locals()) as found:
        return [*found][::-1]


@contextmanager
def stored_leaderboards(
    store: Path | str,
    game: Game | str | Path | None,
    puzzles: PuzzlesLike,
    seed: int,
    repeats: bool,
    strategies: str | Iterable[str],
    confidence: float,
    plugins: Plugins | None,
    is_kept: bool = True,
    **choice: Any,
) -> Iterator[Iterator[Leaderboard]]:
    """Yield the leaderboards that `read_leaderboards` returns, the latest first. There is one for each set of puzzles.

    Their runs are read when they are needed. With `is_kept`, that may be after the block, from the file, which is open
    only meanwhile. Otherwise, all are read from the store as it was at the beginning of the block.
    """
    path, known = path_of("store", store), plugins_of(plugins)
    if game is not None and not (isinstance(game, str) and not game.endswith(".toml")):
        game = load_game(game, known)
    wanted = None if puzzles is None else partial(choose_puzzles, source=puzzles, seed=seed, repeats=repeats)
    choice |= {"game": game, "puzzles": wanted, "strategies": listed(strategies)}
    make = partial(Leaderboard, aliases=known.aliases, metrics=metrics_of(known), confidence=confidence)
    with Store.existing(path, known.aliases) as results, results.snapshot():
        yield (
            make(replace(runs, store=path, aliases=known.aliases) if is_kept else runs, game=played)
            for runs, played in choose_runs(results, known, **choice)
        )
