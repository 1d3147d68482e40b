"""Whose work is it? Submissions that decide like another one, the starter or a bundled strategy, and similar texts.

A finding is a reason for the teacher to read two files. It proves nothing: two students may have had the same idea.
"""

import ast
import io
import itertools
import math
import tokenize
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Any

from wordle_kit.game.game import Game
from wordle_kit.isolation.remote import Remote
from wordle_kit.leaderboard.metrics import Positions
from wordle_kit.plugins import Plugins
from wordle_kit.sources import parsed
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.tournaments.player import prepared
from wordle_kit.tournaments.runs import Play

# Decisions


DIFFERENT, SAME = 0.8, 0.98
"""The share of telling decisions that may be equal in two different strategies, and that are equal in a copy."""

AGREES, DIFFERS = math.log2(SAME / DIFFERENT), math.log2((1 - SAME) / (1 - DIFFERENT))
"""The evidence for a copy, in bits, in a telling decision that is equal or different."""

ENOUGH = 10.0
"""Bits of evidence with which two strategies are listed. Different ones have as much with a chance of 1 in 1,000."""

MOST_DECISIONS = 100
"""The most telling decisions that are compared."""

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
    def bits(self) -> float:
        """The evidence that one is a copy of the other."""
        return self.same * AGREES + (self.compared - self.same) * DIFFERS


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

        The comparison ends as soon as it is clear that they differ.
        """
        found = Agreement()
        for number, guess in first.items():
            other = second(number) if self.is_telling(number) else None
            if other is not None:
                found = Agreement(found.compared + 1, found.same + (guess == other))
                if found.bits < -ENOUGH or found.compared == MOST_DECISIONS:
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


# Texts


SHINGLE = 12
"""The number of successive tokens that are compared at a time."""

FEWEST_SHINGLES = 30
"""The fewest runs of tokens, of each text's own, that allow a comparison."""

SIMILAR = 0.6
"""The share of the shorter text's own runs of tokens that similar texts have in common."""

TAUGHT = 10
"""The number of submissions from which on code that most of them have counts as taught, like that of the starter."""

Shingles = frozenset[int]
"""Hashes of runs of tokens."""


def shingles(text: bytes) -> Shingles:
    """Return the runs of tokens in a program, whatever its layout, its comments and its own names are."""
    tree = parsed(text)
    if tree is None:
        return frozenset()
    plain = ast.unparse(_Bare(tree).visit(tree))
    layout = (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    tokens = [one.string for one in tokenize.generate_tokens(io.StringIO(plain).readline) if one.type not in layout]
    return frozenset(_renamed(tokens[i : i + SHINGLE]) for i in range(len(tokens) - SHINGLE + 1))


def _renamed(tokens: Sequence[str]) -> int:
    """Return a hash of a run of tokens in which the program's own names are numbered."""
    numbers: dict[str, int] = {}
    return hash(tuple(numbers.setdefault(one, len(numbers)) if one.startswith(OWN) else one for one in tokens))


OWN = "own_"
"""The beginning of a program's own names in its bare form."""


class _Bare(ast.NodeTransformer):
    """Removes docstrings, annotations and imports from a program, and marks its own names.

    What it imports under another name gets its usual one.
    """

    def __init__(self, tree: ast.Module) -> None:
        self._names: dict[str, str] = {}
        self._attributes: dict[str, str] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.alias) and node.asname:
                self._names[node.asname] = node.name.rpartition(".")[2]
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self._names[node.id] = OWN + node.id
            elif isinstance(node, ast.arg):
                self._names[node.arg] = OWN + node.arg
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                self._attributes[node.attr] = OWN + node.attr
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                self._names[node.name] = self._attributes[node.name] = OWN + node.name

    def generic_visit(self, node: ast.AST) -> Any:
        """Return a node in its bare form, or None for one that is left out."""
        if isinstance(node, ast.Import | ast.ImportFrom):
            return None
        super().generic_visit(node)
        for field in ("id", "attr", "arg", "name"):
            name = getattr(node, field, None)
            if isinstance(name, str):
                setattr(node, field, (self._attributes if field == "attr" else self._names).get(name, name))
        if isinstance(node, ast.AnnAssign):
            return None if node.value is None else ast.Assign([node.target], node.value, lineno=node.lineno)
        if isinstance(node, ast.arg):
            node.annotation = None
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
        if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            node.body = [one for one in node.body if not _is_text(one)]
        return node


def _is_text(node: ast.stmt) -> bool:
    """Return whether a statement is a mere text, as docstrings are."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def similar_texts(texts: Mapping[str, bytes], given: bytes) -> dict[tuple[str, str], float]:
    """Return the pairs of similar texts, each with the share of the shorter one's runs of tokens that both have.

    What all were `given`, and what more than half of a class has, does not count.
    """
    all_of = {name: shingles(text) for name, text in texts.items()}
    had = Counter(itertools.chain.from_iterable(all_of.values()))
    common = shingles(given)
    if len(texts) >= TAUGHT:
        common |= {one for one, count in had.items() if 2 * count > len(texts)}
    own = {name: found - common for name, found in all_of.items()}
    own = {name: found for name, found in own.items() if len(found) >= FEWEST_SHINGLES}
    pairs = {}
    for first, second in itertools.combinations(own, 2):
        share = len(own[first] & own[second]) / min(len(own[first]), len(own[second]))
        if share >= SIMILAR:
            pairs[first, second] = share
    return pairs


# Findings


ALIKE_COLUMNS = ("first", "second", "finding", "telling decisions", "the same", "similar text")

NOTE = "These are for you to judge. A finding is a reason to read two files, and proves nothing."


def findings(
    decisions: Decisions,
    made: Mapping[str, Mapping[int, str]],
    starter: Mapping[int, str] | None,
    texts: Mapping[str, bytes],
    given: bytes,
) -> list[dict[str, Any]]:
    """Return a row for each submission that decides like the starter or a bundled strategy, and for each similar pair.

    `made` are the decisions of the strategies that are not random. Pairs that decide alike are left out if both decide
    like the same strategy that anyone can have, unless their texts are similar.
    """
    rows, like = [], {}
    for name, own in made.items():
        found = {
            f"({other})": decisions.agreement(own, partial(decisions.guess, other)) for other in decisions.references
        }
        if starter is not None:
            found["(the starter)"] = decisions.agreement(own, starter.get)
        found = {other: one for other, one in found.items() if one.bits >= ENOUGH}
        like[name] = set(found)
        if found:
            most = max(one.same / one.compared for one in found.values())
            best = [other for other, one in found.items() if one.same == most * one.compared]
            what = "decides like the starter" if "(the starter)" in best else "decides like a bundled strategy"
            rows.append(_row(name, ", ".join(sorted(best)[:3]), what, found[best[0]], None))
    alike = similar_texts(texts, given)
    for first, second in itertools.combinations(texts, 2):
        share = alike.get((first, second))
        one = Agreement()
        if first in made and second in made and made[first].get(0) == made[second].get(0):
            one = decisions.agreement(made[first], made[second].get)
        decides = one.bits >= ENOUGH
        if share is not None or (decides and not like[first] & like[second]):
            what = ", ".join(["decide alike"] * decides + ["similar texts"] * (share is not None))
            rows.append(_row(first, second, what, one if decides else None, share))
    return rows


def _row(first: str, second: str, what: str, one: Agreement | None, share: float | None) -> dict[str, Any]:
    counts = ("", "") if one is None else (one.compared, one.same)
    text = "" if share is None else f"{share:.0%}"
    return dict(zip(ALIKE_COLUMNS, (first, second, what, *counts, text), strict=True))
