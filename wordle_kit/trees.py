"""Decision trees: the first guess, and the next guess after each feedback. In files, a line for each answer."""

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from wordle_kit import texts
from wordle_kit.api import load_game
from wordle_kit.errors import GameError, TreeError, WordleKitError
from wordle_kit.files import path_of, read_text
from wordle_kit.game.game import Game
from wordle_kit.game.rules import MarksRule
from wordle_kit.leaderboard.metrics import proved_tree, tree_header
from wordle_kit.strategy.board import Board
from wordle_kit.strategy.position import Position
from wordle_kit.tables import render
from wordle_kit.texts import number_of

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
        return f"<Tree of {texts.line(self.game.name)}: {texts.line(self.game.guesses[self.root.guess])} first>"

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
        return render(rows, "html", [f"First guess: {words[self.root.guess]}.", note])

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


# Files


def read_tree(path: Path | str, game: Game | str | Path) -> Tree:
    """Return the tree in a file, checked.

    Raises TreeError, which names the place, if the tree does not solve every answer. Raises another WordleKitError if
    the file is not a tree, or if its header says that it is a tree of another game.
    """
    game = load_game(game)
    text = read_text(path_of("path", path))
    try:
        return tree_of_text(text, game)
    except TreeError as error:
        raise TreeError(f"{path}: {error}", error.path) from error
    except WordleKitError as error:
        raise WordleKitError(f"{path}: {error}") from error


def known_tree(game: Game | str | Path) -> Tree | None:
    """Return a tree with the least total of guesses for a game, or None if no such tree has been proved.

    `game` is given as for `load_game`.
    """
    game = load_game(game)
    file = proved_tree(game.fingerprint)
    return None if file is None else read_tree(file, game)


def text_of(tree: Tree) -> str:
    """Return a tree as a text: a header, and a line per answer, with blanks for what the line above has too.

    Raises WordleKitError if the words of the game contain spaces.
    """
    game = tree.game
    if game.alphabet.separator == " ":
        raise WordleKitError(f"the words of {game.name} contain spaces, which the text of a tree cannot hold")
    colon = "" if has_letters(game) else ":"
    before = [f"{game.guesses[guess]} {show_feedback(game, code)}" for guess, code in tree.before]
    lines = [
        f"# game: {texts.line(game.name)}",
        f"# fingerprint: {game.fingerprint}",
        f"# total: {tree.total}",
        *([f"# after: {' '.join(before)}"] if before else []),
    ]
    above: list[str] = []
    for path in tree.paths.values():
        words = []
        for number, (guess, code) in enumerate(path, start=1):
            words += [game.guesses[guess], f"{show_feedback(game, code)}{colon}{number}"]
        shared = next(i for i, word in enumerate(words) if above[i : i + 1] != [word])
        lines.append(" " * sum(len(word) + 1 for word in words[:shared]) + " ".join(words[shared:]))
        above = words
    return "\n".join(lines) + "\n"


def tree_of_text(text: str, game: Game) -> Tree:
    """Return the tree in a text, checked. Raises the same errors as `read_tree`."""
    header = tree_header(text.splitlines())
    if header.get("fingerprint", game.fingerprint) != game.fingerprint:
        raise WordleKitError(
            f"is a tree of {texts.line(header.get('game', 'another game'))} with the fingerprint "
            f"{texts.line(header['fingerprint'])}, but the fingerprint of {game.name} is {game.fingerprint}"
        )
    earlier = header.get("after", "").split()
    before = tuple(
        (game.index_of_guess(guess), game.read_feedback(seen).code)
        for guess, seen in zip(earlier[::2], earlier[1::2], strict=False)
    )
    lines: dict[Moves, int] = {}
    for number, words in _full_lines(text):
        path = _path_of(words, number, game)
        if path in lines:
            raise _wrong(number, f"the answer {game.guesses[path[-1][0]]} is already in line {lines[path]}", path)
        if path[: len(before)] != before or len(path) == len(before):
            raise _wrong(number, "does not begin with the guesses before the tree", path)
        lines[path] = number
    if not lines:
        raise WordleKitError("has no lines; a decision tree has one line for each answer")
    tree = Tree(game, _node_of(lines, len(before), game), before)
    try:
        tree.check()
    except TreeError as error:
        raise _wrong(_line_of(error.path, lines), str(error), error.path) from error
    for answer, path in tree.paths.items():
        if path not in lines:
            raise _wrong(_line_of(path, lines), f"no line for {name_answers(game, [answer])}", path)
    if header.get("total", str(tree.total)) != str(tree.total):
        raise TreeError(f"says that the total is {texts.line(header['total'])}, but the tree takes {tree.total}", ())
    return tree


