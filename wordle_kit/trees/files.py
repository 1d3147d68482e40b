"""Decision trees in files: read from text or JSON, written as text, JSON or Graphviz DOT."""

import itertools
import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from wordle_kit.api import load_game
from wordle_kit.arguments import path_of
from wordle_kit.errors import GameError, TreeError, WordleKitError, unknown
from wordle_kit.files import read_text
from wordle_kit.game.game import Game
from wordle_kit.leaderboard.metrics import proved_tree
from wordle_kit.trees.tree import Moves, Node, Tree, has_letters, name_answers, show_feedback

KIND = "wordle-kit decision tree"
VERSION = 1

NUMBERED = re.compile(r"(.+?):?(\d+)")
"""Matches feedback with the number of the guess after it. If feedback consists of digits, a colon separates them."""


def read_tree(path: Path | str, game: Game | str | Path, before: Moves = ()) -> Tree:
    """Return the tree in a file, checked. A file that begins with a brace is JSON, any other is indented text.

    If the tree begins after some guesses, `before` has these guesses and their codes. A JSON file contains them itself.
    Raises TreeError, which names the place, if the tree does not solve every answer. Raises another WordleKitError if
    the file is not a tree.
    """
    game = load_game(game)
    text = read_text(path_of("path", path))
    try:
        return tree_of_json(text, game) if text.lstrip().startswith("{") else tree_of_text(text, game, before)
    except TreeError as error:
        raise TreeError(f"{path}: {error}", error.path) from error
    except WordleKitError as error:
        raise WordleKitError(f"{path}: {error}") from error


def game_in(path: Path) -> str | None:
    """Return the name of the game in a JSON tree, or None if it does not name one."""
    try:
        name = json.loads(read_text(path)).get("game")
    except (ValueError, AttributeError, RecursionError):
        return None
    return name if isinstance(name, str) else None


def format_tree(tree: Tree, form: str) -> str:
    """Return a tree as `text`, `json` or `dot`, ending in a newline. Raises WordleKitError for other formats."""
    check_tree_format(form)
    return WRITERS[form](tree)


def check_tree_format(name: str) -> None:
    """Raise WordleKitError, which lists the formats, unless this is the name of a format."""
    if name not in WRITERS:
        raise WordleKitError(unknown("format of trees", name, WRITERS))


# Text


def text_of(tree: Tree) -> str:
    """Return a tree as indented text: one line per answer, with blanks in place of what the line above has too.

    Raises WordleKitError if the words of the game contain spaces.
    """
    game = tree.game
    if game.alphabet.separator == " ":
        raise WordleKitError(f"the words of {game.name} contain spaces, which the text format cannot hold; use JSON")
    colon = "" if has_letters(game) else ":"
    lines = []
    above: list[str] = []
    for path in tree.paths.values():
        words = []
        for number, (guess, code) in enumerate(path, start=1):
            words += [game.guesses[guess], f"{show_feedback(game, code)}{colon}{number}"]
        shared = next(i for i, word in enumerate(words) if above[i : i + 1] != [word])
        lines.append(" " * sum(len(word) + 1 for word in words[:shared]) + " ".join(words[shared:]))
        above = words
    return "\n".join(lines) + "\n"


def tree_of_text(text: str, game: Game, before: Moves = ()) -> Tree:
    """Return the tree in an indented text, checked. Raises the same errors as `read_tree`."""
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


# JSON


def json_of(tree: Tree) -> str:
    """Return a tree as JSON."""
    game = tree.game

    def fields(node: Node) -> dict[str, Any]:
        children = {show_feedback(game, code): fields(node.children[code]) for code in sorted(node.children)}
        return {"guess": game.guesses[node.guess]} | ({"next": children} if children else {})

    everything = {
        "kind": KIND,
        "version": VERSION,
        "game": game.name,
        "fingerprint": game.fingerprint,
        "before": [
            {"guess": game.guesses[guess], "feedback": show_feedback(game, code)} for guess, code in tree.before
        ],
        "answers": len(tree.paths),
        "total": tree.total,
        **({} if tree.weighted_mean is None else {"weighted_mean": tree.weighted_mean}),
        "depth": tree.depth,
        "distribution": {str(turns): answers for turns, answers in tree.distribution.items()},
        "tree": fields(tree.root),
    }
    return json.dumps(everything, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def tree_of_json(text: str, game: Game) -> Tree:
    """Return the tree in a JSON text, checked. Raises the same errors as `read_tree`."""
    try:
        fields = json.loads(text, object_pairs_hook=_as_dict)
        if fields["kind"] != KIND or fields["version"] != VERSION:
            raise WordleKitError(f"is not a {KIND} of version {VERSION}")
        before = tuple(
            (game.index_of_guess(one["guess"]), game.read_feedback(one["feedback"]).code) for one in fields["before"]
        )
        read = cache(lambda seen: game.read_feedback(seen).code)  # the same few kinds of feedback recur in a tree
        tree = Tree(game, _node_of_json(fields["tree"], game, read), before)
        totals = fields["total"]
    except json.JSONDecodeError as error:
        raise WordleKitError(f"line {error.lineno}: is not JSON: {error.msg}") from error
    except (KeyError, TypeError, AttributeError) as error:
        raise WordleKitError(f"is not a {KIND}: {error} is missing or has the wrong type") from error
    except RecursionError as error:
        raise WordleKitError("is nested too deeply for a decision tree") from error
    except GameError as error:
        raise TreeError(str(error), ()) from error
    tree.check()
    if totals != tree.total:
        raise TreeError(f"gives a total of {totals}, but the tree takes {tree.total}", ())
    return tree


def _node_of_json(fields: dict[str, Any], game: Game, read: Callable[[str], int]) -> Node:
    codes = _as_dict([(read(seen), child) for seen, child in fields.get("next", {}).items()])
    guess = game.index_of_guess(fields["guess"])
    return Node(guess, {code: _node_of_json(child, game, read) for code, child in codes.items()})


def _as_dict(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    """Return pairs as a dict. Raises TreeError if a key occurs twice."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        keys = [key for key, _ in pairs]
        raise TreeError(f"has {next(key for key in keys if keys.count(key) > 1)!r} twice in the same place", ())
    return fields


# DOT


def dot_of(tree: Tree) -> str:
    """Return a tree for Graphviz: a box for each guess, and an edge for each feedback.

    The box has a double line if the guess may be the answer.
    """
    game = tree.game
    lines = [f"digraph {_quoted(game.name)} {{", "  rankdir=LR;", "  node [shape=box];"]
    numbers = itertools.count()
    may_win = {path[:-1] for path in tree.paths.values()}

    def add(node: Node, path: Moves) -> int:
        number = next(numbers)
        double = ", peripheries=2" if path in may_win else ""
        lines.append(f"  n{number} [label={_quoted(game.guesses[node.guess])}{double}];")
        for code in sorted(node.children):
            child = add(node.children[code], (*path, (node.guess, code)))
            lines.append(f"  n{number} -> n{child} [label={_quoted(show_feedback(game, code))}];")
        return number

    add(tree.root, tree.before)
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # DOT escapes quotes and backslashes like JSON


WRITERS: dict[str, Callable[[Tree], str]] = {"text": text_of, "json": json_of, "dot": dot_of}
"""The functions that write trees, by the names of their formats."""


def known_tree(game: Game | str | Path) -> Tree | None:
    """Return a tree with the least total of guesses for a game, or None if no such tree has been proved.

    `game` is given as for `load_game`.
    """
    game = load_game(game)
    file = proved_tree(game.fingerprint)
    return None if file is None else read_tree(file, game)
