"""A board: one hidden word, the knowledge about it, and questions about it that the engine answers fast."""

from collections.abc import Callable
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from wordle_kit.engine import engine_work
from wordle_kit.errors import GameError, StrategyError
from wordle_kit.game.game import Game, frozen
from wordle_kit.game.rules import Feedback
from wordle_kit.game.table import Floats, Ids, all_of
from wordle_kit.names import shown
from wordle_kit.strategy.counting import can_count, counted_costs

PartCost = Callable[[Floats], Floats]
"""A cost of part size: given sizes from 1 up, float64[n], returns what a part of each size costs, float64[n]."""


class Board:
    """One hidden word and everything learnt about it. Read-only."""

    game: Game
    candidates: Ids
    """The indices of the answers that may be hidden, int32[n], in the game's order."""
    codes: tuple[int, ...]
    """The feedback code of each guess so far."""
    is_solved: bool
    """Whether the hidden word has been guessed."""

    def __init__(self, game: Game, candidates: Ids, codes: tuple[int, ...] = ()) -> None:
        solved = bool(codes) and codes[-1] == game.winning_code
        vars(self).update(game=game, candidates=frozen(candidates), codes=codes, is_solved=solved)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a board is read-only, so {name!r} cannot be set")

    def __len__(self) -> int:
        return len(self.candidates)

    def __repr__(self) -> str:
        return f"<Board of {self.game.name}: {'solved' if self.is_solved else f'{len(self):,} left'}>"

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The candidates: the answers consistent with all feedback so far, in the game's order."""
        answers = self.game.answers
        return answers if len(self) == len(answers) else tuple(map(answers.__getitem__, self.candidates.tolist()))

    @property
    def feedback(self) -> tuple[Feedback, ...]:
        """The feedback on each guess so far; guesses after the board was solved have none."""
        return tuple(self.game.show(code) for code in self.codes)

    @cached_property
    def candidate_guesses(self) -> Ids:
        """The index among the game's guesses of each candidate, int32[n_candidates]."""
        return frozen(self.game.guess_of_answer[self.candidates])

    @cached_property
    def weights(self) -> Floats:
        """The weight of each candidate, float64[n_candidates], in units in which the game's answers average 1.

        All are 1 if the game is not weighted, or if all remaining candidates have weight 0. The probability of a
        candidate is its weight divided by `mass`.
        """
        weights = self.game.answer_weights[self.candidates]
        return frozen(weights if weights.any() else np.ones(len(self)))

    @cached_property
    def mass(self) -> float:
        """The sum of the candidates' weights; their number if the game is not weighted."""
        return float(self.weights.sum())

    @cached_property
    def key(self) -> tuple[str, bytes]:
        """A key that boards share if their games are equal and they have the same candidates."""
        return self.game.fingerprint, self.candidates.tobytes()

    def split(self, guess: str) -> dict[Feedback, tuple[str, ...]]:
        """Return the candidates grouped by the feedback that a guess would get, largest part first."""
        parts = self.parts(self.game.index_of_guess(guess))
        largest_first = sorted(parts.items(), key=lambda part: (-len(part[1]), part[0]))
        answers = self.game.answers
        return {self.game.show(code): tuple(answers[i] for i in ids.tolist()) for code, ids in largest_first}

    def parts(self, guess: int) -> dict[int, Ids]:
        """Return the candidates, as indices of answers, by the code that the guess with this index would get."""
        codes = self.game.table.column(guess, self.candidates)
        order = np.argsort(codes, kind="stable")
        different, starts = np.unique(codes[order], return_index=True)
        groups = np.split(self.candidates[order], starts[1:])
        return {int(code): frozen(ids) for code, ids in zip(different, groups, strict=True)}

    def is_candidate(self, guesses: Ids | None = None) -> npt.NDArray[np.bool_]:
        """Return whether each of these guesses, or each guess of the game, may be the answer, bool[n_guesses]."""
        if guesses is not None and len(guesses) * len(self) <= len(self.game.guesses):
            pairs: npt.NDArray[np.bool_] = guesses[:, None] == self.candidate_guesses
            return pairs.any(axis=1)
        possible = np.zeros(len(self.game.guesses), dtype=np.bool_)
        possible[self.candidate_guesses] = True
        return possible if guesses is None else possible[guesses]

    def part_sizes(self, guesses: Ids | None = None) -> npt.NDArray[np.int32]:
        """Return how many candidates would get each code, int32[n_guesses, n_codes], for these guesses or for all."""
        table = self.game.table
        n_guesses = len(self.game.guesses) if guesses is None else len(guesses)
        sizes = np.zeros((n_guesses, table.n_codes), dtype=np.int32)
        with table.computing(len(self), n_guesses):
            for block, codes, rows in table.blocks(self.candidates, guesses):
                columns = np.arange(block.start, block.stop)
                for row in rows:
                    sizes[columns, codes[row]] += 1
        return sizes

    def costs(
        self,
        part_cost: PartCost,
        guesses: Ids | None = None,
        over_parts: str = "sum",
        groups: npt.NDArray[np.integer] | None = None,
    ) -> Floats:
        """Return the sum of `part_cost` over the parts of each guess, float64[n_guesses], by a native kernel.

        `guesses` are indices of guesses, by default all. `over_parts="max"` takes the largest cost instead of the sum.
        `groups`, int[n_codes] from 0 up, merges the parts of all codes in a group.
        """
        load_kernels(self.game)
        from wordle_kit.strategy.kernels import partition_costs

        table = self.game.table
        n_guesses = len(self.game.guesses) if guesses is None else len(guesses)
        n_groups = table.n_codes if groups is None else int(groups.max()) + 1
        cost = self._cost_of_size(part_cost)
        out = np.empty(n_guesses)
        with table.computing(len(self), n_guesses):
            if can_count(table, len(self)):
                return counted_costs(table, self.candidates, guesses, cost, groups, largest=over_parts == "max")
            for block, codes, rows in table.blocks(self.candidates, guesses):
                if groups is not None:
                    codes, rows = frozen(groups.astype(table.dtype)[codes[rows]]), all_of(rows)
                partition_costs(codes, rows, cost, n_groups, over_parts == "max", out[block])
        return out

    def _cost_of_size(self, part_cost: PartCost) -> Floats:
        """Return the cost of a part of each size, float64[n_candidates + 1]; size 0 costs nothing."""
        sizes = np.arange(1, len(self) + 1, dtype=np.float64)
        cost = np.zeros(len(self) + 1)
        cost[1:] = checked_costs(part_cost(sizes.copy()), sizes, part_cost)
        return cost

    def after(self, guess: int, code: int) -> "Board":
        """Return this board after a guess, an index, got a code. Raises GameError if no candidate is left."""
        if len(self) == 1:
            left = self.candidates[: int(self.game.table.code(guess, int(self.candidates[0])) == code)]
        else:
            left = self.candidates[self.game.table.column(guess, self.candidates) == code]
        if not len(left):
            raise GameError(f"no answer is left after {self.game.guesses[guess]} got {self.game.show(code)}")
        return self.with_part(code, left)

    def with_part(self, code: int, part: Ids) -> "Board":
        """Return this board after a guess got a code, given the part of the candidates with that code."""
        return Board(self.game, part, (*self.codes, code))

    def copy(self) -> "Board":
        """Return an equal board that is a different object."""
        twin = object.__new__(Board)
        vars(twin).update(vars(self))
        return twin


