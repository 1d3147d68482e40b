"""What a player knows before a guess, and the questions about it that the engine answers fast."""

import hashlib
import numbers
import random
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from wordle_kit import notebook
from wordle_kit.arguments import listed
from wordle_kit.engine import engine_work
from wordle_kit.errors import GameError, StrategyError
from wordle_kit.game.game import Game, frozen
from wordle_kit.game.rules import Feedback
from wordle_kit.game.table import Ids, all_of
from wordle_kit.names import shown

PartCost = Callable[[npt.NDArray[np.float64]], npt.NDArray[np.float64]]
"""A cost of part size: given sizes from 1 up, float64[n], returns what a part of each size costs, float64[n]."""

COUNTS_AT_ONCE = 2**22
"""How many sizes of parts are counted at once, where memory would else grow with guesses times codes."""

BoardChoice = Literal["fewest", "most", "first"]
"""Of several open boards: that with the fewest candidates or the most, the first of equals, or simply the first."""


class Board:
    """One hidden word with everything learnt about it. Read-only."""

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
        """The candidates: the answers that agree with all feedback so far, in the game's order."""
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
    def key(self) -> tuple[str, bytes]:
        """What is the same for all boards of a game that have the same candidates."""
        return self.game.fingerprint, self.candidates.tobytes()

    def split(self, guess: str) -> dict[Feedback, tuple[str, ...]]:
        """Return the candidates grouped by the feedback that a guess would get, the largest part first."""
        parts = self.parts(_guess_id(self.game, guess))
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
        """Return which guesses, or which of all, may still be the answer, bool[n_guesses]."""
        possible = np.zeros(len(self.game.guesses), dtype=np.bool_)
        possible[self.candidate_guesses] = True
        return possible if guesses is None else possible[guesses]

    def part_sizes(self, guesses: Ids | None = None) -> npt.NDArray[np.int32]:
        """Return how many candidates would get each code, int32[n_guesses, n_codes], for some guesses or for all."""
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
    ) -> npt.NDArray[np.float64]:
        """Return the sum of `part_cost` over the parts of each guess, float64[n_guesses], by a native kernel.

        `guesses` are indices of guesses, all of them unless given; `over_parts="max"` takes the largest, not the sum;
        `groups`, int[n_codes] from 0 up, counts the parts of all codes of a group as one.
        """
        load_kernels(self.game)
        from wordle_kit.strategy.kernels import partition_costs

        table = self.game.table
        n_guesses = len(self.game.guesses) if guesses is None else len(guesses)
        n_groups = table.n_codes if groups is None else int(groups.max()) + 1
        cost = self._cost_of_size(part_cost)
        out = np.empty(n_guesses)
        with table.computing(len(self), n_guesses):
            for block, codes, rows in table.blocks(self.candidates, guesses):
                if groups is not None:
                    codes, rows = frozen(groups.astype(table.dtype)[codes[rows]]), all_of(rows)
                partition_costs(codes, rows, cost, n_groups, over_parts == "max", out[block])
        return out

    def costs_in_order(
        self, part_cost: PartCost, codes: Sequence[int], guesses: Ids | None = None
    ) -> npt.NDArray[np.float64]:
        """Return the sum of `part_cost` over the parts of each guess, float64[n_guesses], in the order of these codes.

        For scores whose last digits count; `costs` is many times as fast, and adds up in an order of its own.
        """
        every = np.arange(len(self.game.guesses), dtype=np.int32) if guesses is None else guesses
        cost = self._cost_of_size(part_cost)
        out = np.zeros(len(every))
        step = max(1, COUNTS_AT_ONCE // self.game.table.n_codes)
        for start in range(0, len(every), step):
            sizes = self.part_sizes(every[start : start + step])
            for code in codes:
                out[start : start + step] += cost[sizes[:, code]]
        return out

    def _cost_of_size(self, part_cost: PartCost) -> npt.NDArray[np.float64]:
        """Return the cost of a part of each size from 0, which costs nothing, float64[n_candidates + 1]."""
        sizes = np.arange(1, len(self) + 1, dtype=np.float64)
        cost = np.zeros(len(self) + 1)
        cost[1:] = checked_costs(part_cost(sizes.copy()), sizes, part_cost)
        return cost

    def after(self, guess: int, code: int) -> "Board":
        """Return this board after the guess with this index got a code. Raises GameError where no candidate is left."""
        if len(self) == 1:
            left = self.candidates[: int(self.game.table.code(guess, int(self.candidates[0])) == code)]
        else:
            left = self.candidates[self.game.table.column(guess, self.candidates) == code]
        if not len(left):
            raise GameError(f"no answer is left after {self.game.guesses[guess]} got {self.game.show(code)}")
        return self.with_part(code, left)

    def with_part(self, code: int, part: Ids) -> "Board":
        """Return this board after a guess that got a code, given the part of the candidates that gets it."""
        return Board(self.game, part, (*self.codes, code))

    def copy(self) -> "Board":
        """Return a board of the same knowledge that is another object."""
        twin = object.__new__(Board)
        vars(twin).update(vars(self))
        return twin


def checked_costs(given: object, sizes: npt.NDArray[np.float64], part_cost: PartCost) -> npt.NDArray[np.float64]:
    """Return the costs that `part_cost` gave for some sizes. Raises StrategyError, naming the sizes, if it cannot.

    Infinity is a cost; what is not a number is not.
    """
    asked = f"part_cost was asked about {len(sizes):,} sizes, 1 to {len(sizes):,}, and returned"
    wanted = f"return a cost for each, float64[{len(sizes)}]{_defined(part_cost)}"
    if given is None:
        raise StrategyError(f"{asked} None (missing `return`?); {wanted}")
    try:
        costs = np.asarray(given)
    except (TypeError, ValueError):
        costs = np.empty(0, dtype=object)
    if costs.dtype.kind not in "biuf":
        raise StrategyError(f"{asked} {shown(given)}; {wanted}")
    if costs.shape != sizes.shape:
        shape = f"an array of shape {costs.shape}" if costs.shape else f"the single number {costs}"
        raise StrategyError(f"{asked} {shape}; {wanted}")
    wrong = np.flatnonzero(np.isnan(costs))
    if len(wrong):
        few = ", ".join(f"{sizes[i]:g}" for i in wrong[:3])
        more = f" and {len(wrong) - 3:,} more sizes" if len(wrong) > 3 else ""
        raise StrategyError(f"part_cost gave nan for the size{'s' * (len(wrong) > 1)} {few}{more}; {wanted}")
    return costs.astype(np.float64)


def _defined(function: object) -> str:
    """Return where a function is defined, as the end of a message."""
    code = getattr(function, "__code__", None)
    return f" ({Path(code.co_filename).name}, line {code.co_firstlineno})" if code is not None else ""


class Position:
    """All that a player knows before a guess: its boards, the turn and the guesses so far. Read-only.

    It stands for the same knowledge however it was reached, so a strategy that looks at nothing else gives the same
    guess wherever, whenever and in whatever order it is asked.
    """

    game: Game
    boards: tuple[Board, ...]
    guess_ids: tuple[int, ...]
    """The indices of the guesses so far."""
    _seed: str | None
    _choice: BoardChoice

    def __init__(
        self,
        game: Game,
        boards: Sequence[Board],
        guess_ids: tuple[int, ...] = (),
        seed: str | None = None,
        choice: BoardChoice = "fewest",
    ) -> None:
        vars(self).update(game=game, boards=tuple(boards), guess_ids=guess_ids, _seed=seed, _choice=choice)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a position is read-only, so {name!r} cannot be set")

    @classmethod
    def start(cls, game: Game, seed: str | None = None) -> "Position":
        """Return the position before the first guess."""
        if not isinstance(game, Game):
            raise GameError(f"{shown(game)} is not a Game; give what wordle_kit.load_game returns")
        everything = frozen(np.arange(len(game.answers), dtype=np.int32))
        return cls(game, [Board(game, everything)] * game.boards, seed=seed)

    def _repr_html_(self) -> str:
        """Return the form that notebooks show."""
        answered = [[str(self.game.show(code).tiles) for code in board.codes] for board in self.boards]
        rows = []
        for turn, guess in enumerate(self.guess_ids):
            seen = [tiles[turn] if turn < len(tiles) else "" for tiles in answered]
            boards = {f"board {number}": text for number, text in enumerate(seen, start=1)}
            rows.append({"turn": turn + 1, "guess": self.game.guesses[guess], **boards})
        notes = []
        for number, board in enumerate(self.boards, start=1):
            which = f"Board {number}: " if len(self.boards) > 1 else ""
            left = "solved" if board.is_solved else f"{len(board):,} left: {notebook.few(board.words)}"
            notes.append(f"{which}{left}")
        return notebook.table(rows, notes)

    @property
    def turn(self) -> int:
        """The number of the guess that is to be made, counted from 1."""
        return len(self.guess_ids) + 1

    @property
    def guesses(self) -> tuple[str, ...]:
        """The guesses so far."""
        return tuple(self.game.guesses[i] for i in self.guess_ids)

    @cached_property
    def open_boards(self) -> tuple[Board, ...]:
        """The boards that are not solved."""
        return tuple(board for board in self.boards if not board.is_solved)

    @property
    def board(self) -> Board:
        """The board, or of several the open one with the fewest candidates, unless `looking_at` chose otherwise."""
        boards = self.open_boards or self.boards
        if self._choice == "first":
            return boards[0]
        return min(boards, key=len) if self._choice == "fewest" else max(boards, key=len)

    @cached_property
    def rng(self) -> random.Random:
        """Random numbers for strategies that declare `stochastic = True`.

        They depend on the tournament's seed, the strategy, the puzzle and the turn alone.
        """
        digest = hashlib.sha256(f"{self._seed}|{self.turn}".encode()).digest()
        return random.Random(int.from_bytes(digest, "big"))

    @cached_property
    def allowed(self) -> Ids | None:
        """The indices of the guesses that hard mode allows here, or None where every guess is allowed."""
        if not self.game.hard_mode or not self.guess_ids:
            return None
        masks = [
            self.game.allowed_after(guess, code)
            for board in self.open_boards
            for guess, code in zip(self.guess_ids, board.codes, strict=True)
        ]
        return frozen(np.flatnonzero(np.logical_and.reduce(masks)).astype(np.int32)) if masks else None

    def allows(self, guess: str) -> str | None:
        """Return why a guess is not allowed here, or None where it is."""
        guess_id = self.game.guess_ids.get(guess) if isinstance(guess, str) else None
        if guess_id is None:
            return f"{shown(guess)} is not among the guesses of {self.game.name}"
        return self._hard_mode_problem(guess) if self.game.hard_mode else None

    def copy(self) -> "Position":
        """Return a position of the same knowledge that is another object, boards included."""
        return Position(self.game, [board.copy() for board in self.boards], self.guess_ids, self._seed, self._choice)

    def looking_at(self, choice: BoardChoice) -> "Position":
        """Return this position with another choice of `board` among several open ones."""
        if choice not in get_args(BoardChoice):
            raise GameError(f"choice is {shown(choice)}; give {', '.join(map(repr, get_args(BoardChoice)))}")
        return Position(self.game, self.boards, self.guess_ids, self._seed, choice)

    def after(self, guess: str | int, feedback: Iterable[int | str | Feedback] | str | Feedback) -> "Position":
        """Return the position after a guess got this feedback, one for each board, or a single one on one board.

        Feedback is a code, its digits, letters or tiles, or a Feedback; on a solved board it is ignored. Raises
        GameError for what is no guess, no feedback, or leaves no answer.
        """
        guess_id = _guess_id(self.game, guess)
        each = [feedback] if isinstance(feedback, Feedback) else listed(feedback)
        if len(each) != len(self.boards):
            raise GameError(f"{self.game.name} has {len(self.boards)} boards; give feedback on each, not {len(each)}")
        boards = [
            board if board.is_solved else board.after(guess_id, _code(self.game, one))
            for board, one in zip(self.boards, each, strict=True)
        ]
        return Position(self.game, boards, (*self.guess_ids, guess_id), self._seed, self._choice)

    def __repr__(self) -> str:
        if not self.guess_ids:
            return f"<Position in {self.game.name}: no guess yet>"
        seen = [
            f"{guess} "
            + "/".join(str(board.feedback[turn]) if turn < len(board.codes) else "-" for board in self.boards)
            for turn, guess in enumerate(self.guesses)
        ]
        left = ", ".join("solved" if board.is_solved else f"{len(board)} left" for board in self.boards)
        return f"<Position in {self.game.name}: {', '.join(seen)}; {left}>"

    def _hard_mode_problem(self, guess: str) -> str | None:
        split = self.game.alphabet.split
        word = split(guess)
        for number, board in enumerate(self.boards, start=1):
            for earlier, code in () if board.is_solved else zip(self.guesses, board.codes, strict=True):
                problem = self.game.rule.hard_mode_problem(word, split(earlier), code)
                if problem is not None:
                    where = f" on board {number}" if len(self.boards) > 1 else ""
                    seen = self.game.show(code)
                    return f"{guess!r} is not allowed in hard mode{where}: {problem}, since {earlier!r} got {seen}"
        return None


def load_kernels(game: Game) -> None:
    """Have the kernels ready that count parts in a game, compiled where numba's cache does not have them."""
    if game.table.dtype not in _loaded:
        with engine_work():
            from wordle_kit.strategy.kernels import compiled

            compiled(game.table.dtype)
            _loaded.add(game.table.dtype)


_loaded: set[object] = set()
"""The types of codes that the kernels have been loaded for."""


def _guess_id(game: Game, guess: object) -> int:
    if isinstance(guess, numbers.Integral) and not isinstance(guess, bool):
        if not 0 <= int(guess) < len(game.guesses):
            last = len(game.guesses) - 1
            raise GameError(f"{guess} is not the index of a guess of {game.name}; they go from 0 to {last}")
        return int(guess)
    if not isinstance(guess, str):
        raise GameError(f"{shown(guess)} is not a guess; give a word, or the index of one")
    return game.guess_id(guess)


def _code(game: Game, feedback: int | str | Feedback) -> int:
    if isinstance(feedback, str):
        return game.read_feedback(feedback).code
    code = feedback.code if isinstance(feedback, Feedback) else feedback
    if not isinstance(code, numbers.Integral) or not 0 <= code < game.table.n_codes:
        last = game.table.n_codes - 1
        raise GameError(f"{shown(code)} is not a feedback code of {game.name}; they go from 0 to {last}")
    return int(code)
