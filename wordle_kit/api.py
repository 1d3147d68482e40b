"""The public functions: play a tournament, play one strategy, read a leaderboard, load a game, strategy or puzzles."""

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from typing import Any

from wordle_kit.arguments import listed, path_of, whole
from wordle_kit.deadline import Deadline
from wordle_kit.errors import StoreError, WordleKitError
from wordle_kit.game.game import Game
from wordle_kit.leaderboard.leaderboard import Leaderboard
from wordle_kit.leaderboard.stored import RunsInFile, as_played, choose_runs, names_of
from wordle_kit.names import shown
from wordle_kit.plugins import Isolator, Plugins, plugins_of
from wordle_kit.strategy.partition import SCORES
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.tournaments.chance import chance_of_one, check_secret
from wordle_kit.tournaments.entrants import Entrant, enter
from wordle_kit.tournaments.host import HostName
from wordle_kit.tournaments.outcome import Play
from wordle_kit.tournaments.puzzle_sources import choose_puzzles
from wordle_kit.tournaments.puzzles import Puzzles
from wordle_kit.tournaments.referee import DEFAULT_DEADLINE, Referee
from wordle_kit.tournaments.runner import Progress, run_all
from wordle_kit.tournaments.store import Store

GameLike = Game | str | Path | Mapping[str, Any]
"""What `load_game` takes."""

StrategyLike = Strategy | type[Strategy] | str
"""What `load_strategy` takes."""

PuzzlesLike = str | int | Path | Iterable[str | Sequence[str]] | Puzzles | None
"""What `load_puzzles` takes."""


def load_game(game: GameLike, plugins: Plugins | None = None) -> Game:
    """Return a game: by the name of a registered one, the path of a TOML file, or its fields as a mapping.

    A Game is returned unchanged. Raises GameError, naming the file, the line and the word that is wrong.
    """
    return plugins_of(plugins).find_game(game)


def load_strategy(spec: StrategyLike, plugins: Plugins | None = None) -> Strategy:
    """Return the strategy that a text such as `entropy` or `entropy(opener=crate)` names.

    A parameter that is itself a strategy is named in the same way: `lifted(base=entropy(opener=crate))`. A Strategy is
    returned unchanged; a class is returned as an object with its default parameters. Raises StrategyError for an
    unknown name and for parameters that the strategy does not take.
    """
    return plugins_of(plugins).find_strategy(spec)


def load_puzzles(
    game: GameLike,
    source: PuzzlesLike = None,
    seed: int = 0,
    *,
    repeats: bool = False,
    is_sample: bool = False,
    host: HostName = "hidden",
    plugins: Plugins | None = None,
) -> Puzzles:
    """Return puzzles: `all`, a number of them drawn with the seed, those in a file (one per line), or those given.

    On several boards, a puzzle is its words separated by commas or spaces, or a sequence of them, as in `Play.puzzle`.
    Drawn puzzles have different words on their boards, unless `repeats`. Without a source, the puzzles are `all`, or
    1,000 drawn ones if there are several boards. Puzzles from a file or a list count as all the puzzles of interest;
    `is_sample` says that they were drawn at random, so that their mean is an estimate. With `host="adversary"` no words
    are hidden: each puzzle is the first guess of a game against the adversary, from a file or a list; without a source,
    there is one game, in which the strategy chooses its first guess. Raises PuzzleError, naming the file, the line and
    the word.
    """
    return choose_puzzles(load_game(game, plugins), source, seed, repeats=repeats, is_sample=is_sample, host=host)