def checked_costs(given: object, sizes: Floats, part_cost: PartCost) -> Floats:
    """Return the costs that `part_cost` gave for some sizes. Raises StrategyError, naming the sizes, if it cannot.

    Infinity is a valid cost; nan is not.
    """
    try:
        costs = np.asarray(given)
    except (TypeError, ValueError):
        costs = np.empty(0, dtype=object)
    if given is None or costs.dtype.kind not in "biuf" or costs.shape != sizes.shape:
        raise StrategyError(f"{_problem_with_costs(given, costs, sizes)}; {_wanted(sizes, part_cost)}")
    if np.isnan(costs.min(initial=0.0)):
        wrong = np.flatnonzero(np.isnan(costs))
        few = ", ".join(f"{sizes[i]:g}" for i in wrong[:3])
        more = f" and {len(wrong) - 3:,} more sizes" if len(wrong) > 3 else ""
        size = "size" if len(wrong) == 1 else "sizes"
        raise StrategyError(f"part_cost gave nan for the {size} {few}{more}; {_wanted(sizes, part_cost)}")
    return costs.astype(np.float64)


def _problem_with_costs(given: object, costs: npt.NDArray[np.generic], sizes: Floats) -> str:
    asked = f"part_cost was asked about {len(sizes):,} sizes, 1 to {len(sizes):,}, and returned"
    if given is None:
        return f"{asked} None (missing `return`?)"
    if costs.dtype.kind not in "biuf":
        return f"{asked} {shown(given)}"
    return f"{asked} an array of shape {costs.shape}" if costs.shape else f"{asked} the single number {costs}"


def _wanted(sizes: Floats, part_cost: PartCost) -> str:
    return f"return a cost for each, float64[{len(sizes)}]{_defined(part_cost)}"


def _defined(function: object) -> str:
    """Return where a function is defined, as the end of a message."""
    code = getattr(function, "__code__", None)
    return f" ({Path(code.co_filename).name}, line {code.co_firstlineno})" if code is not None else ""


def load_kernels(game: Game) -> None:
    """Load the kernels that count parts in a game, or compile them if numba's cache does not have them."""
    if game.table.dtype not in _loaded:
        with engine_work():
            from wordle_kit.strategy.kernels import compiled

            compiled(game.table.dtype)
            _loaded.add(game.table.dtype)


_loaded: set[object] = set()
"""The types of codes for which the kernels are loaded."""
