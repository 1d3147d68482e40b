"""Checks that every strategy and every rule must pass.

Authors get them as findings, or as pytest classes to inherit.
"""

import pickle
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from wordle_kit.api import GameLike, StrategyLike, load_game, load_puzzles, load_strategy
from wordle_kit.defaults import DEADLINE
from wordle_kit.errors import GameError, WordleKitError
from wordle_kit.game.game import Game
from wordle_kit.game.rules import Rule, blaming
from wordle_kit.identity import ENGINE, value_text
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.texts import number_of, raised, shown
from wordle_kit.tournaments.puzzles import Puzzles
from wordle_kit.tournaments.referee import Failure, Referee
from wordle_kit.tournaments.runs import Outcome


def _small(name: str, alphabet: str, length: int, answers: Any = "all", **more: Any) -> Mapping[str, Any]:
    """Return the fields of a game. A text with spaces becomes a list of symbols or words."""
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
"""The number of `wordle` puzzles that a check plays in addition to the small games."""

NO_GUESS = -1

ASKED_AGAIN = "when asked again"
"""In the message of a finding: the strategy gave another guess in the same position."""

NOTHING_TO_COMPARE = "it gave no guess that could be compared"
"""The message of a finding: there was no guess to ask for again."""

REPLAYED = 200
"""The most positions of a game in which a strategy is asked a second time."""

GAMES_OF_RULES: tuple[Mapping[str, Any], ...] = (
    {"name": "three-letters", "alphabet": "abc", "length": 3, "answers": "all"},
    {"name": "one-letter", "alphabet": "abcde", "length": 1, "answers": "all"},
    {"name": "digits", "alphabet": "0123", "length": 4, "answers": "all"},
    {"name": "long-letters", "alphabet": ["a", "sch", "tz", "ö"], "length": 2, "answers": "all"},
)
"""Games with which rules are checked, in addition to the games that the rule's plugin registers."""

TRIED = 60
"""The number of words that are tried as earlier guesses in hard mode."""


@dataclass(frozen=True)
class Finding:
    """The result of one check: its name, whether it was passed, and a sentence that says what was seen."""

    check: str
    passed: bool
    message: str


def check_strategy(
    strategy: StrategyLike, *, deadline: float = DEADLINE, games: Sequence[GameLike] = ()
) -> list[Finding]:
    """Return the findings of all checks of a strategy. A failure names the position in which it occurred.

    `strategy` and `games` are given as for `load_strategy` and `load_game`. `deadline` is the number of seconds per
    decision. The checks play `games`. By default, they play small and unusual games and a sample of Wordle.
    """
    return list(each_finding(load_strategy(strategy), deadline=deadline, games=[load_game(game) for game in games]))


def each_finding(
    strategy: Strategy,
    *,
    deadline: float = DEADLINE,
    games: Sequence[Game] = (),
    seed: int = 0,
    progress: Callable[[str, int, int], None] | None = None,
) -> Iterator[Finding]:
    """Yield the finding of each check as soon as it is known, until a decision has missed the deadline.

    `seed` is for drawing puzzles and for random numbers. `progress` is
    called with the name of the check, the number of puzzles that it has played, and their total.
    """
    before = _state(strategy)
    for name in CHECKS:
        report = partial(progress, name) if progress else None
        trial = Trial(strategy, deadline, games, report, seed, before)
        finding = trial.finding(name)
        if trial.plays_nothing:
            finding = Finding(name, False, "it says that it can play none of the games")
        if trial.missed and name != list(CHECKS)[-1]:
            yield replace(finding, passed=False, message=f"{finding.message}; nothing more was checked")
            return
        yield finding


@dataclass
class Trial:
    """The check of a strategy: its time, its games, and whether a decision has missed the deadline."""

    strategy: Strategy
    deadline: float = DEADLINE
    games: Sequence[Game] = ()
    """The games to play. If empty, the default games are played."""
    progress: Callable[[int, int], None] | None = None
    seed: int = 0
    """The seed for puzzles and random numbers."""
    before: Mapping[str, str | None] = field(default_factory=dict)
    """Everything that could hold state, as it was before the strategy prepared. If empty, the current state is taken.
    """
    missed: bool = False
    """Whether a decision took longer than the deadline."""
    plays_nothing: bool = False
    """Whether the strategy says that it can play none of the games, so that it cannot fail either."""

    def finding(self, check: str) -> Finding:
        """Return the finding of a check."""
        return Finding(check, *CHECKS[check](self))

    def samples(self) -> Iterator[tuple[Game, Iterator[Puzzles]]]:
        """Yield each game that the strategy can play, with its puzzles one at a time, and report the progress."""
        playable = [game for game in self.games or _all_games() if self.strategy.problem_with(game) is None]
        self.plays_nothing = not playable
        drawn = {game: load_puzzles(game, min(SAMPLE, len(game.answers)), self.seed) for game in playable}
        total, done = sum(map(len, drawn.values())), 0
        for game, puzzles in drawn.items():
            yield game, self._one_by_one(puzzles, done, total)
            done += len(puzzles)

    def _one_by_one(self, puzzles: Puzzles, done: int, total: int) -> Iterator[Puzzles]:
        for number, ids in enumerate(puzzles.ids):
            if self.progress is not None:
                self.progress(done + number, total)
            yield replace(puzzles, ids=(ids,))

    def referee(self, game: Game) -> Referee:
        """Return a referee for one of the games."""
        return Referee(game, self.strategy, f"seed {self.seed}", self.deadline)

    def late_in(self, game: Game) -> str:
        """Return the message of a check that was stopped because a decision missed the deadline."""
        return f"a decision took more than {self.deadline:g} s in {game.name}"


