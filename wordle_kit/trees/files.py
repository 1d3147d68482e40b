"""Decision trees in files: a text with a line for each answer."""

import re
from collections.abc import Iterator
from pathlib import Path

from wordle_kit import texts
from wordle_kit.api import load_game
from wordle_kit.arguments import path_of
from wordle_kit.errors import GameError, TreeError, WordleKitError
from wordle_kit.files import read_text
from wordle_kit.game.game import Game
from wordle_kit.leaderboard.metrics import proved_tree, tree_header
from wordle_kit.trees.tree import Moves, Node, Tree, has_letters, name_answers, show_feedback

NUMBERED = re.compile(r"(.+?):?(\d+)")
"""Matches feedback with the number of the guess after it. If feedback consists of digits, a colon separates them."""


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
