"""Decision trees: the first guess, and the next guess after each feedback. Files have a line for each answer."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from wordle_kit.errors import GameError, TreeError, WordleKitError
from wordle_kit.files import path_of, read_text
from wordle_kit.game.game import Game
from wordle_kit.game.rules import MarksRule
from wordle_kit.plugins import plugins_of
from wordle_kit.strategy.board import Board
from wordle_kit.strategy.position import Position
from wordle_kit.texts import one_line

Moves = tuple[tuple[int, int], ...]
"""Guesses, each with the code that it got, as indices of guesses and codes."""

LETTERS = "BYG"
"""How trees write the marks absent, present and correct."""

NUMBERED = re.compile(r"(.+?):?(\d+)")
"""Matches feedback with the number of the guess after it. If feedback consists of digits, a colon separates them."""


class Node(NamedTuple):
    """A guess, and the node that follows each code of its feedback, except the winning code."""

    guess: int
    children: dict[int, "Node"]


@dataclass(frozen=True)
class Tree:
    """A decision tree for a game with one board. It starts from a position.

    `paths` and all figures are valid only for a tree that passes `check`.
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
        """The total number of guesses over all answers, counted from the root."""
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
        return f"<Tree of {one_line(self.game.name)}: {one_line(self.game.guesses[self.root.guess])} first>"

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
            raise TreeError(f"{self.game.name} has {self.game.boards} boards; decision trees are for games of one")
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
        moves = [*zip(position.guess_ids, board.codes, strict=True)]
        where = f"after {_moves_text(game, moves)} " if moves else ""
        if position.turn > game.cap:
            raise TreeError(f"{where}the answer {board.words[0]} is not found within {game.cap} guesses")
        guess = game.guesses[node.guess]
        problem = position.problem_with(guess)
        if problem is not None:
            raise TreeError(f"{where}{problem}")
        parts = board.parts(node.guess)
        parts.pop(game.winning_code, None)
        for code in node.children:
            if code not in parts:
                raise TreeError(f"{where}nothing is left to guess if {guess} gets {_feedback_text(game, code)}")
        for code, part in parts.items():
            if code not in node.children:
                more = f" and {len(part) - 1:,} more" if len(part) > 1 else ""
                path = _moves_text(game, [*moves, (node.guess, code)])
                raise TreeError(f"after {path} no guess for the answer {game.answers[part[0]]}{more}")
            after = Position(game, [board.with_part(code, part)], (*position.guess_ids, node.guess))
            self._check(node.children[code], after)


def _has_letters(game: Game) -> bool:
    """Return whether feedback is written as B, Y and G, because the rule gives every symbol the mark 0, 1 or 2."""
    return isinstance(game.rule, MarksRule) and game.rule.base == len(LETTERS)


def _feedback_text(game: Game, code: int) -> str:
    """Return a code as trees write it: as the letters B, Y and G for Wordle's marks, otherwise like `show`."""
    shown = str(game.feedback_of(code))
    return "".join(LETTERS[int(mark)] for mark in shown) if _has_letters(game) else shown


def _moves_text(game: Game, moves: Iterable[tuple[int, int]]) -> str:
    return " ".join(f"{game.guesses[guess]} {_feedback_text(game, code)}" for guess, code in moves)


# Files


def read_tree(path: Path | str, game: Game | str | Path) -> Tree:
    """Return the tree in a file after checking it.

    Raises TreeError, which names the place, if the tree does not solve every answer. Raises another WordleKitError if
    the file is not a tree, or if its header says that it is a tree of another game.
    """
    game = plugins_of(None).find_game(game)
    text = read_text(path_of("path", path))
    try:
        return parse_tree(text, game)
    except WordleKitError as error:
        raise type(error)(f"{path}: {error}") from error


def known_tree(game: Game | str | Path) -> Tree | None:
    """Return a tree with the lowest total of guesses for a game, or None if no tree has been proved optimal.

    `game` is given as for `load_game`.
    """
    game = plugins_of(None).find_game(game)
    proved = _proved_trees().get(game.fingerprint)
    return None if proved is None else read_tree(proved[0], game)


def perfect_total(fingerprint: str) -> int | None:
    """Return the lowest total of guesses for the game with this fingerprint, or None if none has been proved."""
    proved = _proved_trees().get(fingerprint)
    return None if proved is None else proved[1]


