"""Checks that every strategy and every rule must pass.

Authors can call functions that return findings, or derive tests from base classes for pytest.
"""

import pickle
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np

from wordle_kit.api import GameLike, StrategyLike, load_game, load_puzzles, load_strategy
from wordle_kit.errors import GameError, MachineError, WordleKitError
from wordle_kit.faults import error_line
from wordle_kit.game.checked_rules import blaming, hard_mode_problem
from wordle_kit.game.game import Game
from wordle_kit.game.rules import Rule
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.texts import number_of, short_repr
from wordle_kit.tournaments.deadline import DEADLINE
from wordle_kit.tournaments.referee import Referee
from wordle_kit.tournaments.runs import Play


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
"""Tiny and unusual games that every strategy must play faultlessly."""

SAMPLE = 40
"""The most puzzles of a game that are played."""

KEY = "seed 0"
"""The key on which a strategy's random numbers depend, besides the position."""

REPLAYED = 200
"""The most decisions of a game that a strategy makes a second time."""

TRIED = 60
"""The number of words that are tried as earlier guesses in hard mode."""


@dataclass(frozen=True)
class Finding:
    """The result of one check: its name, whether it passed, and a sentence that says what was found."""

    check: str
    passed: bool
    message: str


def check_strategy(
    strategy: StrategyLike, *, deadline: float = DEADLINE, games: Sequence[GameLike] = ()
) -> list[Finding]:
    """Return the findings of all checks of a strategy. A failure names the position in which it occurred.

    `strategy` and `games` are given as for `load_strategy` and `load_game`. `deadline` is the number of seconds per
    decision. The checks play `games`: by default, small and unusual games and a sample of Wordle. If a play fails,
    determinism is not checked.
    """
    strategy = load_strategy(strategy)
    played = [load_game(game) for game in games] or _all_games()
    plays: dict[Game, list[Play]] = {}
    findings = [
        _finding("pickling", _check_pickling, strategy),
        _finding("legality", _check_legality, strategy, played, deadline, plays),
    ]
    if findings[-1].passed:
        findings.append(_finding("determinism", _check_determinism, strategy, deadline, plays))
    return findings


def _finding(name: str, check: Callable[..., str], *given: object) -> Finding:
    """Return the finding of a check, which returns what it found or raises WordleKitError."""
    try:
        return Finding(name, True, check(*given))
    except MachineError:
        raise
    except WordleKitError as error:
        return Finding(name, False, str(error))


def _check_legality(strategy: Strategy, games: Sequence[Game], deadline: float, plays: dict[Game, list[Play]]) -> str:
    """Check that the strategy solves all puzzles of the games that it can play, and add its plays to `plays`."""
    for game in games:
        if strategy.problem_with(game) is None:
            puzzles = load_puzzles(game, min(SAMPLE, len(game.answers)))
            plays[game] = Referee(game, strategy, KEY, deadline).play(puzzles).plays
            for play in plays[game]:
                if play.turns is None:
                    *_, (position, _) = _decisions(game, play)
                    how = _how_to_repeat(game, play.puzzle)
                    raise WordleKitError(f"{play.outcome}: {play.message}; {position!r}; {how}")
    if not plays:
        raise WordleKitError("it says that it can play none of the games")
    played = f"{number_of(sum(map(len, plays.values())), 'play')} of {number_of(len(plays), 'game')}"
    return f"{played}, all solved, without a fault"


def _decisions(game: Game, play: Play) -> Iterator[tuple[Position, str | None]]:
    """Yield each position of a play with the guess made there, or None if the play ended without a guess."""
    position = Position.start(game)
    for guess, seen in zip(play.guesses, play.feedback, strict=True):
        yield position, guess
        position = position.after(guess, seen)
    if position.open_boards:
        yield position, None


def _check_determinism(strategy: Strategy, deadline: float, plays: Mapping[Game, Sequence[Play]]) -> str:
    """Check that the strategy makes the same guesses when it is asked again in another order."""
    asked = 0
    for game, played in plays.items():
        made = {
            (number if strategy.stochastic else 0, repr(position)): (number, position, guess)
            for number, play in enumerate(played)
            for position, guess in _decisions(game, play)
            if guess is not None
        }
        again = list(made.values())
        random.Random(0).shuffle(again)
        for number, position, guess in again[:REPLAYED]:
            asked += 1
            second = Referee(game, strategy, KEY, deadline).ask(position, number)
            then = game.guesses[second] if isinstance(second, int) else second.message
            if then != guess:
                said = f"guessed {guess!r}, but {then!r} when asked again; {position!r}"
                hint = "if it is random on purpose, set `stochastic = True` and use position.rng; it "
                raise WordleKitError(said if strategy.stochastic else f"{hint}{said}")
    return f"the same guess in {number_of(asked, 'position')}, asked again in another order"


def _check_pickling(checked: Strategy | Rule) -> str:
    """Check that a pickled copy, as worker processes use it, equals the strategy or the rule."""
    try:
        same = pickle.loads(pickle.dumps(checked)) == checked  # noqa: S301 - its own bytes
    except Exception as error:
        raise WordleKitError(f"no copy can be made: {error_line(error, type(checked).__module__)}") from error
    if not same:
        raise WordleKitError("a copy differs from the original")
    return "a copy equals the original"


