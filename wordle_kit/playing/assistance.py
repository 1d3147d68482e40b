"""Help for people who play: suggested guesses and the reasons for them, and puzzles that are played elsewhere."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import numpy as np

from wordle_kit.analysis.guesses import measured, ranking
from wordle_kit.errors import GameError, StrategyError
from wordle_kit.game.game import Game
from wordle_kit.game.rules import MarksRule, Rule
from wordle_kit.pages.marks import mark_names
from wordle_kit.strategy.board import Board
from wordle_kit.strategy.moves import read_move
from wordle_kit.strategy.partition import PartitionStrategy
from wordle_kit.strategy.position import Position
from wordle_kit.strategy.strategy import Strategy
from wordle_kit.texts import number_of, percent
from wordle_kit.tournaments.chance import chance_of_one, decision_seed
from wordle_kit.tournaments.entrants import Entrant
from wordle_kit.tournaments.host import Host
from wordle_kit.tournaments.outcome import Failure
from wordle_kit.tournaments.referee import Referee


def legend(rule: Rule, *, tiles: bool = True) -> str:
    """Return a sentence that explains the feedback of a rule, or an empty text for the usual marks.

    Without `tiles`, it explains feedback in characters only.
    """
    names = mark_names(rule)
    if rule.legend(tiles=tiles) or not names or names == list(MarksRule.mark_names):
        return rule.legend(tiles=tiles)
    return f"Marks: {', '.join(f'{mark} {name}' for mark, name in enumerate(names))}."


def noun(game: Game) -> str:
    """Return `word`, or `item` in a game of items."""
    return "word" if game.rule.items is None else "item"


def best_guess(position: Position, entrant: Entrant, deadline: float, seed: int | None = None) -> str:
    """Return a strategy's guess in a position. Raises StrategyError if it gives none, saying what it did."""
    strategy = entrant.strategy
    key = chance_of_one(strategy, seed, None).key
    if strategy.stochastic:
        chance = decision_seed(key, strategy, 0, position)
        position = Position(position.game, position.boards, position.guess_ids, chance)
    decision = Referee(position.game, strategy, key, deadline).decide(position)
    if isinstance(decision, Failure):
        raise StrategyError(f"{entrant.label} has no guess: {decision.outcome}: {decision.message}")
    return position.game.guesses[decision]


def suggestions(position: Position, entrant: Entrant, top: int, deadline: float) -> list[dict[str, Any]]:
    """Return the guesses that a strategy would make, the best first, and how many words each is expected to leave.

    The first is the strategy's own choice; a strategy that scores no guesses has no other. If only one word is left on
    each board, the others are these words. A row has rank, word, bits, expected size, largest part and answer: whether
    the word may be the answer. If answers have weights, it also has the chance that the word is the answer. Raises
    StrategyError if the strategy has no guess.
    """
    chosen = position.game.guess_ids[best_guess(position, entrant, deadline)]
    guesses = [chosen]
    if all(len(board) == 1 for board in position.open_boards):  # nothing else is worth a guess
        best = [int(board.candidate_guesses[0]) for board in position.open_boards]
        guesses += [guess for guess in dict.fromkeys(best) if guess != chosen]
    elif isinstance(entrant.strategy, PartitionStrategy):
        best = ranking(position, entrant.strategy).guesses[: top + 1].tolist()
        guesses += [guess for guess in best if guess != chosen]
    rows = measured(position, np.array(guesses[:top], dtype=np.int32))
    return [{"rank": rank, **row} for rank, row in enumerate(rows, start=1)]


@dataclass(frozen=True)
class Rival:
    """The guesses of a strategy against the same host."""

    guesses: tuple[str, ...]
    is_solved: bool
    problem: str = ""


def rival(entrant: Entrant, game: Game, host: Host, limit: int | None, deadline: float, seed: int) -> Rival:
    """Return how a strategy plays against a host, with at most `limit` guesses, or the game's cap."""
    position = Position.start(game)
    for _ in range(game.cap if limit is None else limit):
        try:
            guess = best_guess(position, entrant, deadline, seed)
        except StrategyError as error:
            return Rival(position.guesses, False, str(error))
        position = position.after(guess, host.answer(position, game.guess_ids[guess]))
        if not position.open_boards:
            return Rival(position.guesses, True)
    return Rival(position.guesses, False)


def explanation(position: Position, strategy: Strategy, guess: str) -> list[str]:
    """Return lines that say why a strategy made a guess in a position: its score and the runner-up, and the parts."""
    return [_choice(position, strategy, guess), _parts(position, guess)]


def _choice(position: Position, strategy: Strategy, guess: str) -> str:
    if not isinstance(strategy, PartitionStrategy):
        return f"{strategy.spec} does not score guesses"
    if strategy.opener == guess and position.turn == 1:
        return f"the opener that {strategy.spec} was given"
    if any(len(board) == 1 and board.words[0] == guess for board in position.open_boards):
        several = len(position.boards) > 1
        return f"the only {noun(position.game)} left{' on a board' * several}"
    order = ranking(position, strategy)
    words = [position.game.guesses[number] for number in order.guesses.tolist()]
    if guess not in words:
        return f"{strategy.spec} chose it without its score"
    place = words.index(guess)
    rank = "the best" if place == 0 else f"rank {place + 1:,}"
    chosen = f"{order.header} {order.scores[place]:.3f}, {rank} of {len(words):,}"
    if len(words) == 1:
        return chosen
    other = 1 if place == 0 else 0
    return f"{chosen}; {'runner-up' if place == 0 else 'the best is'} {words[other]} with {order.scores[other]:.3f}"