@cache
def _proved_trees() -> dict[str, tuple[Path, int]]:
    """Return the files of proved trees and their totals, by the fingerprint of the game."""
    from wordle_kit_data import FOLDER

    found = {}
    for file in sorted((FOLDER / "trees").glob("*.txt")):
        with file.open(encoding="utf-8") as lines:
            header = read_header(lines)
        found[header["fingerprint"]] = file, int(header["total"])
    return found


def read_header(lines: Iterable[str]) -> dict[str, str]:
    """Return the header of a tree's file: the values of its first lines, which look like `# key: value`."""
    first = takewhile(lambda line: line.startswith("# "), lines)
    header = (line[2:].strip().partition(": ") for line in first)
    return {key: value for key, colon, value in header if colon}


def tree_text(tree: Tree) -> str:
    """Return a tree as a text: a header and a line per answer, with blanks for words repeated from the line above.

    Raises WordleKitError if the words of the game contain spaces.
    """
    game = tree.game
    if game.alphabet.separator == " ":
        raise WordleKitError(f"the words of {game.name} contain spaces, which the text of a tree cannot hold")
    colon = "" if _has_letters(game) else ":"
    lines = [f"# game: {one_line(game.name)}", f"# fingerprint: {game.fingerprint}", f"# total: {tree.total}"]
    if tree.before:
        lines.append(f"# after: {_moves_text(game, tree.before)}")
    above: list[str] = []
    for path in tree.paths.values():
        words = []
        for number, (guess, code) in enumerate(path, start=1):
            words += [game.guesses[guess], f"{_feedback_text(game, code)}{colon}{number}"]
        shared = next(i for i, word in enumerate(words) if above[i : i + 1] != [word])
        lines.append(" " * sum(len(word) + 1 for word in words[:shared]) + " ".join(words[shared:]))
        above = words
    return "\n".join(lines) + "\n"


def parse_tree(text: str, game: Game) -> Tree:
    """Return the tree in a text after checking it. Raises the same errors as `read_tree`."""
    header = read_header(text.splitlines())
    if header.get("fingerprint", game.fingerprint) != game.fingerprint:
        raise WordleKitError(
            f"is a tree of {one_line(header.get('game', 'another game'))} with the fingerprint "
            f"{one_line(header['fingerprint'])}, but the fingerprint of {game.name} is {game.fingerprint}"
        )
    earlier = header.get("after", "").split()
    before = tuple(
        (game.index_of_guess(guess), game.read_feedback(seen).code)
        for guess, seen in zip(earlier[::2], earlier[1::2], strict=False)
    )
    nodes: dict[Moves, Node] = {}
    for number, words in _full_lines(text):
        path: Moves = ()
        for turn, (guess, code) in enumerate(_moves_of(words, number, game), start=1):
            node = nodes.setdefault(path, Node(guess, {}))
            if path:
                nodes[path[:-1]].children[path[-1][1]] = node
            if node.guess != guess:
                guesses = f"{game.guesses[guess]}, but {game.guesses[node.guess]} above"
                raise TreeError(f"line {number}: guess {turn} is {guesses}")
            path = (*path, (guess, code))
    if before not in nodes:
        raise WordleKitError("has no lines, or none that begins with the guesses before the tree")
    tree = Tree(game, nodes[before], before)
    tree.check()
    if header.get("total", str(tree.total)) != str(tree.total):
        raise TreeError(f"says that the total is {one_line(header['total'])}, but the tree takes {tree.total}")
    return tree


def _full_lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the words of each line, including those repeated from the line above."""
    above = ""
    for number, written in enumerate(text.splitlines(), start=1):
        own = written.strip(" ")
        if not own or f"{own} ".startswith("# "):
            continue
        above = above[: len(written) - len(written.lstrip(" "))] + own
        yield number, above.split()


def _moves_of(words: list[str], number: int, game: Game) -> Iterator[tuple[int, int]]:
    """Yield the guess and the code of each move of a line. Raises WordleKitError, which names the line."""
    if len(words) % 2:
        raise WordleKitError(f"line {number}: {words[-1]!r} has no feedback; write guess, feedback and number")
    for turn, (guess, numbered) in enumerate(zip(words[::2], words[1::2], strict=True), start=1):
        match = NUMBERED.fullmatch(numbered)
        if match is None or int(match[2]) != turn:
            raise WordleKitError(f"line {number}: {numbered!r} is not feedback followed by {turn}, the guess's number")
        try:
            yield game.index_of_guess(guess), game.read_feedback(match[1]).code
        except GameError as error:
            raise TreeError(f"line {number}: {error}") from error
