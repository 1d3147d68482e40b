"""The public functions: they play tournaments, and load games, strategies and puzzles."""

from collections.abc import Iterable, Mapping
from concurrent.futures import Executor
from functools import partial
from pathlib import Path
from typing import Any

from wordle_kit.errors import WordleKitError, listed, positive, whole
from wordle_kit.files import path_of
from wordle_kit.game.game import Game
from wordle_kit.leaderboard.leaderboard import Leaderboard
from wordle_kit.leaderboard.metrics import metrics_of
from wordle_kit.leaderboard.significance import check_confidence
from wordle_kit.plugins import Plugins, plugins_of
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.texts import short_repr
from wordle_kit.tournaments.deadline import DEADLINE
from wordle_kit.tournaments.entrants import enter, enter_one
from wordle_kit.tournaments.host import HIDDEN, Host
from wordle_kit.tournaments.puzzles import Puzzles
from wordle_kit.tournaments.referee import Referee
from wordle_kit.tournaments.runner import ProgressCallback, play_tournament
from wordle_kit.tournaments.runs import CONFIDENCE, Play
from wordle_kit.tournaments.sources import PuzzlesLike, puzzles_of
from wordle_kit.tournaments.store import Store
from wordle_kit.tournaments.tournament import Tournament, check_secret, random_key, secret_of

GameLike = Game | str | Path | Mapping[str, Any]
"""The types that `load_game` accepts."""

StrategyLike = Strategy | type[Strategy] | str
"""The types that `load_strategy` accepts."""


def load_game(game: GameLike, plugins: Plugins | None = None) -> Game:
    """Return a game, given as the name of a registered game, the path of a TOML file, or a mapping of its fields.

    A Game is returned unchanged. If a game file names a plugin that defines its rule, a line on standard error says so
    before the plugin runs. Raises GameError, which names the file, the line and the wrong word.
    """
    return game if isinstance(game, Game) and plugins is None else plugins_of(plugins).find_game(game)


def load_strategy(spec: StrategyLike, plugins: Plugins | None = None) -> Strategy:
    """Return the strategy that a spec such as `entropy` or `entropy(opener=crate)` names.

    A parameter that is itself a strategy is written as a spec too: `rollout(base=entropy(opener=crate))`. A Strategy is
    returned unchanged; a class is instantiated with its default parameters. Raises StrategyError for an unknown name or
    parameter.
    """
    return plugins_of(plugins).find_strategy(spec)


def load_puzzles(
    game: GameLike,
    source: PuzzlesLike = None,
    seed: int = 0,
    *,
    repeats: bool = False,
    is_sample: bool = False,
    host: str | Host = HIDDEN,
    plugins: Plugins | None = None,
) -> Puzzles:
    """Return puzzles: all puzzles of a game, a random sample of them, or those in a file or a list.

    `source` is `all`, a number of puzzles to draw with `seed`, the path of a file with one puzzle per line, or a list
    of puzzles. The default is `all`, or 1,000 drawn puzzles if the game has several boards. On several boards, a puzzle
    is a text with commas or spaces between its words, or a sequence of words as in `Play.puzzle`.

    If the answers have weights, likely answers are drawn more often. The boards of a drawn puzzle have different words
    unless `repeats` is set.

    The mean over the puzzles of a file or a list is exact. If they are a random sample of more puzzles, set
    `is_sample`: the mean is then an estimate with a confidence interval.

    `host` is a Host or the name of a registered host. With `host="adversary"`, no words are hidden: each puzzle in a
    file or a list is the first guess of a game. Without a source, one game is played, and the strategy chooses its
    first guess.

    Raises PuzzleError, which names the file, the line and the word.
    """
    played, by = load_game(game, plugins), host if isinstance(host, Host) else plugins_of(plugins).find_host(host)
    return puzzles_of(played, source, seed, repeats=repeats, is_sample=is_sample, host=by)


