"""Checks that every strategy and every rule must pass.

Authors get them as findings, or as pytest classes to inherit.
"""

import pickle
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np

from wordle_kit.api import GameLike, StrategyLike, load_game, load_puzzles, load_strategy
from wordle_kit.defaults import DEADLINE
from wordle_kit.errors import GameError, WordleKitError
from wordle_kit.game.game import Game
from wordle_kit.game.rules import Rule, blaming
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.texts import number_of, raised, shown
from wordle_kit.tournaments.referee import Referee
from wordle_kit.tournaments.runs import Outcome, Play


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
"""The number of puzzles of a game that are played, at most."""

REPLAYED = 200
"""The most decisions of a game that a strategy makes a second time."""

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


Verdict = tuple[bool, str]
"""Whether a check was passed, and the message of its finding."""


def check_strategy(
    strategy: StrategyLike, *, deadline: float = DEADLINE, games: Sequence[GameLike] = ()
) -> list[Finding]:
    """Return the findings of all checks of a strategy. A failure names the position in which it occurred.

    `strategy` and `games` are given as for `load_strategy` and `load_game`. `deadline` is the number of seconds per
    decision. The checks play `games`: by default, small and unusual games and a sample of Wordle.
    """
    return list(each_finding(load_strategy(strategy), deadline=deadline, games=[load_game(game) for game in games]))


def each_finding(
    strategy: Strategy, *, deadline: float = DEADLINE, games: Sequence[Game] = (), seed: int = 0
) -> Iterator[Finding]:
    """Yield the finding of each check as soon as it is known. `seed` is for puzzles and for random numbers.

    If a play fails, nothing is left to compare, and determinism is not checked.
    """
    yield Finding("pickling", *check_pickling(strategy, "strategy"))
    plays: dict[Game, list[Play]] = {}
    for game in games or _all_games():
        if strategy.problem_with(game) is None:
            puzzles = load_puzzles(game, min(SAMPLE, len(game.answers)), seed)
            plays[game] = Referee(game, strategy, f"seed {seed}", deadline).play(puzzles)
            fault = _fault(game, plays[game])
            if fault is not None:
                yield Finding("legality", False, fault)
                return
    if not plays:
        yield Finding("legality", False, "it says that it can play none of the games")
        return
    tried = f"{number_of(sum(map(len, plays.values())), 'play')} of {number_of(len(plays), 'game')}"
    yield Finding("legality", True, f"{tried}, all solved, without a fault")
    yield Finding("determinism", *_check_determinism(strategy, plays, deadline, seed))


def _fault(game: Game, plays: Sequence[Play]) -> str | None:
    """Return what is wrong with the first play that was not solved, with how to see it again, or None."""
    for play in plays:
        if play.outcome not in (Outcome.SOLVED, Outcome.OUT_OF_GUESSES) or play.turns is None:
            position, _ = list(_decisions(game, play))[-1]
            return f"{play.outcome}: {play.message}; {position!r}; {_how_to_repeat(game, play.puzzle)}"
    return None


def _decisions(game: Game, play: Play) -> Iterator[tuple[Position, str | None]]:
    """Yield each position of a play with the guess that was made there. If it was not solved, the last has none."""
    position = Position.start(game)
    for guess, seen in zip(play.guesses, play.feedback, strict=True):
        yield position, guess
        position = position.after(guess, seen)
    if position.open_boards:
        yield position, None


def _check_determinism(strategy: Strategy, plays: Mapping[Game, Sequence[Play]], deadline: float, seed: int) -> Verdict:
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
            second = Referee(game, strategy, f"seed {seed}", deadline).decide(position, number)
            then = game.guesses[second] if isinstance(second, int) else second.message
            if then != guess:
                said = f"guessed {guess!r}, but {then!r} when asked again; {position!r}"
                hint = "if it is random on purpose, set `stochastic = True` and use position.rng; it "
                return False, said if strategy.stochastic else f"{hint}{said}"
    return True, f"the same guess in {number_of(asked, 'position')}, asked again in another order"


def check_pickling(each: Strategy | Rule, what: str) -> Verdict:
    """Check that a pickled copy equals the strategy or the rule, which worker processes need."""
    try:
        same = pickle.loads(pickle.dumps(each)) == each  # noqa: S301 - its own bytes
    except Exception as error:
        return False, f"no copy can be made: {raised(error)}"
    return same, f"a copy {'equals' if same else 'differs from'} the {what}"


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
    """A base class for tests. Inherit from it in a test module and set `strategy`: pytest then runs every check."""

    strategy: ClassVar[StrategyLike]
    """The strategy, or its spec."""
    games: ClassVar[Sequence[GameLike]] = ()
    """The games to play, or their names. By default, these are small and unusual games and a sample of Wordle."""
    deadline: ClassVar[float] = DEADLINE
    """The number of seconds for each decision."""

    def test_it_keeps_its_promises(self) -> None:
        """It can be pickled, plays without a fault and in time, and guesses the same in the same position."""
        for finding in check_strategy(self.strategy, deadline=self.deadline, games=self.games):
            assert finding.passed, f"{finding.check}: {finding.message}"  # noqa: S101 - a test


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

    def test_it_keeps_its_promises(self) -> None:
        """It can be pickled, its methods agree, it reads what it shows, and hard mode allows the hidden word."""
        for finding in check_rule(self.rule, games=self.games):
            assert finding.passed, f"{finding.check}: {finding.message}"  # noqa: S101 - a test


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