def tournament(
    game: GameLike,
    strategies: StrategyLike | Iterable[StrategyLike] | None = None,
    puzzles: PuzzlesLike = None,
    *,
    seed: int | None = None,
    secret: str | None = None,
    workers: int | None = None,
    executor: Executor | None = None,
    store: Path | str | None = None,
    deadline: float = DEFAULT_DEADLINE,
    fresh: bool = False,
    keep_timeouts: bool = False,
    is_sample: bool = False,
    progress: Progress | None = None,
    plugins: Plugins | None = None,
    isolation: Isolator | None = None,
) -> Leaderboard:
    """Play every strategy on the same puzzles and return the leaderboard.

    `strategies` are what `load_strategy` takes, one or several; without any, all registered ones play. `puzzles` is
    `all`, a number to draw by the seed, a file, or hidden words, those of several boards in one text or a tuple; unless
    given, all, or 1,000 drawn on several boards. `is_sample` says that those from a file or a list were drawn by
    chance, so that means over them are estimates. `workers` are processes, one a core unless given; `executor` is any
    other executor to use instead. With `store`, a file, plays are kept there and what it has is not played again,
    unless `fresh`; what timed out, ran out of memory or lost its process is, unless `keep_timeouts`. `deadline` is in
    seconds a decision. `progress(done, total)` is called as plays are done. With `isolation`, each registered
    strategy plays in a process of its own. Random numbers come from `secret`, which a leaderboard names, or else from
    `seed`, but never those of isolated strategies; or else from a secret that is drawn and kept in the store. Raises a
    WordleKitError for what the caller can put right; what a strategy does wrong is a result.
    """
    if workers is not None:
        whole("workers", workers, 1)
    if executor is not None and not isinstance(executor, Executor):
        raise WordleKitError(f"executor is {shown(executor)}; give one of concurrent.futures, or workers=N")
    if isolation is not None and not isinstance(isolation, Isolator):
        raise WordleKitError(f"isolation is {shown(isolation)}; give an Isolation, such as Isolation()")
    Deadline(deadline)  # refuses what is not one
    check_secret(secret)
    plugins = plugins_of(plugins)
    path = None if store is None else path_of("store", store)
    game = load_game(game, plugins)
    wanted: list[Any] | None = None if strategies is None else listed(strategies)
    if isolation is not None:
        known = plugins
        plugins = known.isolated(isolation)
        if wanted is not None:
            wanted = [each if isinstance(each, str) else isolation.isolate_object(each, known) for each in wanted]
    puzzles = choose_puzzles(game, puzzles, seed or 0, is_sample=is_sample)
    entrants, left_out = enter(wanted, game, plugins)
    with Store(path) as results:
        runs = run_all(
            game,
            entrants,
            puzzles,
            results,
            seed=seed,
            secret=secret,
            deadline=deadline,
            workers=workers,
            executor=executor,
            fresh=fresh,
            keep_timeouts=keep_timeouts,
            progress=progress,
            plugins=plugins,
        )
        played = []
        with results.snapshot():
            stored = list(map(results.read, runs))
        for run in stored:  # perhaps played before, under another name or a seed that did not matter
            kind: dict[str, Any] = {"puzzles": puzzles.label, "is_sample": puzzles.is_sample, "is_all": puzzles.is_all}
            facts = replace(run.facts, game=game.name, seed=seed or 0, **kind)
            played.append(replace(run, facts=facts))
        not_kept = _not_kept(entrants) if path is not None else ()
        return Leaderboard(tuple(played), tuple(left_out), not_kept, game, plugins.aliases)


def _not_kept(entrants: Iterable[Entrant]) -> tuple[str, ...]:
    return tuple(
        f"{entrant.label} is played anew each time: its code uses {entrant.unknown}, and nothing can tell whether "
        "that changed. Put the strategy in a file, or what it uses into parameters."
        for entrant in entrants
        if entrant.unknown is not None
    )


def play(
    strategy: StrategyLike,
    game: GameLike,
    puzzles: PuzzlesLike = None,
    *,
    seed: int | None = None,
    secret: str | None = None,
    deadline: float = DEFAULT_DEADLINE,
) -> list[Play]:
    """Return the play of each puzzle by a strategy, in this process: guesses, feedback and outcome of each.

    Strategy and game may be given as `load_strategy` and `load_game` take them. `puzzles` is `all`, a number to draw by
    the seed, a file, or the hidden words themselves, those of several boards in one text or a tuple; unless given, all,
    or 1,000 on several boards. A random strategy repeats its guesses under the same `seed` or the same `secret`, which
    a leaderboard names.
    """
    game, strategy = load_game(game), load_strategy(strategy)
    SCORES.clear()  # a notebook may have edited what scores are made of
    key = chance_of_one(strategy, seed, secret).key
    return Referee(game, strategy, key, deadline).play(choose_puzzles(game, puzzles, seed or 0))


def read_leaderboard(
    store: Path | str,
    game: Game | str | Path | None = None,
    *,
    strategies: str | Iterable[str] = (),
    plugins: Plugins | None = None,
) -> Leaderboard:
    """Return the leaderboard that was played last, or last of a game, from the file of a store. Nothing is played.

    `game` is the name of a game as it was played, a game, or its file, which is needed to count the words left if the
    game is not registered. `strategies` are those of the leaderboard that are wanted, if not all.

    Runs are read one at a time whenever they are needed, so that a large leaderboard does not fill the memory.
    Raises StoreError if the store has no such leaderboard.
    """
    path = path_of("store", store)
    if not path.is_file():
        raise StoreError(f"{path}: there is no store yet; play a tournament first")
    plugins = plugins_of(plugins)
    if game is not None and not (isinstance(game, str) and not game.endswith(".toml")):
        game = load_game(game, plugins)
    name = game.name if isinstance(game, Game) else game
    with Store(path, plugins.aliases) as results, results.snapshot():
        runs = choose_runs(results, lambda facts: name in (None, facts.game), listed(strategies))
    facts = next(iter(runs.values()))
    known = [game] if isinstance(game, Game) else [load_game(n, plugins) for n in names_of(facts) if n in plugins.games]
    same = [found for one in known if (found := as_played(one, facts)) is not None]
    stored = RunsInFile(path, list(runs), plugins.aliases)
    return Leaderboard(stored, game=same[0] if same else None, aliases=plugins.aliases)