def _full_lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the words of each line, including the words that the line above has too."""
    above = ""
    for number, line in enumerate(text.splitlines(), start=1):
        line = line.rstrip()
        own = line.lstrip(" ")
        if not own or f"{own} ".startswith("# "):
            continue
        column = len(line) - len(own)
        if column and (column > len(above) or above[column - 1] != " "):
            raise WordleKitError(f"line {number}: begins in column {column + 1}, but no word of the line above does")
        above = above[:column] + own
        yield number, above.split()


def _path_of(words: list[str], number: int, game: Game) -> Moves:
    """Return the path that the words of a line stand for.

    Raises TreeError if the path is wrong, and another WordleKitError if the words are not a path at all.
    """
    path: list[tuple[int, int]] = []
    if len(words) % 2:
        raise WordleKitError(f"line {number}: {words[-1]!r} has no feedback; write guess, feedback and number")
    for turn, (guess, numbered) in enumerate(zip(words[::2], words[1::2], strict=True), start=1):
        match = NUMBERED.fullmatch(numbered)
        if match is None:
            raise WordleKitError(f"line {number}: {numbered!r} is not feedback followed by the number of the guess")
        if int(match[2]) != turn:
            raise _wrong(number, f"{guess} {numbered} is guess {turn}", tuple(path))
        try:
            path.append((game.index_of_guess(guess), game.read_feedback(match[1]).code))
        except GameError as error:
            raise _wrong(number, str(error), tuple(path)) from error
        if (path[-1][1] == game.winning_code) != (turn == len(words) // 2):
            ending = "continues after" if path[-1][1] == game.winning_code else "ends before"
            raise _wrong(number, f"{ending} the answer is guessed", tuple(path))
    if len(path) > game.cap:
        raise _wrong(number, f"takes more than the {game.cap} guesses that a play of {game.name} can have", ())
    return tuple(path)


def _node_of(lines: dict[Moves, int], start: int, game: Game) -> Node:
    """Return the node that these paths share after `start` guesses.

    Raises TreeError if they have different guesses there.
    """
    first, number = next(iter(lines.items()))
    guess = first[start][0]
    groups: dict[int, dict[Moves, int]] = {}
    for path, line in lines.items():
        if path[start][0] != guess:
            raise _wrong(
                line,
                f"guess {start + 1} is {game.guesses[path[start][0]]}, but {game.guesses[guess]} in line {number}",
                path,
            )
        groups.setdefault(path[start][1], {})[path] = line
    children = {code: _node_of(group, start + 1, game) for code, group in groups.items() if code != game.winning_code}
    return Node(guess, children)


def _line_of(path: Moves, lines: dict[Moves, int]) -> int:
    """Return the last line whose path has the longest common beginning with a path."""
    for length in range(len(path), 0, -1):
        numbers = [number for other, number in lines.items() if other[:length] == path[:length]]
        if numbers:
            return max(numbers)
    return max(lines.values())


def _wrong(line: int, message: str, path: Moves) -> TreeError:
    return TreeError(f"line {line}: {message}", path)