def tournament(
    game: GameLike,
    strategies: StrategyLike | Iterable[StrategyLike] | None = None,
    puzzles: PuzzlesLike = None,
    *,
    seed: int = 0,
    secret: str | None = None,
    workers: int | None = None,
    executor: Executor | None = None,
    store: Path | str | None = None,
    deadline: float = DEADLINE,
    fresh: bool = False,
    repeats: bool = False,
    is_sample: bool = False,
    host: str | Host = HIDDEN,
    confidence: float = CONFIDENCE,
    progress: ProgressCallback | None = None,
    plugins: Plugins | None = None,
) -> Leaderboard:
    """Play every strategy on the same puzzles and return the leaderboard.

    `strategies` is one strategy or several, in any form that `load_strategy` accepts. A spec may also stand for several
    strategies, such as `entropy(endgame=0..20, pool=guesses|candidates)` or `liu-*`. By default, all registered
    strategies play. `puzzles` is `all`, a number of puzzles to draw with `seed`, a file, or a list of hidden words. For
    several boards, write the words of a puzzle as one text or as a tuple. The default is `all`, or 1,000 drawn puzzles
    if there are several boards. `repeats`, `is_sample` and `host` have the same meaning as in `load_puzzles`.

    `workers` is the number of worker processes, by default one per core. `executor`, such as a `Cluster`, is used
    instead of worker processes. `deadline` is the number of seconds for each decision. `progress(done, total)` is
    called whenever plays finish. `confidence` is the confidence level of the intervals in the leaderboard.

    `store` is the file in which plays are kept. Stored plays are reused, except those that timed out, ran out of memory
    or lost their process. `fresh` plays everything again.

    Random strategies get their random numbers from `secret` or else from `seed`. A Program could find a seed by brute
    force, so it gets a secret that is drawn and kept in the store. The leaderboard shows the secret.

    Raises WordleKitError for a mistake of the caller. A strategy's faults are recorded as results.
    """
    if workers is not None:
        whole("workers", workers, 1)
    if executor is not None and not isinstance(executor, Executor):
        raise WordleKitError(
            f"executor is {short_repr(executor)}; give a Cluster, one of concurrent.futures, or workers=N"
        )
    positive("deadline", deadline)
    check_secret(secret)
    check_confidence(confidence)
    plugins = plugins_of(plugins)
    path = None if store is None else path_of("store", store)
    wanted: list[Any] | None = None if strategies is None else listed(strategies)
    if not isinstance(game, Game):
        plugins = plugins.for_game(game)
        game = load_game(game, plugins)
    puzzles = load_puzzles(game, puzzles, seed, repeats=repeats, is_sample=is_sample, host=host, plugins=plugins)
    entrants, left_out = enter(wanted, game, plugins)
    planned = Tournament(game, puzzles, tuple(entrants), seed, secret, deadline)
    finished = partial(plugins.announce_event, "run_finished")
    with Store(path) as results:
        runs = play_tournament(
            planned,
            results,
            workers=workers,
            executor=executor,
            fresh=fresh,
            progress=progress,
            run_finished=finished,
        )
        with results.snapshot():
            stored = list(map(results.read, runs))
        played = [run.with_facts(**planned.facts) for run in stored]
        not_kept = planned.not_kept if path is not None else ()
    metrics = metrics_of(plugins)
    leaderboard = Leaderboard(tuple(played), tuple(left_out), not_kept, game, metrics, confidence)
    plugins.announce_event("tournament_finished", leaderboard=leaderboard)
    return leaderboard


def play(
    strategy: StrategyLike,
    game: GameLike,
    puzzles: PuzzlesLike = None,
    *,
    seed: int = 0,
    secret: str | None = None,
    deadline: float = DEADLINE,
    plugins: Plugins | None = None,
) -> list[Play]:
    """Play puzzles with one strategy in this process, and return a Play with guesses, feedback and outcome for each.

    `strategy`, `game` and `puzzles` are given as for `tournament`. With the same `seed` or `secret`, a random strategy
    makes the same guesses. Leaderboards show the secret that was used. Raises StrategyError if the strategy cannot play
    the game.
    """
    game, plugins = load_game(game, plugins), plugins_of(plugins)
    played = enter_one(load_strategy(strategy, plugins), game, plugins).strategy
    key = random_key(seed, secret_of(played, secret))
    return Referee(game, played, key, deadline).play(load_puzzles(game, puzzles, seed)).plays
