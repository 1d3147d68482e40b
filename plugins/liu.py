"""Sixteen strategies of Liu (2022), and the eight columns of his Tables III and IV.

Chao-Lin Liu, "Using Wordle for Learning to Design and Compare Strategies", 2022. The strategies guess only words that
may still be the answer, and differ in how they choose among them. `liu-p1` to `liu-p8` score the symbols of a word;
`liu-i1` to `liu-i8` score how a word splits the candidates. `liu-iii-...` and `liu-iv-...` are the columns of Tables
III and IV: `un` adds the scores of symbols and `wht` takes their weighted mean; `max` and `min` say whether the highest
or the lowest score is best. His baseline, Hard-Mode, is `random-consistent`.
"""

import math
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Literal

import numpy as np
import numpy.typing as npt

import wordle_kit as wk

EXTREME = {"max": "greatest", "min": "least"}
NO_REPEATS = ", with no repeated symbols in the first two guesses"


class PossibleWords(wk.PartitionStrategy):
    """The common base of strategies that guess only possible words and break ties by list order."""

    pool: Literal["candidates"] = "candidates"
    ties: wk.Ties = "list-order"
    best: Literal["max", "min"] = "min"
    """Whether the highest or the lowest of the paper's scores is best."""
    no_repeats: bool = False
    """Whether to avoid words with repeated symbols in the first guess and, if the first found no symbol, in the second.
    """

    @wk.per_instance
    def by_name_only(self) -> bool:
        """Whether the strategy is none of the best in the paper's tables."""
        return self not in BEST

    def displayed(self, scores: wk.Floats) -> wk.Floats:
        """Return the scores as in the paper."""
        return -scores if self.best == "max" else scores

    def considered(self, position: wk.Position) -> wk.Ids | None:
        """Return the words that may still be the answer, without those that repeat a symbol if `no_repeats` applies."""
        guesses = super().considered(position)
        return without_repeats(guesses, position) if self.no_repeats else guesses


class Collocation(PossibleWords):
    """Choose the possible word by how much its symbols reveal about the symbols that occur with them.

    Liu (2022), sections III to V. The score of a symbol is the entropy of the symbols that occur together with it in
    answers, or their Kullback-Leibler divergence from the uniform distribution (identities 3 to 9). The score of a word
    is the weighted sum of the scores of its symbols. To reproduce the paper's figures, the statistics are computed from
    all answers and never updated.
    """

    score: Literal["entropy", "divergence"] = "divergence"
    weight: Literal["words", "symbols"] = "words"
    """The weight of a symbol's score: the share of words that contain the symbol (identity 1), or its share of all
    symbols.
    """
    normalised: bool = False
    """Whether to divide the sum by the sum of the weights."""
    best: Literal["max", "min"] = "max"

    weighted = False  # the statistics are those of the word list

    @property
    def summary(self) -> str:
        """What the strategy does with these parameters."""
        if type(self) is not Collocation:
            return super().summary
        kind = "mean" if self.normalised else "sum"
        scored = "entropy" if self.score == "entropy" else "divergence from chance"
        return (
            f"Guess the possible word with the {EXTREME[self.best]} {kind} of symbol scores: their neighbours' "
            f"{scored}, weighted by {self.weight}{NO_REPEATS if self.no_repeats else ''}."
        )

    def part_cost(self, size: wk.Floats) -> wk.Floats:
        """Return zeros, because parts do not matter here."""
        return np.zeros_like(size)

    def scores(self, board: wk.Board, guesses: wk.Ids | None) -> wk.Floats:
        """Return the words' scores; lower is better."""
        values = word_scores(board.game, self.score, self.weight, self.normalised)
        scores: wk.Floats = values if guesses is None else values[guesses]
        return -scores if self.best == "max" else scores


class CollocationAsPrinted(Collocation):
    """Play like `liu-p1` to `liu-p8`, but let rounding errors break ties, as in the paper.

    Words with the same symbols have the same score, except for rounding errors. Here, terms are added in the paper's
    order. This reproduces all of its figures, even those of p6 and IV un-max, which differ otherwise.
    """

    tolerance = 0.0
    by_name_only = True


class GroupSplit(PossibleWords):
    """Guess the possible word that splits the candidates into groups with the least entropy or divergence.

    Liu (2022), section VI, identities 10 and 11. With `colours="counted"`, codes with the same number of each colour
    form one group, as in the twenty groups of Table VII; with `placed`, each code is a group of its own. The divergence
    is that from the uniform distribution over the non-empty groups. With `normalised`, it is divided by the number of
    these groups.
    """

    score: Literal["entropy", "divergence"] = "divergence"
    normalised: bool = False
    colours: Literal["counted", "placed"] = "counted"
    """Whether feedback with the same number of each colour forms one group, or each feedback its own."""

    @property
    def summary(self) -> str:
        """What the strategy does with these parameters."""
        groups = "the number of each colour" if self.colours == "counted" else "feedback"
        scored = f"{self.score} per group" if self.normalised else self.score
        return (
            f"Guess the possible word with the {EXTREME[self.best]} {scored} when candidates are grouped by "
            f"{groups}{NO_REPEATS if self.no_repeats else ''}."
        )

    def part_cost(self, size: wk.Floats) -> wk.Floats:
        """Return the size times its logarithm."""
        return size * np.log(size)

    def groups(self, game: wk.Game) -> npt.NDArray[np.integer] | None:
        """Return the group of each code."""
        return colour_groups(game) if self.colours == "counted" else None

    def scores(self, board: wk.Board, guesses: wk.Ids | None) -> wk.Floats:
        """Return the entropy or the divergence of the group shares; lower is better."""
        groups = self.groups(board.game)
        entropy = np.log(board.mass) - board.costs(self.part_cost, guesses, groups=groups) / board.mass
        scores: wk.Floats = entropy
        if self.score == "divergence" or self.normalised:
            number = board.costs(np.ones_like, guesses, groups=groups)
            scores = entropy if self.score == "entropy" else np.log(number) - entropy
            scores = scores / number if self.normalised else scores
        return -scores if self.best == "max" else scores