UNCHANGED = "playing does not change it"

Verdict = tuple[bool, str]
"""Whether a check was passed, and the message of its finding."""


class StrategyContract:
    """A base class for tests. Inherit from it in a test module and set `strategy`: pytest then runs every check."""

    strategy: ClassVar[StrategyLike]
    """The strategy, or its spec."""
    games: ClassVar[Sequence[GameLike]] = ()
    """The games to play, or their names. By default, these are small and unusual games and a sample of Wordle."""
    deadline: ClassVar[float] = DEADLINE
    """The number of seconds for each decision."""

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
        games = [load_game(game) for game in self.games]
        finding = Trial(load_strategy(self.strategy), self.deadline, games).finding(name)
        assert finding.passed, finding.message  # noqa: S101 - a test


def check_pickling(each: Strategy | Rule, what: str) -> Verdict:
    """Check that a pickled copy equals the strategy or the rule, which worker processes need."""
    try:
        same = pickle.loads(pickle.dumps(each)) == each  # noqa: S301 - its own bytes
    except Exception as error:
        return False, f"no copy can be made: {raised(error)}"
    return same, f"a copy {'equals' if same else 'differs from'} the {what}"


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
        return False, NOTHING_TO_COMPARE
    return True, f"the same guess in {number_of(asked, 'position')}, asked again in another order"


def check_state(trial: Trial) -> Verdict:
    """Check that neither preparing nor playing changes the strategy, its class or its modules.

    What changes in a program cannot be seen. It counts only if it changes a guess.
    """
    if trial.strategy.is_program:
        return True, UNCHANGED
    before = trial.before or _state(trial.strategy)
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
    return True, UNCHANGED


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
    "pickling": lambda trial: check_pickling(trial.strategy, "strategy"),
    "legality": check_legality,
    "determinism": check_determinism,
    "no state": check_state,
    "time": check_time,
}


@cache
def _all_games() -> tuple[Game, ...]:
    return (*(load_game(fields) for fields in SMALL_GAMES), load_game("wordle"))


