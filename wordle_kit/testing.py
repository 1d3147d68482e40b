"""Checks that every strategy must pass, for authors: as findings, or as a class of pytest tests to inherit."""

import pickle
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any, ClassVar

from wordle_kit.api import load_game, load_puzzles
from wordle_kit.deadline import Budget
from wordle_kit.game.game import Game
from wordle_kit.names import shown
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.texts import number_of, raised
from wordle_kit.tournaments.outcome import Failure, Outcome
from wordle_kit.tournaments.puzzles import Puzzles
from wordle_kit.tournaments.referee import DEFAULT_DEADLINE, Referee


def _small(name: str, alphabet: str, length: int, answers: Any = "all", **more: Any) -> Mapping[str, Any]:
    """Return the fields of a game. Texts with spaces are lists of symbols or words."""
    fields = {"name": name, "alphabet": alphabet, "length": length, "answers": answers, **more}
    return {key: value.split() if isinstance(value, str) and " " in value else value for key, value in fields.items()}


SMALL_GAMES = (
    _small("one-word", "abc", 3, ["abc"]),
    _small("two-words", "ab", 2, "ab ba"),
    _small("one-symbol", "abcdef", 1),
    _small("more-guesses", "abcd", 3, "aab abb bcd dcb", guesses="all"),
    _small("repeats", "ab", 4),
    _small("long-symbols", "a sch tz ö", 3, "aschö schtza öatz aaa tzatz", guesses="schschsch ötza"),
    _small("separated", "1 10 100", 2, separator="-"),
    _small("pegs", "123", 3, rule="mastermind"),
    _small("cases", "aAbB", 2, rule="case-aware"),
    _small("hard", "abc", 3, hard_mode=True),
    _small("weights", "abcd", 3, "abc bcd dab cab dda", guesses=["bdd"], weights={"abc": 5, "bcd": 0.25, "dda": 0}),
    _small("digraphs", "a c cs s z zs", 3, "csas caz zsacs sac saz cszsa", guesses=["zsas"]),
    _small("two-boards", "abc", 2, boards=2),
    _small("three-boards", "abc", 3, "aab abc bca cab ccb bbb", guesses="all", weights={"cab": 4, "bbb": 0}, boards=3),
)
"""Tiny and unusual games that every strategy must play without faults."""

SAMPLE = 40
"""The number of `wordle` puzzles that a check plays in addition."""

NO_GUESS = -1

ASKED_AGAIN = "when asked again"
"""In the message of a finding: the strategy gave another guess in the same position."""

REPLAYED = 200
"""The most positions of a game that are asked a second time."""


@dataclass(frozen=True)
class Finding:
    """The result of one check."""

    check: str
    passed: bool
    message: str


def check_strategy(
    strategy: Strategy, *, deadline: float = DEFAULT_DEADLINE, games: Sequence[Game] = ()
) -> list[Finding]:
    """Return the findings of all checks of a strategy, each failure with the position that shows it.

    `deadline` is in seconds per decision. The checks play small and unusual games and a sample of Wordle, or `games`.
    """
    return list(each_finding(strategy, deadline=deadline, games=games))


