"""A board: one hidden word, what is known about it, and fast methods for strategies."""

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from wordle_kit.errors import GameError, StrategyError, unknown
from wordle_kit.game.game import Game
from wordle_kit.game.rules import Feedback
from wordle_kit.game.table import Floats, Ids
from wordle_kit.game.words import frozen
from wordle_kit.strategy.costs import Groups, PartCost, Parts

OVER_PARTS = ("sum", "max")
"""How the costs of a guess's parts can be combined."""


@dataclass(frozen=True, eq=False, repr=False)
class Board:
    """One hidden word and everything learnt about it."""

    game: Game
    candidates: Ids
    """The indices of the answers that may be hidden, int32[n_candidates], in the game's order."""
    codes: tuple[int, ...] = ()
    """The feedback code of each guess so far."""
    is_solved: bool = field(init=False)
    """Whether the hidden word has been guessed."""

    def __post_init__(self) -> None:
        frozen(self.candidates)
        vars(self)["is_solved"] = bool(self.codes) and self.codes[-1] == self.game.winning_code

    def __len__(self) -> int:
        return len(self.candidates)

    def __repr__(self) -> str:
        return f"<Board of {self.game.name}: {'solved' if self.is_solved else f'{len(self):,} left'}>"

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The candidates as texts: the answers consistent with all feedback so far, in the game's order."""
        answers = self.game.answers
        return answers if len(self) == len(answers) else tuple(map(answers.__getitem__, self.candidates.tolist()))

    @property
    def feedback(self) -> tuple[Feedback, ...]:
        """The feedback on each guess so far, except guesses made after the board was solved."""
        return tuple(self.game.feedback_of(code) for code in self.codes)

    @cached_property
    def candidate_guesses(self) -> Ids:
        """The index of each candidate among the guesses, int32[n_candidates]."""
        return frozen(self.game.guess_of_answer[self.candidates])

    @cached_property
    def weights(self) -> Floats:
        """The weight of each candidate, float64[n_candidates], scaled so that the game's answers average 1.

        All weights are 1 if the game is not weighted, or if all remaining candidates have weight 0. The probability of
        a candidate is its weight divided by `mass`.
        """
        return frozen(np.ones(len(self)) if self._counts_equally else self.game.answer_weights[self.candidates])

    @property
    def mass(self) -> float:
        """The sum of the candidates' weights. Without weights, it is their number."""
        return float(self.weights.sum()) if self.game.is_weighted else float(len(self.candidates))

    @property
    def key(self) -> tuple[str, bytes]:
        """A key for caches. Boards have the same key if their games are equal and they have the same candidates."""
        return self.game.fingerprint, self.candidates.tobytes()

    def split(self, guess: str) -> dict[Feedback, tuple[str, ...]]:
        """Return the candidates grouped by the feedback that `guess` would get, largest group first."""
        parts = self.parts(self.game.index_of_guess(guess))
        largest_first = sorted(parts.items(), key=lambda part: (-len(part[1]), part[0]))
        answers = self.game.answers
        return {self.game.feedback_of(code): tuple(answers[i] for i in ids.tolist()) for code, ids in largest_first}

    def parts(self, guess: int) -> dict[int, Ids]:
        """Return the candidates, as indices of answers, grouped by the code that this guess (an index) would get."""
        if len(self.candidates) == 1:
            return {self.game.table.code(guess, self.candidates.item()): self.candidates}
        codes = self.game.table.column(guess, self.candidates)
        order = codes.argsort(kind="stable")
        ids, parts, end = frozen(self.candidates[order]), {}, 0
        for code, size in Counter(codes[order].tolist()).items():  # in ascending order of the codes
            parts[code], end = ids[end : end + size], end + size
        return parts

    def is_candidate(self, guesses: Ids | None = None) -> npt.NDArray[np.bool_]:
        """Return whether each guess may be the answer, bool[n_guesses].

        `guesses` are indices, by default of all guesses.
        """
        possible = np.zeros(len(self.game.guesses), dtype=np.bool_)
        possible[self.candidate_guesses] = True
        return possible if guesses is None else possible[guesses]

    def part_sizes(self, guesses: Ids | None = None) -> npt.NDArray[np.int32]:
        """Return the number of candidates for each code, int32[n_guesses, n_codes], for these guesses or for all."""
        return Parts(self.game, self.candidates, guesses).sums(frozen(np.ones(len(self), dtype=np.int32)))

    def part_masses(self, guesses: Ids | None = None) -> Floats:
        """Return the mass of candidates for each code, float64[n_guesses, n_codes], for these guesses or for all."""
        return Parts(self.game, self.candidates, guesses).sums(self.weights)

    def costs(
        self,
        part_cost: PartCost,
        guesses: Ids | None = None,
        over_parts: str = "sum",
        groups: Groups = None,
        weighted: bool = True,
    ) -> Floats:
        """Return the sum of `part_cost` over the parts of each guess, float64[n_guesses], computed by a native kernel.

        `guesses` are indices of guesses, by default all. With `over_parts="max"`, the result is the largest cost
        instead of the sum. `groups`, int[n_codes], assigns each code a group, from 0 up; the parts of a group are
        merged. In a game with weights, `part_cost` gets the masses of parts, and a part of mass 0 costs nothing. With
        `weighted=False`, it gets their sizes instead. Raises StrategyError for an unknown `over_parts`.
        """
        if over_parts not in OVER_PARTS:
            raise StrategyError(unknown("over_parts", over_parts, OVER_PARTS))
        parts, largest = Parts(self.game, self.candidates, guesses, groups), over_parts == "max"
        if not weighted or self._counts_equally:
            return parts.costs_by_size(part_cost, largest=largest)
        return parts.costs_by_mass(self.weights, part_cost, largest=largest)

    def sums_of_largest_weights(self, guesses: Ids | None = None) -> Floats:
        """Return the sum, over the parts of each guess, of the largest weight in the part, float64[n_guesses].

        Divided by `mass`, the sum is the probability of being right if the likeliest word of the part is guessed next.
        Without weights, the sum is the number of parts.
        """
        if self._counts_equally:
            return self.costs(np.ones_like, guesses)
        return Parts(self.game, self.candidates, guesses).sums_of_largest_weights(self.weights)

    def chance_of(self, guesses: Ids | None = None) -> Floats:
        """Return the probability that each guess is the answer, float64[n_guesses], for these guesses or for all."""
        chances = np.zeros(len(self.game.guesses))
        chances[self.candidate_guesses] = self.weights / self.mass
        return chances if guesses is None else chances[guesses]

    def mass_of(self, part: Ids) -> float:
        """Return the sum of the weights of some of the candidates, given as indices of answers."""
        return float(len(part)) if self._counts_equally else float(self.game.answer_weights[part].sum())

    @cached_property
    def _counts_equally(self) -> bool:
        """Whether each candidate has weight 1: the game has no weights, or all remaining candidates have weight 0."""
        return not self.game.is_weighted or not self.game.answer_weights[self.candidates].any()

    def after(self, guess: int, code: int) -> "Board":
        """Return this board after the guess with this index got this code. Raises GameError if no candidate is left."""
        if len(self) == 1:
            left = self.candidates[: int(self.game.table.code(guess, int(self.candidates[0])) == code)]
        else:
            left = self.candidates[self.game.table.column(guess, self.candidates) == code]
        if not len(left):
            what = f"no {self.game.nouns[0]} fits: none of {len(self):,} is left"
            raise GameError(f"{what} after {self.game.guesses[guess]} got {self.game.feedback_of(code)}")
        return self.with_part(code, left)

    def with_part(self, code: int, part: Ids) -> "Board":
        """Return this board after a guess got this code. `part` are the candidates with that code."""
        return Board(self.game, part, (*self.codes, code))