def _positions(trial: Trial, game: Game, puzzles: Iterable[Puzzles]) -> Iterator[tuple[Position, int, float]]:
    """Yield each position that plays of these puzzles reach, once, with the guess's index and the seconds it took.

    It stops after the first position without a guess, since asking there may have taken a whole deadline.
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


def _state(strategy: Strategy) -> dict[str, str | None]:
    """Return everything that could hold state: attributes of the object and of its class, and globals of its modules.

    Functions are left out, since `functools.cache` stores results in them.
    """
    kind = type(strategy)
    state: dict[str, str | None] = {f"self.{key}": shown(value, None) for key, value in vars(strategy).items()}
    for key, value in vars(kind).items():
        if not key.startswith(("_", "model_")) and not callable(value):
            state[f"{kind.__name__}.{key}"] = shown(value, None)
    private = getattr(strategy, "__pydantic_private__", None) or {}
    state |= {f"self.{key}": shown(value, None) for key, value in private.items()}
    for name in {base.__module__ for base in kind.__mro__ if issubclass(base, Strategy)}:
        module = sys.modules.get(name)
        if module is None or f"{name}.".startswith(ENGINE):
            continue
        for key, value in vars(module).items():
            if not (key.startswith("__") or callable(value) or isinstance(value, ModuleType)):
                file = getattr(module, "__file__", None)  # a notebook has no file
                where = Path(file).name if file else name
                state[f"{key} of {where}"] = value_text(value) or shown(value, None)
    return state


def _how_to_repeat(game: Game, puzzle: tuple[str, ...]) -> str:
    if game not in _all_games():
        return f"hidden: {', '.join(puzzle)}"
    hidden = puzzle if len(puzzle) > 1 else puzzle[0]
    fields = next((dict(fields) for fields in SMALL_GAMES if fields["name"] == game.name), None)
    named = repr(game.name) if fields is None else f"wordle_kit.load_game({fields!r})"
    return f"to see it again: wordle_kit.play(strategy, {named}, [{hidden!r}])"


# Rules


def check_rule(rule: Rule, *, games: Sequence[GameLike] = ()) -> list[Finding]:
    """Return the findings of all checks of a rule. A failure names the pair of words for which it occurred.

    The checks use the words of `games`, which must have this rule. By default, they use small games.
    """
    findings = []
    for name, check in RULE_CHECKS.items():
        try:
            played = [load_game(game) for game in games] or [
                load_game(fields).replace(rule=rule) for fields in GAMES_OF_RULES
            ]
            findings.append(Finding(name, *check(rule, played)))
        except WordleKitError as error:  # such as RuleError if a promise is broken
            findings.append(Finding(name, False, str(error)))
    return findings


class RuleContract:
    """A base class for tests. Inherit from it in a test module and set `rule`: pytest then runs every check."""

    rule: ClassVar[Rule]
    games: ClassVar[Sequence[GameLike]] = ()
    """Games with this rule, or their names. The checks use their words. By default, small games are used."""

    def test_it_pickles(self) -> None:
        """A pickled copy equals the rule."""
        self._check("pickling")

    def test_its_codes_are_right(self) -> None:
        """Its methods agree, codes are in the range, and a word wins if and only if it is the hidden one."""
        self._check("codes")

    def test_it_reads_what_it_shows(self) -> None:
        """`read` understands what `show` and `tiles` return."""
        self._check("reading")

    def test_hard_mode_allows_the_hidden_word(self) -> None:
        """Hard mode never forbids the hidden word, and its two methods agree."""
        self._check("hard mode")

    def _check(self, name: str) -> None:
        finding = next(each for each in check_rule(self.rule, games=self.games) if each.check == name)
        assert finding.passed, finding.message  # noqa: S101 - a test


def check_codes(rule: Rule, games: list[Game]) -> Verdict:
    """Check that `code`, `codes_row` and `codes` agree, and that a word wins if and only if it is the hidden one."""
    pairs = 0
    for game in games:
        game.table.prepare()  # checks the range of codes, wins, and a sample of pairs
        alphabet, guesses = game.alphabet, game.guesses[:TRIED]
        for answer in game.answers[:TRIED]:
            hidden = alphabet.split(answer)
            with blaming(rule, "codes_row"):
                row = rule.codes_row(alphabet.encode([hidden])[0], game.guess_symbols[: len(guesses)], alphabet)
            for guess, by_row in zip(guesses, row.tolist(), strict=True):
                pairs += 1
                with blaming(rule, "code"):
                    by_pair = rule.code(alphabet.split(guess), hidden)
                    second = rule.code(alphabet.split(guess), hidden)
                if not by_pair == by_row == second:
                    pair = f"the guess {guess!r} against the answer {answer!r}"
                    return False, f"{pair} gets {by_pair} and then {second} by code, and {by_row} by codes_row"
    return True, f"the methods agree on {number_of(pairs, 'pair')} of words, and only the hidden word wins"


def check_reading(rule: Rule, games: list[Game]) -> Verdict:
    """Check that `read` returns the code of what `show` and `tiles` return."""
    tried = 0
    for game in games:
        answers = np.arange(len(game.answers), dtype=np.int32)
        columns = [game.table.column(guess, answers) for guess in range(min(TRIED, len(game.guesses)))]
        for code in np.unique(columns).tolist():
            for method in (rule.show, rule.tiles):
                with blaming(rule, method.__name__):
                    text = method(code, game.length)
                tried += 1
                said = f"{method.__name__}({code}, {game.length}) is {shown(text)}"
                try:
                    read = rule.read(text, game.length)
                except GameError as error:
                    return False, f"{said}, and read refuses it: {error}"
                if read != code:
                    return False, f"{said}, which read takes for {read}"
    return True, f"read understands {number_of(tried, 'text')} of show and tiles"


def check_hard_mode(rule: Rule, games: list[Game]) -> Verdict:
    """Check that hard mode allows the hidden word, and that `hard_mode_problem` and `hard_mode_mask` agree."""
    asked = 0
    for game in games:
        split = game.alphabet.split
        for number, earlier in enumerate(game.guesses[:TRIED]):
            answer = game.answers[(7 * number + 1) % len(game.answers)]
            code = game.feedback(earlier, answer).code
            where = f"after {earlier!r} got the code {code}"
            with blaming(rule, "hard_mode_mask"):
                allowed = rule.hard_mode_mask(game.guess_symbols, split(earlier), code, game.alphabet)
            with blaming(rule, "hard_mode_problem"):
                forbidden = rule.hard_mode_problem(split(answer), split(earlier), code)
                problems = [
                    rule.hard_mode_problem(split(guess), split(earlier), code) for guess in game.guesses[:TRIED]
                ]
            if forbidden is not None:
                return False, f"{answer!r} {where}: hard mode forbids the hidden word: {forbidden}"
            for guess, by_mask, problem in zip(game.guesses, allowed.tolist(), problems, strict=False):
                asked += 1
                if by_mask != (problem is None):
                    said = "allows" if problem is None else "forbids"
                    return False, f"{guess!r} {where}: hard_mode_problem {said} it, and hard_mode_mask does not agree"
    return True, f"the same for {number_of(asked, 'guess', 'guesses')}, and the hidden word is always allowed"


RULE_CHECKS: dict[str, Callable[[Rule, list[Game]], Verdict]] = {
    "pickling": lambda rule, _: check_pickling(rule, "rule"),
    "codes": check_codes,
    "reading": check_reading,
    "hard mode": check_hard_mode,
}