def each_finding(
    strategy: Strategy,
    *,
    deadline: float = DEFAULT_DEADLINE,
    games: Sequence[Game] = (),
    seed: int = 0,
    budget: Budget | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> Iterator[Finding]:
    """Yield the finding of each check as soon as it is known; after a decision that missed the deadline, nothing more.

    `seed` draws the puzzles and determines random numbers. `budget` is the time for all checks together. `progress` is
    called with the check, the number of puzzles that it has played, and their total.
    """
    for name in CHECKS:
        report = partial(progress, name) if progress else None
        trial = Trial(strategy, deadline, games, budget or Budget(), report, seed)
        finding = trial.finding(name)
        if trial.plays_nothing and not trial.budget.refused:
            finding = Finding(name, False, "it says that it can play none of the games")
        if trial.budget.refused:
            yield Finding(name, False, f"not finished: {trial.budget.reason}")
            return
        if trial.missed and name != list(CHECKS)[-1]:
            yield replace(finding, passed=False, message=f"{finding.message}; nothing more was checked")
            return
        yield finding


@dataclass
class Trial:
    """The check of a strategy: its time, its games, and whether a decision missed the deadline."""

    strategy: Strategy
    deadline: float = DEFAULT_DEADLINE
    games: Sequence[Game] = ()
    """The games to play; if empty, the usual ones."""
    budget: Budget = field(default_factory=Budget)
    progress: Callable[[int, int], None] | None = None
    seed: int = 0
    """The seed of the puzzles and of random numbers."""
    missed: bool = False
    """Whether a decision took longer than the deadline."""
    plays_nothing: bool = False
    """Whether the strategy said that it can play none of the games, and so could not fail."""

    def finding(self, check: str) -> Finding:
        """Return the finding of a check."""
        return Finding(check, *CHECKS[check](self))

    def samples(self) -> Iterator[tuple[Game, Iterator[Puzzles]]]:
        """Yield each game that the strategy can play, with its puzzles one at a time, and report the progress."""
        with self.budget:  # the strategy's own code decides
            playable = [game for game in self.games or _all_games() if self.strategy.problem_with(game) is None]
        self.plays_nothing = not playable
        drawn = {game: load_puzzles(game, min(SAMPLE, len(game.answers)), self.seed) for game in playable}
        total, done = sum(map(len, drawn.values())), 0
        for game, puzzles in drawn.items():
            yield game, self._one_by_one(replace(puzzles, is_public=True), done, total)
            done += len(puzzles)

    def _one_by_one(self, puzzles: Puzzles, done: int, total: int) -> Iterator[Puzzles]:
        for number, ids in enumerate(puzzles.ids):
            if self.progress is not None:
                self.progress(done + number, total)
            yield replace(puzzles, ids=(ids,))

    def referee(self, game: Game) -> Referee:
        """Return a referee for one of the games."""
        return Referee(game, self.strategy, f"seed {self.seed}", self.deadline, budget=self.budget)

    def late_in(self, game: Game) -> str:
        """Return the message of a check that ended because a decision missed the deadline."""
        return f"a decision took more than {self.deadline:g} s in {game.name}"


Verdict = tuple[bool, str]
"""Whether a strategy passed a check, and the message of the finding."""


class StrategyContract:
    """Inherit from this in a test module and set `strategy`: pytest then runs every check as a test."""

    strategy: ClassVar[Strategy]
    deadline: ClassVar[float] = DEFAULT_DEADLINE

    def test_it_pickles(self) -> None:
        """A pickled copy equals the strategy."""
        self._check("pickling")

    def test_it_is_always_legal(self) -> None:
        """It never makes an illegal guess, raises an exception or takes too long."""
        self._check("legality")

    def test_it_gives_the_same_guess_again(self) -> None:
        """It gives the same guess in the same position, in any order."""
        self._check("determinism")

    def test_it_keeps_no_state(self) -> None:
        """Playing does not change it."""
        self._check("no state")

    def test_it_is_in_time(self) -> None:
        """Every decision takes less than half the deadline, to leave room for slower machines."""
        self._check("time")

    def _check(self, name: str) -> None:
        finding = Trial(self.strategy, self.deadline).finding(name)
        assert finding.passed, finding.message  # noqa: S101 - a test


def check_pickling(trial: Trial) -> Verdict:
    """Check that a pickled copy equals the strategy, which worker processes need."""
    try:
        same = pickle.loads(pickle.dumps(trial.strategy)) == trial.strategy  # noqa: S301 - its own bytes
    except Exception as error:
        return False, f"no copy can be made: {raised(error)}"
    return same, "a copy equals the strategy" if same else "a copy differs from the strategy"


def check_legality(trial: Trial) -> Verdict:
    """Check that every play of the games ends without a fault."""
    games = played = 0
    for game, puzzles in trial.samples():
        games += 1
        referee = trial.referee(game)
        for puzzle in puzzles:
            (play,) = referee.play(puzzle)
            played += 1
            if play.outcome not in (Outcome.SOLVED, Outcome.OUT_OF_GUESSES) or play.turns is None:
                trial.missed = play.outcome is Outcome.TIMED_OUT
                position = Position.start(game)
                for guess, seen in zip(play.guesses, play.feedback, strict=True):
                    position = position.after(guess, seen)
                return False, f"{play.outcome}: {play.message}; {position!r}; {_how_to_repeat(game, play.puzzle)}"
    tried = f"{number_of(played, 'play')} of {number_of(games, 'game')}"
    return True, f"{tried}, all solved, without a fault"


def check_determinism(trial: Trial) -> Verdict:
    """Check that the strategy makes the same guesses when it is asked again in another order."""
    asked = 0
    for game, puzzles in trial.samples():
        positions = [(position, guess) for position, guess, _ in _positions(trial, game, puzzles) if guess != NO_GUESS]
        random.Random(0).shuffle(positions)
        for position, guess in positions[:REPLAYED]:
            asked += 1
            second = trial.referee(game).decide(position)
            if second != guess:
                trial.missed |= isinstance(second, Failure) and second.outcome is Outcome.TIMED_OUT
                then = game.guesses[second] if isinstance(second, int) else second.message
                hint = "if it is random on purpose, set `stochastic = True` and use position.rng; it "
                said = f"guessed {game.guesses[guess]!r}, but {then!r} {ASKED_AGAIN}; {position!r}"
                return False, said if trial.strategy.stochastic else f"{hint}{said}"
        if trial.missed:
            return False, trial.late_in(game)
    if not asked:
        return False, "it gave no guess that could be compared"
    return True, f"the same guess in {number_of(asked, 'position')}, asked again in another order"


def check_state(trial: Trial) -> Verdict:
    """Check that playing does not change the strategy or its class."""
    before = _state(trial.strategy)
    changed: set[str] = set()
    for game, puzzles in trial.samples():
        referee = trial.referee(game)
        outcomes = (referee.play(puzzle)[0].outcome for puzzle in puzzles)
        fault = next((one for one in outcomes if one not in (Outcome.SOLVED, Outcome.OUT_OF_GUESSES)), None)
        changed |= {key for key, value in _state(trial.strategy).items() if before.get(key) != value}
        trial.missed = fault is Outcome.TIMED_OUT
        if trial.missed:
            break
    if changed:
        return False, f"playing changed {', '.join(sorted(changed))}; everything it needs is in the position"
    if trial.missed:
        return False, trial.late_in(game)
    return True, "playing does not change it"


def check_time(trial: Trial) -> Verdict:
    """Check that the slowest decision takes less than half the deadline."""
    slowest, where = 0.0, "no decision"
    for game, puzzles in trial.samples():
        for position, _, seconds in _positions(trial, game, puzzles):
            if seconds > slowest:
                slowest, where = seconds, repr(position)
        if trial.missed:
            break
    message = f"the slowest decision took {1000 * slowest:.1f} ms, {where}"
    return slowest < trial.deadline / 2, f"{message}; the deadline is {trial.deadline:g} s"


CHECKS: dict[str, Callable[[Trial], Verdict]] = {
    "pickling": check_pickling,
    "legality": check_legality,
    "determinism": check_determinism,
    "no state": check_state,
    "time": check_time,
}


@cache
def _all_games() -> tuple[Game, ...]:
    return (*(load_game(fields) for fields in SMALL_GAMES), load_game("wordle"))


def _positions(trial: Trial, game: Game, puzzles: Iterable[Puzzles]) -> Iterator[tuple[Position, int, float]]:
    """Yield each position that plays of these puzzles reach once, with the guess's index and the seconds it took.

    The first position without a guess is the last one yielded: it may have taken a whole deadline.
    """
    known: dict[str, int] = {}
    for puzzle in puzzles:
        (answer,) = puzzle.ids
        position = Position.start(game, seed=f"{trial.seed}")
        while position.open_boards and position.turn <= game.cap:
            key = repr(position)
            if key not in known:
                referee = trial.referee(game)
                guess = referee.decide(position)
                if isinstance(guess, Failure):
                    trial.missed |= guess.outcome is Outcome.TIMED_OUT
                    yield position, NO_GUESS, referee.seconds
                    return
                known[key] = guess
                yield position, guess, referee.seconds
            guessed = game.guesses[known[key]]
            position = position.after(guessed, [game.feedback(guessed, game.answers[one]) for one in answer])


def _state(strategy: Strategy) -> dict[str, str]:
    """Return everything that could hold state: the object's attributes, and those of its class except functions."""
    kind = type(strategy)
    state = {f"self.{key}": shown(value, None) for key, value in vars(strategy).items()}
    for key, value in vars(kind).items():
        if not key.startswith(("_", "model_")) and not callable(value):
            state[f"{kind.__name__}.{key}"] = shown(value, None)
    private = getattr(strategy, "__pydantic_private__", None) or {}
    return state | {f"self.{key}": shown(value, None) for key, value in private.items()}


def _how_to_repeat(game: Game, puzzle: tuple[str, ...]) -> str:
    if game not in _all_games():
        return f"hidden: {', '.join(puzzle)}"
    hidden = puzzle if len(puzzle) > 1 else puzzle[0]
    fields = next((dict(fields) for fields in SMALL_GAMES if fields["name"] == game.name), None)
    named = repr(game.name) if fields is None else f"wordle_kit.load_game({fields!r})"
    return f"to see it again: wordle_kit.play(strategy, {named}, [{hidden!r}])"
