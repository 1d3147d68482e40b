"""Whose work is it? Submissions that decide like another one, the starter or a bundled strategy.

A finding is a reason for the teacher to read two files. It proves nothing: two students may have had the same idea.
"""

import itertools
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Any

from wordle_kit.game.game import Game
from wordle_kit.isolation.remote import Remote
from wordle_kit.leaderboard.metrics import Positions
from wordle_kit.plugins import Plugins
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.tournaments.player import prepared
from wordle_kit.tournaments.runs import Play

# Decisions


SHARE = 0.95
"""The least share of equal decisions with which two strategies are listed."""

FEWEST_DECISIONS, MOST_DECISIONS = 30, 100
"""The fewest telling decisions that say anything, and the most that are compared."""

FEWEST_CANDIDATES = 3
"""The fewest candidates that leave a choice: with one or two, nearly every strategy guesses the first of them."""

PROBES = ("first-consistent", "letter-frequency", "entropy", "minimax")
"""Strategies of different kinds. Where they guess the same, a guess says nothing about whose idea it was."""

SEARCHES = "wordle_kit_plugins.search"
"""The module of strategies that look beyond one guess, and take too long to be asked here."""

POSITIONS_KEPT = 4096


@dataclass(frozen=True)
class Agreement:
    """How often two strategies made the same decision, among the decisions in which few strategies agree."""

    compared: int = 0
    same: int = 0

    @property
    def is_listed(self) -> bool:
        """Whether it is for the teacher to judge."""
        return self.compared >= FEWEST_DECISIONS and self.same >= SHARE * self.compared


class Decisions:
    """The decisions of submissions, the positions in which they were made, and what other strategies guess there."""

    def __init__(self, game: Game, references: Mapping[str, Strategy]) -> None:
        self._game = game
        self._positions = Positions()
        self._order = [0]
        self.references = {name: one for name, one in references.items() if prepared(one, game) is None}
        """The strategies that submissions are compared with."""
        self._probes = [name for name in PROBES if name in self.references] or list(self.references)[:2]
        self.position = lru_cache(POSITIONS_KEPT)(self._position)
        self.guess = cache(self._guess)
        self.is_telling = cache(self._is_telling)

    def of(self, plays: Iterable[Play]) -> dict[int, str]:
        """Return the guess in each position that these plays reached, by the position's number.

        The positions are in an order that does not depend on the puzzles.
        """
        made = self._positions.decisions(plays)
        for before, guess, feedback in self._positions.steps[len(self._order) - 1 :]:
            self._order.append(zlib.crc32(repr((guess, feedback)).encode(), self._order[before]))
        return {number: made[number] for number in sorted(made, key=self._order.__getitem__)}

    def agreement(self, first: Mapping[int, str], second: Callable[[int], str | None]) -> Agreement:
        """Return how a strategy's decisions agree with those of another, as far as it has met the same positions.

        The comparison ends as soon as too many differ.
        """
        found = Agreement()
        for number, guess in first.items():
            other = second(number) if self.is_telling(number) else None
            if other is not None:
                found = Agreement(found.compared + 1, found.same + (guess == other))
                differ = found.compared - found.same
                if found.compared == MOST_DECISIONS or differ > (1 - SHARE) * MOST_DECISIONS + 1e-9:
                    break
        return found

    def _is_telling(self, number: int) -> bool:
        """Return whether strategies guess differently in a position. The first guess is often chosen by hand."""
        boards = self.position(number).open_boards if number else ()
        is_open = any(len(board.words) >= FEWEST_CANDIDATES for board in boards)
        return is_open and len({self.guess(name, number) for name in self._probes}) > 1

    def _guess(self, name: str, number: int) -> str:
        return self.references[name].guess(self.position(number).copy())

    def _position(self, number: int) -> Position:
        if number == 0:
            return Position.start(self._game)
        before, guess, feedback = self._positions.steps[number - 1]
        codes = [self._game.read_feedback(text).code if text else 0 for text in feedback]
        return self.position(before).after(self._game.guess_ids[guess], codes)


def references_in(plugins: Plugins, game: Game) -> dict[str, Strategy]:
    """Return the strategies that submissions are compared with: those that are not random and do not search."""
    found = {}
    for entry in plugins.strategies.values():
        one = entry.value
        is_quick = not isinstance(one, Remote) and type(one).__module__ != SEARCHES
        if is_quick and not one.stochastic and not one.by_name_only and one.problem_with(game) is None:
            found[entry.name] = one
    return found


# Findings


ALIKE_COLUMNS = ("first", "second", "finding", "telling decisions", "the same")

NOTE = "These are for you to judge. A finding is a reason to read two files, and proves nothing."


def findings(
    decisions: Decisions, made: Mapping[str, Mapping[int, str]], starter: Mapping[int, str] | None
) -> list[dict[str, Any]]:
    """Return a row for each submission that decides like the starter or a bundled strategy, and for each pair alike.

    `made` are the decisions of the strategies that are not random. Pairs that decide alike are left out if both decide
    like the same strategy that anyone can have.
    """
    rows, like = [], {}
    for name, own in made.items():
        found = {
            f"({other})": decisions.agreement(own, partial(decisions.guess, other)) for other in decisions.references
        }
        if starter is not None:
            found["(the starter)"] = decisions.agreement(own, starter.get)
        found = {other: one for other, one in found.items() if one.is_listed}
        like[name] = set(found)
        if found:
            most = max(one.same / one.compared for one in found.values())
            best = [other for other, one in found.items() if one.same == most * one.compared]
            what = "decides like the starter" if "(the starter)" in best else "decides like a bundled strategy"
            rows.append(_row(name, ", ".join(sorted(best)[:3]), what, found[best[0]]))
    for first, second in itertools.combinations(made, 2):
        if made[first].get(0) == made[second].get(0) and not like[first] & like[second]:
            one = decisions.agreement(made[first], made[second].get)
            if one.is_listed:
                rows.append(_row(first, second, "decide alike", one))
    return rows


def _row(first: str, second: str, what: str, one: Agreement) -> dict[str, Any]:
    return dict(zip(ALIKE_COLUMNS, (first, second, what, one.compared, one.same), strict=True))