def _parts(position: Position, guess: str) -> str:
    ids = np.array([position.game.guess_ids[guess]], dtype=np.int32)
    (row,) = measured(position, ids)
    left = sum(map(len, position.open_boards))
    count = sum(int(np.count_nonzero(board.part_sizes(ids))) for board in position.open_boards)
    if left == len(position.open_boards):
        return "nothing is left to tell apart"
    by_weight = f" by weight, {percent(row['chance'])} to be the answer" if position.game.is_weighted else ""
    return (
        f"splits {number_of(left, noun(position.game))} into {number_of(count, 'part')} of at most "
        f"{row['largest part']:,}, {row['expected size']:.2f} expected: {row['bits']:.3f} bits{by_weight}"
    )


@dataclass(frozen=True)
class Mend:
    """A change to the feedback on one guess with which some words fit again."""

    turn: int
    """The guess, counted from 1."""
    code: int
    words: int
    """How many words fit then."""
    distance: int
    """The number of places in which the feedback differs from the feedback that was typed."""


def nearest_mend(board: Board, guesses: Sequence[int], codes: Sequence[int]) -> Mend:
    """Return the least change of the feedback on one guess that leaves a word, given all guesses and codes of a board.

    Ties go to the latest guess, then to the most words left, then to the lowest code. If all feedback before the last
    left a word, some change of the last always leaves one.
    """
    game = board.game
    answers = np.arange(len(game.answers), dtype=np.int32)
    fits = [game.table.column(guess, answers) == code for guess, code in zip(guesses, codes, strict=True)]
    mends = []
    for turn in range(len(guesses)):
        left = answers[
            np.logical_and.reduce([fit for other, fit in enumerate(fits) if other != turn] or [fits[0] | True])
        ]
        seen = game.show(codes[turn]).tiles
        different, sizes = np.unique(game.table.column(guesses[turn], left), return_counts=True)
        for code, size in zip(different.tolist(), sizes.tolist(), strict=True):
            distance = sum(one != other for one, other in zip_longest(seen, game.show(code).tiles))
            mends.append(Mend(turn + 1, code, size, distance))
    return min(mends, key=lambda mend: (mend.distance, -mend.turn, -mend.words, mend.code))


def explained_loss(position: Position, guess: int, codes: Sequence[int]) -> str | None:
    """Return why no word fits after a guess in a position got these codes, one a board; None if words fit."""
    game = position.game
    for number, (board, code) in enumerate(zip(position.boards, codes, strict=True), start=1):
        if board.is_solved or code in game.table.column(guess, board.candidates):
            continue
        guesses, seen = (*position.guess_ids, guess), (*board.codes, code)
        mend = nearest_mend(board, guesses, seen)
        where = f" on board {number}" if len(position.boards) > 1 else ""
        word = noun(game)
        lost = (
            f"the last {len(board):,} {word}s were" if len(board) > 1 else f"the last {word}, {board.words[0]!r}, was"
        )
        words = f"{number_of(mend.words, word)}"
        return (
            f"no {word} fits{where}: {lost} lost at guess {len(guesses)}, {game.guesses[guess]} {game.show(code)}; the "
            f"nearest feedback that fits is {game.guesses[guesses[mend.turn - 1]]} {game.show(mend.code)} "
            f"(guess {mend.turn}, {words})"
        )
    return None


SOLVED = "-"
"""The sign in place of the feedback on a solved board."""


@dataclass(frozen=True)
class Assistance:
    """A player's guesses and their feedback, with the position before each guess."""

    position: Position
    earlier: tuple[Position, ...] = ()

    @classmethod
    def start(cls, game: Game) -> "Assistance":
        """Return the state before the first guess."""
        return cls(Position.start(game))

    def add(self, text: str) -> "Assistance":
        """Return the state after a move such as `crane 01100`, with a `/` between several boards.

        Raises GameError for text that cannot be read, and like `after`.
        """
        return self.after(*read_move(self.position.game, text, " "))

    def after(self, guess: str, seen: Sequence[str]) -> "Assistance":
        """Return the state after a guess got this feedback, a text for each board.

        Raises GameError for a guess that the game refuses, and for feedback that fits no word, naming the nearest that
        does.
        """
        position, game = self.position, self.position.game
        if not position.open_boards:
            raise GameError("the puzzle is solved")
        word = game.alphabet.join(game.word(guess))
        problem = position.allows(word)
        if problem is not None:
            raise GameError(problem)
        codes = [
            game.winning_code if board.is_solved else _code(game, number, one)
            for number, (board, one) in enumerate(zip(position.boards, seen, strict=True), start=1)
        ]
        lost = explained_loss(position, game.guess_ids[word], codes)
        if lost is not None:
            raise GameError(lost)
        return Assistance(position.after(word, codes), (*self.earlier, position))

    def undo(self) -> "Assistance":
        """Return the state before the last guess. Raises GameError if there is none."""
        if not self.earlier:
            raise GameError("there is no guess to take back")
        return Assistance(self.earlier[-1], self.earlier[:-1])


def _code(game: Game, number: int, text: str) -> int:
    """Return the code of the feedback on an open board, counted from 1. Raises GameError for other text."""
    try:
        return game.read_feedback(text).code
    except GameError:
        if text == SOLVED and game.boards > 1:
            raise GameError(f"{text!r} is for a solved board; write the feedback on board {number}") from None
        raise