@cache
def _all_games() -> tuple[Game, ...]:
    return (*(load_game(fields) for fields in SMALL_GAMES), load_game("wordle"))


def _how_to_repeat(game: Game, puzzle: tuple[str, ...]) -> str:
    if game not in _all_games():
        return f"hidden: {', '.join(puzzle)}"
    hidden = puzzle if len(puzzle) > 1 else puzzle[0]
    fields = next((dict(fields) for fields in SMALL_GAMES if fields["name"] == game.name), None)
    named = repr(game.name) if fields is None else f"wordle_kit.load_game({fields!r})"
    return f"to see it again: wordle_kit.play(strategy, {named}, [{hidden!r}])"


class StrategyContract:
    """A base class for tests. Subclass it in a test module and set `strategy`: pytest then runs every check."""

    strategy: ClassVar[StrategyLike]
    """The strategy, or its spec."""
    games: ClassVar[Sequence[GameLike]] = ()
    """The games to play, or their names. By default, small and unusual games and a sample of Wordle are played."""
    deadline: ClassVar[float] = DEADLINE
    """The number of seconds for each decision."""

    def test_it_keeps_its_promises(self) -> None:
        """Check that the strategy can be pickled, plays in time and without faults, and repeats its guesses."""
        for finding in check_strategy(self.strategy, deadline=self.deadline, games=self.games):
            assert finding.passed, f"{finding.check}: {finding.message}"  # noqa: S101 - a test


# Rules


def check_rule(rule: Rule, *, games: Sequence[GameLike] = ()) -> list[Finding]:
    """Return the findings of all checks of a rule. A failure names the pair of words for which it occurred.

    The checks use the words of `games`, which must have this rule. By default, they use small games.
    """
    checks = {"codes": _check_codes, "reading": _check_reading, "hard mode": _check_hard_mode}
    findings = [_finding("pickling", _check_pickling, rule)]
    return findings + [_finding(name, check, rule, games) for name, check in checks.items()]


def _games_of(rule: Rule, games: Sequence[GameLike]) -> Iterator[Game]:
    """Yield these games or, if there are none, the small ones with this rule."""
    small = (load_game(fields).replace(rule=rule, hard_mode=False) for fields in SMALL_GAMES)
    yield from map(load_game, games) if games else small


class RuleContract:
    """A base class for tests. Subclass it in a test module and set `rule`: pytest then runs every check."""

    rule: ClassVar[Rule]
    games: ClassVar[Sequence[GameLike]] = ()
    """Games with this rule, or their names, whose words the checks use. By default, small games are used."""

    def test_it_keeps_its_promises(self) -> None:
        """Check that the rule can be pickled, that its methods agree, and that hard mode allows the hidden word."""
        for finding in check_rule(self.rule, games=self.games):
            assert finding.passed, f"{finding.check}: {finding.message}"  # noqa: S101 - a test


def _check_codes(rule: Rule, games: Sequence[GameLike]) -> str:
    """Check that `code` and `codes` agree, and that a word wins if and only if it is the hidden one."""
    pairs = 0
    for game in _games_of(rule, games):
        game.table.prepare()  # checks the range of codes, wins, and a sample of pairs
        split = game.alphabet.split
        for row, answer in enumerate(game.answers[:TRIED]):
            for column, guess in enumerate(game.guesses[:TRIED]):
                pairs += 1
                in_table = game.table.code(column, row)
                with blaming(rule, "code"):
                    first, second = (rule.code(split(guess), split(answer)) for _ in range(2))
                if not first == in_table == second:
                    pair = f"the guess {guess!r} against the answer {answer!r}"
                    raise WordleKitError(f"{pair} gets {first} and then {second} by code, and {in_table} by codes")
    return f"the methods agree on {number_of(pairs, 'pair')} of words, and only the hidden word wins"


def _check_reading(rule: Rule, games: Sequence[GameLike]) -> str:
    """Check that `read` reverses `show` and `tiles`."""
    tried = 0
    for game in _games_of(rule, games):
        answers = np.arange(len(game.answers), dtype=np.int32)
        columns = [game.table.column(guess, answers) for guess in range(min(TRIED, len(game.guesses)))]
        for code in np.unique(columns).tolist():
            for method in (rule.show, rule.tiles):
                with blaming(rule, method.__name__):
                    text = method(code, game.length)
                tried += 1
                said = f"{method.__name__}({code}, {game.length}) is {short_repr(text)}"
                try:
                    read = rule.read(text, game.length)
                except GameError as error:
                    raise WordleKitError(f"{said}, and read refuses it: {error}") from error
                if read != code:
                    raise WordleKitError(f"{said}, which read takes for {read}")
    return f"read understands {number_of(tried, 'text')} of show and tiles"


def _check_hard_mode(rule: Rule, games: Sequence[GameLike]) -> str:
    """Check that hard mode never forbids the hidden word."""
    asked = 0
    for game in _games_of(rule, games):
        split = game.alphabet.split
        for number, earlier in enumerate(game.guesses[:TRIED]):
            answer = game.answers[(7 * number + 1) % len(game.answers)]
            code = game.feedback(earlier, answer).code
            hard_mode_problem(rule, split(answer), split(earlier), code, game.alphabet)  # raises if it is forbidden
            asked += 1
    return f"the hidden word was allowed after {number_of(asked, 'guess', 'guesses')}"
