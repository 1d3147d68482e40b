"""Decision trees: the first guess, and the next guess after each feedback."""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from wordle_kit.errors import TreeError
from wordle_kit.game.game import Game
from wordle_kit.game.rules import MarksRule
from wordle_kit.strategy.board import Board
from wordle_kit.strategy.position import Position
from wordle_kit.tables import html_table
from wordle_kit.texts import line, number_of

Moves = tuple[tuple[int, int], ...]
"""Guesses, each with the code that it got, as indices of guesses and codes."""

LETTERS = "BYG"
"""How trees write the marks absent, present and correct."""


class Node(NamedTuple):
    """A guess, and the node that follows each code of its feedback, except the winning code."""

    guess: int
    children: dict[int, "Node"]


@dataclass(frozen=True)
class Tree:
    """A decision tree for a game with one board. It starts from a position.

    `paths` and all figures are right only for a tree that passes `check`.
    """

    game: Game
    root: Node
    before: Moves = ()
    """The guesses before the root, with the codes that they got."""

    @cached_property
    def position(self) -> Position:
        """The position in which the root's guess is made. Raises GameError if such a position is impossible."""
        position = Position.start(self.game)
        for guess, code in self.before:
            position = position.after(guess, [code])
        return position

    @cached_property
    def paths(self) -> dict[int, Moves]:
        """The path to each answer, by the index of the answer. It includes the guesses before the root."""
        return dict(self._paths(self.root, self.position.board, self.before))

    @property
    def total(self) -> int:
        """The sum of the guesses over all answers, counted from the root."""
        return sum(turns * answers for turns, answers in self.distribution.items())

    @property
    def weighted_mean(self) -> float | None:
        """The expected number of guesses from the root, by the weights of the answers.

        None if all weights are the same.
        """
        board = self.position.board
        if not self.game.is_weighted:
            return None
        turns = [len(self.paths[answer]) - len(self.before) for answer in board.candidates.tolist()]
        return math.fsum((board.weights * turns).tolist()) / board.mass

    @property
    def depth(self) -> int:
        """The largest number of guesses that an answer takes, counted from the root."""
        return max(self.distribution)

    @cached_property
    def distribution(self) -> dict[int, int]:
        """The number of answers for each number of guesses, counted from the root, in ascending order."""
        lengths = (len(path) - len(self.before) for path in self.paths.values())
        return dict(sorted(Counter(lengths).items()))

    def __repr__(self) -> str:
        return f"<Tree of {line(self.game.name)}: {line(self.game.guesses[self.root.guess])} first>"

    def _repr_html_(self) -> str:
        """Return the HTML that notebooks show: the root, and the next guess after each feedback."""
        words, board = self.game.guesses, self.position.board
        rows = [
            {
                "feedback": str(self.game.show(code).tiles),
                "words left": len(part),
                "next guess": words[self.root.children[code].guess] if code in self.root.children else "",
            }
            for code, part in board.parts(self.root.guess).items()
        ]
        took = ", ".join(f"{count:,} in {turns}" for turns, count in self.distribution.items())
        guesses, answers = number_of(self.total, "guess", "guesses"), number_of(len(board), "answer")
        note = f"{guesses} for {answers}, at most {self.depth} each: {took}."
        if self.weighted_mean is not None:
            note += f" By the weights of the answers, {self.weighted_mean:.4f} on average."
        return html_table(rows, [f"First guess: {words[self.root.guess]}.", note])

    def after(self, path: Moves) -> Node | None:
        """Return the node to which a path from the start of the game leads, or None."""
        if path[: len(self.before)] != self.before:
            return None
        node: Node | None = self.root
        for guess, code in path[len(self.before) :]:
            node = node.children.get(code) if node is not None and node.guess == guess else None
        return node

    def check(self) -> None:
        """Raise TreeError, which names the place, unless the tree solves every answer that is left in its position."""
        if self.game.boards != 1:
            raise TreeError(f"{self.game.name} has {self.game.boards} boards; decision trees are for games of one", ())
        self._check(self.root, self.position)

    def _paths(self, node: Node, board: Board, path: Moves) -> Iterator[tuple[int, Moves]]:
        for code, part in board.parts(node.guess).items():
            here = (*path, (node.guess, code))
            if code == self.game.winning_code:
                yield int(part[0]), here
            else:
                yield from self._paths(node.children[code], board.with_part(code, part), here)

    def _check(self, node: Node, position: Position) -> None:
        game, board = self.game, position.board
        path = tuple(zip(position.guess_ids, board.codes, strict=True))
        if position.turn > game.cap:
            raise self._error(path, f"the answer {board.words[0]} is not found within {game.cap} guesses")
        if not 0 <= node.guess < len(game.guesses):
            raise self._error(path, f"{node.guess} is not the index of a guess of {game.name}")
        guess = game.guesses[node.guess]
        problem = position.allows(guess)
        if problem is not None:
            raise self._error(path, problem)
        parts = board.parts(node.guess)
        for code in node.children:
            if code == game.winning_code:
                raise self._error((*path, (node.guess, code)), "nothing is left to guess")
            if code not in parts:
                shown = show_feedback(game, code) if 0 <= code < game.table.n_codes else str(code)
                problem = f"no remaining answer gives {guess} the feedback {shown}"
                raise TreeError(describe_path(game, path) + problem, (*path, (node.guess, code)))
        for code, part in parts.items():
            if code == game.winning_code:
                continue
            child = node.children.get(code)
            if child is None:
                raise self._error((*path, (node.guess, code)), f"no guess for {name_answers(game, part.tolist())}")
            self._check(child, Position(game, [board.with_part(code, part)], (*position.guess_ids, node.guess)))

    def _error(self, path: Moves, problem: str) -> TreeError:
        return TreeError(describe_path(self.game, path) + problem, path)


def name_answers(game: Game, answers: list[int]) -> str:
    """Return a text with the first of some answers and the number of the others."""
    more = f" and {len(answers) - 1:,} more" if len(answers) > 1 else ""
    return f"the answer {game.answers[answers[0]]}{more}"


def describe_path(game: Game, path: Moves) -> str:
    """Return a path as the beginning of a message. It is empty for the start."""
    if not path:
        return ""
    return f"after {' '.join(f'{game.guesses[guess]} {show_feedback(game, code)}' for guess, code in path)} "


def has_letters(game: Game) -> bool:
    """Return whether feedback is written as B, Y and G, because the rule gives every symbol the mark 0, 1 or 2."""
    return isinstance(game.rule, MarksRule) and game.rule.base == len(LETTERS)


def show_feedback(game: Game, code: int) -> str:
    """Return a code as trees write it: as the letters B, Y and G for Wordle's marks, otherwise like `show`."""
    shown = str(game.show(code))
    return "".join(LETTERS[int(mark)] for mark in shown) if has_letters(game) else shown