@cache
def word_scores(game: wk.Game, score: str, weight: str, normalised: bool) -> wk.Floats:
    """Return the score of each guess of a game by its symbols, float64[n_guesses].

    Logarithms are to base 2. Terms are added in the paper's order, which matters when the tolerance is 0, because
    rounding then decides between words with the same symbols.
    """
    n = len(game.alphabet.symbols)
    answers = game.answer_symbols.astype(np.int64)
    together = np.zeros((n, n))  # [symbol, symbol elsewhere in the same word]
    for here in range(game.length):
        for there in range(game.length):
            if here != there:
                np.add.at(together, (answers[:, here], answers[:, there]), 1)
    totals = together.sum(axis=1, keepdims=True)
    shares = np.divide(together, totals, out=np.zeros_like(together), where=totals > 0)
    against = np.divide(1, shares, out=np.ones_like(shares), where=shares > 0) if score == "entropy" else n * shares
    logs = np.array([math.log2(ratio) if ratio > 0 else 0.0 for ratio in against.ravel().tolist()])
    values = sum_in_order(shares * logs.reshape(shares.shape))
    if weight == "words":
        counts = np.array([(answers == symbol).any(axis=1).sum() for symbol in range(n)])
        total = len(answers)
    else:
        counts = np.bincount(answers.ravel(), minlength=n)
        total = answers.size
    places = game.guess_symbols
    scores = sum_in_order((counts / total * values)[places])
    if normalised:
        scores /= np.maximum(counts[places].sum(axis=1) / total, np.finfo(float).tiny)
    scores.flags.writeable = False
    return scores


def sum_in_order(terms: wk.Floats) -> wk.Floats:
    """Return the sum of each row, float64[n_rows], adding its terms from left to right."""
    return np.cumsum(terms, axis=1)[:, -1]


@cache
def colour_groups(game: wk.Game) -> npt.NDArray[np.int64]:
    """Return the group of each code, int64[n_codes]. Codes with the same number of each mark share a group.

    The codes of a rule without marks, such as Mastermind's, are counts already, so every code is a group.
    """
    rule = game.rule
    if not isinstance(rule, wk.MarksRule):
        return np.arange(rule.n_codes(game.length))
    numbers: dict[tuple[tuple[int, int], ...], int] = {}
    groups = [
        numbers.setdefault(tuple(sorted(Counter(rule.digits(code, game.length)).items())), len(numbers))
        for code in range(rule.n_codes(game.length))
    ]
    return np.array(groups)


@cache
def has_repeats(game: wk.Game) -> npt.NDArray[np.bool_]:
    """Return which guesses repeat a symbol, bool[n_guesses]."""
    ordered = np.sort(game.guess_symbols, axis=1)
    repeats: npt.NDArray[np.bool_] = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
    return repeats


def without_repeats(guesses: wk.Ids | None, position: wk.Position) -> wk.Ids | None:
    """Return the guesses, except those that repeat a symbol if such guesses are avoided in this turn.

    Repeated symbols are avoided in the first turn and, if the first guess had only absent symbols, in the second.
    """
    nothing = "0" * position.game.length  # the feedback if every symbol is absent, under a rule with marks
    absent = position.turn == 2 and all(str(board.feedback[0]) in (nothing, "0,0") for board in position.open_boards)
    if guesses is None or not (position.turn == 1 or absent):
        return guesses
    kept = guesses[~has_repeats(position.game)[guesses]]
    return kept if len(kept) else guesses


BEST = (
    Collocation(score="entropy"),
    Collocation(score="entropy", no_repeats=True),
    Collocation(weight="symbols", no_repeats=True),
    GroupSplit(normalised=True),
)
"""The strategies with the lowest mean in each of the paper's tables: III un-max, IV un-max, p6 and i4."""


@wk.hookimpl
def register_strategies(register: Callable[..., None]) -> None:
    """Register the strategies under the paper's names, in the namespace `liu-`."""
    register(CollocationAsPrinted())
    for number in range(1, 9):
        variant = {"normalised": number in (3, 4, 7, 8), "no_repeats": number > 4}
        weight: Literal["words", "symbols"] = "symbols" if number % 2 == 0 else "words"
        register(Collocation(weight=weight, **variant), name=f"liu-p{number}")
        score: Literal["entropy", "divergence"] = "divergence" if number % 2 == 0 else "entropy"
        register(GroupSplit(score=score, **variant), name=f"liu-i{number}")
    for table, no_repeats in (("iii", False), ("iv", True)):
        for column, normalised in (("un", False), ("wht", True)):
            for best in ("max", "min"):
                strategy = Collocation(score="entropy", normalised=normalised, best=best, no_repeats=no_repeats)
                name = f"{table}-{column}-{best}"
                register(strategy, name=f"liu-{name}")
